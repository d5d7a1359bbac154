"""A framed pane with a title, around one panel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from guard_desk.ui.theme import GAP, GRID, PAD, Theme


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
        self._title.setContentsMargins(PAD, GAP, PAD, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(GRID)
        layout.addWidget(self._title)
        layout.addWidget(content, 1)
        self.setAccessibleName(title or content.accessibleName())

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's font."""
        self._title.setFont(theme.font(-1, bold=True))

    def take_focus(self) -> None:
        """Put the focus on the first thing inside that takes it."""
        inside = [self.content, *self.content.findChildren(QWidget)]
        for widget in inside:
            if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return
