"""Starts the window: application, autosave, recovery, first start."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from types import TracebackType

from filelock import FileLock, Timeout
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from guard_desk import resources
from guard_desk.errors import GuardDeskError
from guard_desk.records.state import State
from guard_desk.records.trace import Trace
from guard_desk.session import restore
from guard_desk.store.sessions import LAST, SUFFIX, SessionFile
from guard_desk.ui.desk import Desk
from guard_desk.ui.icons import icon
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import make_theme

logger = logging.getLogger("guard_desk.ui")

# A worker lets the window's thread run after this time. Python's own 5 ms would be waited at each call of Qt into Python, and
# one picture of a table makes a hundred of them.
SWITCH_S = 0.0005

_LONGEST = 80
"""Letters of a question in the recovery dialog."""


class Autosave:
    """The session file of this process; one that a crash left behind is offered at the next start.

    A lock beside the file says that its process is alive.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or resources.home() / "sessions"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path = self.folder / f"autosave-{os.getpid()}-{time.time_ns()}{SUFFIX}"
        self._lock = FileLock(str(self.path) + ".lock")
        self._lock.acquire()
        self.file = SessionFile(self.path)

    def left_behind(self) -> Path | None:
        """The newest autosave whose process is gone and in which something was done; those in which nothing was done are deleted."""
        for path in sorted(self.folder.glob(f"autosave-*{SUFFIX}"), key=lambda p: p.stat().st_mtime, reverse=True):
            if path == self.path or not _is_orphan(path):
                continue
            found = _holds_something(path)
            if found:
                return path
            if found is False:
                self.discard(path)
        return None

    def discard(self, path: Path) -> None:
        """Delete an autosave and what lies beside it."""
        for beside in path.parent.glob(path.name + "*"):
            beside.unlink(missing_ok=True)

    def close(self) -> None:
        """A clean end: nothing to recover, and yet nothing is lost: "Reopen last session" brings it back."""
        worth_keeping = self.file.last_change() is not None
        self.file.close()
        self._lock.release()
        if worth_keeping:
            self.path.replace(self.folder / LAST)
        self.discard(self.path)


def _is_orphan(path: Path) -> bool:
    lock = FileLock(str(path) + ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    lock.release()
    return True


def _holds_something(path: Path) -> bool | None:
    """Whether there is anything to go on with; None for a file that is damaged or newer, which is left as it is."""
    try:
        state, trace = _read(path)
    except GuardDeskError:
        return None
    return trace is not None or bool(state.corpus_path)


def _read(path: Path) -> tuple[State, Trace | None]:
    file = SessionFile(path)
    try:
        return restore(file)
    finally:
        file.close()


def _words_of(path: Path) -> str:
    """Which session an autosave holds: "the session on notes, “When does the gate open?”"."""
    state, _ = _read(path)
    name = f" on {Path(state.corpus_path).name}" if state.corpus_path else ""
    return f"the session{name}, “{shorten(state.query.text, _LONGEST, placeholder='…')}”" if state.query.text else f"the session{name}"


def start(arguments: Sequence[str]) -> int:
    """Open the window and stay until it closes.

    :param arguments: a file to open, or nothing.
    :returns: exit status.
    """
    app = make_application()
    preferences = Preferences()
    autosave = Autosave()
    desk = Desk(autosave=autosave.file, theme=make_theme(preferences.mode, preferences.text_scale))
    window = MainWindow(desk, preferences)
    window.show()
    opener = Opener(window, autosave, list(arguments))
    QTimer.singleShot(0, opener.open)
    sys.excepthook = Unforeseen(window).tell
    status = app.exec()
    autosave.close()
    return status


def make_application() -> QApplication:
    """The one application, named for settings and window managers."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    sys.setswitchinterval(SWITCH_S)
    app.setApplicationName("Guard Desk")
    app.setOrganizationName("guard-desk")
    app.setDesktopFileName("guard-desk")
    return app


class Unforeseen:
    """What becomes of an error that nobody caught: it is logged, and told in the one dialog, so that work can go on."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def tell(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Stands for `sys.excepthook`. One dialog at a time: an error that comes with each picture would bury the window."""
        if not issubclass(kind, Exception):
            sys.__excepthook__(kind, error, trace)
            return
        logger.error("not caught", exc_info=(kind, error, trace))
        if self._window.isVisible() and self._window.findChild(QMessageBox, "error_dialog") is None:
            self._window.show_error(error)


class Opener:
    """What happens right after the window stands."""

    def __init__(self, window: MainWindow, autosave: Autosave, arguments: list[str]) -> None:
        self._window, self._autosave, self._arguments = window, autosave, arguments

    def open(self) -> None:
        """Open what was asked for; else offer what a crash left; else, on the first start, the demo."""
        window = self._window
        window.setWindowIcon(icon("settings", window.desk.theme.colors, window.desk.theme.colors.accent))
        left = self._autosave.left_behind()
        if self._arguments:
            window.files.open(self._arguments[0])
        elif left is not None:
            self._offer(left)
        elif not window.preferences.started_before:
            window.files.open_demo()
        window.preferences.mark_started()

    def _offer(self, left: Path) -> None:
        box = QMessageBox(self._window)
        box.setObjectName("recovery_dialog")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Guard Desk")
        box.setText("Guard Desk did not close properly last time.")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(f"Go on with {_words_of(left)}? Nothing of it was lost.")
        go_on = box.addButton("Go on", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Later", QMessageBox.ButtonRole.RejectRole)  # also Esc: only who says so loses a session
        delete = box.addButton("Delete it", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(go_on)
        box.exec()
        if box.clickedButton() is go_on:
            self._recover(left)
        elif box.clickedButton() is delete:
            self._autosave.discard(left)

    def _recover(self, left: Path) -> None:
        state, trace = _read(left)
        self._window.desk.restore(state, trace)
        self._autosave.discard(left)
