from __future__ import annotations

import email.utils
import logging
import threading
import time
from collections.abc import Iterator

import pytest

from guard_desk.errors import Cancelled, InputError, RemoteError
from guard_desk.models.remote import client as module
from guard_desk.models.remote.address import parse_address
from guard_desk.models.remote.client import RemoteClient, RetryPolicy
from guard_desk.models.remote.keys import Key
from guard_desk.progress import CancelToken, RunContext
from tests.models.remote.server import Handler, Server, in_turn, serving

KEY = Key("sk-secret-0123", "environment variable X")
QUICK = RetryPolicy(first_wait_s=0.001, longest_wait_s=0.002)


def client_of(server: Server, **changes: object) -> RemoteClient:
    return RemoteClient(**{"address": parse_address(server.url), "retry": QUICK, "timeout_s": 20.0, **changes})


def failure(server: Server, **changes: object) -> RemoteError:
    with client_of(server, **changes) as client, pytest.raises(RemoteError) as caught:
        client.request("POST", "/v1/x", {"a": 1}, ctx=RunContext())
    return caught.value


def test_a_request_carries_json_and_the_bearer_key() -> None:
    with serving(in_turn((200, {"ok": "ü"}))) as server, client_of(server, key=KEY) as client:
        reply = client.request("POST", "/v1/x", {"text": "ä\ud800"}, ctx=RunContext())
    assert (reply.data, reply.attempts, client.sent) == ({"ok": "ü"}, 1, 1)
    asked = server.asked[0]
    assert (asked.method, asked.path, asked.body) == ("POST", "/v1/x", {"text": "ä?"})
    assert asked.headers["authorization"] == "Bearer sk-secret-0123"
    assert asked.headers["user-agent"].startswith("guard-desk/")


def test_no_key_sends_no_header() -> None:
    with serving(in_turn((200, {}))) as server, client_of(server) as client:
        client.request("GET", "/v1/models", ctx=RunContext())
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("status", [429, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    with serving(in_turn((status, {}), (status, {}), (200, {"ok": 1}))) as server, client_of(server) as client:
        reply = client.request("POST", "/v1/x", {}, ctx=RunContext())
    assert (reply.attempts, client.sent, len(server.asked)) == (3, 3, 3)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 500])
def test_what_stays_is_not_tried_again(status: int) -> None:
    with serving(in_turn((status, {"detail": "no"}))) as server:
        error = failure(server)
    assert (error.status, error.attempts, len(server.asked)) == (status, 1, 1)


def test_retries_come_to_an_end() -> None:
    with serving(in_turn((529, {}))) as server:
        error = failure(server)
    assert (error.attempts, len(server.asked)) == (QUICK.attempts, QUICK.attempts)
    assert "overloaded" in str(error)


def test_retry_after_in_seconds_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(in_turn((429, {}, {"retry_after": "0.3"}), (200, {}))) as server, client_of(server) as client:
        started = time.monotonic()
        client.request("POST", "/v1/x", {}, ctx=RunContext())
        assert time.monotonic() - started >= 0.3


def test_retry_after_holds_back_the_other_requests_too() -> None:
    with serving(in_turn((429, {}, {"retry_after_ms": "400"}), (200, {}))) as server, client_of(server) as client:
        started = time.monotonic()
        first = threading.Thread(target=lambda: client.send("POST", "/a", {}, ctx=RunContext()))
        first.start()
        while not client._pause_until:
            time.sleep(0.005)
        client.send("POST", "/b", {}, ctx=RunContext())
        assert time.monotonic() - started >= 0.4
        first.join()
    assert server.asked[0].path == "/a"


def test_a_wait_beyond_the_cap_is_not_waited_for() -> None:
    later = email.utils.formatdate(time.time() + 7200, usegmt=True)
    with serving(in_turn((429, {}, {"retry_after": later}))) as server:
        error = failure(server)
    assert error.repeats
    assert len(server.asked) == 1
    assert "It asks to wait 7" in str(error)


def test_a_cancel_ends_a_wait_at_once() -> None:
    token = CancelToken()
    with serving(in_turn((429, {}, {"retry_after": "50"}))) as server, client_of(server) as client:
        threading.Timer(0.1, token.cancel).start()
        with pytest.raises(Cancelled):
            client.send("POST", "/v1/x", {}, ctx=RunContext(token=token))
    assert len(server.asked) == 1


def test_a_cancel_leaves_a_request_in_flight_behind() -> None:
    token = CancelToken()

    def never(handler: Handler, number: int) -> None:
        token.cancel()
        handler.server.released.wait(60)

    with serving(never) as server, client_of(server, timeout_s=60.0) as client:
        with pytest.raises(Cancelled):
            client.request("POST", "/v1/x", {}, ctx=RunContext(token=token))
        assert not server.released.is_set()


def test_a_server_that_says_nothing_is_a_timeout() -> None:
    with serving(lambda handler, number: handler.server.released.wait(60)) as server:
        error = failure(server, timeout_s=0.2)
        server.released.set()
    assert "did not answer within 0.2 s" in str(error)
    assert (error.attempts, error.repeats) == (1, False)


def test_a_reply_in_drops_ends_at_the_timeout_as_a_whole() -> None:
    def drip(handler: Handler, number: int) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "100000")
        handler.end_headers()
        while not handler.server.released.wait(0.02):
            handler.wfile.write(b" ")

    with serving(drip) as server:
        assert "did not answer within 0.3 s" in str(failure(server, timeout_s=0.3))
        server.released.set()


def test_a_cut_reply_is_tried_again() -> None:
    def cut_first(handler: Handler, number: int) -> None:
        if number > 1:
            handler.reply(200, {"ok": 1})
            return
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"ok"')
        handler.close_connection = True

    with serving(cut_first) as server, client_of(server) as client:
        assert client.request("POST", "/v1/x", {}, ctx=RunContext()).attempts == 2


def test_a_connection_that_is_always_cut_says_so() -> None:
    def cut(handler: Handler, number: int) -> None:
        handler.close_connection = True

    with serving(cut) as server:
        error = failure(server)
    assert "broke the connection off" in str(error)
    assert not error.repeats


def test_nobody_there_repeats_for_all() -> None:
    with serving(in_turn((200, {}))) as server:
        pass
    error = failure(server)
    assert "cannot be reached" in str(error)
    assert (error.repeats, error.attempts) == (True, QUICK.attempts)


@pytest.mark.parametrize(
    ("body", "kind", "words"), [(b"<!doctype html><p>hi", "text/html", "a web page"), (b")]}'\n{}", "application/json", "not JSON")]
)
def test_a_reply_that_is_not_json(body: bytes, kind: str, words: str) -> None:
    with serving(in_turn((200, body, {"content_type": kind}))) as server:
        error = failure(server)
    assert words in str(error)
    assert f"(HTTP 200, {kind}: “" in str(error)
    assert len(server.asked) == 1


def test_a_body_that_is_no_gzip_although_it_says_so() -> None:
    with serving(in_turn((200, b"plain", {"content_encoding": "gzip"}))) as server:
        assert "cannot be spoken to" in str(failure(server))


def test_a_huge_body_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BODY_MOST", 1 << 20)

    def flood(handler: Handler, number: int) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.close_connection = True
        while not handler.server.released.is_set():
            handler.wfile.write(b" " * 65536)

    with serving(flood) as server:
        error = failure(server)
    assert "more than 1 MiB" in str(error)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_the_key_goes_nowhere(status: int) -> None:
    with serving(in_turn((200, {}))) as other, serving(in_turn((status, b"", {"location": other.url + "/x"}))) as server:
        error = failure(server, key=KEY)
    assert other.asked == []
    assert other.url in str(error)
    assert error.repeats


def test_a_key_is_not_sent_unencrypted_to_another_machine() -> None:
    with pytest.raises(InputError, match="not encrypted"):
        RemoteClient(address=parse_address("http://192.0.2.1"), key=KEY)
    RemoteClient(address=parse_address("http://192.0.2.1"))
    RemoteClient(address=parse_address("https://192.0.2.1"), key=KEY)


def test_the_key_is_in_no_text(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    def echo(handler: Handler, number: int) -> None:
        status = 529 if number == 1 else 401
        handler.reply(status, {"detail": {"message": f"what is {handler.headers['authorization']}?"}})

    with serving(echo) as server, client_of(server, key=KEY) as client, pytest.raises(RemoteError) as caught:
        client.request("POST", "/v1/x", {}, ctx=RunContext())
    assert len(server.asked) == 2
    for text in (repr(client), str(client), repr(client.key), str(client.key), repr(caught.value), caplog.text):
        assert KEY.value not in text
    assert "environment variable X" in str(caught.value)


def test_a_closed_client_says_so() -> None:
    with serving(in_turn((200, {}))) as server:
        client = client_of(server)
        client.close()
        with pytest.raises(RemoteError, match="was closed"):
            client.send("GET", "/", ctx=RunContext())


def test_the_waits_grow_and_are_bounded() -> None:
    policy = RetryPolicy(first_wait_s=1.0, longest_wait_s=4.0)
    for attempt, longest in ((1, 1.0), (2, 2.0), (3, 4.0), (9, 4.0)):
        assert 0.75 * longest <= policy.wait_s(attempt) <= longest


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving(in_turn((200, {"through": "proxy"}))) as proxy:
        for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", proxy.url)
        yield proxy


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_not_asked_through_a_proxy(host: str, proxied: Server) -> None:
    with serving(in_turn((200, {"through": "nothing"}))) as server:
        address = parse_address(server.url.replace("127.0.0.1", host))
        with RemoteClient(address=address, key=KEY, retry=QUICK) as client:
            assert client.request("GET", "/", ctx=RunContext()).data == {"through": "nothing"}
    assert proxied.asked == []


def test_the_environments_proxy_is_used(proxied: Server) -> None:
    with RemoteClient(address=parse_address("http://judge.invalid"), retry=QUICK) as client:
        assert client.request("GET", "/v1/models", ctx=RunContext()).data == {"through": "proxy"}
    assert proxied.asked[0].path == "http://judge.invalid/v1/models"
