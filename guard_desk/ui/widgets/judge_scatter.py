"""Two judges' answers to one question, one against the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QHelpEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from guard_desk.ui.compare_rows import Points, answer_words
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GRID, Theme

_NEAR = 9.0
"""Pixels in which a click means a point."""
_SAME, _OTHER = ("o", 8), ("d", 11)


class JudgeScatter(pg.PlotWidget):
    """Circles where both judges are on the same side of their thresholds, diamonds where not; a click chooses the passage."""

    chosen = Signal(object, object)
    """ids (tuple of str), primary (str or None)"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self.setObjectName("compare_scatter")
        self.setAccessibleName("Answers of two judges")
        self.setAccessibleDescription("The button Table shows the same numbers.")
        self.setMinimumSize(QSize(60 * GRID, 50 * GRID))
        plot = self.getPlotItem()
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(x=False, y=False)
        plot.setRange(xRange=(0, 1), yRange=(0, 1), padding=0.03)
        plot.getViewBox().setAspectLocked(False)
        self._points: Points | None = None
        self._ids: Sequence[str] = ()
        self._primary: str | None = None
        self._theme: Theme | None = None
        self._diagonal = pg.PlotCurveItem(x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]))
        self._limits = (pg.InfiniteLine(angle=90, movable=False), pg.InfiniteLine(angle=0, movable=False))
        self._dots, self._ring = pg.ScatterPlotItem(), pg.ScatterPlotItem()
        for item in (self._diagonal, *self._limits, self._dots, self._ring):
            plot.addItem(item)
        self.scene().sigMouseClicked.connect(self._clicked)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and fonts."""
        self._theme, colors = theme, theme.colors
        plot = self.getPlotItem()
        for side in ("left", "bottom"):
            axis = plot.getAxis(side)
            axis.setPen(QPen(QColor(colors.edge)))
            axis.setTextPen(QColor(colors.muted))
            axis.setStyle(tickFont=theme.font(-1))
            axis.label.setFont(theme.font(-1))
        self._diagonal.setPen(pg.mkPen(colors.line, width=1.5))
        for line in self._limits:
            line.setPen(pg.mkPen(colors.accent, width=1.5, style=Qt.PenStyle.DashLine))
        if self._points is not None:
            self._draw()

    def show_points(self, points: Points, ids: Sequence[str], names: tuple[str, str]) -> None:
        """Show the answers of a pair of judges.

        :param names: of the judge along the bottom and of the one along the side.
        """
        self._points, self._ids = points, ids
        plot = self.getPlotItem()
        for side, name in zip(("bottom", "left"), names, strict=True):
            plot.setLabel(side, _plain(name))
        self._limits[0].setValue(points.left_limit)
        self._limits[1].setValue(points.right_limit)
        self._draw()

    def show_primary(self, passage_id: str | None) -> None:
        """Ring the chosen passage."""
        if passage_id != self._primary:
            self._primary = passage_id
            self._draw_ring()

    def _draw(self) -> None:
        if self._points is None or self._theme is None:
            return
        colors, shown = self._theme.colors, self._points
        known = np.flatnonzero(~(np.isnan(shown.left) | np.isnan(shown.right)))
        differs = shown.differs[known]
        looks = {
            True: (pg.mkBrush(colors.wrong), pg.mkPen(colors.surface, width=0.8), *_OTHER),
            False: (pg.mkBrush(colors.other), pg.mkPen(colors.surface, width=0.8), *_SAME),
        }
        chosen = [looks[bool(other)] for other in differs]
        self._dots.setData(
            x=shown.left[known],
            y=shown.right[known],
            brush=[look[0] for look in chosen],
            pen=[look[1] for look in chosen],
            symbol=[look[2] for look in chosen],
            size=[look[3] for look in chosen],
        )
        self._draw_ring()

    def _draw_ring(self) -> None:
        if self._points is None or self._theme is None:
            return
        at = self._ids.index(self._primary) if self._primary in self._ids else None
        where = (self._points.left[at], self._points.right[at]) if at is not None else (np.nan, np.nan)
        if np.isnan(where).any():
            self._ring.setData(x=[], y=[])
        else:
            self._ring.setData(
                x=[where[0]], y=[where[1]], symbol="o", size=18, brush=None, pen=pg.mkPen(self._theme.colors.accent, width=2)
            )

    def nearest(self, point: QPointF) -> int | None:
        """Position in the pool of the point under a pixel of the view; None where there is none."""
        shown = self._points
        if shown is None or not len(shown.left):
            return None
        box = self.getPlotItem().getViewBox()
        here = box.mapSceneToView(self.mapToScene(point.toPoint()))
        wide, high = box.viewPixelSize()
        distance = np.hypot((shown.left - here.x()) / wide, (shown.right - here.y()) / high)
        distance[np.isnan(distance)] = np.inf
        found = int(distance.argmin())
        return found if distance[found] <= _NEAR else None

    @Slot(object)
    def _clicked(self, event: object) -> None:
        where = self.mapFromScene(event.scenePos())  # type: ignore[attr-defined]  # pyqtgraph's own event
        found = self.nearest(QPointF(where))
        if found is not None:
            self.chosen.emit((self._ids[found],), self._ids[found])

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Say which passage a point is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self)
            return True
        return bool(super().viewportEvent(event))

    def _tip(self, point: QPointF) -> str:
        found, shown = self.nearest(point), self._points
        if found is None or shown is None:
            return plain_tip("Dashed: each judge's own threshold. Diamonds: yes for one judge, no for the other.")
        left, right = answer_words(shown.left[found]), answer_words(shown.right[found])
        differs = "\none says yes, the other no" if shown.differs[found] else ""
        return plain_tip(f"{self._ids[found]}\n{left} across, {right} up{differs}")


def _plain(text: str) -> str:
    """pyqtgraph takes labels for HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
