from __future__ import annotations

import pytest

from guard_desk.measure.verify_speed import QUESTION, SIZES, Writer, percentile, verify_speed
from guard_desk.progress import RunContext
from guard_desk.protocols import Readers
from guard_desk.records.state import Models

from ..readers import ListedClaimJudge, WordDetector


def test_inputs_have_the_size_that_is_told_and_none_comes_twice() -> None:
    writer = Writer()
    seen: set[str] = set()
    for size in SIZES * 2:
        answer, passages = writer.answer(size), writer.passages(size)
        assert size.characters is None or len(answer) == size.characters
        assert len(passages) == size.passages
        texts = [answer, *(passage.text for passage in passages)]
        assert seen.isdisjoint(texts)
        seen.update(texts)
    assert [Writer().sentence() for _ in range(3)] == [Writer().sentence() for _ in range(3)]
    assert Writer(seed=1).text(200) != Writer(seed=2).text(200)
    assert QUESTION not in seen


def test_the_percentile_is_a_measured_value() -> None:
    values = [float(number) for number in range(20, 0, -1)]
    assert percentile(values, 0.95) == 19
    assert percentile(values, 1.0) == 20
    assert percentile([3.0], 0.95) == 3


@pytest.mark.models
def test_the_suite_names_every_size_with_its_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("raguard")
    monkeypatch.setattr("guard_desk.measure.verify_speed.SIZES", SIZES[:2])
    rows = {row.name: row for row in verify_speed(Models(judge="features"), 1, RunContext()).rows}
    for size in SIZES[:2]:
        assert f"{size.name}: raguard-py 0.1.1, p50" in rows
        assert rows[f"{size.name}: ratio, all new"].note.endswith("at most 0.5 is asked")
    assert all(row.figure > 0 for row in rows.values())


@pytest.mark.models
def test_without_the_peer_the_suite_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guard_desk.models.peers.RAGUARD", "no-such-distribution")
    monkeypatch.setattr("guard_desk.measure.verify_speed.SIZES", SIZES[:1])
    rows = verify_speed(Models(judge="features"), 1, RunContext()).rows
    assert rows[-1].note == "not installed: pip install raguard-py"
    assert not any("ratio" in row.name for row in rows)


@pytest.mark.models
def test_head_and_detector_are_timed_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = ListedClaimJudge()
    monkeypatch.setattr("guard_desk.measure.verify_speed.load_readers", lambda _: Readers(claim_judge=judge, detector=WordDetector("a")))
    monkeypatch.setattr("guard_desk.measure.verify_speed.SIZES", SIZES[1:2])
    names = [row.name for row in verify_speed(Models(), 1, RunContext()).rows]
    assert names[-4:] == [
        "519 characters, 12 passages: on top, head listed, p50",
        "519 characters, 12 passages: on top, head listed, p95",
        "519 characters, 12 passages: on top, detector marker, p50",
        "519 characters, 12 passages: on top, detector marker, p95",
    ]
    assert judge.calls
