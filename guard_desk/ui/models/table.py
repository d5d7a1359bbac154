"""One model for all tables: rows of any kind, columns described as data. Sorting and filtering are numpy index arrays."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from guard_desk.ui.theme import Colors, Theme

Index = QModelIndex | QPersistentModelIndex

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
CENTRE = int(Qt.AlignmentFlag.AlignCenter)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table; every function takes a row.

    :param text: what the cell shows (plain text).
    :param key: what it sorts by; the text when None. A key of None or NaN stands last in both directions.
    :param keys: the keys of all rows at once, as a numpy array; faster than `key` for many rows.
    :param color: #rrggbb of the text, from the theme's colours; None = the usual one.
    :param tip: tooltip in plain text (it is escaped here); the cell's text when None.
    :param chars: width at the start, in characters.
    :param stretch: takes the room that is left.
    :param bold: whether the cell is bold.
    :param spare: the higher, the sooner it goes where there is no room for all; 0 = it stays.
    """

    title: str
    text: Callable[[Any], str]
    key: Callable[[Any], Any] | None = None
    keys: Callable[[Any], npt.NDArray[Any]] | None = None
    align: int = LEFT
    color: Callable[[Any, Colors], str | None] | None = None
    tip: Callable[[Any], str] | None = None
    header_tip: str = ""
    chars: int = 10
    stretch: bool = False
    bold: bool = False
    mono: bool = False
    spare: int = 0


def plain_tip(text: str) -> str:
    """A tooltip that shows the text as it is: Qt takes a text that looks like rich text for rich text."""
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>" if text else ""


class RowsModel(QAbstractTableModel):
    """A table over any sequence of rows.

    :param columns: in order.
    :param id_of: the passage id (or other key) of a row.
    """

    def __init__(self, columns: Sequence[Column], id_of: Callable[[Any], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.id_of = id_of
        self.rows: Sequence[Any] = ()
        self._mask: npt.NDArray[np.bool_] | None = None
        self._sorted: npt.NDArray[np.int64] = np.arange(0)
        self._shown: npt.NDArray[np.int64] = np.arange(0)
        self._sort: tuple[int, bool] | None = None
        self._positions: dict[str, int] | None = None
        self._lines: npt.NDArray[np.int64] | None = None
        self._theme: Theme | None = None
        self._fonts: dict[tuple[bool, bool], QFont] = {}

    # What it holds

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and fonts."""
        self._theme = theme
        flags = [(bold, mono) for bold in (False, True) for mono in (False, True)]
        self._fonts = {(bold, mono): theme.font(0, bold=bold, mono=mono) for bold, mono in flags}
        self._repaint()

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show other rows; the sort order stays, the filter goes."""
        self.beginResetModel()
        self.rows, self._mask, self._positions = rows, None, None
        self._order()
        self.endResetModel()

    def rename(self, titles: Mapping[int, str]) -> None:
        """Give some columns other titles."""
        self.columns = tuple(replace(column, title=titles.get(at, column.title)) for at, column in enumerate(self.columns))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def set_filter(self, mask: npt.NDArray[np.bool_] | None) -> None:
        """Show only the rows whose entry is true (aligned with `rows`); None = all."""
        self.beginResetModel()
        self._mask = mask
        self._show()
        self.endResetModel()

    def refresh(self, rows: Sequence[Any]) -> None:
        """Put new rows with the same ids in the same order into the same places; the order on the screen stays."""
        if len(rows) != len(self.rows):
            self.set_rows(rows)
            return
        self.rows = rows
        self._repaint()

    def _repaint(self) -> None:
        if len(self._shown):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, len(self.columns) - 1))

    def row_at(self, line: int) -> Any:
        """The row shown in a line of the table."""
        return self.rows[int(self._shown[line])]

    def id_at(self, line: int) -> str:
        """The id of the row shown in a line."""
        return self.id_of(self.row_at(line))

    def line_of(self, identity: str) -> int | None:
        """The line in which a row with this id is shown; None when it is not."""
        if self._positions is None:
            self._positions = {self.id_of(row): at for at, row in enumerate(self.rows)}
        at = self._positions.get(identity)
        line = -1 if at is None else int(self._line_numbers()[at])
        return None if line < 0 else line

    def _line_numbers(self) -> npt.NDArray[np.int64]:
        """The line of each row; -1 where the filter hides it."""
        if self._lines is None:
            self._lines = np.full(len(self.rows), -1, dtype=np.int64)
            self._lines[self._shown] = np.arange(len(self._shown))
        return self._lines

    # Order

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column (stable); -1 = the rows' own order. What is selected stays selected."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        at = [int(self._shown[index.row()]) for index in before]
        self._sort = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self._order()
        if before:
            lines = self._line_numbers()
            self.changePersistentIndexList(before, [self.index(int(lines[a]), i.column()) for a, i in zip(at, before, strict=True)])
        self.layoutChanged.emit()

    def _order(self) -> None:
        count = len(self.rows)
        if self._sort is None or not count:
            self._sorted = np.arange(count)
        else:
            self._sorted = _argsort(self._keys(self._sort[0]), descending=self._sort[1])
        self._show()

    def _show(self) -> None:
        self._shown = self._sorted if self._mask is None else self._sorted[self._mask[self._sorted]]
        self._lines = None

    def _keys(self, at: int) -> npt.NDArray[Any]:
        column = self.columns[at]
        if column.keys is not None:
            return column.keys(self.rows)
        key = column.key or column.text
        values = [key(row) for row in self.rows]
        if any(value is None or isinstance(value, (int, float)) for value in values):
            return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        return np.array([str(value).casefold() for value in values])

    # Qt's side

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's name and default
        """Lines shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's name and default
        """Columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(self.row_at(index.row()))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.align
        if role == Qt.ItemDataRole.ForegroundRole and column.color is not None and self._theme is not None:
            color = column.color(self.row_at(index.row()), self._theme.colors)
            return QColor(color) if color else None
        if role == Qt.ItemDataRole.FontRole:
            return self._fonts.get((column.bold, column.mono))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip((column.tip or column.text)(self.row_at(index.row())))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802
        """Titles of the columns."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.align
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(column.header_tip or column.title)
        return None


def _argsort(keys: npt.NDArray[Any], *, descending: bool) -> npt.NDArray[np.int64]:
    """Stable in both directions; NaN last in both."""
    if keys.dtype.kind in "fiub":
        numbers = keys.astype(np.float64)
        return np.argsort(-numbers if descending else numbers, kind="stable")
    if not descending:
        return np.argsort(keys, kind="stable")
    return len(keys) - 1 - np.argsort(keys[::-1], kind="stable")[::-1]
