from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.models.remote.events import LINE_MOST, event_data

STREAM = "\ufeffdata: one\n\n: waiting\ndata:two\r\ndata: lines\r\n\r\nevent: x\nid: 7\n\ndata: 七天🙂 \u2028\rretry: 3\r\rdata: [DONE]\n\n"
EVENTS = ["one", "two\nlines", "七天🙂 \u2028", "[DONE]"]


def test_events_with_every_kind_of_line_end() -> None:
    assert list(event_data([STREAM.encode()])) == EVENTS


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12))
def test_where_the_bytes_are_cut_makes_no_difference(cuts: list[int]) -> None:
    raw = STREAM.encode()
    borders = [0, *sorted(cuts), len(raw)]
    assert list(event_data([raw[a:b] for a, b in pairwise(borders)])) == EVENTS


def test_each_byte_alone() -> None:
    assert list(event_data(bytes([byte]) for byte in STREAM.encode())) == EVENTS


def test_an_event_that_was_cut_off_is_none() -> None:
    assert list(event_data([b'data: {"a": 1}\n\ndata: {"b'])) == ['{"a": 1}']
    assert list(event_data([b"data: a\n"])) == []


def test_an_event_comes_before_the_next_one_is_there() -> None:
    def pieces():  # type: ignore[no-untyped-def]
        yield b"data: now\n\n"
        raise AssertionError("not asked for yet")

    assert next(event_data(pieces())) == "now"


def test_a_line_without_end_is_not_kept() -> None:
    with pytest.raises(ValueError, match="a line without end"):
        list(event_data(b"x" * 65536 for _ in range(LINE_MOST // 65536 + 2)))
