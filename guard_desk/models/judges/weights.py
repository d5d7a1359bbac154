"""The fitted numbers of the judge "features", from `resources/judge/features.toml`."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from guard_desk import lang, resources
from guard_desk.policy import Thresholds
from guard_desk.text import injection

FILE = ("judge", "features.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """A logistic regression: probability = 1 / (1 + exp(-(bias + sum of weight * value)))."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    bias: float

    def probability(self, values: Sequence[float]) -> float:
        """The answer for a pair's values, aligned with `names`."""
        total = self.bias + sum(weight * value for weight, value in zip(self.weights, values, strict=True))
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureWeights:
    """All fitted numbers.

    :param relevance, evidence: one regression for each script ("en", "latin", "other").
    :param gate: below this relevance a passage contradicts nothing and states nothing of the subject.
    :param uncertain: half width of the uncertain band around a threshold.
    """

    relevance: Mapping[str, Logistic]
    evidence: Mapping[str, Logistic]
    contradiction: Logistic
    thresholds: Thresholds
    gate: float
    uncertain: float


@cache
def load_weights() -> FeatureWeights:
    """The shipped weights."""
    with resources.path(*FILE).open("rb") as stream:
        data = tomllib.load(stream)
    return FeatureWeights(
        relevance={script: _logistic(entry) for script, entry in data["relevance"].items()},
        evidence={script: _logistic(entry) for script, entry in data["evidence"].items()},
        contradiction=_logistic(data["contradiction"]),
        thresholds=Thresholds(**data["thresholds"]),
        gate=data["gate"]["relevance"],
        uncertain=data["gate"]["uncertain"],
    )


@cache
def weights_digest() -> str:
    """sha256 of everything that these answers depend on beside the code: weights and language data."""
    total = hashlib.sha256(resources.path(*FILE).read_bytes())
    total.update(resources.path("premises.toml").read_bytes())
    total.update(resources.path("units.toml").read_bytes())
    total.update(injection.digest().encode())
    total.update(lang.digest().encode())
    return total.hexdigest()


def _logistic(entry: Mapping[str, Any]) -> Logistic:
    weights = {name: float(value) for name, value in entry.items() if name != "bias"}
    return Logistic(names=tuple(weights), weights=tuple(weights.values()), bias=float(entry["bias"]))
