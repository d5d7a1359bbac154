"""A text with marks exactly on their words, to read or to edit. Plain text only: nothing in it is a link or a markup."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QToolTip, QWidget

from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GRID
from guard_desk.ui.widgets.marked_text import MarkedText
from guard_desk.ui.widgets.marks import Mark, marks_at, moved
from guard_desk.ui.widgets.text_map import Utf16Map, typed_change

_OPEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class SpanText(MarkedText):
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
        self._hovered: int | None = None
        self._touched = False
        self.has_cards = False
        """Whoever shows cards of its own sets it; then marks that can be chosen have no tooltip."""
        self.document().contentsChange.connect(self._changed)
        self.textChanged.connect(self._tell_edit)

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
