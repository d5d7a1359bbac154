"""The fitted numbers of the embedded judge, from `resources/judge/embedded.toml`; `packaging/judge/calibrate.py` writes them."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from guard_desk.errors import MissingModelError, ModelError, ModelHashError
from guard_desk.models.judges.weights import Logistic
from guard_desk.policy import Thresholds
from guard_desk.records.evidence import Question

FILE = "embedded.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How the votes are weighed.

    :param weights: sha256 of the network's weights that the numbers are for.
    :param relevant, evidence: by language: "en" and "latin".
    :param contradicts_head: the head alone, the most that it may say where no check found anything.
    :param contradicts_rules: the checks alone: what they may say against the head.
    :param uncertain: by question, the answers from and to which the judge is undecided.
    :param temperature: what the logits of the claim head are divided by.
    :param least_certain: below this, the likeliest stance of a claim is right less than three times in four.
    :param digest: sha256 of the file.
    """

    weights: str
    relevant: Mapping[str, Logistic]
    evidence: Mapping[str, Logistic]
    contradicts: Logistic
    contradicts_head: Logistic
    contradicts_rules: Logistic
    injection: Logistic
    thresholds: Thresholds
    uncertain: Mapping[Question, tuple[float, float]]
    temperature: float
    least_certain: float
    digest: str


@cache
def load_calibration(folder: Path, weights: str) -> Calibration:
    """The numbers that belong to these weights.

    :raises MissingModelError: when there are none.
    :raises ModelHashError: when they are for other weights.
    :raises ModelError: when they cannot be read.
    """
    path = folder / FILE
    if not path.is_file():
        raise MissingModelError("embedded", command="pip install --force-reinstall guard-desk", detail=f"{path} is missing")
    raw = path.read_bytes()
    try:
        found = _calibration(tomllib.loads(raw.decode("utf-8")), hashlib.sha256(raw).hexdigest())
    except (ValueError, KeyError, TypeError) as exc:
        raise ModelError(f"{path} holds no calibration: {type(exc).__name__}: {exc}") from exc
    if found.weights != weights:
        raise ModelHashError(f"{path} is for the weights {found.weights[:12]}, not for {weights[:12]}. Run packaging/judge/calibrate.py.")
    return found


def _calibration(data: Mapping[str, Any], digest: str) -> Calibration:
    return Calibration(
        weights=data["made_from"]["weights_sha256"],
        relevant={language: logistic(entry) for language, entry in data["relevant"].items()},
        evidence={language: logistic(entry) for language, entry in data["evidence"].items()},
        contradicts=logistic(data["contradicts"]),
        contradicts_head=logistic(data["contradicts_head"]),
        contradicts_rules=logistic(data["contradicts_rules"]),
        injection=logistic(data["injection"]),
        thresholds=Thresholds(**data["thresholds"]),
        uncertain={question: (float(data["uncertain"][question][0]), float(data["uncertain"][question][1])) for question in Question},
        temperature=float(data["claim"]["temperature"]),
        least_certain=float(data["claim"]["least_certain"]),
        digest=digest,
    )


def logistic(entry: Mapping[str, Any]) -> Logistic:
    """A regression from a table of weights with a bias."""
    weights = {name: float(value) for name, value in entry.items() if name != "bias"}
    return Logistic(names=tuple(weights), weights=tuple(weights.values()), bias=float(entry["bias"]))
