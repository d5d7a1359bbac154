"""How the window stands: its size and the shares of its panes, kept between starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QMainWindow, QSplitter

from guard_desk.ui.preferences import Preferences

Splitters = Mapping[str, QSplitter]


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
        window.resize(*size)
    for name, shares in sizes.items():
        state = preferences.layout(name)
        if state is None or not splitters[name].restoreState(state):
            splitters[name].setSizes(list(shares))
