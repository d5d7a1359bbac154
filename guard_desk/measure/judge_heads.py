"""What the embedded judge has beside its answers: the trained heads alone, and the claim judge of the same network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from guard_desk.measure.judge_answers import COLUMNS, PairPool
from guard_desk.measure.judge_kept import KeptScores
from guard_desk.models.judges import load_judge
from guard_desk.progress import RunContext
from guard_desk.protocols import ClaimJudge, Judge
from guard_desk.records.corpus import Passage, Query

Floats = npt.NDArray[np.float64]
Work = Callable[[Query, Sequence[Passage]], None]

EMBEDDED = "embedded"
NO_OPINION = 0.5
"""A head's score of a text whose script the network cannot read."""
_AT_ONCE = 32


def heads_of(model: Judge, device: str, folder: Path, ctx: RunContext) -> Callable[[PairPool], Floats] | None:
    """The heads' probabilities of each pair, (pairs, 4), without checks and calibration; None where the judge has no heads.

    :param folder: where they are kept across runs.
    """
    if model.info.name != EMBEDDED:
        return None
    from guard_desk.models.judges.network import load_network
    from guard_desk.models.judges.pair_reader import PairReader

    reader = PairReader(load_network(device))

    def read(pool: PairPool) -> Floats:
        kept = KeptScores(folder / f"heads-{model.info.revision}.jsonl")
        pairs = [(query, p.title or "", p.text) for query, p in zip(pool.queries, pool.passages, strict=True)]
        waiting = [position for position, pair in enumerate(pairs) if pair not in kept]
        for start in range(0, len(waiting), _AT_ONCE):
            part = waiting[start : start + _AT_ONCE]
            found = reader.read_pairs([pool.queries[at] for at in part], [pool.passages[at] for at in part], ctx)
            for position, reading in zip(part, found, strict=True):
                heads = [getattr(reading, question) for question in COLUMNS]
                kept.add(pairs[position], [NO_OPINION if head is None else head.probability for head in heads])
            ctx.report("heads", start + len(part), len(waiting), unit="pairs")
        return np.array([kept.get(pair) for pair in pairs], dtype=np.float64).reshape(-1, len(COLUMNS))

    return read


def claim_judge(model: Judge, device: str) -> ClaimJudge | None:
    """The claim judge that belongs to a judge; None where there is none."""
    if model.info.name != EMBEDDED:
        return None
    from guard_desk.models.judges.claims import load_claim_judge

    return load_claim_judge(device)


def legs_timed(model: Judge, device: str) -> Mapping[str, Work]:
    """The legs of a judge, each as work that can be timed alone."""
    rules = load_judge("features")

    def by_rules(query: Query, passages: Sequence[Passage]) -> None:
        for _ in rules.judge(query, passages, [0.5] * len(passages), RunContext()):
            pass

    legs: dict[str, Work] = {"rules and scanner (judge features)": by_rules}
    if model.info.name == EMBEDDED:
        legs |= _network_legs(device)
    return legs


def _network_legs(device: str) -> dict[str, Work]:
    from guard_desk.models.judges.network import load_network
    from guard_desk.models.judges.pair_reader import PairReader

    reader = PairReader(load_network(device))

    def pairs(query: Query, passages: Sequence[Passage]) -> None:
        cut = [window for p in passages for window in reader.cutter.pairs(query.text, p.title, p.text)]
        reader.logits(cut, RunContext())

    def alone(query: Query, passages: Sequence[Passage]) -> None:  # noqa: ARG001 - the form of a leg
        cut = [window for p in passages for window in reader.cutter.alone(p.title, p.text)]
        reader.logits(cut, RunContext())

    return {"network over question and passage (three heads)": pairs, "network over the passage alone (injection head)": alone}
