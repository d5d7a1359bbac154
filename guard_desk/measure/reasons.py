"""Why a judge answered as it did, ready to be shown: its reasons a question, each with the part of the judge that gave it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from guard_desk.measure.doubts import UNCERTAIN
from guard_desk.records.decision import Rule
from guard_desk.records.evidence import Judgement, Question, Reason


class Leg(StrEnum):
    """Which part of a judge gives a reason, as people call it."""

    MEANING = "closeness"
    MODEL = "model"
    CHECK = "check"


_MEANING = ("similarity", "cosine", "closeness")
_MODEL = ("head", "model", "window", "network", "trained", "classifier", "probability")


def leg_of(reason: Reason) -> Leg:
    """The part of the judge behind a reason, by the name of its rule."""
    rule = reason.rule.lower()
    if any(word in rule for word in _MEANING):
        return Leg.MEANING
    return Leg.MODEL if any(word in rule for word in _MODEL) else Leg.CHECK


def because(reason: Reason) -> str:
    """A reason in one sentence; the rule's name goes before it where the sentence does not hold it."""
    return reason.detail if reason.rule.lower() in reason.detail.lower() else f"{reason.rule}: {reason.detail}"


QUESTION_OF = {
    Rule.RELEVANT: Question.RELEVANT,
    Rule.EVIDENCE: Question.EVIDENCE,
    Rule.CONTRADICTS: Question.CONTRADICTS,
    Rule.INJECTION: Question.INJECTION,
    Rule.DEFAULT: Question.EVIDENCE,
}
"""The question that a rule of the route compares."""

KEPT = 4
"""Reasons shown at once for the question that decided; `KEPT_OTHERS` for the others."""
KEPT_OTHERS = 1


def questions_in_order(deciding: Question | None) -> Iterator[Question]:
    """The deciding question first."""
    if deciding is not None:
        yield deciding
    yield from (question for question in Question if question is not deciding)


def reasons_for(judgement: Judgement, question: Question) -> tuple[Reason, ...]:
    """The reasons of one answer: checks first, since they point at words; then closeness, then the model."""
    found = [reason for reason in judgement.reasons if reason.question is question]
    order = (Leg.CHECK, Leg.MEANING, Leg.MODEL)
    return tuple(sorted(found, key=lambda reason: order.index(leg_of(reason))))


def answer_title(judgement: Judgement, question: Question, words: str, value: str, *, unreliable: bool) -> str:
    """ "Why contradicts .81", with its doubts."""
    unsure = f" {UNCERTAIN} uncertain" if question in judgement.uncertain else ""
    doubt = " (unreliable)" if unreliable and question is not Question.INJECTION else ""
    return f"Why {words.lower()} {value}{unsure}{doubt}".rstrip()
