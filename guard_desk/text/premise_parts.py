"""What the checks of premises share: a finding, and how far a sentence speaks of a premise."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.passage_reading import SentenceReading
from guard_desk.text.premise import Premise
from guard_desk.text.question_reading import QuestionReading, key_of
from guard_desk.text.words import stem_word


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseCheck:
    """One sign that a passage denies a premise.

    :param check: one of `premise_checks.CHECKS`.
    :param strength: 0..1.
    """

    check: str
    strength: float
    detail: str
    spans: tuple[Span, ...]
    query_spans: tuple[Span, ...]


def align(premise: Premise, sentence: SentenceReading) -> float:
    """Share of the premise's words in a sentence, those of title and sentence before counting half."""
    if not premise.keys:
        return 0.0
    own = len(premise.keys & sentence.keys)
    around = len(premise.keys & (sentence.context - sentence.keys))
    return (own + around * 0.5) / len(premise.keys) if own or around else 0.0


def key_of_name(name: str, reading: QuestionReading) -> str:
    """The key of a name's word, as the question's keys have it."""
    return key_of(stem_word(name, reading.language))
