"""The demo with the real models: run, tune, look, save, reopen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox, QSlider, QTableView
from pytestqt.qtbot import QtBot

from guard_desk import parts, resources
from guard_desk.formats.trace import dump_trace
from guard_desk.records.decision import Place
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.view import Phase
from tests.ui.windows import column, make_window, rested, settle

pytestmark = [pytest.mark.models, pytest.mark.slow]
RUN_MS = 180_000


@pytest.fixture
def demo(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The demo, opened and run."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    looks = app.styleSheet(), app.palette(), app.font()
    window = make_window(qtbot, tmp_path)
    with qtbot.waitSignal(window.desk.loaded, timeout=30_000):
        window.files.open_demo()
    window.run()
    qtbot.waitUntil(lambda: window.desk.phase is not Phase.RUNNING, timeout=RUN_MS)
    settle()
    yield window
    window.close()
    parts.answer_store.cache_clear()
    parts.vector_store.cache_clear()
    app.setStyleSheet(looks[0])
    app.setPalette(looks[1])
    app.setFont(looks[2])


def test_the_demo_from_run_to_reopened_session(qtbot: QtBot, demo: MainWindow, tmp_path: Path) -> None:
    assert demo.desk.phase is Phase.DONE, demo.desk.message
    trace = demo.desk.session.trace
    assert trace.prompt.places[0].place is Place.EXCLUDED
    assert trace.prompt.places[0].rule == "injection"
    ledger = demo.findChild(QTableView, "flip_ledger")
    slider = demo.findChild(QSlider, "threshold_evidence_min_slider")
    slider.setSliderDown(True)
    for value in range(slider.value(), 1000, 20):
        slider.setSliderPosition(value)
        settle()
    slider.setSliderDown(False)
    rested(qtbot, demo)
    flipped = column(ledger)
    assert flipped
    demo.actions_by_name["undo"].trigger()
    rested(qtbot, demo)
    assert column(ledger) == []
    assert demo.desk.session.trace.prompt == trace.prompt
    demo.actions_by_name["redo"].trigger()
    rested(qtbot, demo)
    assert column(ledger) == flipped
    found = next(finding for finding in demo.desk.session.trace.attributed.spans if finding.evidence)
    demo.answer.text.span_clicked.emit(found.start)
    settle()
    assert demo.card.view.selection.primary == found.evidence[0].passage_id
    demo.files.session_path = tmp_path / "demo.gdsession"
    demo.files.save()
    other = make_window(qtbot, tmp_path / "other")
    other.files.open(tmp_path / "demo.gdsession")
    rested(qtbot, other)
    assert other.desk.session.state == demo.desk.session.state
    assert dump_trace(other.desk.session.trace) == dump_trace(demo.desk.session.trace)
    assert column(other.findChild(QTableView, "flip_ledger")) == flipped
    other.close()


def test_a_run_is_cancelled_within_a_second_and_goes_on(qtbot: QtBot, demo: MainWindow) -> None:
    demo.desk.set_question("What happens to files that were deleted, and how long can they be brought back?")
    demo.run()
    qtbot.wait(60)
    started = time.perf_counter()
    demo.desk.cancel()
    qtbot.waitUntil(lambda: demo.desk.phase is not Phase.RUNNING, timeout=10_000)
    assert time.perf_counter() - started < 1
    demo.run()
    qtbot.waitUntil(lambda: demo.desk.phase is Phase.DONE, timeout=RUN_MS)
    assert demo.desk.session.trace.query.text.startswith("What happens")


def test_a_generator_that_is_not_here_names_its_command(qtbot: QtBot, demo: MainWindow) -> None:
    """The tests have a home of their own, so no fetched model is there."""
    assert not (resources.home() / "models").exists()
    demo.desk.set_models(replace(demo.desk.session.state.models, generator="local"))
    demo.run()
    qtbot.waitUntil(lambda: demo.findChild(QMessageBox, "error_dialog") is not None, timeout=RUN_MS)
    box = demo.findChild(QMessageBox, "error_dialog")
    assert "guard-desk models" in box.informativeText()
    box.close()
    demo.actions_by_name["undo"].trigger()
    demo.run()
    qtbot.waitUntil(lambda: demo.desk.phase is Phase.DONE, timeout=RUN_MS)
