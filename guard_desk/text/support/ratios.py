"""Shares said in two ways: "one in five" and "20 percent"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from guard_desk import lang
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.support.pool import Aligned, Held
from guard_desk.text.support.views import View
from guard_desk.text.support.words import support_words

_REACH = 24
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
