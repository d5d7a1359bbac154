"""The frame of a dialog that chooses one of several kinds: the list of kinds, what the chosen one needs beside it, the buttons below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QListWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from guard_desk.ui.theme import GAP, GRID, PAD
from guard_desk.ui.widgets.labels import tinted


def inside_column() -> tuple[QWidget, QVBoxLayout]:
    """The widget that scrolls beside the list, and the column of what stands in it."""
    inside = QWidget()
    column = QVBoxLayout(inside)
    column.setContentsMargins(PAD, 0, PAD, 0)
    column.setSpacing(GAP)
    return inside, column


def frame_kinds(dialog: QDialog, kinds: QListWidget, inside: QWidget, widest: int, use: str) -> tuple[QDialogButtonBox, QPushButton]:
    """Lay a dialog out.

    :param inside: what the chosen kind needs; it scrolls.
    :param widest: least width of its widest form, so that nothing scrolls sideways.
    :param use: words of the button that takes the choice.
    :returns: the buttons, and that one of them.
    """
    scroll = QScrollArea(dialog)
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(inside)
    scroll.setMinimumWidth(widest + 4 * PAD)
    scroll.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    kinds.setFixedWidth(kinds.sizeHintForColumn(0) + 2 * PAD)
    kinds.setSpacing(GRID // 2)
    row = QHBoxLayout()
    row.setSpacing(GAP)
    row.addWidget(kinds)
    row.addWidget(scroll, 1)
    return _buttons(dialog, row, use)


def _buttons(dialog: QDialog, above: QLayout, use: str) -> tuple[QDialogButtonBox, QPushButton]:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, dialog)
    take = buttons.button(QDialogButtonBox.StandardButton.Ok)
    take.setText(use)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(PAD, PAD, PAD, PAD)
    layout.setSpacing(PAD)
    layout.addLayout(above, 1)
    layout.addWidget(buttons)
    return buttons, take


class Steps(QWidget):
    """What happens, one thing after the other: numbers, and sentences beside them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, GAP, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(GAP)
        self._grid.setColumnStretch(1, 1)
        self._labels: list[tuple[QLabel, QLabel]] = []

    def say(self, steps: Sequence[str]) -> None:
        """Show these steps; without any the list goes."""
        while len(self._labels) < len(steps):
            self._add()
        for at, labels in enumerate(self._labels):
            labels[1].setText(steps[at] if at < len(steps) else "")
            for label in labels:
                label.setVisible(at < len(steps))
        self.setVisible(bool(steps))

    def _add(self) -> None:
        row = len(self._labels)
        number, words = QLabel(f"{row + 1}", self), QLabel(self)
        number.setObjectName("muted")
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        self._grid.addWidget(number, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(words, row, 1)
        self._labels.append((number, words))


def say(label: QLabel, text: str, color: str) -> None:
    """Show what came of a request, in a colour; an empty text hides the label."""
    label.setText(text)
    label.setVisible(bool(text))
    if color:
        tinted(label, color)
