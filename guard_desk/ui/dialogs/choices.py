"""Dialogs that ask for a choice: version and scope, a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSortFilterProxyModel, QStringListModel, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListView,
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


class Palette(QDialog):
    """Finds any command by its name and does it."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("command_palette")
        self.setWindowTitle("Find a command")
        self._actions = {_label(action): action for action in actions if action.isEnabled()}
        self._line = QLineEdit(self)
        self._line.setPlaceholderText("Type a part of a command's name")
        self._line.setAccessibleName("Command name")
        self._found = QSortFilterProxyModel(self)
        self._found.setSourceModel(QStringListModel(list(self._actions), self))
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._list = QListView(self)
        self._list.setModel(self._found)
        self._list.setAccessibleName("Commands")
        self._list.setSpacing(GRID // 2)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._line.textChanged.connect(self._narrow)
        self._line.returnPressed.connect(self._do)
        self._list.activated.connect(self._do)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PAD, PAD, PAD, PAD)
        layout.setSpacing(GAP)
        layout.addWidget(self._line)
        layout.addWidget(self._list)
        self.resize(120 * GRID, 90 * GRID)
        self._narrow("")

    @Slot(str)
    def _narrow(self, text: str) -> None:
        self._found.setFilterFixedString(text)
        self._list.setCurrentIndex(self._found.index(0, 0))

    @Slot()
    def _do(self) -> None:
        index = self._list.currentIndex()
        if index.isValid():
            action = self._actions[str(index.data())]
            self.accept()
            action.trigger()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Arrows move in the list while the cursor stays in the line."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            row = self._list.currentIndex().row() + (1 if event.key() == Qt.Key.Key_Down else -1)
            if 0 <= row < self._found.rowCount():
                self._list.setCurrentIndex(self._found.index(row, 0))
            return
        super().keyPressEvent(event)


def _label(action: QAction) -> str:
    keys = action.shortcut().toString()
    return action.text().replace("&", "").rstrip("…") + (f"    {keys}" if keys else "")
