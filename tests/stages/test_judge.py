from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from guard_desk.errors import Cancelled, StoreError
from guard_desk.policy import Thresholds
from guard_desk.progress import CancelToken, Progress, RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Answers, Judged, Judgement, ModelInfo
from guard_desk.records.judging import Estimate, Spent
from guard_desk.stages import judge as stage
from guard_desk.stages.judge import judge
from guard_desk.store.answers import SqliteAnswerStore
from tests.builders import passages, retrieved


class LengthJudge:
    """Answers by the length of the text and counts what it is asked; "bad" texts fail, "crash" breaks the judge."""

    thresholds = Thresholds(relevant_min=0.4)

    def __init__(self, revision: str = "1") -> None:
        self.info = ModelInfo(name="length", revision=revision)
        self.asked: list[str] = []

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        return (query.text, passage.text)

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        for passage in passages:
            ctx.check()
            self.asked.append(passage.id)
            if "crash" in passage.text:
                raise RuntimeError("out of memory")
            if "bad" in passage.text:
                yield Judgement(passage_id=passage.id, answers=None, judge="length", error="bad text")
                continue
            value = min(1.0, len(passage.text) / 100)
            yield Judgement(
                passage_id=passage.id, answers=Answers(relevant=value, evidence=0.0, contradicts=0.0, injection=0.0), judge="length"
            )


class BrokenStore:
    def get(self, keys: Sequence[str]) -> dict[str, Judgement]:
        raise StoreError("the disk is full")

    def put(self, items: Sequence[tuple[str, Judgement]]) -> None:
        raise StoreError("the disk is full")


@pytest.fixture
def store(tmp_path: Path) -> SqliteAnswerStore:
    return SqliteAnswerStore(tmp_path / "answers.sqlite")


def ids(result: Judged) -> list[str]:
    return [judgement.passage_id for judgement in result.judgements]


def test_every_passage_has_one_judgement_in_pool_order(store: SqliteAnswerStore) -> None:
    pool = passages("one", "a bad one", "three")
    result = judge(retrieved(pool), LengthJudge(), store, RunContext())
    assert ids(result) == ["p1", "p2", "p3"]
    assert [judgement.answers is None for judgement in result.judgements] == [False, True, False]
    assert result.judgements[1].error == "bad text"
    assert result.thresholds.relevant_min == 0.4


def test_an_empty_pool_gives_an_empty_result(store: SqliteAnswerStore) -> None:
    assert judge(retrieved(()), LengthJudge(), store, RunContext()).judgements == ()


def test_stored_answers_are_not_asked_again_and_marked(store: SqliteAnswerStore) -> None:
    pool = passages("one", "two", "bad")
    judge(retrieved(pool), LengthJudge(), store, RunContext())
    again = LengthJudge()
    renamed = (Passage(id="x1", text="one"), pool[1], pool[2])
    result = judge(retrieved(renamed), again, store, RunContext())
    assert again.asked == ["p3"]
    assert [judgement.cached for judgement in result.judgements] == [True, True, False]
    assert ids(result) == ["x1", "p2", "p3"]


def test_another_question_revision_or_text_asks_anew(store: SqliteAnswerStore) -> None:
    pool = passages("one")
    judge(retrieved(pool), LengthJudge(), store, RunContext())
    for changed in (
        judge(retrieved(pool, question="Other?"), LengthJudge(), store, RunContext()),
        judge(retrieved(pool), LengthJudge("2"), store, RunContext()),
        judge(retrieved(passages("one!")), LengthJudge(), store, RunContext()),
    ):
        assert not changed.judgements[0].cached


def test_the_similarity_counts_for_a_judge_that_reads_it(store: SqliteAnswerStore) -> None:
    class Reader(LengthJudge):
        similarity_digits = 2

    pool = passages("one")
    judge(retrieved(pool, similarities=[0.501]), Reader(), store, RunContext())
    assert judge(retrieved(pool, similarities=[0.503]), Reader(), store, RunContext()).judgements[0].cached
    assert not judge(retrieved(pool, similarities=[0.61]), Reader(), store, RunContext()).judgements[0].cached


def test_a_cancel_loses_at_most_one_batch(store: SqliteAnswerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "BATCH_ITEMS", 4)
    monkeypatch.setattr(stage, "BATCH_S", 1000.0)
    token = CancelToken()
    seen: list[int] = []

    def progress(report: Progress) -> None:
        seen.append(report.done)
        if report.done >= 8:
            token.cancel()

    pool = passages(*(f"text number {number}" for number in range(20)))
    first = LengthJudge()
    with pytest.raises(Cancelled):
        judge(retrieved(pool), first, store, RunContext(token=token, on_progress=progress))
    assert len(first.asked) <= 9
    again = LengthJudge()
    result = judge(retrieved(pool), again, store, RunContext())
    assert len(again.asked) == 12
    assert sum(judgement.cached for judgement in result.judgements) == 8
    assert seen[-1] == 8


def test_a_judge_that_breaks_down_leaves_the_rest_not_judged(store: SqliteAnswerStore, caplog: pytest.LogCaptureFixture) -> None:
    pool = passages("one", "crash", "three")
    result = judge(retrieved(pool), LengthJudge(), store, RunContext())
    assert result.judgements[0].answers is not None
    for broken in result.judgements[1:]:
        assert broken.answers is None
        assert "out of memory" in (broken.error or "")
    assert store.summary().answers == 1
    assert "failed after 1 of 3" in caplog.text


def test_a_store_that_cannot_be_used_costs_no_answers(caplog: pytest.LogCaptureFixture) -> None:
    result = judge(retrieved(passages("one")), LengthJudge(), BrokenStore(), RunContext())
    assert result.judgements[0].answers is not None
    assert "the disk is full" in result.judge.detail
    assert "not stored" in caplog.text


def test_finished_answers_are_handed_out(store: SqliteAnswerStore) -> None:
    parts: list[object] = []
    judge(retrieved(passages("one", "two")), LengthJudge(), store, RunContext(on_partial=parts.append))
    handed = [judgement.passage_id for part in parts if isinstance(part, tuple) for judgement in part]
    assert sorted(handed) == ["p1", "p2"]


def test_without_a_store_everything_is_asked() -> None:
    model = LengthJudge()
    judge(retrieved(passages("one", "two")), model, None, RunContext())
    judge(retrieved(passages("one", "two")), model, None, RunContext())
    assert len(model.asked) == 4


def test_an_estimate_counts_what_is_not_stored_and_asks_nothing(store: SqliteAnswerStore) -> None:
    class Priced(LengthJudge):
        def estimate(self, query: Query, passages: Sequence[Passage]) -> Spent:
            return Spent(requests=len(passages), input_tokens=10 * len(passages), estimated=True)

    pool = passages("one", "two", "three")
    judge(retrieved(pool[:1]), Priced(), store, RunContext())
    priced, free = Priced(), LengthJudge()
    assert stage.estimate(retrieved(pool), priced, store) == Estimate(
        passages=3, stored=1, spent=Spent(requests=2, input_tokens=20, estimated=True)
    )
    assert stage.estimate(retrieved(pool), priced, None).stored == 0
    assert stage.estimate(retrieved(pool), free, store).spent is None
    assert priced.asked == free.asked == []
