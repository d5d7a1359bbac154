"""The frame of a dialog that chooses one of several kinds: the list of kinds, what the chosen one needs beside it, the buttons below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
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


def say(label: QLabel, text: str, color: str) -> None:
    """Show what came of a request, in a colour; an empty text hides the label."""
    label.setText(text)
    label.setVisible(bool(text))
    if color:
        tinted(label, color)
