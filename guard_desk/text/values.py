"""The typed values of a text: one pass over its tokens, identifiers first, then dates, times and quantities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text import normalize
from guard_desk.text.dates import find_date
from guard_desk.text.found import Found
from guard_desk.text.identifiers import find_identifiers
from guard_desk.text.normalize import Folded
from guard_desk.text.quantities import find_quantity
from guard_desk.text.relations import Relation, compare
from guard_desk.text.scan import CJK, Scan, scan
from guard_desk.text.times import find_time, iso_time
from guard_desk.text.vocabulary import Vocabulary, vocabulary

__all__ = ["Relation", "compare", "find_values"]

_ANY_CJK = re.compile(f"[{CJK}]")
# Entity labels of the analyzers that name values this module reads itself, and reads better.
_VALUE_LABELS = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "ORDINAL", "CARDINAL"})


def find_values(text: str, languages: Sequence[str] = ("en",), entities: Sequence[tuple[Span, str]] = ()) -> tuple[Value, ...]:
    """The typed values of a text, sorted by position, not overlapping.

    :param languages: language codes, the main one first; it decides what "1.500" and "04/03/2027" mean.
    :param entities: named entities of the analyzer, as spans of `text` with their label.
    :returns: values whose `text` is exactly their span of `text`.
    """
    found = _find(text, tuple(languages))
    if not entities:
        return found
    named = [value for span, label in entities if (value := _entity(text, span, label, found)) is not None]
    return tuple(sorted((*found, *named), key=lambda value: (value.span.start, value.span.end))) if named else found


@lru_cache(maxsize=2048)
def _find(text: str, languages: tuple[str, ...]) -> tuple[Value, ...]:
    plain = normalize.plain(text)
    chosen = languages if "zh" in languages or not _ANY_CJK.search(plain.text) else (*languages, "zh")
    words = vocabulary(chosen or ("en",))
    values = []
    reached = 0
    for found in _raw(plain.text, words):
        value = _value(text, plain, found)
        if value.span.start >= reached and value.span.end > value.span.start:
            values.append(value)
            reached = value.span.end
    return tuple(values)


def _raw(text: str, words: Vocabulary) -> list[Found]:
    """All values of a plain text, in offsets of it."""
    tokens = scan(text)
    identifiers = find_identifiers(text, words)
    found: list[Found] = []
    at = coming = 0
    while at < len(tokens):
        while coming < len(identifiers) and identifiers[coming].end <= tokens.starts[at]:
            coming += 1
        if coming < len(identifiers) and tokens.ends[at] > identifiers[coming].start:
            found.append(identifiers[coming])
            while at < len(tokens) and tokens.starts[at] < identifiers[coming].end:
                at += 1
            continue
        limit = identifiers[coming].start if coming < len(identifiers) else len(text)
        taken = _at(tokens, at, words, limit)
        found.extend(taken[0])
        at = max(taken[1], at + 1)
    return found


def _at(tokens: Scan, at: int, words: Vocabulary, limit: int) -> tuple[list[Found], int]:
    """The values that start at a token and end before `limit`, and the token after them."""
    if not _may_start(tokens, at, words):
        return [], at + 1
    dates = find_date(tokens, at, words)
    if dates is not None and dates[0][-1].end <= limit:
        return _with_iso_time(tokens, dates[0], dates[1])
    time = find_time(tokens, at, words)
    if time is not None and time[0].end <= limit:
        return [time[0]], time[1]
    quantity = find_quantity(tokens, at, words)
    if quantity is not None and quantity[0].end <= limit:
        return [quantity[0]], quantity[1]
    return [], at + 1


def _may_start(tokens: Scan, at: int, words: Vocabulary) -> bool:
    """A quick look whether any value can start at a token."""
    kind = tokens.kinds[at]
    if kind == "number":
        return True
    if kind == "sign":
        return tokens.words[at] in "-" or tokens.words[at] in words.currency_symbols
    return tokens.folded[at] in words.starters or (words.compound and len(tokens.words[at]) > 6)


def _with_iso_time(tokens: Scan, dates: list[Found], end: int) -> tuple[list[Found], int]:
    """Add the time that stands directly behind an ISO date."""
    if len(dates) != 1:
        return dates, end
    time = iso_time(tokens.text, dates[0].end)
    if time is None:
        return dates, end
    while end < len(tokens) and tokens.starts[end] < time[1]:
        end += 1
    return [dates[0], time[0]], end


def _value(text: str, plain: Folded, found: Found) -> Value:
    span = plain.span(found.start, found.end)
    return Value(
        kind=found.kind,
        span=span,
        text=span.of(text),
        canonical=found.canonical,
        number=_float(found.number),
        high=_float(found.high),
        unit=found.unit,
        dimension=found.dimension,
        bound=found.bound,
        noun=found.noun,
        label=found.label,
        written=found.written,
    )


def _float(number: object) -> float | None:
    try:
        return None if number is None else float(number)  # type: ignore[arg-type]
    except OverflowError:
        return None


def _entity(text: str, span: Span, label: str, found: Sequence[Value]) -> Value | None:
    """An entity of the analyzer as a value; None where it names or overlaps a value that was read already."""
    if label in _VALUE_LABELS or not 0 <= span.start < span.end <= len(text) or any(span.overlaps(value.span) for value in found):
        return None
    words = span.of(text)
    return Value(kind=ValueKind.ENTITY, span=span, text=words, canonical=normalize.fold_text(words), label=label)
