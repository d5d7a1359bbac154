"""How the cells of every table are drawn: room at both sides, own colours kept when chosen, the current row under and over lined."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from guard_desk.ui.theme import GRID

# Qt leaves 3 pixels at a cell's sides, a header of ours GAP.
_ROOM = GRID + 1


class CellDelegate(QStyledItemDelegate):
    """Draws the cells of one table. Qt's stubs leave out the fields of its style options, hence `Any`."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        view.selectionModel().currentRowChanged.connect(self._moved)

    @Slot()
    def _moved(self) -> None:
        """Qt draws only the current cell anew, and the lines go along the whole row."""
        self._view.viewport().update()

    def initStyleOption(self, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:  # noqa: N802 - Qt's name
        """Keep the cell's own colour on the selection, and leave the focus to the row."""
        super().initStyleOption(option, index)
        own = index.data(Qt.ItemDataRole.ForegroundRole)
        if own is not None:
            option.palette.setColor(QPalette.ColorRole.HighlightedText, own)
        option.state &= ~QStyle.StateFlag.State_HasFocus

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        """Draw a cell."""
        cell: Any = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        style = cell.widget.style() if cell.widget is not None else QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, cell, painter, cell.widget)
        cell.rect = option.rect.adjusted(_ROOM, 0, -_ROOM, 0)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, cell.widget)
        if index.row() == self._view.currentIndex().row() and self._view.hasFocus():
            painter.setPen(option.palette.color(QPalette.ColorRole.Accent))
            painter.drawLine(option.rect.topLeft(), option.rect.topRight())
            painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
