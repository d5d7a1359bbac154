"""semhash, the peer that de-duplication is measured against: on vectors that are given to it, at thresholds that are chosen outside.

It removes equal strings, puts the vectors into an approximate index and keeps, in the texts' order, what no kept one is similar to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Homes = npt.NDArray[np.int64]


def semhash_version() -> str:
    """The installed version; "" when it is not installed."""
    try:
        return version("semhash")
    except PackageNotFoundError:
        return ""


class SemHashGroups:
    """A corpus in semhash's index.

    :param texts: equal strings are one text to it.
    :param vectors: aligned with `texts`, float32 (n, d).
    """

    def __init__(self, texts: Sequence[str], vectors: Floats) -> None:
        from semhash import SemHash

        self._texts = texts
        self._index: Any = SemHash.from_embeddings(vectors, list(texts), _Given(texts, vectors))

    def homes(self, threshold: float) -> Homes:
        """For each text the position of the text that stands for it: its own where it was kept."""
        return self._homes(self._index.self_deduplicate(threshold))

    def all_homes(self, thresholds: Sequence[float]) -> Iterator[Homes]:
        """The same for several thresholds, ascending; the index is asked once, at the lowest."""
        result = self._index.self_deduplicate(thresholds[0])
        yield self._homes(result)
        for threshold in thresholds[1:]:
            result.rethreshold(threshold)
            yield self._homes(result)

    def _homes(self, result: Any) -> Homes:
        place = {text: position for position, text in reversed(list(enumerate(self._texts)))}
        stands_for = {text: text for text in result.selected}
        stands_for.update({found.record: found.duplicate_of for found in result.filtered if found.record not in stands_for})
        return np.array([place[stands_for[text]] for text in self._texts], dtype=np.int64)


class _Given:
    """The encoder that semhash asks for: it returns the vectors that are there."""

    def __init__(self, texts: Sequence[str], vectors: Floats) -> None:
        self._vectors = dict(zip(texts, vectors, strict=True))

    def encode(self, inputs: Sequence[str], **_kwargs: Any) -> Floats:
        """The vectors of these texts."""
        return np.stack([self._vectors[text] for text in inputs])
