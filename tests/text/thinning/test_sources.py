"""Who is behind a line."""

from __future__ import annotations

from datetime import date

import pytest

from guard_desk.records.corpus import Passage
from guard_desk.text.thinning.sources import document_of, domain_of, kind_of, parse_date, recency, source_of


@pytest.mark.parametrize(
    ("text", "first", "last", "note"),
    [
        ("2026-04", date(2026, 4, 1), date(2026, 4, 30), ""),
        ("2026-12", date(2026, 12, 1), date(2026, 12, 31), ""),
        ("2026-04-18", date(2026, 4, 18), date(2026, 4, 18), ""),
        ("2026-04-18T10:00:00Z", date(2026, 4, 18), date(2026, 4, 18), ""),
        ("9999-12", date(9999, 12, 1), date(9999, 12, 1), ""),
        ("2026-13", None, None, "malformed date"),
        ("2026-02-30", None, None, "malformed date"),
        ("18/04/2026", None, None, "malformed date"),
        ("soon", None, None, "malformed date"),
        ("2026", None, None, "malformed date"),
        (None, None, None, "undated"),
        ("", None, None, "undated"),
    ],
)
def test_parse_date(text: str | None, first: date | None, last: date | None, note: str) -> None:
    assert parse_date(text) == (first, last, note)


@pytest.mark.parametrize(
    ("text", "kind", "note"),
    [
        ("official", "official", ""),
        (" Official ", "official", ""),
        ("oracle", "unknown", "unknown source kind"),
        (None, "unknown", "no source kind"),
    ],
)
def test_kind_of(text: str | None, kind: str, note: str) -> None:
    assert kind_of(text) == (kind, note)


@pytest.mark.parametrize(
    ("document", "domain"),
    [
        ("docs.relay.example/ports", "relay.example"),
        ("someone.github.io/page", "someone.github.io"),
        ("www.firm.co.uk/a", "firm.co.uk"),
        ("guide/setup.md", ""),
        ("setup.md", ""),
        ("b", ""),
    ],
)
def test_domain_of(document: str, domain: str) -> None:
    assert domain_of(document) == domain


def test_document_is_the_source_without_its_place() -> None:
    assert document_of(Passage(id="a", text="x", source="https://Docs.example/page/#part")) == "docs.example/page"
    assert document_of(Passage(id="a", text="x", source="guide/setup.md:12")) == "guide/setup.md"


def test_lines_without_a_source_are_documents_of_their_own() -> None:
    one, two = (source_of(Passage(id=name, text="x")) for name in "ab")
    assert one.document != two.document
    assert one.domain == two.domain == ""


def test_recency_halves() -> None:
    old = source_of(Passage(id="a", text="x", date="2024-11-30"))
    assert recency(old, date(2026, 11, 30), 730, 0.5) == pytest.approx(0.5)
    assert recency(old, date(2024, 11, 30), 730, 0.5) == 1.0
    assert recency(source_of(Passage(id="a", text="x")), date(2026, 1, 1), 730, 0.5) == 0.5
    assert recency(source_of(Passage(id="a", text="x", date="2031-01")), date(2026, 1, 1), 730, 0.5) == 0.5
