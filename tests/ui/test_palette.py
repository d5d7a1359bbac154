"""Finding a command, and what an empty window offers."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from guard_desk.ui.dialogs.palette import Palette
from guard_desk.ui.judge_kinds import title_of
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.view import Phase
from tests.ui import builders
from tests.ui.windows import settle

COMMANDS = (
    ("&Open…", "Open a corpus, a case file, a trace or a session", "Ctrl+O", True),
    ("&Save session", "Save everything", "Ctrl+S", True),
    ("Save report…", "Write the run as HTML", "", False),
    ("Reopen &last session", "Go on with what the window was closed with", "", True),
    ("&Dark colours", "", "", True),
)


@pytest.fixture
def palette(qtbot: QtBot) -> Palette:
    actions = []
    for text, tip, keys, enabled in COMMANDS:
        action = QAction(text)
        action.setStatusTip(tip)
        action.setShortcut(keys)
        action.setEnabled(enabled)
        actions.append(action)
    made = Palette(actions)
    made.actions_of_test = actions  # type: ignore[attr-defined]  # keeps them alive
    qtbot.addWidget(made)
    made.show()
    return made


def _note(done: list[str], text: str, _checked: bool = False) -> None:
    done.append(text)


def test_only_commands_that_can_act_are_listed_in_the_order_of_the_menus(palette: Palette) -> None:
    assert palette.shown() == ["Open", "Save session", "Reopen last session", "Dark colours"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("session", ["Save session", "Reopen last session", "Open"]),
        ("SESSION reopen", ["Reopen last session"]),
        ("closed", ["Reopen last session"]),
        ("html", []),
    ],
)
def test_words_find_names_before_tips_in_any_order(qtbot: QtBot, palette: Palette, typed: str, found: list[str]) -> None:
    qtbot.keyClicks(palette._line, typed)
    assert palette.shown() == found
    assert palette._nothing.isVisible() is not bool(found)


def test_enter_does_the_chosen_command_once(qtbot: QtBot, palette: Palette) -> None:
    done: list[str] = []
    for action in palette.actions_of_test:  # type: ignore[attr-defined]
        action.triggered.connect(partial(_note, done, action.text()))
    qtbot.keyClicks(palette._line, "session")
    qtbot.keyClick(palette._line, Qt.Key.Key_Down)
    qtbot.keyClick(palette._line, Qt.Key.Key_Return)
    assert done == ["Reopen &last session"]
    assert not palette.isVisible()


def test_an_empty_window_offers_what_to_open_in_one_place(qtbot: QtBot, window: MainWindow) -> None:
    offers = {button.objectName(): button for button in window.findChildren(QToolButton) if button.objectName().startswith("offer_")}
    assert list(offers) == ["offer_open_file", "offer_open_demo", "offer_reopen_last"]
    assert all(button.isVisible() for button in offers.values())
    assert [button.isEnabled() for button in offers.values()] == [True, True, False]
    window.show_view(builders.ready_view())
    settle()
    assert not any(button.isVisible() for button in offers.values())
    window.show_view(builders.empty_view(Phase.FAILED))
    settle()
    assert not any(button.isVisible() for button in offers.values())


def test_a_judge_is_not_named_twice() -> None:
    assert title_of("embedded") == "Embedded"
    assert title_of("features") == "Rules only (features)"
    assert title_of("mine") == "mine"
