"""Shares with intervals, of questions and of things that hang together by question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from guard_desk.measure.metrics import Figure, bootstrap, proportion


def share(flags: Iterable[bool]) -> Figure:
    """A share of things that do not depend on each other, with its Wilson interval."""
    taken = list(flags)
    return proportion(sum(taken), len(taken))


def pooled(counts: Sequence[tuple[int, int]]) -> Figure:
    """A share of all things of all questions, with an interval over questions; n counts the things.

    :param counts: of each question, how many there are that hit and how many in all.
    """
    counted = [pair for pair in counts if pair[1]]
    hits, total = sum(hit for hit, _ in counted), sum(count for _, count in counted)
    if hits in (0, total):
        return proportion(hits, total)  # drawing again would give an interval without width
    columns = np.asarray(counted, dtype=np.float64)

    def ratio(index: npt.NDArray[np.int64]) -> float:
        drawn = columns[index].sum(axis=0)
        return float(drawn[0] / drawn[1])

    return replace(bootstrap(ratio, len(counted)), n=total)


def clustered(flags: Iterable[tuple[str, bool]]) -> Figure:
    """A share of things with an interval over their clusters.

    :param flags: cluster and hit.
    """
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for cluster, hit in flags:
        counts[cluster][0] += hit
        counts[cluster][1] += 1
    return pooled([(hit, count) for hit, count in counts.values()])
