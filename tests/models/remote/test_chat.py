"""The generator over a chat server: against servers that misbehave, and (marked) a real llama.cpp server."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from guard_desk.errors import Cancelled, RemoteError
from guard_desk.models.remote.chat import ChatGenerator
from guard_desk.models.remote.client import RetryPolicy
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Usage
from tests.models.llama_server import llama_server
from tests.models.remote.server import Handler, Script, Server, in_turn, serving

QUICK = RetryPolicy(attempts=3, first_wait_s=0.01, longest_wait_s=0.02)
TELLS = {"prompt_tokens": 11, "completion_tokens": 3}


def generator_of(server: Server, **changes: Any) -> ChatGenerator:
    return ChatGenerator(server.url, **{"model": "talker", "retry": QUICK, "timeout_s": 20.0, **changes})


def drain(generator: ChatGenerator, prompt: str = "Hi", ctx: RunContext | None = None) -> tuple[list[str], Usage]:
    stream, pieces = generator.generate(prompt, ctx or RunContext()), []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as stop:
            return pieces, stop.value


def failure(script: Script, **changes: Any) -> tuple[RemoteError, list[str], Server]:
    """The error, the pieces that came before it, and the server."""
    pieces: list[str] = []
    with serving(script) as server:
        with pytest.raises(RemoteError) as caught:
            deque(map(pieces.append, generator_of(server, **changes).generate("Hi", RunContext())), maxlen=0)
        return caught.value, pieces, server


def said(text: str | None = None, reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {} if text is None else {"content": text}, "finish_reason": reason}], **more}


def begin(handler: Handler, kind: str = "text/event-stream") -> None:
    handler.send_response(200)
    handler.send_header("content-type", kind)
    handler.send_header("connection", "close")
    handler.end_headers()
    handler.close_connection = True


def send(handler: Handler, *chunks: object) -> None:
    for chunk in chunks:
        raw = chunk if isinstance(chunk, bytes) else f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n".encode()
        handler.wfile.write(raw)
        handler.wfile.flush()


def streaming(*chunks: object, kind: str = "text/event-stream") -> Script:
    def script(handler: Handler, _: int) -> None:
        begin(handler, kind)
        send(handler, *chunks)

    return script


ROLE = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}, "finish_reason": None}]}
WELL = (ROLE, said("Seven "), said("days."), said(reason="stop"), {"choices": [], "usage": TELLS}, "[DONE]")


def test_pieces_come_as_they_are_written_and_usage_is_the_servers() -> None:
    with serving(streaming(*WELL)) as server:
        assert drain(generator_of(server)) == (["Seven ", "days."], Usage(prompt_tokens=11, answer_tokens=3))
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body["stream"] is True
    assert (asked.body["temperature"], asked.body["max_tokens"]) == (0, 512)
    assert asked.body["stream_options"] == {"include_usage": True}


def test_a_piece_is_there_before_the_next_one_is_written() -> None:
    def script(handler: Handler, _: int) -> None:
        begin(handler)
        send(handler, said("first"))
        handler.server.released.wait(20)
        send(handler, said("second", "stop"), "[DONE]")

    with serving(script) as server:
        stream = generator_of(server).generate("Hi", RunContext())
        assert next(stream) == "first"
        server.released.set()
        assert list(stream) == ["second"]


def test_a_lower_limit_is_asked_for_and_told_apart() -> None:
    with serving(streaming(*WELL)) as server:
        long = generator_of(server)
        short = long.limited(24)
        drain(short)
        drain(long)
    assert [asked.body["max_tokens"] for asked in server.asked] == [24, 512]
    assert short.info.revision != long.info.revision


@pytest.mark.parametrize("reason", ["length", "content_filter", "max_tokens"])
def test_an_answer_that_was_cut_is_not_finished(reason: str) -> None:
    with serving(streaming(said("Seven "), said(reason=reason), "[DONE]")) as server:
        pieces, usage = drain(generator_of(server))
    assert (pieces, usage.finished) == (["Seven "], False)


def test_a_server_that_counts_nothing_is_counted() -> None:
    with serving(streaming(said("Seven days."), said(reason="stop"))) as server:
        _, usage = drain(generator_of(server), "How long are backups kept?")
    assert usage == Usage(prompt_tokens=6, answer_tokens=3, estimated=True)


def test_no_name_asks_for_the_first_model() -> None:
    def script(handler: Handler, number: int) -> None:
        if handler.command == "GET":
            handler.reply(200, {"data": [{"id": "first"}, {"id": "second"}]})
        else:
            streaming(*WELL)(handler, number)

    with serving(script) as server:
        generator = generator_of(server, model=None)
        drain(generator)
        drain(generator)
    assert [(asked.method, asked.path) for asked in server.asked][:2] == [("GET", "/v1/models"), ("POST", "/v1/chat/completions")]
    assert [asked.body["model"] for asked in server.asked[1:]] == ["first", "first"]
    assert generator.info.name == "first"


def test_a_character_in_halves_is_whole_again() -> None:
    halves = rb'data: {"choices": [{"delta": {"content": "ok \ud83d"}}]}', rb'data: {"choices": [{"delta": {"content": "\ude42!"}}]}'
    lone = rb'data: {"choices": [{"delta": {"content": " \ud83d"}, "finish_reason": "stop"}]}'
    with serving(streaming(*(half + b"\n\n" for half in (*halves, lone)))) as server:
        pieces, _ = drain(generator_of(server))
    assert pieces == ["ok ", "🙂!", " "]


def test_bytes_of_a_character_in_two_packets() -> None:
    raw = b"data: " + json.dumps(said("七天🙂", "stop"), ensure_ascii=False).encode() + b"\n\n"

    def script(handler: Handler, _: int) -> None:
        begin(handler)
        for place in range(0, len(raw), 7):
            send(handler, raw[place : place + 7])
            time.sleep(0.002)

    with serving(script) as server:
        assert drain(generator_of(server))[0] == ["七天🙂"]


# Servers without streaming, or that take less than was asked.


def whole(text: str | None = "Seven days.", reason: str = "stop") -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": reason}], "usage": TELLS}


def test_a_server_that_does_not_stream_answers_in_one_piece() -> None:
    with serving(in_turn((200, whole(reason="length")))) as server:
        assert drain(generator_of(server)) == (["Seven days."], Usage(prompt_tokens=11, answer_tokens=3, finished=False))


def test_events_under_another_type_are_read() -> None:
    with serving(streaming(*WELL, kind="application/json")) as server:
        assert drain(generator_of(server))[0] == ["Seven ", "days."]


@pytest.mark.parametrize(
    ("status", "words", "missing"),
    [
        (400, {"error": {"message": "Streaming is not supported."}}, {"stream", "stream_options"}),
        (422, {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}, {"stream_options"}),
        (400, {"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model."}}, {"temperature"}),
        (400, {"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}, {"max_tokens"}),
    ],
)
def test_a_server_that_refuses_a_part_is_asked_without_it_from_then_on(status: int, words: object, missing: set[str]) -> None:
    def script(handler: Handler, number: int) -> None:
        body = handler.server.asked[-1].body
        if missing & set(body):
            handler.reply(status, words)
        elif "stream" in body:
            streaming(*WELL)(handler, number)
        else:
            handler.reply(200, whole())

    with serving(script) as server:
        generator = generator_of(server)
        assert "".join(drain(generator)[0]) == "Seven days."
        assert "".join(drain(generator)[0]) == "Seven days."
    assert len(server.asked) == 3
    assert server.asked[-1].body.get("max_tokens", server.asked[-1].body.get("max_completion_tokens")) == 512


def test_what_is_refused_in_every_form_is_told_in_the_end() -> None:
    error, _, server = failure(in_turn((400, {"error": "stream, stream_options, temperature, max_tokens: no"})))
    assert error.status == 400
    assert len(server.asked) == 5


def test_a_prompt_that_is_too_long_names_the_knobs() -> None:
    error, _, server = failure(in_turn((400, {"error": {"message": "the request exceeds the available context size, stream"}})))
    assert "Lower assemble.budget_tokens or assemble.k." in str(error)
    assert len(server.asked) == 1


# Servers that misbehave. Nothing hangs, and what came before is no answer.


def test_a_limit_that_passes_is_waited_for() -> None:
    script = in_turn((429, {"error": "slow down"}, {"retry_after": "0.05"}), (503, b""), (200, whole()))
    with serving(script) as server:
        started = time.monotonic()
        assert drain(generator_of(server))[0] == ["Seven days."]
    assert len(server.asked) == 3
    assert time.monotonic() - started >= 0.05


def test_a_wait_that_is_too_long_fails_at_once() -> None:
    error, _, server = failure(in_turn((429, {"error": "come back tomorrow"}, {"retry_after": "86400"})))
    assert (error.status, error.repeats, len(server.asked)) == (429, True, 1)
    assert "It asks to wait 86400 s." in str(error)


def test_a_server_that_fails_is_named_with_its_words() -> None:
    error, _, server = failure(in_turn((500, {"error": {"message": "out of memory"}})))
    assert "failed (HTTP 500: out of memory)" in str(error)
    assert server.url in str(error)
    assert len(server.asked) == 1


@pytest.mark.parametrize("chunks", [(), (ROLE,), (b": nothing\n\n",), (b'data: {"choices": [{"del',)])
def test_a_stream_that_is_cut_before_the_first_words_is_asked_for_again(chunks: tuple[object, ...]) -> None:
    def script(handler: Handler, number: int) -> None:
        streaming(*(chunks if number < 3 else WELL))(handler, number)

    with serving(script) as server:
        assert drain(generator_of(server))[0] == ["Seven ", "days."]
    assert len(server.asked) == 3
    error, pieces, server = failure(streaming(*chunks))
    assert (pieces, len(server.asked), error.attempts) == ([], 3, 3)
    assert "broke its answer off before the end" in str(error)


@pytest.mark.parametrize("rest", [(), (b'data: {"choices": [{"delta": {"content": "mo',), (b": still here\n\n",)])
def test_a_stream_that_is_cut_later_is_an_error_and_not_asked_for_again(rest: tuple[object, ...]) -> None:
    error, pieces, server = failure(streaming(said("Seven "), *rest))
    assert (pieces, len(server.asked)) == (["Seven "], 1)
    assert "broke its answer off before the end" in str(error)


def test_a_connection_that_breaks_in_the_middle() -> None:
    def script(handler: Handler, _: int) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("content-length", "5000")
        handler.end_headers()
        send(handler, said("Seven "))
        handler.close_connection = True

    error, pieces, server = failure(script)
    assert (pieces, len(server.asked)) == (["Seven "], 1)
    assert "broke the connection off" in str(error)


@pytest.mark.parametrize("chunk", ["{not json", "[1, 2]", '"text"', '{"choices": [{"delta": {"content": 7}}]}', "{" * 100_000])
def test_a_piece_that_is_no_json_of_an_answer(chunk: str) -> None:
    error, pieces, server = failure(streaming(said("Seven "), chunk, said("days", "stop"), "[DONE]"))
    assert (pieces, len(server.asked)) == (["Seven "], 1)
    assert "sent a piece that is no JSON of an answer" in str(error)


@pytest.mark.parametrize("chunk", [{}, {"choices": []}, {"choices": None}, {"choices": [{}]}, {"choices": [{"delta": None}]}, {"x": 1}])
def test_pieces_that_say_nothing_are_passed_over(chunk: object) -> None:
    with serving(streaming(chunk, said("Seven days."), chunk, said(reason="stop"), chunk, "[DONE]")) as server:
        assert drain(generator_of(server))[0] == ["Seven days."]


def test_text_in_parts() -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Seven"}, {"type": "text", "text": " days."}]
    with serving(streaming({"choices": [{"delta": {"content": parts}, "finish_reason": "stop"}]})) as server:
        assert drain(generator_of(server))[0] == ["Seven days."]


def test_an_error_inside_the_stream() -> None:
    told = {"error": {"message": "the engine died", "code": 500}}
    error, pieces, server = failure(streaming(said("Seven "), told, "[DONE]"))
    assert (pieces, len(server.asked), error.status) == (["Seven "], 1, 500)
    assert "failed while it answered: the engine died" in str(error)


def test_an_error_that_may_pass_inside_the_stream_before_the_first_words() -> None:
    def script(handler: Handler, number: int) -> None:
        streaming(*({"error": {"message": "busy", "code": 429}},) if number == 1 else WELL)(handler, number)

    with serving(script) as server:
        assert drain(generator_of(server))[0] == ["Seven ", "days."]
    assert len(server.asked) == 2


@pytest.mark.parametrize("kind", ["text/html", "text/event-stream", "application/json"])
def test_a_web_page_is_no_answer(kind: str) -> None:
    error, _, server = failure(in_turn((200, b"\n <!doctype html><p>Log in</p>", {"content_type": kind})))
    assert "answered a web page" in str(error)
    assert len(server.asked) == 1


@pytest.mark.parametrize("body", [b"{}", b"{nonsense", b'{"choices": [{"message": {"content": null}}]}', b'{"choices": "x"}', b"[]"])
def test_a_whole_reply_that_is_none(body: bytes) -> None:
    error, pieces, _ = failure(in_turn((200, body)))
    assert pieces == []
    assert "without text" in str(error) or "not JSON" in str(error)


# What came instead of an answer


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"<!doctype html><title>Welcome to nginx!</title><p>Hi", "text/html", "a web page (HTTP 200, text/html: “Welcome to nginx! Hi”)"),
        (b"<html><script>var x = 1;</script>\n<p>Sign in</p></html>", "text/html", "text/html: “Sign in”"),
        (b"hello there\n" * 9, "text/plain", "not JSON (HTTP 200, text/plain: “hello there hello there"),
        (b"{nonsense", "application/json", "not JSON (HTTP 200, application/json: “{nonsense”)"),
        (b'{"result": "7 days"}', "application/json", 'without text (HTTP 200, application/json: “{"result": "7 days"}”)'),
        (b'{"error": true}', "application/json", 'failed while it answered: HTTP 200, application/json: “{"error": true}”'),
        (b"\x00\x1b[2J", "", "HTTP 200, no content type: “[2J”"),
    ],
)
def test_what_came_instead_of_an_answer_is_shown(body: bytes, kind: str, words: str) -> None:
    error, pieces, server = failure(in_turn((200, body, {"content_type": kind})))
    assert (pieces, len(server.asked)) == ([], 1)
    assert words.replace("\\", "") in str(error)
    assert "\x1b" not in str(error)


@pytest.mark.parametrize(
    ("chunks", "words"),
    [
        (("not json at all",), "no JSON of an answer (HTTP 200, text/event-stream: “not json at all”)"),
        (({"x": 1}, "[DONE]"), 'a stream without an answer (HTTP 200, text/event-stream: “{"x": 1}”)'),
        (("[DONE]",), "a stream without an answer (HTTP 200, text/event-stream: “[DONE]”)"),
        ((b"lorem ipsum\ndolor\n",), "not JSON (HTTP 200, text/event-stream: “lorem ipsum dolor”)"),
    ],
)
def test_a_stream_of_nonsense_is_shown(chunks: tuple[object, ...], words: str) -> None:
    error, pieces, server = failure(streaming(*chunks))
    assert (pieces, len(server.asked)) == ([], 1)
    assert words in str(error)


def test_a_stream_of_nonsense_that_breaks_off_is_shown() -> None:
    error, _, _ = failure(streaming({"x": 1}))
    assert 'broke its answer off before the end (HTTP 200, text/event-stream: “{"x": 1}”)' in str(error)


def test_an_answer_of_no_words_is_an_answer() -> None:
    with serving(streaming(said(""), said(reason="stop"), "[DONE]")) as server:
        assert drain(generator_of(server))[0] == []


def test_what_is_shown_is_short() -> None:
    error, _, _ = failure(in_turn((200, b"word " * 100_000, {"content_type": "text/plain; " + "x" * 500})))
    assert len(str(error)) < 400


@pytest.mark.parametrize("body", [b"your key is sk-not-shown", b"<p>sk-not-shown", b'{"key": "sk-not-shown"}', b"your key: sk-not-sh"])
@pytest.mark.parametrize("kind", ["text/plain", "text/html; key=sk-not-shown"])
def test_what_is_shown_holds_no_key(body: bytes, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-not-shown")
    error, _, _ = failure(in_turn((200, body, {"content_type": kind})))
    assert "sk-" not in str(error)
    assert "[key]" in str(error)


def test_a_redirect_is_not_followed() -> None:
    error, _, server = failure(in_turn((302, b"", {"location": "https://elsewhere.example/"})))
    assert "does not follow with your texts and key" in str(error)
    assert len(server.asked) == 1


PING, EMPTY = b": ping\n\n", b'data: {"choices": []}\n\n'


@pytest.mark.parametrize(
    ("before", "drip", "written"),
    [((), b"", []), ((), EMPTY, []), ((ROLE,), PING, []), ((said("Seven "),), b"", ["Seven "]), ((said("Seven "),), PING, ["Seven "])],
)
def test_silence_ends_also_where_it_is_no_silence(before: tuple[object, ...], drip: bytes, written: list[str]) -> None:
    def script(handler: Handler, _: int) -> None:
        begin(handler)
        send(handler, *before)
        while not handler.server.released.wait(0.05):
            send(handler, drip)

    error, pieces, server = failure(script, timeout_s=2.0)
    assert "did not answer within 2 s" in str(error)
    assert (pieces, len(server.asked)) == (written, 1)


def test_a_server_that_does_not_even_answer() -> None:
    error, _, server = failure(lambda handler, _: handler.server.released.wait(20) and None, timeout_s=2.0)
    assert "did not answer within 2 s" in str(error)
    assert len(server.asked) == 1


def test_nobody_there() -> None:
    with serving(in_turn((200, whole()))) as server:
        generator = generator_of(server)
    with pytest.raises(RemoteError, match="cannot be reached"):
        drain(generator)


def test_a_server_that_ignores_the_limit_is_not_read_for_ever() -> None:
    left = threading.Event()

    def script(handler: Handler, _: int) -> None:
        begin(handler)
        try:
            while not handler.server.released.is_set():
                send(handler, said("and "))
        finally:
            left.set()

    with serving(script) as server:
        pieces, usage = drain(generator_of(server, answer_tokens=10))
        assert left.wait(10), "the connection was not left"
    assert len(pieces) == 41
    assert not usage.finished


def test_thoughts_alone_are_no_answer() -> None:
    thought = {"choices": [{"delta": {"reasoning_content": "Hmm."}, "finish_reason": None}]}
    with serving(streaming(thought, said("Seven days.", "stop"))) as server:
        assert drain(generator_of(server))[0] == ["Seven days."]
    error, _, server = failure(streaming(thought, said(reason="length"), "[DONE]"))
    assert "wrote thoughts and no answer within 512 tokens" in str(error)
    assert len(server.asked) == 1


def test_a_cancel_ends_it_at_once_and_the_server_sees_it() -> None:
    left = threading.Event()

    def script(handler: Handler, _: int) -> None:
        begin(handler)
        send(handler, said("Seven "))
        try:
            while not handler.server.released.wait(0.05):
                send(handler, said("more "))
        finally:
            left.set()

    token = CancelToken()
    with serving(script) as server:
        stream = generator_of(server).generate("Hi", RunContext(token=token))
        next(stream)
        token.cancel()
        with pytest.raises(Cancelled):
            deque(stream, maxlen=0)
        assert left.wait(10), "the server went on writing"


@pytest.mark.parametrize("script", [lambda h, _: h.server.released.wait(20) and None, in_turn((429, b"", {"retry_after": "30"}))])
def test_a_cancel_ends_a_silence_and_a_wait(script: Script) -> None:
    token = CancelToken()
    with serving(script) as server:
        threading.Timer(0.2, token.cancel).start()
        with pytest.raises(Cancelled):
            drain(generator_of(server), ctx=RunContext(token=token))
        assert not server.released.is_set(), "the server answered"


KEY = "sk-very-secret-words"


def _echo(status: int) -> Callable[[Handler, int], None]:
    def script(handler: Handler, number: int) -> None:
        told = {"error": {"message": f"bad key {handler.headers['authorization']}", "code": status}}
        if status == 401:
            handler.reply(401, told)
        else:
            streaming(said("Seven "), told)(handler, number)

    return script


@pytest.mark.parametrize("status", [401, 500])
def test_the_key_is_sent_and_in_no_text(status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("GUARD_DESK_API_KEY", KEY)
    with caplog.at_level(logging.DEBUG):
        error, _, server = failure(_echo(status))
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert "bad key Bearer [key]" in str(error)
    assert KEY not in f"{error!r} {error} {error.__cause__!r} {caplog.text}"


def test_a_border_of_the_template_in_a_passage_is_only_text() -> None:
    with serving(streaming(*WELL)) as server:
        drain(generator_of(server), "a <|im_end|> b")
    assert server.asked[0].body["messages"][0]["content"] == "a < |im_end|> b"


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    with llama_server(context_tokens=1024) as address:
        yield address


@pytest.mark.models
def test_a_llama_cpp_server_streams_and_counts(llama: str) -> None:
    generator = ChatGenerator(llama, timeout_s=200.0)
    pieces, usage = drain(generator, "What is the capital of France? Answer in one word.")
    assert "Paris" in "".join(pieces)
    assert usage.finished
    assert usage.prompt_tokens > 10
    assert len(pieces) <= usage.answer_tokens <= len(pieces) + 2
    assert "smollm2" in generator.info.name.lower()


@pytest.mark.models
def test_a_llama_cpp_server_cuts_at_the_limit(llama: str) -> None:
    pieces, usage = drain(ChatGenerator(llama, timeout_s=200.0).limited(5), "Count from one to fifty in words.")
    assert (usage.answer_tokens, usage.finished) == (5, False)
    assert pieces


@pytest.mark.models
def test_a_llama_cpp_server_refuses_what_it_cannot_read(llama: str) -> None:
    with pytest.raises(RemoteError, match=r"context size.*Lower assemble\.budget_tokens or assemble\.k"):
        drain(ChatGenerator(llama, timeout_s=200.0), "word " * 2000)


@pytest.mark.models
def test_a_llama_cpp_server_is_free_again_after_a_cancel(llama: str) -> None:
    generator, token = ChatGenerator(llama, timeout_s=200.0), CancelToken()
    stream = generator.generate("Tell me a long story about a lighthouse.", RunContext(token=token))
    next(stream)
    token.cancel()
    with pytest.raises(Cancelled):
        deque(stream, maxlen=0)
    assert "Paris" in "".join(drain(generator, "What is the capital of France? Answer in one word.")[0])
