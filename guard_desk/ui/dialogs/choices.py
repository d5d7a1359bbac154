"""Dialogs that ask for a choice: models, version and scope, a command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSortFilterProxyModel, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from guard_desk.records.corpus import Query
from guard_desk.records.state import Models
from guard_desk.ui.judge_kinds import title_of
from guard_desk.ui.theme import GAP, GRID, PAD

ANY = "any"


class ModelsDialog(QDialog):
    """Chooses encoder, generator and device of the next run; the judge has a dialog of its own."""

    judge_asked = Signal()
    """What was chosen here is taken, and the judge is to be chosen."""

    def __init__(self, models: Models, choices: Mapping[str, Sequence[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("models_dialog")
        self.setWindowTitle("Models")
        self._models = models
        self._boxes = {name: _box(name, options, str(getattr(models, name) or "none")) for name, options in choices.items()}
        self.judge = QPushButton(f"{title_of(models.judge)}…", self)
        self.judge.setObjectName("models_judge")
        self.judge.setAccessibleName(f"Judge: {title_of(models.judge)}")
        self.judge.setToolTip("Choose the judge and its settings")
        self.judge.setAutoDefault(False)
        self.judge.clicked.connect(self._ask_judge)
        form = QFormLayout()
        for name, box in self._boxes.items():
            form.addRow(f"&{name.capitalize()}", box)
            if name == "encoder":
                form.addRow("&Judge", self.judge)
        hint = QLabel("Encoder and generator also take a folder or file on this machine. The next run uses the choice.", self)
        hint.setObjectName("muted")
        hint.setWordWrap(True)
        _frame(self, form, hint)

    def models(self) -> Models:
        """What was chosen."""
        chosen = {name: box.currentText().strip() for name, box in self._boxes.items()}
        generator = chosen["generator"]
        return replace(self._models, **{**chosen, "generator": None if generator in ("", "none") else generator})

    @Slot()
    def _ask_judge(self) -> None:
        self.accept()
        self.judge_asked.emit()


def _box(name: str, options: Sequence[str], current: str) -> QComboBox:
    box = QComboBox()
    box.setEditable(name in ("encoder", "generator"))
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
        self._version = _box("version", [ANY, *versions], query.version or ANY)
        self._scope = _box("scope", [ANY, *scopes], query.scope or ANY)
        form = QFormLayout()
        form.addRow("&Version", self._version)
        form.addRow("&Scope", self._scope)
        hint = QLabel("Both are exact: a passage without the field is left out when it is set. The next run uses the choice.", self)
        hint.setObjectName("muted")
        hint.setWordWrap(True)
        _frame(self, form, hint)

    def chosen(self) -> tuple[str | None, str | None]:
        """Version and scope; None = any."""
        texts = (self._version.currentText(), self._scope.currentText())
        return (None if texts[0] == ANY else texts[0], None if texts[1] == ANY else texts[1])


def _frame(dialog: QDialog, form: QFormLayout, hint: QLabel) -> None:
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
