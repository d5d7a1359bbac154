"""The grammar of tagged evidence lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.text.tags import parse_tagged_line


def test_plain_tagged_line() -> None:
    line = "[source=official][doc=example.com/page][date=2025-09] The default is 40."
    parsed = parse_tagged_line(line)
    assert (parsed.source, parsed.doc, parsed.date) == ("official", "example.com/page", "2025-09")
    assert parsed.text == "The default is 40."
    assert line[parsed.text_start :] == parsed.text
    assert parsed.notes == ()


@pytest.mark.parametrize(
    ("line", "source", "doc", "date", "text"),
    [
        ("[source=official][doc=docs.example/a[1]][date=2026-05] It is 40.", "official", "docs.example/a[1]", "2026-05", "It is 40."),
        ("[source=blog][doc=b The tag is not closed.", "blog", "b", None, "The tag is not closed."),
        ("[source=blog [doc=b] Text.", "blog", "b", None, "Text."),
        ("[doc=docs.example/a[1][date=2026-05] Text.", None, "docs.example/a[1]", "2026-05", "Text."),
        ("[source=][date=2026-05] Empty source value.", None, None, "2026-05", "Empty source value."),
        ("[[source=official]] Doubled brackets.", "official", None, None, "Doubled brackets."),
        ("[source=official][doc=c][date=2026-05]", "official", "c", "2026-05", ""),
        ("No tags at all.", None, None, None, "No tags at all."),
        ("[note] A bracket word that is no tag.", None, None, None, "[note] A bracket word that is no tag."),
        ("[source=forum] [doc=d] [date=2026-05] Spaces between tags.", "forum", "d", "2026-05", "Spaces between tags."),
        ("  [source=news][doc=e][date=2026-05]   Indented line.  \r\n", "news", "e", "2026-05", "Indented line."),
        ("[Source=Official][Doc=y.example/p][Date=2026-05] Capitals.", "Official", "y.example/p", "2026-05", "Capitals."),
        ("[ source = news ][doc=x] Spaces inside.", "news", "x", None, "Spaces inside."),
        ("[source=official][doc=x] [since 2.0] The default.", "official", "x", None, "[since 2.0] The default."),
        ("[source=blog] Uses rows[1]; [date=2030-01] was a typo.", "blog", None, None, "Uses rows[1]; [date=2030-01] was a typo."),
        ("[timeout=30] is the default.", None, None, None, "[timeout=30] is the default."),
        ("[source=blog] [timeout=30] is the default.", "blog", None, None, "[timeout=30] is the default."),
        ("【source=official】【date=2026-05】保留 30 天。", "official", None, "2026-05", "保留 30 天。"),
        ("", None, None, None, ""),
    ],
)
def test_odd_lines(line: str, source: str | None, doc: str | None, date: str | None, text: str) -> None:
    parsed = parse_tagged_line(line)
    assert (parsed.source, parsed.doc, parsed.date, parsed.text) == (source, doc, date, text)


def test_extra_and_repeated_tags_are_kept() -> None:
    parsed = parse_tagged_line("[author=press office][source=official][lang=en][source=blog] Text.")
    assert parsed.source == "official"
    assert parsed.other == (("author", "press office"), ("lang", "en"), ("source", "blog"))
    assert parsed.notes == ("repeated tag source",)


def test_oddities_are_noted() -> None:
    assert parse_tagged_line("[source=][doc=b Text").notes == ("empty tag source", "unclosed tag doc")


@given(st.text(alphabet="[]= ab\n【", max_size=40))
def test_never_raises_and_text_is_a_slice(line: str) -> None:
    parsed = parse_tagged_line(line)
    assert line[parsed.text_start :].rstrip() == parsed.text
