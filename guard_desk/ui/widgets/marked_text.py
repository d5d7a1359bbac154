"""A text with marks drawn exactly on their words: what there is to see of it. Plain text only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.marks import Mark, MarkStyle, Segment, segments
from guard_desk.ui.widgets.span_paint import line_boxes, mark_format, within
from guard_desk.ui.widgets.text_map import Utf16Map

_MARGIN = 1500
"""Code points above and below what is in sight that are marked too."""


class MarkedText(QPlainTextEdit):
    """Text with marked spans in code points; invisible characters are shown as signs while it is read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._map = Utf16Map("")
        self._marks: tuple[Mark, ...] = ()
        self._segments: tuple[Segment, ...] = ()
        self._drawn = (0, 0)
        self._chosen: int | None = None
        self._theme: Theme | None = None
        self._loading = False
        self.document().setDocumentMargin(GAP)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.set_editable(False)

    # What it shows

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme = theme
        self.setFont(theme.font(0))
        palette = self.palette()
        for role, color in (("Base", theme.colors.surface), ("Text", theme.colors.text), ("PlaceholderText", theme.colors.muted)):
            palette.setColor(getattr(QPalette.ColorRole, role), QColor(color))
        self.setPalette(palette)
        self._draw_marks()

    def text(self) -> str:
        """The text itself: what was given, with what a person typed."""
        return self._map.text

    def set_text(self, text: str) -> None:
        """Show another text; the marks go. The same text again costs nothing."""
        if text == self._map.text and self.document().characterCount() - 1 == self._map.units:
            return
        self._marks, self._chosen = (), None
        self._load(text)

    def _load(self, text: str) -> None:
        self._map = Utf16Map(text, reveal=self.isReadOnly())
        self._loading = True
        try:
            self.setExtraSelections([])  # each has a cursor, which the document would move along
            self.setPlainText(self._map.shown)
        finally:
            self._loading = False
        self._draw_marks()

    def set_editable(self, editable: bool) -> None:
        """Write or read; place and marks stay."""
        if editable is not self.isReadOnly() and self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard:
            return
        place = self._map.code_point(self.textCursor().position())
        self.setReadOnly(not editable)
        self.setUndoRedoEnabled(editable)
        readable = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(readable | (Qt.TextInteractionFlag.TextEditable if editable else readable))
        self._load(self._map.text)
        cursor = self.textCursor()
        cursor.setPosition(self._map.unit(place))
        self.setTextCursor(cursor)

    def marks(self) -> tuple[Mark, ...]:
        """The marks that are shown."""
        return self._marks

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Mark these spans; those outside the text are left out."""
        length = len(self._map)
        kept = tuple(mark for mark in marks if 0 <= mark.start < mark.end <= length)
        if kept != self._marks:
            self._marks = kept
            self._draw_marks()

    def chosen(self) -> int | None:
        """Start of the chosen mark."""
        return self._chosen

    def choose(self, start: int | None, *, scroll: bool = True) -> None:
        """Draw a frame around the marks that start here and bring them into sight; None = no frame."""
        if start == self._chosen:
            return
        self._chosen = start
        self.viewport().update()
        if start is not None and scroll:
            self._show_place(start)

    def show_place(self, start: int) -> None:
        """Bring a code point into sight."""
        self._show_place(start)

    def _show_place(self, start: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(self._map.unit(start))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    # Marks

    def _draw_marks(self) -> None:
        self._segments = tuple(segments(self._marks))
        self._drawn = (0, 0)
        self._draw_in_sight()
        self.viewport().update()

    def _draw_in_sight(self) -> None:
        """Qt looks through all its extra selections for each block it draws, so it gets only those near what is in sight."""
        if self._theme is None or self._loading:
            return
        first, last = self._in_sight()
        if self._drawn[0] <= first and last <= self._drawn[1]:
            return
        start, end = max(0, first - _MARGIN), last + _MARGIN
        self._drawn = (start, end)
        drawn = [self._selection(item) for item in within(self._segments, start, end)]
        look = MarkStyle(color=self._theme.colors.hostile, fill=self._theme.colors.wrong_fill)
        sign = mark_format(look, 1)
        sign.setForeground(QColor(look.color))
        drawn += [self._range(low, high, sign) for low, high in self._map.signs if low < end and high > start]
        self.setExtraSelections(drawn)

    def _in_sight(self) -> tuple[int, int]:
        """The code points between the corners of the viewport."""
        area = self.viewport().rect()
        first = self.cursorForPosition(area.topLeft()).position()
        last = self.cursorForPosition(area.bottomRight()).position()
        return self._map.code_point(first), self._map.code_point(last)

    @Slot()
    def _scrolled(self) -> None:
        self._draw_in_sight()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the marks that came into sight."""
        super().resizeEvent(event)
        self._draw_in_sight()
        if self._chosen is not None and not self.hasFocus():
            self.ensureCursorVisible()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """What was chosen before there was a place to show it comes into sight now."""
        super().showEvent(event)
        if self._chosen is not None:
            self.ensureCursorVisible()

    def _selection(self, segment: Segment) -> QTextEdit.ExtraSelection:
        return self._range(
            segment.start, segment.end, mark_format(segment.mark.style, segment.depth, segment.fill.style if segment.fill else None)
        )

    def _range(self, start: int, end: int, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        low, high = self._map.range(start, end)
        cursor = QTextCursor(self.document())
        cursor.setPosition(low)
        cursor.setPosition(high, QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        selection.cursor = cursor  # type: ignore[attr-defined]
        selection.format = form  # type: ignore[attr-defined]
        return selection

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw text and marks, then frames around the boxed ones and the chosen one."""
        super().paintEvent(event)
        if self._theme is None:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in self._marks:
            chosen = mark.active and mark.start == self._chosen
            if mark.style.box or chosen:
                painter.setPen(QPen(QColor(self._theme.colors.accent if chosen else mark.style.color), 2 if chosen else 1.2))
                for box in self._boxes(mark):
                    painter.drawRoundedRect(box, GRID / 2, GRID / 2)
        painter.end()

    def _boxes(self, mark: Mark) -> Iterator[QRectF]:
        """Where a mark stands in the viewport, one box a line; only what is in sight."""
        low, high = self._map.range(mark.start, mark.end)
        height = self.viewport().height()
        block = self._first_in_sight(low)
        while block.isValid() and block.position() < high:
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > height:
                return
            if block.position() + block.length() > low:
                yield from line_boxes(block, low, high, place.topLeft())
            block = block.next()

    def place_of(self, start: int) -> QRect:
        """Where the first words of the marks that start here stand, in global coordinates."""
        boxes = [box for mark in self._marks if mark.start == start and mark.active for box in self._boxes(mark)]
        box = boxes[0].toAlignedRect() if boxes else self.cursorRect()
        return QRect(self.viewport().mapToGlobal(box.topLeft()), box.size())

    def lines_of(self, start: int) -> QRect:
        """The same as high as all lines in sight over which these marks go."""
        first, room = self.place_of(start), self.viewport().rect()
        boxes = [box.toAlignedRect() for mark in self._marks if mark.start == start and mark.active for box in self._boxes(mark)]
        lowest = max((box.bottom() for box in boxes if room.intersects(box)), default=0)
        first.setBottom(max(first.bottom(), self.viewport().mapToGlobal(QPoint(0, lowest)).y()))
        return first

    def _first_in_sight(self, position: int) -> QTextBlock:
        first, own = self.firstVisibleBlock(), self.document().findBlock(position)
        return own if own.blockNumber() > first.blockNumber() else first
