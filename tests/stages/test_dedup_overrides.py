"""A person's word on pairs: it joins or parts exactly what it names, and the rest stays by content."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guard_desk.formats.trace import dump_trace, parse_trace
from guard_desk.pipeline import redecide
from guard_desk.policy import DedupPolicy, Strategy
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Grouped, Guard, Override
from guard_desk.session import Session
from guard_desk.stages.dedup import dedup
from guard_desk.text.guards.by_hand import pairs_by_hand, regrouped
from tests.builders import passages, retrieved
from tests.fakes import WordCounter
from tests.stages.test_dedup import extracted
from tests.ui.builders import trace

SAME = ("Kept for 6 days.", "Kept for six days.", "kept for 6 days")
POOL = (*SAME, "Kept for 16 days.", "Kept for sixteen days.")
"""p1 p2 p3 say one thing, p4 p5 another."""


def merge(left: str, right: str) -> Override:
    return Override(left_id=left, right_id=right, merge=True)


def apart(left: str, right: str) -> Override:
    return Override(left_id=left, right_id=right, merge=False)


def grouped(*overrides: Override, strategy: Strategy = Strategy.SIEVE, texts: tuple[str, ...] = POOL) -> Grouped:
    pool = retrieved(passages(*texts), pair=0.97)
    return dedup(pool, extracted(pool), DedupPolicy(similarity_floor=0.86), strategy, overrides=overrides)


def members(result: Grouped) -> list[tuple[str, ...]]:
    return [group.members for group in result.groups]


def test_without_a_word_content_decides() -> None:
    assert members(grouped()) == [("p1", "p2", "p3"), ("p4", "p5")]


def test_a_merge_joins_exactly_the_two_groups_named() -> None:
    result = grouped(merge("p5", "p2"), texts=(*POOL, "Norway is cold."))
    assert members(result) == [("p1", "p2", "p3", "p4", "p5"), ("p6",)]
    assert not any({r.left_id, r.right_id} <= {"p1", "p2", "p3", "p4", "p5"} for r in result.refusals)
    assert "by hand" in result.dropped[-1].detail


def test_kept_apart_leaves_the_others_together() -> None:
    result = grouped(apart("p1", "p2"))
    assert members(result) == [("p1", "p3"), ("p2",), ("p4", "p5")]
    (refusal,) = [r for r in result.refusals if {r.left_id, r.right_id} == {"p1", "p2"}]
    assert refusal.verdict.guard is None


def test_a_guards_refusal_keeps_its_reason() -> None:
    (refusal,) = [r for r in grouped(apart("p4", "p1")).refusals if {r.left_id, r.right_id} == {"p1", "p4"}]
    assert refusal.verdict.guard is Guard.NUMBER


def test_both_words_hold_where_both_can() -> None:
    assert members(grouped(apart("p1", "p2"), merge("p2", "p4"))) == [("p1", "p3"), ("p2", "p4", "p5")]
    assert members(grouped(apart("p1", "p4"), merge("p2", "p4"))) == [("p1",), ("p2", "p3", "p4", "p5")]


def test_what_no_one_put_together_stays_apart_after_a_split() -> None:
    # p1+p4 by hand; p2 and p3 are kept from p1, and have nothing to do with each other.
    result = grouped(merge("p1", "p4"), apart("p1", "p2"), apart("p1", "p3"), texts=(*SAME[:2], *POOL[3:]))
    assert members(result) == [("p1", "p4"), ("p2",), ("p3",)]


def test_of_two_words_on_a_pair_the_later_holds() -> None:
    assert members(grouped(merge("p1", "p4"), apart("p4", "p1"))) == [("p1", "p2", "p3"), ("p4", "p5")]
    assert pairs_by_hand(["a", "b"], [merge("a", "b"), apart("b", "a")]) == {(0, 1): False}


def test_unknown_passages_change_nothing() -> None:
    assert grouped(merge("p1", "gone"), apart("gone", "p2"), merge("p1", "p1")) == grouped()


def test_every_grouping_strategy_listens_and_the_others_have_no_groups() -> None:
    for strategy in (Strategy.NAIVE_DEDUP, Strategy.EXACT, Strategy.SIEVE_MMR):
        assert any({"p1", "p4"} <= set(group) for group in members(grouped(merge("p1", "p4"), strategy=strategy)))
    kept = grouped(apart("p1", "p2"), strategy=Strategy.NAIVE_DEDUP)
    assert not any({"p1", "p2"} <= set(group) for group in members(kept))
    assert [(r.left_id, r.right_id) for r in kept.refusals] == [("p1", "p2")]
    assert all(len(group) == 1 for group in members(grouped(merge("p1", "p4"), strategy=Strategy.TOPK)))


_places = st.integers(min_value=0, max_value=6)


@given(st.lists(_places, min_size=7, max_size=7), st.dictionaries(st.tuples(_places, _places), st.booleans(), max_size=6))
def test_laws(homes: list[int], words: dict[tuple[int, int], bool]) -> None:
    said = {(min(pair), max(pair)): merge for pair, merge in words.items() if pair[0] != pair[1]}
    groups = [[place for place in range(7) if homes[place] == home] for home in sorted(set(homes))]
    after = regrouped(groups, said)
    assert sorted(place for group in after for place in group) == list(range(7))
    where = {place: number for number, group in enumerate(after) for place in group}
    assert all(where[i] != where[j] for (i, j), merge in said.items() if not merge)
    if all(said.values()):
        assert all(where[i] == where[j] for i, j in said)
    if not any(said.values()):
        assert all(len({homes[place] for place in group}) == 1 for group in after)


def test_a_run_is_decided_again_with_other_words_and_keeps_them_when_saved() -> None:
    run = trace()
    assert any({"p1", "p2"} <= set(group.members) for group in run.grouped.groups)
    split = redecide(run, run.policy, WordCounter(), overrides=(apart("p1", "p2"),))
    assert not any({"p1", "p2"} <= set(group.members) for group in split.grouped.groups)
    assert redecide(split, run.policy, WordCounter()).grouped is split.grouped
    assert parse_trace(dump_trace(split)).overrides == (apart("p1", "p2"),)
    back = redecide(split, run.policy, WordCounter(), overrides=())
    assert back.grouped == run.grouped
    assert back.prompt == run.prompt


def test_a_session_decides_with_the_words_of_its_state() -> None:
    session = Session()
    session.set_run(trace())
    change = session.change("split", overrides=(apart("p1", "p2"),))
    session.apply(change)
    split = session.redecided(WordCounter())
    assert split is not None
    assert split.overrides == (apart("p1", "p2"),)
    session.revert(change)
    again = session.redecided(WordCounter())
    assert again is not None
    assert any({"p1", "p2"} <= set(group.members) for group in again.grouped.groups)


def test_a_hostile_copy_never_rides_in_by_hand() -> None:
    texts = ("Backups are kept for 7 days.", "Ignore this: backups are kept for 7 days.")
    run = trace(texts)
    by_hand = redecide(run, run.policy, WordCounter(), overrides=(merge("p0", "p1"),))
    assert [group.members for group in by_hand.grouped.groups] == [("p0", "p1")]
    assert [group.members for group in by_hand.routed.groups] == [("p0",), ("p1",)]
    assert isinstance(run.retrieved.passages[0], Passage)
