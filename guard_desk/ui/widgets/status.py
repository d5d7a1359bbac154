"""The status bar: what runs, how far, what is chosen, autosave, device, network."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QStatusBar, QWidget

from guard_desk.measure.portability import policy_warning
from guard_desk.progress import Progress
from guard_desk.report.judges import spent_in_all
from guard_desk.ui.generator_kinds import generator_host
from guard_desk.ui.judge_kinds import host_of, spent_words
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.reader_kinds import hosts_of, reader_host
from guard_desk.ui.theme import GAP, GRID
from guard_desk.ui.view import Phase, View

# Short work shows no bar: it would only flicker.
SHOWN_AFTER_MS = 500

TOLD_MS = 8000
_LONGEST_HOST = 32
_LONGEST = 80
"""Letters of a cause; the whole stands in the dialog."""

_WORDS = {
    "load": "Reading",
    "index": "Encoding passages",
    "index words": "Indexing words",
    "read prompt": "Reading the prompt",
    "encode": "Encoding passages",
    "retrieve": "Retrieving",
    "judge": "Judging",
    "answers": "Looking for answers in the passages",
    "extract": "Reading facts",
    "rounds": "Asking in rounds",
    "generate": "Writing the answer",
    "verify": "Checking the answer",
    "claims": "Checking the answer",
    "detector": "Checking the answer",
    "models": "Loading models",
}
_RESTING = {
    Phase.EMPTY: "No corpus open",
    Phase.READY: "Ready: press F5 to run the question",
    Phase.DONE: "Done",
    Phase.CANCELLED: "Cancelled",
    Phase.FAILED: "Failed",
}


class StatusBar(QStatusBar):
    """Shows a view's progress and a few standing facts."""

    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stage = QLabel(self)
        self.stage.setObjectName("status_stage")
        self.stage.setAccessibleName("What Guard Desk is doing")
        self._bar = QProgressBar(self)
        self._bar.setFixedWidth(40 * GRID)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self._cancel = QPushButton("Cancel", self)
        self._cancel.setAccessibleName("Cancel what is running")
        self._cancel.clicked.connect(self._ask_cancel)
        self._bar.setFixedHeight(3 * GRID)
        self._working = QWidget(self)
        row = QHBoxLayout(self._working)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        for widget in (self.stage, self._bar, self._cancel):
            row.addWidget(widget)
        row.addStretch(1)
        self.addWidget(self._working, 1)
        self.chosen, self.saved, self.device, self.network = (QLabel(self) for _ in range(4))
        for label in (self.chosen, self.saved, self.device, self.network):
            label.setTextFormat(Qt.TextFormat.PlainText)
            self.addPermanentWidget(label)
        self.setSizeGripEnabled(False)
        for label, name in (
            (self.chosen, "Passages chosen"),
            (self.saved, "Last autosave"),
            (self.device, "Device"),
            (self.network, "Network"),
        ):
            label.setAccessibleName(name)
        self.saved.setObjectName("status_saved")
        self.saved.setToolTip("Each change is written to a file of its own, and offered again after a crash.")
        self.network.setObjectName("status_network")
        self._told, self._busy = "", False
        self.messageChanged.connect(self._clear_tip)
        self._late = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MS)
        self._late.timeout.connect(self._show_bar)
        self._set_bar(visible=False)

    def show_view(self, view: View) -> None:
        """Show what runs and what is chosen."""
        busy = view.phase in (Phase.RUNNING, Phase.LOADING) or view.progress is not None
        self.stage.setText(_busy_text(view) if busy else _resting_text(view))
        self._track(busy=busy, progress=view.progress)
        count = len(view.trace.retrieved.hits) if view.trace else 0
        self.chosen.setText(f"selected {len(view.selection.ids):,} of {count:,}" if count else "")
        self.device.setText(_device(view))
        self._show_network(view)
        self.saved.setText(time.strftime("autosaved %H:%M", time.localtime(view.stored_at)) if view.stored_at else "")
        for label in (self.chosen, self.saved, self.device):
            label.setVisible(bool(label.text()))

    def _show_network(self, view: View) -> None:
        judge, reader, writer = host_of(view.state.models), reader_host(view.state.models), generator_host(view.state.models)
        remote = [host for host in hosts_of(view.state.models) if not host.local]
        if not remote:
            local = judge is not None or reader is not None or writer is not None
            self.network.setText("local server" if local else "offline")
            self.network.setToolTip(
                "Nothing leaves this machine: a server on it is asked."
                if local
                else "Nothing leaves this machine: no remote model is chosen."
            )
            return
        self.network.setText("▲ " + ", ".join(_short_host(host.name) for host in remote))
        told = [f"The chosen judge is remote: a run sends question and passages to {judge.name}."] if judge and not judge.local else []
        if writer is not None and not writer.local:
            told.append(f"The generator is remote: a run sends the question and the passages of its prompt to {writer.name}.")
        if reader is not None and not reader.local:
            told.append(f"The claim model is remote: a run sends question, answer and passages to {reader.name}.")
        self.network.setToolTip(plain_tip("\n".join(told)))

    @Slot(str)
    def tell(self, words: str) -> None:
        """Say something in passing."""
        self._told = words
        self.showMessage(words, TOLD_MS)

    @Slot()
    def _clear_tip(self) -> None:
        """While something runs, no tip of a button hides how far it is, and Cancel."""
        if self._busy and self.currentMessage() not in ("", self._told):
            self.clearMessage()

    def _track(self, *, busy: bool, progress: Progress | None) -> None:
        self._busy = busy
        self._clear_tip()
        if not busy:
            self._late.stop()
            self._set_bar(visible=False)
            return
        if not self._late.isActive() and not self._bar.isVisible():
            self._late.start()
        known = progress is not None and bool(progress.total)
        self._bar.setRange(0, 1000 if known else 0)
        if known and progress is not None:
            self._bar.setValue(int(1000 * (progress.fraction or 0)))

    @Slot()
    def _show_bar(self) -> None:
        self._set_bar(visible=True)

    def _set_bar(self, *, visible: bool) -> None:
        self._bar.setVisible(visible)
        self._cancel.setVisible(visible)

    @Slot()
    def _ask_cancel(self) -> None:
        self.stage.setText("Cancelling: the current batch is finishing…")
        self.cancel_asked.emit()


def _short_host(name: str) -> str:
    return name if len(name) <= _LONGEST_HOST else name[: _LONGEST_HOST - 1] + "…"


def _busy_text(view: View) -> str:
    progress = view.progress
    if progress is None:
        return "Reading…" if view.phase is Phase.LOADING else "Loading models…"
    word = _WORDS.get(progress.stage, progress.stage.capitalize())
    if not progress.total:
        return f"{word} {progress.done:,} {progress.unit}" if progress.done else f"{word}…"
    parts = [f"{word} {progress.done:,}/{progress.total:,}", f"{100 * (progress.fraction or 0):.0f} %"]
    if progress.remaining_s is not None:
        parts.append(f"~{max(1, round(progress.remaining_s))} s left")
    return "   ".join(parts)


def _resting_text(view: View) -> str:
    words = _RESTING.get(view.phase, "")
    if view.phase is Phase.READY:
        words = words if view.state.query.text.strip() else "Ready: ask a question"
        warning = policy_warning(view.state.policy, view.state.models) if view.trace is None else None
        return f"{words}   ⚠ {warning}" if warning else words
    what = "judging took"
    spent = view.partial_spent if view.phase in (Phase.CANCELLED, Phase.FAILED) else None
    if view.phase is Phase.DONE and view.trace is not None:
        spent = spent_in_all(view.trace)
        what = "judging and reading took" if view.trace.verified.spent is not None else what
        words = f"{words}, but no answer came" if view.trace.generated.failure else words
    if spent is not None and spent.requests:
        return f"{words}: {what} {spent_words(spent)}"
    cause = view.message.split("\n")[0] if view.phase is Phase.FAILED else ""
    return f"{words}: {cause if len(cause) <= _LONGEST else cause[:_LONGEST] + '…'}" if cause else words


def _device(view: View) -> str:
    if view.trace is None:
        return ""
    devices = dict.fromkeys(model.device for model in view.trace.models if model.device)
    return ", ".join(devices).upper()
