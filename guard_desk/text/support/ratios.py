"""Ratios: shares said in two ways ("one in five" and "20 percent"), and "4:1" where a passage has another ratio."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.support.pool import Aligned, Held, Place
from guard_desk.text.support.views import Unit, View
from guard_desk.text.support.words import support_words

_REACH = 24
_WRITTEN = re.compile(r"(?<![\d:.])(\d{1,4}(?:\.\d+)?) ?: ?(\d{1,4}(?:\.\d+)?)(?![\d:]|\.\d)")
_EXACT = 0.51


def same_ratio(view: View, value: Value, aligned: Sequence[Aligned]) -> Held | None:
    """The value of a passage that is the same share of a hundred; whole percents count as equal."""
    mine = _percent(view, value)
    if mine is None:
        return None
    for item in aligned:
        for position in item.place.unit.values:
            other = item.place.view.values[position]
            theirs = _percent(item.place.view, other)
            if theirs is not None and other.kind is not value.kind and abs(mine - theirs) < _EXACT:
                return Held(other, item.place)
    return None


def other_ratio(view: View, unit: Unit, aligned: Sequence[Aligned]) -> Iterator[tuple[Span, Span, Place]]:
    """Written ratios that no close sentence has, each with the one that the closest sentence has instead."""
    for span, pair in _ratios(view, unit):
        known = [(item.place, found) for item in aligned for found in _ratios(item.place.view, item.place.unit)]
        if known and all(pair != other for _, (_, other) in known):
            place, (instead, _) = known[0]
            yield span, instead, place


def _ratios(view: View, unit: Unit) -> list[tuple[Span, tuple[float, float]]]:
    """Ratios of a sentence; times of day ("4:15") are none."""
    times = [view.values[position].span for position in unit.values if view.values[position].kind is ValueKind.TIME]
    found = [
        (Span(*match.span()), (float(match[1]), float(match[2]))) for match in _WRITTEN.finditer(view.text, unit.span.start, unit.span.end)
    ]
    return [(span, pair) for span, pair in found if not any(time.overlaps(span) for time in times)]


def _percent(view: View, value: Value) -> float | None:
    """A percentage, or the one that a ratio ending in this number makes."""
    if value.kind is ValueKind.PERCENT:
        return value.number
    if value.kind is not ValueKind.NUMBER or value.dimension or not value.number or value.number < 1:
        return None
    joins = "|".join(map(re.escape, support_words("ratio", view.language)))
    if not joins:
        return None
    before = view.text[max(0, value.span.start - _REACH) : value.span.start]
    match = re.search(rf"([\w.,]+)\s+(?:{joins})\s+$", before, re.IGNORECASE)
    first = _number(match[1], view.language) if match else None
    return 100 * first / value.number if first is not None and 0 < first <= value.number else None


def _number(text: str, language: str) -> float | None:
    small = _small(language)
    if text.casefold() in small:
        return small[text.casefold()]
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


@cache
def _small(language: str) -> dict[str, float]:
    table = lang.entry(language, "numbers.small")
    return {word.casefold(): float(number) for word, number in table.items()} if isinstance(table, dict) else {}
