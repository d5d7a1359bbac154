"""A whole window for tests: fakes instead of models, real everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from guard_desk import api
from guard_desk.formats.write import save_case
from guard_desk.measure import asking
from guard_desk.models.registry import token_counter
from guard_desk.pipeline import Parts
from guard_desk.records.corpus import LoadedQuery, Query
from guard_desk.store.answers import SqliteAnswerStore
from guard_desk.ui.desk import Desk
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.view import Phase
from tests.fakes import Calls, RulesAnalyzer, fake_parts
from tests.ui.builders import ANSWER, QUESTION, TEXTS, passages, theme

WAIT_MS = 15_000


class Models:
    """What the window uses in place of real models; a test may exchange a part before it runs.

    :param calls: what was asked of them.
    """

    def __init__(self, folder: Path) -> None:
        self.calls = Calls()
        self.loads = 0
        self.error: BaseException | None = None
        self.parts: Parts = replace(fake_parts(self.calls), counter=token_counter(), store=SqliteAnswerStore(folder / "answers.sqlite"))

    def load(self, *_: object, **__: object) -> Parts:
        """Stands for `guard_desk.parts.load_parts`."""
        self.loads += 1
        if self.error is not None:
            raise self.error
        return self.parts


def use_models(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Models:
    """Let `guard_desk.api` take fakes where it would load models."""
    models = Models(folder)
    for module in (api, asking):
        monkeypatch.setattr(module, "load_parts", models.load)
    monkeypatch.setattr(api, "load_analyzer", lambda *_: RulesAnalyzer(models.calls))
    monkeypatch.setattr(api, "load_generator", lambda *_: models.parts.generator)
    return models


def case_file(path: Path, texts: Sequence[str] = TEXTS, *, answer: str | None = ANSWER, question: str = QUESTION) -> Path:
    """A case file of these texts."""
    save_case(path, passages(texts), [LoadedQuery(query=Query(text=question), answer=answer)])
    return path


def make_window(qtbot: QtBot, folder: Path, **desk: Any) -> MainWindow:
    """A window that is shown, with preferences of its own."""
    window = MainWindow(Desk(theme=theme(), **desk), Preferences(folder / "window.ini"))
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    return window


def settle() -> None:
    """Let everything that is due be shown."""
    for _ in range(4):
        QApplication.processEvents()


def open_file(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Open a corpus and wait until it is there."""
    with qtbot.waitSignal(window.desk.loaded, timeout=WAIT_MS):
        window.files.open(path)
    settle()


def run(qtbot: QtBot, window: MainWindow) -> None:
    """Run the question and wait for the result."""
    window.run()
    qtbot.waitUntil(lambda: window.desk.phase is not Phase.RUNNING, timeout=WAIT_MS)
    settle()


def rested(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing is decided, checked or read any more."""
    runner = window.desk.runner
    kinds = ("load", "run", "decide", "recheck", "reload", "save")
    qtbot.waitUntil(lambda: not window.desk._recheck.isActive() and not any(map(runner.running, kinds)), timeout=WAIT_MS)
    settle()


def column(table: QTableView, at: int = 0) -> list[str]:
    """The texts of a column as they stand on the screen."""
    model = table.model()
    return [str(model.index(row, at).data()) for row in range(model.rowCount())]
