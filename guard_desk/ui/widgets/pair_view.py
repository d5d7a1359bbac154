"""Two passages beside each other: where their words differ, and which difference keeps them apart."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from guard_desk.measure.near_pairs import Pair
from guard_desk.records.corpus import Passage, Span
from guard_desk.text.word_diff import Piece, differences
from guard_desk.ui.theme import GRID, Colors, Theme
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.marks import Mark, MarkStyle
from guard_desk.ui.widgets.span_text import SpanText


class PairView(QSplitter):
    """Representative and member, or the two passages of a refusal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setChildrenCollapsible(False)
        self.left, self.right = _Side("First passage", self), _Side("Second passage", self)
        self.addWidget(self.left)
        self.addWidget(self.right)
        self._theme: Theme | None = None
        self._shown: tuple[Passage, Passage, Pair] | None = None

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        self.left.set_theme(theme)
        self.right.set_theme(theme)
        if self._shown is not None:
            shown, self._shown = self._shown, None
            self.show_pair(*shown)

    def show_pair(self, left: Passage, right: Passage, pair: Pair) -> None:
        """Show two passages; the same again costs nothing."""
        if self._theme is None or (left, right, pair) == self._shown:
            return
        self._shown = (left, right, pair)
        pieces = differences(left.text, right.text)
        first, second = pair.guarded()
        self.left.show_passage(left, tuple(_marks(pieces, "left", first, pair, self._theme.colors)))
        self.right.show_passage(right, tuple(_marks(pieces, "right", second, pair, self._theme.colors)))

    def say_places(self, left: str, right: str) -> None:
        """Say where both ended."""
        self.left.say_place(left)
        self.right.say_place(right)


class _Side(QWidget):
    """One passage: who it is, where it ended, its words."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = ElidedLabel(parent=self, mode=Qt.TextElideMode.ElideMiddle)
        self.origin = ElidedLabel(parent=self, mode=Qt.TextElideMode.ElideMiddle)
        self._place = ""
        self._source = ""
        self.origin.setObjectName("muted")
        self.text = SpanText(self)
        self.text.setAccessibleName(name)
        self.text.setMinimumHeight(10 * GRID)
        self.setMinimumWidth(28 * GRID)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        for widget in (self.name, self.origin):
            column.addWidget(widget)
        column.addWidget(self.text, 1)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self.name.setFont(theme.font(0, bold=True))
        self.origin.setFont(theme.font(-1))
        self.text.set_theme(theme)
        self.text.setStyleSheet(f"QPlainTextEdit {{ border: 1px solid {theme.colors.line}; border-radius: {GRID}px; }}")

    def show_passage(self, passage: Passage, marks: tuple[Mark, ...]) -> None:
        """Show a passage with its marks."""
        self.name.say(" · ".join(filter(None, (passage.id, passage.title))))
        parts = (passage.source, passage.source_type, passage.date, passage.version and f"version {passage.version}", passage.scope)
        self._source = " · ".join(filter(None, parts)) or "no source"
        self._say()
        self.text.set_text(passage.text)
        self.text.set_marks(marks)

    def say_place(self, words: str) -> None:
        """Say where the passage ended."""
        self._place = words
        self._say()

    def _say(self) -> None:
        self.origin.say(" · ".join(filter(None, (self._place, self._source))))


def _marks(pieces: tuple[Piece, ...], side: str, guarded: Span | None, pair: Pair, colors: Colors) -> Iterator[Mark]:
    """Words that differ are underlined; the difference that a guard refused for is boxed."""
    differs = MarkStyle(color=colors.doubtful, fill=colors.doubtful_fill, underline="SingleUnderline")
    for piece in pieces:
        span: Span = getattr(piece, side)
        yield Mark(start=span.start, end=span.end, style=differs, tip="differs", active=False)
    if guarded is not None:
        boxed = MarkStyle(color=colors.hostile, fill=colors.conflict_fill, box=True)
        yield Mark(start=guarded.start, end=guarded.end, style=boxed, tip=pair.headline, active=True)
