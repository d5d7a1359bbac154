"""Metrics with intervals. Arrays in, plain numbers out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A measured number.

    :param value: NaN when it is not defined (no rows, one class).
    :param low: lower end of the 95 % interval.
    :param high: upper end.
    :param n: rows it was measured on.
    """

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"-  (n={self.n})"
        return f"{self.value:.3f}  [{self.low:.3f}, {self.high:.3f}]  n={self.n}"


def proportion(hits: int, n: int) -> Figure:
    """A share with its Wilson score interval (Wilson 1927, doi 10.1080/01621459.1927.10502953)."""
    if n == 0:
        return Figure(value=math.nan, low=math.nan, high=math.nan, n=0)
    share, z2 = hits / n, Z95 * Z95
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return Figure(value=share, low=max(0.0, centre - half), high=min(1.0, centre + half), n=n)


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Area under the ROC curve: the chance that a positive scores above a negative, ties counting half. NaN with one class."""
    values, positive = np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=bool)
    n_pos, n_neg = int(positive.sum()), int((~positive).sum())
    if n_pos == 0 or n_neg == 0:
        return math.nan
    ranks = _mid_ranks(values)
    return float((ranks[positive].sum() - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg))


def _mid_ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle = ends - (counts - 1) / 2
    return np.asarray(middle[inverse], dtype=np.float64)


def auroc_figure(scores: Sequence[float], labels: Sequence[bool], *, rounds: int = 1000, seed: int = 0) -> Figure:
    """AUROC with a percentile bootstrap interval over rows."""
    values, positive = np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=bool)
    return bootstrap(lambda index: auroc(list(values[index]), list(positive[index])), len(values), rounds=rounds, seed=seed)


def bootstrap(measure: Callable[[npt.NDArray[np.int64]], float], n: int, *, rounds: int = 1000, seed: int = 0) -> Figure:
    """A figure with its percentile bootstrap interval.

    :param measure: maps row positions (with repeats) to the figure; may give NaN, which is left out.
    """
    if n == 0:
        return Figure(value=math.nan, low=math.nan, high=math.nan, n=0)
    random = np.random.default_rng(seed)
    drawn = np.array([measure(random.integers(0, n, n)) for _ in range(rounds)])
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.percentile(drawn, [2.5, 97.5]) if len(drawn) else (math.nan, math.nan)
    return Figure(value=measure(np.arange(n)), low=float(low), high=float(high), n=n)


def mean(values: Sequence[float], *, rounds: int = 2000, seed: int = 0) -> Figure:
    """The mean of values with its percentile bootstrap interval over them."""
    array = np.asarray(values, dtype=np.float64)
    return bootstrap(lambda index: float(array[index].mean()), len(array), rounds=rounds, seed=seed)


def paired(left: Sequence[float], right: Sequence[float], *, rounds: int = 2000, seed: int = 0) -> Figure:
    """The mean of left - right, with its percentile bootstrap interval over the pairs; what both share cancels.

    :param right: aligned with `left`.
    :raises ValueError: for different lengths.
    """
    return mean([a - b for a, b in zip(left, right, strict=True)], rounds=rounds, seed=seed)


def kappa(left: npt.ArrayLike, right: npt.ArrayLike) -> float:
    """Cohen's kappa of two raters' categories: (po - pe) / (1 - pe).

    po is the share of equal categories and pe the share expected by chance from each rater's own shares (Cohen 1960, A
    coefficient of agreement for nominal scales, doi 10.1177/001316446002000104). NaN where pe is 1, or without rows.
    """
    a, b = np.asarray(left), np.asarray(right)
    if len(a) == 0:
        return math.nan
    expected = float(sum(np.mean(a == category) * np.mean(b == category) for category in np.union1d(a, b)))
    return math.nan if expected >= 1 else (float(np.mean(a == b)) - expected) / (1 - expected)


def pearson(left: npt.ArrayLike, right: npt.ArrayLike) -> float:
    """Linear correlation, -1..1; NaN with fewer than two rows or a constant column."""
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return math.nan
    return float(np.clip(np.corrcoef(a, b)[0, 1], -1, 1))


def spearman(left: npt.ArrayLike, right: npt.ArrayLike) -> float:
    """Correlation of the ranks, ties at their middle, -1..1; NaN as for `pearson`."""
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    return pearson(_mid_ranks(a), _mid_ranks(b)) if len(a) else math.nan


def f1(true_positive: int, false_positive: int, false_negative: int) -> float:
    """Harmonic mean of precision and recall; 1 when there was nothing to find and nothing was found."""
    total = 2 * true_positive + false_positive + false_negative
    return 1.0 if total == 0 else 2 * true_positive / total
