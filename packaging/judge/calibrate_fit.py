"""Small regressions with signs and pulls, and how well they do on rows that they were not fitted on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from guard_desk.measure.metrics import auroc

Floats = npt.NDArray[np.float64]
FOLDS = 5
LEAST = 15
# Thresholds whose figure is this close to the best are as good: a few hundred rows tell no finer.
NEARLY = 0.007
# How strongly a vote is pulled to its prior, for a mean loss over standardised votes: from "free" to "off".
PULLS = (0.001, 0.03, 0.3, 30.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """Rows of one question: values of the named votes, truth, and where each row comes from.

    :param natural: sources of texts that people wrote for other purposes; they decide between fits.
    """

    names: tuple[str, ...]
    values: Floats
    truth: npt.NDArray[np.bool_]
    sources: npt.NDArray[np.str_]
    groups: npt.NDArray[np.str_]
    natural: frozenset[str]

    def only(self, chosen: npt.NDArray[np.bool_]) -> Votes:
        """The rows of a mask."""
        return replace(self, values=self.values[chosen], truth=self.truth[chosen], sources=self.sources[chosen], groups=self.groups[chosen])

    def balanced_sources(self) -> list[str]:
        """Sources with enough rows of both answers."""
        return [
            str(source)
            for source in np.unique(self.sources)
            if min(self.truth[self.sources == source].sum(), (~self.truth[self.sources == source]).sum()) >= LEAST
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a fit may do.

    :param negative: votes whose weight is at most 0; all others but `free` have at least 0.
    :param prior: what weights are pulled to; 0 where it says nothing.
    :param pulls: how strongly, by vote.
    :param share: weight of the rows with the answer yes.
    :param generated: weight of a source that is not natural; `single`: what is left of a source's weight that knows one answer only.
    """

    negative: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    prior: Mapping[str, float]
    pulls: Mapping[str, float]
    share: float = 0.5
    generated: float = 0.25
    single: float = 0.1


def row_weights(votes: Votes, rules: Rules) -> Floats:
    """Each source weighs the same (generated ones less), its two answers by `share`; sources with one answer less again."""
    weights = np.zeros(len(votes.truth))
    balanced = set(votes.balanced_sources())
    for source in np.unique(votes.sources):
        total = 1.0 if source in votes.natural else rules.generated
        for answer, share in ((True, rules.share), (False, 1 - rules.share)):
            rows = (votes.sources == source) & (votes.truth == answer)
            if rows.any():
                weights[rows] = total * share * (1.0 if source in balanced else rules.single) / rows.sum()
    found: Floats = weights / weights.sum()
    return found


def solve(votes: Votes, rules: Rules) -> tuple[Floats, float]:
    """Weights and bias of the least weighted logistic loss under the signs."""
    importance = row_weights(votes, rules)
    signs = np.where(votes.truth, 1.0, -1.0)
    prior = np.array([rules.prior.get(name, 0.0) for name in votes.names])
    spread = np.sqrt(np.average((votes.values - np.average(votes.values, axis=0, weights=importance)) ** 2, axis=0, weights=importance))
    pull = np.array([rules.pulls.get(name, PULLS[0]) for name in votes.names]) * np.maximum(spread, 0.02) ** 2

    def loss(theta: Floats) -> tuple[float, Floats]:
        margin = signs * (votes.values @ theta[:-1] + theta[-1])
        slope = -importance * signs / (1 + np.exp(np.clip(margin, -60, 60)))
        away = theta[:-1] - prior
        gradient = np.append(votes.values.T @ slope + 2 * pull * away, slope.sum())
        return float((importance * np.logaddexp(0, -margin)).sum() + (pull * away**2).sum()), gradient

    bounds = [(None, None) if name in rules.free else (None, 0.0) if name in rules.negative else (0.0, None) for name in votes.names] + [
        (None, None)
    ]
    result = minimize(loss, np.append(prior, 0.0), jac=True, method="L-BFGS-B", bounds=bounds)
    return result.x[:-1], float(result.x[-1])


def predict(votes: Votes, fitted: tuple[Floats, float]) -> Floats:
    """Probabilities."""
    found: Floats = 1 / (1 + np.exp(-np.clip(votes.values @ fitted[0] + fitted[1], -30, 30)))
    return found


def held_out(votes: Votes, rules: Rules) -> Floats:
    """The probability of each row by a fit on the other folds; a group of rows stays in one fold.

    Where all rows are of one group, sources are folds.
    """
    found = np.zeros(len(votes.truth))
    folds = np.array([int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) % FOLDS for group in votes.groups])
    if len(np.unique(folds)) < 2:
        folds = np.unique(votes.sources, return_inverse=True)[1]
    for fold in np.unique(folds):
        rest = folds == fold
        if rest.any() and not rest.all():
            found[rest] = predict(votes.only(rest), solve(votes.only(~rest), rules))
    return found


def by_source(votes: Votes, scores: Floats) -> Iterator[tuple[str, float]]:
    """AUROC of each source with enough rows of both answers."""
    for source in votes.balanced_sources():
        rows = votes.sources == source
        yield source, auroc(list(scores[rows]), list(votes.truth[rows]))


def unseen(votes: Votes, rules: Rules) -> float:
    """Mean AUROC of natural sources, each by a fit that never saw it: what a set from elsewhere may expect."""
    found = []
    for source in votes.balanced_sources():
        if source in votes.natural:
            own = votes.sources == source
            left = votes.only(own)
            found.append(auroc(list(predict(left, solve(votes.only(~own), rules))), list(left.truth)))
    return float(np.mean(found)) if found else float("nan")


def choose_pulls(votes: Votes, rules: Rules, sets: Sequence[Sequence[str]], log: Callable[[str], None]) -> Rules:
    """How far sets of votes are let off their pull: the freest of those within .001 of the best on unseen sources."""
    best, best_value = rules, float("-inf")
    for pulls in product(*([PULLS] * len(sets))):
        tried = replace(rules, pulls={**rules.pulls, **{name: pull for names, pull in zip(sets, pulls, strict=True) for name in names}})
        value = unseen(votes, tried)
        if value > best_value + 0.001:
            best, best_value = tried, value
    log(f"pulls {dict(best.pulls)}; unseen sources {best_value:.4f}")
    return best


def ece(scores: Floats, truth: npt.NDArray[np.bool_], weights: Floats) -> float:
    """Expected calibration error in ten equal bins (Naeini et al. 2015), rows weighted."""
    bins = np.minimum((scores * 10).astype(int), 9)
    total = 0.0
    for number in range(10):
        rows = bins == number
        if weights[rows].sum() > 0:
            total += (
                abs(np.average(scores[rows], weights=weights[rows]) - np.average(truth[rows], weights=weights[rows])) * weights[rows].sum()
            )
    return total / float(weights.sum())


def recall_at(scores: Floats, truth: npt.NDArray[np.bool_], rate: float) -> float:
    """Recall at the threshold that at most this share of the negatives exceeds."""
    negatives = np.sort(scores[~truth])[::-1]
    limit = negatives[int(rate * len(negatives))]
    return float((scores[truth] > limit).mean())


def weighted_f1(passed: npt.NDArray[np.bool_], truth: npt.NDArray[np.bool_], weights: Floats) -> float:
    """F1 with weighted rows."""
    hit, wrong, missed = (weights[rows].sum() for rows in (passed & truth, passed & ~truth, ~passed & truth))
    return float(2 * hit / max(2 * hit + wrong + missed, 1e-12))


def grid() -> Floats:
    """The thresholds that are tried."""
    return np.round(np.arange(0.05, 0.96, 0.01), 2)


def best_balance(scores: Floats, truth: npt.NDArray[np.bool_], weights: Floats) -> float:
    """The threshold with the best mean of both recalls; of those that are nearly as good, the one closest to .5."""
    positive, negative = weights * truth, weights * ~truth
    values = np.array([((scores > t) @ positive) / positive.sum() + ((scores <= t) @ negative) / negative.sum() for t in grid()]) / 2
    return _closest(values, 0.5)


def best_f1(scores: Floats, truth: npt.NDArray[np.bool_], weights: Floats) -> float:
    """The threshold with the best F1; of those that are nearly as good, the one closest to .5."""
    return _closest(np.array([weighted_f1(scores > t, truth, weights) for t in grid()]), 0.5)


def lowest_with(found: Votes, scores: Floats, rate: float) -> float:
    """The lowest threshold that lets at most this share of the negatives through, each source that has some weighing the same."""
    innocent = found.only(~found.truth)
    weights = np.array([1 / (innocent.sources == source).sum() for source in innocent.sources])
    passing = scores[~found.truth]
    return next((float(t) for t in grid() if ((passing > t) @ weights) / weights.sum() <= rate), 0.95)


def _closest(values: Floats, wanted: float) -> float:
    near = grid()[values >= values.max() - NEARLY]
    return float(near[np.argmin(abs(near - wanted))])


def uncertain_band(scores: Floats, truth: npt.NDArray[np.bool_], weights: Floats, threshold: float) -> tuple[float, float]:
    """The widest band around a threshold in which fewer than two in three rows are decided rightly.

    At most .12 each way, and never more than half of the way to 0 or 1: a threshold of .95 leaves room for sure answers above it.
    """
    right = (scores > threshold) == truth
    most = min(0.12, threshold / 2, (1 - threshold) / 2)
    width = min(0.03, most)
    for tried in np.arange(0.04, most + 1e-9, 0.01):
        rows = abs(scores - threshold) <= tried
        if weights[rows].sum() > 0 and np.average(right[rows], weights=weights[rows]) < 2 / 3:
            width = float(tried)
    return round(max(0.0, threshold - width), 2), round(min(1.0, threshold + width), 2)
