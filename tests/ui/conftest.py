"""Every test of the window leaves nothing behind and says nothing: no widget, timer or thread, no warning of Qt."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from guard_desk.ui.main_window import MainWindow
from tests.ui.windows import Models, make_window, use_models

HERE = Path(__file__).parent
THREADS_S = 3.0
"""How long a thread may take to end after its test."""

# The offscreen platform cannot do these and says so; no fault of ours.
_OF_THE_PLATFORM = ("does not support propagateSizeHints", "does not support raise", "supports grabbing the mouse only")
_OF_QT = ("QTipLabel", "QComboBoxPrivateContainer")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A warning of Qt fails the test, here only."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(*_OF_THE_PLATFORM, extend=True))


@pytest.fixture
def qtbot(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[QtBot]:
    """The plugin's, which holds widgets too: it knows them weakly, and a window that only Python's collector takes down is taken down
    child by child in any order, which Qt does not survive."""
    held: list[QWidget] = []
    add = qtbot.addWidget

    def add_and_hold(widget: QWidget, **options: Any) -> None:
        held.append(widget)
        add(widget, **options)

    monkeypatch.setattr(qtbot, "addWidget", add_and_hold)
    yield qtbot
    _settle()


@pytest.fixture(autouse=True)
def _leaves_nothing(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a window, a running timer or a thread."""
    widgets, timers = {id(w) for w in _windows()}, {id(t) for t in _running_timers()}
    threads, looks = set(threading.enumerate()), (qapp.styleSheet(), qapp.palette(), qapp.font())
    yield
    _settle()
    _dress_again(qapp, *looks)
    if any(id(w) not in widgets for w in _windows()):
        gc.collect()
        _settle()
    left = [f"window {type(w).__name__} {w.objectName()!r}" for w in _windows() if id(w) not in widgets]
    left += [f"running timer of {t.parent()!r}" for t in _running_timers() if id(t) not in timers]
    left += [f"thread {thread.name}" for thread in _left_threads(threads)]
    assert not left, "the test left behind: " + ", ".join(left)


def _dress_again(app: QApplication, sheet: str, palette: QPalette, font: QFont) -> None:
    """The looks of before: a sheet that a window left would give the widgets of the next test other sizes."""
    if app.styleSheet() != sheet:
        app.setStyleSheet(sheet)
        app.setPalette(palette)
        app.setFont(font)


def _settle() -> None:
    """Let Qt delete what was marked for it."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()


def _windows() -> list[QWidget]:
    return [w for w in QApplication.topLevelWidgets() if isValid(w) and w.metaObject().className() not in _OF_QT]


def _running_timers() -> list[QTimer]:
    # By type(), since isinstance() would wake the lazy modules of others that the collector knows.
    timers = [thing for thing in gc.get_objects() if issubclass(type(thing), QTimer)]
    return [timer for timer in timers if isValid(timer) and timer.isActive()]


def _left_threads(before: set[threading.Thread]) -> list[threading.Thread]:
    until = time.monotonic() + THREADS_S
    while left := [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]:
        if time.monotonic() > until:
            break
        time.sleep(0.01)
    return left


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Models:
    """Fakes in place of models, for a whole window."""
    return use_models(monkeypatch, tmp_path)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, models: Models) -> Iterator[MainWindow]:
    """A whole window."""
    made = make_window(qtbot, tmp_path)
    yield made
    made.close()
