"""The swappable parts. Each has a real implementation in `models/` or `store/` and a small fake in the tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.evidence import AnswerSpan, Judgement, ModelInfo, Relation, TextFacts
from guard_desk.records.judging import Spent


class Encoder(Protocol):
    """Turns texts into vectors. Called from one thread at a time."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    @property
    def space(self) -> str:
        """Names all that decides a vector (encoder, revision, windowing); known without loading the model."""
        ...

    def encode_batches(
        self, passages: Sequence[Passage], ctx: RunContext
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]]:
        """Positions in `passages` (m,) and their unit vectors (m, d), as they are finished, in any order, each position once.

        :raises Cancelled: between batches.
        """
        ...

    def encode_passages(self, passages: Sequence[Passage], ctx: RunContext) -> npt.NDArray[np.float32]:
        """Unit vectors, float32 (n, d), aligned with `passages`.

        :raises Cancelled: between batches; finished batches are kept by the caller's store.
        """
        ...

    def encode_query(self, query: Query) -> npt.NDArray[np.float32]:
        """Unit vector, float32 (d,)."""
        ...


class VectorSpace(Protocol):
    """Stored vectors of one encoder, by key: the 32 bytes of a sha256."""

    def find(self, keys: Sequence[bytes]) -> npt.NDArray[np.int64]:
        """Row of each key, int64 (n,); -1 where it is not stored."""
        ...

    def rows(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """The vectors of these rows, float32 (n, d)."""
        ...

    def append(self, keys: Sequence[bytes], vectors: npt.NDArray[np.float32]) -> None:
        """Store finished vectors. :raises StoreError: when they cannot be written."""
        ...


class VectorStore(Protocol):
    """Keeps vectors across runs."""

    def space(self, name: str) -> VectorSpace:
        """The vectors of an encoder, by `Encoder.space`. :raises StoreError: when the folder cannot be used."""
        ...


class Ranker(Protocol):
    """Ranks a corpus for a query. One ranker serves one list of passages at a time; see `models.rankers`."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        """Prepare for these passages; a second call with the same ones is free.

        :raises Cancelled: finished batches of vectors are kept in the store.
        """
        ...

    def scores(self, query: Query, ctx: RunContext) -> npt.NDArray[np.float32]:
        """Score of every indexed passage, float32 (n,); higher is better."""
        ...

    def similarities(self, query: Query, positions: npt.NDArray[np.int64], ctx: RunContext) -> npt.NDArray[np.float32]:
        """Cosine of the dense encoder between the query and these passages, float32 (m,), -1..1."""
        ...

    def pair_similarities(self, positions: npt.NDArray[np.int64], ctx: RunContext) -> npt.NDArray[np.float32]:
        """Cosine between these passages, float32 (m, m), -1..1, 1 on the diagonal."""
        ...


class Analyzer(Protocol):
    """Typed values, cues and facts of texts, entities included."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    def analyze(self, texts: Sequence[str], ctx: RunContext) -> tuple[TextFacts, ...]:
        """Facts of each text, aligned with `texts`. :raises Cancelled: between batches."""
        ...


@runtime_checkable
class RelationReader(Protocol):
    """An analyzer that reads grammar too."""

    def relations(self, texts: Sequence[str], ctx: RunContext) -> tuple[tuple[Relation, ...], ...]:
        """What grammar ties together in each text, aligned with `texts`. :raises Cancelled: between batches."""
        ...


class AnswerFinder(Protocol):
    """Marks the words of passages that answer a question."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    def find(self, questions: Sequence[str], passages: Sequence[Passage], ctx: RunContext) -> tuple[tuple[AnswerSpan, ...], ...]:
        """The best few spans of each passage's text for each question, aligned with `passages`, the most probable first.

        :param questions: the parts of one question; `AnswerSpan.part` is the position here.
        :raises Cancelled: between batches.
        """
        ...


class Judge(Protocol):
    """Answers the four questions. `similarities` are the dense encoder's cosines, aligned with `passages`."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    @property
    def thresholds(self) -> Thresholds:
        """This judge's own thresholds."""
        ...

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        """Exactly what this judge is sent for a pair (wordings, query, the fields it reads): the cache key's content."""
        ...

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        """One judgement a passage, in order, as they are finished. A passage that fails yields `answers=None` with `error`.

        :raises Cancelled: between batches.
        """
        ...


class CostlyJudge(Judge, Protocol):
    """A judge whose answers cost tokens."""

    @property
    def spent(self) -> Spent:
        """Taken by the last call of `judge`, also one that was cancelled or failed."""
        ...

    def estimate(self, query: Query, passages: Sequence[Passage]) -> Spent:
        """What these passages would take. Sends nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What writing an answer took.

    :param finished: False when the answer was cut by the token limit.
    :param estimated: the model's side told no counts, or not all: they are those of the app's own encoding.
    """

    prompt_tokens: int
    answer_tokens: int
    finished: bool = True
    estimated: bool = False


class Generator(Protocol):
    """Writes an answer from a prompt."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        """The answer in pieces as they come. A Python generator may return its `Usage` at the end.

        :raises Cancelled: between pieces.
        """
        ...


class TokenCounter(Protocol):
    """Counts tokens."""

    @property
    def encoding(self) -> str:
        """Name of the token encoding."""
        ...

    def count(self, text: str) -> int:
        """Tokens of a text."""
        ...


class SpanDetector(Protocol):
    """Marks spans of an answer that the passages do not support."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    def detect(self, query: Query, passages: Sequence[Passage], answer: str, ctx: RunContext) -> tuple[tuple[Span, float], ...]:
        """Spans with confidence 0..1, sorted by position."""
        ...


class ClaimJudge(Protocol):
    """Support / contradict / neutral for (claim, passage)."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    def stances(self, claims: Sequence[str], passages: Sequence[str], ctx: RunContext) -> npt.NDArray[np.float32]:
        """Probabilities of support, contradict, neutral: float32 (n, 3), for aligned pairs."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """The models that read an answer beside the rules; None for each one that is left out.

    :param claim_judge: support, contradict or neutral for the answer's sentences.
    :param claim_model: a language model that is asked about each sentence, and whose quotes are checked.
    :param detector: marks unsupported words.
    """

    claim_judge: ClaimJudge | None = None
    claim_model: Generator | None = None
    detector: SpanDetector | None = None


class AnswerStore(Protocol):
    """Keeps judgements across runs, as they come."""

    def get(self, keys: Sequence[str]) -> dict[str, Judgement]:
        """The stored judgements among these keys (with `passage_id` ""; the caller sets it)."""
        ...

    def put(self, items: Sequence[tuple[str, Judgement]]) -> None:
        """Store finished judgements. :raises StoreError: when the store cannot be written."""
        ...
