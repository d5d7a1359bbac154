"""A narrow column of knobs beside a view, in sections, that scrolls when room is short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from guard_desk.ui.knob_values import start_value, value_in_force
from guard_desk.ui.theme import GAP, GRID, PAD, Theme
from guard_desk.ui.view import View
from guard_desk.ui.widgets.knob_editor import KnobEditor


class KnobColumn(QScrollArea):
    """Knob editors under titles.

    :param sections: title -> (path, label) pairs; a title or label of "" is left out or made from the path.
    """

    moved = Signal(str, object)
    released = Signal()

    def __init__(self, sections: Mapping[str, Sequence[tuple[str, str]]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(48 * GRID)
        self.setAccessibleName("Knobs of this view")
        self.editors: dict[str, KnobEditor] = {}
        self._titles: list[QLabel] = []
        inside = QWidget(self)
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(GAP, GRID, PAD, GRID)
        self._column.setSpacing(GAP)
        for title, knobs in sections.items():
            self._add_section(title, knobs)
        self._column.addStretch(1)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)

    def _add_section(self, title: str, knobs: Sequence[tuple[str, str]]) -> None:
        if title:
            label = QLabel(title, self)
            label.setObjectName("panel_title")
            self._titles.append(label)
            self._column.addWidget(label)
        for path, name in knobs:
            editor = KnobEditor(path, self, label=name, stacked=True)
            editor.moved.connect(self.moved)
            editor.released.connect(self.released)
            self.editors[path] = editor
            self._column.addWidget(editor)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        for label in self._titles:
            label.setFont(theme.font(-1, bold=True))
        for editor in self.editors.values():
            editor.set_theme(theme)
        numbers = max(editor.editor_width() for editor in self.editors.values())
        for editor in self.editors.values():
            editor.set_widths(editor=numbers)
        inside = self.widget()
        self.setMinimumWidth(max(48 * GRID, inside.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()))

    def show_view(self, view: View) -> None:
        """Show the values in force, without telling anyone."""
        for path, editor in self.editors.items():
            editor.set_start(start_value(view, path))
            editor.show_value(value_in_force(view, path))
