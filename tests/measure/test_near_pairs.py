from __future__ import annotations

from guard_desk.measure.near_pairs import Pair, near_pairs, why_nothing
from guard_desk.pipeline import redecide
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Override
from guard_desk.records.trace import Trace
from tests.fakes import WordCounter
from tests.ui import builders
from tests.ui.evidence import run_of


def near() -> Trace:
    """p0 and p1 say the same from two sources; p2 differs in a number."""
    texts = ("All backups of the service are kept for 7 days.", "all backups of the service are kept for 7 days")
    pool = [Passage(id=f"p{at}", text=text, source=f"s{at}") for at, text in enumerate((*texts, texts[0].replace("7", "30")))]
    run = run_of(pool, "How long are backups kept?")
    return redecide(run, run.policy.with_value("dedup.similarity_floor", 0.6), WordCounter())


def by_hand(run: Trace, left: str, right: str, *, merge: bool) -> Trace:
    return redecide(run, run.policy, WordCounter(), overrides=(Override(left_id=left, right_id=right, merge=merge),))


def pair(run: Trace, left: str, right: str) -> Pair:
    return next(item for item in near_pairs(run) if {item.left_id, item.right_id} == {left, right})


def test_merged_and_refused_pairs() -> None:
    found = near_pairs(near())
    ((group, members),) = found.groups
    assert group.members == ("p0", "p1")
    assert [(item.left_id, item.right_id, item.headline) for item in members] == [("p0", "p1", "merged: says the same")]
    refused = pair(near(), "p0", "p2")
    assert refused.headline == "not merged: number: 7 days / 30 days"
    left, right = refused.guarded()
    assert left is not None
    assert right is not None
    assert (left.of("All backups of the service are kept for 7 days."), right.start) == ("7 days", left.start)
    assert found.by_hand == ()


def test_a_persons_word_is_named() -> None:
    split = near_pairs(by_hand(near(), "p0", "p1", merge=False))
    assert [item.reason for item in split.by_hand] == ["kept apart by hand"]
    assert split.groups == ()
    joined = by_hand(near(), "p2", "p0", merge=True)
    assert pair(joined, "p0", "p2").headline == "merged by hand"
    assert [(item.merged, item.by_hand) for item in near_pairs(joined).by_hand] == [(True, True)]
    assert near_pairs(by_hand(near(), "p0", "gone", merge=True)).by_hand == ()


def test_what_is_missing_has_a_sign() -> None:
    run = builders.trace()
    assert all("  " not in item.reason for item in near_pairs(run))


def test_why_there_is_nothing() -> None:
    run = near()
    plain = redecide(run, run.policy.with_value("assemble.strategy", "topk"), WordCounter())
    assert "topk" in why_nothing(plain)
    assert "0.6" in why_nothing(run)
