from __future__ import annotations

import contextlib
import email.utils
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.models.remote.answers import SHOWN_MOST, parse_json, plain, retry_after, server_text, status_error

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["detail", "error", "message", "msg", "loc"]) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(JSON)
def test_the_message_of_any_json_is_one_short_plain_line(data: object) -> None:
    shown = server_text(json.dumps(data).encode())
    assert len(shown) <= SHOWN_MOST
    assert shown == "" or shown.isprintable()


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_json_or_a_value_error_and_can_be_shown(body: bytes) -> None:
    assert len(server_text(body)) <= SHOWN_MOST
    with contextlib.suppress(ValueError):
        parse_json(body)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"1" * 10_000, b"\xff", b""])
def test_odd_bodies_are_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its text is not shown
        parse_json(body)


@pytest.mark.parametrize("body", [b'{"detail":' * 900 + b'"x"' + b"}" * 900, b'{"detail":' + b"[" * 900 + b"]" * 900 + b"}"])
def test_a_deep_error_is_shown_as_nothing(body: bytes) -> None:
    assert server_text(body) == ""


def test_nan_and_infinity_become_nothing() -> None:
    assert parse_json(b'{"a": NaN, "b": -Infinity}') == {"a": None, "b": None}


def test_a_validation_list_shows_places_and_messages_but_never_the_refused_input() -> None:
    detail = [{"loc": ["body", "state"], "msg": "Input should be a string", "input": "the passage's text"}, {"msg": "Field required"}]
    assert server_text(json.dumps({"detail": detail}).encode()) == "body.state: Input should be a string; Field required"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ({"detail": {"error_type": "x", "message": "Out of credit"}}, "Out of credit"),
        ({"error": {"message": "No such model", "code": 400}}, "No such model"),
        ({"error": "bad key"}, "bad key"),
        ({"detail": "Not Found"}, "Not Found"),
        ({"other": 1}, ""),
    ],
)
def test_messages_are_found_in_every_usual_place(body: object, shown: str) -> None:
    assert server_text(json.dumps(body).encode()) == shown


def test_texts_of_servers_are_plain_and_pages_are_left_out() -> None:
    assert server_text(b"slow\x1b[31m  down\n\xe2\x80\xaenow") == "slow[31m down now"
    assert server_text(b"<html>nginx</html>") == ""
    assert plain("x" * 500, 10) == "x" * 9 + "…"


def test_a_key_that_the_server_repeats_is_not_shown() -> None:
    error = status_error(
        401, b'{"detail": "key sk-abc123 is unknown"}', place="https://x", key_remedy="Set a key.", secret="sk-abc123", wait_s=None
    )
    assert "sk-abc123" not in str(error)
    assert "[key]" in str(error)
    assert error.repeats


@pytest.mark.parametrize(
    ("headers", "seconds"), [({"retry-after": "7"}, 7.0), ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5), ({}, None)]
)
def test_retry_after_in_numbers(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize("text", ["soon", "-3", "nan", "inf", "", "Mon, 99 Foo"])
def test_an_unusable_retry_after_is_none(text: str) -> None:
    assert retry_after({"retry-after": text}) is None


def test_retry_after_as_a_date() -> None:
    later = email.utils.formatdate(time.time() + 30, usegmt=True)
    seconds = retry_after({"retry-after": later})
    assert seconds is not None
    assert 0 < seconds <= 31
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


@pytest.mark.parametrize(
    ("status", "words", "repeats"),
    [
        (401, "Set a key", True),
        (402, "credit", True),
        (404, "address", True),
        (413, "too long", False),
        (422, "content", False),
        (429, "wait 7 s", False),
        (501, "no decision model", True),
        (529, "overloaded", False),
        (418, "refused", False),
        (500, "failed", False),
    ],
)
def test_each_status_says_what_and_what_to_do(status: int, words: str, repeats: bool) -> None:
    error = status_error(status, b"", place="https://x/v1", key_remedy="Set a key.", secret="", wait_s=7.0)
    assert words in str(error)
    assert f"HTTP {status}" in str(error)
    assert "https://x/v1" in str(error)
    assert error.repeats is repeats
    assert error.remedy
