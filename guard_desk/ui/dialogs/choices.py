"""Boxes that offer a choice, and the dialog of version and scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from guard_desk.records.corpus import Query
from guard_desk.ui.theme import GAP, GRID, PAD

ANY = "any"


def choice_box(name: str, options: Sequence[str], current: str, *, editable: bool = False) -> QComboBox:
    """A box to choose one of a few names; encoder and generator are always editable."""
    box = QComboBox()
    box.setEditable(editable or name in ("encoder", "generator"))
    box.addItems([*options, *([] if current in options else [current])])
    box.setCurrentText(current)
    box.setAccessibleName(name.capitalize())
    box.setMinimumWidth(60 * GRID)
    return box


class FilterDialog(QDialog):
    """Chooses the exact version and scope."""

    def __init__(self, query: Query, versions: Iterable[str], scopes: Iterable[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filter_dialog")
        self.setWindowTitle("Version and scope")
        self._version = choice_box("version", [ANY, *versions], query.version or ANY)
        self._scope = choice_box("scope", [ANY, *scopes], query.scope or ANY)
        form = QFormLayout()
        form.addRow("&Version", self._version)
        form.addRow("&Scope", self._scope)
        hint = QLabel("Both are exact: a passage without the field is left out when it is set. The next run uses the choice.", self)
        framed(self, form, hint)

    def chosen(self) -> tuple[str | None, str | None]:
        """Version and scope; None = any."""
        texts = (self._version.currentText(), self._scope.currentText())
        return (None if texts[0] == ANY else texts[0], None if texts[1] == ANY else texts[1])


def framed(dialog: QDialog, form: QFormLayout, hint: QLabel) -> QDialogButtonBox:
    """Lay a dialog out: form, hint, OK and Cancel."""
    hint.setObjectName("muted")
    hint.setWordWrap(True)
    form.setHorizontalSpacing(PAD)
    form.setVerticalSpacing(GAP)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, dialog)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(PAD, PAD, PAD, PAD)
    layout.setSpacing(PAD)
    layout.addLayout(form)
    layout.addWidget(hint)
    layout.addWidget(buttons)
    return buttons
