"""What one threshold does to the whole pool: who it can move, who it moved, and where the next flip is.

One strip for each rule of the route, in its order, with the route's own strict comparisons. Everything is numpy over the
stored answers, so that it can be asked anew on every move of a slider.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.policy import Thresholds
from guard_desk.records.decision import ROUTES, Route, Rule
from guard_desk.records.evidence import Question

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]

GRID = 1000
"""Thresholds that a slider can take: n / GRID."""

_EXCLUDE = np.int8(ROUTES.index(Route.EXCLUDE))


@dataclass(frozen=True, slots=True, kw_only=True)
class StripRule:
    """One rule of the route.

    :param name: the field of `Thresholds` that it compares with.
    :param column: where its answer stands in `Judged.scores`.
    :param above: it holds for answers above the threshold; else for those below.
    :param route: where a passage goes for which it holds.
    """

    name: str
    rule: Rule
    question: Question
    column: int
    above: bool
    route: Route


STRIP_RULES: tuple[StripRule, ...] = (
    StripRule(name="injection_max", rule=Rule.INJECTION, question=Question.INJECTION, column=3, above=True, route=Route.EXCLUDE),
    StripRule(name="contradicts_min", rule=Rule.CONTRADICTS, question=Question.CONTRADICTS, column=2, above=True, route=Route.CONFLICT),
    StripRule(name="relevant_min", rule=Rule.RELEVANT, question=Question.RELEVANT, column=0, above=False, route=Route.EXCLUDE),
    StripRule(name="evidence_min", rule=Rule.EVIDENCE, question=Question.EVIDENCE, column=1, above=True, route=Route.INCLUDE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """The passage whose route changes first when the threshold moves to one side.

    :param position: in the pool.
    :param gap: its answer - the threshold.
    """

    position: int
    value: float
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """One threshold and the pool, columns in pool order.

    :param baseline: the pinned threshold; None without one.
    :param values: float64 (n,), the answer; NaN where not judged.
    :param active: passages that reach this rule; the others were decided by an earlier one (or not judged).
    :param holds: active passages for which the rule holds.
    :param movable: active passages whose route this threshold can change.
    :param flipped: passages whose route the way from the baseline's threshold to this one changed, the other thresholds as now.
    :param left: active passages left of the threshold; `right`: right of it. One on the threshold itself stands on the side
        on which the rule does not hold.
    :param inert: passages that an earlier rule decided.
    :param gained: flips into the prompt; `lost`: out of it; `moved`: between its two blocks.
    :param below: the nearest passage that would flip when the threshold falls; `above`: when it rises.
    """

    rule: StripRule
    threshold: float
    baseline: float | None
    values: Floats
    active: Mask
    holds: Mask
    movable: Mask
    flipped: Mask
    left: int
    right: int
    inert: int
    not_judged: int
    gained: int
    lost: int
    moved: int
    below: Near | None
    above: Near | None

    @property
    def flips(self) -> int:
        """Routes changed against the baseline's threshold."""
        return self.gained + self.lost + self.moved

    @property
    def stable(self) -> tuple[float, float]:
        """Ends of the interval of thresholds in which nothing flips; 0 and 1 where nothing stands in the way."""
        return (self.below.value if self.below else 0.0, self.above.value if self.above else 1.0)

    def previous_flip(self) -> float | None:
        """The nearest slider value below the threshold at which a route has changed; None when there is none."""
        if self.below is None:
            return None
        value = self.below.value
        steps = _steps_below(value) if self.rule.above else _steps_at_most(value)
        return steps / GRID if steps >= 0 else None

    def next_flip(self) -> float | None:
        """The same above the threshold."""
        if self.above is None:
            return None
        value = self.above.value
        steps = _steps_below(value) + 1 if self.rule.above else _steps_at_most(value) + 1
        return steps / GRID if steps <= GRID else None


def _steps_below(value: float) -> int:
    """The greatest n with n / GRID < value; -1 for 0."""
    steps = math.ceil(value * GRID)
    while steps / GRID >= value:
        steps -= 1
    return steps


def _steps_at_most(value: float) -> int:
    """The greatest n with n / GRID <= value."""
    steps = math.floor(value * GRID) + 1
    while steps / GRID > value:
        steps -= 1
    return steps


def make_strips(scores: Floats, thresholds: Thresholds, baseline: Thresholds | None = None) -> tuple[Strip, ...]:
    """The four strips in the order of the route.

    :param scores: (n, 4) as `Judged.scores`: relevant, evidence, contradicts, injection; NaN where not judged.
    :param thresholds: those in force.
    :param baseline: those that flips are counted against; each for itself, the other three as in `thresholds`.
    """
    judged = ~np.isnan(scores[:, 3])
    held = {rule.name: _holds(rule, scores[:, rule.column], getattr(thresholds, rule.name)) for rule in STRIP_RULES}
    onward = _onward(held, len(scores))
    strips = []
    active = judged
    for rule in STRIP_RULES:
        limit = None if baseline is None else getattr(baseline, rule.name)
        strips.append(_strip(rule, scores[:, rule.column], getattr(thresholds, rule.name), limit, active, onward[rule.name], judged))
        active = active & ~held[rule.name]
    return tuple(strips)


def _holds(rule: StripRule, values: Floats, threshold: float) -> Mask:
    return values > threshold if rule.above else values < threshold


def _onward(held: Mapping[str, Mask], count: int) -> dict[str, Codes]:
    """For each rule, the route that a passage gets from the rules after it."""
    routes = np.full(count, _EXCLUDE)
    found = {}
    for rule in reversed(STRIP_RULES):
        found[rule.name] = routes
        routes = np.where(held[rule.name], np.int8(ROUTES.index(rule.route)), routes)
    return found


def _strip(rule: StripRule, values: Floats, threshold: float, baseline: float | None, active: Mask, onward: Codes, judged: Mask) -> Strip:
    hits = _holds(rule, values, threshold)
    own = np.int8(ROUTES.index(rule.route))
    movable = active & (onward != own)
    before = hits if baseline is None else _holds(rule, values, baseline)
    flipped = movable & (hits != before)
    was, now = np.where(before, own, onward)[flipped], np.where(hits, own, onward)[flipped]
    gained, lost = int(((was == _EXCLUDE) & (now != _EXCLUDE)).sum()), int(((was != _EXCLUDE) & (now == _EXCLUDE)).sum())
    holds = active & hits
    on, off = int(holds.sum()), int(active.sum()) - int(holds.sum())
    left_side = ~hits if rule.above else hits
    return Strip(
        rule=rule,
        threshold=threshold,
        baseline=baseline,
        values=values,
        active=active,
        holds=holds,
        movable=movable,
        flipped=flipped,
        left=off if rule.above else on,
        right=on if rule.above else off,
        inert=int(judged.sum()) - int(active.sum()),
        not_judged=len(values) - int(judged.sum()),
        gained=gained,
        lost=lost,
        moved=len(was) - gained - lost,
        below=_near(values, movable & left_side, threshold, largest=True),
        above=_near(values, movable & ~left_side, threshold, largest=False),
    )


def _near(values: Floats, mask: Mask, threshold: float, *, largest: bool) -> Near | None:
    at = np.flatnonzero(mask)
    if not len(at):
        return None
    inside = values[at]
    position = int(at[inside.argmax() if largest else inside.argmin()])
    return Near(position=position, value=float(values[position]), gap=float(values[position]) - threshold)


def stack(values: Floats, *, bins: int, rows: int) -> Floats:
    """Heights of a dot strip: equal answers stand on each other in pool order, from the floor up.

    :param bins: columns over 0..1; `rows`: dots that fit on each other without overlap. A column with more is packed closer.
    :returns: float64 (n,), 0..1; NaN for NaN.
    """
    heights = np.full(len(values), np.nan)
    at = np.flatnonzero(~np.isnan(values))
    column = np.minimum((values[at] * bins).astype(np.int64), bins - 1)
    order = np.argsort(column, kind="stable")
    ordered = column[order]
    starts = np.searchsorted(ordered, ordered, side="left")
    sizes = np.bincount(column, minlength=bins)[ordered] if len(at) else ordered
    heights[at[order]] = (np.arange(len(at)) - starts + 0.5) / np.maximum(rows, sizes)
    return heights
