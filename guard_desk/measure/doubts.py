"""Which answers are to be read with care: those in the judge's uncertain band, and those about a passage that tries to take control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guard_desk.policy import Thresholds
from guard_desk.records.evidence import Answers, Judgement, Question

UNCERTAIN = "≈"
"""Stands before or behind an uncertain answer, wherever there is one."""

UNRELIABLE_TIP = (
    "Unreliable: the passage tries to control whoever reads it, so what it says of subject and answer may be made for the judge. "
    "The rule of injection comes first; this answer is not used."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The uncertain answers to one question, as far as this pool shows them.

    :param low: the lowest uncertain answer; `high`: the highest one.
    """

    low: float
    high: float
    count: int


def bands(judgements: Sequence[Judgement]) -> Mapping[Question, Band]:
    """Where the judge's uncertain answers lie; a question without any is left out."""
    found = {}
    for question in Question:
        values = [getattr(j.answers, question) for j in judgements if j.answers is not None and question in j.uncertain]
        if values:
            found[question] = Band(low=min(values), high=max(values), count=len(values))
    return found


def band_words(found: Mapping[Question, Band], question: Question, judge: str) -> str:
    """What the sign of doubt means for one question: "uncertain: ... from .41 to .58 in this run (3 passages)"."""
    band = found.get(question)
    words = f"{UNCERTAIN} marks an answer in the uncertain band of {judge}: so near to its own threshold that it may be wrong either way."
    if band is None:
        return words
    where = f"from {band.low:.2f} to {band.high:.2f}" if band.low != band.high else f"at {band.low:.2f}"
    return f"{words} In this run: {band.count} {'answer' if band.count == 1 else 'answers'}, {where}."


def is_unreliable(answers: Answers | None, thresholds: Thresholds | None) -> bool:
    """Whether the passage counts as an injection, so that its other three answers cannot be trusted."""
    return answers is not None and thresholds is not None and answers.injection > thresholds.injection_max


def is_uncertain(judgement: Judgement | None) -> bool:
    """Whether any of the four answers is uncertain."""
    return judgement is not None and judgement.answers is not None and bool(judgement.uncertain)
