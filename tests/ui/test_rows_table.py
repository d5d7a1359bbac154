from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from guard_desk.ui.models.table import RIGHT, Column, RowsModel, plain_tip
from guard_desk.ui.widgets.rows_table import RowsTable
from tests.ui.builders import theme

ROWS = (("b", 2.0), ("a", None), ("d", 1.0), ("C", 3.0))


@pytest.fixture
def table(qtbot: QtBot) -> RowsTable:
    columns = (
        Column(title="name", text=lambda row: row[0], stretch=True, tip=lambda row: f"<b>{row[0]}</b>\n&"),
        Column(title="number", text=lambda row: "–" if row[1] is None else f"{row[1]:.1f}", key=lambda row: row[1], align=RIGHT),
    )
    made = RowsTable(RowsModel(columns, lambda row: row[0]))
    qtbot.addWidget(made)
    made.set_theme(theme())
    made.rows_model.set_rows(ROWS)
    return made


def names(table: RowsTable) -> str:
    return "".join(table.rows_model.id_at(line) for line in range(table.rows_model.rowCount()))


def test_what_has_no_value_stands_last_in_both_directions(table: RowsTable) -> None:
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert names(table) == "dbCa"
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert names(table) == "Cbda"
    table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert names(table) == "badC"


def test_words_are_sorted_without_regard_to_case(table: RowsTable) -> None:
    table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert names(table) == "dCba"


def test_a_filter_keeps_the_order_and_says_which_lines_are_left(table: RowsTable) -> None:
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    table.rows_model.set_filter(np.array([True, False, True, True]))
    assert names(table) == "bCd"
    assert table.rows_model.line_of("a") is None
    assert table.rows_model.line_of("d") == 2


def test_a_choice_stays_through_sort_filter_and_new_rows(table: RowsTable) -> None:
    told: list[tuple[object, object]] = []
    table.chosen.connect(lambda ids, primary: told.append((ids, primary)))
    table.show_selection(("d", "C"), "d")
    for change in (
        lambda: table.sortByColumn(1, Qt.SortOrder.DescendingOrder),
        lambda: table.rows_model.set_filter(np.array([True, True, True, False])),
        lambda: table.rows_model.set_filter(None),
        lambda: table.rows_model.set_rows(ROWS[1:]),
    ):
        change()
        chosen = {table.rows_model.id_at(index.row()) for index in table.selectionModel().selectedRows()}
        assert "d" in chosen <= {"d", "C"}
        assert table.rows_model.id_at(table.currentIndex().row()) == "d"
    assert told == []


def test_a_person_choosing_is_told_once(table: RowsTable) -> None:
    told: list[tuple[object, object]] = []
    table.chosen.connect(lambda ids, primary: told.append((ids, primary)))
    table.selectRow(2)
    table.selectRow(2)
    assert told == [(("d",), "d")]
    table.selectAll()
    assert told[-1] == (("b", "a", "d", "C"), "d")


def test_an_empty_table_sorts(table: RowsTable) -> None:
    table.rows_model.set_rows(())
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert table.rows_model.rowCount() == 0


def test_tips_are_no_rich_text(table: RowsTable) -> None:
    assert table.rows_model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "<qt>&lt;b&gt;b&lt;/b&gt;<br>&amp;</qt>"
    assert plain_tip("") == ""


def test_columns_that_can_be_spared_go_where_there_is_no_room(qtbot: QtBot) -> None:
    columns = (
        Column(title="name", text=lambda row: row[0], stretch=True),
        Column(title="first to go", text=lambda row: row[0], spare=2),
        Column(title="second to go", text=lambda row: row[0], spare=1),
        Column(title="stays", text=lambda row: row[0]),
    )
    made = RowsTable(RowsModel(columns, lambda row: row[0]))
    qtbot.addWidget(made)
    made.set_theme(theme())
    made.show()
    hidden = {}
    for width in (600, 300, 220, 150, 600):
        made.resize(width, 200)
        hidden[width] = [at for at in range(4) if made.isColumnHidden(at)]
        assert made.horizontalHeader().length() <= made.viewport().width() or width == 150
    assert hidden == {600: [], 300: [1], 220: [1, 2], 150: [1, 2]}
    made.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    made.resize(220, 200)
    assert not made.isColumnHidden(1)
