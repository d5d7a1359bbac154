"""Retrieve: the best passages of the filtered corpus, with all their pair similarities."""

from __future__ import annotations

import numpy as np

from guard_desk.policy import RetrievePolicy
from guard_desk.progress import RunContext
from guard_desk.protocols import Ranker
from guard_desk.records.corpus import Corpus, Query
from guard_desk.records.evidence import Filtered, Floats, Hit, Indices, Retrieved, frozen_array


def retrieve(corpus: Corpus, filtered: Filtered, query: Query, ranker: Ranker, policy: RetrievePolicy, ctx: RunContext) -> Retrieved:
    """The pool: at most `policy.pool` passages, best first; equal scores in corpus order.

    The whole corpus is indexed, so that a changed filter needs no model; only filtered passages can enter the pool.

    :raises Cancelled: while indexing; what was encoded until then is kept.
    """
    kept = filtered.kept
    if not len(kept):
        return _retrieved(corpus, query, ranker, kept, np.empty(0, np.float32), np.empty(0, np.float32), np.empty((0, 0), np.float32), 0)
    ranker.index(corpus.passages, ctx)
    scores = ranker.scores(query, ctx)[kept]
    best = top(scores, policy.pool)
    pool = kept[best]
    similarities = ranker.similarities(query, pool, ctx)
    pairs = ranker.pair_similarities(pool, ctx)
    return _retrieved(corpus, query, ranker, pool, scores[best], similarities, pairs, len(kept))


def top(scores: Floats, count: int) -> Indices:
    """Positions of the `count` highest scores, highest first, equal ones in their order. int64 (min(count, n),).

    Partial selection: 100,000 scores cost a millisecond. A score that is not a number ranks last.
    """
    values = np.where(np.isnan(scores), -np.inf, scores)
    count = min(count, len(values))
    if count < len(values):
        border = np.partition(values, len(values) - count)[len(values) - count]
        above = np.flatnonzero(values > border)
        chosen = np.concatenate([above, np.flatnonzero(values == border)[: count - len(above)]])
    else:
        chosen = np.arange(len(values))
    order = np.lexsort((chosen, -values[chosen]))
    return np.asarray(chosen[order], dtype=np.int64)


def _retrieved(
    corpus: Corpus, query: Query, ranker: Ranker, pool: Indices, scores: Floats, similarities: Floats, pairs: Floats, considered: int
) -> Retrieved:
    passages = tuple(corpus.passages[position] for position in pool)
    hits = tuple(
        Hit(passage_id=passage.id, rank=rank, score=float(score), similarity=float(similarity))
        for rank, (passage, score, similarity) in enumerate(zip(passages, scores, similarities, strict=True), start=1)
    )
    frozen_array(pairs)
    return Retrieved(query=query, hits=hits, passages=passages, pair_similarity=pairs, encoder=ranker.info, considered=considered)
