"""Small deterministic parts for tests that need no model. Never reachable from the product."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from guard_desk.pipeline import Parts
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Answers, Judgement, ModelInfo, TextFacts
from guard_desk.text.analyze import analyze_text


class Calls:
    """Counts what was asked of the fakes."""

    def __init__(self) -> None:
        self.index = self.judge = self.analyze = self.generate = 0

    @property
    def total(self) -> int:
        return self.index + self.judge + self.analyze + self.generate


def _words(text: str) -> set[str]:
    return set(text.lower().replace(".", " ").replace("?", " ").split())


class OverlapRanker:
    """Similarity = shared words over all words."""

    info = ModelInfo(name="overlap", revision="1", device="cpu")

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._texts: list[set[str]] = []

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        self._calls.index += 1
        self._texts = [_words(p.text) for p in ctx.track(passages, "index", len(passages))]

    def scores(self, query: Query, ctx: RunContext) -> npt.NDArray[np.float32]:
        return np.array([_overlap(_words(query.text), text) for text in self._texts], dtype=np.float32)

    def similarities(self, query: Query, positions: npt.NDArray[np.int64], ctx: RunContext) -> npt.NDArray[np.float32]:
        return self.scores(query, ctx)[positions]

    def pair_similarities(self, positions: npt.NDArray[np.int64], ctx: RunContext) -> npt.NDArray[np.float32]:
        rows = [[_overlap(self._texts[i], self._texts[j]) for j in positions] for i in positions]
        return np.array(rows, dtype=np.float32).reshape(len(positions), len(positions))


def _overlap(left: set[str], right: set[str]) -> float:
    return len(left & right) / max(1, len(left | right))


class WordJudge:
    """Answers by plain words: IGNORE is hostile, NEVER contradicts, a digit is evidence."""

    info = ModelInfo(name="words", revision="1")
    thresholds = Thresholds(injection_max=0.6, contradicts_min=0.6, relevant_min=0.2, evidence_min=0.5)

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        return [query.text, passage.text]

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        for passage, similarity in zip(passages, similarities, strict=True):
            ctx.check()
            self._calls.judge += 1
            if "BROKEN" in passage.text:
                yield Judgement(passage_id=passage.id, answers=None, judge="words", error="the text says so")
                continue
            answers = Answers(
                relevant=min(1.0, 0.3 + similarity),
                evidence=0.9 if any(ch.isdigit() for ch in passage.text) else 0.3,
                contradicts=0.9 if "never" in passage.text.lower() else 0.1,
                injection=0.9 if "ignore" in passage.text.lower() else 0.1,
            )
            yield Judgement(passage_id=passage.id, answers=answers, judge="words")


class RulesAnalyzer:
    """The rules alone, without entities of a model."""

    info = ModelInfo(name="rules", revision="1")

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def analyze(self, texts: Sequence[str], ctx: RunContext) -> tuple[TextFacts, ...]:
        ctx.check()
        self._calls.analyze += len(texts)
        return tuple(analyze_text(text) for text in texts)


class WordCounter:
    """A token is a word."""

    encoding = "words"

    def count(self, text: str) -> int:
        return len(text.split())


class EchoGenerator:
    """Writes the first block of the prompt."""

    info = ModelInfo(name="echo", revision="1")

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        self._calls.generate += 1
        for word in prompt.split("Accepted evidence:\n")[-1].split("\n")[1].split(" "):
            ctx.check()
            yield word + " "


def fake_parts(calls: Calls | None = None, *, generator: bool = False) -> Parts:
    """All fakes together."""
    calls = calls or Calls()
    return Parts(
        ranker=OverlapRanker(calls),
        judge=WordJudge(calls),
        analyzer=RulesAnalyzer(calls),
        counter=WordCounter(),
        generator=EchoGenerator(calls) if generator else None,
    )
