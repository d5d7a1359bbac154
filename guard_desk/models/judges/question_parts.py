"""A question of several parts, judged by its parts: a passage that answers one of them is evidence, whatever the other asks.

"Who designed the bridge and when was it opened?" read as one text asks for a person, so a date looks like no answer. A local judge
therefore reads the whole and every part, each as a question of its own, and relevance and evidence are the highest of these readings;
the whole wins where two are equal. What the passage says of each part is what thinning needs, which has candidates for each part.

Two answers stay those of the whole question. A premise is what the asker wrote: a part carries over words that we chose ("when was
*the bridge* opened"), and nothing may be contradicted that nobody said; the highest of several readings would only add false alarms to
a threshold that was fitted to one. Orders to the answering system have nothing to do with the question at all.

The encoder's similarity is that of the whole question: a part has no vector of its own. A question of one part is read once, as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guard_desk.records.evidence import Answers, Question, Reason
from guard_desk.text.thinning.parts import AskedPart, asked_parts

# Change it when the same parts would be put together in another way.
VERSION = "1"
_BY_PART = (Question.RELEVANT, Question.EVIDENCE)


@dataclass(frozen=True, slots=True)
class Decided:
    """The answers to a question and the readings that gave them.

    :param readings: for each answer that is taken by parts the position of its reading: 0 is the whole, then the parts in order; empty
        for a question of one part.
    """

    answers: Answers
    readings: tuple[tuple[Question, int], ...]


def several_parts(question: str) -> tuple[AskedPart, ...]:
    """The parts of a question; none when it asks but one thing."""
    parts = asked_parts(question)
    return parts if len(parts) > 1 else ()


def parts_material(question: str) -> tuple[str, ...]:
    """What a cache key needs besides the question: the parts as they are read; nothing for a question of one."""
    parts = several_parts(question)
    return ("by parts", VERSION, *(part.text for part in parts)) if parts else ()


def decide(readings: Sequence[Answers]) -> Decided:
    """The answers of a question whose first reading is the whole and whose others are its parts."""
    if len(readings) == 1:
        return Decided(readings[0], ())
    chosen = tuple((question, _highest([float(getattr(answers, question.value)) for answers in readings])) for question in _BY_PART)
    return Decided(replace(readings[0], **{question.value: getattr(readings[at], question.value) for question, at in chosen}), chosen)


def _highest(values: Sequence[float]) -> int:
    """Position of the highest value, the first one where two are equal."""
    return max(range(len(values)), key=lambda position: (values[position], -position))


def reasons_by_part(decided: Decided, reasons: Sequence[tuple[Reason, ...]], parts: Sequence[AskedPart]) -> tuple[Reason, ...]:
    """The reasons of the readings that decided; each answer that a part gave begins with the name of that part.

    :param reasons: of each reading, the whole first.
    """
    if not parts:
        return reasons[0]
    reading_of = dict(decided.readings)
    found: list[Reason] = []
    for position, given in enumerate(reasons):
        own = [reason for reason in given if reading_of.get(reason.question, 0) == position]
        named = [_named(question, parts[position - 1]) for question, at in decided.readings if position and at == position]
        found += [*named, *own]
    return tuple(found)


def _named(question: Question, part: AskedPart) -> Reason:
    detail = f"This part of the question decided, read as “{part.text}”."
    return Reason(question=question, rule="part of the question", detail=detail, query_spans=(part.span,))
