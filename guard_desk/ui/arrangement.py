"""How the panes of the window stand: splitters in splitters, with shares that fit a low window too, and the columns of the passages."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QObject, Qt, Slot
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from guard_desk.ui import layout
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import GAP
from guard_desk.ui.widgets.passages_table import PassagesTable

SIZE = (1440, 900)
"""Of the window at the first start."""
LOW = 800
"""Below this height, at text of common size, what stands above the panes is one line, and findings and card get more of the rest."""

_SPLITTERS = {
    "middle": Qt.Orientation.Vertical,
    "top": Qt.Orientation.Horizontal,
    "bottom": Qt.Orientation.Horizontal,
    "main": Qt.Orientation.Vertical,
}
_SIZES = {"middle": (320, 140), "top": (400, 620, 400), "bottom": (720, 700), "main": (466, 284)}
_LOW_MAIN = (436, 314)
_COLUMNS = "passages_columns"


class Arrangement(QObject):
    """Owns the splitters of a window; a person's shares hold until the layout is reset.

    :param panes: passages, centre, ledger, rules, card, answer.
    """

    def __init__(self, window: QMainWindow, preferences: Preferences, panes: Mapping[str, QWidget]) -> None:
        super().__init__(window)
        self._window, self._preferences = window, preferences
        self._low = self._moved = False
        self.splitters = {name: QSplitter(way, window) for name, way in _SPLITTERS.items()}
        for name, splitter in self.splitters.items():
            splitter.setObjectName(f"splitter_{name}")
            splitter.setHandleWidth(GAP)
            splitter.setChildrenCollapsible(False)
        self.main = self.splitters["main"]
        _fill(self.splitters["middle"], panes["centre"], panes["ledger"])
        _fill(self.splitters["top"], panes["passages"], self.splitters["middle"], panes["rules"])
        _fill(self.splitters["bottom"], panes["card"], panes["answer"])
        _fill(self.main, self.splitters["top"], self.splitters["bottom"])
        self.main.splitterMoved.connect(self._main_moved)
        self._passages = next(iter(panes["passages"].findChildren(PassagesTable)))

    def reset(self, *, stored: bool) -> None:
        """Lay the panes out as at the first start, or as they were kept."""
        if not stored:
            self._preferences.forget_layout()
        self._moved = self._preferences.layout("main") is not None
        layout.bring_back(self._window, self.splitters, self._preferences, size=SIZE, sizes=_SIZES)
        self._bring_back_columns()
        self._share()

    def keep(self) -> None:
        """Store how the window stands."""
        columns = QByteArray(self._passages.choice.to_text().encode())
        self._preferences.keep_layout(_COLUMNS, columns)
        layout.keep(self._window, self.splitters, self._preferences)

    def _bring_back_columns(self) -> None:
        stored = self._preferences.layout(_COLUMNS)
        self._passages.reset_columns()
        if stored is not None:
            self._passages.take_columns(stored.data().decode(errors="replace"))

    def set_low(self, low: bool) -> None:
        """Share the height out again when a window becomes low, or high again."""
        if low != self._low:
            self._low = low
            self._share()

    def _share(self) -> None:
        if not self._moved:
            self.main.setSizes(list(_LOW_MAIN if self._low else _SIZES["main"]))

    @Slot()
    def _main_moved(self) -> None:
        self._moved = True


def _fill(splitter: QSplitter, *widgets: QWidget) -> None:
    for widget in widgets:
        splitter.addWidget(widget)
