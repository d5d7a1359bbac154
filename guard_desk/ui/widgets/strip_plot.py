"""The picture of one threshold: the pool's answers, the line to drag, the ghost of the baseline, the bracket without flips.

The answers are the view's cached background; a move of the line only moves line and bracket over it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QGraphicsRectItem, QToolTip, QWidget

from guard_desk.measure.doubts import UNCERTAIN
from guard_desk.measure.strips import GRID as STEPS
from guard_desk.measure.strips import Mask, Strip
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.numbers import count, share
from guard_desk.ui.theme import GRID, Theme
from guard_desk.ui.widgets.strip_dots import BINS, KINDS, MOST_DOTS, Field, dot_rows, draw_bars, draw_density, draw_dots, draw_rings, faded

_GRAB = 6
"""Pixels beside the line in which it can be taken."""
_CLICK = 4
"""Pixels a pointer may move in a click."""


class StripPlot(pg.GraphicsView):
    """Dots, line, ghost and bracket of one threshold; says what a person dragged, brushed or clicked."""

    dragged = Signal(float)
    """A new threshold while the line is dragged, on the slider's grid."""
    drag_ended = Signal()
    brushed = Signal(float, float)
    """Both ends of a range of answers."""
    picked = Signal(int, bool)
    """Position in the pool of a clicked passage; whether it is added to the choice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self.setAntialiasing(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMinimumSize(QSize(40 * GRID, 8 * GRID))
        self.viewport().setAutoFillBackground(False)
        self._box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self.setCentralItem(self._box)
        self._margin = 8.0
        self._strip: Strip | None = None
        self._codes: npt.NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        self._uncertain: Mask = np.zeros(0, dtype=np.bool_)
        self._ids: Sequence[str] = ()
        self._chosen: tuple[npt.NDArray[np.int64], int | None] = (np.zeros(0, dtype=np.int64), None)
        self._rows = np.zeros(0)
        self._bounds: tuple[float, float] | None = None
        self._pressed: QPointF | None = None
        self._dragging = self._focused = False
        self._theme: Theme | None = None
        self._make_items()

    def _make_items(self) -> None:
        self._stable, self._brush = QGraphicsRectItem(), QGraphicsRectItem()
        self._bracket = pg.PlotCurveItem()
        self._ghost, self._line = pg.InfiniteLine(movable=False), pg.InfiniteLine(movable=False)
        for depth, item in enumerate((self._stable, self._bracket, self._ghost, self._line, self._brush)):
            item.setZValue(depth)
            self._box.addItem(item, ignoreBounds=True)
        self._brush.hide()
        self._box.setYRange(0, 1, padding=0)

    # How it looks

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Low, so that four fit; it grows with the room there is."""
        return QSize(60 * GRID, 12 * GRID)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        self._theme, c = theme, theme.colors
        self._stable.setPen(QPen(Qt.PenStyle.NoPen))
        self._stable.setBrush(faded(c.accent, 0.1))
        self._bracket.setPen(pg.mkPen(c.accent, width=1.5))
        self._ghost.setPen(pg.mkPen(c.text, width=1.5, style=Qt.PenStyle.DashLine))
        self._paint_line(hover=False)
        self._brush.setPen(pg.mkPen(c.accent, width=1))
        self._brush.setBrush(faded(c.accent, 0.2))
        self.resetCachedContent()

    def set_margin(self, pixels: float) -> None:
        """Pixels beside 0 and 1, so that the line stands over the slider's handle."""
        self._margin = pixels
        self._fit()

    def _paint_line(self, *, hover: bool) -> None:
        if self._theme is not None:
            self._line.setPen(pg.mkPen(self._theme.colors.accent, width=3.5 if hover else 2))

    def _field(self) -> Field:
        return Field(width=self.width(), height=self.height(), margin=self._margin)

    def _fit(self) -> None:
        """Dots keep their size, so they are stacked anew for another room."""
        field = self._field()
        self._box.setXRange(-self._margin / field.inner, 1 + self._margin / field.inner, padding=0)
        if self._strip is not None:
            self._rows = dot_rows(self._strip.values, field)
        self.resetCachedContent()

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802 - Qt's name
        """Fit the dots into the new room."""
        super().resizeEvent(event)
        if hasattr(self, "_theme"):
            self._fit()

    def drawBackground(self, painter: QPainter, _rect: QRectF | QRect) -> None:  # noqa: N802 - Qt's name
        """The answers; the view keeps this picture until it is told that they changed."""
        if self._theme is None:
            return
        field, colors = self._field(), self._theme.colors
        painter.setPen(QPen(QColor(colors.line), 1))
        for x in field.across(np.array([0, 0.25, 0.5, 0.75, 1])).tolist():
            painter.drawLine(QPointF(x, 0), QPointF(x, field.height))
        painter.drawLine(QPointF(0, field.height - 0.5), QPointF(field.width, field.height - 0.5))
        strip = self._strip
        if strip is None or len(self._codes) != len(strip.values):
            return
        if self.dense:
            draw_density(painter, strip, self._codes, field, colors)
        else:
            draw_dots(painter, strip, self._codes, self._rows, field, colors)
            draw_bars(painter, strip, self._uncertain, self._rows, field, colors)
        positions, primary = self._chosen
        size = (6.0 if self.dense else field.dot_size(len(self._ids))) + 5
        draw_rings(painter, self._points(positions), size, QPen(QColor(colors.accent), 1.5))
        draw_rings(painter, self._points([] if primary is None else [primary]), size + 2, QPen(QColor(colors.text), 2))

    def _points(self, positions: npt.NDArray[np.int64] | Sequence[int]) -> list[tuple[float, float]]:
        assert self._strip is not None
        at = np.array(positions, dtype=np.int64)
        known = at[~np.isnan(self._strip.values[at])]
        rows = np.full(len(known), self.height() - 8.0) if self.dense else self._rows[known]
        return list(zip(self._field().across(self._strip.values[known]).tolist(), rows.tolist(), strict=True))

    def show_focus(self, focused: bool) -> None:
        """Frame the picture while keys move its line: Qt draws no frame around a slider."""
        if focused != self._focused:
            self._focused = focused
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """A frame shows where the keys go."""
        super().paintEvent(event)
        if self._theme is not None and self._focused:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(self._theme.colors.accent))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
            painter.end()

    # What it shows

    def show_pool(self, ids: Sequence[str], codes: npt.NDArray[np.int8], uncertain: Mask) -> None:
        """Passages in pool order: ids, kinds (`kind_codes`), and whether the judge was uncertain here. Draw with `show_strip`."""
        if ids is not self._ids:
            self._rows = np.zeros(0)
        if not np.array_equal(codes, self._codes):
            self.resetCachedContent()
        self._ids, self._codes, self._uncertain = ids, codes, uncertain

    def show_strip(self, strip: Strip) -> None:
        """Draw a strip, as it is while a line moves."""
        before, self._strip = self._strip, strip
        if before is None or len(self._rows) != len(strip.values):
            self._rows = dot_rows(strip.values, self._field())
            self.resetCachedContent()
        elif not np.array_equal(before.active, strip.active):
            self.resetCachedContent()
        if strip.stable != self._bounds:
            self._bounds = low, high = strip.stable
            self._stable.setRect(QRectF(low, 0, high - low, 1))
            self._bracket.setData(x=np.array([low, low, high, high]), y=np.array([0.86, 0.97, 0.97, 0.86]))
        self._line.setValue(strip.threshold)
        self._ghost.setVisible(strip.baseline is not None and strip.baseline != strip.threshold)
        if strip.baseline is not None:
            self._ghost.setValue(strip.baseline)

    def show_chosen(self, positions: npt.NDArray[np.int64], primary: int | None) -> None:
        """Ring the chosen passages."""
        self._chosen = (positions, primary)
        self.resetCachedContent()
        self.viewport().update()

    def resetCachedContent(self) -> None:  # noqa: N802 - Qt's name
        """The answers look different now."""
        super().resetCachedContent()
        self.viewport().update()

    @property
    def dense(self) -> bool:
        """Whether it shows density instead of dots."""
        return len(self._ids) > MOST_DOTS

    @property
    def line_value(self) -> float:
        """Where the line stands."""
        return float(self._line.value())

    @property
    def ghost_value(self) -> float | None:
        """Where the ghost stands; None while it is not seen."""
        return float(self._ghost.value()) if self._ghost.isVisible() else None

    # What a person does

    def value_at(self, x: float) -> float:
        """The answer under a horizontal pixel, unclipped."""
        return (x - self._margin) / max(1.0, self.width() - 2 * self._margin)

    def pixel_of(self, value: float) -> float:
        """The horizontal pixel of an answer."""
        return self._margin + value * max(1.0, self.width() - 2 * self._margin)

    def _on_line(self, point: QPointF) -> bool:
        return self._strip is not None and abs(point.x() - self.pixel_of(self._strip.threshold)) <= _GRAB

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take the line, or start a range on the background."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._pressed = event.position()
        self._dragging = self._on_line(event.position()) and not event.modifiers()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Drag the line, stretch the range, or show that the line can be taken."""
        point = event.position()
        if self._pressed is None:
            near = self._on_line(point)
            self._paint_line(hover=near)
            self.viewport().setCursor(Qt.CursorShape.SplitHCursor if near else Qt.CursorShape.ArrowCursor)
        elif self._dragging:
            self.dragged.emit(round(min(1.0, max(0.0, self.value_at(point.x()))) * STEPS) / STEPS)
        elif abs(point.x() - self._pressed.x()) > _CLICK:
            low, high = sorted((self.value_at(self._pressed.x()), self.value_at(point.x())))
            self._brush.setRect(QRectF(low, 0, high - low, 1))
            self._brush.show()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """End a drag; choose what was brushed or clicked."""
        start, self._pressed = self._pressed, None
        self._brush.hide()
        if start is None:
            return
        moved = abs(event.position().x() - start.x()) > _CLICK
        if self._dragging:
            self._dragging = False
            self.drag_ended.emit()
        if moved and self._brush.rect().width() > 0:
            self.brushed.emit(*sorted((self.value_at(start.x()), self.value_at(event.position().x()))))
        elif not moved and (position := self.nearest(event.position())) is not None:
            self.picked.emit(position, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        self._brush.setRect(QRectF())

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """The line can no longer be taken."""
        super().leaveEvent(event)
        self._paint_line(hover=False)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """The wheel scrolls the board."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Keys belong to the strip (pyqtgraph would eat the arrows)."""
        event.ignore()

    def nearest(self, point: QPointF) -> int | None:
        """Position in the pool of the dot under a pixel; None where there is none."""
        strip = self._strip
        if strip is None or not len(strip.values):
            return None
        across = (strip.values - self.value_at(point.x())) * (self.width() - 2 * self._margin)
        down = 0.0 if self.dense else self._rows - point.y()
        distance = np.hypot(across, down)
        distance[np.isnan(distance)] = np.inf
        found = int(distance.argmin())
        return found if distance[found] <= max(6.0, self._field().dot_size(len(self._ids))) else None

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Say which passage a dot is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, point: QPointF) -> str:
        strip = self._strip
        if strip is None:
            return ""
        if self.dense:
            low = np.floor(np.clip(self.value_at(point.x()), 0, 1 - 1e-9) * BINS) / BINS
            inside = int(((strip.values >= low) & (strip.values < low + 1 / BINS)).sum())
            return plain_tip(f"{count(inside)} passages between {share(low)} and {share(low + 1 / BINS)}")
        position = self.nearest(point)
        if position is None:
            return plain_tip("Drag the line to move the threshold, drag beside it to choose passages.")
        kind = KINDS[self._codes[position]]
        words = [self._ids[position], f"{strip.rule.question} {share(strip.values[position])}", f"{kind.mark} {kind.word}"]
        if not strip.active[position]:
            words.append("decided by an earlier rule: this threshold cannot move it")
        if self._uncertain[position]:
            words.append(f"{UNCERTAIN} uncertain: in the judge's band around its own threshold")
        return plain_tip("\n".join(words))
