"""Whether blocks that changed places are the items of a list."""

from __future__ import annotations

from itertools import pairwise

from guard_desk.text.guards.blocks import Block, Side, links_of, touch

# Most units of one item of a list of three or more.
_LONGEST_ITEM = 3
# Marks of openings that join items as "and" does.
_JOINING = frozenset({"open:condition:or"})


def is_list(window: list[Block]) -> bool:
    """Whether these blocks, neighbours on the left, are items of one list in both texts."""
    if len(window) > 2 and max(block.size for block in window) > _LONGEST_ITEM:
        return False
    if len({block.valued for block in window if block.size == 1}) > 1:
        return False  # "Oslo (1913) and Bergen (1922)": the years are no items beside the towns
    lefts = [block.left for block in window]
    rights = [block.right for block in sorted(window, key=lambda block: block.right.first)]
    if _is_enumeration(lefts):
        return _is_enumeration(rights) or _is_relative(rights)
    return _is_relative(lefts) and _is_enumeration(rights)


def _is_enumeration(sides: list[Side]) -> bool:
    """ "x, y and z", closed: a further comma would make y say something about x, a further preposition something about z alone."""
    first, last = sides[0], sides[-1]
    if {",", "and"} & last.after or any("not" in side.all_marks for side in sides):
        return False
    if first.cuts_before or last.cuts_behind or _limits_last(sides):
        return False
    touching = all(touch(a, b) for a, b in pairwise(sides))
    joined = all({"and", ","} & side.marks for side in sides[1:])
    alike = all(_parts(side) <= _parts(first) for side in sides[1:])
    return touching and joined and alike and _is_closed(sides)


def _limits_last(sides: list[Side]) -> bool:
    """Whether what follows may say something about the last item alone: "weapons, training and financial | support"."""
    first, last = sides[0], sides[-1]
    if any(mark.startswith("link:") for mark in last.after):
        return True
    pair = len(sides) == 2 and last.close and all(side.last == side.first for side in sides)  # "rock and pop music"
    begins = first.initial and "and" not in first.marks
    return last.joined and not begins and not pair


def _is_closed(sides: list[Side]) -> bool:
    """Whether the last item is the one with "and": "x and y, z" is no list."""
    if len(sides) > 2 and any("and" in side.marks for side in sides[1:-1]):
        return all(side.last == side.first and "and" in side.marks for side in sides[1:])
    return "and" in sides[-1].marks or (len(sides) == 2 and "and" in sides[-1].all_marks)


def _parts(side: Side) -> frozenset[str]:
    """Which part an item plays: its preposition, what opens it."""
    return links_of(side.marks) - _JOINING


def _is_relative(sides: list[Side]) -> bool:
    """ "which is x, is y", said of one subject: the same as "is y and is x"."""
    return len(sides) == 2 and touch(*sides) and "which" in sides[0].marks and "," in sides[1].marks
