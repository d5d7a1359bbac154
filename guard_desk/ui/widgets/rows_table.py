"""The table view of all panels: whole rows, sortable, follows the one selection and says what a person chose."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QRect, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from guard_desk.ui.models.table import RowsModel
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.cells import CellDelegate

# Above this many separate stretches of lines Qt's own selection gets slow; the rest is told by the status line.
_MOST_RANGES = 500

_SAMPLE = "no evidence, page 12"
"""Common letters: Qt's average width is that of all letters of the font, which is too wide."""


class RowsTable(QTableView):
    """A `RowsModel` as people see it. `chosen` comes only from a person, never from `show_selection`."""

    chosen = Signal(object, object)
    """ids (tuple of str, in the table's order), primary (str or None)"""

    def __init__(self, model: RowsModel, parent: QWidget | None = None, *, multiple: bool = True) -> None:
        super().__init__(parent)
        self.rows_model = model
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        mode = QAbstractItemView.SelectionMode
        self.setSelectionMode(mode.ExtendedSelection if multiple else mode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)  # Tab leaves the table
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(6 * GRID)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self._widths: list[int] = []
        self._ids: tuple[str, ...] = ()
        self._primary: str | None = None
        self._showing = False
        self.setItemDelegate(CellDelegate(self))
        self.selectionModel().selectionChanged.connect(self._told)
        self.selectionModel().currentChanged.connect(self._moved)
        model.modelReset.connect(self._again)

    def set_theme(self, theme: Theme) -> None:
        """Take fonts and the widths that follow from them."""
        self.setFont(theme.font(0))
        self.horizontalHeader().setFont(theme.font(-1, bold=True))
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + GAP)
        self._widths = self._widths_at_start()
        for at, width in enumerate(self._widths):
            self.setColumnWidth(at, width)
        self._stretch()
        self.rows_model.set_theme(theme)

    def _widths_at_start(self) -> list[int]:
        letter, header = self.fontMetrics().horizontalAdvance(_SAMPLE) / len(_SAMPLE), self.horizontalHeader().fontMetrics()
        titles = [header.horizontalAdvance(column.title) + GRID for column in self.rows_model.columns]  # and the arrow of the sort order
        return [max(round(column.chars * letter), title) + 2 * GAP for column, title in zip(self.rows_model.columns, titles, strict=True)]

    def _spare(self) -> None:
        """Hide the columns that can be spared, as many as there is no room for, but never the one that rows are sorted by."""
        columns, sorted_by = self.rows_model.columns, self.horizontalHeader().sortIndicatorSection()
        spared = sorted((at for at, column in enumerate(columns) if column.spare), key=lambda at: -columns[at].spare)
        over = sum(self._widths) - self.viewport().width() if spared and self._widths else 0
        for at in spared:
            goes = over > 0 and at != sorted_by
            self.setColumnHidden(at, goes)
            over -= self._widths[at] if goes else 0

    def _stretch(self) -> None:
        """Give the room that is left to the columns that take it, but never less than they need."""
        self._spare()
        columns = [at for at, column in enumerate(self.rows_model.columns) if column.stretch]
        others = sum(self.columnWidth(at) for at in range(len(self.rows_model.columns)) if at not in columns)
        for at in columns if self._widths else ():
            self.setColumnWidth(at, max(self._widths[at], (self.viewport().width() - others) // len(columns)))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fill the width."""
        super().resizeEvent(event)
        self._stretch()

    def show_selection(self, ids: Sequence[str], primary: str | None) -> None:
        """Mark the chosen rows and bring the primary one into sight, without telling anyone."""
        if (tuple(ids), primary) == (self._ids, self._primary):
            return
        self._ids, self._primary = tuple(ids), primary
        self._again()

    def places_of(self, ids: Sequence[str]) -> list[QRect]:
        """Where the rows of these ids stand that are in sight, in global coordinates."""
        lines = [line for identity in ids if (line := self.rows_model.line_of(identity)) is not None]
        if not self.isVisible():
            return []
        view = self.viewport()
        rows = (QRect(0, self.rowViewportPosition(line), view.width(), self.rowHeight(line)) for line in lines)
        return [QRect(view.mapToGlobal(row.topLeft()), row.size()) for row in rows if view.rect().intersects(row)]

    @Slot()
    def _again(self) -> None:
        """Mark what is chosen: after a reset Qt has forgotten it."""
        self._showing = True
        try:
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().select(self._selection(), flags.ClearAndSelect | flags.Rows)
            line = self.rows_model.line_of(self._primary) if self._primary is not None else None
            if line is not None:
                index = self.rows_model.index(line, max(0, self.currentIndex().column()))
                self.selectionModel().setCurrentIndex(index, flags.NoUpdate)
                self.scrollTo(index)
        finally:
            self._showing = False

    def _selection(self) -> QItemSelection:
        model, selection = self.rows_model, QItemSelection()
        lines = sorted(line for identity in self._ids if (line := model.line_of(identity)) is not None)
        last = len(model.columns) - 1
        starts = [line for at, line in enumerate(lines) if at == 0 or lines[at - 1] != line - 1]
        ends = [line for at, line in enumerate(lines) if at == len(lines) - 1 or lines[at + 1] != line + 1]
        for start, end in zip(starts[:_MOST_RANGES], ends[:_MOST_RANGES], strict=True):
            selection.select(model.index(start, 0), model.index(end, last))
        return selection

    @Slot(QItemSelection, QItemSelection)
    def _told(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        """Qt moves the current cell before or after the selection, so the newest of the two says which row is meant."""
        current = self.currentIndex()
        if current.isValid() and self.selectionModel().isRowSelected(current.row()):
            self._tell(current.row())
        else:
            self._tell(selected.first().top() if not selected.isEmpty() else None)

    @Slot(QModelIndex, QModelIndex)
    def _moved(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid() and self.selectionModel().isRowSelected(current.row()):
            self._tell(current.row())

    def _tell(self, line: int | None) -> None:
        if self._showing:
            return
        lines = sorted({line for at in self.selectionModel().selection().toList() for line in range(at.top(), at.bottom() + 1)})
        ids = tuple(self.rows_model.id_at(line) for line in lines)
        main = line if line is not None else (lines[0] if lines else None)
        primary = self.rows_model.id_at(main) if main is not None else None
        if (ids, primary) != (self._ids, self._primary):
            self._ids, self._primary = ids, primary
            self.chosen.emit(ids, primary)
