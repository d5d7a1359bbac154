"""The suite `window`: what a person feels, measured on a real window with its event loop."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QSlider

from guard_desk import resources
from guard_desk.formats import load_corpus, make_corpus
from guard_desk.measure.synthetic import synthetic_passages, synthetic_trace
from guard_desk.measure.tables import Row, Table
from guard_desk.models.registry import installed_models, token_counter
from guard_desk.parts import answer_store, vector_store
from guard_desk.records.answer import Generated
from guard_desk.records.corpus import LoadResult, Passage, Query
from guard_desk.records.state import Models, State
from guard_desk.ui.app import make_application
from guard_desk.ui.desk import Desk
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.runner import Outcome, Report, Runner
from guard_desk.ui.theme import Mode, make_theme
from guard_desk.ui.view import Phase

SLIDER_STEPS, TABLE_ROWS, CANCEL_POOL = 60, 100_000, 600
_TIMEOUT_S = 300.0


def window_suite(repeats: int = 3) -> Table:
    """Measure the window on this machine.

    :param repeats: starts of a fresh process.
    """
    with TemporaryDirectory() as folder, _home(Path(folder)):
        app = make_application()
        rows = [
            *_start(repeats),
            *_sliders(app, Path(folder)),
            *_table(app, Path(folder)),
            *_full_run(app, Path(folder)),
            *_cancel(app, Path(folder)),
        ]
    return Table(suite="window", rows=tuple(rows))


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    """A home without vectors and answers, so that models have to work; what was fetched stays usable."""
    before = os.environ.get("GUARD_DESK_HOME")
    models = resources.home() / "models"
    if models.is_dir():
        (folder / "models").symlink_to(models, target_is_directory=True)
    os.environ["GUARD_DESK_HOME"] = str(folder)
    try:
        yield
    finally:
        answer_store.cache_clear()
        vector_store.cache_clear()
        if before is None:
            del os.environ["GUARD_DESK_HOME"]
        else:
            os.environ["GUARD_DESK_HOME"] = before


def _open(folder: Path) -> MainWindow:
    window = MainWindow(Desk(theme=make_theme(Mode.LIGHT)), Preferences(folder / "window.ini"))
    window.resize(1440, 900)
    window.show()
    return window


def _settle(app: QApplication) -> None:
    """Let everything that is due happen, paints included."""
    for _ in range(3):
        app.processEvents()


@dataclass(slots=True)
class _Times:
    """How often something was measured: wall time, which a person feels, and CPU time, which a busy machine does not spoil."""

    wall_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)

    @contextmanager
    def once(self) -> Iterator[None]:
        """Measure one."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall_s.append(time.perf_counter() - wall)
        self.cpu_s.append(time.process_time() - cpu)

    def row(self, name: str, goal_ms: float | None = None) -> Row:
        """Their 95th percentile."""
        p50, p95 = np.percentile(np.array(self.wall_s) * 1000, [50, 95])
        c50, c95 = np.percentile(np.array(self.cpu_s) * 1000, [50, 95])
        goal = "" if goal_ms is None else f"goal {goal_ms:.0f} ms; "
        note = f"{goal}median {p50:.1f}; of the processor: p95 {c95:.1f}, median {c50:.1f} ms; n={len(self.wall_s)}"
        return Row(name=name, figure=float(p95), unit="ms p95", note=note)


_START = """
import sys, time
from PySide6.QtWidgets import QApplication
from guard_desk.ui.app import make_application
from guard_desk.ui.main_window import MainWindow
app = make_application()
window = MainWindow()
window.show()
app.processEvents()
print(time.time() - float(sys.argv[1]), time.process_time())
window.close()
"""


def _start(repeats: int) -> list[Row]:
    times = _Times()
    for _ in range(repeats + 1):
        command = [sys.executable, "-c", _START, str(time.time())]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ.copy())
        wall, cpu = map(float, run.stdout.split())
        times.wall_s.append(wall)
        times.cpu_s.append(cpu)
    wall, cpu = sorted(times.wall_s[1:])[repeats // 2], sorted(times.cpu_s[1:])[repeats // 2]
    note = f"goal 1.5 s; first {times.wall_s[0]:.2f} s; of the processor {cpu:.2f} s; n={repeats}"
    return [Row(name="start of the process to a visible window", figure=wall, unit="s", note=note)]


def _sliders(app: QApplication, folder: Path) -> list[Row]:
    rows = []
    for count, goal in ((1_000, 16.0), (10_000, 100.0)):
        window = _open(folder)
        runner = window.desk.runner
        window.desk.show_trace(synthetic_trace(count, token_counter()))
        _settle(app)
        slider = window.findChild(QSlider, "threshold_evidence_min_slider")
        counts, views = _Times(), _Times()
        for value in np.linspace(300, 800, SLIDER_STEPS).astype(int).tolist():
            with views.once():
                with counts.once():
                    slider.setValue(value)
                    QCoreApplication.sendPostedEvents(window, QEvent.Type.UpdateRequest.value)  # paints what is due
                _until(app, partial(_idle, runner))
                _settle(app)
        rows.append(counts.row(f"slider signal to repainted counts, {count:,} passages", goal))
        rows.append(views.row("  and to every view repainted"))
        _close(app, window)
    return rows


def _idle(runner: Runner) -> bool:
    return not runner.running("decide")


def _table(app: QApplication, folder: Path) -> list[Row]:
    window = _open(folder)
    loaded = LoadResult(corpus=make_corpus(synthetic_passages(TABLE_ROWS)))
    view, words = window.passages.table, window.passages.filter
    opened, sorted_, found, scrolled = _Times(), _Times(), _Times(), _Times()
    with opened.once():
        window.desk.show_corpus(loaded)
        _settle(app)
    for column in range(view.model().columnCount()):
        if not view.isColumnHidden(column):
            for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
                with sorted_.once():
                    view.sortByColumn(column, order)
                    _settle(app)
    for text in ("hall 7 litres", "part 33", "900"):
        with found.once():
            words.setText(text)
            _until(app, lambda: not window.passages.searching())
            _settle(app)
    words.clear()
    _until(app, lambda: not window.passages.searching())
    bar = view.verticalScrollBar()
    for value in np.linspace(0, bar.maximum(), 60).astype(int).tolist():
        with scrolled.once():
            bar.setValue(value)
            _settle(app)
    _close(app, window)
    return [
        opened.row(f"table of {TABLE_ROWS:,} rows: open"),
        sorted_.row("  sort, every column both ways", 150),
        found.row("  filter by words"),
        scrolled.row("  scroll, a frame", 50),
    ]


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
    for name, note, question in (
        ("first run: libraries are imported, models loaded", "the import may hold it", ""),
        ("second run: another question", "goal 100 ms", "What happens to deleted files?"),
        ("third run: another question", "goal 100 ms", "How often are keys rotated?"),
    ):
        if question:
            window.desk.set_question(question)
        _settle(app)
        heart, started = _Heart(), time.perf_counter()
        window.run()
        _until(app, lambda: window.desk.phase is not Phase.RUNNING)
        took = time.perf_counter() - started
        _settle(app)
        heart.stop()
        row = Row(
            name=f"longest pause of the window's thread, {name}",
            figure=heart.longest_s * 1000,
            unit="ms",
            note=f"{note}; the run took {took:.1f} s",
        )
        rows.append(row)
    _close(app, window)
    return rows


def _cancel(app: QApplication, folder: Path) -> list[Row]:
    texts = (
        f"Reading {n} of the meter in hall {n % 17} is {n * 7 % 1000} litres; the next is due in {n % 28 + 1} days."
        for n in range(CANCEL_POOL)
    )
    passages = tuple(Passage(id=f"c{n}", text=text) for n, text in enumerate(texts))
    answer = " ".join(f"Reading {n} of the meter in hall {n % 5} is {n} litres." for n in range(60))
    rows = []
    for stage in ("encode", "judge", "extract", "generate", "verify"):
        models = Models(generator="local" if stage == "generate" else None)
        if stage == "generate" and not any(model.kind == "generator" for model in installed_models()):
            rows.append(Row(name="cancel during generate", figure=float("nan"), note="no local generator is installed"))
            continue
        window = _open(folder)
        # Other texts for each stage, so that nothing is in a store.
        fresh = tuple(replace(passage, text=f"{passage.text} ({stage})") for passage in passages)
        window.desk.show_corpus(LoadResult(corpus=make_corpus(fresh)))
        state = State(query=Query(text="What is the reading of hall 5?"), models=models, answer=None if stage == "generate" else answer)
        window.desk.session.state = replace(state, policy=state.policy.with_value("retrieve.pool", CANCEL_POOL))
        canceller = _CancelAt(window, stage)
        window.desk.run()
        _until(app, canceller.finished)
        took = canceller.took_s()
        note = "goal 1 s" if took == took else "the stage was over before it could be cancelled"
        rows.append(Row(name=f"cancel during {stage}", figure=took * 1000, unit="ms", note=note))
        _close(app, window)
    return rows


class _CancelAt(QObject):
    """Cancels in the middle of a stage and takes the time until the run has ended."""

    def __init__(self, window: MainWindow, stage: str) -> None:
        super().__init__(window)
        self._window, self._stage = window, stage
        self._asked = self._ended = 0.0
        self._later = QTimer(self, singleShot=True, interval=50)
        self._later.timeout.connect(self._cancel)
        window.desk.runner.reported.connect(self._look)
        window.desk.runner.ended.connect(self._end)

    @Slot(object)
    def _look(self, report: Report) -> None:
        """Checking reports no progress: it begins with the answer."""
        begun = report.progress.stage if report.progress is not None else "verify" if isinstance(report.partial, Generated) else ""
        if begun == self._stage and not self._asked and not self._later.isActive():
            self._later.start()

    @Slot()
    def _cancel(self) -> None:
        self._asked = time.perf_counter()
        self._window.desk.cancel()

    @Slot(object)
    def _end(self, outcome: Outcome) -> None:
        self._later.stop()
        self._ended = time.perf_counter()
        if not outcome.cancelled:
            self._asked = 0.0

    def finished(self) -> bool:
        """Whether the run has ended."""
        return bool(self._ended)

    def took_s(self) -> float:
        """Seconds from the cancel to the end; NaN when it came too late."""
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
