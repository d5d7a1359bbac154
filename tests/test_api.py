"""The library: what every call does with input that is odd, empty or of the wrong type."""

from __future__ import annotations

from typing import Any

import pytest

from guard_desk import Models, Passage, Query, compare_judges, estimate, expand, judge, merge_verdict, run, search, thin, verify
from guard_desk.errors import InputError
from guard_desk.measure.asking import judge_names
from guard_desk.progress import RunContext
from guard_desk.records.answer import Kind
from guard_desk.records.corpus import Labels, LoadedQuery, RecordedAnswers
from guard_desk.records.judging import JudgeSettings

QUESTION = "How long are backups kept?"
TEXTS = ["Backups are kept for 30 days.", "Logs rotate weekly."]
NO_PASSAGES: list[Any] = [
    None,
    5,
    b"text",
    "text",
    {"text": "text"},
    [None],
    [b"text"],
    [Passage(id="a", text=None)],  # type: ignore[arg-type]
    [Passage(id=3, text="a")],  # type: ignore[arg-type]
    [Passage(id="a", text="a", title=3)],  # type: ignore[arg-type]
]


@pytest.mark.models
@pytest.mark.parametrize("passages", [*NO_PASSAGES, []], ids=repr)
def test_verify_never_raises_for_passages(passages: Any) -> None:
    assert [item.kind for item in verify(QUESTION, passages, "30 days.").spans] == [Kind.INPUT_ERROR]


@pytest.mark.models
@pytest.mark.parametrize("lang", ["xx", "", None, 5, ["en"], "nothing_of_this_name", "no/such/folder"])
def test_verify_never_raises_for_a_language(lang: Any) -> None:
    assert [item.kind for item in verify(QUESTION, TEXTS, "30 days.", lang=lang).spans] == [Kind.INPUT_ERROR]


@pytest.mark.models
@pytest.mark.parametrize(
    ("query", "answer"), [(None, "a"), (3, "a"), (Query(text=None), "a"), (QUESTION, None), (QUESTION, b"a"), (QUESTION, "")]
)  # type: ignore[arg-type]
def test_verify_never_raises_for_a_question_or_an_answer(query: Any, answer: Any) -> None:
    (found,) = verify(query, TEXTS, answer).spans
    assert (found.kind, found.start, found.end) == (Kind.INPUT_ERROR, 0, 0)


@pytest.mark.models
def test_half_characters_hurt_nothing() -> None:
    texts = [*TEXTS, "\udfff Backups, half an emoji: \ud83d"]
    assert verify(QUESTION, texts, "\ud800 Backups are kept for 30 days.").spans == ()
    assert len(run(texts, QUESTION, answer="\ud800 30 days").prompt.places) == 3
    assert len(search(texts, QUESTION).items) == 3
    assert merge_verdict("\ud800", "\ud800").merge


@pytest.mark.parametrize("passages", NO_PASSAGES, ids=repr)
def test_other_calls_say_what_is_wrong_with_passages(passages: Any) -> None:
    for call in (
        lambda: run(passages, QUESTION),
        lambda: search(passages, QUESTION),
        lambda: judge(QUESTION, passages),
        lambda: thin(QUESTION, passages),
    ):
        with pytest.raises(InputError, match="passage"):
            call()


@pytest.mark.parametrize("query", [None, 7, "", " \n", Query(text=""), Query(text="a", version=2), Query(text="a", scope=b"x")])  # type: ignore[arg-type]
def test_other_calls_say_what_is_wrong_with_a_question(query: Any) -> None:
    for call in (lambda: run(TEXTS, query), lambda: search(TEXTS, query), lambda: judge(query, TEXTS), lambda: thin(query, TEXTS)):
        with pytest.raises(InputError):
            call()


def test_a_filter_that_is_no_text_is_not_taken_for_one_without_passages() -> None:
    with pytest.raises(InputError, match="version='2'"):
        search([Passage(id="a", text="text", version="2")], QUESTION, version=2)  # type: ignore[arg-type]


def test_expand_wants_a_list() -> None:
    with pytest.raises(InputError, match="list"):
        expand([Passage(id="a", text="text")], "a")
    with pytest.raises(InputError, match="'b'"):
        expand([Passage(id="a", text="text")], ["b"])


@pytest.mark.models
def test_numbers_given_as_text_are_read() -> None:
    packet = search(TEXTS, QUESTION, k="1", budget_tokens="50")  # type: ignore[arg-type]
    assert (len(packet.items), packet.stats.budget_tokens) == (1, 50)


def test_an_answer_must_be_text() -> None:
    with pytest.raises(InputError, match="bytes"):
        run(TEXTS, QUESTION, answer=b"30 days")  # type: ignore[arg-type]


RECORDED = LoadedQuery(
    query=Query(text=QUESTION),
    labels=(Labels(passage_id="L0", evidence=True), Labels(passage_id="L1", evidence=False)),
    recorded=(
        RecordedAnswers(passage_id="L0", relevant=0.9, evidence=0.9, contradicts=0.0, injection=0.0),
        RecordedAnswers(passage_id="L1", relevant=0.1, evidence=0.1, contradicts=0.0, injection=0.0),
    ),
)


def test_judges_are_compared_on_one_pool_with_the_questions_own_answers_and_labels() -> None:
    stages: list[str] = []
    ctx = RunContext(on_progress=lambda report: stages.append(report.stage))
    chosen = [Models(encoder="tfidf", judge=judge) for judge in ("features", "recorded")]
    comparison = compare_judges(TEXTS, RECORDED, judges=chosen, ctx=ctx)
    features, recorded = comparison.judges
    assert set(comparison.passage_ids) == {"L0", "L1"}
    assert (features.judged.judge.name, recorded.judged.judge.name) == ("features", "recorded")
    assert recorded.figures[0].auroc.value == 1
    assert comparison.pair("features", "recorded").compared == 2
    assert {"judge features", "judge recorded"} <= set(stages)
    assert compare_judges(TEXTS, RECORDED, judges=chosen, labels=()).judges[1].figures == ()


def test_judges_of_one_kind_are_told_apart_by_target_and_model() -> None:
    at = [JudgeSettings(target="http://a", model=model) for model in ("m", "n")]
    two = [Models(judge="systemone", judge_settings=settings) for settings in at]
    assert judge_names([Models(judge="features"), two[0]]) == ("features", "systemone")
    assert judge_names(two) == ("systemone:http://a:m", "systemone:http://a:n")
    assert judge_names([two[0], Models(judge="systemone:http://b")]) == ("systemone:http://a", "systemone:http://b")
    with pytest.raises(InputError, match="named twice"):
        judge_names([Models(judge="features")] * 2)


@pytest.mark.parametrize(
    ("judges", "words"),
    [
        ([], "two or more"),
        (["features"], "two or more"),
        (["features", "features"], "named twice"),
        (["features", "oracle"], "no judge 'oracle'"),
        ([Models(judge="features", encoder="bm25"), "recorded"], "encoder and device must be the same"),
    ],
)
def test_what_cannot_be_compared_says_why(judges: list[Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        compare_judges(TEXTS, QUESTION, judges=judges)


def test_a_judge_without_a_price_costs_nothing() -> None:
    assert estimate(TEXTS, QUESTION, models=Models(encoder="tfidf", judge="recorded")).spent is None
