"""BM25 over words, with the dense encoder's cosines for the pool only."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from guard_desk import lang
from guard_desk.models.passage_vectors import PassageVectors
from guard_desk.models.rankers import clipped, pair_cosines
from guard_desk.models.sentence_transformer import passage_text
from guard_desk.models.terms import VERSION, corpus_language, sample, terms
from guard_desk.progress import RunContext
from guard_desk.protocols import Encoder, VectorStore
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Floats, Indices, ModelInfo

# Lucene's starting values, which bm25s uses as well.
K1 = 1.5
B = 0.75


class Bm25Index:
    """Scores of passages for a query by the words they share."""

    def __init__(self) -> None:
        self._passages: Sequence[Passage] | None = None
        self._index: Any = None
        self._vocabulary: dict[str, int] = {}
        self._language = ""
        self._lock = threading.Lock()

    @property
    def revision(self) -> str:
        """Changes with the tokenizer, the language files and the formula's numbers."""
        return hashlib.sha256(f"{VERSION}:{K1}:{B}:{lang.digest()}".encode()).hexdigest()[:16]

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        """Count the words of these passages; a second call with the same ones is free."""
        with self._lock:
            if passages is not self._passages:
                self._build(passages, ctx)
                self._passages = passages

    def scores(self, query: Query) -> Floats:
        """BM25 of every passage, float32 (n,); 0 where no word is shared."""
        ids = [self._vocabulary[term] for term in terms(query.text, self._language) if term in self._vocabulary]
        if self._index is None or not ids:
            return np.zeros(len(self._passages or ()), dtype=np.float32)
        return np.asarray(self._index.get_scores_from_ids(ids), dtype=np.float32)

    def _build(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        self._language = corpus_language([passage.text for passage in sample(passages)])
        vocabulary: dict[str, int] = {}
        documents = []
        for number, passage in enumerate(passages):
            if number % 512 == 0:
                ctx.report("index words", number, len(passages), unit="passages")
            documents.append([vocabulary.setdefault(term, len(vocabulary)) for term in terms(passage_text(passage), self._language)])
        self._vocabulary = vocabulary
        self._index = _bm25(documents, vocabulary) if vocabulary else None
        ctx.report("index words", len(passages), len(passages), unit="passages")


class Bm25Ranker:
    """Ranks by BM25; similarities come from the dense encoder, which reads the pool only."""

    def __init__(self, encoder: Encoder, store: VectorStore | None = None) -> None:
        self._bm25 = Bm25Index()
        self._vectors = PassageVectors(encoder, store)
        self._passages: Sequence[Passage] = ()

    @property
    def info(self) -> ModelInfo:
        """BM25, with the encoder's weights and device."""
        encoder = self._vectors.encoder.info
        return ModelInfo(
            name="bm25",
            revision=f"{self._bm25.revision}+{encoder.revision}",
            weights=encoder.weights,
            device=encoder.device,
            detail=f"BM25 over stemmed words and Chinese character bigrams ranks; similarities are those of {encoder.name}.",
        )

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        """Count the words of these passages."""
        self._bm25.index(passages, ctx)
        self._passages = passages

    def scores(self, query: Query, ctx: RunContext) -> Floats:
        """BM25 of every passage, float32 (n,)."""
        ctx.check()
        return self._bm25.scores(query)

    def similarities(self, query: Query, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine of the dense encoder, float32 (m,)."""
        if not len(positions):
            return np.empty(0, dtype=np.float32)
        return clipped(self._pool(positions, ctx) @ self._vectors.query(query))

    def pair_similarities(self, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine of the dense encoder between these passages, float32 (m, m)."""
        return pair_cosines(self._pool(positions, ctx))

    def _pool(self, positions: Indices, ctx: RunContext) -> Floats:
        return self._vectors.passages([self._passages[position] for position in positions], ctx)


def _bm25(documents: list[list[int]], vocabulary: dict[str, int]) -> Any:
    import bm25s

    # It sets its own logger to DEBUG and tells of every index, whatever the root's level is.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    index = bm25s.BM25(k1=K1, b=B)
    index.index((documents, vocabulary), show_progress=False, create_empty_token=False)
    return index
