"""Which pairs of many texts are near: by blocks of matrix products, so that 10,000 texts take megabytes and not their full matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from guard_desk.progress import RunContext
from guard_desk.text.guards.similarity import bigrams

Floats = npt.NDArray[np.float32]
Near = tuple[int, int, float]

# Rows of a block; a block of 512 rows and 10,000 columns takes 20 MB.
_ROWS = 512
# Similarities are rounded as those of a pool are, so that a floor cuts both alike.
DIGITS = 6


def near_by_vectors(vectors: Floats, floor: float, ctx: RunContext) -> Iterator[Near]:
    """Pairs with a cosine of at least `floor`, the first position smaller than the second.

    :param vectors: unit vectors, float32 (n, d).
    :raises Cancelled: between blocks.
    """
    lowest = np.float32(floor - 10.0**-DIGITS)
    for start in range(0, len(vectors), _ROWS):
        ctx.check()
        block = vectors[start : start + _ROWS] @ vectors[start:].T
        firsts, seconds = np.nonzero(block >= lowest)
        above = seconds > firsts
        firsts, seconds = firsts[above], seconds[above]
        similarities = np.minimum(block[firsts, seconds].astype(np.float64), 1.0).round(DIGITS)
        for i, j, similarity in zip((firsts + start).tolist(), (seconds + start).tolist(), similarities.tolist(), strict=True):
            if similarity >= floor:
                yield i, j, similarity


def near_by_letters(texts: Sequence[str], positions: Sequence[int], floor: float, ctx: RunContext) -> Iterator[Near]:
    """Pairs of these positions whose character pairs overlap by at least `floor` (`similarity.bigram_similarity`).

    Two texts can be that near only when they share one of the rarest pairs of either, so most are never compared.

    :param floor: above 0.
    :raises Cancelled: between texts.
    """
    counts = {position: bigrams(texts[position]) for position in positions}
    frequency: dict[str, int] = {}
    for found in counts.values():
        for pair in found:
            frequency[pair] = frequency.get(pair, 0) + 1
    waiting: dict[str, list[int]] = {}
    for position in sorted(positions):
        ctx.check()
        mine = counts[position]
        total = mine.total()
        rare = sorted(mine, key=lambda pair: (frequency[pair], pair))
        for other in sorted({other for pair in _prefix(rare, mine, floor) for other in waiting.get(pair, ())}):
            shared = sum(min(count, counts[other][pair]) for pair, count in mine.items() if pair in counts[other])
            similarity = 2 * shared / (total + counts[other].total())
            if similarity >= floor:
                yield other, position, similarity
        for pair in _prefix(rare, mine, floor):
            waiting.setdefault(pair, []).append(position)


def _prefix(rare: Sequence[str], counts: dict[str, int], floor: float) -> list[str]:
    """The rarest character pairs of a text, so many that a text without any of them cannot be near enough.

    Near ones share at least floor / (2 - floor) of this text's pairs, since 2s / (a + b) >= f and s <= b give s >= f a / (2 - f); and what
    is shared lies outside the first (1 - that) of either, taken in one order, only when less than that is shared.
    """
    total = sum(counts.values())
    allowed = total - floor / (2 - floor) * total
    taken, size = [], 0
    for pair in rare:
        taken.append(pair)
        size += counts[pair]
        if size > allowed:
            break
    return taken
