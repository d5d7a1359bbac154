"""How the panes of the window stand: splitters in splitters, with shares that fit a low window too, and the columns of the passages."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QObject, Qt, Slot
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from guard_desk.ui import layout
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import GAP, GRID
from guard_desk.ui.view import View
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
_FLAT = 11 * GRID
"""Height of a pane of which only the line of its title is seen."""
_COLUMNS = "passages_columns"


class Arrangement(QObject):
    """Owns the splitters of a window; a person's shares hold until the layout is reset.

    :param panes: passages, centre, ledger, rules, card, answer.
    """

    def __init__(self, window: QMainWindow, preferences: Preferences, panes: Mapping[str, QWidget]) -> None:
        super().__init__(window)
        self._window, self._preferences = window, preferences
        self._low = self._flat = False
        self._by_hand: set[str] = set()
        self._run: object = None
        self.splitters = {name: QSplitter(way, window) for name, way in _SPLITTERS.items()}
        for name, splitter in self.splitters.items():
            splitter.setObjectName(f"splitter_{name}")
            splitter.setHandleWidth(GAP)
            splitter.setChildrenCollapsible(False)
            splitter.splitterMoved.connect(self._moved)
        panes["ledger"].setMinimumHeight(_FLAT)
        self.main = self.splitters["main"]
        _fill(self.splitters["middle"], panes["centre"], panes["ledger"])
        _fill(self.splitters["top"], panes["passages"], self.splitters["middle"], panes["rules"])
        _fill(self.splitters["bottom"], panes["card"], panes["answer"])
        _fill(self.main, self.splitters["top"], self.splitters["bottom"])
        self._passages = next(iter(panes["passages"].findChildren(PassagesTable)))

    def reset(self, *, stored: bool) -> None:
        """Lay the panes out as at the first start, or as they were kept."""
        if not stored:
            self._preferences.forget_layout()
        self._by_hand = {name for name in self.splitters if self._preferences.layout(name) is not None}
        layout.bring_back(self._window, self.splitters, self._preferences, size=SIZE, sizes=_SIZES)
        self._bring_back_columns()
        self._share()

    def keep(self) -> None:
        """Store how the window stands; shares that nobody chose are left to the next start."""
        columns = QByteArray(self._passages.choice.to_text().encode())
        self._preferences.keep_layout(_COLUMNS, columns)
        layout.keep(self._window, {name: self.splitters[name] for name in self._by_hand}, self._preferences)

    def _bring_back_columns(self) -> None:
        stored = self._preferences.layout(_COLUMNS)
        self._passages.reset_columns()
        if stored is not None:
            self._passages.take_columns(bytes(stored.data()).decode(errors="replace"))

    def set_low(self, low: bool) -> None:
        """Share the height out again when a window becomes low, or high again."""
        if low != self._low:
            self._low = low
            self._share()

    def show_changes(self, view: View) -> None:
        """A ledger without changes is one line; once a run has had some, it stays open, so that nothing jumps while a slider moves."""
        run = view.trace.judged if view.trace is not None else None
        changes = view.ledger is not None and bool(view.ledger.changes)
        flat = run is not None and not changes and (self._flat or run is not self._run)
        self._run = run
        if flat != self._flat:
            self._flat = flat
            self._share()

    def _share(self) -> None:
        if "main" not in self._by_hand:
            self.main.setSizes(list(_LOW_MAIN if self._low else _SIZES["main"]))
        if "middle" not in self._by_hand:
            middle = self.splitters["middle"]
            middle.setStretchFactor(0, int(self._flat))
            middle.setSizes([sum(middle.sizes()) - _FLAT, _FLAT] if self._flat else list(_SIZES["middle"]))

    @Slot()
    def _moved(self) -> None:
        self._by_hand |= {name for name, splitter in self.splitters.items() if splitter is self.sender()}


def _fill(splitter: QSplitter, *widgets: QWidget) -> None:
    for widget in widgets:
        splitter.addWidget(widget)
