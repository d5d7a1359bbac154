"""The judge over a decision model in GGUF: refusals, and (marked) real models."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from guard_desk.errors import Cancelled, InputError, MissingModelError, ModelError
from guard_desk.models.judges.gguf import GgufJudge, _model, load
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.policy import Thresholds
from guard_desk.progress import CancelToken, RunContext
from guard_desk.records import Passage, Query
from guard_desk.records.evidence import Judgement, Question
from guard_desk.records.judging import JudgeSettings, Wording, Wordings
from guard_desk.stages.judge import pair_key
from tests.builders import passages
from tests.models.judges.decision_gguf import make_decision_model
from tests.models.smollm2 import smollm2_file

QUERY = Query(text="How long are backups kept?")


@pytest.fixture(scope="module")
def chat_file() -> Path:
    return smollm2_file()


@pytest.fixture(scope="module")
def decision_file(chat_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_decision_model(chat_file, tmp_path_factory.mktemp("decision") / "decision.gguf")


def judge_of(target: Path | str, **settings: object) -> GgufJudge:
    return load(JudgeSettings(target=str(target), **settings), "cpu")  # type: ignore[arg-type]


def judged(judge: GgufJudge, *pool: Passage, ctx: RunContext | None = None) -> list[Judgement]:
    return list(judge.judge(QUERY, pool, [0.0] * len(pool), ctx or RunContext()))


def test_targets_that_are_no_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no model file"):
        load(JudgeSettings(), "cpu")
    for target, words in ((tmp_path / "none.gguf", "There is no such file"), (tmp_path, "This is a folder"), (".", "This is a folder")):
        with pytest.raises(InputError, match=f"{words}.*Give the path"):
            judge_of(target)
    with pytest.raises(MissingModelError, match="guard-desk models add jev"):
        judge_of("jev")
    (tmp_path / "text.gguf").write_text("not a model")
    with pytest.raises(InputError, match="begins with GGUF"):
        judge_of(tmp_path / "text.gguf")


def test_a_damaged_file_is_not_judged_with_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "cut.gguf").write_bytes(b"GGUF\3\0\0\0")
    found = judged(judge_of(tmp_path / "cut.gguf"), *passages("a", "b"))
    assert [judgement.answers for judgement in found] == [None, None]
    assert all(judgement.error and "cannot be loaded" in judgement.error for judgement in found)


def test_keys_hold_wording_and_texts_but_no_names(tmp_path: Path) -> None:
    first, second = tmp_path / "first.gguf", tmp_path / "second.gguf"
    first.write_bytes(b"GGUF one")
    second.write_bytes(b"GGUF one")
    one, other = passages("Backups are kept.", "Backups are kept.")

    def key(judge: GgufJudge, passage: Passage = one) -> str:
        return pair_key(judge, QUERY, passage, 0.5)

    before = key(judge_of(first))
    assert before == key(judge_of(second)) == key(judge_of(first), other) == key(judge_of(first, concurrency=9))
    shipped = shipped_wordings()
    changed = Wordings(
        relevant=Wording(text="Is it?", instruction=""),
        evidence=shipped.evidence,
        contradicts=shipped.contradicts,
        injection=shipped.injection,
    )
    assert before != key(judge_of(first, wordings=changed))
    second.write_bytes(b"GGUF two")
    assert before != key(judge_of(second))
    assert before != key(judge_of(first), Passage(id="p", text="Backups are kept.", source_type="blog"))


def test_texts_cannot_write_the_borders_of_a_conversation(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    (material,) = judge_of(tmp_path / "a.gguf").key_material(QUERY, Passage(id="p", text="<|im_end|> [SEP] [MASK] <|box_end|>"))
    assert not any(border in material for border in ("<|im_end|>", "[SEP]", "[MASK]", "<|box_end|>"))


@pytest.mark.models
def test_a_chat_model_gives_the_servers_error_and_the_remedy(chat_file: Path) -> None:
    judge = judge_of(chat_file)
    with pytest.raises(ModelError, match=r"This model is not a decision model \(501\)\. Choose a GGUF file of a decision model"):
        judge._model.load()
    found = judged(judge, *passages("Backups are kept.", "The cat sleeps."))
    assert [judgement.answers for judgement in found] == [None, None]
    assert all(judgement.error and "not a decision model (501)" in judgement.error for judgement in found)


@pytest.mark.models
def test_a_decision_model_answers_four_questions(decision_file: Path) -> None:
    judge = judge_of(decision_file)
    pool = passages("Backups are kept for seven days.", "The cat <|im_end|> sleeps \ud83d.", "")
    found = judged(judge, *pool)
    assert [judgement.passage_id for judgement in found] == [passage.id for passage in pool]
    for judgement in found:
        assert judgement.error is None
        assert judgement.answers is not None
        assert {reason.question for reason in judgement.reasons} == set(Question)
        assert all(0 <= getattr(judgement.answers, question.value) <= 1 for question in Question)
    assert list(reversed(found)) == judged(judge, *reversed(pool))
    assert (judge.info.device, judge.thresholds) == ("cpu", Thresholds())
    assert judge_of(decision_file)._model is judge._model


@pytest.mark.models
def test_a_passage_that_is_too_long_costs_the_others_nothing(decision_file: Path) -> None:
    long, short = judged(judge_of(decision_file), *passages("word " * 9000, "Backups are kept."))
    assert long.error is not None
    assert "reads at most 8,192. Split the passage." in long.error
    assert short.answers is not None


@pytest.mark.models
def test_a_cancel_leaves_the_rest(decision_file: Path) -> None:
    token = CancelToken()
    stream = judge_of(decision_file).judge(QUERY, passages(*["word " * 300] * 40), [0.0] * 40, RunContext(token=token))
    assert next(stream).answers is not None
    threading.Timer(0.05, token.cancel).start()
    with pytest.raises(Cancelled):
        list(stream)


@pytest.fixture(scope="module", autouse=True)
def _free_models() -> object:
    yield
    _model.cache_clear()
