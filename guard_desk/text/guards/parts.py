"""The parts that equal units play: their prepositions, their tense, and the persons of a text."""

from __future__ import annotations

from collections.abc import Sequence

from guard_desk.records.decision import Guard
from guard_desk.records.evidence import ValueKind
from guard_desk.text.guards.lexicon import Lexicon, lexicon
from guard_desk.text.guards.ranges import value_clash
from guard_desk.text.guards.units import Kind, Text, Unit

_CORE = (Kind.WORD, Kind.VALUE)
_EITHER = frozenset({"open:condition:or", "open:condition:but", "open:direction:before"})

Clash = tuple[Guard, Unit, Unit]


def clash(left: Text, right: Text, pairs: Sequence[tuple[int, int]]) -> Clash | None:
    """The first pair of equal units that play different parts; None when there is none.

    :param pairs: positions of equal units, all units matched.
    """
    lex = lexicon(left.language)
    stays = _in_place(left, right, pairs)
    determiner = any(unit.folded in lex.sets["determiners"] for text in (left, right) for unit in text.units)
    forbids = _only_forbids(left) and _only_forbids(right)
    for i, j in pairs:
        a, b = left.units[i], right.units[j]
        if _tense(a) and _tense(b) and _tense(a) != _tense(b):
            return Guard.STATUS, a, b
        if _is_progressive(a, lex) is not _is_progressive(b, lex) and _tense(a) and _tense(b):
            return Guard.STATUS, a, b
        if ("ongoing" in a.marks) is not ("ongoing" in b.marks) or _past_alone(a, b, lex):
            return Guard.STATUS, a, b
        if ("not" in a.marks) is not ("not" in b.marks) and not (determiner or forbids):
            return Guard.NEGATION, a, b
        if _opened(a) != _opened(b):
            return Guard.DIRECTION, a, b
        if _links_differ(a, b, lex, moved=i not in stays):
            return (Guard.ROLE if (_links(a) ^ _links(b)) & lex.sets["agents"] else Guard.DIRECTION), a, b
    return value_clash(left, right, lex, pairs) or _closed_links(left, right, lex, pairs) or _persons(left, right)


def _only_forbids(text: Text) -> bool:
    """Whether all that a text of one sentence says is that something is forbidden: "it is forbidden to x", "x is forbidden"."""
    floating = [unit.key for unit in text.units if unit.floats]
    return floating == ["negation:forbidden"] and text.units[-1].sentence == text.units[0].sentence


def _in_place(left: Text, right: Text, pairs: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Positions on the left of units that everything before and behind them also stands before and behind on the right."""
    core = sorted((i, j) for i, j in pairs if left.units[i].kind in _CORE and right.units[j].kind in _CORE)
    highest, stays = -1, set()
    lowest = [j for _, j in core]
    for place in range(len(lowest) - 2, -1, -1):
        lowest[place] = min(lowest[place], lowest[place + 1])
    for place, (i, j) in enumerate(core):
        if j > highest and j == lowest[place]:
            stays.add(i)
        highest = max(highest, j)
    return frozenset(stays)


def _opened(unit: Unit) -> frozenset[str]:
    """What opens the clause that a unit begins; "or" joins either item, and "before" may stand for "then"."""
    return frozenset(mark for mark in unit.marks if mark.startswith("open:") and mark not in _EITHER)


def _tense(unit: Unit) -> frozenset[str]:
    found = unit.marks & {"past", "present"}
    return found if len(found) == 1 else frozenset()


def _past_alone(a: Unit, b: Unit, lex: Lexicon) -> bool:
    """ "treated" against "treats": one is past by its ending, and nothing before either makes a participle of it."""
    if not lex.past_endings or a.folded == b.folded or a.value is not None or (a.marks | b.marks) & {"be", "past", "present"}:
        return False
    past = [unit.folded.endswith(lex.past_endings) or unit.folded in lex.irregular for unit in (a, b)]
    other = b.folded if past[0] else a.folded
    return past[0] is not past[1] and other.endswith("s") and not other.endswith("ss")


def _is_progressive(unit: Unit, lex: Lexicon) -> bool:
    """ "is closing": not yet "has closed"."""
    return any(unit.folded.endswith(ending) for ending in lex.progressive)


def _links_differ(a: Unit, b: Unit, lex: Lexicon, moved: bool) -> bool:
    left, right = _links(a), _links(b)
    if left == right or _is_dated(a):
        return False
    genitives = lex.sets["genitives"]
    if not moved and a.value is None and left and right and left.isdisjoint(right) and lex.language != "zh":
        return not (left | right) <= genitives
    if moved:
        return bool(left and right) and left.isdisjoint(right) and not (left | right) & genitives
    return a.value is None and not (left ^ right) <= genitives | _infinitive(lex)


def _infinitive(lex: Lexicon) -> frozenset[str]:
    return frozenset({"to", "zu"}) if lex.language in ("en", "de") else lex.sets["open_links"]


def _is_dated(unit: Unit) -> bool:
    return unit.value is not None and unit.value.kind in (ValueKind.DATE, ValueKind.TIME)


def _links(unit: Unit) -> frozenset[str]:
    return frozenset(mark.removeprefix("link:") for mark in unit.marks if mark.startswith("link:"))


def _closed_links(left: Text, right: Text, lex: Lexicon, pairs: Sequence[tuple[int, int]]) -> Clash | None:
    """Prepositions that grammar does not drop must occur on both sides."""
    closed_left, closed_right = (_closed(text, lex) for text in (left, right))
    for only, text, other, mine in ((closed_left - closed_right, left, right, 0), (closed_right - closed_left, right, left, 1)):
        for pair in pairs:
            unit = text.units[pair[mine]]
            if _links(unit) & only and unit.value is None:
                partner = other.units[pair[1 - mine]]
                return (Guard.DIRECTION, unit, partner) if mine == 0 else (Guard.DIRECTION, partner, unit)
    return None


def _closed(text: Text, lex: Lexicon) -> frozenset[str]:
    return frozenset(link for unit in text.units for link in _links(unit)) - lex.sets["open_links"]


def _persons(left: Text, right: Text) -> Clash | None:
    """ "we" against "you": stated on both sides, and not the same."""
    a, b = ({unit.key for unit in text.persons} for text in (left, right))
    if a and b and not (a <= b or b <= a):
        return Guard.ROLE, left.persons[0], right.persons[0]
    return None
