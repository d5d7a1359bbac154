"""Rows of a list with a second, quieter line: what a row says, and whom it is about."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from guard_desk.ui.theme import GRID, Theme

SECOND_LINE = Qt.ItemDataRole.UserRole + 1
"""Role of the second line; rows without it are drawn as usual."""

Index = QModelIndex | QPersistentModelIndex


class TwoLines(QStyledItemDelegate):
    """Draws the display text with the second line under it, both cut where room is short."""

    theme: Theme | None = None

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's name
        """Two lines where there are two."""
        hint = super().sizeHint(option, index)
        if self.theme is None:
            return hint
        height = QFontMetrics(self.theme.font(0)).height() + GRID
        if index.sibling(index.row(), 0).data(SECOND_LINE):
            height += QFontMetrics(self.theme.font(-1)).height()
        return QSize(hint.width(), height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw both lines."""
        second = index.data(SECOND_LINE)
        if self.theme is None or not second:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        text = option.text  # type: ignore[attr-defined]
        option.text = ""  # type: ignore[attr-defined]
        style = option.widget.style()  # type: ignore[attr-defined]
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)  # type: ignore[attr-defined]
        rect: QRect = option.rect.adjusted(GRID, GRID // 2, -GRID, -GRID // 2)  # type: ignore[attr-defined]
        painter.save()
        self._draw(painter, rect, text, 0, self.theme.colors.text, Qt.AlignmentFlag.AlignTop)
        self._draw(painter, rect, str(second), -1, self.theme.colors.muted, Qt.AlignmentFlag.AlignBottom)
        painter.restore()

    def _draw(self, painter: QPainter, rect: QRect, text: str, step: int, color: str, side: Qt.AlignmentFlag) -> None:
        assert self.theme is not None
        painter.setFont(self.theme.font(step))
        painter.setPen(QColor(color))
        words = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignLeft | side), words)
