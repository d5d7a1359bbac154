"""The suite `verify-speed`: the rules of verification beside raguard-py, on the same inputs, in the same process, in turn.

Every round has an answer and passages that no round had before, so that nothing that is remembered makes us look fast; then the same
answer again (as when a window redraws), and a new answer to passages that are known (as when a person edits one: a run reads its passages
before it verifies). Whoever goes first changes from round to round. Ratios are medians over rounds of clock and of processor time.

What the claim head and a detector take on top of the rules is measured apart, on answers of the same sizes.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from guard_desk import resources
from guard_desk.formats import load_corpus
from guard_desk.measure.judge_speed import Taken, seconds
from guard_desk.measure.tables import Row, Table
from guard_desk.measure.verify_legs import head_marks
from guard_desk.measure.verify_rows import AnswerRow
from guard_desk.models.peers import Raguard, raguard_version
from guard_desk.models.readers import load_readers
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.pipeline import check_answer
from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer, ClaimJudge, Readers
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models
from guard_desk.text.sentences import sentences

QUESTION = "How long are deleted files kept before they are gone for good?"
ROUNDS = 20
# Models take longer and differ less from round to round.
_FEWER = 4
_PASSAGE = 300
_SHORTEST, _LONGEST = 40, 220
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """An input.

    :param characters: of the answer; None = one sentence.
    :param most: the ratio to raguard-py that is asked for.
    """

    name: str
    characters: int | None
    passages: int
    most: float


SIZES = (
    Size(name="one sentence", characters=None, passages=1, most=0.5),
    Size(name="519 characters, 12 passages", characters=519, passages=12, most=0.5),
    Size(name="17,000 characters", characters=17_000, passages=12, most=0.25),
)


class Writer:
    """Writes answers and passages of the demo's sentences, each with a made-up word of its own; no two are alike.

    :param seed: the same one gives the same texts in the same order.
    """

    def __init__(self, seed: int = 0) -> None:
        self._drawn = random.Random(seed)
        corpus = load_corpus(resources.path("demo", "harbourlight.guarddesk.json")).corpus
        texts = (" ".join(span.of(passage.text).split()) for passage in corpus.passages for span in sentences(passage.text))
        self._sentences = [text for text in texts if _SHORTEST < len(text) < _LONGEST and text.endswith(".")]
        self._used: set[str] = set()

    def sentence(self) -> str:
        """One sentence with a word that none before it had: what is remembered of one sentence helps with no other."""
        word = self._word()
        while word in self._used:
            word = self._word()
        self._used.add(word)
        return f"{self._drawn.choice(self._sentences)[:-1]}, as in {word}."

    def _word(self) -> str:
        return "".join(self._drawn.choice(_CONSONANTS) + self._drawn.choice(_VOWELS) for _ in range(4))

    def text(self, characters: int) -> str:
        """Sentences up to a length; the last one is cut."""
        parts: list[str] = []
        size = 0
        while size < characters:
            parts.append(self.sentence())
            size += len(parts[-1]) + 1
        return " ".join(parts)[:characters]

    def answer(self, size: Size) -> str:
        """An answer of a size."""
        return self.sentence() if size.characters is None else self.text(size.characters)

    def passages(self, size: Size) -> tuple[Passage, ...]:
        """Passages of 300 characters."""
        return tuple(Passage(id=f"p{at}", text=self.text(_PASSAGE)) for at in range(size.passages))


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """What each round took: all new, the same again, a new answer to known passages, and the peer on what was all new."""

    new: list[Taken] = field(default_factory=list)
    again: list[Taken] = field(default_factory=list)
    edited: list[Taken] = field(default_factory=list)
    peer: list[Taken] = field(default_factory=list)


def verify_speed(models: Models, rounds: int, ctx: RunContext) -> Table:
    """Measure.

    :param models: which head and which detector are timed beside the rules; the judge "features" means none.
    :param rounds: of each size, after one that loads what is loaded late.
    :raises Cancelled: between rounds.
    """
    analyzer = load_analyzer()
    peer = Raguard() if raguard_version() else None
    writer = Writer()
    rows: list[Row] = []
    for size in SIZES:
        times = Times()
        for number in ctx.track(range(rounds + 1), size.name, rounds + 1, unit="rounds"):
            _round(times if number else Times(), size, writer, analyzer, peer, peer_first=number % 2 == 0)
        rows += _rows(size, times)
    if peer is None:
        rows.append(Row(name="raguard-py", figure=float("nan"), note="not installed: pip install raguard-py"))
    rows += _readers(load_readers(replace(models, claim_model=None)), writer, analyzer, max(1, rounds // _FEWER), ctx)
    return Table(suite="verify-speed", rows=tuple(rows))


def _round(times: Times, size: Size, writer: Writer, analyzer: Analyzer, peer: Raguard | None, *, peer_first: bool) -> None:
    answer, other, passages = writer.answer(size), writer.answer(size), writer.passages(size)
    texts = [passage.text for passage in passages]

    def theirs() -> None:
        if peer is not None:
            times.peer.append(seconds(lambda: peer.verify(QUESTION, texts, answer)))

    if peer_first:
        theirs()
    times.new.append(seconds(_ours(passages, answer, analyzer)))
    if not peer_first:
        theirs()
    times.again.append(seconds(_ours(passages, answer, analyzer)))
    times.edited.append(seconds(_ours(passages, other, analyzer)))


def _ours(passages: Sequence[Passage], answer: str, analyzer: Analyzer) -> Callable[[], object]:
    return lambda: check_answer(Query(text=QUESTION), passages, answer, analyzer, RunContext())


class _Timed:
    """A claim judge that notes how long it takes."""

    def __init__(self, judge: ClaimJudge) -> None:
        self._judge = judge
        self.taken: list[Taken] = []

    @property
    def info(self) -> ModelInfo:
        return self._judge.info

    def stances(self, claims: Sequence[str], passages: Sequence[str], ctx: RunContext) -> npt.NDArray[np.float32]:
        found: list[npt.NDArray[np.float32]] = []
        self.taken.append(seconds(lambda: found.append(self._judge.stances(claims, passages, ctx))))
        return found[0]


def _readers(readers: Readers, writer: Writer, analyzer: Analyzer, rounds: int, ctx: RunContext) -> Iterator[Row]:
    """What each model takes on top of the rules."""
    for size in SIZES:
        timed = None if readers.claim_judge is None else _Timed(readers.claim_judge)
        detecting: list[Taken] = []
        for _ in ctx.track(range(rounds + 1), f"{size.name}: models", rounds + 1, unit="rounds"):
            row = _row(writer, size)
            if timed is not None:
                head_marks(timed, analyzer)(row, ctx)
            if readers.detector is not None:
                asked = (row.query, row.passages, row.answer, ctx)
                detecting.append(seconds(partial(readers.detector.detect, *asked)))
        if timed is not None and timed.taken[1:]:
            yield from _spread(f"{size.name}: on top, head {timed.info.name}", timed.taken[1:])
        if detecting[1:] and readers.detector is not None:
            yield from _spread(f"{size.name}: on top, detector {readers.detector.info.name}", detecting[1:])


def _row(writer: Writer, size: Size) -> AnswerRow:
    """An answer whose beginning is in one of its passages: a head is asked only about sentences that share words with some passage."""
    answer = writer.answer(size)
    passages = (*writer.passages(size)[1:], Passage(id="own", text=answer[:_PASSAGE]))
    return AnswerRow(id="", query=Query(text=QUESTION), passages=passages, answer=answer, cluster="", wrong=False)


def _rows(size: Size, times: Times) -> Iterator[Row]:
    yield from _spread(f"{size.name}: rules, all new", times.new)
    if times.peer:
        yield from _spread(f"{size.name}: raguard-py {raguard_version()}", times.peer)
        yield _ratio(f"{size.name}: ratio, all new", times.new, times.peer, f"; at most {size.most:g} is asked")
    yield from _spread(f"{size.name}: rules, new answer to known passages", times.edited)
    if times.peer:
        yield _ratio(f"{size.name}: ratio, known passages", times.edited, times.peer, "")
    yield from _spread(f"{size.name}: rules, the same again", times.again)


def _spread(name: str, taken: Sequence[Taken]) -> Iterator[Row]:
    clock = [one.clock * 1000 for one in taken]
    processor = statistics.median(one.processor * 1000 for one in taken)
    yield Row(
        name=f"{name}, p50", figure=statistics.median(clock), unit="ms", note=f"{processor:.3g} ms of the processor; {len(taken)} rounds"
    )
    yield Row(name=f"{name}, p95", figure=percentile(clock, 0.95), unit="ms")


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank).

    :param share: above 0, at most 1.
    """
    return sorted(values)[math.ceil(share * len(values)) - 1]


def _ratio(name: str, ours: Sequence[Taken], theirs: Sequence[Taken], asked: str) -> Row:
    pairs = list(zip(ours, theirs, strict=True))
    clock = statistics.median(left.clock / right.clock for left, right in pairs)
    processor = statistics.median(left.processor / right.processor for left, right in pairs)
    return Row(name=name, figure=clock, unit="x", note=f"median of rounds; in processor time {processor:.3f}{asked}")
