"""The tables of a trace for spreadsheets. No cell is ever a formula, whatever a passage holds."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING

from guard_desk.formats.write import safe_cell
from guard_desk.records.trace import Trace
from guard_desk.report.tables import Cell, Estimated, Table, all_tables, passages

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

_LONGEST_CELL = 32_767  # Excel's limit
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
_WIDTHS = {
    "text": 80,
    "why": 50,
    "value": 40,
    "not read by": 50,
    "words": 30,
    "note": 50,
    "statement": 60,
    "evidence": 60,
    "what it does": 70,
    "title": 30,
    "source": 30,
}


def csv_bytes(trace: Trace) -> bytes:
    """One row a pool passage, in UTF-8 with a byte order mark, so that Excel reads it right."""
    table = passages(trace)
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(table.columns)
    writer.writerows([_csv_cell(cell) for cell in row] for row in table.rows)
    return stream.getvalue().encode("utf-8-sig")


def _csv_cell(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return safe_cell(cell)
    return _number(cell)


def _number(cell: int | float | None) -> int | float | None:
    """Numbers to six places; what is no number is an empty cell."""
    if isinstance(cell, float):
        return round(cell, 6) if math.isfinite(cell) else None
    return cell


def xlsx_bytes(trace: Trace) -> bytes:
    """All tables, one a sheet."""
    import xlsxwriter

    stream = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(stream, options) as workbook:
        workbook.set_properties({"title": "Guard Desk report", "created": None})
        heading = workbook.add_format({"bold": True, "bottom": 1, "text_wrap": True})
        wrapped = workbook.add_format({"text_wrap": True, "valign": "top"})
        about = workbook.add_format({"text_wrap": True, "valign": "top", "num_format": '"≈ "0'})
        for table in all_tables(trace):
            _sheet(workbook, table, heading, wrapped, about)
    return stream.getvalue()


def _sheet(workbook: Workbook, table: Table, heading: Format, wrapped: Format, about: Format) -> None:
    sheet = workbook.add_worksheet(table.name)
    for column, name in enumerate(table.columns):
        sheet.set_column(column, column, _WIDTHS.get(name, max(10, len(name) + 2)))
        sheet.write_string(0, column, name, heading)
    for number, row in enumerate(table.rows, 1):
        for column, cell in enumerate(row):
            _write(sheet, number, column, cell, about if isinstance(cell, Estimated) else wrapped)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(1, len(table.rows)), len(table.columns) - 1)


def _write(sheet: Worksheet, row: int, column: int, cell: Cell, wrapped: Format) -> None:
    if isinstance(cell, str):
        sheet.write_string(row, column, _xlsx_text(cell), wrapped)
    elif (number := _number(cell)) is not None:
        sheet.write_number(row, column, number, wrapped)


def _xlsx_text(text: str) -> str:
    """A text that fits a cell: half characters shown as U+FFFD, what is too long cut with a note."""
    whole = _NOT_IN_XML.sub("\ufffd", text)
    note = f" … (cut; {len(text)} characters)"
    units = len(whole.encode("utf-16-le")) // 2
    return (
        whole
        if units <= _LONGEST_CELL
        else whole[: (_LONGEST_CELL - len(note)) // 2 if units > len(whole) else _LONGEST_CELL - len(note)] + note
    )
