"""Rankers over vectors: of an encoder, or the caller's own."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from guard_desk.errors import InputError
from guard_desk.models.passage_vectors import PassageVectors
from guard_desk.progress import RunContext
from guard_desk.protocols import Encoder, VectorStore
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Floats, Indices, ModelInfo


def clipped(cosines: npt.NDArray[np.floating]) -> Floats:
    """Cosines within -1..1, float32: rounding can carry a product past 1."""
    return np.asarray(np.clip(cosines, -1, 1), dtype=np.float32)


def pair_cosines(vectors: Floats) -> Floats:
    """Cosines between unit vectors, float32 (m, m): symmetric, within -1..1, 1 on the diagonal."""
    products = vectors @ vectors.T
    pairs = clipped((products + products.T) / 2)
    np.fill_diagonal(pairs, 1)
    return pairs


class VectorRanker(ABC):
    """Ranks by cosine of vectors that are at hand; base of the dense rankers."""

    def __init__(self) -> None:
        self._passages: Sequence[Passage] | None = None
        self._matrix: Floats = np.empty((0, 0), dtype=np.float32)
        self._lock = threading.Lock()

    def scores(self, query: Query, ctx: RunContext) -> Floats:
        """Cosine with every indexed passage, float32 (n,)."""
        ctx.check()
        if not len(self._matrix):
            return np.empty(0, dtype=np.float32)
        return clipped(self._matrix @ self._query_vector(query))

    def similarities(self, query: Query, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine with these passages, float32 (m,)."""
        ctx.check()
        if not len(positions):
            return np.empty(0, dtype=np.float32)
        return clipped(self._matrix[positions] @ self._query_vector(query))

    def pair_similarities(self, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine between these passages, float32 (m, m)."""
        ctx.check()
        return pair_cosines(self._matrix[positions])

    @abstractmethod
    def _query_vector(self, query: Query, /) -> Floats:
        """The question as a unit vector, float32 (d,)."""


class DenseRanker(VectorRanker):
    """Ranks by cosine of an encoder's vectors.

    :param store: where vectors are kept across runs; None keeps them in memory.
    """

    def __init__(self, encoder: Encoder, store: VectorStore | None = None) -> None:
        super().__init__()
        self.vectors = PassageVectors(encoder, store)

    @property
    def info(self) -> ModelInfo:
        """The encoder's."""
        return self.vectors.encoder.info

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        """Have a vector of each passage at hand; a second call with the same ones is free."""
        with self._lock:
            if passages is not self._passages:
                self._matrix = self.vectors.passages(passages, ctx)
                self._passages = passages

    def _query_vector(self, query: Query, /) -> Floats:
        return self.vectors.query(query)


class GivenRanker(VectorRanker):
    """Ranks by cosine of the caller's own vectors.

    :param vectors: finite numbers (n, d), one row a passage in corpus order; need not be unit.
    :param query_vector: finite numbers (d,).
    :raises InputError: when a shape or a number cannot be used.
    """

    def __init__(self, vectors: npt.ArrayLike, query_vector: npt.ArrayLike) -> None:
        super().__init__()
        self._matrix = _checked(vectors, "vectors", 2)
        self._query = _checked(query_vector, "query_vector", 1)
        if self._matrix.shape[1] != self._query.shape[0]:
            raise InputError(
                f"vectors have {self._matrix.shape[1]} numbers, query_vector has {self._query.shape[0]}.",
                remedy="Use one encoder for both.",
            )

    @property
    def info(self) -> ModelInfo:
        """No model: the vectors decide."""
        return ModelInfo(name="vectors", revision=f"d{len(self._query)}", detail="Vectors that the caller gave.")

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        """:raises InputError: when there is not one vector for each passage."""
        ctx.check()
        if len(passages) != len(self._matrix):
            raise InputError(
                f"{len(self._matrix)} vectors came with {len(passages)} passages.", remedy="Give one vector for each passage, in order."
            )

    def _query_vector(self, _: Query, /) -> Floats:
        return self._query


def _checked(values: npt.ArrayLike, name: str, dimensions: int) -> Floats:
    """Unit rows in float32, of the caller's numbers."""
    try:
        with np.errstate(over="ignore"):  # becomes infinite, which is refused below
            array = np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError) as exc:
        raise InputError(f"{name} cannot be read as numbers: {exc}.", remedy="Give a numpy array of float32.") from exc
    if array.ndim != dimensions or not array.size:
        shape = "(passages, dimension)" if dimensions == 2 else "(dimension,)"
        raise InputError(f"{name} has the shape {array.shape}.", remedy=f"Its shape must be {shape}.")
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0])
        raise InputError(f"{name} holds a number that is not finite, first at position {row}.")
    lengths = np.sqrt(np.einsum("...i,...i->...", array, array, dtype=np.float64))[..., None].astype(np.float32)
    if not (lengths > 0).all():
        raise InputError(f"{name} holds a vector of zeros, first at position {int(np.flatnonzero(lengths.ravel() == 0)[0])}.")
    return np.asarray(array / lengths, dtype=np.float32)
