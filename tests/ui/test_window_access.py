"""Keys, names and order: everything can be done without a mouse and is named for those who do not see."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from guard_desk.ui.dialogs.choices import FilterDialog
from guard_desk.ui.dialogs.models import ModelsDialog
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.theme import Mode
from tests.ui.windows import Models, case_file, open_file, run, settle

INTERACTIVE = (QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit)


@pytest.fixture
def ran(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with a run in which every tab was shown."""
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    run(qtbot, window)
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        settle()
    window.tabs.setCurrentIndex(0)
    return window


def test_no_key_does_two_things(ran: MainWindow) -> None:
    keys = Counter(key.toString() for action in ran.findChildren(QAction) for key in action.shortcuts() if not key.isEmpty())
    assert [key for key, count in keys.items() if count > 1] == []
    assert {"Ctrl+O", "F5", "Esc", "Ctrl+Z", "F6", "Ctrl+Shift+P", "Ctrl+F", "Ctrl+L", "Ctrl+S"} <= set(keys)


def test_no_menu_has_a_letter_twice_among_its_first_ones(ran: MainWindow) -> None:
    titles = [action.text() for action in ran.menuBar().actions()]
    letters = [title[title.index("&") + 1].lower() for title in titles if "&" in title]
    assert len(letters) == len(set(letters)) == len(titles)


def test_every_command_says_what_it_does(ran: MainWindow) -> None:
    for command in ran.commands:
        action = ran.actions_by_name[command.name]
        assert action.toolTip()
        assert action.objectName() == command.name


def named(widget: QWidget) -> bool:
    """Whether a screen reader has something to say."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return bool(widget.accessibleName() or text)


def own(widget: QWidget) -> bool:
    """Not a part that Qt puts inside one of its widgets."""
    parent = widget.parentWidget()
    inside = isinstance(parent, QComboBox | QAbstractSpinBox | QAbstractItemView | QLineEdit) or widget.objectName().startswith("qt_")
    return not inside and not isinstance(widget, QScrollBar) and not widget.inherits("QHeaderView") and not widget.inherits("QTabBar")


def test_everything_to_act_on_has_a_name(ran: MainWindow) -> None:
    inside = [widget for widget in ran.findChildren(QWidget) if widget.window() is ran]
    widgets = [widget for widget in inside if isinstance(widget, INTERACTIVE) and own(widget)]
    assert len(widgets) > 60
    nameless = [f"{type(w).__name__} {w.objectName()!r} in {w.parentWidget().objectName()!r}" for w in widgets if not named(w)]
    assert nameless == []


def test_the_pane_key_goes_round_and_back(qtbot: QtBot, ran: MainWindow) -> None:
    ran.activateWindow()
    ran.question.line.setFocus()
    order = []
    for _ in range(len(ran.panes) + 1):
        ran.actions_by_name["next_pane"].trigger()
        focus = QApplication.focusWidget()
        order.append(next(name for name, pane in ran.panes.items() if pane.isAncestorOf(focus)))
    assert len(set(order)) == len(set(order[:-1]))
    assert order[0] == order[len(set(order))]
    ran.actions_by_name["previous_pane"].trigger()
    focus = QApplication.focusWidget()
    assert ran.panes[order[-2]].isAncestorOf(focus)


def test_tab_leaves_every_place(qtbot: QtBot, ran: MainWindow) -> None:
    """Tab walks through the window and comes back: no widget keeps the focus to itself."""
    ran.desk.select(("p1",))
    settle()
    ran.activateWindow()
    ran.question.line.setFocus()
    seen: list[QWidget] = []
    for _ in range(400):
        focus = QApplication.focusWidget()
        assert focus is not None
        if focus in seen:
            break
        seen.append(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    panes = {name for name, pane in ran.panes.items() if any(pane.isAncestorOf(widget) for widget in seen)}
    assert panes >= {"passages", "centre", "rules", "card", "answer"}
    assert len(seen) < 400


def test_the_palette_finds_a_command_and_does_it(qtbot: QtBot, ran: MainWindow) -> None:
    ran.actions_by_name["palette"].trigger()
    palette = ran.findChild(QDialog, "command_palette")
    line, found = palette.findChild(QLineEdit), palette.findChild(QListView)
    qtbot.keyClicks(line, "recipe")
    assert found.model().rowCount() == 1
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle()
    assert ran.desk.session.effective("thresholds.relevant_min") == 0.45
    assert "recipe" in ran.desk.undo_stack.undoText()


def test_models_and_device_are_chosen(qtbot: QtBot, ran: MainWindow, models: Models) -> None:
    ran.actions_by_name["choose_models"].trigger()
    dialog = ran.findChild(ModelsDialog)
    assert dialog.models() == ran.desk.session.state.models
    dialog._boxes["encoder"].setCurrentText("tfidf")
    dialog.accept()
    settle()
    assert ran.desk.session.state.models.encoder == "tfidf"
    at = ran.question.device.findData("cpu")
    ran.question.device.setCurrentIndex(at)
    ran.question.device.activated.emit(at)
    settle()
    assert ran.desk.session.state.models.device == "cpu"
    ran.actions_by_name["undo"].trigger()
    ran.actions_by_name["undo"].trigger()
    settle()
    assert ran.desk.session.state.models.encoder == "minilm"
    assert ran.question.device.currentData() == "auto"


def test_version_and_scope_filter_the_next_run(qtbot: QtBot, ran: MainWindow) -> None:
    ran.asking.filter()
    dialog = ran.findChild(FilterDialog)
    dialog._version.addItem("v9")
    dialog._version.setCurrentText("v9")
    dialog.accept()
    settle()
    assert ran.desk.session.state.query.version == "v9"
    run(qtbot, ran)
    assert len(ran.desk.session.trace.retrieved.hits) == 0
    for index in range(ran.tabs.count()):
        ran.tabs.setCurrentIndex(index)
        settle()
    ran.actions_by_name["undo"].trigger()
    assert ran.desk.session.state.query.version is None


def test_theme_and_text_size_change_and_are_kept(ran: MainWindow) -> None:
    ran.actions_by_name["theme_dark"].trigger()
    settle()
    assert ran.desk.theme.dark
    assert all(panel.view.theme.dark for panel in ran.panels if panel.isVisible())
    before = ran.font().pointSizeF()
    for _ in range(12):
        ran.actions_by_name["text_larger"].trigger()
    assert ran.preferences.text_scale == 2.0
    assert QApplication.font().pointSizeF() > before
    ran.actions_by_name["text_normal"].trigger()
    ran.actions_by_name["theme_light"].trigger()
    settle()
    assert ran.preferences.mode is Mode.LIGHT
    assert not ran.desk.theme.dark


def test_it_fits_a_small_screen(ran: MainWindow) -> None:
    ran.resize(1280, 720)
    settle()
    assert ran.size() == QSize(1280, 720)
    assert ran.minimumSizeHint().width() <= 1280
    assert ran.minimumSizeHint().height() <= 720


def shares(window: MainWindow) -> list[float]:
    sizes = window.splitters["top"].sizes()
    return [round(size / sum(sizes), 2) for size in sizes]


def test_the_layout_is_reset(ran: MainWindow) -> None:
    first = shares(ran)
    ran.splitters["top"].setSizes([600, 400, 400])
    assert shares(ran) != first
    ran.actions_by_name["reset_layout"].trigger()
    settle()
    assert shares(ran) == pytest.approx(first, abs=0.02)
