"""Candidates: each value that answers, its score as stacked parts, and the lines behind it; the knobs of thinning act at once."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from guard_desk.measure.score_parts import Asked, Part, asked_parts, unanswered
from guard_desk.records.trace import Trace
from guard_desk.ui.icons import icon
from guard_desk.ui.models.table import RIGHT, Column, RowsModel
from guard_desk.ui.numbers import counted
from guard_desk.ui.panels.base import Notice, Panel
from guard_desk.ui.theme import GAP, GRID, PAD, Theme
from guard_desk.ui.view import View
from guard_desk.ui.widgets.candidate_tree import CandidateTree
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.knob_column import KnobColumn
from guard_desk.ui.widgets.labels import Badge
from guard_desk.ui.widgets.rows_table import RowsTable
from guard_desk.ui.widgets.score_bars import KindLegend, one_line, short, signed

_KNOBS = {
    "Thinning": (
        ("thin.mode", "Mode"),
        ("thin.half_life_days", "Half-life"),
        ("thin.undated_recency", "Undated lines"),
        ("thin.hedged_strength", "Hedged lines"),
        ("thin.negation_penalty", "Negation penalty"),
        ("thin.contested_margin", "Contested margin"),
        ("thin.cap_per_source", "Cap per source"),
        ("thin.cap_per_domain", "Cap per domain"),
        ("thin.max_support_lines", "Most support lines"),
        ("thin.as_of", "Ages as of"),
    ),
    "Reliability of sources": tuple(
        (f"thin.reliability.{kind}", kind.capitalize()) for kind in ("official", "report", "news", "blog", "forum", "social", "unknown")
    ),
}
_SEPARATOR = "\x00"
_ROOMY = 65 * GRID
"""From this height on all is shown."""
_AROUND_TREE = 38 * GRID
"""What stands above and below the tree then."""


class CandidatesPanel(Panel):
    """Values, scores, lines; a list for each thing that the question asks."""

    knob_moved = Signal(str, object)
    knob_released = Signal()
    words_chosen = Signal(str, object)
    """passage id and `Span`: where the value stands in the passage of the chosen line"""
    promise = "The values that passages state for what is asked, with their scores and who was capped."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("candidates_view")
        self.setAccessibleName("Candidate values")
        self._trace: Trace | None = None
        self._asked: tuple[Asked, ...] = ()
        self._lines: dict[str, Part] = {}
        self._theme: Theme | None = None
        self._roomy = True
        self.leader = ElidedLabel(parent=self)
        self.contested, self.conflict = Badge(self), Badge(self)
        self.contested.setToolTip("No winner is clear: scores lie within the contested margin, or sources of equal standing disagree.")
        self.conflict.setToolTip("Two lines give values that cannot both be right, or one denies another.")
        self.as_of = ElidedLabel(parent=self)
        self.as_of.setObjectName("muted")
        self.tree = CandidateTree(self)
        self.tree.chosen.connect(self.selected)
        self.tree.words_chosen.connect(self.words_chosen)
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
        self._top, self._under = QHBoxLayout(), QHBoxLayout()
        for row, first in ((self._top, self.leader), (self._under, self.as_of)):
            row.setSpacing(GAP)
            row.addWidget(first, 1)
        self._top.addWidget(self.toggle)
        for badge in (self.contested, self.conflict):
            self._under.addWidget(badge)
        bars = QWidget(self)
        column = QVBoxLayout(bars)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.tree, 1)
        column.addWidget(self.legend)
        self.pages = QStackedWidget(self)
        self.nothing = Notice(self)
        for page in (bars, self.table, self.nothing):
            self.pages.addWidget(page)
        main = QWidget(self)
        inside = QVBoxLayout(main)
        inside.setContentsMargins(PAD, GAP, GAP, GAP)
        inside.setSpacing(GRID)
        inside.addLayout(self._top)
        inside.addLayout(self._under)
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
        self.leader.setFont(theme.font(1, bold=True))
        self.as_of.setFont(theme.font(-1))
        for badge in (self.contested, self.conflict):
            badge.setFont(theme.font(-1))
        self.toggle.setIcon(icon("table", theme.colors))
        for part in (self.tree, self.legend, self.table, self.nothing, self.knobs):
            part.set_theme(theme)
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
        self._asked = asked_parts(trace)
        every = [parts for part in self._asked for parts in part.candidates]
        rows = [line for parts in every for line in parts.lines]
        self._lines = {_row_id(line): line for line in rows}
        self._say(trace)
        self.legend.show_kinds(every)
        self.tree.show_asked(self._asked)
        self._share_height()
        self.table.rows_model.set_rows(rows)
        self.table.setColumnHidden(0, len(self._asked) < 2)
        self.nothing.say(*unanswered(trace))
        self._show_table(self.toggle.isChecked())

    def _say(self, trace: Trace) -> None:
        assert self._theme is not None
        thinned, several = trace.thinned, len(self._asked) > 1
        value = thinned.leader
        words = f"★ {one_line(value)}" if value is not None else self._leaderless() if thinned.candidates else ""
        self.leader.say(words, tip=f"Leader: {value}" if value is not None else "")
        self.leader.setAccessibleName(words or "No leader")
        self.contested.setVisible(thinned.contested and not several)  # else the headings say it
        self.conflict.setVisible(thinned.conflict and not several)
        self._word_badges()
        parts = f"{counted(len(self._asked), 'part')} · " if several else ""
        as_of = f"as of {thinned.as_of}" if thinned.as_of else "all lines are undated"
        self.as_of.say(f"{parts}{counted(len(thinned.candidates), 'value')} · {as_of}")
        self.knobs.editors["thin.as_of"].set_placeholder(thinned.as_of or "no dates")

    def _word_badges(self) -> None:
        """Marks with their words, or in a low panel, where they stand beside the leader, the marks alone."""
        if self._theme is None:
            return
        colors, short = self._theme.colors, not self._roomy
        for badge, mark, word in ((self.contested, "◆", "contested"), (self.conflict, "≠", "conflict")):
            fill = colors.conflict_fill if badge is self.contested else "transparent"
            badge.say(mark, "" if short else word, colors.conflict, fill)
            badge.setAccessibleName(word)

    def _leaderless(self) -> str:
        led = sum(part.leader is not None for part in self._asked)
        return f"A clear leader for {led} of {counted(len(self._asked), 'part')}" if led else "No clear leader"

    def _show_selection(self, view: View) -> None:
        ids = set(view.selection.ids)
        rows = tuple(row for row, part in self._lines.items() if part.line.passage_id in ids)
        primary = next((row for row in rows if self._lines[row].line.passage_id == view.selection.primary), None)
        self.table.show_selection(rows, primary)
        self.tree.show_selection(view.selection)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Share the height anew."""
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """Where room is short the lines go before the legend: letters and lines name the kinds as well."""
        several = len(self._asked) > 1
        roomy = self.height() >= max(_ROOMY, _AROUND_TREE + self.tree.height_wanted() if several else 0)
        if roomy == self._roomy:
            return
        self._roomy = roomy
        for part in (self.legend, self.as_of, self.tree.header()):
            part.setVisible(roomy)
        here, there = (self._under, self._top) if roomy else (self._top, self._under)
        for at, badge in enumerate((self.contested, self.conflict), 1):
            there.removeWidget(badge)
            here.insertWidget(at, badge)
        self._word_badges()

    # What a person does

    @Slot(bool)
    def _show_table(self, table: bool) -> None:
        values = bool(self._lines) or len(self._asked) > 1
        self.pages.setCurrentIndex(2 if not values else 1 if table else 0)
        self.toggle.setEnabled(bool(self._lines))

    @Slot(object, object)
    def _chosen_in_table(self, rows: tuple[str, ...], primary: str | None) -> None:
        ids = tuple(dict.fromkeys(self._lines[row].line.passage_id for row in rows))
        line = self._lines[primary].line if primary is not None else None
        self.selected.emit(ids, line.passage_id if line is not None else None)
        if line is not None and line.span is not None:
            self.words_chosen.emit(line.passage_id, line.span)


def _row_id(part: Part) -> str:
    """A passage may speak of several values and parts, and state and deny one."""
    return _SEPARATOR.join((str(part.asked), part.candidate, part.line.passage_id, part.line.stance))


_COLUMNS = (
    Column(title="Part", text=lambda p: str(p.asked + 1), key=lambda p: p.asked, align=RIGHT, chars=4, header_tip="Part of the question"),
    Column(title="Candidate", text=lambda p: one_line(p.value), chars=14, tip=lambda p: p.value, bold=True),
    Column(title="Line", text=lambda p: p.line.passage_id, chars=12),
    Column(title="Stance", text=lambda p: str(p.line.stance), chars=8),
    Column(title="Kind", text=lambda p: p.kind, chars=8),
    Column(title="Reliability", text=lambda p: short(p.line.reliability), key=lambda p: p.line.reliability, align=RIGHT, chars=9),
    Column(title="Recency", text=lambda p: short(p.line.recency), key=lambda p: p.line.recency, align=RIGHT, chars=8),
    Column(title="Adds", text=lambda p: signed(p.line.contribution), key=lambda p: p.line.contribution, align=RIGHT, chars=7, bold=True),
    Column(title="Voice", text=lambda p: str(p.line.voice), key=lambda p: p.line.voice, align=RIGHT, chars=6),
    Column(title="Capped", text=lambda p: p.line.capped, tip=lambda p: p.why_capped, chars=8),
    Column(title="Note", text=lambda p: p.line.note, chars=12),
    Column(title="Words", text=lambda p: p.quote or "in its metadata", chars=34),
)
