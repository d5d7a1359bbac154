"""The fitted numbers by which the rules and a claim judge decide together, from `resources/judge/verify.toml`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from guard_desk import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimNumbers:
    """All fitted numbers.

    :param weights: sha256 of the claim judge's weights that they were fitted for; with others the rules stand alone.
    :param unsupported: coefficients of a logistic regression by the names of the values, and its bias.
    :param report: from this probability of being unsupported on, a claim is a finding.
    :param accept: up to this probability it counts as supported; between the two nothing is said.
    :param contradicted: from this probability of contradiction on, a finding says "contradicted" and not "unsupported".
    :param overrule: from this probability of contradiction on, a claim that the rules find supported in all its parts is a finding.
    """

    weights: str
    unsupported: Mapping[str, float]
    bias: float
    report: float
    accept: float
    contradicted: float
    overrule: float

    def probability(self, values: Mapping[str, float]) -> float:
        """The probability that a claim is not supported."""
        total = self.bias + sum(weight * values[name] for name, weight in self.unsupported.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def claim_numbers() -> ClaimNumbers | None:
    """The shipped numbers; None where none were fitted."""
    file = resources.path("judge", "verify.toml")
    return read_numbers(file) if file.is_file() else None


@cache
def read_numbers(file: Path) -> ClaimNumbers:
    """The numbers of a file that `packaging/judge/fit_verify.py` wrote."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    coefficients = {name: float(value) for name, value in data["unsupported"].items() if name != "bias"}
    return ClaimNumbers(
        weights=data["made_from"]["weights_sha256"],
        unsupported=coefficients,
        bias=float(data["unsupported"]["bias"]),
        **{name: float(data["limits"][name]) for name in ("report", "accept", "contradicted", "overrule")},
    )


def log_odds(probability: float) -> float:
    """log(p / (1 - p)), p held within 0.001 and 0.999."""
    held = min(0.999, max(0.001, probability))
    return math.log(held / (1 - held))


def highest(values: Sequence[float]) -> int:
    """Position of the highest value, the first one of equals."""
    return max(range(len(values)), key=lambda position: (values[position], -position))
