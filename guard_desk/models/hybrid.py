"""Words and vectors together: reciprocal rank fusion of BM25 and a dense encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from guard_desk.models.bm25 import Bm25Index
from guard_desk.models.rankers import DenseRanker
from guard_desk.progress import RunContext
from guard_desk.protocols import Encoder, VectorStore
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Floats, Indices, ModelInfo

# Cormack, Clarke and Buettcher (SIGIR 2009), "Reciprocal Rank Fusion outperforms Condorcet ...": k = 60.
K = 60


def reciprocal_ranks(scores: Floats, *, only_above: float = -np.inf) -> Floats:
    """1 / (K + rank) of each score; equal scores share the better rank, scores up to `only_above` give 0."""
    if not len(scores):
        return np.zeros(0, dtype=np.float32)
    ordered = np.sort(-scores)
    ranks = np.searchsorted(ordered, -scores, side="left") + 1
    return np.where(scores > only_above, 1 / (K + ranks), 0).astype(np.float32)


class HybridRanker:
    """Ranks by reciprocal rank fusion; similarities are the dense encoder's.

    :param reason: one sentence for people: why this ranker was chosen instead of what they asked for; "" when they asked for it.
    """

    def __init__(self, encoder: Encoder, store: VectorStore | None = None, *, reason: str = "") -> None:
        self._bm25 = Bm25Index()
        self._dense = DenseRanker(encoder, store)
        self._reason = reason

    @property
    def info(self) -> ModelInfo:
        """Both parts, with the encoder's weights and device."""
        encoder = self._dense.info
        detail = f"Reciprocal rank fusion (k = {K}) of {encoder.name} and BM25; similarities are those of {encoder.name}."
        return ModelInfo(
            name="hybrid",
            revision=f"{self._bm25.revision}+{encoder.revision}",
            weights=encoder.weights,
            device=encoder.device,
            detail=f"{self._reason} {detail}".strip(),
        )

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        """Count the words and have the vectors of these passages."""
        self._bm25.index(passages, ctx)
        self._dense.index(passages, ctx)

    def scores(self, query: Query, ctx: RunContext) -> Floats:
        """Fused score of every passage, float32 (n,), above 0; a passage that shares no word gets nothing from BM25."""
        return reciprocal_ranks(self._dense.scores(query, ctx)) + reciprocal_ranks(self._bm25.scores(query), only_above=0)

    def similarities(self, query: Query, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine of the dense encoder, float32 (m,)."""
        return self._dense.similarities(query, positions, ctx)

    def pair_similarities(self, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine of the dense encoder between these passages, float32 (m, m)."""
        return self._dense.pair_similarities(positions, ctx)
