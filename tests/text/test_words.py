"""Words, stems and content."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.records.corpus import Span
from guard_desk.text.words import content_sequence, content_stems, words, words_in


def test_places_are_exact() -> None:
    text = "Don’t pay 1,500 €, he said."
    assert [(word.text, word.span.start) for word in words(text)] == [("Don’t", 0), ("pay", 6), ("1,500", 10), ("he", 19), ("said", 22)]


def test_forms_of_one_word_share_a_stem() -> None:
    assert words("acquired")[0].stem == words("Acquires")[0].stem
    assert words("Häuser", "de")[0].stem == words("Häuser", "de")[0].stem


def test_unicode_variants_are_equal() -> None:
    assert words("café", "fr")[0].folded == words("café", "fr")[0].folded
    assert words("ﬁle")[0].folded == "file"
    assert words("pay\u200broll")[0].folded == "payroll"
    assert content_stems("Zoë Müller") == content_stems("Zoe Muller")


def test_tamil_vowel_signs_stay_in_the_word() -> None:
    assert [word.text for word in words("கோப்புகள் தினமும்", "ta")] == ["கோப்புகள்", "தினமும்"]


def test_french_elision_is_two_words() -> None:
    assert [(word.text, word.content) for word in words("l’accès n'est", "fr")] == [
        ("l’", False),
        ("accès", True),
        ("n'", False),
        ("est", False),
    ]


def test_chinese_is_read_by_characters_and_compared_by_bigrams() -> None:
    assert [word.text for word in words("文件的 A1", "zh")] == ["文", "件", "的", "A1"]
    assert content_stems("备份的文件 A1", "zh") == {"备份", "文件", "a1"}
    assert content_sequence(words("如果备份", "zh")) == ("备份",)


@pytest.mark.parametrize(
    ("word", "content"), [("the", False), ("don't", False), ("2026", True), ("tower", True), ("May", True), ("may", False)]
)
def test_content(word: str, content: bool) -> None:
    assert words(word)[0].content is content


def test_words_of_a_part_keep_their_places() -> None:
    text = "one two three"
    assert [word.span.start for word in words_in(text, Span(4, 13))] == [4, 8]


@given(st.text(max_size=120), st.sampled_from(["en", "de", "fr", "es", "zh", "ta", "xx"]))
def test_laws(text: str, language: str) -> None:
    found = words(text, language)
    for word in found:
        assert word.span.of(text) == word.text
        assert word.text
    assert all(left.span.end <= right.span.start for left, right in itertools.pairwise(found))
