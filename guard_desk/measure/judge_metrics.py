"""How good the answers of a judge are: figures of one question on the rows of one source, with clustered intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from guard_desk.measure.metrics import Figure, auroc

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.int64]

BINS = 10
ROUNDS = 500


def area(scores: Floats, labels: Flags) -> float:
    """AUROC of two arrays; NaN with one class."""
    return auroc(scores, labels)  # type: ignore[arg-type]


def either_way(scores: Floats, labels: Flags) -> float:
    """AUROC of a trivial baseline in its better direction, 0.5..1: nobody says whether long texts are the positives."""
    found = area(scores, labels)
    return found if math.isnan(found) else max(found, 1.0 - found)


def recall_at(scores: Floats, labels: Flags, most_false: float = 0.01) -> float:
    """The largest share of positives found while at most this share of negatives is.

    With n negatives, floor(most_false * n) of them may score above the cut; below 100 negatives that is none. A row counts as found when
    it scores strictly above the cut, as everywhere in the routing. NaN with one class.

    :param most_false: allowed share of false positives, 0..1.
    """
    positive, negative = scores[labels], np.sort(scores[~labels])[::-1]
    if len(positive) == 0 or len(negative) == 0:
        return math.nan
    allowed = math.floor(most_false * len(negative) + 1e-9)
    if allowed >= len(negative):
        return 1.0
    return float(np.mean(positive > negative[allowed]))


def calibration_error(probabilities: Floats, labels: Flags, bins: int = BINS) -> float:
    """Expected calibration error: sum over bins of (rows of the bin / rows) * |mean probability - share of positives|.

    Naeini, Cooper and Hauskrecht 2015 (AAAI), "Obtaining well calibrated probabilities using Bayesian binning", for the probability of the
    positive class; bins of equal width, the last one closed. NaN without rows.
    """
    if len(probabilities) == 0:
        return math.nan
    index = np.minimum((probabilities * bins).astype(np.int64), bins - 1)
    total = np.zeros(bins)
    np.add.at(total, index, probabilities - labels)
    return float(np.abs(total).sum() / len(probabilities))


def precision(flagged: Flags, labels: Flags) -> float:
    """Share of the flagged rows that are positives; NaN when none is flagged."""
    return float(labels[flagged].mean()) if flagged.any() else math.nan


def share_flagged(flagged: Flags, among: Flags) -> float:
    """Share of some rows that are flagged: recall among the positives, false positives among the negatives. NaN without such rows."""
    return float(flagged[among].mean()) if among.any() else math.nan


def f1_score(flagged: Flags, labels: Flags) -> float:
    """Harmonic mean of precision and recall; NaN without positives."""
    if not labels.any():
        return math.nan
    return 2.0 * float(np.sum(flagged & labels)) / float(np.sum(flagged) + np.sum(labels))


def majority_accuracy(labels: Flags) -> float:
    """What always giving the more frequent answer gets right."""
    return max(float(labels.mean()), 1.0 - float(labels.mean())) if len(labels) else math.nan


def always_yes_f1(labels: Flags) -> float:
    """F1 of always answering yes."""
    return f1_score(np.ones(len(labels), dtype=bool), labels)


class Resampled:
    """Percentile bootstrap over clusters (Davison and Hinkley 1997, section 3.8): whole clusters are drawn with replacement, so that rows
    which share a source do not count as independent. All figures of one object use the same draws, so their differences are paired.

    :param clusters: one name a row.
    """

    def __init__(self, clusters: Sequence[str], *, rounds: int = ROUNDS, seed: int = 0) -> None:
        _, member = np.unique(np.array(clusters, dtype=object).astype(str), return_inverse=True)
        order = np.argsort(member, kind="stable")
        rows = np.split(order, np.flatnonzero(np.diff(member[order])) + 1) if len(order) else []
        random = np.random.default_rng(seed)
        self.n = len(clusters)
        self.clusters = len(rows)
        self._draws: list[Positions] = [
            np.concatenate([rows[at] for at in random.integers(0, len(rows), len(rows))]) for _ in range(rounds if rows else 0)
        ]

    def figure(self, measure: Callable[[Positions], float]) -> Figure:
        """A figure with its 95 % interval.

        :param measure: maps row positions (with repeats) to the figure; draws for which it gives NaN are left out.
        """
        value = measure(np.arange(self.n)) if self.n else math.nan
        drawn = np.array([measure(draw) for draw in self._draws])
        drawn = drawn[~np.isnan(drawn)]
        low, high = np.percentile(drawn, [2.5, 97.5]) if len(drawn) and not math.isnan(value) else (math.nan, math.nan)
        return Figure(value=value, low=float(low), high=float(high), n=self.n)
