"""The picture of the ladder: ranks on the left, places on the right, a curve for each passage. Only what is seen is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from guard_desk.measure.ladder import Geometry, Ladder, Sizes, curve_parameter, curve_y, geometry, row_words
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Placement
from guard_desk.records.evidence import Hit
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.ladder_paint import LadderPainter, Scene, widest_words

NEAR = 7.0
"""How near a pointer must be to a curve to mean it, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rungs:
    """What the picture shows.

    :param places: in rank order; None while the run has not decided.
    :param ladder: None while the run has not decided.
    :param before: places under the baseline; None when there is none.
    """

    hits: Sequence[Hit]
    passages: Sequence[Passage]
    places: Sequence[Placement] | None = None
    ladder: Ladder | None = None
    before: Sequence[Placement] | None = None


class LadderView(QAbstractScrollArea):
    """Draws `Rungs`. `chosen` comes only from a person, never from `show_selection`."""

    chosen = Signal(object, object)
    """ids (tuple of str), primary (str or None)"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ladder_view")
        self.setAccessibleName("Ladder from retrieval rank to final place")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.setMinimumSize(80 * GRID, 30 * GRID)
        self.rungs = Rungs(hits=(), passages=())
        self._theme: Theme | None = None
        self._geometry: Geometry | None = None
        self._rows: dict[str, int] = {}
        self._chosen: tuple[str, ...] = ()
        self._primary: str | None = None
        self._anchor: int | None = None
        self._hover: tuple[int | None, int | None] = (None, None)

    # What it shows

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        self._lay_out()

    def show_rungs(self, rungs: Rungs) -> None:
        """Show a pool and its places."""
        if rungs.hits is not self.rungs.hits:
            self._rows = {hit.passage_id: row for row, hit in enumerate(rungs.hits)}
            self._hover = (None, None)
        before, self.rungs = self.rungs, rungs
        old, new = before.ladder, rungs.ladder
        if before.hits is not rungs.hits or old is None or new is None or not new.looks_like(old):
            self._lay_out()  # else: a slider that flips nothing draws nothing

    def show_selection(self, ids: Sequence[str], primary: str | None) -> None:
        """Emphasise the chosen passages and bring the primary one into sight, without telling anyone."""
        if (tuple(ids), primary) == (self._chosen, self._primary):
            return
        self._chosen, self._primary = tuple(ids), primary
        row = self.row_of(primary)
        if row is not None:
            self._bring(row)
        self._describe()
        self.viewport().update()

    def row_of(self, passage_id: str | None) -> int | None:
        """The row of a passage; None when it is not in the pool."""
        return None if passage_id is None else self._rows.get(passage_id)

    @property
    def laid_out(self) -> Geometry | None:
        """Where everything stands; None before the first theme."""
        return self._geometry

    @property
    def emphasised(self) -> frozenset[int]:
        """Rows whose curves stand out: under the pointer, else chosen; empty = all alike."""
        row, box = self._hover
        if row is not None:
            return frozenset((row,))
        if box is not None and self.rungs.ladder is not None:
            return frozenset(self.rungs.ladder.members(box).tolist())
        return frozenset(self._rows[passage_id] for passage_id in self._chosen if passage_id in self._rows)

    # Layout

    def _lay_out(self) -> None:
        if self._theme is None:
            return
        line = QFontMetricsF(self._theme.font(0)).height()
        boxes = self.rungs.ladder.boxes if self.rungs.ladder else ()
        sizes = Sizes(line=line, gap=GAP, caption=line + GAP, box=widest_words(self._theme, boxes))
        size = self.viewport().size()
        self._geometry = geometry(len(self.rungs.hits), boxes, sizes, width=size.width(), height=size.height())
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, round(self._geometry.content_height - size.height())))
        bar.setPageStep(size.height())
        bar.setSingleStep(round(self._geometry.row_height))
        self._describe()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Lay out anew."""
        super().resizeEvent(event)
        self._lay_out()

    def _bring(self, row: int) -> None:
        if self._geometry is None:
            return
        bar, half = self.verticalScrollBar(), self._geometry.row_height / 2
        y = self._geometry.row_y(row, bar.value())
        if y - half < self._geometry.top:
            bar.setValue(round(bar.value() + y - half - self._geometry.top))
        elif y + half > self.viewport().height():
            bar.setValue(round(bar.value() + y + half - self.viewport().height() + GRID))

    def _describe(self) -> None:
        row, places = self.row_of(self._primary), self.rungs.places
        if row is None or places is None:
            text = f"{len(self.rungs.hits)} passages in the pool"
        else:
            text = f"{self.rungs.hits[row].passage_id}: {row_words(self.rungs.hits[row], places[row])}"
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)

    # Drawing

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw what is seen."""
        if self._theme is None or self._geometry is None:
            return
        painter = QPainter(self.viewport())
        scene = Scene(
            rungs_hits=self.rungs.hits,
            passages=self.rungs.passages,
            places=self.rungs.places,
            before=self.rungs.before,
            ladder=self.rungs.ladder,
            geometry=self._geometry,
            scroll=self.verticalScrollBar().value(),
            area=QRectF(self.viewport().rect()),
            emphasised=self.emphasised,
            chosen=frozenset(self._rows[i] for i in self._chosen if i in self._rows),
            primary=self.row_of(self._primary),
            hover_row=self._hover[0],
            hover_box=self._hover[1],
            focused=self.hasFocus(),
        )
        LadderPainter(painter, self._theme, scene).draw()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # noqa: N802 - Qt's name
        """The rows scroll, the boxes stay: draw anew."""
        self.viewport().update()

    # Pointer

    def hit(self, point: QPointF) -> tuple[int | None, int | None]:
        """What is at a point of the viewport: (row, None), (None, box) or (None, None)."""
        place = self._geometry
        if place is None:
            return None, None
        scroll = self.verticalScrollBar().value()
        if point.x() <= place.left:
            return place.row_at(point.y(), scroll), None
        if point.x() >= place.right:
            return None, place.box_at(point.y(), scroll)
        return self._near_curve(place, point, scroll), None

    def _near_curve(self, place: Geometry, point: QPointF, scroll: float) -> int | None:
        ladder = self.rungs.ladder
        if ladder is None:
            return None
        share = curve_parameter(point.x(), place.left, place.right)
        best, found = NEAR, None
        for row in place.visible(self.viewport().height(), scroll):
            box = int(ladder.box_of[row])
            end = place.slot_y(box, int(ladder.slot_of[row]), ladder.boxes[box].count, scroll)
            distance = abs(curve_y(place.row_y(row, scroll), end, share) - point.y())
            if distance < best:
                best, found = distance, row
        return found

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Let what is under the pointer stand out."""
        self._point_at(self.hit(event.position()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Nothing is under the pointer."""
        super().leaveEvent(event)
        self._point_at((None, None))

    def _point_at(self, hover: tuple[int | None, int | None]) -> None:
        if hover != self._hover:
            self._hover = hover
            hand = Qt.CursorShape.PointingHandCursor if hover != (None, None) else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(hand)
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the passage, or all of a box."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        row, box = self.hit(event.position())
        if row is not None:
            self._choose_row(row, event.modifiers())
        elif box is not None and self.rungs.ladder is not None:
            members = [self.rungs.hits[int(at)].passage_id for at in self.rungs.ladder.members(box)]
            self._choose(members, members[0] if members else None)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Tooltips."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip_at(self, point: QPoint) -> str:
        """The tooltip at a point, escaped; "" where there is nothing."""
        row, box = self.hit(QPointF(point))
        if row is not None:
            return plain_tip(self._row_tip(row))
        if box is not None and self.rungs.ladder is not None:
            shown = self.rungs.ladder.boxes[box]
            return plain_tip(f"{shown.count} passages, {shown.tokens:,} tokens. Click to choose them.")
        return ""

    def _row_tip(self, row: int) -> str:
        hit, passage, places = self.rungs.hits[row], self.rungs.passages[row], self.rungs.places
        lines = [f"{passage.id}  {passage.title or ''}".strip(), f"rank {hit.rank}, similarity {hit.similarity:.3f}"]
        if places is not None:
            lines.append(row_words(hit, places[row]).split(", ", 2)[2] + (f": {places[row].detail}" if places[row].detail else ""))
            if self.rungs.before is not None and self.rungs.before[row].name != places[row].name:
                lines.append(f"under the baseline: {self.rungs.before[row].name.replace('_', ' ').replace(':', ', ')}")
        return "\n".join(lines)

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Move along the ranks; Shift extends, Ctrl+A takes all."""
        row, last = self.row_of(self._primary), len(self.rungs.hits) - 1
        now = -1 if row is None else row
        page = max(1, int(self.viewport().height() / self._geometry.row_height) - 1) if self._geometry else 1
        keys: dict[int, int] = {
            Qt.Key.Key_Down: now + 1,
            Qt.Key.Key_Up: max(0, now) - 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
            Qt.Key.Key_PageDown: now + page,
            Qt.Key.Key_PageUp: now - page,
        }
        key = event.key()
        if key in keys and last >= 0:
            self._choose_row(min(last, max(0, keys[key])), event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._choose([hit.passage_id for hit in self.rungs.hits], self._primary)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Show where the focus is."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """The focus has gone."""
        super().focusOutEvent(event)
        self.viewport().update()

    # Choosing

    def _choose_row(self, row: int, modifiers: Qt.KeyboardModifier) -> None:
        hits = self.rungs.hits
        primary = hits[row].passage_id
        if modifiers & Qt.KeyboardModifier.ShiftModifier and self._anchor is not None:
            low, high = sorted((self._anchor, row))
            self._choose([hit.passage_id for hit in hits[low : high + 1]], primary)
        elif modifiers & Qt.KeyboardModifier.ControlModifier:
            kept = [i for i in self._chosen if i != primary]
            self._choose(kept if primary in self._chosen else [*kept, primary], primary if primary not in self._chosen else None)
        else:
            self._anchor = row
            self._choose([primary], primary)

    @Slot()
    def _choose(self, ids: Sequence[str], primary: str | None) -> None:
        main = primary if primary is not None else (ids[0] if ids else None)
        self.show_selection(ids, main)
        self.chosen.emit(tuple(ids), main)
