from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import pytest
from jevcompat.mock import FAULTS

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.judges import load_judge
from guard_desk.models.judges.spending import SAME_FAILURES
from guard_desk.models.judges.systemone import SystemOneJudge, load
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Judgement, Question
from guard_desk.records.judging import JudgeSettings, RemoteForm, Spent
from tests.builders import passages
from tests.models.judges.decision_server import deciding
from tests.models.remote.server import Handler, in_turn, serving

QUERY = Query(text="How long are backups kept?")
POOL = passages("One.", "Two.", "Three.", "Four.", "Five.", "Six.")
GOOD = {"model": "m-1", "usage": {"input_tokens": 100, "output_tokens": 4}}
NO_ANSWERS = {"first-question-only": "missing", "boolean-type": "instead of", "noul-range": "not between", "wrong-route": "404"} | {
    "reject-jev-latest": "404"
}


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GUARD_DESK_API_KEY", "TYPESAFE_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("keyring.get_password", lambda service, user: None)


def ask(judge: SystemOneJudge, pool: Sequence[Passage] = POOL, ctx: RunContext | None = None) -> list[Judgement]:
    return list(judge.judge(QUERY, pool, [0.5] * len(pool), ctx or RunContext()))


def good(value: float = 0.5, **rest: object) -> dict[str, object]:
    return {**GOOD, "answers": {question.value: {"type": "noul", "noul": value} for question in Question}, **rest}


def settings_for(url: str, **changes: object) -> JudgeSettings:
    return replace(JudgeSettings(target=url, model="m", timeout_s=20.0), **changes)


def test_every_passage_is_answered_in_order_with_the_models_name() -> None:
    with deciding() as server:
        judge = load(JudgeSettings(target=server.url + "/v1/systemone"), "auto")
        judgements = ask(judge)
        assert server.config.requests == len(POOL)
    assert [judgement.passage_id for judgement in judgements] == [passage.id for passage in POOL]
    assert len({judgement.answers for judgement in judgements}) == len(POOL)
    assert all(reason.detail.startswith("jevcompat-mock-0.1 answered") for judgement in judgements for reason in judgement.reasons)
    assert [reason.question for reason in judgements[0].reasons] == list(Question)
    assert judge.thresholds == Thresholds()


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_every_fault_of_a_server_leaves_answers_or_a_plain_error(fault: str) -> None:
    with deciding(fault) as server:
        if fault == "xssi-200":
            with pytest.raises(RemoteError, match="not JSON"):
                load(JudgeSettings(target=server.url), "auto")
            judge = load(JudgeSettings(target=server.url, model="mock"), "auto")
        else:
            judge = load(JudgeSettings(target=server.url), "auto")
        judgements = ask(judge)
    expected = {**NO_ANSWERS, "xssi-200": "not JSON"}.get(fault)
    for judgement in judgements:
        if expected is None:
            assert judgement.answers is not None
        else:
            assert judgement.answers is None
            assert expected in judgement.error


def test_answers_do_not_depend_on_the_other_passages_or_their_order() -> None:
    with deciding() as server:
        judge = load(JudgeSettings(target=server.url), "auto")
        by_id = {judgement.passage_id: judgement.answers for judgement in ask(judge)}
        assert {j.passage_id: j.answers for j in ask(judge, POOL[::-1])} == by_id
        assert ask(judge, POOL[2:3])[0].answers == by_id[POOL[2].id]


def test_a_busy_server_is_asked_again_and_requests_are_counted() -> None:
    with deciding(busy_every=3) as server:
        judge = load(JudgeSettings(target=server.url, concurrency=1), "auto")
        assert all(judgement.answers for judgement in ask(judge))
        assert judge.spent.requests == server.config.requests == 8


@pytest.mark.parametrize("key", [None, "sk-wrong"])
def test_a_missing_or_wrong_key_stops_at_once_and_says_how_to_set_one(key: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if key:
        monkeypatch.setenv("GUARD_DESK_API_KEY", key)
    pool = passages(*map(str, range(50)))
    with deciding(key="sk-right") as server:
        judgements = ask(load(settings_for(server.url, model="mock"), "auto"), pool)
    assert len({judgement.error for judgement in judgements}) == 1
    assert "GUARD_DESK_API_KEY" in judgements[0].error
    assert "sk-" not in judgements[0].error


def test_the_right_key_is_read_when_it_is_used_and_is_in_no_text(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with deciding(key="sk-right-1") as server:
        judge = load(settings_for(server.url, model="mock"), "auto")
        monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-right-1")
        judgements = ask(judge)
    assert all(judgement.answers for judgement in judgements)
    texts = [repr(vars(judge)), repr(judge.info), repr(judgements), caplog.text, *judge.key_material(QUERY, POOL[0])]
    assert not any("sk-right-1" in text for text in texts)


def test_no_more_credit_keeps_what_was_answered_and_asks_no_more() -> None:
    with serving(in_turn((200, good()), (200, good()), (402, {"detail": "Out of credit"}))) as server:
        judgements = ask(load(settings_for(server.url, concurrency=1), "auto"))
        assert len(server.asked) == 3
    assert [judgement.answers is not None for judgement in judgements] == [True, True, False, False, False, False]
    assert all("Out of credit" in judgement.error for judgement in judgements[2:])


def test_a_fault_of_one_passage_leaves_the_others_alone() -> None:
    def by_text(handler: Handler, number: int) -> None:
        text = handler.server.asked[number - 1].body["state"]["passage"]["text"]
        faulty = {
            "One.": (413, {"detail": "too many tokens"}),
            "Two.": (422, {"detail": [{"loc": ["body", "state"], "msg": "bad", "input": "Two."}]}),
            "Three.": (500, b"<html>oops"),
            "Four.": (200, b"{"),
            "Five.": (200, good(float("nan"))),
        }
        handler.reply(*faulty.get(text, (200, good())))

    with serving(by_text) as server:
        judgements = ask(load(settings_for(server.url, concurrency=1), "auto"))
    words = ["too many tokens", "body.state: bad", "HTTP 500", "not JSON", "instead of a probability"]
    assert all(word in judgement.error for word, judgement in zip(words, judgements, strict=False))
    assert judgements[5].answers is not None
    assert "oops" not in judgements[2].error


def test_the_same_failure_again_and_again_ends_the_asking() -> None:
    pool = passages(*map(str, range(40)))
    with serving(in_turn((500, {"detail": "CUDA error"}))) as server:
        judgements = ask(load(settings_for(server.url, concurrency=1), "auto"), pool)
        assert len(server.asked) == SAME_FAILURES
    assert all("CUDA error" in judgement.error for judgement in judgements)


def test_too_long_passages_in_a_row_do_not_end_the_asking() -> None:
    pool = passages(*map(str, range(20)))
    with serving(in_turn((413, {}))) as server:
        ask(load(settings_for(server.url, concurrency=1), "auto"), pool)
        assert len(server.asked) == 20


def test_a_server_that_is_not_there_is_said_for_all() -> None:
    with serving(in_turn((200, {}))) as server:
        pass
    judgements = ask(load(settings_for(server.url), "auto"), passages(*map(str, range(100))))
    assert all("cannot be reached" in judgement.error for judgement in judgements)


def test_a_key_over_an_open_line_is_not_sent_and_said_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-1")
    judgements = ask(load(settings_for("http://192.0.2.1"), "auto"))
    assert all("not encrypted" in judgement.error for judgement in judgements)


def test_at_most_so_many_requests_at_one_time() -> None:
    def slow(handler: Handler, number: int) -> None:
        handler.server.released.wait(0.01)
        handler.reply(200, good())

    with serving(slow) as server:
        ask(load(settings_for(server.url, concurrency=3), "auto"), passages(*map(str, range(30))))
        assert 1 < server.busiest <= 3


def test_what_was_spent_is_the_servers_count_at_the_users_prices() -> None:
    with serving(in_turn((200, good()))) as server:
        judge = load(settings_for(server.url, price_input=2.0, price_output=10.0), "auto")
        assert judge.spent == Spent(cost=0.0)
        ask(judge)
        assert judge.spent == Spent(requests=6, input_tokens=600, output_tokens=24, cost=pytest.approx(600 * 2e-6 + 24 * 1e-5))
        ask(judge, POOL[:1])
        assert judge.spent.requests == 1


def test_answers_that_cannot_be_used_are_paid_too() -> None:
    with serving(in_turn((200, good(7.0)))) as server:
        judge = load(settings_for(server.url), "auto")
        assert all(judgement.answers is None for judgement in ask(judge))
    assert judge.spent == Spent(requests=6, input_tokens=600, output_tokens=24)


def test_without_the_servers_count_the_estimate_stands_in_and_says_so() -> None:
    with serving(in_turn((200, good(usage=None)))) as server:
        judge = load(settings_for(server.url, price_input=1.0), "auto")
        expected = judge.estimate(QUERY, POOL)
        ask(judge)
    assert judge.spent == expected
    assert expected.estimated


def test_the_estimate_counts_wordings_and_passages_and_sends_nothing() -> None:
    with serving(in_turn((200, good()))) as server:
        judge = load(settings_for(server.url, price_input=1.0), "auto")
        small, large = judge.estimate(QUERY, POOL[:1]), judge.estimate(QUERY, passages("word " * 1000))
        assert server.asked == []
    assert small.input_tokens > 300
    assert 900 < large.input_tokens - small.input_tokens < 1100
    assert judge.estimate(QUERY, POOL).requests == 6
    assert small.cost == pytest.approx(small.input_tokens / 1e6)
    assert load(settings_for("http://localhost"), "auto").estimate(QUERY, POOL).cost is None


def test_the_estimate_is_near_what_the_mock_counts() -> None:
    with deciding() as server:
        judge = load(JudgeSettings(target=server.url), "auto")
        ask(judge)
        assert judge.estimate(QUERY, POOL).input_tokens == pytest.approx(judge.spent.input_tokens, rel=0.2)


def test_openrouters_form_its_path_model_and_rounding() -> None:
    with serving(in_turn((200, good(0.7)), (200, good(0.69)))) as server:
        judge = load(JudgeSettings(target=server.url + "/api/v1", form=RemoteForm.OPENROUTER, concurrency=1), "auto")
        at_threshold, below = ask(judge, POOL[:2])
    assert [(asked.path, asked.body["model"]) for asked in server.asked] == [("/api/alpha/decisions", "typesafe/jev-1.13")] * 2
    assert "rounded to 2 decimals" in judge.info.detail
    assert at_threshold.reasons[0].detail == "m-1 answered 0.70, rounded to 2 decimals."
    assert at_threshold.uncertain == (Question.CONTRADICTS, Question.INJECTION)
    assert below.uncertain == ()


def test_servers_that_are_not_named() -> None:
    assert "api.typesafe.ai" in load(JudgeSettings(model="m"), "auto").info.revision
    assert "openrouter.ai" in load(JudgeSettings(form=RemoteForm.OPENROUTER), "auto").info.revision


def test_the_key_holds_all_that_is_sent_and_not_the_passages_id() -> None:
    judge = load(settings_for("http://localhost"), "auto")
    passage = Passage(id="a", text="Text.", title="T", source_type="email")
    key = judge.key_material(QUERY, passage)
    assert judge.key_material(QUERY, replace(passage, id="b", source="elsewhere", date="2026-01-01")) == key
    others = [replace(passage, text="Text!"), replace(passage, title=None), replace(passage, source_type=None)]
    changed = replace(shipped_wordings().injection, yes=("Other.",))
    reworded = load(settings_for("http://localhost", wordings=replace(shipped_wordings(), injection=changed)), "auto")
    keys = [judge.key_material(QUERY, other) for other in others]
    keys += [judge.key_material(Query(text="Why?"), passage), reworded.key_material(QUERY, passage)]
    assert len({key, *keys}) == 6


def test_the_revision_names_server_model_and_form() -> None:
    base = settings_for("http://localhost:1")
    others = [replace(base, model="n"), replace(base, target="http://localhost:2"), replace(base, form=RemoteForm.OPENROUTER)]
    assert len({load(settings, "auto").info.revision for settings in [base, *others]}) == 4
    same = replace(base, concurrency=9, timeout_s=5.0, price_input=3.0)
    assert load(same, "auto").info == load(base, "auto").info


@pytest.mark.parametrize(
    "changes", [{"concurrency": 0}, {"concurrency": 65}, {"timeout_s": 0.0}, {"timeout_s": float("nan")}, {"target": "nowhere"}]
)
def test_settings_out_of_range_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        load(settings_for("http://localhost", **changes), "auto")


def test_it_is_loaded_by_name_and_address() -> None:
    judge = load_judge("systemone:http://localhost:9", settings=JudgeSettings(model="m"))
    assert judge.info.name == "systemone"
    assert "localhost:9" in judge.info.revision
