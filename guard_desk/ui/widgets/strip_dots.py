"""Draws the answers of a pool as dots, or as density where there are too many to tell apart.

Colour and shape say where a passage ended; a hollow one was decided by an earlier rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QPolygonF

from guard_desk.measure.strips import Floats, Mask, Strip, stack
from guard_desk.records.decision import Place, Placement
from guard_desk.ui.theme import Colors

MOST_DOTS = 2500
"""Above this many passages dots cover each other, and the strip shows their density."""

BINS = 100
_TOP = 0.82
"""Share of the height that dots fill; the bracket stands above."""
_FLOOR = 4.0
"""Pixels below the lowest dot, so that a ring around it stays whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DotKind:
    """How the passages of some places are drawn.

    :param color: name of the colour in the theme.
    :param shape: corners in the unit square; empty = a circle.
    :param mark: the same shape as a character.
    """

    color: str
    shape: tuple[tuple[float, float], ...]
    mark: str
    word: str


KINDS: tuple[DotKind, ...] = (
    DotKind(color="hostile", shape=((0.5, 0), (1, 1), (0, 1)), mark="▲", word="injection"),
    DotKind(color="conflict", shape=((0.5, -0.1), (1.1, 0.5), (0.5, 1.1), (-0.1, 0.5)), mark="◆", word="conflict"),
    DotKind(color="evidence", shape=(), mark="●", word="evidence"),
    DotKind(color="other", shape=((0, 0), (1, 0), (0.5, 1)), mark="▼", word="no room"),
    DotKind(color="excluded", shape=((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)), mark="■", word="excluded"),
)
"""The rarest first: in the density they stand on the floor, where they are seen."""

_KIND_OF = {Place.EVIDENCE: 2, Place.CONFLICT: 1, Place.EXCLUDED: 4, Place.NOT_JUDGED: 4}


def kind_codes(places: Sequence[Placement]) -> npt.NDArray[np.int8]:
    """For each placement the position of its kind in `KINDS`."""
    codes = [0 if p.rule == "injection" and p.place is Place.EXCLUDED else _KIND_OF.get(p.place, 3) for p in places]
    return np.array(codes, dtype=np.int8)


def legend_marks(colors: Colors) -> tuple[tuple[str, str, str], ...]:
    """Mark, colour and word of each kind, in the order of the prompt."""
    return tuple((kind.mark, getattr(colors, kind.color), kind.word) for kind in (KINDS[2], KINDS[1], KINDS[0], KINDS[4], KINDS[3]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The room for the dots, in pixels.

    :param margin: beside 0 and 1.
    """

    width: float
    height: float
    margin: float

    @property
    def inner(self) -> float:
        """Pixels from 0 to 1."""
        return max(1.0, self.width - 2 * self.margin)

    def across(self, values: Floats) -> Floats:
        """Horizontal pixels of answers."""
        return self.margin + values * self.inner

    def dot_size(self, number: int) -> float:
        """Pixels of a dot: smaller for many passages and in a low strip."""
        wanted = 9.0 if number <= 80 else 7.0 if number <= 400 else 5.0 if number <= 1000 else 4.0
        return min(wanted, max(4.0, round(self.height / 4.5)))


def dot_rows(values: Floats, field: Field) -> Floats:
    """Vertical pixels of the dots, from the top; NaN where not judged."""
    size = field.dot_size(len(values))
    usable = _TOP * field.height - _FLOOR
    heights = stack(values, bins=max(10, int(field.inner / size)), rows=max(1, int(usable / size)))
    return field.height - _FLOOR - heights * usable


def draw_dots(painter: QPainter, strip: Strip, codes: npt.NDArray[np.int8], rows: Floats, field: Field, colors: Colors) -> None:
    """The dots, the hollow ones below."""
    size, ratio = field.dot_size(len(codes)), painter.device().devicePixelRatioF()
    across = field.across(strip.values)
    judged = ~np.isnan(strip.values)
    for solid, mask in ((False, judged & ~strip.active), (True, strip.active)):
        for code in reversed(range(len(KINDS))):
            at = np.flatnonzero(mask & (codes == code))
            if len(at):
                image = _symbol(code, solid, size, ratio, colors)
                half = image.width() / ratio / 2
                for x, y in zip((across[at] - half).tolist(), (rows[at] - half).tolist(), strict=True):
                    painter.drawPixmap(QPointF(x, y), image)


@lru_cache(maxsize=256)
def _symbol(code: int, solid: bool, size: float, ratio: float, colors: Colors) -> QPixmap:
    kind = KINDS[code]
    room = size + 4
    image = QPixmap(round(room * ratio), round(room * ratio))
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = QColor(getattr(colors, kind.color))
    painter.setPen(QPen(QColor(colors.surface), 0.8) if solid else QPen(color, 1.1))
    painter.setBrush(QBrush(color) if solid else Qt.BrushStyle.NoBrush)
    centre = image.width() / ratio / 2
    low = centre - size / 2
    if kind.shape:
        painter.drawPolygon(QPolygonF([QPointF(low + x * size, low + y * size) for x, y in kind.shape]))
    else:
        painter.drawEllipse(QPointF(centre, centre), size / 2, size / 2)
    painter.end()
    return image


def draw_density(painter: QPainter, strip: Strip, codes: npt.NDArray[np.int8], field: Field, colors: Colors) -> None:
    """Stacked counts, rare kinds on the floor; the height is the square root, so that few are seen beside many."""
    edges = np.linspace(0, 1, BINS + 1)
    layers = [np.histogram(strip.values[strip.active & (codes == code)], edges)[0] for code in range(len(KINDS))]
    layers.append(np.histogram(strip.values[~strip.active & ~np.isnan(strip.values)], edges)[0])
    heaps = np.cumsum(layers, axis=0)
    tops = field.height - _TOP * field.height * np.sqrt(heaps / max(1, heaps[-1].max()))
    across = field.across(np.repeat(edges, 2)[1:-1])
    names = [kind.color for kind in KINDS]
    for code in reversed(range(len(layers))):
        inert = code == len(KINDS)
        painter.setPen(QPen(QColor(colors.edge), 1) if inert else Qt.PenStyle.NoPen)
        painter.setBrush(faded(colors.edge, 0.18) if inert else QColor(getattr(colors, names[code])))
        steps = zip(across.tolist(), np.repeat(tops[code], 2).tolist(), strict=True)
        corners = [QPointF(x, y) for x, y in steps]
        painter.drawPolygon(QPolygonF([QPointF(float(across[0]), field.height), *corners, QPointF(float(across[-1]), field.height)]))


def draw_bars(painter: QPainter, strip: Strip, uncertain: Mask, rows: Floats, field: Field, colors: Colors) -> None:
    """A bar through each dot where the judge was uncertain."""
    half = field.dot_size(len(rows)) / 2 + 3
    painter.setPen(QPen(QColor(colors.text), 1.5))
    at = np.flatnonzero(uncertain & ~np.isnan(strip.values))
    for x, y in zip(field.across(strip.values[at]).tolist(), rows[at].tolist(), strict=True):
        painter.drawLine(QPointF(x - half, y), QPointF(x + half, y))


def draw_rings(painter: QPainter, points: Sequence[tuple[float, float]], size: float, pen: QPen) -> None:
    """Rings around the chosen dots."""
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for x, y in points:
        painter.drawEllipse(QRectF(x - size / 2, y - size / 2, size, size))


def faded(color: str, alpha: float) -> QColor:
    """A colour that lets what is behind it through."""
    made = QColor(color)
    made.setAlphaF(alpha)
    return made
