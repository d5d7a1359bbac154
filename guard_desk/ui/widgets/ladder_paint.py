"""Draws the ladder: captions, rows, curves, boxes. Knows nothing of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from guard_desk.measure.ladder import Box, Geometry, Ladder, Slot
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Place, Placement
from guard_desk.records.evidence import Hit
from guard_desk.text.hidden import one_line
from guard_desk.ui.theme import GAP, GRID, PAD, PlaceStyle, Theme, place_style

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter

PLAIN, STRONG, FAINT = 0.8, 1.0, 0.3
"""How opaque curves are: all alike, emphasised, beside an emphasised one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One picture: what stands where, and what stands out."""

    rungs_hits: Sequence[Hit]
    passages: Sequence[Passage]
    places: Sequence[Placement] | None
    before: Sequence[Placement] | None
    ladder: Ladder | None
    geometry: Geometry
    scroll: float
    area: QRectF
    emphasised: frozenset[int]
    chosen: frozenset[int]
    primary: int | None
    hover_row: int | None
    hover_box: int | None
    focused: bool

    @property
    def visible(self) -> range:
        """Rows of which something is seen."""
        return self.geometry.visible(self.area.height(), self.scroll)

    @property
    def shift(self) -> float:
        """How far the boxes are scrolled."""
        return self.geometry.shift(self.scroll)

    def row_y(self, row: int) -> float:
        """Middle of a row on the screen."""
        return self.geometry.row_y(row, self.scroll)


def short(value: float, digits: int = 3) -> str:
    """A probability or similarity without its leading zero: .846, -.05, 1.00."""
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def title_of(passage: Passage) -> str:
    """The title, else the first words, on one line."""
    return one_line(passage.title or passage.text[:160])


def widest_words(theme: Theme, boxes: Sequence[Box]) -> float:
    """Width that a box needs so that none of the words of these boxes is cut."""
    title, number = QFontMetricsF(theme.font(0, bold=True)), QFontMetricsF(theme.font(2, bold=True))
    widths = [
        title.horizontalAdvance(_title(place_style(theme.colors, box.place, box.rule), box)) + number.horizontalAdvance(str(box.count))
        for box in boxes
    ]
    return max(widths, default=0.0) + 2 * PAD + 3 * GAP


def _title(style: PlaceStyle, box: Box) -> str:
    return f"{style.mark} {style.word} block" if box.in_prompt else f"{style.mark} {style.word}"


class LadderPainter:
    """Draws one scene."""

    def __init__(self, painter: QPainter, theme: Theme, scene: Scene) -> None:
        self._painter, self._theme, self._scene = painter, theme, scene
        self._colors = theme.colors
        self._small, self._body, self._bold = theme.font(-1), theme.font(0), theme.font(0, bold=True)
        self._mark = QFontMetricsF(self._bold).horizontalAdvance("▲") + GRID

    def draw(self) -> None:
        """Draw everything."""
        painter, scene = self._painter, self._scene
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(scene.area, QColor(self._colors.surface))
        painter.save()
        painter.setClipRect(scene.area.adjusted(0, scene.geometry.top, 0, 0))
        self._draw_bands()
        if scene.ladder is not None:
            self._draw_curves(scene.ladder)
        for row in scene.visible:
            self._draw_row(row)
        if scene.ladder is not None:
            painter.translate(0, -scene.shift)
            for at, (box, slot) in enumerate(zip(scene.ladder.boxes, scene.geometry.slots, strict=True)):
                self._draw_box(at, box, slot)
            self._draw_split()
        painter.restore()
        self._draw_captions()
        if scene.ladder is None:
            self._draw_waiting()

    # Words above

    def _draw_captions(self) -> None:
        scene, place = self._scene, self._scene.geometry
        height = place.top - GRID
        self._text(QRectF(PAD, 0, place.left - PAD, height), "RANK AND SIMILARITY", self._small, self._colors.muted)
        ladder = scene.ladder
        if ladder is None:
            return
        inside = [box for box in ladder.boxes if box.in_prompt]
        right = scene.area.right() - place.right - GAP
        first = QRectF(place.right, 0, right, height)
        words = f"IN THE PROMPT · {sum(box.tokens for box in inside):,} tok" if inside else "LEFT OUT"
        self._text(first, words, self._small, self._colors.muted)

    def _draw_split(self) -> None:
        place = self._scene.geometry
        if place.split is not None:
            room = QRectF(place.right, place.split, self._scene.area.right() - place.right - GAP, place.top - GRID)
            self._text(room, "LEFT OUT", self._small, self._colors.muted)

    def _draw_waiting(self) -> None:
        scene, place = self._scene, self._scene.geometry
        room = QRectF(place.left + PAD, place.top, scene.area.right() - place.left - 2 * PAD, scene.area.height() - 2 * place.top)
        self._painter.setFont(self._body)
        self._painter.setPen(QColor(self._colors.muted))
        flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
        self._painter.drawText(room, flags, "Places appear when every passage is judged.")

    # Rows

    def _draw_bands(self) -> None:
        """What is chosen, under the pointer, or has the focus."""
        scene, painter, place = self._scene, self._painter, self._scene.geometry
        for row in scene.visible:
            band = QRectF(GRID, scene.row_y(row) - place.row_height / 2 + 1, place.left - GRID, place.row_height - 2)
            if row in scene.chosen or row == scene.hover_row:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(self._colors.selection if row in scene.chosen else self._colors.raised))
                painter.drawRoundedRect(band, GRID, GRID)
            if row == scene.primary and scene.focused:
                painter.setPen(QPen(QColor(self._colors.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(band, GRID, GRID)

    def _draw_row(self, row: int) -> None:
        scene, place = self._scene, self._scene.geometry
        hit, passage = scene.rungs_hits[row], scene.passages[row]
        top, height = scene.row_y(row) - place.row_height / 2, place.row_height
        digits = QFontMetricsF(self._bold).horizontalAdvance("0" * max(2, len(str(len(scene.rungs_hits)))))
        self._text(QRectF(PAD, top, digits, height), str(hit.rank), self._bold, self._colors.text, _RIGHT)
        marks = self._draw_marks(row, top, height)
        number = QFontMetricsF(self._body).horizontalAdvance("-.000")
        right = place.left - marks - GAP
        self._text(QRectF(right - number, top, number, height), short(hit.similarity), self._body, self._colors.muted, _RIGHT)
        room = QRectF(PAD + digits + GAP, top, right - number - GAP - (PAD + digits + GAP), height)
        self._draw_title(passage, room)

    def _draw_title(self, passage: Passage, room: QRectF) -> None:
        line, small = QFontMetricsF(self._body).height(), QFontMetricsF(self._small).height()
        if passage.title is None or room.height() < line + small + GRID / 2:
            self._text(room, title_of(passage), self._body, self._colors.text)
            return
        upper = QRectF(room.left(), room.center().y() - (line + small) / 2, room.width(), line)
        self._text(upper, title_of(passage), self._body, self._colors.text)
        self._text(QRectF(room.left(), upper.bottom(), room.width(), small), one_line(passage.id), self._small, self._colors.muted)

    def _draw_marks(self, row: int, top: float, height: float) -> float:
        """The mark of the place, after that of the baseline where it was another. :returns: the width they take."""
        scene, left = self._scene, self._scene.geometry.left
        if scene.places is None:
            return 0.0
        style = place_style(self._colors, scene.places[row].place, scene.places[row].rule)
        self._text(QRectF(left - self._mark, top, self._mark, height), style.mark, self._bold, style.color, _CENTRE)
        if scene.before is None or scene.before[row].name == scene.places[row].name:
            return self._mark
        old = place_style(self._colors, scene.before[row].place, scene.before[row].rule)
        room = QRectF(left - 2.6 * self._mark, top, 1.6 * self._mark, height)
        self._text(room, f"{old.mark}›", self._small, self._colors.muted, _CENTRE)
        return 2.6 * self._mark

    # Curves

    def _draw_curves(self, ladder: Ladder) -> None:
        scene = self._scene
        loud = scene.emphasised
        for row in scene.visible:
            if ladder.was[row] >= 0:
                self._draw_ghost(row, ladder)
        inside = {at for at, box in enumerate(ladder.boxes) if box.in_prompt}
        # The loud ones last, so that nothing lies over them; the prompt's over the others.
        for row in sorted(scene.visible, key=lambda row: (row in loud, int(ladder.box_of[row]) in inside)):
            self._draw_curve(row, ladder, inside)

    def _draw_curve(self, row: int, ladder: Ladder, inside: set[int]) -> None:
        scene, painter = self._scene, self._painter
        box = int(ladder.box_of[row])
        shown = ladder.boxes[box]
        style = place_style(self._colors, shown.place, shown.rule)
        weight = 2.25 if box in inside or shown.rule == "injection" else 1.5
        opacity = PLAIN
        if scene.emphasised:
            opacity = STRONG if row in scene.emphasised else FAINT
            weight += 1.25 if row in scene.emphasised else 0.0
        end = scene.geometry.slot_y(box, int(ladder.slot_of[row]), shown.count, scene.scroll)
        color = QColor(style.color)
        color.setAlphaF(opacity)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, weight, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        tip = scene.geometry.right
        painter.drawPath(self._path(scene.row_y(row), end, tip - 2 * GRID))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        half = GRID * (1.1 if weight > 2 else 0.9)
        painter.drawPolygon(QPolygonF([QPointF(tip - 2 * GRID, end - half), QPointF(tip, end), QPointF(tip - 2 * GRID, end + half)]))

    def _draw_ghost(self, row: int, ladder: Ladder) -> None:
        """A thin dashed line to the place under the baseline."""
        slot = self._scene.geometry.slots[int(ladder.was[row])]
        pen = QPen(QColor(self._colors.edge), 1.2, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4, 4])
        self._painter.setPen(pen)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        end = slot.bottom - min(slot.height / 4, GAP) - self._scene.shift
        self._painter.drawPath(self._path(self._scene.row_y(row), end, self._scene.geometry.right))

    def _path(self, start: float, end: float, right: float) -> QPainterPath:
        left = self._scene.geometry.left + GRID
        middle = (left + right) / 2
        path = QPainterPath(QPointF(left, start))
        path.cubicTo(QPointF(middle, start), QPointF(middle, end), QPointF(right, end))
        return path

    # Boxes

    def _draw_box(self, at: int, box: Box, slot: Slot) -> None:
        painter, scene = self._painter, self._scene
        style = place_style(self._colors, box.place, box.rule)
        room = QRectF(scene.geometry.right, slot.top, scene.area.right() - scene.geometry.right - GAP, slot.height).adjusted(0.5, 0.5, 0, 0)
        fills = {Place.EVIDENCE: self._colors.evidence_fill, Place.CONFLICT: self._colors.conflict_fill}
        fill = self._colors.wrong_fill if box.rule == "injection" else fills.get(box.place, self._colors.raised)
        line = Qt.PenStyle.SolidLine if box.count else Qt.PenStyle.DashLine
        painter.setPen(QPen(QColor(style.color), 2.0 if at == scene.hover_box else 1.0, line))
        painter.setBrush(QColor(fill if box.count else self._colors.surface))
        painter.drawRoundedRect(room, GRID, GRID)
        ranks = self._draw_box_ranks(at, box, slot, style)
        self._draw_box_words(box, style, room.adjusted(PAD + ranks, 0, -PAD, 0))

    def _draw_box_ranks(self, at: int, box: Box, slot: Slot, style: PlaceStyle) -> float:
        """The ranks at the tips of the curves, where they have room. :returns: the width they take."""
        scene, metrics = self._scene, QFontMetricsF(self._small)
        if box.count < 2 or scene.ladder is None or slot.height / (box.count + 1) < metrics.height():
            return 0.0
        ranks = [scene.rungs_hits[int(row)].rank for row in scene.ladder.members(at)]
        width = metrics.horizontalAdvance("0" * len(str(max(ranks))))
        for position, rank in enumerate(ranks):
            middle = scene.geometry.slot_y(at, position, box.count)
            room = QRectF(scene.geometry.right + GAP, middle - metrics.height() / 2, width, metrics.height())
            self._text(room, str(rank), self._small, style.color, _RIGHT)
        return width + GAP

    def _draw_box_words(self, box: Box, style: PlaceStyle, room: QRectF) -> None:
        count = str(box.count)
        number = self._theme.font(2, bold=True) if room.height() > QFontMetricsF(self._theme.font(2)).height() + GAP else self._bold
        width = QFontMetricsF(number).horizontalAdvance(count)
        self._text(QRectF(room.right() - width, room.top(), width, room.height()), count, number, style.color, _RIGHT)
        words = QRectF(room.left(), room.top(), room.width() - width - GAP, room.height())
        line, small = QFontMetricsF(self._bold).height(), QFontMetricsF(self._small).height()
        title = _title(style, box)
        note = f"{box.tokens:,} tokens" if box.tokens else ""
        if not note or words.height() < line + small + GRID:
            self._text(words, title, self._bold, style.color)
            return
        top = words.center().y() - (line + small) / 2
        self._text(QRectF(words.left(), top, words.width(), line), title, self._bold, style.color)
        self._text(QRectF(words.left(), top + line, words.width(), small), note, self._small, self._colors.muted)

    def _text(self, room: QRectF, text: str, font: QFont, color: str, flags: Qt.AlignmentFlag = _LEFT) -> None:
        if room.width() <= 0:
            return
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width() + 0.5)
        self._painter.setFont(font)
        self._painter.setPen(QColor(color))
        self._painter.drawText(room, int(flags) | int(Qt.TextFlag.TextSingleLine), shown)
