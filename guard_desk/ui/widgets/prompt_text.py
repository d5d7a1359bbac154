"""The prompt as the model sees it: blocks tinted by their place, the chosen one framed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from guard_desk.records.decision import Block, Place
from guard_desk.ui.theme import GRID, Theme
from guard_desk.ui.widgets.marks import Mark, MarkStyle
from guard_desk.ui.widgets.span_text import SpanText


class PromptText(SpanText):
    """Prompt text; `span_clicked` gives the start of a block."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tints: dict[int, tuple[str, str]] = {}
        self._mono = False

    def show_prompt(self, text: str, blocks: Sequence[Block], theme: Theme) -> None:
        """Show a prompt and its blocks."""
        colors = theme.colors
        self._tints = {
            block.span.start: (colors.conflict, colors.conflict_fill)
            if block.place is Place.CONFLICT
            else (colors.evidence, colors.evidence_fill)
            for block in blocks
        }
        bar = self.verticalScrollBar()
        place = bar.value()
        self.set_text(text)
        self.set_marks([_mark(block, self._tints[block.span.start][0]) for block in blocks])
        bar.setValue(place)

    def set_mono(self, mono: bool, theme: Theme) -> None:
        """Letters of one width, or the usual ones."""
        self._mono = mono
        self.setFont(theme.font(0, mono=mono))

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        super().set_theme(theme)
        self.set_mono(self._mono, theme)

    def choose(self, start: int | None, *, scroll: bool = True) -> None:
        """Frame a block and bring all of it into sight."""
        if start == self.chosen():
            return
        mark = next((mark for mark in self.marks() if mark.start == start), None)
        if mark is not None and scroll:
            self._show_place(mark.end)
        super().choose(start, scroll=scroll)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the tints, then the text over them."""
        painter = QPainter(self.viewport())
        for mark in self.marks():
            color, fill = self._tints.get(mark.start, ("", ""))
            for box in self._boxes(mark) if color else ():
                painter.fillRect(box, QColor(fill))
                painter.fillRect(QRectF(box.left(), box.top(), GRID, box.height()), QColor(color))
        painter.end()
        super().paintEvent(event)

    def _boxes(self, mark: Mark) -> Iterator[QRectF]:
        """A block is one box over its whole lines."""
        low, high = self._map.range(mark.start, mark.end)
        first, last = self.document().findBlock(low), self.document().findBlock(max(low, high - 1))
        offset = self.contentOffset()
        top = self.blockBoundingGeometry(first).translated(offset).top()
        bottom = self.blockBoundingGeometry(last).translated(offset).bottom()
        if bottom >= 0 and top <= self.viewport().height():
            yield QRectF(1, top - 2, self.viewport().width() - 2, bottom - top + 3)


def _mark(block: Block, color: str) -> Mark:
    members = f"\npassages behind it: {', '.join(block.member_ids)}" if len(block.member_ids) > 1 else ""
    tip = f"{block.passage_id}: {block.place}, {block.tokens:,} tokens{members}"
    return Mark(start=block.span.start, end=block.span.end, style=MarkStyle(color=color), tip=tip)
