"""A framed pane with a title, around one panel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from guard_desk.ui.panels.base import Panel
from guard_desk.ui.theme import GRID, PAD, Theme

_TITLE_HEIGHT = 9 * GRID


class Pane(QFrame):
    """Frame and title of one place in the window.

    :param title: "" for content that names itself (tabs).
    """

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.content = content
        self._title = QLabel(title, self)
        self._title.setObjectName("panel_title")
        self._title.setVisible(bool(title))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        if title:
            layout.addWidget(self._title_row(content))
        layout.addWidget(content, 1)
        self.setAccessibleName(title or content.accessibleName())

    def _title_row(self, content: QWidget) -> QWidget:
        """The title, and beside it what the panel says in one line; all panes have it at the same height."""
        head = QWidget(self)
        head.setMinimumHeight(_TITLE_HEIGHT)
        row = QHBoxLayout(head)
        row.setContentsMargins(PAD, GRID, PAD, 0)
        row.setSpacing(PAD)
        row.addWidget(self._title)
        row.addStretch(1)
        beside = content.title_row if isinstance(content, Panel) else None
        if beside is not None:
            row.addWidget(beside, 1000)
        return head

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's font."""
        self._title.setFont(theme.font(-1, bold=True))

    def take_focus(self) -> bool:
        """Put the focus on the first thing inside that takes it. :returns: False when nothing does, as in an empty pane."""
        inside = [self.content, *self.content.findChildren(QWidget)]
        for widget in inside:
            if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return True
        return False
