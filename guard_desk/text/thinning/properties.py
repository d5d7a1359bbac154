"""Which property a measure in a line belongs to: "12 metres *wide*" does not say how high a thing is.

A value of the asked dimension may still measure something else. The words for properties come from the language data
(`thinning.properties`), each with the dimensions that it is measured in; a value belongs to the word right behind it, else to the nearest
one before it that no other value has. A line without such a word names no property, so its value may answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.thinning.coverage import SentenceView, view
from guard_desk.text.thinning.language import hits, listed, phrase_groups
from guard_desk.text.thinning.question import YEAR, Frame, Shape
from guard_desk.text.words import Word, words

# "12 m *in* diameter", "12 mètres *de* large".
_LITTLE_WORDS = 1
_AGE = "age"
_CLAUSE_MARKS = frozenset(",;:，；：、()")


@dataclass(frozen=True, slots=True)
class _Named:
    """A word for a property.

    :param properties: property -> the dimensions that it is measured in.
    """

    span: Span
    properties: dict[str, frozenset[str]]


def asks_no_measure(frame: Frame) -> bool:
    """Whether a colour, a person, a place or a calling is asked for: no length and no year answers that."""
    if frame.shape in (Shape.LISTED, Shape.NAME):
        return True
    tokens = words(frame.text, frame.language)
    return frame.shape is Shape.OPEN and bool(hits(phrase_groups(frame.language, "callings"), frame.text, tokens))


def is_only_measure(frame: Frame, sentence: SentenceView, span: Span, value: Value) -> bool:
    """Whether a phrase says no more than the measure in it: "45 years old", not "45-year-old lawyer"."""
    rest = [i for i, word in enumerate(sentence.tokens) if word.span.start >= value.span.end and word.span.end <= span.end and word.content]
    named = {i for hit in hits(phrase_groups(frame.language, "properties"), sentence.text, sentence.tokens) for i in hit.words}
    return value.span.start <= span.start and named.issuperset(rest)


def is_measure(value: Value) -> bool:
    """Whether a value is an amount with a unit, a date or a year."""
    dated = value.kind in (ValueKind.DATE, ValueKind.TIME, ValueKind.MONEY, ValueKind.PERCENT)
    return bool(value.unit) or dated or bool(YEAR.fullmatch(value.text))


def without_others(frame: Frame, sentence: SentenceView, values: Sequence[Value]) -> list[Value]:
    """The values of a sentence without those that measure another property than the asked one."""
    if frame.shape is not Shape.QUANTITY:
        return list(values)
    kept = [value for value in values if not _is_loose_year(frame, sentence, value)]
    asked = _asked(frame.text, frame.language)
    if not asked or not kept:
        return kept
    told = _told(frame, sentence, values)
    return [value for value in kept if not _is_other(frame, sentence, value, asked, told.get(value.span))]


def spans_of_others(frame: Frame, text: str, sentences: Sequence[Span], values: Sequence[Value]) -> frozenset[Span]:
    """Where a text holds values that measure another property than the asked one."""
    if frame.shape is not Shape.QUANTITY:
        return frozenset()
    others: set[Span] = set()
    for span in sentences:
        inside = [value for value in values if span.start <= value.span.start and value.span.end <= span.end]
        if inside:
            kept = without_others(frame, view(text, span, frame.language), inside)
            others.update({value.span for value in inside} - {value.span for value in kept})
    return frozenset(others)


@lru_cache(maxsize=512)
def _asked(question: str, language: str) -> frozenset[str]:
    """The properties that a question names."""
    return frozenset(name for found in _named(language, question, words(question, language)) for name in found.properties)


def _named(language: str, text: str, tokens: tuple[Word, ...]) -> list[_Named]:
    found = []
    for hit in hits(phrase_groups(language, "properties"), text, tokens):
        pairs = (meaning.split() for meaning in hit.meanings)
        span = Span(tokens[hit.first].span.start, tokens[hit.last].span.end)
        found.append(_Named(span, {name: frozenset(dimensions) for name, *dimensions in pairs}))
    return found


def _told(frame: Frame, sentence: SentenceView, values: Sequence[Value]) -> dict[Span, _Named]:
    """The property word of each value that has one."""
    named = _named(frame.language, sentence.text, sentence.tokens)
    told: dict[Span, _Named] = {}
    steps = (_is_right_before, _is_behind, _is_before) if frame.is_han else (_is_behind, _is_before)
    for step in steps:
        for value in values:
            free = [word for word in named if word not in told.values() and _measures(word, value)]
            near = [word for word in free if step(frame, sentence, value.span, word.span)]
            if near and value.span not in told:
                told[value.span] = near[0] if step is _is_behind else near[-1]
    return told


def _measures(word: _Named, value: Value) -> bool:
    return any(value.dimension.rsplit("_", 1)[-1] in dimensions for dimensions in word.properties.values())


def _is_behind(frame: Frame, sentence: SentenceView, value: Span, word: Span) -> bool:
    """ "12 metres *wide*", "12 m in *diameter*"."""
    if word.start < value.end:
        return False
    gap = sentence.text[value.end : word.start]
    between = [token for token in sentence.tokens if value.end <= token.span.start and token.span.end <= word.start]
    joined = any(token.folded in listed(frame.language, "parts.joining") or token.content for token in between)
    return len(between) <= _LITTLE_WORDS and not joined and not any(ch in _CLAUSE_MARKS for ch in gap)


def _is_before(_frame: Frame, _sentence: SentenceView, value: Span, word: Span) -> bool:
    """ "The *width* of the tower is 12 metres"."""
    return word.end <= value.start


def _is_right_before(_frame: Frame, _sentence: SentenceView, value: Span, word: Span) -> bool:
    """ "宽12米": what follows a value begins the next one."""
    return word.end == value.start


def _is_other(frame: Frame, sentence: SentenceView, value: Value, asked: frozenset[str], told: _Named | None) -> bool:
    dimension = value.dimension.rsplit("_", 1)[-1]
    if told is not None:
        meant = {name for name, dimensions in told.properties.items() if dimension in dimensions}
        return bool(meant) and not meant & asked
    counted = value.kind is ValueKind.NUMBER and not value.unit and bool(value.noun)
    if counted and _word_before(sentence, value) in listed(frame.language, "having"):  # "Der Turm hat *300 Stufen*"
        return True
    exists = any(word.folded in listed(frame.language, "existing") for word in sentence.tokens)  # "has *stood* for 800 years"
    return asked == {_AGE} and not exists and _word_before(sentence, value) in listed(frame.language, "lasting")


def _is_loose_year(frame: Frame, sentence: SentenceView, value: Value) -> bool:
    """ "wurde *1987* gebaut": a bare year is an amount only where the sentence puts it as one ("beträgt 1987")."""
    if value.unit or value.kind not in (ValueKind.NUMBER, ValueKind.DATE) or not YEAR.fullmatch(value.text):
        return False
    behind = next((word for word in sentence.tokens if word.span.start >= value.span.end), None)
    before = _word_before(sentence, value)
    participle = behind is not None and behind.content and behind.text[0].islower()
    return before in listed(frame.language, "year_prepositions") or (participle and before in listed(frame.language, "passive"))


def _word_before(sentence: SentenceView, value: Value) -> str:
    return next((word.folded for word in reversed(sentence.tokens) if word.span.end <= value.span.start), "")
