"""Marks on a text: which style shows where several lie over each other, and what is left of them after an edit. No Qt in here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise

_MOST_EDITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkStyle:
    """How a mark looks.

    :param color: #rrggbb of underline and box.
    :param fill: #rrggbb behind the words; "" = none.
    :param underline: one of Qt's text underline styles by name; "" = none.
    :param box: whether a line is drawn around the words.
    """

    color: str
    fill: str = ""
    underline: str = ""
    box: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A marked range of code points.

    :param tip: what it means, plain text, shown while the pointer rests on it.
    :param active: it can be chosen by a click or by keys; others only show.
    :param origin: where it began when the text was checked; None for marks of no check.
    """

    start: int
    end: int
    style: MarkStyle
    tip: str = ""
    active: bool = True
    origin: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch that looks the same throughout.

    :param mark: the one on top: the shortest, which says most exactly what is meant; those that can be chosen before others.
    :param fill: the topmost that has a fill, if any: words inside an instruction stay filled when a number in it is underlined.
    :param depth: how many filled marks lie over each other here.
    """

    start: int
    end: int
    mark: Mark
    fill: Mark | None
    depth: int


def segments(marks: Sequence[Mark]) -> Iterator[Segment]:
    """The marks cut into stretches without overlap, in order; empty marks are left out."""
    starting = sorted((mark for mark in marks if mark.start < mark.end), key=lambda mark: mark.start)
    borders = sorted({edge for mark in starting for edge in (mark.start, mark.end)})
    ending: list[tuple[int, int]] = []
    covering: dict[int, Mark] = {}
    following = 0
    for start, end in pairwise(borders):
        while following < len(starting) and starting[following].start <= start:
            covering[following] = starting[following]
            heappush(ending, (starting[following].end, following))
            following += 1
        while ending and ending[0][0] <= start:
            del covering[heappop(ending)[1]]
        if covering:
            yield _segment(start, end, sorted(covering.values(), key=_rank))


def _rank(mark: Mark) -> tuple[bool, int]:
    return not mark.active, mark.end - mark.start


def _segment(start: int, end: int, covering: Sequence[Mark]) -> Segment:
    filled = [mark for mark in covering if mark.style.fill]
    return Segment(start=start, end=end, mark=covering[0], fill=filled[0] if filled else None, depth=len(filled))


def marks_at(marks: Sequence[Mark], position: int) -> tuple[Mark, ...]:
    """The marks that can be chosen at a code point, the shortest first."""
    found = [mark for mark in marks if mark.active and mark.start <= position < mark.end]
    return tuple(sorted(found, key=lambda mark: mark.end - mark.start))


def edited_range(before: str, after: str) -> tuple[int, int, int]:
    """Where two texts differ: start, end in the text before, end in the text after."""
    most = min(len(before), len(after))
    start = _common(most, lambda count: before[:count] == after[:count])
    rest = most - start
    tail = _common(rest, lambda count: count == 0 or before[-count:] == after[-count:])
    return start, len(before) - tail, len(after) - tail


def carried(marks: Sequence[Mark], before: str, after: str) -> tuple[Mark, ...]:
    """The marks of a text on its edited form: moved along behind the edit, gone where their own words were touched."""
    return tuple(marks) if before == after else moved(marks, *edited_range(before, after))


def moved(marks: Sequence[Mark], start: int, old_end: int, new_end: int) -> tuple[Mark, ...]:
    """The marks after the code points from `start` to `old_end` were replaced and now end at `new_end`."""
    shift = new_end - old_end
    kept = [mark for mark in marks if mark.end <= start or mark.start >= old_end]
    return tuple(mark if mark.end <= start else replace(mark, start=mark.start + shift, end=mark.end + shift) for mark in kept)


class Carrier:
    """Carries the marks of a checked text along with each edit of it, so that edits far apart lose no mark between them.

    :param base: the text that was checked.
    """

    def __init__(self, base: str = "") -> None:
        self.base = self.shown = base
        self._edits: list[tuple[int, int, int]] = []

    def restart(self, base: str, shown: str) -> None:
        """Another text was checked, and this one is shown."""
        self.base, self.shown = base, shown
        self._edits = [] if base == shown else [edited_range(base, shown)]

    def follow(self, shown: str) -> None:
        """The text on the screen is this one now."""
        if shown == self.shown:
            return
        if shown == self.base:
            self._edits = []
        else:
            self._edits = _joined(self._edits, edited_range(self.shown, shown))
        self.shown = shown
        if len(self._edits) > _MOST_EDITS:
            self.restart(self.base, shown)

    def carried(self, marks: Sequence[Mark]) -> tuple[Mark, ...]:
        """Marks of the checked text on the shown one: moved along, gone where their own words were touched."""
        found = tuple(marks)
        for edit in self._edits:
            found = moved(found, *edit)
        return found


def _joined(edits: list[tuple[int, int, int]], edit: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """The edits and one more; letters typed one after the other are one edit."""
    if edits:
        start, old_end, new_end = edits[-1]
        if start <= edit[0] and edit[1] <= new_end:
            return [*edits[:-1], (start, old_end, new_end + edit[2] - edit[1])]
    return [*edits, edit]


def _common(most: int, holds: Callable[[int], bool]) -> int:
    """The greatest count up to `most` that holds; counts that hold come first."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low
