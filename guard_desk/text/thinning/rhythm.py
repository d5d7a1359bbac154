"""How often: "every two weeks", "twice a year" and "monthly" as the time from one occasion to the next, so that they compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.amounts import show
from guard_desk.text.thinning.coverage import SentenceView
from guard_desk.text.thinning.language import Hit, hits, listed, phrase_groups
from guard_desk.text.values import find_values
from guard_desk.text.words import Word, fold_word

ASKED = "frequency"
"""The dimension of questions that ask how often."""

# "three *times* a day"; 每周*检查*两次: so many words may stand between the number and its rhythm.
_GAP = 1
_GAP_HAN = 4


def rhythms(sentence: SentenceView, values: Sequence[Value], language: str) -> Iterator[Value]:
    """What a sentence says of how often, each as the time between two occasions; values of the asked kind only.

    :param values: the values of the sentence.
    """
    taken: list[Span] = []
    for hit in _hits("rhythm", sentence, language):
        counted = _count(hit, sentence, values, language)
        span = Span(sentence.tokens[hit.first].span.start, sentence.tokens[hit.last].span.end)
        yield _every(hit.meanings[0], counted, span, sentence.text)
        taken.append(span)
    for hit in _hits("rhythm_per", sentence, language):
        counted = _count(hit, sentence, values, language)
        span = Span(sentence.tokens[hit.first].span.start, sentence.tokens[hit.last].span.end)
        if counted is not None and not any(span.overlaps(other) for other in taken):
            yield _every(hit.meanings[0], counted, span, sentence.text)
    every = {fold_word(word) for word in listed(language, "rhythm_every")}
    for value in values:
        before = next((word for word in reversed(sentence.tokens) if word.span.end <= value.span.start), None)
        if value.dimension == "time" and before is not None and before.folded in every:
            span = Span(before.span.start, value.span.end)
            yield replace(value, span=span, text=span.of(sentence.text))


def _hits(name: str, sentence: SentenceView, language: str) -> tuple[Hit, ...]:
    return hits(phrase_groups(language, name), sentence.own, sentence.local)


def _count(hit: Hit, sentence: SentenceView, values: Sequence[Value], language: str) -> Value | None:
    """The number that says how many times: before the rhythm, in Chinese behind it."""
    tokens = sentence.tokens
    for value in values:
        if value.kind is not ValueKind.NUMBER or value.unit or value.number is None or value.number <= 0:
            continue
        if language == "zh":
            gap = _between(tokens, tokens[hit.last].span.end, value.span.start)
            if gap is not None and gap <= _GAP_HAN and value.noun in listed(language, "rhythm_times"):
                return value
        else:
            gap = _between(tokens, value.span.end, tokens[hit.first].span.start)
            times = value.noun in listed(language, "rhythm_times") or value.text.casefold() in listed(language, "rhythm_times")
            if gap is not None and gap <= _GAP and times:
                return value
    return None


def _between(tokens: Sequence[Word], start: int, end: int) -> int | None:
    """Words between two places; None when the second does not follow the first."""
    return sum(start <= word.span.start and word.span.end <= end for word in tokens) if start <= end else None


def _every(period: str, counted: Value | None, span: Span, text: str) -> Value:
    value = _period(period)
    whole = span if counted is None else Span(min(span.start, counted.span.start), max(span.end, counted.span.end))
    number = Fraction(value.number or 0) / Fraction(1 if counted is None else counted.number or 1)
    return replace(value, span=whole, text=whole.of(text), number=float(number), canonical=f"{show(number)} {value.unit}")


@cache
def _period(text: str) -> Value:
    return find_values(text)[0]
