"""A bar over a panel that says what is not right and offers the one thing that mends it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.elided import ElidedLabel


class InfoBar(QFrame):
    """Gone while there is nothing to say. In a low window it is one short line with the whole in its tooltip.

    :param action: the button's text; `brief`: the same in a word or two, for the short line.
    """

    asked = Signal()
    """The button was pressed."""

    def __init__(self, name: str, action: str, brief: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._actions = (action, brief)
        self._sign, self.text, self._line = QLabel("⚠", self), QLabel(self), ElidedLabel(parent=self)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.text.setSizePolicy(policy)
        self.button = QPushButton(action, self)
        self.button.setObjectName(f"{name}_button")
        self.button.setAccessibleName(action.replace("&", ""))
        self.button.clicked.connect(self.asked)
        top = QHBoxLayout()
        top.setSpacing(GAP)
        top.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.text, 1)
        top.addWidget(self._line, 1)
        self._top = top
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(GAP, GRID, GAP, GRID)
        self._column.setSpacing(GRID)
        self._column.addLayout(top)
        self._column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self._low = False
        self._line.hide()
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take colours and fonts."""
        colors = theme.colors
        self.setStyleSheet(
            f"QFrame#{self.objectName()} {{ background: {colors.conflict_fill}; border-left: 3px solid {colors.conflict}; }}"
            f" QLabel {{ color: {colors.text}; background: transparent; }} QPushButton {{ min-height: {5 * GRID}px; padding: 0 {GAP}px; }}"
        )
        for widget in (self._sign, self.text, self._line, self.button):
            widget.setFont(theme.font(-1))

    def say(self, words: str, short: str = "", *, offer: bool = True) -> None:
        """Show a sentence; "" hides the bar.

        :param short: the same in a few words.
        :param offer: whether the button mends it.
        """
        self.button.setVisible(offer)
        if words != self.text.text():
            self.text.setText(words)
            self._line.say(short or words, words)
            self.button.setToolTip(plain_tip(f"{self._actions[0].replace('&', '')}\n{words}"))
            self.setAccessibleName(words)
        self.setVisible(bool(words))

    def is_low(self) -> bool:
        """Whether it is one short line."""
        return self._low

    def set_low(self, low: bool) -> None:
        """Be one short line, the button beside it."""
        if low == self._low:
            return
        self._low = low
        self.button.setText(self._actions[low])
        self._top.setSpacing(GRID if low else GAP)
        self._column.setContentsMargins(GRID if low else GAP, 0 if low else GRID, 0 if low else GAP, 0 if low else GRID)
        self.text.setVisible(not low)
        self._line.setVisible(low)
        self._top.setAlignment(self._sign, Qt.AlignmentFlag.AlignVCenter if low else Qt.AlignmentFlag.AlignTop)
        if low:
            self._top.addWidget(self.button)
        else:
            self._top.removeWidget(self.button)
            self._column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
