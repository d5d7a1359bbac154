"""Which rows of the candidates stand open at first: the leader of every part in sight before any detail. No drawing in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.measure.score_parts import Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What stands open at first.

    :param headings: positions of the parts whose values are shown.
    :param leaders: positions of the parts whose first value shows its lines.
    """

    headings: frozenset[int]
    leaders: frozenset[int]


def rows_of(part: Asked) -> int:
    """Rows of a part with its heading and its values; where there is none, advice stands in their place."""
    return 1 + max(1, len(part.candidates))


def opened_at_first(asked: Sequence[Asked], rows: int) -> Opened:
    """Open the parts in their order, then the lines of their leaders, as long as all of it fits.

    A heading names the leader of its part, so a part that stays closed still shows it. A lone part has no heading.

    :param rows: how many rows there is room for.
    """
    if len(asked) < 2:
        return Opened(headings=frozenset(range(len(asked))), leaders=frozenset(range(len(asked))))
    left, headings, leaders = rows - len(asked), set[int](), set[int]()
    for at, part in enumerate(asked):
        if rows_of(part) - 1 <= left:
            headings.add(at)
            left -= rows_of(part) - 1
    for at, part in enumerate(asked):
        left -= len(part.candidates[0].lines) if part.candidates else 0
        if left < 0 or len(headings) < len(asked):
            break
        leaders.add(at)
    return Opened(headings=frozenset(headings), leaders=frozenset(leaders))
