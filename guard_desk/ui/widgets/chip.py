"""A word in a small frame: a state that a view is in."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GRID, Theme


class Chip(QLabel):
    """A short word; the word itself says what the colour says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
        self.hide()

    def say(self, text: str, theme: Theme, *, color: str, fill: str = "", tip: str = "") -> None:
        """Show a word in a colour; "" hides the chip."""
        self.setText(text)
        self.setVisible(bool(text))
        self.setFont(theme.font(-1, bold=True))
        self.setStyleSheet(
            f"QLabel {{ color: {color}; background: {fill or 'transparent'}; border: 1px solid {color};"
            f" border-radius: {GRID}px; padding: 0 {GRID}px; }}"
        )
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName(text)
