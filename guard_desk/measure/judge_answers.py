"""A judge's answers to labelled pairs, by the path that a run takes: similarities of the ranker, the judge stage, the store of answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.measure.judge_rows import PairRow
from guard_desk.progress import RunContext
from guard_desk.protocols import AnswerStore, Judge, Ranker
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Hit, ModelInfo, Question, Retrieved, frozen_array
from guard_desk.stages.judge import judge

Floats = npt.NDArray[np.float64]
COLUMNS = {question: column for column, question in enumerate(Question)}
MOST_AT_ONCE = 256
"""Passages of one call of the stage: it is given the similarities between all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPool:
    """Rows, the pair that each stands for, and the pairs once each.

    :param places: of each row, its position in `passages` and `queries`.
    """

    passages: tuple[Passage, ...]
    queries: tuple[str, ...]
    places: npt.NDArray[np.int64]


def pool_of(rows: Sequence[PairRow]) -> PairPool:
    """The different (question, title, passage) of some rows: many sets ask about the same pair twice."""
    found: dict[tuple[str, str | None, str], int] = {}
    places = [found.setdefault((row.query, row.title, row.text), len(found)) for row in rows]
    passages = tuple(Passage(id=str(number), title=title, text=text) for number, (_, title, text) in enumerate(found))
    return PairPool(passages=passages, queries=tuple(query for query, _, _ in found), places=np.array(places, dtype=np.int64))


def by_query(pool: PairPool) -> dict[str, npt.NDArray[np.int64]]:
    """Positions of the passages of each question."""
    found: dict[str, list[int]] = {}
    for position, query in enumerate(pool.queries):
        found.setdefault(query, []).append(position)
    return {query: np.array(positions, dtype=np.int64) for query, positions in found.items()}


def similarities(pool: PairPool, ranker: Ranker, ctx: RunContext) -> Floats:
    """Cosine of question and passage, one a pair: (pairs,).

    :raises Cancelled: between batches.
    """
    ranker.index(pool.passages, ctx)
    found = np.zeros(len(pool.passages))
    groups = by_query(pool)
    for query, positions in ctx.track(groups.items(), "similarity", len(groups), unit="questions"):
        found[positions] = ranker.similarities(Query(text=query), positions, ctx)
    return found


def answers(pool: PairPool, cosines: Floats, models: Mapping[str, Judge], store: AnswerStore | None, ctx: RunContext) -> dict[str, Floats]:
    """The four answers of each judge to each pair: (pairs, 4) in the order of `Question`, NaN where a pair could not be judged.

    Answers are kept as they come, so a second bench asks only what changed. The judges take turns question by question: they read texts
    with the same rules, and what one has read is still at hand for the next.

    :raises Cancelled: between batches, after what was finished has been stored.
    """
    found = {name: np.full((len(pool.passages), len(COLUMNS)), np.nan) for name in models}
    quiet = RunContext(token=ctx.token)
    done = 0
    for query, all_positions in by_query(pool).items():
        for start in range(0, len(all_positions), MOST_AT_ONCE):
            positions = all_positions[start : start + MOST_AT_ONCE]
            retrieved = _retrieved(pool, query, positions, cosines)
            for name, model in models.items():
                found[name][positions] = judge(retrieved, model, store, quiet).scores
            done += len(positions)
            ctx.report("judge", done, len(pool.passages), unit="pairs")
    return found


def _retrieved(pool: PairPool, query: str, positions: npt.NDArray[np.int64], cosines: Floats) -> Retrieved:
    passages = tuple(pool.passages[position] for position in positions)
    hits = tuple(
        Hit(passage_id=pool.passages[position].id, rank=rank, score=float(cosines[position]), similarity=float(cosines[position]))
        for rank, position in enumerate(positions, 1)
    )
    return Retrieved(
        query=Query(text=query),
        hits=hits,
        passages=passages,
        pair_similarity=frozen_array(np.zeros((len(positions), len(positions)), dtype=np.float32)),
        encoder=ModelInfo(name="bench", revision="1"),
        considered=len(positions),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """Scores of all rows, leg by leg: (rows, 4) each, in the order of `Question`.

    :param chosen: name of the judge that is measured; one of `scores`.
    """

    rows: tuple[PairRow, ...]
    chosen: str
    scores: Mapping[str, Floats]

    def column(self, leg: str, question: Question, index: npt.NDArray[np.int64]) -> Floats:
        """One leg's scores for a question, of some rows."""
        return np.asarray(self.scores[leg][index, COLUMNS[question]])


def legs_of(
    rows: Sequence[PairRow],
    pool: PairPool,
    ranker: Ranker,
    judges: Mapping[str, Judge],
    heads: Callable[[PairPool], Floats] | None,
    store: AnswerStore | None,
    ctx: RunContext,
) -> Legs:
    """Every leg of the ablation.

    :param pool: of the rows, as `pool_of` gives it.
    :param judges: by the name of the leg; the first is the one that is measured.
    :param heads: the trained heads alone, (pairs, 4); None where the judge has none.
    """
    cosines = similarities(pool, ranker, ctx)
    scores = {name: given[pool.places] for name, given in answers(pool, cosines, judges, store, ctx).items()}
    if heads is not None:
        scores["head"] = heads(pool)[pool.places]
    scores["cosine"] = np.repeat(cosines[pool.places][:, None], len(COLUMNS), axis=1)
    lengths = np.array([len(row.text) for row in rows], dtype=np.float64)
    scores["length"] = np.repeat(lengths[:, None], len(COLUMNS), axis=1)
    return Legs(rows=tuple(rows), chosen=next(iter(judges)), scores=scores)
