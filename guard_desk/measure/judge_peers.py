"""What others reach on the same questions: their published figures, and a detector that is run on the same rows."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from guard_desk import resources
from guard_desk.measure.judge_kept import KeptScores
from guard_desk.models.peers import NANOGUARD, NanoGuard, nanoguard_version
from guard_desk.progress import RunContext

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A figure that others published.

    :param metric: what `value` is, in words.
    :param origin: where it was read.
    :param note: what differs from our rows.
    """

    question: str
    source: str
    peer: str
    metric: str
    value: float
    origin: str
    note: str


@cache
def published() -> tuple[Published, ...]:
    """Those of `resources/bench/judge_peers.toml`."""
    with resources.path("bench", "judge_peers.toml").open("rb") as stream:
        entries = tomllib.load(stream)["figure"]
    return tuple(Published(origin=entry["from"], **{key: value for key, value in entry.items() if key != "from"}) for entry in entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerScores:
    """A peer's scores of some texts.

    :param name: package and version.
    :param scores: (n,), aligned with the texts.
    :param threshold: above or at it the peer says injection.
    """

    name: str
    scores: Floats
    threshold: float


def nanoguard(texts: Sequence[str], folder: Path, ctx: RunContext) -> PeerScores | None:
    """NanoGuard's scores of some texts; None when it is not installed.

    :param folder: where scores are kept across runs, so that a second bench is quick.
    :raises Cancelled: between texts; finished scores are kept.
    """
    version = nanoguard_version()
    if not version:
        return None
    kept = KeptScores(folder / f"{NANOGUARD}-{version}.jsonl")
    waiting = sorted(dict.fromkeys(text for text in texts if (text,) not in kept), key=len)
    model = NanoGuard()
    for text, score in ctx.track(zip(waiting, model.scores(waiting), strict=True), "nanoguard", len(waiting), unit="texts"):
        kept.add((text,), [score])
    return PeerScores(name=f"{NANOGUARD} {version}", scores=np.array([kept.get((text,))[0] for text in texts]), threshold=model.threshold)
