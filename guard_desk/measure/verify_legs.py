"""What marks the words of an answer: the rules alone, each model alone, and what they make together.

The head alone has no number that was fitted here: it marks a sentence where it gives support less than one half, over the parts of the
passages that the product would show it. How rules and head decide together was fitted on RAGTruth's `train_sample_dev`, on sources that the
head was not trained on (`packaging/judge/fit_verify.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from guard_desk.measure.verify_rows import AnswerRow
from guard_desk.measure.verify_scores import Marked, marked_by
from guard_desk.models.readers import load_readers
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.pipeline import check_answer
from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer, ClaimJudge, Readers, SpanDetector
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models
from guard_desk.stages.verify import rule_statements
from guard_desk.text.support.claim_head import read_claims
from guard_desk.text.support.claim_numbers import claim_numbers

RULES = "rules"
HEAD, DETECTOR = "head alone", "detector alone"
_HALF = 0.5
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One way to check an answer.

    :param marks: gives the words of one answer that it marks.
    :param about: model and thresholds, in words.
    """

    name: str
    marks: Callable[[AnswerRow, RunContext], tuple[Marked, ...]]
    about: str = ""


def legs(models: Models) -> tuple[Leg, ...]:
    """The rules; with a claim judge also the head alone and both; with a detector also that alone and everything together.

    :raises MissingModelError: for a detector that is not on this machine.
    """
    analyzer = load_analyzer()
    readers = load_readers(replace(models, claim_model=None))
    return tuple(_legs(analyzer, readers))


def _legs(analyzer: Analyzer, readers: Readers) -> Iterator[Leg]:
    yield together(RULES, analyzer, Readers(), f"entities: {analyzer.info.name}")
    judge = None if readers.claim_judge is None else Remembering(readers.claim_judge)
    if judge is not None:
        numbers = claim_numbers()
        yield Leg(name=HEAD, marks=head_marks(judge, analyzer), about=f"{_named(judge.info)}; marked below support {_HALF}")
        if numbers is not None and numbers.weights == judge.info.weights:
            about = f"{_named(judge.info)}; reported from {numbers.report:.2f} on, fitted on RAGTruth train_sample_dev"
            yield together("rules + head", analyzer, Readers(claim_judge=judge), about)
        else:
            judge = None
    if readers.detector is not None:
        yield Leg(name=DETECTOR, marks=_detector(readers.detector), about=_named(readers.detector.info))
        name = "rules + detector" if judge is None else "rules + head + detector"
        yield together(name, analyzer, Readers(claim_judge=judge, detector=readers.detector), _named(readers.detector.info))


def _named(info: ModelInfo) -> str:
    return f"{info.name} {info.revision}".strip()


def together(name: str, analyzer: Analyzer, readers: Readers, about: str) -> Leg:
    """The check as the product runs it, with these readers."""

    def marks(row: AnswerRow, ctx: RunContext) -> tuple[Marked, ...]:
        return marked_by(check_answer(row.query, row.passages, row.answer, analyzer, ctx, readers=readers).spans)

    return Leg(name=name, marks=marks, about=about)


def head_marks(judge: ClaimJudge, analyzer: Analyzer) -> Callable[[AnswerRow, RunContext], tuple[Marked, ...]]:
    """What the head alone marks."""

    def marks(row: AnswerRow, ctx: RunContext) -> tuple[Marked, ...]:
        facts = analyzer.analyze([passage.text for passage in row.passages], ctx)
        titles = [analyzer.analyze([passage.title], ctx)[0] if passage.title else None for passage in row.passages]
        made = rule_statements(row.query, row.passages, facts, titles, row.answer, analyzer, ctx)
        if made is None:
            return ()
        pool, statements = made
        readings = zip(statements, read_claims(judge, pool, statements, ctx), strict=True)
        low = ((statement.claim, reading.support) for statement, reading in readings if reading is not None and reading.support < _HALF)
        return tuple(Marked(Span(claim.start, claim.end), 1.0 - support) for claim, support in low)

    return marks


def _detector(detector: SpanDetector) -> Callable[[AnswerRow, RunContext], tuple[Marked, ...]]:
    def marks(row: AnswerRow, ctx: RunContext) -> tuple[Marked, ...]:
        return tuple(Marked(span, confidence) for span, confidence in detector.detect(row.query, row.passages, row.answer, ctx))

    return marks


class Remembering:
    """A claim judge that remembers the last few thousand pairs, so that legs which ask the same take no longer than one."""

    def __init__(self, judge: ClaimJudge) -> None:
        self._judge = judge
        self._known: dict[tuple[str, str], npt.NDArray[np.float32]] = {}

    @property
    def info(self) -> ModelInfo:
        """The judge's."""
        return self._judge.info

    def stances(self, claims: Sequence[str], passages: Sequence[str], ctx: RunContext) -> npt.NDArray[np.float32]:
        """Probabilities of support, contradict, neutral: float32 (n, 3)."""
        pairs = list(zip(claims, passages, strict=True))
        missing = list(dict.fromkeys(pair for pair in pairs if pair not in self._known))
        if missing:
            found = self._judge.stances([claim for claim, _ in missing], [passage for _, passage in missing], ctx)
            if len(self._known) > _REMEMBERED:
                kept = {pair: self._known[pair] for pair in pairs if pair in self._known}
                self._known = kept
            self._known.update(zip(missing, found, strict=True))
        return np.stack([self._known[pair] for pair in pairs]) if pairs else np.zeros((0, 3), dtype=np.float32)
