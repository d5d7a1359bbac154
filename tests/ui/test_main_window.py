"""What the main window joins: menus, keys, first size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from guard_desk import resources
from guard_desk.ui.desk import Desk
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import Mode, make_theme


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The window on the demo case, not run."""
    window = MainWindow(Desk(theme=make_theme(Mode.LIGHT)), Preferences(tmp_path / "window.ini"))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    with qtbot.waitSignal(window.desk.loaded, timeout=30_000):
        window.files.open(resources.path("demo", "harbourlight.guarddesk.json"))
    yield window
    window.close()


def test_undo_and_redo_stand_in_the_edit_menu(window: MainWindow) -> None:
    edit = next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "&Edit")
    assert [action.objectName() for action in edit.actions()][:2] == ["undo", "redo"]


def test_the_keys_undo_and_redo_a_moved_knob(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    window.tabs.setFocus()
    window.move_knob("assemble.k", 3)
    window.desk.seal()
    before = window.desk.session.state.policy.assemble.k
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (before, window.desk.session.state.policy.assemble.k == 3) == (3, False)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.desk.session.state.policy.assemble.k == 3


def test_a_typed_question_runs_by_key_while_the_cursor_is_in_the_box(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(window.desk, "run", lambda: asked.append(window.desk.session.state.query.text))
    window.activateWindow()
    window.question.line.setFocus()
    window.question.line.selectAll()
    qtbot.keyClick(window.question.line, Qt.Key.Key_Delete)
    assert not window.actions_by_name["run"].isEnabled()
    qtbot.keyClicks(window.question.line, "How large is a file?")
    assert window.actions_by_name["run"].isEnabled()
    qtbot.keyClick(window.question.line, Qt.Key.Key_F5)
    assert asked == ["How large is a file?"]


@pytest.mark.parametrize("backwards", [False, True])
def test_the_pane_key_passes_over_panes_with_nothing_to_act_on(window: MainWindow, qtbot: QtBot, backwards: bool) -> None:
    assert not window.panes["ledger"].take_focus()
    window.activateWindow()
    keys = Qt.KeyboardModifier.ShiftModifier if backwards else Qt.KeyboardModifier.NoModifier
    visited = []
    for _ in range(6):
        qtbot.keyClick(window, Qt.Key.Key_F6, keys)
        visited.append(next(name for name, pane in window.panes.items() if pane.isAncestorOf(QApplication.focusWidget() or window)))
    assert visited[:3] == visited[3:]
    assert set(visited[:3]) == {"passages", "centre", "answer"}


def test_the_first_window_fits_the_screen(window: MainWindow) -> None:
    room = window.screen().availableSize()
    assert window.height() < room.height()
    assert window.width() <= max(room.width(), window.minimumWidth())


def test_a_path_of_the_working_folder_is_remembered_in_full(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "gate.md").write_text("The gate opens at six.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with qtbot.waitSignal(window.desk.loaded, timeout=30_000):
        window.files.open("notes")
    assert window.preferences.recent == (str(tmp_path / "notes"),)
    assert window.desk.session.state.corpus_path == str(tmp_path / "notes")


def test_the_demo_does_not_make_its_folder_the_place_to_save(window: MainWindow) -> None:
    assert (window.preferences.recent, window.preferences.last_folder) == ((), "")


def test_enter_in_an_empty_question_box_asks_for_a_question(window: MainWindow, qtbot: QtBot) -> None:
    failed: list[BaseException] = []
    window.desk.failed.connect(failed.append)
    window.question.line.setFocus()
    window.question.line.selectAll()
    qtbot.keyClick(window.question.line, Qt.Key.Key_Delete)
    qtbot.keyClick(window.question.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.status.stage.text() == "Ready: ask a question")
    assert not QApplication.activeModalWidget()
    assert failed == []
