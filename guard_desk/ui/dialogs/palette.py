"""The command palette: every command that can act now, found by words of its name or of what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListView, QStackedWidget, QStyledItemDelegate, QVBoxLayout, QWidget

from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, PAD

_KEYS = int(Qt.ItemDataRole.UserRole)
_ACTION, _WORDS = _KEYS + 1, _KEYS + 2
_LETTERS, _LINES = 64, 16
"""Size of the list."""


class Palette(QDialog):
    """Finds any command and does it."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("command_palette")
        self.setWindowTitle("Find a command")
        self._line = QLineEdit(self)
        self._line.setPlaceholderText("Words of a command's name, or of what it does")
        self._line.setAccessibleName("Command")
        self._found = _Found(self)
        self._found.setSourceModel(_model(actions, self))
        self._list = QListView(self)
        self._list.setModel(self._found)
        self._list.setAccessibleName("Commands")
        self._list.setItemDelegate(_KeysDelegate(self._list))
        self._list.setSpacing(GRID // 2)
        self._list.setUniformItemSizes(True)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._nothing = QLabel("No command that can act now has these words.", self)
        self._nothing.setObjectName("muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._nothing)
        self._line.textChanged.connect(self._narrow)
        self._line.returnPressed.connect(self._do)
        self._list.activated.connect(self._do)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PAD, PAD, PAD, PAD)
        layout.setSpacing(GAP)
        layout.addWidget(self._line)
        layout.addWidget(self._pages)
        letters = self.fontMetrics()
        self.resize(_LETTERS * letters.averageCharWidth(), _LINES * (letters.height() + GAP))
        self._narrow("")

    def shown(self) -> list[str]:
        """Names of the commands that are listed, in order."""
        return [str(self._found.index(row, 0).data()) for row in range(self._found.rowCount())]

    @Slot(str)
    def _narrow(self, text: str) -> None:
        self._found.look_for(text)
        self._list.setCurrentIndex(self._found.index(0, 0))
        self._pages.setCurrentIndex(0 if self._found.rowCount() else 1)

    @Slot()
    def _do(self) -> None:
        index = self._list.currentIndex()
        if index.isValid():
            action = index.data(_ACTION)
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


def _model(actions: Sequence[QAction], parent: QWidget) -> QStandardItemModel:
    model = QStandardItemModel(parent)
    for action in actions:
        if not action.isEnabled():
            continue
        name, tip = action.text().replace("&", "").rstrip("…"), action.statusTip()
        item = QStandardItem(name)
        item.setToolTip(plain_tip(tip))
        item.setData(action.shortcut().toString(), _KEYS)
        item.setData(action, _ACTION)
        item.setData(f"{name} {tip}".casefold(), _WORDS)
        model.appendRow(item)
    return model


class _Found(QSortFilterProxyModel):
    """Commands that have all the words; those that have them in their names stand first."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words: list[str] = []
        self.sort(0)

    def look_for(self, text: str) -> None:
        """Show what has all these words, in any order."""
        self._words = text.casefold().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:  # noqa: N802 - Qt's name
        """Whether a command has them."""
        words = str(self.sourceModel().index(row, 0, parent).data(_WORDS))
        return all(word in words for word in self._words)

    def lessThan(self, left: QModelIndex | QPersistentModelIndex, right: QModelIndex | QPersistentModelIndex) -> bool:  # noqa: N802
        """By name or by tip, else in the order of the menus."""
        return self._rank(left) < self._rank(right)

    def _rank(self, index: QModelIndex | QPersistentModelIndex) -> tuple[bool, int]:
        name = str(index.data()).casefold()
        return not all(word in name for word in self._words), index.row()


class _KeysDelegate(QStyledItemDelegate):
    """The name on the left, its keys quiet on the right."""

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        """Draw a command."""
        super().paint(painter, option, index)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(option.palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text))
        room = option.rect.adjusted(GAP, 0, -GAP, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(index.data(_KEYS)))
        painter.restore()
