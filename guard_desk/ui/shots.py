"""Draws every view of the window offscreen into PNG files, named after the view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPoint, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from guard_desk.errors import GuardDeskError
from guard_desk.measure.checked import evidence_ids
from guard_desk.records.answer import Label
from guard_desk.ui.app import make_application
from guard_desk.ui.desk import Desk
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import Mode, make_theme
from guard_desk.ui.view import Phase

SIZE = (1440, 900)
_SETTLED = (Phase.DONE, Phase.FAILED, Phase.CANCELLED)

TABS = ("ladder_view", "candidates_view", "groups_view", "prompt_view", "knobs_view")
PANES = {
    "passages": "passages_table",
    "rules": "rule_board",
    "ledger": "flip_ledger",
    "card": "decision_card",
    "answer": "answer_view",
}
"""Name of each pane of the window -> name of its view."""
DIALOGS = ("generator_dialog",)
VIEWS = ("main_window", "stage_rail", *PANES.values(), "rounds_table", *TABS, *DIALOGS)
"""Every view that is drawn after a run."""
STATES = ("main_window_ready", "main_window_former", "main_window_tuned", "main_window_finding")
"""The window before its run; after it with another question in the box; with a moved threshold and a chosen finding; and with the card of a
finding."""

_OTHER_QUESTION = "And what does the other plan say?"

_MOVED = "thresholds.evidence_min"
_MOVED_BY = -0.25


def draw(
    source: Path, out: Path, *, modes: Sequence[Mode], scales: Sequence[int], question: str | None = None, size: tuple[int, int] = SIZE
) -> tuple[Path, ...]:
    """Open a file, run its question, and draw each view.

    :param out: folder for the pictures; made when missing.
    :param modes: light, dark.
    :param scales: device pixels a pixel; 2 = for screens of double density.
    :returns: the files written.
    :raises GuardDeskError: when the file cannot be opened or run.
    """
    app = make_application()
    out.mkdir(parents=True, exist_ok=True)
    preferences = Preferences(out / ".window.ini")
    window = MainWindow(Desk(theme=make_theme(modes[0])), preferences)
    window.resize(*size)
    window.show()
    try:
        return tuple(_draw_all(app, window, source, question, out, modes, scales))
    finally:
        _discard(window)
        (out / ".window.ini").unlink(missing_ok=True)


def _discard(window: MainWindow) -> None:
    """Close the window and let Qt delete it, which Python's collector would do in an order that crashes."""
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _draw_all(
    app: QApplication,
    window: MainWindow,
    source: Path,
    question: str | None,
    out: Path,
    modes: Sequence[Mode],
    scales: Sequence[int],
) -> Iterator[Path]:
    _open(window, source)
    if window.desk.phase is Phase.READY:
        if question:
            window.desk.set_question(question)
        for mode in modes:
            _dress(app, window, mode)
            yield from _save(window, "main_window_ready", out, mode, scales)
        _run(window)
    for mode in modes:
        _dress(app, window, mode)
        yield from _draw_views(app, window, out, mode, scales)
    yield from _draw_former(app, window, out, modes, scales)
    _tune(window)
    for mode in modes:
        _dress(app, window, mode)
        yield from _save(window, "main_window_tuned", out, mode, scales)
        _open_card(app, window)
        yield from _save(window, "main_window_finding", out, mode, scales)
        window.answer.close_card()


def _draw_former(app: QApplication, window: MainWindow, out: Path, modes: Sequence[Mode], scales: Sequence[int]) -> Iterator[Path]:
    """The window while its results belong to another question than the one in the box."""
    window.desk.set_question(_OTHER_QUESTION)
    for mode in modes:
        _dress(app, window, mode)
        yield from _save(window, "main_window_former", out, mode, scales)
    window.back_to_former()
    _settle(app)


def _open(window: MainWindow, source: Path) -> None:
    window.files.open(source)
    _wait(window, (Phase.READY, Phase.FAILED, Phase.DONE))
    _raise_failure(window)


def _run(window: MainWindow) -> None:
    window.desk.run()
    _wait(window, _SETTLED)
    _raise_failure(window)
    trace = window.desk.session.trace
    if trace is not None:
        shown = [block.passage_id for block in trace.prompt.blocks] or [hit.passage_id for hit in trace.retrieved.hits]
        window.desk.select(shown[:1])


def _tune(window: MainWindow) -> None:
    """Move a threshold, so that the ledger has something to tell, and choose the first finding."""
    desk = window.desk
    trace = desk.session.trace
    if trace is None:
        return
    desk.set_knob(_MOVED, round(max(0.0, float(desk.session.effective(_MOVED)) + _MOVED_BY), 2))
    for finding in trace.attributed.spans[:1]:
        ids = evidence_ids(finding.evidence)
        desk.select(ids[:1])
        desk.select_span(finding.start)


def _open_card(app: QApplication, window: MainWindow) -> None:
    """Open the card of a disagreement of passages, or of the first finding where there is none."""
    trace = window.desk.session.trace
    findings = trace.attributed.spans if trace is not None else ()
    told = next((item for item in findings if item.label is Label.CONFLICT), findings[0] if findings else None)
    if told is not None:
        ids = evidence_ids(told.evidence)
        window.desk.select(ids)
        window.desk.select_span(told.start)
        _settle(app)
        window.answer.open_card(told.start)
        _settle(app)


def _raise_failure(window: MainWindow) -> None:
    if window.desk.phase is Phase.FAILED:
        raise GuardDeskError(window.desk.message)


def _wait(window: MainWindow, phases: Sequence[Phase]) -> None:
    """Let the event loop run until the desk has come to one of these phases."""
    loop = QEventLoop()
    poll = QTimer(interval=20)
    stop = _Stop(window, phases, loop)  # PySide keeps only a weak reference to what it calls
    poll.timeout.connect(stop.look)
    poll.start()
    loop.exec()
    poll.stop()


class _Stop:
    def __init__(self, window: MainWindow, phases: Sequence[Phase], loop: QEventLoop) -> None:
        self._window, self._phases, self._loop = window, phases, loop

    def look(self) -> None:
        if self._window.desk.phase in self._phases:
            self._loop.quit()


def _dress(app: QApplication, window: MainWindow, mode: Mode) -> None:
    window.set_theme(make_theme(mode, window.preferences.text_scale))
    _settle(app)


def _draw_views(app: QApplication, window: MainWindow, out: Path, mode: Mode, scales: Sequence[int]) -> Iterable[Path]:
    for index, name in enumerate(TABS):
        window.tabs.setCurrentIndex(index)
        _settle(app)
        yield from _save(window.tabs.widget(index), name, out, mode, scales)
    window.tabs.setCurrentIndex(0)
    _settle(app)
    yield from _save(window, "main_window", out, mode, scales)
    yield from _save(window.rail, "stage_rail", out, mode, scales)
    for pane, name in PANES.items():
        yield from _save(window.panes[pane], name, out, mode, scales)
    findings = window.answer.tables.currentIndex()
    window.answer.tables.setCurrentWidget(window.answer.tables.rounds)
    _settle(app)
    yield from _save(window.panes["answer"], "rounds_table", out, mode, scales)
    window.answer.tables.setCurrentIndex(findings)
    window.judging.choose_generator()
    _settle(app)
    for dialog in window.findChildren(QDialog, "generator_dialog"):
        yield from _save(dialog, "generator_dialog", out, mode, scales)
        dialog.reject()
    _settle(app)


def _settle(app: QApplication) -> None:
    for _ in range(5):
        app.processEvents()


def _save(widget: QWidget, name: str, out: Path, mode: Mode, scales: Sequence[int]) -> Iterable[Path]:
    colors = make_theme(mode).colors
    for scale in scales:
        picture = QPixmap(widget.size() * scale)
        picture.setDevicePixelRatio(scale)
        picture.fill(colors.surface if name in TABS else colors.ground)
        painter = QPainter(picture)
        widget.render(painter, QPoint())
        painter.end()
        path = out / f"{name}{'-dark' if mode is Mode.DARK else ''}{f'@{scale}x' if scale != 1 else ''}.png"
        picture.save(str(path))
        yield path
