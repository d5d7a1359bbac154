from __future__ import annotations

import pytest

from guard_desk.records.corpus import Span
from guard_desk.text.support.citations import PassageNames, find_marks
from guard_desk.text.support.regions import blanked, find_regions, trimmed


def marks(answer: str, *ids: str) -> list[tuple[str, tuple[int, ...], tuple[str, ...]]]:
    return [
        (mark.span.of(answer), mark.passages, tuple(text for _, text in mark.unknown)) for mark in find_marks(answer, PassageNames(ids))
    ]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Kept for 7 days [doc-1].", [("[doc-1]", (0,), ())]),
        ("Kept for 7 days [DOC-2].", [("[DOC-2]", (1,), ())]),
        ("Kept for 7 days[doc-1][doc-2].", [("[doc-1]", (0,), ()), ("[doc-2]", (1,), ())]),
        ("Kept for 7 days [doc-1, doc-2].", [("[doc-1, doc-2]", (0, 1), ())]),
        ("Kept for 7 days [source: doc-2].", [("[source: doc-2]", (1,), ())]),
        ("Kept for 7 days [2].", [("[2]", (1,), ())]),
        ("Kept for 7 days [1-2].", [("[1-2]", (0, 1), ())]),
        ("Kept for 7 days [9].", [("[9]", (), ("9",))]),
        ("Kept for 7 days [doc-7].", [("[doc-7]", (), ("doc-7",))]),
        ("Kept for 7 days [doc-1; doc-7].", [("[doc-1; doc-7]", (0,), ("doc-7",))]),
        ("Kept for 7 days (doc-1).", [("(doc-1)", (0,), ())]),
        ("Kept for 7 days (see doc-1).", [("(see doc-1)", (0,), ())]),
        ("Kept for 7 days (doc-9).", [("(doc-9)", (), ("doc-9",))]),
        ("保留 7 天【doc-1】。", [("【doc-1】", (0,), ())]),
        ("Kept for 7 days (about a week).", []),
        ("Kept for 7 days (2 on request).", []),
        ("See [the guide](https://example.org/doc-1).", []),
        ("It was [sic] kept [...] for 7 days.", []),
    ],
)
def test_marks(answer: str, expected: list[tuple[str, tuple[int, ...], tuple[str, ...]]]) -> None:
    assert marks(answer, "doc-1", "doc-2") == expected


def test_numbers_are_ids_where_the_ids_are_numbers() -> None:
    assert marks("Seven days [1].", "1", "7") == [("[1]", (0,), ())]
    assert marks("Seven days [2].", "1", "7") == [("[2]", (), ("2",))]


def test_an_id_with_brackets_and_spaces_inside_is_found_whole() -> None:
    assert marks("Seven days [guide/set up.md:12].", "guide/set up.md:12") == [("[guide/set up.md:12]", (0,), ())]


def test_marks_in_fenced_code_are_no_citations() -> None:
    answer = "```\nrows[1]\n```\nDone [1]."
    found = find_marks(answer, PassageNames(["p"]), find_regions(answer).fenced)
    assert [mark.span.of(answer) for mark in found] == ["[1]"]
    assert found[0].span.start > answer.index("Done")


def test_blanked_keeps_every_offset() -> None:
    text = "🚀 a [x] b"
    assert blanked(text, [Span(4, 7)]) == "🚀 a     b"


def test_trimmed_takes_marks_of_lists_and_stops_away() -> None:
    text = "- **Bold** text. "
    assert trimmed(text, Span(0, len(text))).of(text) == "Bold** text"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("1. First\n2) Second", ["1.", "2)"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "|---|---|"]),
        ("see [x](http://a/1)", ["(http://a/1)"]),
    ],
)
def test_form_is_no_statement(text: str, form: list[str]) -> None:
    assert [span.of(text).strip() for span in find_regions(text).form] == form


def test_an_open_fence_runs_to_the_end() -> None:
    text = "Run:\n```\nfleetctl drain"
    assert find_regions(text).fenced == (Span(5, len(text)),)
