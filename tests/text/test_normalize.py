"""Folding keeps a way back to the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.text.normalize import fold, fold_text, plain, unaccented

ANY = st.text(st.characters(codec=None), max_size=80)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("“Archive” – not ‘Delete’ —", "\"archive\" - not 'delete' -"),
        ("Le cafe\u0301 du muse\u0301e à 18\u202fh", "le café du musée à 18 h"),
        ("con\ufb01rm the \ufb01le", "confirm the file"),
        ("a\u200bb so\u00adft \ufeffx", "ab soft x"),
        ("  two\r\n\t lines \n", "two lines"),
        ("保留３０天，（红）", "保留30天,(红)"),
        ("10⁻⁸ m²", "10^-8 m^2"),
        ("1½ cup", "1 1/2 cup"),
        ("−5 °C", "-5 °c"),
        ("Straße", "strasse"),
        ("\u0b95\u0bc7\u0bbe", "\u0b95\u0bcb"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold_text(text) == folded
    assert fold(text).text == folded


@given(ANY)
def test_every_character_comes_from_the_text(text: str) -> None:
    for folded in (plain(text), fold(text)):
        assert len(folded.text) == len(folded.starts) == len(folded.ends)
        previous = 0
        for start, end in zip(folded.starts, folded.ends, strict=True):
            assert previous <= start < end <= len(text)
            previous = start


@given(ANY, st.data())
def test_spans_map_back_inside(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    span = folded.span(start, end)
    assert 0 <= span.start <= span.end <= len(text)
    if start < end:
        assert span.start < span.end


@given(ANY)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold_text(fold(text).text) == fold_text(fold_text(text))
    assert "\u200b" not in fold_text(text)


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_ascii_is_only_lowered_and_collapsed(text: str) -> None:
    assert fold_text(text) == fold(text).text


def test_lone_surrogates_survive() -> None:
    assert fold("a\ud800b").text == "a\ud800b"


def test_unaccented() -> None:
    assert unaccented("müller-brandt é") == "muller-brandt e"
    assert unaccented("கோ") == "கோ"
