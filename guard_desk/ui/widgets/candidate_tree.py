"""The tree of candidate values: by part of the question where it asks several things, then values, then the lines behind each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QItemSelection, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from guard_desk.measure.score_parts import ADVICE, Asked, Part, Parts
from guard_desk.records.decision import Stance
from guard_desk.ui.candidate_rows import opened_at_first, rows_of
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.view import Selection
from guard_desk.ui.widgets.score_bars import ROLE, BarScale, ScoreDelegate, line_words, one_line, part_words, short

_MOST_TOLD = 12
"""Lines that a tooltip names."""

_HEADING = ""
"""Stands for the heading of a part, where candidates have their canonical form."""

_WIDEST = 9 / 20
"""Share of the width that the first column may take."""


class CandidateTree(QTreeWidget):
    """Shows candidates and says which line a person chose. What was opened or closed stays so while the knobs move."""

    chosen = Signal(object, object)
    """ids (tuple of str), primary (str or None)"""
    words_chosen = Signal(str, object)
    """passage id and the `Span` of the value in it, of the line that was chosen"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("candidates_tree")
        self.setAccessibleName("Candidate values with their lines")
        self.setHeaderLabels(["Value", "Score"])
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setIndentation(4 * GRID)
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.setTabKeyNavigation(False)
        self.setMinimumHeight(16 * GRID)
        self.delegate = ScoreDelegate(self)
        self.setItemDelegate(self.delegate)
        self.selectionModel().selectionChanged.connect(self._told)
        self.itemExpanded.connect(self._remember_open)
        self.itemCollapsed.connect(self._remember_closed)
        self._asked: tuple[Asked, ...] = ()
        self._open: dict[tuple[int, str], bool] = {}
        """What a person opened or closed: a candidate by part and canonical form, or a heading."""
        self._at_first = opened_at_first((), 0)
        self._showing = False
        self._value_width = 0

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self.delegate.theme = theme
        self.setFont(theme.font(0))
        self.header().setFont(theme.font(-1, bold=True))
        self._value_width = self.fontMetrics().averageCharWidth() * 18 + 5 * GRID

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The first column takes what it needs, within its share."""
        super().resizeEvent(event)
        self.setColumnWidth(0, min(self._value_width, int(self.viewport().width() * _WIDEST)))
        if not self._open and len(self._asked) > 1:
            self._fit()
            self._showing = True
            self._open_again()
            self._showing = False

    # What it shows

    def height_wanted(self) -> int:
        """What every part with its values takes, and the lines of the first one's leader."""
        lines = max((len(part.candidates[0].lines) for part in self._asked[:1] if part.candidates), default=0)
        return (sum(map(rows_of, self._asked)) + lines) * self._row_height()

    def _row_height(self) -> int:
        return self.fontMetrics().height() + GAP

    def show_asked(self, asked: Sequence[Asked]) -> None:
        """Show the candidates of each part; headings only where there are several parts."""
        known = [part.words for part in asked] == [part.words for part in self._asked]
        scrolled = self.verticalScrollBar().value() if known else 0
        self._asked = tuple(asked)
        self.delegate.scale = BarScale.of([parts for part in asked for parts in part.candidates])
        self.setUpdatesEnabled(False)
        self._showing = True
        self.clear()
        for part in asked:
            items = [_candidate_item(parts, rank) for rank, parts in enumerate(part.candidates, 1)]
            if len(asked) > 1:
                self._add_heading(part, items)
            else:
                self.addTopLevelItems(items)
        if not known:  # else what is open stays so while a slider changes how many values there are
            self._open.clear()
            self._fit()
        self._open_again()
        self.setUpdatesEnabled(True)
        self.verticalScrollBar().setValue(scrolled)
        self._showing = False

    def _add_heading(self, part: Asked, items: Sequence[QTreeWidgetItem]) -> None:
        heading = _heading_item(part)
        heading.addChildren(items or [_advice_item()])
        self.addTopLevelItem(heading)
        for item in (heading, heading.child(0)):
            item.setFirstColumnSpanned(not isinstance(item.data(1, ROLE), Parts))

    def _fit(self) -> None:
        self._at_first = opened_at_first(self._asked, self.viewport().height() // self._row_height())

    def _open_again(self) -> None:
        """Open what a person opened, and what stands open at first."""
        leaders = {_key(part.candidates[0]) for at, part in enumerate(self._asked) if at in self._at_first.leaders and part.candidates}
        for at in range(self.topLevelItemCount()):
            item = self.topLevelItem(at)
            if isinstance(item.data(1, ROLE), Asked):
                item.setExpanded(self._open.get((at, _HEADING), at in self._at_first.headings))
        for item in self.candidates():
            parts = item.data(1, ROLE)
            opened = self._open.get(_key(parts), _key(parts) in leaders)
            if opened:
                add_lines(item)
            item.setExpanded(opened)

    def candidates(self) -> Iterator[QTreeWidgetItem]:
        """The items of the candidates, in order."""
        for top in (self.topLevelItem(at) for at in range(self.topLevelItemCount())):
            if isinstance(top.data(1, ROLE), Parts):
                yield top
            else:
                inside = (top.child(at) for at in range(top.childCount()))
                yield from (item for item in inside if isinstance(item.data(1, ROLE), Parts))

    def show_selection(self, selection: Selection) -> None:
        """Mark the lines of the chosen passages, those of open candidates first in sight, without telling anyone."""
        ids, current = set(selection.ids), self.currentItem()
        if current is not None and current.isSelected() and ids == set(ids_of(current.data(1, ROLE))):
            return
        self._showing = True
        lines = [item for item in self._lines(ids) if item.data(1, ROLE).line.passage_id in ids]
        self.clearSelection()
        lines.sort(key=lambda item: (item.data(1, ROLE).line.passage_id != selection.primary, not item.parent().isExpanded()))
        if lines:
            self.setCurrentItem(lines[0])
            self.scrollToItem(lines[0])
        self._showing = False

    def _lines(self, ids: set[str]) -> list[QTreeWidgetItem]:
        """The lines of those candidates that these passages speak of."""
        tops = [item for item in self.candidates() if not ids.isdisjoint(ids_of(item.data(1, ROLE)))]
        for top in tops:
            add_lines(top)
        return [top.child(at) for top in tops for at in range(top.childCount())]

    # What a person does

    @Slot(QItemSelection, QItemSelection)
    def _told(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        chosen = self.selectedItems()
        if self._showing or not chosen:
            return
        row = chosen[0].data(1, ROLE)
        ids = ids_of(row)
        if not ids:
            return
        self.chosen.emit(ids, ids[0])
        if isinstance(row, Part) and row.line.span is not None:
            self.words_chosen.emit(row.line.passage_id, row.line.span)

    @Slot(QTreeWidgetItem)
    def _remember_open(self, item: QTreeWidgetItem) -> None:
        add_lines(item)
        self._remember(item, opened=True)

    @Slot(QTreeWidgetItem)
    def _remember_closed(self, item: QTreeWidgetItem) -> None:
        self._remember(item, opened=False)

    def _remember(self, item: QTreeWidgetItem, *, opened: bool) -> None:
        row = item.data(1, ROLE)
        if self._showing:
            return
        if isinstance(row, Parts):
            self._open[_key(row)] = opened
        elif isinstance(row, Asked):
            self._open[(self.indexOfTopLevelItem(item), _HEADING)] = opened


def _key(parts: Parts) -> tuple[int, str]:
    return parts.candidate.part, parts.candidate.canonical


def ids_of(row: object) -> tuple[str, ...]:
    """The passages of a row, each once: of a part of the question, of a candidate, of one line."""
    if isinstance(row, Part):
        return (row.line.passage_id,)
    if isinstance(row, Parts):
        return tuple(dict.fromkeys(part.line.passage_id for part in row.lines))
    return tuple(dict.fromkeys(i for parts in row.candidates for i in ids_of(parts))) if isinstance(row, Asked) else ()


def _heading_item(asked: Asked) -> QTreeWidgetItem:
    item = QTreeWidgetItem([one_line(asked.words), ""])
    item.setToolTip(0, plain_tip(f"{asked.words}\n{part_words(asked)}"))
    item.setData(0, ROLE, asked)
    item.setData(1, ROLE, asked)
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"Part of the question: {one_line(asked.words)}; {part_words(asked)}")
    return item


def _advice_item() -> QTreeWidgetItem:
    item = QTreeWidgetItem([ADVICE, ""])
    item.setToolTip(0, plain_tip(ADVICE))
    item.setFlags(Qt.ItemFlag.ItemIsEnabled)
    return item


def _candidate_item(parts: Parts, rank: int) -> QTreeWidgetItem:
    candidate = parts.candidate
    mark = "★ " if parts.leads else "◆ " if parts.rival else ""
    item = QTreeWidgetItem([f"{mark}{one_line(candidate.value)}", ""])
    font = item.font(0)
    font.setBold(True)
    item.setFont(0, font)
    role = "leader" if parts.leads else "rival" if parts.rival else f"rank {rank}"
    made_of = "\n".join(f"{part.line.passage_id}: {line_words(part)}" for part in parts.lines[:_MOST_TOLD])
    item.setToolTip(0, plain_tip(f"{candidate.value}\n{role}"))
    item.setToolTip(1, plain_tip(f"score {short(candidate.score)}\n{made_of}"))
    item.setData(1, ROLE, parts)
    item.setData(1, Qt.ItemDataRole.AccessibleTextRole, f"score {short(candidate.score)}, {role}, {len(parts.lines)} lines")
    item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
    return item


def add_lines(item: QTreeWidgetItem) -> None:
    """The lines of a candidate, when they are asked for: a moving slider makes only those that can be seen."""
    row = item.data(1, ROLE)
    if isinstance(row, Parts) and not item.childCount():
        item.addChildren([_line_item(part) for part in row.lines])


def _line_item(part: Part) -> QTreeWidgetItem:
    line = part.line
    sign = "⊤" if line.capped else "−" if line.stance is Stance.NEGATES else "+"
    item = QTreeWidgetItem([f"{sign} {line.passage_id}", ""])
    says = f"“{part.quote}”" if part.quote else "It says so in its metadata."
    item.setToolTip(0, plain_tip(f"{line.passage_id} {line.stance} {part.value}\n{says}"))
    item.setToolTip(1, plain_tip(f"{line_words(part)}\n{says}"))
    item.setData(1, ROLE, part)
    item.setData(1, Qt.ItemDataRole.AccessibleTextRole, f"{line_words(part)}. {says}")
    return item
