"""The stage of de-duplication: groups, drops, refusals, and the laws that hold for any pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.policy import DedupPolicy, Strategy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Grouped, Guard
from guard_desk.records.evidence import Extracted, Retrieved, frozen_array
from guard_desk.stages.dedup import dedup
from guard_desk.text.analyze import analyze_text
from guard_desk.text.guards import pool as guard_pool
from tests.builders import MODEL, passages, retrieved

TEXTS = (
    "The pump runs for 6 days.",
    "The pump runs for six days.",
    "the pump runs for 6  days",
    "The pump runs for 16 days.",
    "The pump does not run for 6 days.",
    "For 6 days, the pump runs.",
    "Norway is cold.",
    "Norway is cold",
    "数据保留七天。",
    "数据保留 7 天。",
    "数据不保留七天。",
)


def extracted(pool: Retrieved) -> Extracted:
    facts = tuple(analyze_text(passage.text) for passage in pool.passages)
    return Extracted(texts=facts, titles=(None,) * len(facts), query=analyze_text(pool.query.text), analyzer=MODEL)


def with_pairs(pool: Sequence[Passage], similarity: Sequence[Sequence[float]]) -> Retrieved:
    return replace(retrieved(pool), pair_similarity=frozen_array(np.array(similarity, dtype=np.float32)))


def grouped(pool: Retrieved, floor: float = 0.86, strategy: Strategy = Strategy.SIEVE) -> Grouped:
    return dedup(pool, extracted(pool), DedupPolicy(similarity_floor=floor), strategy)


def members(result: Grouped) -> list[tuple[str, ...]]:
    return [group.members for group in result.groups]


def joined(result: Grouped) -> set[frozenset[str]]:
    return {frozenset((a, b)) for group in result.groups for a in group.members for b in group.members if a != b}


def test_copies_merge_and_differences_do_not() -> None:
    pool = retrieved(passages("Kept for 6 days.", "Kept for 16 days.", "Kept for six days."), pair=0.97)
    result = grouped(pool)
    assert members(result) == [("p1", "p3"), ("p2",)]
    assert [(drop.passage_id, drop.rule) for drop in result.dropped] == [("p3", "merged")]
    assert {(refusal.left_id, refusal.right_id) for refusal in result.refusals} == {("p1", "p2"), ("p2", "p3")}
    first = next(refusal.verdict for refusal in result.refusals if refusal.left_id == "p1")
    assert (first.guard, first.left, first.right) == (Guard.NUMBER, "6 days", "16 days")
    assert first.similarity == pytest.approx(0.97)


def test_every_source_is_kept_in_rank_order() -> None:
    pool = tuple(Passage(id=f"p{number}", text="Kept for 6 days.", source=source) for number, source in enumerate(("b", None, "a", "b")))
    group = grouped(retrieved(pool, pair=1.0)).groups[0]
    assert (group.representative, group.sources) == ("p0", ("b", "a"))


def test_the_floor_works_both_ways() -> None:
    pool = retrieved(passages("The fee is 12 euros.", "The fee is €12."), pair=0.8)
    facts = extracted(pool)

    def groups(floor: float) -> int:
        return len(dedup(pool, facts, DedupPolicy(similarity_floor=floor), Strategy.SIEVE).groups)

    assert [groups(floor) for floor in (0.86, 0.7, 0.5, 0.81, 0.2)] == [2, 1, 1, 2, 1]


def test_equal_texts_merge_below_any_floor() -> None:
    pool = retrieved(passages("The fee is 12 euros.", "the fee is 12  euros."), pair=0.1)
    assert len(grouped(pool, 0.99).groups) == 1


def test_what_is_near_one_of_two_equal_texts_is_near_the_other() -> None:
    pool = with_pairs(
        passages("Kept for 6 days.", "Kept for 6 days,", "Kept for six days."), [[1, 0.9, 0.93], [0.9, 1, 0.85], [0.93, 0.85, 1]]
    )
    assert members(grouped(pool)) == [("p1", "p2", "p3")]


def test_the_unit_is_looked_at_before_case_is_folded() -> None:
    pool = retrieved(passages("Limited to 100 Mb/s.", "Limited to 100 MB/s."), pair=0.99)
    assert len(grouped(pool).groups) == 2


def test_no_chain_of_small_steps() -> None:
    texts = passages("The fee is 12 euros.", "The fee is €12.", "The fee is EUR 12.")
    pool = with_pairs(texts, [[1, 0.95, 0.5], [0.95, 1, 0.94], [0.5, 0.94, 1]])
    result = grouped(pool)
    assert members(result) == [("p1", "p2"), ("p3",)]
    assert [(refusal.left_id, refusal.right_id, refusal.verdict.guard) for refusal in result.refusals] == [("p2", "p3", None)]


def test_chinese_pairs_do_not_depend_on_an_english_encoder() -> None:
    pool = retrieved(passages("系统每天凌晨两点自动备份数据库。", "系统每天凌晨 2 点自动备份数据库。"), pair=0.3)
    assert len(grouped(pool, 0.8).groups) == 1


@pytest.mark.parametrize("strategy", [Strategy.TOPK, Strategy.MMR])
def test_plain_strategies_group_nothing(strategy: Strategy) -> None:
    result = grouped(retrieved(passages("Same.", "Same."), pair=1.0), strategy=strategy)
    assert members(result) == [("p1",), ("p2",)]
    assert (result.dropped, result.refusals, result.strategy) == ((), (), strategy)


def test_exact_folds_white_space_only() -> None:
    result = grouped(retrieved(passages("Kept  for\n6 days.", "Kept for 6 days.", "kept for 6 days."), pair=1.0), strategy=Strategy.EXACT)
    assert members(result) == [("p1", "p2"), ("p3",)]


def test_naive_looks_at_vectors_only() -> None:
    result = grouped(retrieved(passages("Kept for 6 days.", "Kept for 16 days."), pair=0.9), strategy=Strategy.NAIVE_DEDUP)
    assert members(result) == [("p1", "p2")]


def test_an_empty_pool_is_an_empty_result() -> None:
    result = grouped(retrieved(()))
    assert (result.groups, result.dropped, result.refusals) == ((), (), ())


def test_a_moved_floor_compares_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = passages(*(f"Alerts are muted for {number % 50} minutes after the restart of node {number % 4}." for number in range(100)))
    pool = retrieved(texts, pair=0.95)
    facts = extracted(pool)
    first = dedup(pool, facts, DedupPolicy(), Strategy.SIEVE)
    monkeypatch.setattr(guard_pool, "compare_texts", None)  # would fail when called
    for floor in (0.9, 0.94, 0.96, 0.88, 0.87):
        dedup(pool, facts, DedupPolicy(similarity_floor=floor), Strategy.SIEVE)
    assert dedup(pool, facts, DedupPolicy(), Strategy.SIEVE) == first


def test_cancel_stops_the_comparing() -> None:
    from guard_desk.errors import Cancelled

    pool = retrieved(passages("Kept for 6 days.", "Kept for 16 days."), pair=0.9)
    ctx = RunContext()
    ctx.token.cancel()
    with pytest.raises(Cancelled):
        dedup(pool, extracted(pool), DedupPolicy(), Strategy.SIEVE, ctx)


@st.composite
def pools(draw: st.DrawFn) -> Retrieved:
    texts = draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=8))
    size = len(texts)
    matrix = np.eye(size, dtype=np.float32)
    for i in range(size):
        for j in range(i + 1, size):
            matrix[i, j] = matrix[j, i] = draw(st.sampled_from([0.3, 0.6, 0.8, 0.86, 0.9, 0.95]))
    return with_pairs(passages(*texts), matrix.tolist())


@settings(deadline=None)
@given(pools(), st.sampled_from([0.5, 0.7, 0.86, 0.92]), st.sampled_from(list(Strategy)))
def test_each_passage_is_kept_or_dropped_exactly_once(pool: Retrieved, floor: float, strategy: Strategy) -> None:
    result = grouped(pool, floor, strategy)
    kept = [group.representative for group in result.groups]
    dropped = [drop.passage_id for drop in result.dropped]
    assert sorted(kept + dropped) == sorted(passage.id for passage in pool.passages)
    assert sorted(member for group in result.groups for member in group.members) == sorted(kept + dropped)


@settings(deadline=None)
@given(pools(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(pool: Retrieved, random: object) -> None:
    order = list(range(len(pool.passages)))
    random.shuffle(order)  # type: ignore[attr-defined]
    other = replace(
        pool,
        hits=tuple(pool.hits[place] for place in order),
        passages=tuple(pool.passages[place] for place in order),
        pair_similarity=frozen_array(np.array(pool.pair_similarity)[np.ix_(order, order)]),
    )
    assert grouped(other) == grouped(pool)


@settings(deadline=None)
@given(pools(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_floor_never_merges_more(pool: Retrieved, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert joined(grouped(pool, high)) <= joined(grouped(pool, low))


@settings(deadline=None)
@given(pools(), st.sampled_from([0.5, 0.7, 0.86, 0.92]))
def test_a_kept_tree_gives_the_same_groups_as_a_fresh_one(pool: Retrieved, floor: float) -> None:
    facts = extracted(pool)
    for earlier in (0.95, 0.6, 0.2):
        dedup(pool, facts, DedupPolicy(similarity_floor=earlier), Strategy.SIEVE)
    assert dedup(pool, facts, DedupPolicy(similarity_floor=floor), Strategy.SIEVE) == grouped(replace(pool), floor)
