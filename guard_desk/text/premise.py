"""What a question takes for granted: stated clauses ("Since X, ...") and what it presupposes ("Why does X ...").

An open yes/no question presupposes nothing; only the clauses stated beside it count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Cue, CueKind, Value, ValueKind
from guard_desk.text.question_reading import QuestionReading, keys_of, read_question


@dataclass(frozen=True, slots=True, kw_only=True)
class Premise:
    """One thing taken for granted.

    :param span: where it stands in the question.
    :param stated: said in a clause of its own; else presupposed by the question.
    :param keys: content words without values and asking words.
    :param values: numbers, money, percent, dates and times in it; `cues`: words of negation, direction, status, ...
    :param negated: whether it denies.
    """

    span: Span
    stated: bool
    keys: frozenset[str]
    values: tuple[Value, ...]
    cues: tuple[Cue, ...]
    negated: bool


@lru_cache(maxsize=512)
def premises(question: str) -> tuple[Premise, ...]:
    """The premises of a question, stated ones first; empty for an open yes/no question."""
    reading = read_question(question)
    found = [_premise(reading, span, stated=True) for span in reading.stated]
    if reading.form != "boolean":
        found.append(_premise(reading, reading.main, stated=reading.form == "claim"))
    return tuple(premise for premise in found if premise.keys)


def _premise(reading: QuestionReading, span: Span, *, stated: bool) -> Premise:
    values = tuple(
        value for value in reading.facts.values if _within(value.span, span) and value.kind not in (ValueKind.ENTITY, ValueKind.IDENTIFIER)
    )
    asking = tuple(asked for asked in reading.asking if _within(asked, span))
    cues = tuple(cue for cue in reading.facts.cues if _within(cue.span, span) and not any(cue.span.overlaps(asked) for asked in asking))
    own = span.of(reading.text)
    hidden = [Span(part.start - span.start, part.end - span.start) for part in (*asking, *(value.span for value in values))]
    negations = [cue for cue in cues if cue.kind is CueKind.NEGATION]
    return Premise(
        span=span, stated=stated, keys=keys_of(own, reading.language, hidden), values=values, cues=cues, negated=len(negations) % 2 == 1
    )


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
