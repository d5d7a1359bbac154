"""How the window stands: its size and the shares of its panes, kept between starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import Theme

Splitters = Mapping[str, QSplitter]

_FRAME = QSize(16, 48)
"""Room for the frame and the title bar; their true sizes are known only after the window is shown."""


def keep(window: QMainWindow, splitters: Splitters, preferences: Preferences) -> None:
    """Store how the window stands."""
    preferences.keep_layout("window", window.saveGeometry())
    for name, splitter in splitters.items():
        preferences.keep_layout(name, splitter.saveState())
    preferences.sync()


def bring_back(
    window: QMainWindow,
    splitters: Splitters,
    preferences: Preferences,
    *,
    size: tuple[int, int],
    sizes: Mapping[str, Sequence[int]],
) -> None:
    """Lay out as it was stored; else as at the first start.

    :param size: of the window at the first start.
    :param sizes: shares of each splitter at the first start.
    """
    geometry = preferences.layout("window")
    if geometry is None or not window.restoreGeometry(geometry):
        window.resize(_fitting(window, QSize(*size)))
    for name, shares in sizes.items():
        state = preferences.layout(name)
        if state is None or not splitters[name].restoreState(state):
            splitters[name].setSizes(list(shares))


def fitting(dialog: QWidget, width: int, height: int, theme: Theme) -> QSize:
    """A size for a dialog that grows with the text, and stays on the screen."""
    size = QSize(round(width * theme.scale), round(height * theme.scale))
    return size.boundedTo(dialog.screen().availableSize() - _FRAME)


def _fitting(window: QMainWindow, size: QSize) -> QSize:
    """No larger than the screen, so that the status bar is in sight."""
    return size.boundedTo(window.screen().availableSize() - _FRAME).expandedTo(window.minimumSize())
