"""What small words make of values: a range is no list, a beginning is no single day, a rise by an amount is none to it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from guard_desk import lang
from guard_desk.records.decision import Guard
from guard_desk.records.evidence import ValueKind
from guard_desk.text.guards.lexicon import Lexicon
from guard_desk.text.guards.units import Text, Unit
from guard_desk.text.words import words

_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014~\uff5e")
_DATED = (ValueKind.DATE, ValueKind.TIME)

Clash = tuple[Guard, Unit, Unit]


class Join(Enum):
    """How a value goes on to the next one."""

    RANGE = "from x to y"
    LIST = "x and y"
    NONE = ""


def value_clash(left: Text, right: Text, lex: Lexicon, pairs: Sequence[tuple[int, int]]) -> Clash | None:
    """The first pair of equal values that small words make something else of; None when there is none.

    :param pairs: positions of equal units.
    """
    partners = dict(pairs)
    for i, j in pairs:
        a, b = left.units[i], right.units[j]
        if a.value is None or b.value is None:
            continue
        dated = a.value.kind in _DATED
        joins = _join(left, i, lex), _join(right, j, lex)
        if partners.get(i + 1) == j + 1 and set(joins) == {Join.RANGE, Join.LIST}:
            return (Guard.DATE if dated else Guard.NUMBER), a, b
        if dated and Join.RANGE not in joins and _begins(a, lex) is not _begins(b, lex):
            return Guard.DATE, a, b
        if not dated and _change(a, lex) != _change(b, lex):
            return Guard.DIRECTION, a, b
    return None


def _join(text: Text, position: int, lex: Lexicon) -> Join:
    """How a value is joined to a value right behind it."""
    unit = text.units[position]
    following = text.units[position + 1] if position + 1 < len(text.units) else None
    if following is None or following.value is None:
        return Join.NONE
    between = text.text[unit.span.end : following.span.start]
    found = {word.folded for word in words(between, lex.language)}
    ranges = lang.entry(lex.language, "numbers.ranges.to")
    opened = {f"link:{word}" for word in lang.entry(lex.language, "numbers.ranges.between")} & unit.marks
    if found & set(ranges) or opened or (between.strip() and set(between.strip()) <= _DASHES):
        return Join.RANGE
    return Join.LIST if {"and", ","} & following.marks else Join.NONE


def _begins(unit: Unit, lex: Lexicon) -> bool:
    """Whether a date is said to be a beginning ("from 1 May")."""
    return any(f"link:{word}" in unit.marks for word in lex.sets["beginnings"])


def _change(unit: Unit, lex: Lexicon) -> str:
    """Whether an amount is what something changes by, or what it changes to; "" where nothing says so."""
    by, to = (any(f"link:{word}" in unit.marks for word in lex.sets[name]) for name in ("changed_by", "changed_to"))
    if not lex.sets["changed_by"]:
        return "to" if to else ""
    return "to" if to and not by else "by" if by and not to else ""
