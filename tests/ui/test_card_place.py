"""Where the card of a finding goes: beside its words, off the rows that tell the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from guard_desk.records.answer import Label
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.widgets.card_place import place_beside
from tests.ui.windows import case_file, open_file, run, settle

ROOM = QRect(0, 0, 1000, 800)
CARD = QSize(400, 200)


def at(words: QRect, keep: tuple[QRect, ...] = (), size: QSize = CARD, room: QRect = ROOM) -> QRect:
    return QRect(place_beside(size, words, room, keep), size)


def test_under_the_words_where_nothing_is_in_the_way() -> None:
    words = QRect(100, 300, 80, 20)
    card = at(words)
    assert (card.left(), card.top()) == (100, 323)


def test_above_where_the_room_below_is_short() -> None:
    words = QRect(100, 700, 80, 20)
    assert at(words).bottom() < words.top()


def test_off_the_row_that_should_stay_in_sight() -> None:
    words, row = QRect(100, 300, 80, 20), QRect(0, 400, 1000, 25)
    assert not at(words, (row,)).intersects(row)
    assert at(words, (row,)).bottom() < words.top()
    words, both = QRect(500, 300, 80, 20), (row, QRect(700, 150, 120, 25))
    card = at(words, both)
    assert not any(card.intersects(box) for box in (words, *both))
    assert card.bottom() < words.top()


def test_what_matters_less_is_covered_first_and_the_words_last() -> None:
    words = QRect(400, 390, 80, 20)
    first, second = QRect(0, 300, 1000, 25), QRect(0, 480, 1000, 25)
    assert not at(words, (first, second), QSize(600, 300)).intersects(first)
    for size in (QSize(600, 380), QSize(900, 380), QSize(500, 700)):
        card = at(words, (first, second), size)
        assert not card.intersects(words)
        assert ROOM.contains(card)


def test_a_card_as_large_as_the_room_stays_inside() -> None:
    assert at(QRect(10, 10, 50, 20), size=QSize(1000, 800)) == ROOM


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_words_and_rows_stay_in_sight_beside_the_card(qtbot: QtBot, window: MainWindow, tmp_path: Path, size: tuple[int, int]) -> None:
    window.resize(*size)
    open_file(qtbot, window, case_file(tmp_path / "c.guarddesk.json"))
    run(qtbot, window)
    trace = window.desk.session.trace
    assert trace is not None
    start = next(item.start for item in trace.attributed.spans if item.label is Label.CONFLICT)
    window.answer.text.setFocus()
    qtbot.keyClick(window.answer.text, Qt.Key.Key_N)
    while window.desk.selection.span != start:
        qtbot.keyClick(window.answer.text, Qt.Key.Key_N)
    qtbot.keyClick(window.answer.text, Qt.Key.Key_Return)
    settle()
    card = window.answer.card
    assert card is not None
    assert card.isAncestorOf(QApplication.focusWidget() or window)
    box = card.geometry().translated(window.mapToGlobal(QPoint(0, 0)))
    rows = window.answer.tables.places_of(start)
    chosen = window.passages.table.places_of([place.place.passage_id for place in card.places()])
    assert rows
    assert len(chosen) == 2
    assert not any(box.intersects(place) for place in (window.answer.text.lines_of(start), *rows, *chosen))
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert window.answer.text.hasFocus()
