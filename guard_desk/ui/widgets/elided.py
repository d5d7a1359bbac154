"""A line of plain text that is cut with an ellipsis where room is short, and tells the whole in its tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QWidget

from guard_desk.ui.models.table import plain_tip


class ElidedLabel(QLabel):
    """One line; the text is never taken for rich text.

    :param mode: where it is cut; ids differ at their end, so they are cut in the middle.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, *, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(parent)
        self._mode = mode
        self._parts = ("", text, "")
        self._tip = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def say(self, text: str, tip: str = "", *, before: str = "", after: str = "") -> None:
        """Show a text.

        :param tip: told in the tooltip; without one the whole text, where it is cut.
        :param before: stands before the text and is never cut; `after`: the same behind it.
        """
        if ((before, text, after), tip) != (self._parts, self._tip):
            self._parts, self._tip = (before, text, after), tip
            self.setText(before + text + after)
            self._retip()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """May become as narrow as needed."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The tooltip tells what does not fit."""
        super().resizeEvent(event)
        self._retip()

    def shown(self) -> str:
        """The text as it is drawn."""
        metrics, room = self.fontMetrics(), self.contentsRect().width()
        before, text, after = self._parts
        if metrics.horizontalAdvance(self.text()) <= room:
            return self.text()
        return before + metrics.elidedText(text, self._mode, max(0, room - metrics.horizontalAdvance(before + after))) + after

    def _retip(self) -> None:
        self.setToolTip(plain_tip(self._tip or (self.text() if self.shown() != self.text() else "")))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw what fits."""
        painter = QPainter(self)
        role = QPalette.ColorRole.WindowText
        way = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        self.style().drawItemText(painter, self.contentsRect(), int(way), self.palette(), self.isEnabled(), self.shown(), role)
        painter.end()
