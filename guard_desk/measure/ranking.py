"""How well a ranking finds what is relevant; relevance is yes or no."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence


def ndcg_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain of the first `k` (Järvelin and Kekäläinen 2002, doi 10.1145/582415.582418).

    :param ranked: ids, best first, none twice.
    :returns: 0..1; NaN when nothing is relevant.
    """
    if not relevant:
        return math.nan
    gain = sum(1 / math.log2(place + 2) for place, found in enumerate(ranked[:k]) if found in relevant)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(k, len(relevant))))


def recall_of(found: Collection[str], relevant: Collection[str]) -> float:
    """Share of what is relevant that was found; NaN when nothing is relevant."""
    return len(set(found) & set(relevant)) / len(set(relevant)) if relevant else math.nan
