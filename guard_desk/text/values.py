"""Typed values of a text, and how two of them relate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text import normalize


class Relation(StrEnum):
    """How one value relates to another.

    EQUAL: the same value, whatever its format. BOUND: the same amount, other limit ("up to 6", "6 or more").
    PARTIAL: both can be right, one says less ("June 2026", "15 June 2026"). UNIT: the same number, another unit
    ("85 m", "85 ft"). DIFFERENT: the same kind of thing, another value. INCOMPARABLE: not the same kind of thing.
    """

    EQUAL = "equal"
    BOUND = "bound"
    PARTIAL = "partial"
    UNIT = "unit"
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"


_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


def find_values(text: str, languages: Sequence[str] = ("en",), entities: Sequence[tuple[Span, str]] = ()) -> tuple[Value, ...]:
    """The typed values of a text, sorted by position, not overlapping."""
    folded = normalize.plain(text)
    found = []
    for match in _NUMBER.finditer(folded.text):
        span = folded.span(*match.span())
        digits = match.group().replace(",", "")
        found.append(Value(kind=ValueKind.NUMBER, span=span, text=span.of(text), canonical=digits, number=float(digits)))
    for span, label in entities:
        if not any(span.overlaps(value.span) for value in found):
            words = span.of(text)
            found.append(Value(kind=ValueKind.ENTITY, span=span, text=words, canonical=normalize.fold_text(words), label=label))
    return tuple(sorted(found, key=lambda value: (value.span.start, value.span.end)))


def compare(a: Value, b: Value) -> Relation:
    """How two values relate; symmetric."""
    if a.kind is not b.kind:
        return Relation.INCOMPARABLE
    return Relation.EQUAL if a.canonical == b.canonical else Relation.DIFFERENT
