"""The card beside marked words of the answer: what was found, how sure that is, and the passages with source and date."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from guard_desk.measure.answer_cards import AnswerCard, Place, plain_card
from guard_desk.ui.theme import GAP, GRID, PAD, Colors, Theme
from guard_desk.ui.widgets.card_place import place_beside
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.labels import tinted
from guard_desk.ui.widgets.text_map import Utf16Map

WIDTH, WIDE_WIDTH = 100 * GRID, 150 * GRID
LINGER_MS = 350
"""How long the card stays after the pointer has left words and card: time to reach it."""

MOST_CARDS = 3
_MOST_WORDS = 160


class AnswerCardView(QFrame):
    """A frame over the window, not a window of its own: it cannot lose the focus to the desktop, and is drawn wherever the window is.

    A click (or Enter) on a passage chooses it; Esc closes.
    """

    place_chosen = Signal(str, int)
    """passage id, start of the finding or claim in the answer"""
    closed = Signal(bool)
    """whether it had the focus"""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("answer_card")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._theme: Theme | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(PAD, GAP, PAD, PAD)
        self._column.setSpacing(GAP)
        self._body: QWidget | None = None
        self._places: list[PlaceView] = []
        self._linger = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._linger.timeout.connect(self.dismiss)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme = theme
        c = theme.colors
        self.setStyleSheet(
            f"QFrame#answer_card {{ background: {c.raised}; border: 1px solid {c.edge}; border-radius: {GRID}px; }}"
            f" QFrame#answer_place {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: {GRID}px; }}"
            f" QFrame#answer_place:hover, QFrame#answer_place:focus {{ border: 1px solid {c.accent}; }}"
        )
        self.dismiss()

    def places(self) -> tuple[PlaceView, ...]:
        """The passages on the card, in order."""
        return tuple(self._places)

    def show_cards(self, cards: Sequence[AnswerCard], words: QRect, *, keep: Sequence[QRect] = (), focus: bool = False) -> None:
        """Show cards beside words.

        :param words: where these stand, in global coordinates.
        :param keep: what else should stay in sight, what matters most first.
        :param focus: the keyboard asked: the first passage takes the focus.
        """
        if self._theme is None or not cards:
            return
        self._linger.stop()
        self._fill(cards[:MOST_CARDS], self._theme)
        self.setAccessibleName("What was found here")
        self.setAccessibleDescription(plain_card(cards))
        self._place_beside(words, wide=any(card.side_by_side for card in cards), keep=keep)
        self.show()
        self.raise_()
        if focus:
            (self._places[0] if self._places else self).setFocus(Qt.FocusReason.PopupFocusReason)

    def _fill(self, cards: Sequence[AnswerCard], theme: Theme) -> None:
        if self._body is not None:
            self._column.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
        self._places = []
        self._body = QWidget(self)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        for at, card in enumerate(cards):
            if at:
                column.addWidget(_rule(theme.colors, self._body))
            self._add_card(column, card, theme, self._body)
        self._column.addWidget(self._body)
        if self.isVisible():
            # Else the card is measured before its new words count.
            self._body.show()

    def _add_card(self, column: QVBoxLayout, card: AnswerCard, theme: Theme, parent: QWidget) -> None:
        head = QWidget(parent)
        row = QHBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(PAD)
        row.addWidget(_label(card.headline, theme, parent, bold=True))
        row.addStretch(1)
        row.addWidget(_label(card.sure, theme, parent, color=theme.colors.muted))
        column.addWidget(head)
        if card.weight:
            column.addWidget(_label(card.weight, theme, parent, step=-1, color=theme.colors.muted))
        column.addWidget(_label(f"“{_short(card.words)}”", theme, parent, wrap=True, color=theme.colors.muted))
        for words in (card.note, card.doubt):
            if words:
                column.addWidget(_label(_visible(words), theme, parent, wrap=True))
        places = [PlaceView(place, theme, parent) for place in card.places]
        sides = QHBoxLayout() if card.side_by_side else QVBoxLayout()
        sides.setSpacing(GAP if card.side_by_side else GRID)
        column.addLayout(sides)
        for at, place in enumerate(places):
            place.start = card.start
            place.chosen.connect(self._choose)
            (sides if at < 2 or not card.side_by_side else column).addWidget(place, 1)
        self._places += places
        if card.more:
            column.addWidget(
                _label(f"and {card.more} more: the decision card shows them", theme, parent, step=-1, color=theme.colors.muted)
            )

    def _place_beside(self, words: QRect, *, wide: bool, keep: Sequence[QRect]) -> None:
        window = self.parentWidget()
        room = window.rect().adjusted(GAP, GAP, -GAP, -GAP)
        scale = self._theme.scale if self._theme is not None else 1.0
        width = min(round((WIDE_WIDTH if wide else WIDTH) * scale), room.width())
        self._column.activate()
        self.resize(width, min(self._column.totalHeightForWidth(width), room.height()))
        # Its size is asked again: its labels may not go as small as they say.
        self.move(place_beside(self.size(), _in(window, words), room, [_in(window, box) for box in keep]))

    # Staying and going

    def leave_soon(self) -> None:
        """The pointer has left the words: go, unless it comes to the card."""
        if self.isVisible() and not self._has_focus():
            self._linger.start()

    def stay(self) -> None:
        """The pointer is back."""
        self._linger.stop()

    @Slot()
    def dismiss(self) -> None:
        """Close."""
        self._linger.stop()
        if self.isVisible():
            had_focus = self._has_focus()
            self.hide()
            self.closed.emit(had_focus)

    def _has_focus(self) -> bool:
        return self.hasFocus() or any(place.hasFocus() for place in self._places)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Stay while the pointer is on the card."""
        super().enterEvent(event)
        self.stay()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Go soon."""
        super().leaveEvent(event)
        self.leave_soon()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return
        super().keyPressEvent(event)

    @Slot(str, int)
    def _choose(self, passage_id: str, start: int) -> None:
        self.dismiss()
        self.place_chosen.emit(passage_id, start)


class PlaceView(QFrame):
    """One passage on the card: what it does, where it comes from, its words. All of it is one button."""

    chosen = Signal(str, int)

    def __init__(self, place: Place, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("answer_place")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.place, self.start = place, 0
        self.setAccessibleName(f"Go to {place.passage_id}: {place.role}")
        self.setAccessibleDescription(f"{place.source} {place.dated}. {place.before}{place.words}{place.after}")
        column = QVBoxLayout(self)
        column.setContentsMargins(GAP, GRID, GAP, GRID)
        column.setSpacing(0)
        self.head = ElidedLabel(parent=self, mode=Qt.TextElideMode.ElideMiddle)
        self.head.setFont(theme.font(0, bold=True))
        self.head.say(place.passage_id, after=f"  {place.role}" if place.role else "")
        self.origin = ElidedLabel(parent=self, mode=Qt.TextElideMode.ElideMiddle)
        self.origin.setFont(theme.font(-1))
        tinted(self.origin, theme.colors.muted)
        self.origin.say(place.source, after=f" · {place.dated}" if place.dated else "")
        self.words = QLabel(self)
        self.words.setFont(theme.font(0))
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.RichText)  # made here alone: all that comes from the passage is escaped
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.words.setText(_marked(place, theme.colors))
        for widget in (self.head, self.origin):
            column.addWidget(widget)
        column.addWidget(self.words, 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose it."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            event.accept()
            self.chosen.emit(self.place.passage_id, self.start)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter and Space choose it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.place.passage_id, self.start)
            return
        super().keyPressEvent(event)


def _in(window: QWidget, box: QRect) -> QRect:
    return QRect(window.mapFromGlobal(box.topLeft()), box.size())


def _marked(place: Place, colors: Colors) -> str:
    """The words with their surroundings; what is invisible is shown as a sign, nothing is taken for markup."""
    before, words, after = (html.escape(_visible(part)) for part in (place.before, _short(place.words), place.after))
    strong = f'<span style="background-color: {colors.evidence_fill}; font-weight: 600;">{words}</span>'
    return f"<qt>{before}{strong if words else ''}{after}</qt>"


def _visible(text: str) -> str:
    shown = Utf16Map(" ".join(text.split()) if text.strip() else text).shown
    lead = " " if text[:1].isspace() else ""
    return lead + shown + (" " if text[-1:].isspace() and text.strip() else "")


def _short(text: str) -> str:
    return _visible(text) if len(text) <= _MOST_WORDS else f"{_visible(text[: _MOST_WORDS - 1])}…"


def _label(
    words: str, theme: Theme, parent: QWidget, *, step: int = 0, bold: bool = False, wrap: bool = False, color: str | None = None
) -> QLabel:
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(theme.font(step, bold=bold))
    label.setWordWrap(wrap)
    tinted(label, color or theme.colors.text)
    return label


def _rule(colors: Colors, parent: QWidget) -> QFrame:
    line = QFrame(parent)
    line.setFixedHeight(1)
    line.setStyleSheet(f"background: {colors.line};")
    return line
