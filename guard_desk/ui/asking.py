"""The dialogs that a command opens, and what becomes of the choice."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from guard_desk.models.registry import ENCODERS, installed_models
from guard_desk.ui.desk import Desk
from guard_desk.ui.dialogs.choices import FilterDialog
from guard_desk.ui.dialogs.models import ModelsDialog
from guard_desk.ui.dialogs.palette import Palette
from guard_desk.ui.dialogs.skipped import SkippedDialog
from guard_desk.version import __version__

_DEVICES = ("auto", "cpu", "cuda", "mps")


class Asking(QObject):
    """Opens dialogs over the window; each is modal to it and never blocks the event loop."""

    judge_asked = Signal()
    """The judge is to be chosen."""
    generator_asked = Signal()
    """The generator is to be chosen."""

    def __init__(self, desk: Desk, window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._window = desk, window
        self._open: QDialog | None = None

    def _show(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._open = dialog
        dialog.open()

    def models(self) -> None:
        """Choose models."""
        local = ("none", "local", *(model.name for model in installed_models() if model.kind == "generator"))
        readers = tuple(dict.fromkeys((*local, "openai:http://localhost:8080/v1")))
        choices = {"encoder": ENCODERS, "device": _DEVICES, "claim_model": readers}
        dialog = ModelsDialog(self._desk.session.state.models, choices, self._window)
        dialog.accepted.connect(self._take_models)
        dialog.judge_asked.connect(self.judge_asked)
        dialog.generator_asked.connect(self.generator_asked)
        self._show(dialog)

    @Slot()
    def _take_models(self) -> None:
        if isinstance(self._open, ModelsDialog):
            self._desk.set_models(self._open.models())

    def filter(self) -> None:
        """Choose version and scope."""
        loaded = self._desk.session.loaded
        if loaded is None:
            return
        passages = loaded.corpus.passages
        versions = sorted({p.version for p in passages if p.version})
        scopes = sorted({p.scope for p in passages if p.scope})
        dialog = FilterDialog(self._desk.session.state.query, versions, scopes, self._window)
        dialog.accepted.connect(self._take_filter)
        self._show(dialog)

    @Slot()
    def _take_filter(self) -> None:
        if isinstance(self._open, FilterDialog):
            version, scope = self._open.chosen()
            self._desk.set_filter(version=version, scope=scope)

    def skipped(self) -> None:
        """List what loading left out."""
        if self._desk.session.loaded is not None:
            self._show(SkippedDialog(self._desk.session.loaded, self._window))

    def palette(self, actions: list[QAction]) -> None:
        """Find a command."""
        self._show(Palette(actions, self._window))

    def about(self) -> None:
        """Say what this is."""
        box = QMessageBox(self._window)
        box.setWindowTitle("About Guard Desk")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Guard Desk {__version__}")
        box.setInformativeText(
            "Inspect, tune and explain the step between retrieval and generation.\n"
            "MIT licence. Nothing leaves this machine unless you choose a remote model."
        )
        self._show(box)
