"""The judge over a language model: against servers that misbehave, and (marked) a real llama.cpp server."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from guard_desk.errors import Cancelled, InputError, RemoteError
from guard_desk.models.judges.llm import LlmJudge, load
from guard_desk.policy import Thresholds
from guard_desk.progress import CancelToken, RunContext
from guard_desk.records import Passage, Query
from guard_desk.records.evidence import Answers, Judgement, Question
from guard_desk.records.judging import JudgeSettings
from guard_desk.stages.judge import pair_key
from tests.builders import passages
from tests.models.llama_server import llama_server

QUERY = Query(text="How long are backups kept?")
Responder = Callable[[dict[str, Any]], tuple[int, Any]]


class LoopbackServer:
    """Answers chat requests as the test says, and remembers them."""

    def __init__(self) -> None:
        self.respond: Responder = lambda body: (200, said("yes 80"))
        self.models: Any = {"data": [{"id": "talker"}]}
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner.paths.append(self.path)
                self._send(200, owner.models)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.paths.append(self.path)
                owner.bodies.append(body)
                owner.gate.wait(20)
                self._send(*owner.respond(body))

            def _send(self, status: int, data: Any) -> None:
                content = data if isinstance(data, bytes) else json.dumps(data).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Quiet."""

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """A client that was cancelled is gone: no news."""

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}"

    def close(self) -> None:
        self.gate.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    running = LoopbackServer()
    yield running
    running.close()


def said(text: str | None, *, yes: float | None = None, usage: dict[str, Any] | None = None) -> dict[str, Any]:
    choice: dict[str, Any] = {"message": {"role": "assistant", "content": text}}
    if yes is not None:
        top = [{"token": "yes", "logprob": math.log(yes)}, {"token": "no", "logprob": math.log(1 - yes)}]
        choice["logprobs"] = {"content": [{"token": "yes", "logprob": math.log(yes), "top_logprobs": top}]}
    return {"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 3} if usage is None else usage}


def question_of(body: dict[str, Any]) -> Question:
    asked = body["messages"][1]["content"]
    from guard_desk.models.judges.wordings import shipped_wordings

    return next(question for question in Question if getattr(shipped_wordings(), question.value).text in asked)


def judge_of(server: LoopbackServer, **settings: Any) -> LlmJudge:
    return load(JudgeSettings(**{"target": f"{server.address}/v1", "model": "talker", **settings}), "cpu")


def judged(judge: LlmJudge, *pool: Passage, ctx: RunContext | None = None) -> list[Judgement]:
    return list(judge.judge(QUERY, pool, [0.0] * len(pool), ctx or RunContext()))


def test_four_questions_in_order_with_token_probabilities(server: LoopbackServer) -> None:
    shares = {Question.RELEVANT: 0.9, Question.EVIDENCE: 0.6, Question.CONTRADICTS: 0.2, Question.INJECTION: 0.1}
    server.respond = lambda body: (200, said("yes", yes=shares[question_of(body)]))
    judge = judge_of(server, concurrency=8, price_input=1.0)
    pool = passages(*(f"Backups are kept {number} days." for number in range(6)))
    found = judged(judge, *pool)
    assert [judgement.passage_id for judgement in found] == [passage.id for passage in pool]
    assert {judgement.answers for judgement in found} == {Answers(relevant=0.9, evidence=0.6, contradicts=0.2, injection=0.1)}
    assert {reason.rule for reason in found[0].reasons} == {"token probability"}
    assert len(server.bodies) == 24
    assert server.bodies[0].keys() == {"model", "messages", "max_tokens", "temperature", "logprobs", "top_logprobs"}
    assert (server.bodies[0]["temperature"], server.bodies[0]["model"]) == (0, "talker")
    assert (judge.spent.requests, judge.spent.input_tokens, judge.spent.output_tokens) == (24, 2400, 72)
    assert judge.spent.cost == pytest.approx(0.0024)
    assert not judge.spent.estimated
    assert "not calibrated" not in judge.info.detail


def test_a_server_without_token_probabilities_is_shown_as_not_calibrated(server: LoopbackServer) -> None:
    judge = judge_of(server)
    (found,) = judged(judge, *passages("Backups are kept."))
    assert found.answers == Answers(relevant=0.8, evidence=0.8, contradicts=0.8, injection=0.8)
    assert all(reason.rule == "not calibrated" and "not calibrated" in reason.detail for reason in found.reasons)
    assert "not calibrated" in judge.info.detail


def test_a_server_that_refuses_to_be_asked_for_them_is_asked_without(server: LoopbackServer) -> None:
    def respond(body: dict[str, Any]) -> tuple[int, Any]:
        return (400, {"error": {"message": "unknown field logprobs"}}) if "logprobs" in body else (200, said("no 10"))

    server.respond = respond
    judge = judge_of(server, concurrency=1)
    first, second = judged(judge, *passages("a", "b"))
    assert first.answers == second.answers == Answers(relevant=0.1, evidence=0.1, contradicts=0.1, injection=0.1)
    # Refused once; then it is known.
    assert len(server.bodies) == 9
    assert judge.spent.requests == 9


def test_chatty_text_is_not_judged_and_costs_the_others_nothing(server: LoopbackServer) -> None:
    chatty = "Well, let me think about <b>that</b> \x1b[31m passage"
    server.respond = lambda body: (200, said(chatty if "second" in body["messages"][1]["content"] else "yes 70"))
    first, second, third = judged(judge_of(server), *passages("first", "second", "third"))
    assert first.answers
    assert third.answers
    assert second.answers is None
    assert second.error is not None
    assert "Asked about relevant, talker wrote “Well, let me think" in second.error
    assert "\x1b" not in second.error


def test_a_refusal_is_not_judged(server: LoopbackServer) -> None:
    server.respond = lambda body: (200, {"choices": [{"message": {"content": None, "refusal": "I must not."}}]})
    (found,) = judged(judge_of(server), *passages("a"))
    assert found.error is not None
    assert "talker refused: “I must not.”" in found.error


@pytest.mark.parametrize("data", [[], {"choices": []}, b"<html>", {"answer": 1}])
def test_replies_that_are_none_are_not_judged(server: LoopbackServer, data: Any) -> None:
    server.respond = lambda body: (200, data)
    (found,) = judged(judge_of(server), *passages("a"))
    assert found.answers is None
    assert found.error


def test_a_server_that_fails_is_named_and_not_asked_for_ever(server: LoopbackServer) -> None:
    server.respond = lambda body: (500, {"error": {"message": "out of memory"}})
    found = judged(judge_of(server, concurrency=1), *passages(*["a"] * 30))
    assert [judgement.answers for judgement in found] == [None] * 30
    assert all(judgement.error and "HTTP 500: out of memory" in judgement.error for judgement in found)
    assert len(server.bodies) == 5


def test_a_refused_key_ends_the_asking(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_API_KEY", "secret-key")
    server.respond = lambda body: (401, {"error": {"message": "bad key secret-key"}})
    found = judged(judge_of(server, concurrency=1), *passages("a", "b"))
    assert len(server.bodies) == 1
    assert all(judgement.error and "secret-key" not in judgement.error for judgement in found)


def test_a_server_that_counts_no_tokens_makes_an_estimate(server: LoopbackServer) -> None:
    server.respond = lambda body: (200, said("yes 80", usage={}))
    judge, pool = judge_of(server), passages("Backups are kept.")
    judged(judge, *pool)
    estimate = judge.estimate(QUERY, pool)
    assert judge.spent.estimated
    assert estimate.estimated
    assert (judge.spent.input_tokens, judge.spent.requests) == (estimate.input_tokens, estimate.requests)
    assert estimate.requests == 4
    assert estimate.input_tokens > 400


def test_a_cancel_leaves_requests_behind_and_keeps_what_was_answered(server: LoopbackServer) -> None:
    token = CancelToken()
    judge = judge_of(server, concurrency=2)
    stream = judge.judge(QUERY, passages(*["a"] * 20), [0.0] * 20, RunContext(token=token))
    assert next(stream).answers
    server.gate.clear()
    threading.Timer(0.05, token.cancel).start()
    with pytest.raises(Cancelled):
        list(stream)
    assert len(server.bodies) < 80


def test_addresses_and_models(server: LoopbackServer) -> None:
    bare = load(JudgeSettings(target=server.address), "cpu")
    judged(bare, *passages("a"))
    assert server.paths[:2] == ["/v1/models", "/v1/chat/completions"]
    assert server.bodies[0]["model"] == "talker"
    judged(load(JudgeSettings(target=f"{server.address}/openai/v4/chat/completions", model="m"), "cpu"), *passages("a"))
    assert server.paths[-1] == "/openai/v4/chat/completions"
    server.models = {"data": []}
    with pytest.raises(InputError, match="lists no models"):
        load(JudgeSettings(target=server.address), "cpu")
    with pytest.raises(InputError, match="has no server"):
        load(JudgeSettings(), "cpu")
    server.models = b"<html>"
    with pytest.raises(RemoteError, match="a web page"):
        load(JudgeSettings(target=server.address), "cpu")


def test_keys_hold_the_prompts_and_the_judge_names_model_and_server(server: LoopbackServer) -> None:
    (passage,) = passages("Backups are kept.")
    judge = judge_of(server)
    material = judge.key_material(QUERY, passage)
    assert len(material) == 4
    assert all("Backups are kept." in part for part in material)

    def key(other: LlmJudge) -> str:
        return pair_key(other, QUERY, passage, 0.5)

    assert key(judge) == key(judge_of(server, concurrency=9))
    assert key(judge) != key(judge_of(server, model="other"))
    assert key(judge) != key(judge_of(server, target=f"{server.address}/other/v1"))
    judged(judge, passage)
    assert key(judge) == key(judge_of(server))
    assert judge.thresholds == Thresholds()


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    with llama_server(context_tokens=4096, at_once=2) as address:
        yield address


@pytest.mark.models
def test_a_llama_cpp_server_answers_with_token_probabilities(llama: str) -> None:
    judge = load(JudgeSettings(target=llama, concurrency=2, timeout_s=300.0), "cpu")
    pool = passages("Backups are kept for seven days.", "The cat <|im_end|> sleeps.")
    found = judged(judge, *pool)
    for judgement in found:
        assert judgement.error is None
        assert judgement.answers is not None
        assert all(0 <= getattr(judgement.answers, question.value) <= 1 for question in Question)
        assert {reason.question for reason in judgement.reasons} == set(Question)
    assert "token probability" in {reason.rule for judgement in found for reason in judgement.reasons}
    assert (judge.spent.requests, judge.spent.estimated) == (8, False)
    estimate = judge.estimate(QUERY, pool)
    assert judge.spent.input_tokens == pytest.approx(estimate.input_tokens, rel=0.25)


@pytest.mark.models
def test_a_passage_that_a_llama_cpp_server_cannot_read_is_not_judged(llama: str) -> None:
    judge = load(JudgeSettings(target=llama, concurrency=1, timeout_s=300.0), "cpu")
    (found,) = judged(judge, *passages("word " * 6000))
    assert found.answers is None
    assert found.error is not None
    assert "exceeds the available context size" in found.error
