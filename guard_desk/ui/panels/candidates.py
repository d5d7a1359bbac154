"""Candidates: each value that answers, its score as stacked parts, and the lines behind it; the knobs of thinning act at once."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from guard_desk.measure.score_parts import Part, Parts, score_parts
from guard_desk.records.decision import Stance
from guard_desk.records.trace import Trace
from guard_desk.ui.icons import icon
from guard_desk.ui.models.table import RIGHT, Column, RowsModel, plain_tip
from guard_desk.ui.panels.base import Notice, Panel
from guard_desk.ui.theme import GAP, GRID, PAD, Theme
from guard_desk.ui.view import View
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.knob_column import KnobColumn
from guard_desk.ui.widgets.labels import Badge
from guard_desk.ui.widgets.rows_table import RowsTable
from guard_desk.ui.widgets.score_bars import ROLE, BarScale, KindLegend, ScoreDelegate, line_words, short, signed

NOTHING = ("No candidate values", "No accepted passage states a value of the kind the question asks for.")

_KNOBS = {
    "Thinning": (
        ("thin.mode", "Mode"),
        ("thin.half_life_days", "Half-life"),
        ("thin.cap_per_source", "Cap per source"),
        ("thin.contested_margin", "Contested margin"),
        ("thin.negation_penalty", "Negation penalty"),
        ("thin.max_support_lines", "Most support lines"),
        ("thin.as_of", "Ages as of"),
    ),
    "Reliability of sources": tuple(
        (f"thin.reliability.{kind}", kind.capitalize()) for kind in ("official", "report", "news", "blog", "forum", "social", "unknown")
    ),
}
_SEPARATOR = "\x00"
_ROOMY = 65 * GRID
_MOST_TOLD = 12
"""Lines that a tooltip names."""


class CandidatesPanel(Panel):
    """Values, scores, lines."""

    knob_moved = Signal(str, object)
    knob_released = Signal()
    promise = "The values that passages state for what is asked, with their scores and who was capped."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("candidates_view")
        self.setAccessibleName("Candidate values")
        self._trace: Trace | None = None
        self._parts: tuple[Parts, ...] = ()
        self._open: dict[str, bool] = {}
        self._showing = False
        self._theme: Theme | None = None
        self.leader = ElidedLabel(parent=self)
        self.contested, self.conflict = Badge(self), Badge(self)
        self.contested.setToolTip("No winner is clear: scores lie within the contested margin, or sources of equal standing disagree.")
        self.conflict.setToolTip("Two lines give values that cannot both be right, or one denies another.")
        self.as_of = ElidedLabel(parent=self)
        self.as_of.setObjectName("muted")
        self.tree = self._make_tree()
        self.delegate = ScoreDelegate(self.tree)
        self.tree.setItemDelegate(self.delegate)
        self.legend = KindLegend(self)
        self.table = RowsTable(RowsModel(_COLUMNS, _row_id, self), self)
        self.table.setAccessibleName("Lines of the candidates as a table")
        self.table.chosen.connect(self._chosen_in_table)
        self.knobs = KnobColumn(_KNOBS, self)
        self.knobs.moved.connect(self.knob_moved)
        self.knobs.released.connect(self.knob_released)
        self.toggle = self._make_toggle()
        self._lay_out()

    # Its parts

    def _make_tree(self) -> _Tree:
        tree = _Tree(self)
        tree.setObjectName("candidates_tree")
        tree.setAccessibleName("Candidate values with their lines")
        tree.setHeaderLabels(["Value", "Score"])
        tree.setUniformRowHeights(True)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setIndentation(4 * GRID)
        tree.header().setStretchLastSection(True)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        tree.setTabKeyNavigation(False)
        tree.setMinimumHeight(16 * GRID)
        tree.selectionModel().selectionChanged.connect(self._chosen_in_tree)
        tree.itemExpanded.connect(self._remember_open)
        tree.itemCollapsed.connect(self._remember_closed)
        return tree

    def _make_toggle(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("candidates_table_toggle")
        button.setText("Table")
        button.setCheckable(True)
        button.setToolTip("The same numbers as a table")
        button.setAccessibleName("Show the candidates as a table")
        button.toggled.connect(self._show_table)
        return button

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GAP)
        top.addWidget(self.leader, 1)
        top.addWidget(self.toggle)
        under = QHBoxLayout()
        under.setSpacing(GAP)
        under.addWidget(self.as_of, 1)
        under.addWidget(self.contested)
        under.addWidget(self.conflict)
        bars = QWidget(self)
        column = QVBoxLayout(bars)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.tree, 1)
        column.addWidget(self.legend)
        self.pages = QStackedWidget(self)
        self._nothing = Notice(self)
        self._nothing.say(*NOTHING)
        for page in (bars, self.table, self._nothing):
            self.pages.addWidget(page)
        main = QWidget(self)
        inside = QVBoxLayout(main)
        inside.setContentsMargins(PAD, GAP, GAP, GAP)
        inside.setSpacing(GRID)
        inside.addLayout(top)
        inside.addLayout(under)
        inside.addWidget(self.pages, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.addWidget(main)
        self.splitter.addWidget(self.knobs)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([400, 220])
        self.splitter.setChildrenCollapsible(False)
        outer = QHBoxLayout(self.content)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.splitter)

    # What it shows

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        self.delegate.theme = theme
        self.leader.setFont(theme.font(1, bold=True))
        self.as_of.setFont(theme.font(-1))
        for badge in (self.contested, self.conflict):
            badge.setFont(theme.font(-1))
        self.tree.setFont(theme.font(0))
        self.tree.header().setFont(theme.font(-1, bold=True))
        self.toggle.setIcon(icon("table", theme.colors))
        self.legend.set_theme(theme)
        self.table.set_theme(theme)
        self._nothing.set_theme(theme)
        self.knobs.set_theme(theme)
        self.tree.value_width = self.tree.fontMetrics().averageCharWidth() * 18 + 5 * GRID
        self._trace = None

    def show_result(self, view: View) -> None:
        """Show the candidates of a run."""
        assert view.trace is not None
        self.knobs.show_view(view)
        if view.trace is not self._trace:
            same = self._trace is not None and view.trace.thinned is self._trace.thinned
            self._trace = view.trace
            if not same:
                self._fill(view.trace)
        self._show_selection(view)

    def _fill(self, trace: Trace) -> None:
        self._parts = score_parts(trace)
        self._say(trace)
        self.delegate.scale = BarScale.of(self._parts)
        self.legend.show_kinds(self._parts)
        self._fill_tree()
        self.table.rows_model.set_rows([part for parts in self._parts for part in parts.lines])
        self._show_table(self.toggle.isChecked())

    def _say(self, trace: Trace) -> None:
        assert self._theme is not None
        thinned, colors = trace.thinned, self._theme.colors
        value = thinned.leader
        words = f"★ {_one_line(value)}" if value is not None else "No clear leader" if thinned.candidates else ""
        self.leader.say(words, tip=f"Leader: {value}" if value is not None else "")
        self.contested.setVisible(thinned.contested)
        self.contested.say("◆", "contested", colors.conflict, colors.conflict_fill)
        self.conflict.setVisible(thinned.conflict)
        self.conflict.say("≠", "conflict", colors.conflict)
        count = len(thinned.candidates)
        self.as_of.say(f"{count} {'value' if count == 1 else 'values'} · as of {thinned.as_of or 'no date: all lines are undated'}")
        self.knobs.editors["thin.as_of"].set_placeholder(thinned.as_of or "no dates")

    def _fill_tree(self) -> None:
        self._showing = True
        self.tree.setUpdatesEnabled(False)
        self.tree.clear()
        items = [_candidate_item(parts, number) for number, parts in enumerate(self._parts, 1)]
        self.tree.addTopLevelItems(items)
        for number, (item, parts) in enumerate(zip(items, self._parts, strict=True)):
            if self._open.get(parts.candidate.canonical, number == 0):
                _add_lines(item)
                item.setExpanded(True)
            font = item.font(0)
            font.setBold(True)
            item.setFont(0, font)
        self.tree.setUpdatesEnabled(True)
        self._showing = False

    def _show_selection(self, view: View) -> None:
        """Mark the lines of the chosen passages, those of open candidates first in sight."""
        ids = set(view.selection.ids)
        rows = tuple(_row_id(part) for parts in self._parts for part in parts.lines if part.line.passage_id in ids)
        primary = next((row for row in rows if row.split(_SEPARATOR)[1] == view.selection.primary), None)
        self.table.show_selection(rows, primary)
        current = self.tree.currentItem()
        if current is not None and current.isSelected() and ids == set(_ids_of(current.data(1, ROLE))):
            return
        self._showing = True
        lines = [item for item in self._lines(ids) if item.data(1, ROLE).line.passage_id in ids]
        self.tree.clearSelection()
        lines.sort(key=lambda item: (item.data(1, ROLE).line.passage_id != view.selection.primary, not item.parent().isExpanded()))
        if lines:
            self.tree.setCurrentItem(lines[0])
            self.tree.scrollToItem(lines[0])
        self._showing = False

    def _lines(self, ids: set[str]) -> list[QTreeWidgetItem]:
        """The lines of those candidates that these passages speak of."""
        tops = [self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount())]
        tops = [top for top in tops if not ids.isdisjoint(_ids_of(top.data(1, ROLE)))]
        for top in tops:
            _add_lines(top)
        return [top.child(at) for top in tops for at in range(top.childCount())]

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Where room is short the lines go before the legend: letters and lines name the kinds as well."""
        super().resizeEvent(event)
        self.legend.setVisible(self.height() >= _ROOMY)

    # What a person does

    @Slot(bool)
    def _show_table(self, table: bool) -> None:
        self.pages.setCurrentIndex(2 if not self._parts else 1 if table else 0)
        self.toggle.setEnabled(bool(self._parts))

    @Slot(QItemSelection, QItemSelection)
    def _chosen_in_tree(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        chosen = self.tree.selectedItems()
        if self._showing or not chosen:
            return
        ids = _ids_of(chosen[0].data(1, ROLE))
        self.selected.emit(ids, ids[0] if ids else None)

    @Slot(object, object)
    def _chosen_in_table(self, rows: tuple[str, ...], primary: str | None) -> None:
        ids = tuple(dict.fromkeys(row.split(_SEPARATOR)[1] for row in rows))
        self.selected.emit(ids, primary.split(_SEPARATOR)[1] if primary else None)

    @Slot(QTreeWidgetItem)
    def _remember_open(self, item: QTreeWidgetItem) -> None:
        _add_lines(item)
        self._remember(item, opened=True)

    @Slot(QTreeWidgetItem)
    def _remember_closed(self, item: QTreeWidgetItem) -> None:
        self._remember(item, opened=False)

    def _remember(self, item: QTreeWidgetItem, *, opened: bool) -> None:
        row = item.data(1, ROLE)
        if not self._showing and isinstance(row, Parts):
            self._open[row.candidate.canonical] = opened


class _Tree(QTreeWidget):
    """The first column takes what it needs, at most two fifths."""

    value_width = 0

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Share the width out again."""
        super().resizeEvent(event)
        self.setColumnWidth(0, min(self.value_width, self.viewport().width() * 2 // 5))


def _row_id(part: Part) -> str:
    """A passage may speak of several values, and state and deny one."""
    return f"{part.candidate}{_SEPARATOR}{part.line.passage_id}{_SEPARATOR}{part.line.stance}"


def _ids_of(row: object) -> tuple[str, ...]:
    if isinstance(row, Part):
        return (row.line.passage_id,)
    return tuple(dict.fromkeys(part.line.passage_id for part in row.lines)) if isinstance(row, Parts) else ()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _candidate_item(parts: Parts, rank: int) -> QTreeWidgetItem:
    candidate = parts.candidate
    mark = "★ " if parts.leads else "◆ " if parts.rival else ""
    item = QTreeWidgetItem([f"{mark}{_one_line(candidate.value)}", ""])
    role = "leader" if parts.leads else "rival" if parts.rival else f"rank {rank}"
    made_of = "\n".join(f"{part.line.passage_id}: {line_words(part)}" for part in parts.lines[:_MOST_TOLD])
    item.setToolTip(0, plain_tip(f"{candidate.value}\n{role}"))
    item.setToolTip(1, plain_tip(f"score {short(candidate.score)}\n{made_of}"))
    item.setData(1, ROLE, parts)
    item.setData(1, Qt.ItemDataRole.AccessibleTextRole, f"score {short(candidate.score)}, {role}, {len(parts.lines)} lines")
    item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
    return item


def _add_lines(item: QTreeWidgetItem) -> None:
    """The lines of a candidate, when they are asked for: a moving slider makes only those that can be seen."""
    row = item.data(1, ROLE)
    if isinstance(row, Parts) and not item.childCount():
        item.addChildren([_line_item(part) for part in row.lines])


def _line_item(part: Part) -> QTreeWidgetItem:
    line = part.line
    sign = "⊤" if line.capped else "−" if line.stance is Stance.NEGATES else "+"
    item = QTreeWidgetItem([f"{sign} {line.passage_id}", ""])
    item.setToolTip(0, plain_tip(f"{line.passage_id} {line.stance} {part.value}"))
    item.setToolTip(1, plain_tip(line_words(part)))
    item.setData(1, ROLE, part)
    item.setData(1, Qt.ItemDataRole.AccessibleTextRole, line_words(part))
    return item


_COLUMNS = (
    Column(title="Candidate", text=lambda p: _one_line(p.value), chars=14, tip=lambda p: p.value, bold=True),
    Column(title="Line", text=lambda p: p.line.passage_id, chars=12),
    Column(title="Stance", text=lambda p: str(p.line.stance), chars=8),
    Column(title="Kind", text=lambda p: p.kind, chars=8),
    Column(title="Reliability", text=lambda p: short(p.line.reliability), key=lambda p: p.line.reliability, align=RIGHT, chars=9),
    Column(title="Recency", text=lambda p: short(p.line.recency), key=lambda p: p.line.recency, align=RIGHT, chars=8),
    Column(title="Adds", text=lambda p: signed(p.line.contribution), key=lambda p: p.line.contribution, align=RIGHT, chars=7, bold=True),
    Column(title="Voice", text=lambda p: str(p.line.voice), key=lambda p: p.line.voice, align=RIGHT, chars=6),
    Column(title="Capped", text=lambda p: p.line.capped, tip=lambda p: p.why_capped, chars=8),
    Column(title="Note", text=lambda p: p.line.note, chars=20),
)
