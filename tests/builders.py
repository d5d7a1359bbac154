"""Small records for tests: only what a test says differs from the plain case."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from guard_desk.policy import Strategy, Thresholds
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import Group, Grouped
from guard_desk.records.evidence import Answers, Hit, Judged, Judgement, ModelInfo, Retrieved, frozen_array

MODEL = ModelInfo(name="test", revision="1")


def passages(*texts: str) -> tuple[Passage, ...]:
    """Passages p1, p2, ... of these texts."""
    return tuple(Passage(id=f"p{number}", text=text) for number, text in enumerate(texts, 1))


def retrieved(
    pool: Sequence[Passage], *, question: str = "What is it?", pair: float = 0.0, similarities: Sequence[float] | None = None
) -> Retrieved:
    """A pool in the given order; every two passages are `pair` similar."""
    count = len(pool)
    matrix = np.full((count, count), pair, dtype=np.float32)
    np.fill_diagonal(matrix, 1.0)
    falling = [0.9 - 0.001 * index for index in range(count)]
    values = list(similarities) if similarities is not None else falling
    return Retrieved(
        query=Query(text=question),
        hits=tuple(Hit(passage_id=p.id, rank=i + 1, score=values[i], similarity=values[i]) for i, p in enumerate(pool)),
        passages=tuple(pool),
        pair_similarity=frozen_array(matrix),
        encoder=MODEL,
        considered=count,
    )


def judged(ids: Sequence[str], answers: Sequence[Answers | None], thresholds: Thresholds | None = None) -> Judged:
    """Judgements in pool order; None = not judged."""
    judgements = tuple(
        Judgement(passage_id=passage_id, answers=answer, judge="test", error=None if answer else "broken")
        for passage_id, answer in zip(ids, answers, strict=True)
    )
    return Judged(judgements=judgements, judge=MODEL, thresholds=thresholds or Thresholds())


def singles(ids: Sequence[str]) -> Grouped:
    """Each passage a group of its own."""
    groups = tuple(Group(id=passage_id, members=(passage_id,), member_sources=("",)) for passage_id in ids)
    return Grouped(groups=groups, refusals=(), dropped=(), strategy=Strategy.SIEVE_MMR)
