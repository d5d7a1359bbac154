from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.ui.widgets.text_map import Utf16Map, typed_change

SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

ODD = st.text(
    st.one_of(
        st.sampled_from("a\r\n\u2028\u2029é\u0301😀தமிழ்备份\u200b\u200d\u202e\ufe0f\x00\x0b\ud83d\udc4d\ufdd0\ufffc\U000e0041\U000e0042"),
        st.characters(codec=None),
    ),
    max_size=60,
)


@given(ODD, st.booleans())
def test_every_code_point_finds_back(text: str, reveal: bool) -> None:
    chart = Utf16Map(text, reveal=reveal)
    assert chart.units == len(chart.shown.encode("utf-16-le", "surrogatepass")) // 2
    units = [chart.unit(place) for place in range(len(text) + 1)]
    assert units == sorted(units)
    for place, unit in enumerate(units):
        back = chart.code_point(unit)
        assert back >= place
        assert chart.unit(back) == unit


@given(ODD, st.booleans(), st.data())
def test_a_span_is_shown_by_what_stands_for_its_words(text: str, reveal: bool, data: st.DataObject) -> None:
    chart = Utf16Map(text, reveal=reveal)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    low, high = chart.range(start, end)
    assert (low < high) == (start < end)
    first, last = chart.code_points(low, high)
    assert first <= start
    assert last >= end


@given(st.text(st.sampled_from("ab 😀é备"), max_size=30), st.data())
def test_plain_text_maps_exactly(text: str, data: st.DataObject) -> None:
    chart = Utf16Map(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    low, high = chart.range(start, end)
    assert chart.shown == text
    assert chart.shown_units(low, high).decode("utf-16-le") == text[start:end]
    assert chart.code_points(low, high) == (start, end)


@given(ODD)
def test_what_is_shown_holds_nothing_that_a_widget_changes(text: str) -> None:
    for reveal in (True, False):
        shown = Utf16Map(text, reveal=reveal).shown
        assert not set(shown) & set("\r\u2028\u2029\x00\ufdd0\ufffc")
        shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"),
        ("pass\u200bword", "pass‹ZWSP›word"),
        ("a\u202eb\u202c", "a‹RLO›b‹PDF›"),
        ("a\x00b", "a‹NUL›b"),
        ("x\u200b\u200b\u200by", "x‹ZWSP ×3›y"),
        ("ok\U000e0068\U000e0069!", "ok‹tags: hi›!"),
        ("half \ud83d", "half ‹U+D83D›"),
        ("கர்ப்பம் க்\u200cஷ", "கர்ப்பம் க்\u200cஷ"),
        ("👩\u200d🔬 ❤\ufe0f", "👩\u200d🔬 ❤\ufe0f"),
        (SCOTLAND, SCOTLAND),
        ("in\u200dvisible", "in‹ZWJ›visible"),
        ("a\ufe0f\ufe01\ufe02b", "a‹VS ×3›b"),
    ],
)
def test_invisible_characters_get_signs_and_spelling_keeps_its_joiners(text: str, shown: str) -> None:
    assert Utf16Map(text).shown == shown


def test_writing_keeps_what_can_be_kept() -> None:
    assert Utf16Map("a\u200bb\x07\ud800\r\n", reveal=False).shown == "a\u200bb␇\ufffd\n"


@given(st.text("ab😀😁\n", max_size=12), st.text("ab😀😁\n", max_size=12))
def test_a_typed_change_puts_back_together(before: str, after: str) -> None:
    old, new = before.encode("utf-16-le"), after.encode("utf-16-le")
    start, end, middle = typed_change(old, new)
    assert old[: 2 * start] + middle + old[len(old) - 2 * end :] == new
    middle.decode("utf-16-le")
