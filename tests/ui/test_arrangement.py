"""How the panes share the window: the ledger opens with the first change, and what a person dragged stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitter
from pytestqt.qtbot import QtBot

from guard_desk.ui.main_window import MainWindow
from tests.ui.windows import Models, case_file, make_window, open_file, rested, run, settle


@pytest.fixture
def ran(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    run(qtbot, window)
    return window


def ledger(window: MainWindow) -> int:
    return window.panes["ledger"].height()


def move(qtbot: QtBot, window: MainWindow, value: float) -> None:
    window.move_knob("thresholds.evidence_min", value)
    rested(qtbot, window)


def drag(splitter: QSplitter, by: int) -> None:
    handle = splitter.handle(1)
    middle = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    QTest.mouseMove(handle, middle + QPoint(0, by))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle + QPoint(0, by))
    settle()


def test_a_ledger_without_changes_is_one_line_and_opens_with_the_first(qtbot: QtBot, ran: MainWindow) -> None:
    assert ledger(ran) < 60
    assert ran.ledger.sums.isVisible()
    assert ran.ledger.sums.text() == "No decision changes."
    move(qtbot, ran, 0.95)
    assert ledger(ran) > 100
    move(qtbot, ran, float(ran.desk.session.judge_thresholds.evidence_min))
    assert ran.ledger.sums.text() == "No decision changes."
    assert ledger(ran) > 100, "nothing jumps while a slider moves to and fro"
    run(qtbot, ran)
    assert ledger(ran) < 60


def test_before_a_run_the_ledger_says_what_it_is_for(window: MainWindow) -> None:
    assert ledger(window) > 100


def test_a_height_that_a_person_chose_stays_and_is_the_only_one_kept(qtbot: QtBot, ran: MainWindow, tmp_path: Path, models: Models) -> None:
    assert models.loads
    drag(ran.splitters["middle"], -160)
    chosen = ledger(ran)
    assert chosen > 150
    move(qtbot, ran, 0.95)
    move(qtbot, ran, 0.5)
    run(qtbot, ran)
    assert ledger(ran) == chosen
    ran.arrangement.keep()
    assert ran.preferences.layout("middle") is not None
    assert ran.preferences.layout("main") is None, "what nobody chose may follow the window of the next start"
    again = make_window(qtbot, tmp_path)
    assert abs(ledger(again) - chosen) <= 1
    again.reset_layout()
    settle()
    assert again.preferences.layout("middle") is None
    again.close()
