"""False merges and true merges of a way to de-duplicate, and of a similarity at the same share of true merges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.measure.metrics import Figure, bootstrap, proportion

Bools = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of the pairs that were merged: of those that differ (an error), and of those that say the same."""

    false: Figure
    true: Figure


def rates(merged: Bools, same: Bools) -> Rates:
    """The two shares with Wilson intervals."""
    return Rates(_share(merged[~same]), _share(merged[same]))


def _share(merged: Bools) -> Figure:
    return proportion(int(merged.sum()), len(merged))


def threshold_at(scores: Scores, same: Bools, recall: float) -> float:
    """The highest threshold (merged: at or above) that merges at least that share of the pairs that say the same.

    :returns: infinity for a recall of 0, which merging nothing reaches.
    """
    positive = np.sort(scores[same])[::-1]
    needed = math.ceil(recall * len(positive) - 1e-9)
    return math.inf if needed <= 0 else float(positive[needed - 1])


def threshold_below(scores: Scores, same: Bools, false_share: float) -> float:
    """The lowest threshold, one of the scores, that merges at most that share of the pairs that differ."""
    negative = np.sort(scores[~same])[::-1]
    if not len(negative):
        return -math.inf
    allowed = math.floor(false_share * len(negative) + 1e-9)
    if allowed >= len(negative):
        return -math.inf
    return float(np.nextafter(negative[allowed], math.inf))


def times_fewer(merged: Bools, scores: Scores, same: Bools) -> Figure:
    """How many times as many of the differing pairs a threshold on the similarity merges, at our share of true merges.

    Where we merge none, half a pair is counted, so that the figure stays finite. The interval is a bootstrap over pairs, with the
    threshold set anew for each draw.
    """

    def ratio(index: npt.NDArray[np.int64]) -> float:
        ours, other, truth = merged[index], scores[index], same[index]
        if truth.all() or not truth.any():
            return math.nan
        false = int((ours & ~truth).sum())
        threshold = threshold_at(other, truth, float(ours[truth].mean()))
        return int(((other >= threshold) & ~truth).sum()) / max(false, 0.5)

    return bootstrap(ratio, len(merged))


@dataclass(frozen=True, slots=True)
class Curve:
    """Shares of true and of false merges at several thresholds, strictest first."""

    thresholds: tuple[float, ...]
    true: tuple[float, ...]
    false: tuple[float, ...]


def curve(scores: Scores, same: Bools, points: int = 40) -> Curve:
    """What thresholds on a similarity give."""
    thresholds = np.unique(np.quantile(scores, np.linspace(0, 1, points)))[::-1]
    true = tuple(float((scores[same] >= threshold).mean()) for threshold in thresholds)
    false = tuple(float((scores[~same] >= threshold).mean()) for threshold in thresholds)
    return Curve(tuple(map(float, thresholds)), true, false)


def at_recall(found: Curve, recall: float) -> int | None:
    """Position of the strictest threshold that reaches a recall; None when none does."""
    return next((place for place, share in enumerate(found.true) if share >= recall - 1e-9), None)


def counted(names: Sequence[str]) -> str:
    """ "number 12, entity 3": the most frequent first."""
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
