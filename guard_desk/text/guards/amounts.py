"""Guards of typed values: number, unit, currency, date, identifier, version, and the limit they set."""

from __future__ import annotations

from guard_desk.records.decision import Guard
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.guards.units import Unit
from guard_desk.text.values import Relation, compare

_DATED = (ValueKind.DATE, ValueKind.TIME)
_OPPOSED = frozenset({"more", "less"})


def name_values(a: Unit, b: Unit) -> Guard:
    """The guard that keeps two different value units apart."""
    left, right = a.value, b.value
    assert left is not None  # the caller chose value units
    assert right is not None
    relation = compare(left, right)
    if relation is Relation.EQUAL:
        return name_bounds(a.bound, b.bound)
    kinds = {left.kind, right.kind}
    if ValueKind.MONEY in kinds:
        return _money(left, right)
    if kinds & set(_DATED):
        return Guard.DATE
    if ValueKind.IDENTIFIER in kinds:
        return Guard.VERSION if left.label == right.label == "version" else Guard.IDENTIFIER
    if relation is Relation.UNIT or _only_unit_differs(left, right):
        return Guard.UNIT
    return Guard.NUMBER


def name_bounds(a: str, b: str) -> Guard:
    """ "above" against "below" is a comparison; other limits say how much of a range is meant."""
    return Guard.COMPARISON if {a, b} == _OPPOSED else Guard.QUANTIFIER


def _money(left: Value, right: Value) -> Guard:
    if left.kind is not right.kind:
        return Guard.CURRENCY if left.number == right.number else Guard.NUMBER
    return Guard.CURRENCY if left.unit != right.unit else Guard.NUMBER


def _only_unit_differs(left: Value, right: Value) -> bool:
    """The same digits under another unit: "12 kWh", "12 kW"."""
    return left.unit != right.unit and _digits(left.text) == _digits(right.text)


def _digits(text: str) -> str:
    return "".join(ch for ch in text if ch.isdigit())
