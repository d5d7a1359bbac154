"""A text with marks exactly on their words, to read or to edit. Plain text only: nothing in it is a link or a markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
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
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.marks import Mark, MarkStyle, Segment, marks_at, moved, segments
from guard_desk.ui.widgets.span_paint import line_boxes, mark_format, within
from guard_desk.ui.widgets.text_map import Utf16Map, typed_change

_MARGIN = 1500
"""Code points above and below what is in sight that are marked too."""

_OPEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class SpanText(QPlainTextEdit):
    """Text with marked spans in code points.

    Reading: invisible characters are shown as signs; `n`/`p` and F8/Shift+F8 go from mark to mark; a click chooses one.
    Editing: `edited` gives the whole text after each change. What was not touched stays as it was, code point by code
    point, whatever a text widget makes of it.
    """

    editing_done = Signal()
    """Esc while editing."""
    span_clicked = Signal(int)
    """start of the chosen mark"""
    span_hovered = Signal(object)
    """start of the mark under the pointer, or None"""
    card_asked = Signal(int, bool)
    """Where there is a card in place of tooltips: code point, and whether the keyboard asks"""
    edited = Signal(object)
    """the whole text (str); as an object, because a Qt string loses half characters"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._map = Utf16Map("")
        self._marks: tuple[Mark, ...] = ()
        self._segments: tuple[Segment, ...] = ()
        self._drawn = (0, 0)
        self._chosen: int | None = None
        self._hovered: int | None = None
        self._theme: Theme | None = None
        self._loading = self._touched = False
        self.has_cards = False
        """Whoever shows cards of its own sets it; then marks that can be chosen have no tooltip."""
        self.document().setDocumentMargin(GAP)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.document().contentsChange.connect(self._changed)
        self.textChanged.connect(self._tell_edit)
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

    def _first_in_sight(self, position: int) -> QTextBlock:
        first, own = self.firstVisibleBlock(), self.document().findBlock(position)
        return own if own.blockNumber() > first.blockNumber() else first

    # Pointer and keys

    def _mark_at(self, point: QPoint) -> tuple[Mark, ...]:
        cursor = self.cursorForPosition(point)
        rect = self.cursorRect(cursor)
        position = cursor.position()
        # The nearest gap between two characters may lie behind the one under the pointer.
        if point.x() < rect.x() and position:
            position -= 1
        if not rect.top() - GRID <= point.y() <= rect.bottom() + GRID:
            return ()
        return marks_at(self._marks, self._map.code_point(position))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the mark under the pointer; again and again, those under it in turn."""
        super().mousePressEvent(event)
        found = self._mark_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not found or not self.isReadOnly():
            return
        starts = list(dict.fromkeys(mark.start for mark in found))
        following = (starts.index(self._chosen) + 1) % len(starts) if self._chosen in starts else 0
        self._tell(starts[following])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Say which mark the pointer is on."""
        super().mouseMoveEvent(event)
        found = self._mark_at(event.position().toPoint())
        self._hover(found[0].start if found else None)
        hand = bool(found) and self.isReadOnly()
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.IBeamCursor)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """The pointer is on no mark any more."""
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, start: int | None) -> None:
        if start != self._hovered:
            self._hovered = start
            self.span_hovered.emit(start)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Show what the mark under the pointer means, as plain text."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            point = event.pos()
            found = self._mark_at(point) if self.has_cards else ()
            cursor_marks = self._tips_at(point)
            if found:
                self.card_asked.emit(found[0].start, False)
            elif cursor_marks:
                QToolTip.showText(event.globalPos(), plain_tip("\n\n".join(cursor_marks)), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def _tips_at(self, point: QPoint) -> list[str]:
        position = self._map.code_point(self.cursorForPosition(point).position())
        near = [mark for mark in self._marks if mark.tip and mark.start <= position < mark.end]
        near.sort(key=lambda mark: mark.end - mark.start)
        return list(dict.fromkeys(mark.tip for mark in near))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """F8 and Shift+F8 go from mark to mark; while reading n and p do too. Esc ends editing."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if event.key() == Qt.Key.Key_F8 and plain:
            self.step(-1 if shift else 1)
        elif self.isReadOnly() and plain and event.key() in (Qt.Key.Key_N, Qt.Key.Key_P):
            self.step(1 if event.key() == Qt.Key.Key_N else -1)
        elif self.isReadOnly() and plain and event.key() in _OPEN and self.has_cards and self._chosen is not None:
            self.card_asked.emit(self._chosen, True)
        elif event.key() == Qt.Key.Key_Escape and not self.isReadOnly():
            self.editing_done.emit()
        else:
            super().keyPressEvent(event)

    def step(self, direction: int) -> None:
        """Choose the next mark (1) or the one before (-1); behind the last comes the first."""
        starts = sorted({mark.start for mark in self._marks if mark.active})
        if not starts:
            return
        here = self._chosen if self._chosen in starts else self._map.code_point(self.textCursor().position())
        ahead = [start for start in starts if (start > here if direction > 0 else start < here)]
        if self._chosen is None and here in starts:
            ahead = [here]
        following = (ahead[0] if direction > 0 else ahead[-1]) if ahead else (starts[0] if direction > 0 else starts[-1])
        self._tell(following)

    def _tell(self, start: int) -> None:
        self.choose(start)
        self.span_clicked.emit(start)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Show the focus."""
        super().focusInEvent(event)
        self.viewport().update()

    # Editing

    @Slot(int, int, int)
    def _changed(self, position: int, removed: int, added: int) -> None:
        """Put what was typed into the text. Only these characters are read from the widget."""
        if self._loading or self.isReadOnly():
            return
        end = min(position + removed, self._map.units)
        last = min(position + added, self.document().characterCount() - 1)
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        typed = cursor.selectedText().replace("\u2029", "\n").replace("\u2028", "\n")
        before = self._map.shown_units(position, end)
        same_start, same_end, new = typed_change(before, typed.encode("utf-16-le", "surrogatepass"))
        start, stop = self._map.code_points(position + same_start, end - same_end)
        inserted = new.decode("utf-16-le", "surrogatepass")
        if start == stop and not inserted:
            return
        head, tail = self._map.text[:start], inserted + self._map.text[stop:]
        if head.endswith("\r") and tail.startswith("\n"):  # line ends that came side by side are not one
            bare = head.rstrip("\r")
            head = bare + "\n" * (len(head) - len(bare))
        self._map = Utf16Map(head + tail, reveal=False)
        self._marks = moved(self._marks, start, stop, start + len(inserted))
        self._touched = True

    @Slot()
    def _tell_edit(self) -> None:
        """Now the widget has laid its text out again, so that places on the screen hold."""
        if self._touched:
            self._touched = False
            self._draw_marks()
            self.edited.emit(self._map.text)

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's name
        """Copy the words themselves, not the signs shown for them."""
        cursor = self.textCursor()
        start, end = self._map.code_points(cursor.selectionStart(), cursor.selectionEnd())
        data = QMimeData()
        data.setText(self._map.text[start:end].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        return data

    def event(self, event: QEvent) -> bool:
        """Leave undo to the window once there is nothing left to undo in here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable()
            redo = event.matches(QKeySequence.StandardKey.Redo) and not self.document().isRedoAvailable()
            if undo or redo or (self.isReadOnly() and event.matches(QKeySequence.StandardKey.Undo)):
                event.ignore()
                return False
        return super().event(event)
