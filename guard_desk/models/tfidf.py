"""TF-IDF over words and characters: no model, any language, exact and explainable."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from guard_desk import lang
from guard_desk.models.sentence_transformer import passage_text
from guard_desk.models.terms import VERSION, corpus_language, sample, terms
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Floats, Indices, ModelInfo

# Above this many passages an n-gram that stands in one passage only is left out: it cannot match another
# passage, and such n-grams are most of the memory.
_RARE_FROM = 20_000

_SETTINGS = "word 1-2, char_wb 3-5, sublinear, smooth idf, halves"


class TfidfRanker:
    """Ranks by cosine of TF-IDF vectors: words and word pairs, and character n-grams, half the weight each."""

    def __init__(self) -> None:
        self._passages: Sequence[Passage] | None = None
        self._language = ""
        self._vectorizers: tuple[Any, ...] = ()
        self._matrix: Any = None
        self._lock = threading.Lock()

    @property
    def info(self) -> ModelInfo:
        """No weights: the corpus decides."""
        revision = hashlib.sha256(f"{_SETTINGS}:{VERSION}:{lang.digest()}".encode()).hexdigest()[:16]
        return ModelInfo(name="tfidf", revision=revision, detail="TF-IDF of words, word pairs and character n-grams of this corpus.")

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        """Count the n-grams of these passages; a second call with the same ones is free."""
        with self._lock:
            if passages is not self._passages:
                self._build(passages, ctx)
                self._passages = passages

    def scores(self, query: Query, ctx: RunContext) -> Floats:
        """Cosine with every passage, float32 (n,), 0..1."""
        ctx.check()
        if self._matrix is None:
            return np.zeros(len(self._passages or ()), dtype=np.float32)
        return _dense(self._matrix @ self._query_vector(query).T).ravel()

    def similarities(self, query: Query, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine with these passages, float32 (m,)."""
        return self.scores(query, ctx)[positions]

    def pair_similarities(self, positions: Indices, ctx: RunContext) -> Floats:
        """Cosine between these passages, float32 (m, m)."""
        ctx.check()
        if self._matrix is None:
            return np.eye(len(positions), dtype=np.float32)
        rows = self._matrix[positions]
        pairs = _dense(rows @ rows.T)
        np.fill_diagonal(pairs, 1)
        return pairs

    def _build(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        self._language = corpus_language([passage.text for passage in sample(passages)])
        rare = 2 if len(passages) > _RARE_FROM else 1
        fitted = []
        for analyzer, stage in (("word", "count words"), ("char_wb", "count characters")):
            vectorizer = self._vectorizer(analyzer, rare)
            matrix = _fitted(vectorizer, _texts(passages, stage, ctx))
            if matrix is not None:
                fitted.append((vectorizer, matrix))
        self._vectorizers = tuple(vectorizer for vectorizer, _ in fitted)
        self._matrix = _join([matrix for _, matrix in fitted])

    def _vectorizer(self, analyzer: str, rare: int) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        if analyzer == "word":
            return TfidfVectorizer(analyzer=self._word_grams, min_df=rare, sublinear_tf=True, dtype=np.float32)
        return TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=rare, sublinear_tf=True, dtype=np.float32)

    def _word_grams(self, text: str) -> list[str]:
        found = terms(text, self._language)
        return found + [f"{left} {right}" for left, right in pairwise(found)]

    def _query_vector(self, query: Query) -> Any:
        return _join([vectorizer.transform([query.text]) for vectorizer in self._vectorizers])


def _texts(passages: Sequence[Passage], stage: str, ctx: RunContext) -> Iterator[str]:
    """The texts; the vectorizer pulls them, so cancel and progress work in the middle of its one call."""
    for number, passage in enumerate(passages):
        if number % 256 == 0:
            ctx.report(stage, number, len(passages), unit="passages")
        yield passage_text(passage)
    ctx.report(stage, len(passages), len(passages), unit="passages")


def _fitted(vectorizer: Any, texts: Iterator[str]) -> Any:
    try:
        return vectorizer.fit_transform(texts)
    except ValueError as exc:
        if "vocabulary" not in str(exc) and "no terms remain" not in str(exc):
            raise
        return None  # nothing but stop words or signs: this half stays silent


def _join(parts: list[Any]) -> Any:
    """One matrix of unit rows, float32; each half weighs the same. None when there is nothing."""
    from scipy.sparse import hstack
    from sklearn.preprocessing import normalize

    return normalize(hstack(parts, format="csr", dtype=np.float32)) if parts else None


def _dense(product: Any) -> Floats:
    return np.asarray(np.clip(product.toarray(), 0, 1), dtype=np.float32)
