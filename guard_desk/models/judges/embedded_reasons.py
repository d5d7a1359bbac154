"""Why the embedded judge answered as it did: the network's words beside those of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from guard_desk.models.judges.pair_reader import Best
from guard_desk.models.judges.reasons import reasons_of
from guard_desk.models.judges.votes import Readings, certain_injection, check_found
from guard_desk.records.corpus import Passage
from guard_desk.records.evidence import Answers, Question, Reason

_OTHERS = (Question.RELEVANT, Question.EVIDENCE, Question.CONTRADICTS)


def embedded_reasons(readings: Readings, passage: Passage, answers: Answers, injection_max: float) -> tuple[Reason, ...]:
    """The reasons of all four answers; "unreliable" first where the passage holds orders to the answering system."""
    return (
        *_unreliable(answers, injection_max),
        *_limits(readings),
        *reasons_of(readings.pair, passage),
        *_network(readings),
    )


def _unreliable(answers: Answers, injection_max: float) -> Iterator[Reason]:
    if answers.injection > injection_max:
        for question in _OTHERS:
            detail = "Unreliable: the passage holds orders to the system that answers, which may be written to sway this answer too."
            yield Reason(question=question, rule="unreliable", detail=detail)


def _limits(readings: Readings) -> Iterator[Reason]:
    heads = readings.heads
    if heads.relevant is None:
        for question in _OTHERS:
            yield Reason(
                question=question, rule="rules alone", detail="The trained model does not read this script: the rules answer alone."
            )
    if heads.injection is None:
        detail = "The trained model looks for orders in English texts only: the scanner answers alone."
        yield Reason(question=Question.INJECTION, rule="rules alone", detail=detail)
    if heads.query_cut:
        for question in _OTHERS:
            detail = "The question takes more than half of what the trained model reads at once: it read the beginning only."
            yield Reason(question=question, rule="question cut", detail=detail)


def _network(readings: Readings) -> Iterator[Reason]:
    heads = readings.heads
    for question, found in ((Question.RELEVANT, heads.relevant), (Question.EVIDENCE, heads.evidence)):
        if found is not None:
            yield _model_reason(question, found, heads.windows, "")
    if heads.contradicts is not None:
        note = "" if check_found(readings.pair) else "; no check of numbers, dates, denials or names found anything"
        yield _model_reason(Question.CONTRADICTS, heads.contradicts, heads.windows, note)
    if heads.injection is not None:
        note = "; what is hidden or encoded decides alone" if certain_injection(readings.pair) else ""
        yield _model_reason(Question.INJECTION, heads.injection, heads.alone, note)


def _model_reason(question: Question, found: Best, windows: int, note: str) -> Reason:
    where = "the whole passage" if windows == 1 else f"the clearest of {windows} parts of the passage"
    leaning = "yes" if found.logit > 0 else "no"
    spans = (found.span,) if windows > 1 and found.span.end > found.span.start else ()
    return Reason(
        question=question,
        rule="trained model",
        detail=f"The trained model leans to {leaning} ({found.probability:.2f} before the votes are weighed), reading {where}{note}.",
        spans=spans,
    )
