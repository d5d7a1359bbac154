"""Leftover units that grammar explains: an order said as duty, a sequence said as a time clause."""

from __future__ import annotations

from collections.abc import Mapping

from guard_desk.text.guards.matching import BEFORE, DUTY, Matching
from guard_desk.text.guards.units import Kind, Text, Unit


def explained(left: Text, right: Text, matching: Matching) -> Matching:
    """The matching without the leftovers that say nothing of their own."""
    forward = dict(matching.pairs)
    backward = {j: i for i, j in matching.pairs}
    return Matching(
        matching.pairs,
        tuple(i for i in matching.left if not _is_explained(left, right, i, forward)),
        tuple(j for j in matching.right if not _is_explained(right, left, j, backward)),
    )


def _is_explained(text: Text, other: Text, position: int, partners: Mapping[int, int]) -> bool:
    unit = text.units[position]
    if unit.key == DUTY:
        return _is_order(text, other, position, partners)
    return unit.key == BEFORE and _is_sequence(text, other, partners)


def _is_order(text: Text, other: Text, position: int, partners: Mapping[int, int]) -> bool:
    """ "the form must be sent" against "send the form"."""
    verb = next((place for place in range(position + 1, len(text.units)) if text.units[place].kind is Kind.WORD), None)
    if verb is None or "be" not in text.units[verb].marks or verb not in partners:
        return False
    place = partners[verb]
    return all(before.clause != other.units[place].clause for before in other.units[:place] if before.kind is not Kind.OPENING)


def _is_sequence(text: Text, other: Text, partners: Mapping[int, int]) -> bool:
    """ "before y, x" against "x, then y"."""

    def opens(place: int, unit: Unit) -> bool:
        return f"open:{BEFORE}" in unit.marks and place in partners and "then" in other.units[partners[place]].marks

    return any(opens(place, unit) for place, unit in enumerate(text.units))
