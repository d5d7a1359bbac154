"""Support, contradict or neutral for a claim and a passage, by the same network as the embedded judge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from guard_desk.models.judges import judge_windows
from guard_desk.models.judges.calibration import Calibration, load_calibration
from guard_desk.models.judges.judge_windows import JudgeWindow, readable
from guard_desk.models.judges.network import JudgeNetwork, judge_folder, load_network
from guard_desk.models.judges.pair_reader import PairReader
from guard_desk.progress import RunContext
from guard_desk.records.evidence import ModelInfo

Floats = npt.NDArray[np.float32]

NAME = "embedded"
SUPPORT, CONTRADICT, NEUTRAL = 0, 1, 2
TOGETHER = 64


class EmbeddedClaimJudge:
    """Stances of passages towards claims.

    :param network: with the weights that `numbers` were fitted for.
    :param numbers: temperature and abstain band.
    """

    def __init__(self, network: JudgeNetwork, numbers: Calibration) -> None:
        self._reader = PairReader(network)
        self._numbers = numbers
        self._info = ModelInfo(
            name=NAME,
            revision=f"{network.description.weights[:8]}{numbers.digest[:8]}-{judge_windows.VERSION}-{network.precision}",
            weights=network.description.weights,
            device=network.device,
            detail=f"The claim head of the embedded judge's network. {network.choice}",
        )

    @property
    def info(self) -> ModelInfo:
        """Name, and a revision of weights, temperature and precision."""
        return self._info

    @property
    def least_certain(self) -> float:
        """Below this probability the likeliest stance is better not acted on: it is right less than three times in four."""
        return self._numbers.least_certain

    def stances(self, claims: Sequence[str], passages: Sequence[str], ctx: RunContext) -> Floats:
        """Probabilities of support, contradict, neutral: float32 (n, 3).

        Over the parts of a long passage, support and contradiction are those of the parts that say them most clearly. Texts in a script
        that the network does not read are neutral.

        :raises Cancelled: between passes through the network.
        """
        found = np.zeros((len(claims), 3), dtype=np.float32)
        found[:, NEUTRAL] = 1.0
        for start in range(0, len(claims), TOGETHER):
            part = range(start, min(start + TOGETHER, len(claims)))
            ctx.report("claims", start, len(claims), unit="claims")
            cut = [self._windows(claims[index], passages[index]) for index in part]
            logits = self._reader.logits([window for windows in cut for window in windows], ctx)["claim"]
            place = 0
            for index, windows in zip(part, cut, strict=True):
                if windows:
                    found[index] = joined(probabilities(logits[place : place + len(windows)], self._numbers.temperature))
                place += len(windows)
        ctx.report("claims", len(claims), len(claims), unit="claims")
        return found

    def _windows(self, claim: str, passage: str) -> list[JudgeWindow]:
        return self._reader.cutter.pairs(claim, None, passage) if readable(claim) and readable(passage) else []


def probabilities(logits: Floats, temperature: float) -> Floats:
    """Softmax of (n, 3) logits divided by the temperature."""
    scaled = np.asarray(logits, dtype=np.float64) / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def joined(windows: Floats) -> Floats:
    """One stance of the windows' (n, 3): clearest support, clearest contradiction; the clearer one keeps its share, support where equal."""
    support, contradict = float(windows[:, SUPPORT].max()), float(windows[:, CONTRADICT].max())
    if support >= contradict:
        contradict = min(contradict, 1.0 - support)
    else:
        support = min(support, 1.0 - contradict)
    return np.array([support, contradict, max(0.0, 1.0 - support - contradict)], dtype=np.float32)


@cache
def load_claim_judge(device: str = "auto") -> EmbeddedClaimJudge:
    """The shipped one, once a process and device; shares the network with the judge.

    :raises MissingModelError: when the installation lacks its weights.
    """
    network = load_network(device)
    return EmbeddedClaimJudge(network, load_calibration(judge_folder(), network.description.weights))
