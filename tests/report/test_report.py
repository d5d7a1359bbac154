from __future__ import annotations

import csv
import io
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.errors import InputError
from guard_desk.formats.trace import load_trace
from guard_desk.measure.rail import cells
from guard_desk.records.answer import Attributed, Claim, ClaimState, Counts, Finding, Generated, Kind, Label, Round, Severity
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Part
from guard_desk.records.judging import Spent
from guard_desk.report import KINDS, save_report
from guard_desk.report.marks import pieces
from guard_desk.report.spreadsheet import csv_bytes
from guard_desk.report.tables import all_tables
from guard_desk.report.text import summary
from guard_desk.report.web import html_page
from tests.report.sample import ANSWER, POOL, sample_trace


def test_every_table_is_even() -> None:
    for table in all_tables(sample_trace()):
        assert {len(row) for row in table.rows} <= {len(table.columns)}, table.name


def test_rounds_and_parts_are_told_everywhere() -> None:
    trace = sample_trace()
    first = Round(passage_ids=("keep",), prompt_tokens=30, answer_tokens=3, text="7 days")
    second = replace(first, passage_ids=("keep", "deny"), text="9 <b>days</b>", same=False)
    words = trace.query.text
    parts = (
        Part(span=Span(0, 4), leader="7 days", contested=False, conflict=False),
        Part(span=Span(4, len(words)), leader=None, contested=False, conflict=False),
    )
    told = replace(
        trace,
        generated=replace(trace.generated, rounds=(first, second), fallback=True),
        thinned=replace(trace.thinned, parts=parts),
    )
    named = {table.name: table for table in all_tables(told)}
    assert [row[1] for row in named["Rounds"].rows] == ["keep", "keep, deny"]
    assert {row[0] for row in named["Candidates"].rows} == {words[:4]}
    for text in (summary(told), html_page(told)):
        assert "no line answers this part" in text
        assert "The rounds never agreed: this is the leading candidate." in text
        assert "<b>days" not in html_page(told)
    leads = f"“{words[:4]}”: leader 7 days (clear); “{words[4:].strip()[:30]}"
    (line,) = [line for line in summary(told).splitlines() if line.startswith("thin ")]
    assert leads in line
    assert "no line answers it, " in line
    assert "no clear leader" not in line


@pytest.mark.parametrize(
    ("leader", "contested", "words"),
    [
        ("7 days", False, "leader 7 days (clear)"),
        ("7 days", True, "leader 7 days (contested)"),
        (None, True, "no clear leader (contested)"),
        (None, False, "no leader"),
    ],
)
def test_what_leads_is_told_alike_in_the_table_and_on_the_rail(leader: str | None, contested: bool, words: str) -> None:
    trace = sample_trace()
    told = replace(trace, thinned=replace(trace.thinned, leader=leader, contested=contested))
    (line,) = [line for line in summary(told).splitlines() if line.startswith("thin ")]
    assert f" s  {words}, " in line
    (cell,) = [cell for cell in cells(told) if cell.stage == "thin"]
    assert cell.detail.startswith(f"{words}, ")


def test_a_generator_that_failed_is_told_everywhere(tmp_path: Path) -> None:
    trace = sample_trace()
    kept = Round(passage_ids=("keep",), prompt_tokens=30, answer_tokens=3, text="7 days", estimated=True)
    why = "The generator <b>m</b> failed in round 2: no room. Wait."
    generated = replace(trace.generated, text=None, rounds=(kept,), prompt_tokens=30, answer_tokens=3, estimated=True, failure=why)
    told = replace(trace, generated=generated)
    page, words = html_page(told), summary(told)
    assert "There is no answer." in page
    assert "&lt;b&gt;m&lt;/b&gt; failed in round 2: no room. Wait." in page
    assert "≈ 30 tokens in, ≈ 3 out" in page
    assert "Nothing in the answer lacks support" not in page
    assert "skipped: there is no answer" in words
    assert "Round 1    1 passage, ≈ 30 + ≈ 3 tokens: 7 days" in words
    save_report(told, "xlsx", tmp_path / "a.xlsx")
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    facts = {row[0].value: row[1].value for row in book["Summary"].iter_rows(min_row=2)}
    assert facts["No answer because"] == why
    cell = book["Rounds"].cell(row=2, column=3)
    assert (cell.value, cell.number_format) == (30, '"≈ "0'), "a number that shows that it is an estimate"


def test_rounds_that_did_not_agree_are_told_everywhere(tmp_path: Path) -> None:
    trace = sample_trace()
    first = Round(passage_ids=("keep",), prompt_tokens=30, answer_tokens=3, text="7 days")
    second = replace(first, text="9 days", same=False)
    told = replace(trace, generated=replace(trace.generated, rounds=(first, second), agreed=False))
    words = "No two rounds in a row agreed; the last answer is shown."
    assert words in html_page(told)
    assert words in summary(told)
    save_report(told, "xlsx", tmp_path / "a.xlsx")
    cells = [row[1].value for row in openpyxl.load_workbook(tmp_path / "a.xlsx")["Summary"].iter_rows(min_row=2)]
    assert words in cells
    assert "≈" not in summary(told)


def test_what_a_language_model_did_not_read_and_what_it_took_is_told_everywhere(tmp_path: Path) -> None:
    trace = sample_trace()
    read = Claim(start=0, end=5, text=ANSWER[:5], state=ClaimState.SUPPORTED, confidence=0.9)
    left = replace(read, start=6, end=9, text=ANSWER[6:9], state=ClaimState.UNSUPPORTED, unread="m: <i>no</i> room. Wait.")
    spent = Spent(requests=2, input_tokens=1000, output_tokens=30, estimated=True)
    told = replace(
        trace,
        verified=replace(trace.verified, claims=(read, left), spent=spent),
        judged=replace(trace.judged, spent=Spent(requests=4, input_tokens=200, output_tokens=4, cost=0.5)),
    )
    words = "1 of 2 sentences were not read by m: <i>no</i> room. Wait."
    assert words in " ".join(summary(told).split())
    page = html_page(told)
    assert words.replace("<", "&lt;").replace(">", "&gt;") in page
    assert "6 requests, about 1,200 tokens in and 34 out" in page
    save_report(told, "xlsx", tmp_path / "a.xlsx")
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    facts = {row[0].value: row[1].value for row in book["Summary"].iter_rows(min_row=2)}
    assert facts["Reading the answer took"].startswith("2 requests, about 1,000 tokens in and 30 out")
    assert facts["Judging and reading took"].startswith("6 requests")
    assert facts["Not read"] == words
    assert [row[-1].value for row in book["Statements"].iter_rows(min_row=2)] == [None, left.unread]


def test_csv_opens_in_excel_and_runs_nothing(tmp_path: Path) -> None:
    save_report(sample_trace(), "csv", tmp_path / "a.csv")
    data = (tmp_path / "a.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert [(row["rank"], row["id"], row["place"]) for row in rows] == [
        ("1", "keep", "evidence"),
        ("2", "copy", "merged"),
        ("3", "deny", "excluded:injection"),
        ("4", "lost", "not_judged"),
    ]
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    assert rows[3]["relevant"] == rows[3]["margin"] == ""


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=[])))
def test_no_passage_makes_a_formula_in_csv(text: str) -> None:
    trace = sample_trace()
    pool = (Passage(id="keep", text=text or "x", title=text or None), *POOL[1:])
    data = csv_bytes(replace(trace, retrieved=replace(trace.retrieved, passages=pool)))
    cells = [cell for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_xlsx_holds_texts_as_texts(tmp_path: Path) -> None:
    save_report(sample_trace(), "xlsx", tmp_path / "a.xlsx")
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    assert book.sheetnames == [table.name for table in all_tables(sample_trace())]
    rows = list(book["Passages"].iter_rows(min_row=2))
    names = [cell.value for cell in book["Passages"][1]]
    text = names.index("text")
    assert rows[2][text].data_type == "s"
    assert rows[2][text].value == POOL[2].text
    assert rows[0][names.index("evidence")].value == 0.9
    assert "cut; 40013 characters" in rows[3][text].value


def test_json_is_the_trace(tmp_path: Path) -> None:
    save_report(sample_trace(), "json", tmp_path / "a.json")
    assert load_trace(tmp_path / "a.json").retrieved.passages == POOL


class Page(HTMLParser):
    """Collects tags and the text of marks."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.marks: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self._open: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "br"):
            self._open.append(tag)
        named = dict(attrs)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        self.ids += [named["id"]] if named.get("id") else []
        if tag == "mark":
            self._inside = True
            self.marks.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        self._inside = self._inside and tag != "mark"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.marks[-1] += data


def test_html_is_whole_and_runs_nothing(tmp_path: Path) -> None:
    save_report(sample_trace(), "html", tmp_path / "a.html")
    written = (tmp_path / "a.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(written)
    assert written.startswith("<!DOCTYPE html>")
    assert page._open == []
    assert not {"script", "img", "link", "iframe", "b"} & (set(page.tags) - {"b"})
    assert "<script>" not in written
    assert "&lt;b&gt;everyone" not in written  # the tag is escaped, the mark stands inside it
    assert page.marks == ["90 days", "everyone"]
    assert page.links == ["#finding-1", "#finding-2"]
    assert page.ids == ["finding-1", "finding-2"]
    assert "U+202E" in written
    assert "\u202e" not in written
    for words in (
        "2 without a version",
        "excluded: injection",
        "kept apart",
        "7 days",
        "passages say 7 U+202Edays",
        "says the same as keep",
        "not judged",
    ):
        assert words in written


def test_html_without_answer_candidates_and_groups() -> None:
    trace = sample_trace()
    empty = replace(
        trace,
        generated=Generated(text=None, generator=trace.generated.generator),
        attributed=Attributed(action=trace.attributed.action, spans=(), outside=(), counts=Counts()),
        thinned=replace(trace.thinned, candidates=(), leader=None),
        routed=replace(trace.routed, groups=trace.routed.groups[1:]),
        grouped=replace(trace.grouped, refusals=()),
    )
    written = html_page(empty)
    for words in ("There is no answer to check", "No passage states a value", "No passages were merged"):
        assert words in written


def test_an_unknown_kind_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"Known: {', '.join(KINDS)}"):
        save_report(sample_trace(), "docx", tmp_path / "a.docx")


SPANS = st.lists(
    st.builds(
        Finding,
        start=st.integers(-2, 30),
        end=st.integers(-2, 30),
        text=st.just("x"),
        kind=st.sampled_from(Kind),
        label=st.sampled_from(Label),
        severity=st.sampled_from(Severity),
        confidence=st.just(0.5),
    ),
    max_size=5,
)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=[]), max_size=30), SPANS)
def test_pieces_are_the_text_and_marks_sit_on_their_words(text: str, findings: list[Finding]) -> None:
    found = pieces(text, findings)
    assert "".join(piece.text for piece in found) == text
    marked = [position for piece in _positions(found) for position in piece]
    inside = {p for span in findings if 0 <= span.start < span.end <= len(text) for p in range(span.start, span.end)}
    assert set(marked) == inside
    told = [number for piece in found for number in piece.numbers]
    assert sorted(told) == [n for n, span in enumerate(findings, 1) if 0 <= span.start < span.end <= len(text)]


def _positions(found: tuple[object, ...]) -> list[range]:
    at, ranges = 0, []
    for piece in found:
        length = len(piece.text)  # type: ignore[attr-defined]
        if piece.finding is not None:  # type: ignore[attr-defined]
            ranges.append(range(at, at + length))
        at += length
    return ranges


def test_marks_count_code_points() -> None:
    marked = [piece.text for piece in pieces(ANSWER, sample_trace().attributed.spans) if piece.finding]
    assert marked == ["90 days", "everyone"]
