"""CSV and TSV with a header row: the delimiter found, columns known by name or synonym, quoted line breaks."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from guard_desk.errors import CorpusError
from guard_desk.formats.collect import BadRecord, Collector
from guard_desk.formats.fields import passage_of, plan
from guard_desk.formats.text_file import TextFile

DELIMITERS = ",;\t|"
_LONGEST_CELL = 1 << 25
_SEPARATOR_LINE = re.compile(r"sep=([^\w\s\"]|\t)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record of a table.

    :param line: 1-based line of the file on which it begins.
    :param cells: its cells; line breaks inside a cell are line feeds.
    :param unclosed: a quote was opened and never closed.
    """

    line: int
    cells: list[str]
    unclosed: bool = False


def read_table(text: TextFile, into: Collector) -> None:
    """Read a table.

    :raises CorpusError: when no column is known to hold the text.
    """
    lines = text.lines()
    delimiter = find_delimiter(text.head, text.name)
    rows = table_rows(lines, delimiter)
    header = next((row for row in rows if any(row.cells) and not _SEPARATOR_LINE.fullmatch(delimiter.join(row.cells))), None)
    names = _unique_names([cell.strip() for cell in header.cells] if header else [])
    if "text" not in plan(tuple(names)):
        raise CorpusError(
            f"no column holds the text of the passages; the columns are {', '.join(map(repr, names)) or 'none'}.",
            path=text.path,
            line=header.line if header else None,
            remedy="Name the columns in the first row: at least 'text', and where known 'id', 'source', 'date', 'version'.",
        )
    for row in rows:
        if any(cell.strip() for cell in row.cells) and row.line != text.cut_line:
            _add(row, names, text, into)


def _add(row: Row, names: list[str], text: TextFile, into: Collector) -> None:
    try:
        if row.unclosed:
            raise BadRecord("a quoted cell is opened and never closed")
        stray = text.stray_bytes("".join(row.cells))
        if stray:
            raise BadRecord(stray)
        into.add(passage_of(_record(row, names), f"line-{row.line}"), path=text.path, line=row.line)
    except BadRecord as bad:
        into.skip(text.path, row.line, str(bad))


def _record(row: Row, names: list[str]) -> dict[str, object]:
    fields = plan(tuple(names))
    position = fields.index("text")
    if len(row.cells) <= position:
        raise BadRecord(f"it has {len(row.cells)} of {len(names)} columns; the text column {names[position]!r} is missing")
    named = dict(zip(names, row.cells, strict=False))
    extra = {f"column {number}": cell for number, cell in enumerate(row.cells[len(names) :], len(names) + 1)}
    return {**named, **extra}


def _unique_names(names: list[str]) -> list[str]:
    """Header names; empty and repeated ones get the number of their column."""
    seen: set[str] = set()
    unique = []
    for number, name in enumerate(names, 1):
        chosen = name if name and name not in seen else f"{name} column {number}".strip()
        seen.add(chosen)
        unique.append(chosen)
    return unique


def find_delimiter(head: str, name: str) -> str:
    """The delimiter: the one whose header has known columns, else the one that cuts the first lines most evenly."""
    lines = [line for line in re.split(r"\r\n|\n|\r", head[:65536]) if line.strip()][:20]
    if not lines:
        return ","
    told = _SEPARATOR_LINE.fullmatch(lines[0])
    if told:
        return told[1]
    favourite = "\t" if re.search(r"\.(tsv|tab)(\.gz)?$", name, re.IGNORECASE) else ","

    def merit(delimiter: str) -> tuple[int, int, bool]:
        widths = [len(next(csv.reader([line], delimiter=delimiter))) for line in lines]
        known = [field for field in plan(tuple(_split(lines[0], delimiter))) if field] if widths[0] > 1 else []
        return len(known) + 10 * ("text" in known), min(widths[0], 2) + sum(width == widths[0] for width in widths), delimiter == favourite

    return max(DELIMITERS, key=merit)


def _split(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter), [])


def header_names(head: str, name: str) -> list[str]:
    """The cells of the first row, stripped."""
    rows = table_rows(enumerate(re.split(r"\r\n|\n|\r", head), 1), find_delimiter(head, name))
    return [cell.strip() for cell in next(rows, Row(line=1, cells=[])).cells]


def table_rows(lines: Iterator[tuple[int, str]], delimiter: str) -> Iterator[Row]:
    """Records of a table with the line on which each begins.

    A quote that is never closed would swallow the rest of the file: its first line is then given as it stands, marked,
    and reading goes on behind it.
    """
    csv.field_size_limit(2**31 - 1)  # the module's own limit of 128 KiB a cell is for the whole process
    waiting: list[tuple[int, str]] = []
    while True:
        first = waiting.pop(0) if waiting else next(lines, None)
        if first is None:
            return
        number, line = first
        cells, taken = _cells(line, waiting, lines, delimiter)
        if cells is None:
            yield Row(line=number, cells=line.split(delimiter), unclosed=True)
        else:
            del waiting[:taken]
            yield Row(line=number, cells=cells)


def _cells(line: str, waiting: list[tuple[int, str]], lines: Iterator[tuple[int, str]], delimiter: str) -> tuple[list[str] | None, int]:
    """Cells of the record that begins with `line`, and how many of the waiting lines belong to it; None when it never ends."""
    parts, size, taken = [line], len(line), 0
    open_quote = '"' in line
    while True:
        cells = _parsed("\n".join(parts), delimiter) if open_quote or taken == 0 else None
        if cells is not None:
            return cells, taken
        if taken == len(waiting):
            following = next(lines, None)
            if following is None or size > _LONGEST_CELL:
                return None, 0
            waiting.append(following)
        parts.append(waiting[taken][1])
        open_quote = '"' in parts[-1]
        size += len(parts[-1])
        taken += 1


def _parsed(record: str, delimiter: str) -> list[str] | None:
    """The cells; None when a quoted cell is still open."""
    if '"' not in record:
        return record.split(delimiter)
    pieces = [piece + "\n" for piece in record.replace("\r", " ").split("\n")]  # a lone CR is no line end here, and csv refuses it
    pieces[-1] = pieces[-1][:-1]
    try:
        return next(csv.reader(pieces, delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        if "unexpected end of data" in str(error):
            return None
    return next(csv.reader(pieces, delimiter=delimiter), [])
