"""The passages table's view: keys, copying, column menu, widths, and a sentence where there is nothing to show."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QAction, QColor, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from guard_desk.formats import safe_cell
from guard_desk.measure.passage_rows import PassageRows
from guard_desk.ui.models.passages import BAR_ROLE, OF_THE_CORPUS, Bar, PassagesModel, bar_color, moved_thresholds
from guard_desk.ui.theme import GAP, GRID, WIDE, Theme
from guard_desk.ui.widgets.cells import CellDelegate
from guard_desk.ui.widgets.column_choice import ColumnChoice
from guard_desk.ui.widgets.rows_table import RowsTable

# By weight: a narrow pane shows the first ones, a wide one all.
_GROUPS = (
    ("passage", "place"),
    ("#",),
    ("sim",),
    ("rel", "evi", "con", "inj"),
    ("id",),
    ("date",),
    ("tokens",),
    ("source",),
    ("label",),
)
_LEAST_PASSAGE = 16
"""Letters of a passage that are seen before another column comes."""
_MOST_COPIED = 20_000


class BarDelegate(CellDelegate):
    """Draws an answer as its number above a small bar with the threshold as a notch."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self.theme: Theme | None = None

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        """Draw a cell."""
        super().paint(painter, option, index)
        bar = index.data(BAR_ROLE)
        if not isinstance(bar, Bar) or self.theme is None:
            return
        colors, cell = self.theme.colors, option.rect
        room = QRect(cell.left() + GRID, cell.bottom() - GRID, cell.width() - 2 * GRID, 3)
        painter.fillRect(room, QColor(colors.line))
        painter.fillRect(QRect(room.left(), room.top(), round(room.width() * bar.value), 3), QColor(bar_color(bar, colors)))
        if bar.threshold is not None:
            notch = room.left() + round((room.width() - 1) * bar.threshold)
            painter.fillRect(QRect(notch, room.top() - 2, 1, 6), QColor(colors.text))


class PassagesTable(RowsTable):
    """Rows of passages; Left and Right fold groups, Enter makes the current one the primary one."""

    activated_row = Signal(str)
    """id of the passage on which Enter was pressed"""

    def __init__(self, model: PassagesModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self.passages = model
        self.setObjectName("passages_table")
        self.setAccessibleName("Passages")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.sentence = ""
        self._theme: Theme | None = None
        self.choice = ColumnChoice()
        self._of_corpus = self._sharing = False
        self._bars = BarDelegate(self)
        self._titles = [column.title for column in model.columns]
        for title in ("rel", "evi", "con", "inj"):
            self.setItemDelegateForColumn(self._titles.index(title), self._bars)
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._open_menu)
        header.sectionResized.connect(self._note_width)
        model.refreshed.connect(self._draw_changes)

    def set_theme(self, theme: Theme) -> None:
        """Take fonts, colours and widths."""
        self._theme = self._bars.theme = theme
        super().set_theme(theme)
        self._share_width()

    @Slot(object)
    def _draw_changes(self, before: PassageRows) -> None:
        """Draw the lines that now show something else, and the notch of a threshold that moved."""
        model, viewport = self.passages, self.viewport()
        first, last = self.rowAt(0), self.rowAt(viewport.height() - 1)
        last = last if last >= 0 else model.rowCount() - 1
        for line in range(max(0, first), last + 1):
            if model.rows.differs(before, model.position_at(line)):
                viewport.update(0, self.rowViewportPosition(line), viewport.width(), self.rowHeight(line))
        for title in moved_thresholds(before.thresholds, model.rows.thresholds):
            at = self._titles.index(title)
            viewport.update(self.columnViewportPosition(at), 0, self.columnWidth(at), viewport.height())

    # Columns

    def show_columns_of_corpus(self, only: bool) -> None:
        """Before the first run, hide what only a run can fill."""
        if only != self._of_corpus:
            self._of_corpus = only
            self._share_width()

    def _possible(self) -> list[tuple[int, str]]:
        return [(at, title) for at, title in enumerate(self._titles) if not self._of_corpus or title in OF_THE_CORPUS]

    def fill_columns(self, menu: QMenu) -> None:
        """Fill a menu with what shows and hides columns."""
        for at, title in self._possible():
            action = QAction(title, menu)
            action.setCheckable(True)
            action.setChecked(not self.isColumnHidden(at))
            action.setEnabled(title != "passage")
            action.triggered.connect(self._toggle_column)
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction("As many as have room", self.reset_columns)

    @Slot(QPoint)
    def _open_menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_columns(menu)
        menu.popup(self.horizontalHeader().mapToGlobal(where))

    @Slot()
    def _toggle_column(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.choice.toggle(action.text(), shown=not self.isColumnHidden(self._titles.index(action.text())))
            self._share_width()

    @Slot()
    def reset_columns(self) -> None:
        """As many as have room, in their first order and width."""
        self.choice.clear()
        header = self.horizontalHeader()
        for at in range(len(self._titles)):
            header.moveSection(header.visualIndex(at), at)
        if self._theme is not None:
            self.set_theme(self._theme)

    def take_columns(self, text: str) -> None:
        """Show the columns that were stored (`ColumnChoice.to_text`)."""
        self.choice.take_text(text)
        self._share_width()

    def _note_width(self, at: int, _old: int, new: int) -> None:
        """A width that a person chose is kept."""
        if new and not self._sharing and QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self.choice.widths[self._titles[at]] = new

    def _share_width(self) -> None:
        """Show the columns that have room and give the passage what they leave; what a person chose stays, and may be scrolled to."""
        if self._theme is None or self._sharing:
            return
        needs = {title: self._widths[at] for at, title in self._possible()}
        needs["passage"] = _LEAST_PASSAGE * self.fontMetrics().averageCharWidth()
        room, sorted_by = self.viewport().width(), self.passages.sorted_by
        shown = self.choice.shown(_GROUPS, needs, room, held=(sorted_by,) if sorted_by else ())
        widths = {title: self.choice.widths.get(title, needs[title]) for title in shown}
        others = sum(width for title, width in widths.items() if title != "passage")
        if "passage" not in self.choice.widths:
            widths["passage"] = max(needs["passage"] // 2, room - others)
        self._sharing = True
        for at, title in enumerate(self._titles):
            self.setColumnHidden(at, title not in shown)
            if title in shown:
                self.setColumnWidth(at, widths[title])
        self._sharing = False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Share the width anew."""
        super().resizeEvent(event)
        self._share_width()

    # Keys

    def keyboardSearch(self, _: str) -> None:  # noqa: N802 - Qt's name
        """No jumping to what is typed: letters are for commands."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Left, Right, Enter and copy as people expect of a list."""
        key, current = event.key(), self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if current.isValid():
                self.activated_row.emit(self.passages.id_at(current.row()))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._fold(current.row(), opening=key == Qt.Key.Key_Right):
            event.accept()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + (1 if key == Qt.Key.Key_Right else -1) * 12 * GRID)
        else:
            super().keyPressEvent(event)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:  # noqa: N802 - Qt's name
        """Home and End go along the rows; Qt's own go along the columns."""
        ends = {QAbstractItemView.CursorAction.MoveHome: 0, QAbstractItemView.CursorAction.MoveEnd: self.passages.rowCount() - 1}
        if action in ends:
            return self.passages.index(ends[action], max(0, self.currentIndex().column()))
        return super().moveCursor(action, modifiers)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click on a group's sign opens or closes it."""
        index = self.indexAt(event.position().toPoint())
        model = self.passages
        if index.isValid() and self._titles[index.column()] == "passage" and model.folds and model.row_at(index.row()).folded:
            sign = self.fontMetrics().horizontalAdvance("▸ +00") + GAP
            if event.position().x() - self.visualRect(index).left() < sign:
                passage_id = model.id_at(index.row())
                model.unfold((passage_id,), fold=model.is_open(passage_id))
                return
        super().mousePressEvent(event)

    def _fold(self, line: int, *, opening: bool) -> bool:
        """Open or close the group of a line; Left on a member goes to its representative and closes."""
        model = self.passages
        if line < 0 or not model.folds:
            return False
        passage_id = model.id_at(line)
        if opening:
            return bool(model.row_at(line).folded) and model.unfold((passage_id,))
        head = model.head_of(passage_id) or passage_id
        if not model.unfold((head,), fold=True):
            return False
        if head != passage_id:
            self.activated_row.emit(head)
        return True

    def copy(self) -> None:
        """Copy the chosen rows, with a line of titles, separated by tabs."""
        QGuiApplication.clipboard().setText(self.chosen_text())

    def chosen_text(self) -> str:
        """The chosen rows in the order of the screen, as tab-separated lines under the visible columns' titles."""
        header = self.horizontalHeader()
        columns = sorted((at for at in range(len(self._titles)) if not self.isColumnHidden(at)), key=header.visualIndex)
        ranges = self.selectionModel().selection()
        lines = sorted({line for part in ranges.toList() for line in range(part.top(), part.bottom() + 1)})[:_MOST_COPIED]
        rows = [[_cell(self.passages.columns[at].text(self.passages.row_at(line))) for at in columns] for line in lines]
        return "\n".join("\t".join(row) for row in ([self._titles[at] for at in columns], *rows))

    # Nothing to show

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Say in a sentence why there is no row."""
        super().paintEvent(event)
        if self.passages.rowCount() or not self.sentence or self._theme is None:
            return
        painter = QPainter(self.viewport())
        painter.setFont(self._theme.font(0))
        painter.setPen(QColor(self._theme.colors.muted))
        room = self.viewport().rect().adjusted(WIDE, WIDE, -WIDE, -WIDE)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.TextFlag.TextWordWrap), self.sentence)


def _cell(text: str) -> str:
    return safe_cell(" ".join(text.split()))
