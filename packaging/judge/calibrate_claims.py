"""The claim head's temperature, and from which probability on its stance is worth acting on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from calibrate_fit import Floats, ece
from calibrate_rows import ClaimExample
from rows import CONTRADICT, NEUTRAL, NOT_SUPPORTED, SUPPORT
from scipy.optimize import minimize_scalar

from guard_desk.measure.metrics import Figure, auroc_figure

# From the abstain limit on, the likeliest stance is right in this share of the cases.
RIGHT = 0.8
LEAST = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Stances:
    """What was fitted and how it does.

    :param numbers: temperature and least_certain.
    :param sources: name, rows, accuracy, AUROC of support and of contradiction; None where one class is missing.
    :param decided: share of rows at or above the abstain limit; `right`: the share of them that is right.
    """

    numbers: dict[str, float]
    sources: tuple[tuple[str, int, float, Figure | None, Figure | None], ...]
    ece: float
    decided: float
    right: float


def fit(examples: Sequence[ClaimExample]) -> Stances:
    """Temperature by likelihood with sources weighed equally, then the limit."""
    known = [example for example in examples if example.row.claim != NOT_SUPPORTED]
    logits = np.array([example.logits for example in known], dtype=np.float64)
    truth = np.array([example.row.claim for example in known])
    sources = np.array([example.source for example in known])
    weights = np.array([1 / (sources == source).sum() for source in sources])
    weights /= weights.sum()
    temperature = float(minimize_scalar(lambda t: _loss(logits, truth, weights, t), bounds=(0.3, 5.0), method="bounded").x)
    chances = np.exp(_log_chances(logits, temperature))
    sure, right = chances.max(axis=1), chances.argmax(axis=1) == truth
    limit = _limit(sure, right, weights)
    acted = sure >= limit
    return Stances(
        numbers={"temperature": temperature, "least_certain": limit},
        sources=tuple(_source(name, examples, temperature) for name in sorted({example.source for example in examples})),
        ece=ece(sure, right, weights),
        decided=float(weights[acted].sum()),
        right=float(np.average(right[acted], weights=weights[acted])) if acted.any() else float("nan"),
    )


def _log_chances(logits: Floats, temperature: float) -> Floats:
    scaled = logits / temperature
    top = scaled.max(axis=1, keepdims=True)
    found: Floats = scaled - top - np.log(np.exp(scaled - top).sum(axis=1, keepdims=True))
    return found


def _loss(logits: Floats, truth: npt.NDArray[np.int64], weights: Floats, temperature: float) -> float:
    return float(-(weights * _log_chances(logits, temperature)[np.arange(len(truth)), truth]).sum())


def _limit(sure: Floats, right: npt.NDArray[np.bool_], weights: Floats) -> float:
    """The lowest probability from which on `RIGHT` of the rows are right."""
    for limit in np.arange(0.34, 0.96, 0.01):
        acted = sure >= limit
        if acted.any() and np.average(right[acted], weights=weights[acted]) >= RIGHT:
            return round(float(limit), 2)
    return 0.95


def _source(name: str, examples: Sequence[ClaimExample], temperature: float) -> tuple[str, int, float, Figure | None, Figure | None]:
    own = [example for example in examples if example.source == name]
    chances = np.exp(_log_chances(np.array([example.logits for example in own], dtype=np.float64), temperature))
    truth = [example.row.claim for example in own]
    right = [
        (answer == label) if label != NOT_SUPPORTED else answer != SUPPORT
        for answer, label in zip(chances.argmax(axis=1), truth, strict=True)
    ]
    support = _figure(chances[:, SUPPORT], [label == SUPPORT for label in truth])
    certain = [index for index, label in enumerate(truth) if label in (SUPPORT, CONTRADICT, NEUTRAL)]
    contradict = _figure(chances[certain, CONTRADICT], [truth[index] == CONTRADICT for index in certain])
    return name, len(own), float(np.mean(right)), support, contradict


def _figure(scores: Floats, truth: list[bool]) -> Figure | None:
    return auroc_figure(list(scores), truth, rounds=200) if min(sum(truth), len(truth) - sum(truth)) >= LEAST else None
