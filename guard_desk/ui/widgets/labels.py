"""Small labels that say a state by a mark, a word and a colour. Plain text only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from guard_desk.ui.theme import GRID, Colors


class Badge(QLabel):
    """A mark and a word in a frame of their colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def say(self, mark: str, word: str, color: str, fill: str = "transparent") -> None:
        """Show mark and word.

        :param color: #rrggbb of text and frame; `fill`: behind them.
        """
        self.setText(f"{mark} {word}".strip())
        self.setAccessibleName(word)
        self.setStyleSheet(
            f"QLabel {{ color: {color}; background: {fill}; border: 1px solid {color}; border-radius: {2 * GRID}px;"
            f" padding: 0 {2 * GRID}px; font-weight: 600; }}"
        )


def tinted(label: QLabel, color: str) -> None:
    """Give a label's text a colour."""
    palette = label.palette()
    palette.setColor(QPalette.ColorRole.WindowText, color)
    label.setPalette(palette)


def banner_sheet(colors: Colors) -> str:
    """The look of a line that warns."""
    return (
        f"QLabel {{ background: {colors.conflict_fill}; color: {colors.text}; border-left: 3px solid {colors.conflict};"
        f" padding: {GRID}px {2 * GRID}px; }}"
    )


def note_sheet(colors: Colors) -> str:
    """The look of a line that says how things are, without a warning."""
    return (
        f"QLabel {{ background: {colors.raised}; color: {colors.text}; border-left: 3px solid {colors.edge};"
        f" padding: {GRID}px {2 * GRID}px; }}"
    )
