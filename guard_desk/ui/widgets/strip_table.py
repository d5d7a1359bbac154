"""The strips of the rule board as numbers: the same facts for keyboard and screen reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from guard_desk.measure.strips import STRIP_RULES, Strip
from guard_desk.ui.models.table import RIGHT, Column, RowsModel
from guard_desk.ui.numbers import share, signed
from guard_desk.ui.theme import GRID, Colors, Theme
from guard_desk.ui.widgets.rows_table import RowsTable

_TABS = ("Injection", "Contradiction", "Relevance", "Evidence")
_DECIDED = ("injection", "contradiction", "relevance", "evidence")


class StripTable(QWidget):
    """One strip at a time; the tabs are in the order of the route. A row is a position in the pool."""

    chosen = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ids: Sequence[str] = ()
        self._strips: tuple[Strip, ...] = ()
        self.tabs = QTabBar(self)
        self.tabs.setObjectName("rule_board_table_tabs")
        self.tabs.setAccessibleName("Rule")
        self.tabs.setExpanding(True)
        self.tabs.setDrawBase(False)
        for title in _TABS:
            self.tabs.addTab(title)
        self.model = RowsModel(self._columns(), lambda at: self._ids[at], self)
        self.table = RowsTable(self.model, self)
        self.table.setObjectName("rule_board_table")
        self.table.setAccessibleName("Answers of the chosen rule")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.tabs)
        layout.addWidget(self.table, 1)
        self.tabs.currentChanged.connect(self._turn)
        self.table.chosen.connect(self.chosen)
        self.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)

    def _columns(self) -> tuple[Column, ...]:
        return (
            Column(title="id", text=lambda at: self._ids[at], stretch=True, chars=8),
            Column(title="answer", text=self._value, keys=lambda _: self.strip.values, align=RIGHT, chars=5),
            Column(title="margin", text=self._margin, keys=self._margins, align=RIGHT, chars=5, header_tip="answer − threshold"),
            Column(title="side", text=self._side, chars=4, header_tip="of the threshold"),
            Column(title="decided by", text=self._decided, color=self._color, tip=self._decided_tip, chars=12),
        )

    @property
    def strip(self) -> Strip:
        """The strip shown."""
        return self._strips[self.tabs.currentIndex()]

    def set_theme(self, theme: Theme) -> None:
        """Take colours and fonts."""
        self.tabs.setFont(theme.font(-1))
        self.table.set_theme(theme)

    def show_strips(self, ids: Sequence[str], strips: tuple[Strip, ...]) -> None:
        """Show these strips; the order on the screen stays while thresholds move."""
        same, self._ids, self._strips = ids is self._ids, ids, strips
        if same:
            self.model.refresh(range(len(ids)))
        else:
            self.model.set_rows(range(len(ids)))

    def show_selection(self, ids: Sequence[str], primary: str | None) -> None:
        """Follow the one selection."""
        self.table.show_selection(ids, primary)

    @Slot(int)
    def _turn(self, _index: int) -> None:
        if self._strips:
            self.model.set_rows(range(len(self._ids)))

    # Cells; a row is a position in the pool

    def _value(self, at: int) -> str:
        value = self.strip.values[at]
        return "–" if np.isnan(value) else share(value)

    def _margin(self, at: int) -> str:
        margin = self.strip.values[at] - self.strip.threshold
        return "–" if np.isnan(margin) else signed(margin)

    def _margins(self, _rows: Sequence[Any]) -> npt.NDArray[np.float64]:
        return self.strip.values - self.strip.threshold

    def _side(self, at: int) -> str:
        strip = self.strip
        if np.isnan(strip.values[at]):
            return "–"
        right = strip.values[at] > strip.threshold if strip.rule.above else strip.values[at] >= strip.threshold
        return "right" if right else "left"

    def _decided(self, at: int) -> str:
        if np.isnan(self.strip.values[at]):
            return "? not judged"
        by = next((number for number, strip in enumerate(self._strips) if strip.holds[at]), None)
        if by is None:
            return "no rule"
        return f"{'○ ' if by < self.tabs.currentIndex() else '● ' if by == self.tabs.currentIndex() else ''}{_DECIDED[by]}"

    def _decided_tip(self, at: int) -> str:
        if self.strip.active[at] or np.isnan(self.strip.values[at]):
            return self._decided(at)
        return (
            f"{self._decided(at)}: an earlier rule, so that the {STRIP_RULES[self.tabs.currentIndex()].question} threshold cannot move it"
        )

    def _color(self, at: int, colors: Colors) -> str | None:
        return None if self.strip.active[at] else colors.muted
