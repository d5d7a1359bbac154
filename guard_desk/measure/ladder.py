"""The ladder: retrieval rank on the left, final place on the right. What stands where, without drawing.

Columns are numpy arrays over the pool, so that a pool of 10,000 passages costs arrays and only what is seen costs objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.records.decision import RULES, Place, Placement, Rule
from guard_desk.records.evidence import Hit, Indices, frozen_array
from guard_desk.records.trace import Trace

ORDER: tuple[str, ...] = (
    "evidence",
    "conflict",
    "merged",
    "capped",
    "over_k",
    "over_budget",
    "below_floor",
    "excluded:relevant",
    "excluded:default",
    "excluded:injection",
    "not_judged",
)
"""Names of the places (`Placement.name`) from top to bottom: first what is in the prompt."""

IN_PROMPT = ("evidence", "conflict")


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One final place.

    :param name: as `Placement.name` gives it.
    :param rule: the route rule for "excluded"; else "".
    :param count: passages that ended here; 0 for a place that only the baseline used.
    :param tokens: of the blocks here, in the prompt or as they would have been; 0 where they were not counted.
    """

    name: str
    place: Place
    rule: str
    count: int
    tokens: int

    @property
    def in_prompt(self) -> bool:
        """Whether what stands here is sent to the model."""
        return self.name in IN_PROMPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Who ends where.

    :param box_of: int64 (n,), the box of each pool passage, in rank order.
    :param slot_of: int64 (n,), its position among those of its box, from 0.
    :param was: int64 (n,), the box it had under the baseline, where that is another one; else -1.
    """

    boxes: tuple[Box, ...]
    box_of: Indices
    slot_of: Indices
    was: Indices

    def looks_like(self, other: Ladder) -> bool:
        """Whether the picture would be the same."""
        same = np.array_equal(self.box_of, other.box_of) and np.array_equal(self.was, other.was)
        return same and self.boxes == other.boxes

    def members(self, box: int) -> Indices:
        """Pool positions of the passages of a box, in rank order."""
        return np.flatnonzero(self.box_of == box)


def ladder(trace: Trace, baseline: Trace | None = None) -> Ladder:
    """The ladder of a run.

    :param baseline: the same pool decided under another policy.
    """
    now = place_codes(trace.prompt.places)
    before = now if baseline is None else place_codes(baseline.prompt.places)
    used = sorted(set(now.tolist()) | set(before.tolist()))
    tokens = np.array([placement.tokens for placement in trace.prompt.places], dtype=np.int64)
    boxes = tuple(_box(code, now, tokens) for code in used)
    index = np.full(len(ORDER), -1, dtype=np.int64)
    index[used] = np.arange(len(used))
    box_of = index[now]
    was = np.where(before != now, index[before], -1)
    return Ladder(boxes=boxes, box_of=frozen_array(box_of), slot_of=frozen_array(_slots(box_of)), was=frozen_array(was))


_CODES = {name: code for code, name in enumerate(ORDER)}
_EXCLUDED = {name.partition(":")[2]: code for name, code in _CODES.items() if ":" in name}


def place_codes(places: Sequence[Placement]) -> Indices:
    """int64 (n,): the position of each place in `ORDER`. Called at each step of a slider, so it builds no names."""
    excluded = Place.EXCLUDED
    codes = [_EXCLUDED[placement.rule] if placement.place is excluded else _CODES[placement.place] for placement in places]
    return np.array(codes, dtype=np.int64)


def _box(code: int, now: Indices, tokens: Indices) -> Box:
    name = ORDER[code]
    place, _, rule = name.partition(":")
    members = now == code
    return Box(name=name, place=Place(place), rule=rule, count=int(members.sum()), tokens=int(tokens[members].sum()))


def _slots(box_of: Indices) -> Indices:
    slots = np.zeros(len(box_of), dtype=np.int64)
    for box in np.unique(box_of):
        members = box_of == box
        slots[members] = np.arange(int(members.sum()))
    return slots


def headline(trace: Trace) -> str:
    """The ladder in a sentence or two: how many reach the prompt, and what a glance must not miss."""
    hits, codes = trace.retrieved.hits, place_codes(trace.prompt.places)
    inside = int(np.isin(codes, [_CODES[name] for name in IN_PROMPT]).sum())
    hostile = [hits[at].rank for at in np.flatnonzero(codes == _CODES["excluded:injection"])]
    denies = trace.routed.rules == RULES.index(Rule.CONTRADICTS)
    conflicting = codes == _CODES["conflict"]
    denying = [hits[at].rank for at in np.flatnonzero(conflicting & denies)]
    rivals = [hits[at].rank for at in np.flatnonzero(conflicting & ~denies)]
    sentences = [f"{inside} of {len(codes)} in the prompt."]
    if hostile:
        sentences.append(f"{_ranks(hostile)} {_verb(hostile, 'is an injection', 'are injections')}.")
    if denying:
        sentences.append(f"{_ranks(denying)} {_verb(denying, 'denies', 'deny')} the premise.")
    if rivals:
        sentences.append(f"{_ranks(rivals)} {_verb(rivals, 'disagrees', 'disagree')} with other evidence.")
    return " ".join(sentences)


def _verb(ranks: Sequence[int], one: str, several: str) -> str:
    return one if len(ranks) == 1 else several


def _ranks(ranks: Sequence[int]) -> str:
    shown = [str(rank) for rank in ranks[:3]]
    rest = f"{len(ranks) - len(shown)} more" if len(ranks) > len(shown) else shown.pop()
    return f"Ranks {', '.join(shown)} and {rest}" if shown else f"Rank {rest}"


def row_words(hit: Hit, placement: Placement) -> str:
    """One passage in words, for screen readers and tooltips."""
    return f"rank {hit.rank}, similarity {hit.similarity:.3f}, {placement.name.replace('_', ' ').replace(':', ', ')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Where a box stands, in pixels from the top of the picture."""

    top: float
    height: float

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Positions in device-independent pixels. The rows scroll; the boxes stay, or scroll along where they do not fit.

    :param top: where rows and boxes begin.
    :param row_height: of one rank.
    :param content_height: of everything that scrolls, `top` included.
    :param left: x at which the curves begin.
    :param right: x of the boxes' left edge, where they end.
    :param width: of the picture; `height`: of what is seen of it.
    :param slots: one a box.
    :param rows: number of rows.
    :param split: y of the words between the boxes of the prompt and the others; None when only one sort is there or room is short.
    """

    top: float
    row_height: float
    content_height: float
    left: float
    right: float
    width: float
    height: float
    slots: tuple[Slot, ...]
    rows: int
    split: float | None

    def shift(self, scroll: float) -> float:
        """How far the boxes are scrolled: not at all where they fit, else so that both ends are reached together."""
        bottom = self.slots[-1].bottom if self.slots else 0.0
        if bottom <= self.height or self.content_height <= self.height:
            return 0.0
        return scroll * (bottom - self.height) / (self.content_height - self.height)

    def row_y(self, row: int, scroll: float = 0.0) -> float:
        """Middle of a row."""
        return self.top + (row + 0.5) * self.row_height - scroll

    def row_at(self, y: float, scroll: float = 0.0) -> int | None:
        """The row at a height; None outside."""
        row = int((y + scroll - self.top) // self.row_height)
        return row if y >= self.top and 0 <= row < self.rows else None

    def box_at(self, y: float, scroll: float = 0.0) -> int | None:
        """The box at a height; None between two."""
        inside = y + self.shift(scroll)
        return next((at for at, slot in enumerate(self.slots) if slot.top <= inside <= slot.bottom), None)

    def visible(self, height: float, scroll: float = 0.0) -> range:
        """Rows of which something is seen."""
        first = int(max(0.0, scroll) // self.row_height)
        last = int(np.ceil((scroll + height - self.top) / self.row_height))
        return range(min(first, self.rows), max(0, min(last, self.rows)))

    def slot_y(self, box: int, slot: int, count: int, scroll: float = 0.0) -> float:
        """Where the curve of a box's slot ends: spread evenly over its edge."""
        place = self.slots[box]
        return place.top + place.height * (slot + 1) / (count + 1) - self.shift(scroll)


def curve_y(start: float, end: float, share: float) -> float:
    """Height of a curve between two heights: a cubic with level ends (its handles lie at half the way).

    :param share: 0 at the start, 1 at the end, along the curve's parameter.
    """
    bend = 3 * share**2 - 2 * share**3
    return start + (end - start) * bend


def curve_parameter(x: float, left: float, right: float) -> float:
    """The parameter at which such a curve stands at `x`: solves its cubic in x, by halving."""
    goal = (x - left) / max(1e-9, right - left)
    low, high = 0.0, 1.0
    for _ in range(24):
        middle = (low + high) / 2
        reached = 1.5 * middle * (1 - middle) + middle**3
        low, high = (middle, high) if reached < goal else (low, middle)
    return (low + high) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """What the text needs, in pixels.

    :param line: height of a line of text.
    :param gap: between boxes; `caption`: of the words above rows and boxes.
    :param box: width that the widest words of a box need.
    :param left_share: of the width for the rows' text, and its limits.
    :param right_share: of the width for the boxes, and its limits; the words of a box come first.
    :param curves: width that is kept for the curves.
    """

    line: float
    gap: float
    caption: float
    box: float = 0.0
    left_share: float = 0.43
    left_limits: tuple[float, float] = (190.0, 520.0)
    right_share: float = 0.29
    right_limits: tuple[float, float] = (150.0, 300.0)
    curves: float = 80.0


MOST_ROW, LEAST_ROW = 3.0, 1.35
"""Row heights in lines of text."""
MOST_BOX, LEAST_BOX = 2.7, 1.25
"""Heights of a box with one passage, in lines of text."""
TIGHT = 4.0
"""Between boxes where room is short, in pixels."""


def geometry(rows: int, boxes: Sequence[Box], sizes: Sizes, *, width: float, height: float) -> Geometry:
    """Lay a ladder out.

    Rows share the height as long as each keeps `LEAST_ROW` lines; then they scroll. Boxes have room for a line (where there is
    more, for two) and the rest goes to them by the number of their passages.
    """
    room = max(1.0, height - sizes.caption - TIGHT)
    row_height = min(MOST_ROW * sizes.line, max(LEAST_ROW * sizes.line, room / max(1, rows)))
    slots, split = _stacked(boxes, sizes, room)
    right_width = min(0.45 * width, max(sizes.box, _clamped(width * sizes.right_share, sizes.right_limits)))
    left = _clamped(width * sizes.left_share, sizes.left_limits)
    return Geometry(
        top=sizes.caption,
        row_height=row_height,
        content_height=max(sizes.caption + rows * row_height, slots[-1].bottom if slots else 0.0) + TIGHT,
        left=min(left, max(0.0, width - right_width - sizes.curves)),
        right=width - right_width,
        width=width,
        height=height,
        slots=slots,
        rows=rows,
        split=split,
    )


def _clamped(value: float, limits: tuple[float, float]) -> float:
    return min(limits[1], max(limits[0], value))


def _stacked(boxes: Sequence[Box], sizes: Sizes, room: float) -> tuple[tuple[Slot, ...], float | None]:
    inside = sum(1 for box in boxes if box.in_prompt)
    parted = 0 < inside < len(boxes)
    gap, caption, free = sizes.gap, sizes.caption, 0.0
    # Where room is short, first the gaps shrink, then the words between the prompt and the rest go.
    for gap, caption in ((sizes.gap, sizes.caption), (TIGHT, sizes.caption), (TIGHT, 0.0)):
        free = room - (caption if parted else 0.0) - gap * max(0, len(boxes) - 1)
        if free >= LEAST_BOX * sizes.line * len(boxes):
            break
    least = max(LEAST_BOX * sizes.line, min(MOST_BOX * sizes.line, free / max(1, len(boxes))))
    heights = _heights(boxes, least, free, most=sizes.line * 2.4)
    slots, y, split = [], sizes.caption, None
    for at, tall in enumerate(heights.tolist()):
        if parted and at == inside and caption:
            split = y
            y += caption
        slots.append(Slot(top=y, height=tall))
        y += tall + gap
    return tuple(slots), split


def _heights(boxes: Sequence[Box], least: float, free: float, *, most: float) -> npt.NDArray[np.float64]:
    counts = np.array([box.count for box in boxes], dtype=np.float64)
    spare = max(0.0, free - least * len(boxes))
    shares = counts / max(1.0, counts.sum())
    # A box grows with its passages, but never beyond what their curves need to stand apart.
    grown: npt.NDArray[np.float64] = least + np.minimum(spare * shares, most * np.maximum(0.0, counts - 1))
    return grown
