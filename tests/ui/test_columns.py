"""Which columns of the passages table are shown, and how wide."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from guard_desk.ui.panels.passages import PassagesPanel
from guard_desk.ui.widgets.column_choice import ColumnChoice
from tests.ui import builders
from tests.ui.windows import Models, make_window, settle

GROUPS = (("text",), ("place",), ("a", "b"), ("date",))
NEEDS = {"text": 100, "place": 50, "a": 30, "b": 30, "date": 40}


@pytest.fixture
def panel(qtbot: QtBot) -> PassagesPanel:
    made = PassagesPanel()
    qtbot.addWidget(made)
    made.resize(390, 420)
    made.show()
    made.show_view(builders.view(builders.trace()))
    settle()
    return made


def at(panel: PassagesPanel, title: str) -> int:
    return [column.title for column in panel.model.columns].index(title)


def titles(panel: PassagesPanel) -> list[str]:
    return [column.title for number, column in enumerate(panel.model.columns) if not panel.table.isColumnHidden(number)]


def scrolls(panel: PassagesPanel) -> bool:
    return panel.table.horizontalScrollBar().maximum() > 0


def act(panel: PassagesPanel, title: str) -> None:
    menu = QMenu(panel)
    panel.table.fill_columns(menu)
    next(action for action in menu.actions() if action.text() == title).trigger()
    settle()


def drag(panel: PassagesPanel, title: str, by: int) -> None:
    header = panel.table.horizontalHeader()
    edge = QPoint(header.sectionViewportPosition(at(panel, title)) + header.sectionSize(at(panel, title)) - 1, header.height() // 2)
    QTest.mousePress(header.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, edge)
    QTest.mouseMove(header.viewport(), edge + QPoint(by // 2, 0))
    QTest.mouseMove(header.viewport(), edge + QPoint(by, 0))
    QTest.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, edge + QPoint(by, 0))
    settle()


@pytest.mark.parametrize("width", [330, 390, 520, 700, 900, 1300])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_nothing_scrolls_sideways_and_the_passage_takes_what_is_left(panel: PassagesPanel, width: int, scale: float) -> None:
    panel.show_view(builders.view(builders.trace(), theme=builders.theme(scale=scale)))
    panel.resize(width, 420)
    settle()
    assert not scrolls(panel)
    assert {"passage", "place"} <= set(titles(panel))
    assert panel.table.horizontalHeader().length() == panel.table.viewport().width()


def test_columns_come_by_weight_as_the_pane_gets_wider(panel: PassagesPanel) -> None:
    assert titles(panel) == ["#", "place", "passage", "sim"]
    panel.resize(560, 420)
    settle()
    assert titles(panel) == ["#", "place", "passage", "sim", "rel", "evi", "con", "inj"]
    panel.resize(1300, 420)
    settle()
    assert titles(panel) == [column.title for column in panel.model.columns]


def test_before_a_run_a_narrow_pane_shows_passage_id_and_date(panel: PassagesPanel) -> None:
    panel.show_view(builders.ready_view())
    settle()
    assert titles(panel)[:2] == ["passage", "id"]
    assert not scrolls(panel)


def test_a_column_that_a_person_wants_is_shown_without_room_for_it(panel: PassagesPanel) -> None:
    act(panel, "source")
    assert "source" in titles(panel)
    act(panel, "source")
    assert "source" not in titles(panel)
    panel.resize(1300, 420)
    settle()
    assert "source" not in titles(panel), "it was hidden by a person"
    act(panel, "As many as have room")
    assert "source" in titles(panel)


def test_the_column_that_rows_are_sorted_by_stays(panel: PassagesPanel) -> None:
    panel.resize(900, 420)
    settle()
    panel.table.sortByColumn(at(panel, "inj"), Qt.SortOrder.DescendingOrder)
    panel.resize(390, 420)
    settle()
    assert "inj" in titles(panel)
    assert not scrolls(panel)


def test_widths_that_a_person_chose_stay_when_pane_and_text_change(panel: PassagesPanel) -> None:
    drag(panel, "place", -30)
    width = panel.table.columnWidth(at(panel, "place"))
    assert panel.table.choice.widths == {"place": width}
    panel.resize(420, 420)
    panel.show_view(builders.view(builders.trace(), theme=builders.theme(dark=True)))
    settle()
    assert panel.table.columnWidth(at(panel, "place")) == width
    assert not scrolls(panel)
    panel.table.reset_columns()
    assert panel.table.columnWidth(at(panel, "place")) > width


def test_the_menu_of_places_offers_the_columns_to_the_keyboard(panel: PassagesPanel) -> None:
    panel._fill_menu()
    menu = next(action for action in panel.places.menu().actions() if action.text() == "&Columns").menu()
    assert isinstance(menu, QMenu)
    offered: list[QAction] = menu.actions()
    assert {action.text() for action in offered if action.isChecked()} == {"#", "place", "passage", "sim"}
    assert not next(action for action in offered if action.text() == "passage").isEnabled()


def test_columns_are_kept_between_starts_and_the_layout_can_be_reset(qtbot: QtBot, tmp_path: Path, models: Models) -> None:
    assert models.loads == 0
    first = make_window(qtbot, tmp_path)
    first.passages.table.choice.toggle("sim", shown=True)
    first.passages.table.choice.widths["place"] = 77
    first.close()
    second = make_window(qtbot, tmp_path)
    table = second.passages.table
    assert (table.choice.hidden, table.choice.widths) == ({"sim"}, {"place": 77})
    second.reset_layout()
    assert table.choice == ColumnChoice()
    second.close()


def test_groups_come_in_their_order_until_one_has_no_room() -> None:
    choice = ColumnChoice()
    assert choice.shown(GROUPS, NEEDS, 90) == {"text"}
    assert choice.shown(GROUPS, NEEDS, 195) == {"text", "place"}
    assert choice.shown(GROUPS, NEEDS, 209) == {"text", "place"}, "what weighs less does not jump the queue"
    assert choice.shown(GROUPS, NEEDS, 210) == {"text", "place", "a", "b"}
    assert choice.shown(GROUPS, NEEDS, 150, held=("date",)) == {"text", "date"}
    choice.toggle("place", shown=True)
    choice.toggle("date", shown=False)
    assert choice.shown(GROUPS, NEEDS, 200) == {"text", "date", "a", "b"}


def test_what_was_chosen_can_be_stored_and_broken_text_is_left_alone() -> None:
    choice, other = ColumnChoice(hidden={"a"}, wanted={"date"}, widths={"place": 44}), ColumnChoice()
    other.take_text(choice.to_text())
    assert other == choice
    for text in ("", "[]", "{}", '{"hidden": 1, "wanted": [], "widths": {}}', '{"hidden": [], "wanted": [], "widths": {"a": "x"}}'):
        other.take_text(text)
        assert other == choice
