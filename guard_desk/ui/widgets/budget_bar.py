"""The token budget as a bar: one segment a block, then what is free."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from guard_desk.measure.prompt_use import PromptUse, Use
from guard_desk.records.decision import Place
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme, place_style

_LEAST_SHARE = 0.5
"""The blocks take at least this share of the bar; below it what is free is drawn torn off, not to scale."""


class BudgetBar(QWidget):
    """Tokens by block. A click or the arrow keys choose a block's passage."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt_budget")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Tokens by block")
        self._use: PromptUse | None = None
        self._primary: str | None = None
        self._theme: Theme | None = None

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        self.setFont(theme.font(-1))
        self.updateGeometry()
        self.update()

    def show_use(self, use: PromptUse) -> None:
        """Show the blocks of a prompt."""
        if use != self._use:
            self._use = use
            self.setAccessibleDescription(", ".join(_words(item) for item in use.inside) or "no blocks")
            self.update()

    def show_primary(self, passage_id: str | None) -> None:
        """Frame the block of the chosen passage."""
        if passage_id != self._primary:
            self._primary = passage_id
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """One line of small text with room around it."""
        return QSize(60 * GRID, self.fontMetrics().height() + GAP)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """May become narrow."""
        return QSize(20 * GRID, self.sizeHint().height())

    def torn(self) -> bool:
        """Whether the free part is not to scale."""
        return self._use is not None and 0 < self._use.tokens < _LEAST_SHARE * self._use.budget

    def boxes(self) -> Iterator[tuple[QRectF, Use]]:
        """Where each block is drawn."""
        if self._use is None:
            return
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        whole = self._use.tokens / _LEAST_SHARE if self.torn() else max(self._use.budget, self._use.tokens, 1)
        x = area.left()
        for item in self._use.inside:
            width = item.tokens * area.width() / whole
            yield QRectF(x, area.top(), width, area.height()), item
            x += width

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw free room, blocks, focus."""
        if self._theme is None or self._use is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        boxes = list(self.boxes())
        self._draw_free(painter, boxes[-1][0].right() if boxes else 1.0)
        for box, item in boxes:
            self._draw_block(painter, box, item)
        for box, item in boxes:
            if item.passage_id == self._primary:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(self._theme.colors.accent), 2))
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.colors.accent), 1))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _draw_free(self, painter: QPainter, left: float) -> None:
        assert self._theme is not None
        assert self._use is not None
        colors = self._theme.colors
        right, top, bottom = self.width() - 1.0, 1.0, self.height() - 1.0
        edge = [QPointF(right, top), QPointF(right, bottom)]
        if self.torn():
            edge = [QPointF(right - (at % 2) * GRID, top + (bottom - top) * at / 6) for at in range(7)]
        painter.setPen(QPen(QColor(colors.edge), 1))
        painter.setBrush(QColor(colors.raised))
        painter.drawPolygon(QPolygonF([QPointF(left, top), *edge, QPointF(left, bottom)]))
        words = f"{self._use.free:,} free"
        room = QRectF(left + GAP, top, right - left - 2 * GAP, bottom - top)
        if room.width() >= self.fontMetrics().horizontalAdvance(words):
            painter.setPen(QColor(colors.muted))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)

    def _draw_block(self, painter: QPainter, box: QRectF, item: Use) -> None:
        assert self._theme is not None
        colors = self._theme.colors
        conflict = item.place is Place.CONFLICT
        color = QColor(colors.conflict if conflict else colors.evidence)
        painter.setPen(QPen(color, 1))
        painter.setBrush(QColor(colors.conflict_fill if conflict else colors.evidence_fill))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        if conflict:
            hatch = QColor(color)
            hatch.setAlphaF(0.35)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(hatch, Qt.BrushStyle.BDiagPattern))
            painter.drawRect(box)
        number = f"{place_style(colors, item.place).mark}{item.number}"
        for words in (f"{number} {item.passage_id} {item.tokens}", f"{number} {item.tokens}", str(item.number)):
            if self.fontMetrics().horizontalAdvance(words) + GRID <= box.width():
                painter.setPen(QColor(colors.text))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
                return

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the block under the pointer."""
        super().mousePressEvent(event)
        found = self._at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(found.passage_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Arrow keys go from block to block."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        ids = [item.passage_id for item in self._use.inside] if self._use is not None else []
        if step is None or not ids:
            super().keyPressEvent(event)
            return
        now = ids.index(self._primary) + step if self._primary in ids else 0
        self.chosen.emit(ids[min(max(now, 0), len(ids) - 1)])

    def _at(self, place: QPointF) -> Use | None:
        return next((item for box, item in self.boxes() if box.left() <= place.x() < box.right()), None)

    def event(self, event: QEvent) -> bool:
        """Name the block under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._use is not None:
            found = self._at(QPointF(event.pos()))
            free = f"{self._use.free:,} of {self._use.budget:,} tokens are free{' (not drawn to scale)' if self.torn() else ''}"
            QToolTip.showText(event.globalPos(), plain_tip(_words(found) if found else free), self)
            return True
        return super().event(event)


def _words(item: Use) -> str:
    members = f", {item.members} passages" if item.members > 1 else ""
    return f"{item.passage_id}: {item.tokens:,} tokens, {item.place}{members}"
