from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus
from guard_desk.formats.tables import table_rows
from guard_desk.records.corpus import Format

Make = Callable[[str, bytes | str], Path]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.csv", "id\ttext\n1\tfoo, bar\n", Format.TSV_PASSAGES),
        ("a.csv", "sep=;\nid;text\n1;foo, bar\n", Format.CSV_PASSAGES),
        ("a.csv", "id|text\n1|foo, bar\n", Format.CSV_PASSAGES),
        ("a.txt", "id\ttext\n1\tfoo, bar\n", Format.TSV_PASSAGES),
        ("a.csv", 'id,text\r1,"foo, bar"\r', Format.CSV_PASSAGES),
    ],
)
def test_the_delimiter_is_found(make: Make, name: str, data: str, expected: Format) -> None:
    result = load_corpus(make(name, data))
    assert (result.format, [(p.id, p.text) for p in result.corpus.passages]) == (expected, [("1", "foo, bar")])


@pytest.mark.parametrize("header", ["Kennung;Inhalt;Quelle;Datum", "编号;内容;来源;日期", " ID ;Text;Source;DATE"])
def test_headers_of_other_languages_are_known(make: Make, header: str) -> None:
    passage = load_corpus(make("a.csv", f"{header}\n1;Wort;s.md;2025-09\n")).corpus.passages[0]
    assert (passage.id, passage.text, passage.source, passage.date) == ("1", "Wort", "s.md", "2025-09")


def test_other_columns_and_further_cells_become_metadata(make: Make) -> None:
    passage = load_corpus(make("a.csv", "id,text,owner,,owner\n1,x,ops,u,v,w,\n")).corpus.passages[0]
    assert passage.metadata == (("owner", "ops"), ("column 4", "u"), ("owner column 5", "v"), ("column 6", "w"))


def test_an_open_quote_at_the_end_keeps_the_rows_behind_it(make: Make) -> None:
    result = load_corpus(make("a.tsv", 'id\ttext\n1\t"open\n2\ttwo\n3\tthree\n'))
    assert [p.id for p in result.corpus.passages] == ["2", "3"]
    assert [(item.line, "never closed" in item.reason) for item in result.skipped] == [(2, True)]


def test_line_numbers_count_the_lines_of_the_file(make: Make) -> None:
    result = load_corpus(make("a.csv", 'id,text\n\n1,"a\n\nb"\n,\n2,\n'))
    assert [(item.line, item.reason) for item in result.skipped] == [(7, "its text is empty")]


def test_a_missing_text_column_names_the_columns(make: Make) -> None:
    with pytest.raises(CorpusError, match=r"'amount'.*Name the columns"):
        load_corpus(make("a.csv", "id,amount\n1,2\n"))


def test_odd_line_ends_do_not_stop_the_table(make: Make) -> None:
    result = load_corpus(make("a.csv", 'id,text\r\r\n1,"a\rb"\r\r\n2,c\rd\n'))
    assert [(p.id, p.text) for p in result.corpus.passages] == [("1", "a b"), ("2", "c\rd")]


def test_large_cells_are_read(make: Make) -> None:
    assert len(load_corpus(make("a.csv", f"id,text\n1,{'x' * 300_000}\n")).corpus.passages[0].text) == 300_000


CELLS = st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=12)


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=8), st.sampled_from(",;\t"))
def test_any_table_that_csv_writes_is_read_back_with_right_lines(rows: list[list[str]], delimiter: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(rows)
    lines = stream.getvalue().removesuffix("\n").split("\n")
    found = list(table_rows(iter(enumerate(lines, 1)), delimiter))
    assert [row.cells for row in found] == rows
    starts = [1 + sum(sum(cell.count("\n") for cell in row) + 1 for row in rows[:index]) for index in range(len(rows))]
    assert [row.line for row in found] == starts
