"""Blocks: units that stand together and in one order in both texts, with what stands around them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from guard_desk.records.evidence import ValueKind
from guard_desk.text.guards.units import Kind, Text, Unit

_DATED = (ValueKind.DATE, ValueKind.TIME)
# Characters of " and " and the like between two items.
_LONGEST_AND = 7
# What may stand between two words of one name.
_NAME_GAPS = frozenset({" ", "-", "\u00a0"})


@dataclass(frozen=True, slots=True)
class Side:
    """A block as one text has it.

    :param first: place of its first unit among the compared units; `last` of its last.
    :param marks: of the first unit; `all_marks` of all.
    :param after: marks of the unit behind it.
    :param initial: nothing stands before it in its clause.
    :param begins: nothing stands before it in its sentence; `ends`: nothing behind it.
    :param cuts_before: the word before it may belong to the same name ("Marie" before "Curie"); `cuts_behind`: the word behind it.
    :param joined: a word follows that nothing parts from it.
    :param close: nothing but a short "and" stands before it.
    """

    first: int
    last: int
    marks: frozenset[str]
    all_marks: frozenset[str]
    after: frozenset[str]
    initial: bool
    begins: bool
    ends: bool
    cuts_before: bool
    cuts_behind: bool
    joined: bool
    close: bool

    @property
    def at_edge(self) -> bool:
        """Whether it stands at the beginning or the end of its sentence."""
        return self.begins or self.ends


@dataclass(frozen=True, slots=True)
class Block:
    """Units that stand together and in one order in both texts.

    :param valued: it begins with a value.
    :param compound: a genitive and a compound that were found to be the same.
    """

    left: Side
    right: Side
    dated: bool
    size: int
    valued: bool = False
    compound: bool = False

    def flipped(self) -> Block:
        """The block with the two texts exchanged."""
        return replace(self, left=self.right, right=self.left)


def is_core(unit: Unit) -> bool:
    """Whether the order of a unit counts: a word, a value, or an operator that stays in its place."""
    return unit.kind in (Kind.WORD, Kind.VALUE) or (unit.kind is Kind.OPERATOR and not unit.floats)


def blocks_of(left: Text, right: Text, component: list[tuple[int, int]]) -> list[Block]:
    """One block for each pair of positions, in the order of the left."""
    ranks = {j: rank for rank, j in enumerate(sorted(j for _, j in component))}
    blocks = []
    for place, (i, j) in enumerate(component):
        values = left.units[i].value, right.units[j].value
        dated = all(value is not None and value.kind in _DATED for value in values)  # 2005 may be a year here and an amount there
        blocks.append(Block(_side(left, i, place), _side(right, j, ranks[j]), dated, 1, valued=values[0] is not None))
    return blocks


def _side(text: Text, position: int, place: int) -> Side:
    unit = text.units[position]
    before = next((other for other in reversed(text.units[:position]) if is_core(other)), None)
    initial = before is None or before.clause != unit.clause
    behind = next((other for other in text.units[position + 1 :] if is_core(other)), None)
    return Side(
        place,
        place,
        unit.marks,
        unit.marks,
        frozenset() if behind is None else behind.marks,
        initial,
        begins=before is None or before.sentence != unit.sentence,
        ends=behind is None or behind.sentence != unit.sentence,
        cuts_before=before is not None and _one_name(text.text, before, unit),
        cuts_behind=behind is not None and _one_name(text.text, unit, behind),
        joined=behind is not None and behind.clause == unit.clause and not behind.marks,
        close=before is not None and unit.span.start - before.span.end <= _LONGEST_AND,
    )


def _one_name(text: str, first: Unit, second: Unit) -> bool:
    """Whether two words may belong to one name: both with a capital, nothing but a space or hyphen between them."""
    return first.text[:1].isupper() and second.text[:1].isupper() and text[first.span.end : second.span.start] in _NAME_GAPS


def fuse(a: Block, b: Block) -> Block:
    """One block of two that are neighbours, first and second on the left."""
    return Block(_fuse_sides(a.left, b.left), _fuse_sides(a.right, b.right), a.dated, a.size + b.size, a.valued, a.compound or b.compound)


def _fuse_sides(a: Side, b: Side) -> Side:
    head, tail = (a, b) if a.first < b.first else (b, a)
    return Side(
        head.first,
        max(a.last, b.last),
        head.marks,
        a.all_marks | b.all_marks,
        tail.after,
        head.initial,
        head.begins,
        tail.ends,
        head.cuts_before,
        tail.cuts_behind,
        tail.joined,
        head.close,
    )


def touch(a: Side, b: Side) -> bool:
    """Whether nothing stands between two blocks in one text."""
    return a.last + 1 == b.first or b.last + 1 == a.first


def links_of(marks: frozenset[str]) -> frozenset[str]:
    """The prepositions and openings among marks."""
    return frozenset(mark for mark in marks if mark.startswith(("link:", "open:")))
