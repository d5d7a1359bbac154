"""The suite `window`: what a person feels, measured on a real window with its event loop."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from guard_desk import resources
from guard_desk.formats import load_corpus, make_corpus
from guard_desk.measure.synthetic import synthetic_passages, synthetic_trace
from guard_desk.measure.tables import Row, Table
from guard_desk.models.registry import token_counter
from guard_desk.records.corpus import LoadResult, Passage, Query
from guard_desk.records.state import State
from guard_desk.ui.app import make_application
from guard_desk.ui.desk import Desk
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import Mode, make_theme
from guard_desk.ui.view import Phase

SLIDER_STEPS, TABLE_ROWS, CANCEL_PASSAGES = 60, 100_000, 3_000
_TIMEOUT_S = 300.0


def window_suite(repeats: int = 3) -> Table:
    """Measure the window on this machine.

    :param repeats: starts of a fresh process.
    """
    with TemporaryDirectory() as folder:
        app = make_application()
        rows = [
            *_start(repeats),
            *_sliders(app, Path(folder)),
            *_table(app, Path(folder)),
            *_full_run(app, Path(folder)),
            *_cancel(app, Path(folder)),
        ]
    return Table(suite="window", rows=tuple(rows))


def _open(folder: Path) -> MainWindow:
    window = MainWindow(Desk(theme=make_theme(Mode.LIGHT)), Preferences(folder / "window.ini"))
    window.resize(1440, 900)
    window.show()
    return window


def _settle(app: QApplication) -> None:
    """Let everything that is due happen, paints included."""
    for _ in range(3):
        app.processEvents()


def _percentiles(name: str, times_s: list[float], goal_ms: float) -> list[Row]:
    p50, p95 = np.percentile(np.array(times_s) * 1000, [50, 95])
    return [Row(name=name, figure=float(p95), unit="ms p95", note=f"goal {goal_ms:.0f} ms; median {p50:.1f} ms, n={len(times_s)}")]


def _start(repeats: int) -> list[Row]:
    code = (
        "import sys, time; from PySide6.QtWidgets import QApplication; from guard_desk.ui.app import make_application;"
        "from guard_desk.ui.main_window import MainWindow; app = make_application(); window = MainWindow(); window.show();"
        "app.processEvents(); app.processEvents(); print(time.time() - float(sys.argv[1])); window.close()"
    )
    times = []
    for _ in range(repeats + 1):
        run = subprocess.run(
            [sys.executable, "-c", code, str(time.time())], capture_output=True, text=True, check=True, env=os.environ.copy()
        )
        times.append(float(run.stdout))
    warm = sorted(times[1:])[len(times[1:]) // 2]
    return [Row(name="start of the process to a visible window", figure=warm, unit="s", note=f"goal 1.5 s; first {times[0]:.2f} s")]


def _sliders(app: QApplication, folder: Path) -> list[Row]:
    rows = []
    for count, goal in ((1_000, 16.0), (10_000, 100.0)):
        window = _open(folder)
        trace = synthetic_trace(count, token_counter())
        window.desk.show_trace(trace)
        _settle(app)
        slider = window.findChild(QObject, "threshold_evidence_min_slider")
        times = []
        for value in np.linspace(300, 800, SLIDER_STEPS).astype(int).tolist():
            started = time.perf_counter()
            slider.setValue(value)
            _until(app, lambda desk=window.desk: not desk.runner.running("decide"))
            _settle(app)
            times.append(time.perf_counter() - started)
        rows += _percentiles(f"slider signal to repainted counts, {count:,} passages", times[5:], goal)
        _close(app, window)
    return rows


def _table(app: QApplication, folder: Path) -> list[Row]:
    window = _open(folder)
    loaded = LoadResult(corpus=make_corpus(synthetic_passages(TABLE_ROWS)))
    started = time.perf_counter()
    window.desk.show_corpus(loaded)
    _settle(app)
    rows = [Row(name=f"table of {TABLE_ROWS:,} rows: open", figure=(time.perf_counter() - started) * 1000, unit="ms")]
    view = window.passages.table
    for column, word in ((0, "rank"), (2, "text")):
        started = time.perf_counter()
        view.sortByColumn(column, view.horizontalHeader().sortIndicatorOrder())
        _settle(app)
        rows.append(Row(name=f"  sort by {word}", figure=(time.perf_counter() - started) * 1000, unit="ms", note="goal 150 ms"))
    started = time.perf_counter()
    window.passages.filter_line.setText("hall 7 litres")
    _until(app, lambda: window.passages.settled())
    rows.append(Row(name="  filter by words", figure=(time.perf_counter() - started) * 1000, unit="ms"))
    window.passages.filter_line.clear()
    _until(app, lambda: window.passages.settled())
    bar, times = view.verticalScrollBar(), []
    for value in np.linspace(0, bar.maximum(), 60).astype(int).tolist():
        started = time.perf_counter()
        bar.setValue(value)
        _settle(app)
        times.append(time.perf_counter() - started)
    rows += _percentiles("  scroll, a frame", times, 50.0)
    _close(app, window)
    return rows


class _Heart(QObject):
    """Beats every few milliseconds; the longest gap is the longest pause of the window's thread."""

    def __init__(self) -> None:
        super().__init__()
        self.longest_s = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(self, interval=2)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.longest_s = max(self.longest_s, now - self._last)
        self._last = now

    def restart(self) -> None:
        self.longest_s, self._last = 0.0, time.perf_counter()

    def stop(self) -> None:
        self._timer.stop()


def _full_run(app: QApplication, folder: Path) -> list[Row]:
    window = _open(folder)
    window.desk.show_corpus(load_corpus(resources.path("demo", "harbourlight.guarddesk.json")))
    _settle(app)
    rows = []
    for name, goal in (
        ("first run, model libraries imported", "the import may hold it"),
        ("second run, nothing cached but the models", "goal 100 ms"),
    ):
        heart = _Heart()
        if rows:
            window.desk.set_question("What happens to deleted files?")
        _settle(app)
        heart.restart()
        window.run()
        _until(app, lambda: window.desk.phase is not Phase.RUNNING)
        heart.stop()
        rows.append(Row(name=f"longest pause of the window's thread: {name}", figure=heart.longest_s * 1000, unit="ms", note=goal))
    _close(app, window)
    return rows


def _cancel(app: QApplication, folder: Path) -> list[Row]:
    passages = tuple(
        Passage(
            id=f"c{n}", text=f"Reading {n} of the meter in hall {n % 17} is {n * 7 % 1000} litres; the next is due in {n % 28 + 1} days."
        )
        for n in range(CANCEL_PASSAGES)
    )
    rows = []
    for stage in ("index", "judge", "extract"):
        window = _open(folder)
        corpus = make_corpus(passages if stage == "index" else passages[:600])
        window.desk.session.set_corpus(LoadResult(corpus=corpus))
        state = State(query=Query(text=f"What is the reading of hall 5? ({stage} {time.time_ns()})"))
        window.desk.session.state = _with_pool(state)
        window.desk.run()
        canceller = _CancelAt(window, stage)
        _until(app, lambda canceller=canceller: canceller.finished())
        took = canceller.took_s()
        note = "goal 1 s" if took == took else "the stage was over before it could be cancelled"
        rows.append(Row(name=f"cancel during {stage}", figure=took * 1000, unit="ms", note=note))
        _close(app, window)
    return rows


def _with_pool(state: State) -> State:
    return replace(state, policy=state.policy.with_value("retrieve.pool", 600))


class _CancelAt(QObject):
    """Cancels at the first progress of a stage and takes the time until the run has ended."""

    def __init__(self, window: MainWindow, stage: str) -> None:
        super().__init__()
        self._window, self._stage = window, stage
        self._asked = self._ended = 0.0
        window.desk.runner.reported.connect(self._look)
        window.desk.runner.ended.connect(self._end)

    def _look(self, report: object) -> None:
        progress = getattr(report, "progress", None)
        if not self._asked and progress is not None and progress.stage == self._stage and 0 < progress.done < (progress.total or 1e9):
            self._asked = time.perf_counter()
            self._window.desk.cancel()

    def _end(self, _: object) -> None:
        self._ended = time.perf_counter()

    def finished(self) -> bool:
        return bool(self._ended)

    def took_s(self) -> float:
        return self._ended - self._asked if self._asked else float("nan")


def _until(app: QApplication, done: Callable[[], bool]) -> None:
    started = time.perf_counter()
    while not done():
        app.processEvents()
        time.sleep(0.0005)
        if time.perf_counter() - started > _TIMEOUT_S:
            raise TimeoutError("the window did not come to rest")


def _close(app: QApplication, window: MainWindow) -> None:
    window.close()
    window.deleteLater()
    _settle(app)
