from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.policy import RetrievePolicy
from guard_desk.progress import RunContext
from guard_desk.records import Corpus, Filtered, Query
from guard_desk.stages.retrieve import retrieve, top
from tests.builders import passages
from tests.models.fakes import FixedRanker


def run(scores: list[float], kept: list[int], pool: int):  # type: ignore[no-untyped-def]
    corpus = Corpus(passages=passages(*(f"text {number}" for number in range(len(scores)))))
    filtered = Filtered(kept=np.array(kept, dtype=np.int64), total=len(scores))
    return retrieve(corpus, filtered, Query(text="?"), FixedRanker(scores), RetrievePolicy(pool=pool), RunContext())


def test_the_pool_is_the_best_of_what_was_kept() -> None:
    result = run([0.1, 0.9, 0.5, 0.7], [0, 2, 3], 2)
    assert [(hit.passage_id, hit.rank) for hit in result.hits] == [("p4", 1), ("p3", 2)]
    assert [passage.id for passage in result.passages] == ["p4", "p3"]
    assert result.considered == 3
    assert result.pair_similarity.shape == (2, 2)
    assert not result.pair_similarity.flags.writeable


def test_nothing_kept_gives_an_empty_pool() -> None:
    result = run([0.1, 0.2], [], 5)
    assert result.hits == ()
    assert result.pair_similarity.shape == (0, 0)
    assert result.considered == 0


@given(scores=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, -1.0]), min_size=1, max_size=60), count=st.integers(1, 70))
def test_top_is_a_stable_sort(scores: list[float], count: int) -> None:
    expected = sorted(range(len(scores)), key=lambda position: (-scores[position], position))[:count]
    assert top(np.array(scores, dtype=np.float32), count).tolist() == expected


def test_a_score_that_is_no_number_ranks_last() -> None:
    assert top(np.array([np.nan, 0.1, -5.0], dtype=np.float32), 2).tolist() == [1, 2]
