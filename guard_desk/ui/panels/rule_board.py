"""The rule board: four thresholds in the order of the route, on the pool's own answers. The heart of tuning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from guard_desk.measure.doubts import UNCERTAIN, band_words, bands, is_uncertain
from guard_desk.measure.portability import judge_warning, threshold_warning
from guard_desk.measure.strips import STRIP_RULES, Strip, make_strips
from guard_desk.policy import Policy, Thresholds
from guard_desk.records.decision import Prompt
from guard_desk.records.evidence import Judged, Question
from guard_desk.records.state import Models
from guard_desk.ui.icons import icon
from guard_desk.ui.judge_kinds import spent_words
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.numbers import counted
from guard_desk.ui.panels.base import Panel, framed_layout
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.view import View
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.info_bar import InfoBar
from guard_desk.ui.widgets.strip_dots import kind_codes, legend_marks
from guard_desk.ui.widgets.strip_table import StripTable
from guard_desk.ui.widgets.threshold_strip import ThresholdStrip

_LOW = 120 * GRID
"""Below this height a warning is one line."""

Positions = npt.NDArray[np.int64]


class RuleBoardPanel(Panel):
    """Four strips, or the same numbers as a table. Counts and flips follow a drag at once, from the stored answers."""

    knob_moved = Signal(str, object)
    """path ("thresholds.relevant_min"), value (float)"""
    knob_released = Signal()
    own_thresholds_asked = Signal()
    """The thresholds are to be the judge's own."""
    promise = "Four rules in order, each on the scores of this question. Drag a line: what flips shows at once."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rule_board")
        self.setAccessibleName("Rule board")
        self._low = False
        self._warned: tuple[Policy, Models, Judged] | None = None
        self._judged: Judged | None = None
        self._prompt: Prompt | None = None
        self._ids: tuple[str, ...] = ()
        self._positions: dict[str, int] = {}
        self._in_force: tuple[Thresholds, Thresholds | None] | None = None
        self._chosen: tuple[tuple[str, ...], str | None] = ((), None)
        self.strips_shown: tuple[Strip, ...] = ()
        self._build_head()
        self.warning = InfoBar("threshold_warning", "&Use this judge's own thresholds", "&Use own", self.content)
        self.warning.asked.connect(self.own_thresholds_asked)
        self.strips = tuple(ThresholdStrip(rule, self.content) for rule in STRIP_RULES)
        self.table = StripTable(self.content)
        self._lay_out()
        for strip in self.strips:
            strip.moved.connect(self._move)
            strip.released.connect(self.knob_released)
            strip.plot.brushed.connect(self._brush)
            strip.plot.picked.connect(self._pick)
        self.table.chosen.connect(self._choose)

    def _build_head(self) -> None:
        self.summary = ElidedLabel(parent=self.content)
        self.summary.setObjectName("muted")
        self.not_judged = QToolButton(self.content)
        self.not_judged.setObjectName("rule_board_not_judged")
        self.not_judged.setAutoRaise(True)
        self.not_judged.setToolTip("Choose the passages that were not judged. They are on no strip: they have no answers.")
        self.not_judged.clicked.connect(self._choose_not_judged)
        self.uncertain = QToolButton(self.content)
        self.uncertain.setObjectName("rule_board_uncertain")
        self.uncertain.setAutoRaise(True)
        self.uncertain.clicked.connect(self._choose_uncertain)
        self.as_table = QToolButton(self.content)
        self.as_table.setObjectName("rule_board_table_button")
        self.as_table.setText("Table")
        self.as_table.setCheckable(True)
        self.as_table.setToolTip("Show the numbers of the strips as a table")
        self.as_table.setAccessibleName("Show the rule board as a table")
        self.as_table.toggled.connect(self._turn)

    def _lay_out(self) -> None:
        self.title_row = QWidget(self.content)
        self._head = head = QHBoxLayout(self.title_row)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(GAP)
        head.addWidget(self.summary, 1)
        head.addWidget(self.not_judged)
        head.addWidget(self.uncertain)
        head.addWidget(self.as_table)
        self._legend = QLabel(self)
        self._legend.setTextFormat(Qt.TextFormat.RichText)  # our own words only
        self._legend.setWordWrap(True)
        board = QWidget(self)
        self._column = QVBoxLayout(board)
        self._column.setContentsMargins(0, 0, 0, 0)
        for strip in self.strips:
            self._column.addWidget(strip, 1)
        self._scroll = QScrollArea(self.content)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(board)
        self._scroll.viewport().setAutoFillBackground(False)
        board.setAutoFillBackground(False)
        self._pages = QStackedWidget(self.content)
        self._pages.addWidget(self._scroll)
        self._pages.addWidget(self.table)
        self._board = layout = framed_layout(self.content)
        layout.setSpacing(GRID)
        layout.addWidget(self.title_row)
        layout.addWidget(self.warning)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._legend)

    # How it looks

    def set_theme(self, theme: Theme) -> None:
        """Take colours and fonts."""
        for strip in self.strips:
            strip.set_theme(theme)
        self.table.set_theme(theme)
        self.summary.setFont(theme.font(-1))
        self.warning.set_theme(theme)
        for button in (self.not_judged, self.uncertain, self.as_table):
            button.setFont(theme.font(-1))
            button.setStyleSheet(f"min-height: {5 * GRID}px;")
        self.as_table.setIcon(icon("table", theme.colors))
        self.as_table.setIconSize(QSize(4 * GRID, 4 * GRID))
        self._legend.setFont(theme.font(-1))
        marks = [
            f'<span style="color:{color}">{mark}</span>&nbsp;{word.replace(" ", "&nbsp;")}'
            for mark, color, word in legend_marks(theme.colors)
        ]
        marks += ["□&nbsp;hollow:&nbsp;decided&nbsp;earlier", f"<s>&nbsp;○&nbsp;</s>&nbsp;{UNCERTAIN}&nbsp;uncertain"]
        self._legend.setText(f'<span style="color:{theme.colors.muted}">{" &nbsp; ".join(marks)}</span>')
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """In a low window the sliders stand beside the titles."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        head = self.as_table.sizeHint().height() + GRID if self.content.isAncestorOf(self.as_table) else 0
        room = self.height() - head - GAP - GRID - self._place_warning()
        full = sum(strip.full_height() + GAP for strip in self.strips) - GAP
        beside = max(strip.beside_name() for strip in self.strips)
        names = max(0, min(max(strip.name_width() for strip in self.strips), self._scroll.viewport().width() - beside))
        for strip in self.strips:
            strip.set_compact(room < full)
            strip.set_name_width(names)
        self._column.setSpacing(GRID if room < full else GAP)
        fits = room >= full + GRID + self._legend.heightForWidth(max(1, self.width() - 6 * GRID))
        self._legend.setVisible(fits and not self.as_table.isChecked())

    def _place_warning(self) -> int:
        """Put the warning over the strips, or in a low window in place of the summary. :returns: the height that it takes."""
        low, shown = self.height() < _LOW, not self.warning.isHidden()
        if low != self._low:
            self._low = low
            self.warning.set_low(low)
            if low:
                self._head.insertWidget(0, self.warning, 1)
            else:
                self._head.removeWidget(self.warning)
                self._board.insertWidget(self._board.indexOf(self._pages), self.warning)
        self.summary.setVisible(not (low and shown))
        if low or not shown:
            return 0
        return max(self.warning.heightForWidth(self.width() - 6 * GRID), self.warning.sizeHint().height()) + GRID

    # What it shows

    def show_result(self, view: View) -> None:
        """Show the strips; only what differs from the picture before is drawn."""
        assert view.trace is not None
        judged = view.trace.judged
        fresh = judged is not self._judged
        if fresh:
            self._take(judged)
        if fresh or view.trace.prompt is not self._prompt:
            self._prompt = view.trace.prompt
            codes = kind_codes(self._prompt.places)
            for strip in self.strips:
                strip.plot.show_pool(self._ids, codes, self._uncertain[strip.rule.name])
        thresholds = view.state.policy.thresholds or judged.thresholds
        self._show(thresholds, view.baseline.routed.thresholds if view.baseline is not None else None)
        self._say_warning(view, judged)
        chosen = (view.selection.ids, view.selection.primary)
        if fresh or chosen != self._chosen:
            self._show_chosen(*chosen)

    def _say_warning(self, view: View, judged: Judged) -> None:
        """Thresholds of another judge, else a run of another judge than the one that is chosen."""
        policy, chosen = view.state.policy, view.state.models
        if self._warned is not None and self._warned[:2] == (policy, chosen) and self._warned[2] is judged:
            return
        self._warned = (policy, chosen, judged)
        words, made_for = threshold_warning(policy, judged), policy.thresholds_for
        short = f"for {made_for}" if made_for else "not this judge's"
        if words is None:
            words, short = judge_warning(judged.judge, view.state.models) or "", f"run of {judged.judge.name}"
            self.warning.say(words, short, offer=False)
        else:
            self.warning.say(words, short)
        self._fit()

    def _take(self, judged: Judged) -> None:
        self._judged, self._in_force = judged, None
        self._ids = tuple(judgement.passage_id for judgement in judged.judgements)
        self._positions = {passage_id: at for at, passage_id in enumerate(self._ids)}
        self._uncertain = {
            rule.name: np.array([rule.question in judgement.uncertain for judgement in judged.judgements], dtype=np.bool_)
            for rule in STRIP_RULES
        }
        for strip in self.strips:
            strip.show_ids(self._ids)
        missing = sum(1 for judgement in judged.judgements if judgement.answers is None)
        self.not_judged.setVisible(bool(missing))
        self.not_judged.setText(f"? {missing:,} not judged")
        self.not_judged.setAccessibleName(f"{counted(missing, 'passage')} not judged: choose them")
        self._show_uncertain(judged)
        total = len(self._ids)
        spent = f" · {spent_words(judged.spent)}" if judged.spent is not None and judged.spent.requests else ""
        words = f"{counted(total - missing, 'passage')} judged by {judged.judge.name}{spent}"
        self.summary.say(words if total else "No passages were retrieved.", f"{words}\n{judged.judge.detail}" if total else "")

    def _show_uncertain(self, judged: Judged) -> None:
        """How many passages have an uncertain answer, and on each strip what that means."""
        number = sum(1 for judgement in judged.judgements if is_uncertain(judgement))
        found = bands(judged.judgements)
        self.uncertain.setVisible(bool(number))
        self.uncertain.setText(f"{UNCERTAIN} {number:,}")
        self.uncertain.setAccessibleName(f"{counted(number, 'passage')} with an uncertain answer: choose them")
        lines = [band_words(found, rule.question, judged.judge.name).partition(" In this run: ")[2] for rule in STRIP_RULES]
        known = "\n".join(f"{rule.question}: {line}" for rule, line in zip(STRIP_RULES, lines, strict=True) if line)
        self.uncertain.setToolTip(
            plain_tip(
                f"{counted(number, 'passage')} uncertain: choose them.\n{band_words({}, Question.RELEVANT, judged.judge.name)}\n{known}"
            )
        )

    def _show(self, thresholds: Thresholds, baseline: Thresholds | None) -> None:
        assert self._judged is not None
        if self._in_force == (thresholds, baseline):
            return
        self._in_force = (thresholds, baseline)
        self.strips_shown = make_strips(self._judged.scores, thresholds, baseline)
        for widget, strip in zip(self.strips, self.strips_shown, strict=True):
            widget.show_strip(strip)
        if self._pages.currentWidget() is self.table:
            self.table.show_strips(self._ids, self.strips_shown)

    def _show_chosen(self, ids: tuple[str, ...], primary: str | None) -> None:
        self._chosen = (ids, primary)
        positions = np.array([self._positions[i] for i in ids if i in self._positions], dtype=np.int64)
        main = self._positions.get(primary) if primary is not None else None
        for strip in self.strips:
            strip.plot.show_chosen(positions, main)
        self.table.show_selection(ids, primary)

    @Slot(bool)
    def _turn(self, table: bool) -> None:
        if table and self._judged is not None:
            self.table.show_strips(self._ids, self.strips_shown)
        self._pages.setCurrentWidget(self.table if table else self._scroll)
        self.as_table.setText("Strips" if table else "Table")
        self._fit()

    # What a person does

    @Slot(str, float)
    def _move(self, name: str, value: float) -> None:
        """Show the new counts at once, then tell: deciding again may take longer."""
        if self._in_force is None:
            return
        thresholds, baseline = self._in_force
        self._show(replace(thresholds, **{name: value}), baseline)
        self.knob_moved.emit(f"thresholds.{name}", value)

    @Slot(float, float)
    def _brush(self, low: float, high: float) -> None:
        strip = self._strip_of(self.sender())
        self._choose_positions(np.flatnonzero((strip.values >= low) & (strip.values <= high)))

    @Slot(int, bool)
    def _pick(self, position: int, add: bool) -> None:
        picked, ids = self._ids[position], self._chosen[0]
        if not add:
            self.selected.emit((picked,), picked)
        elif picked in ids:
            left = tuple(i for i in ids if i != picked)
            self.selected.emit(left, left[0] if left else None)
        else:
            self.selected.emit((*ids, picked), picked)

    def _strip_of(self, plot: object) -> Strip:
        at = next(at for at, strip in enumerate(self.strips) if strip.plot is plot)
        return self.strips_shown[at]

    def _choose_positions(self, positions: Positions | Sequence[int]) -> None:
        ids = tuple(self._ids[int(at)] for at in positions)
        if ids:
            self.selected.emit(ids, ids[0])

    @Slot()
    def _choose_not_judged(self) -> None:
        assert self._judged is not None
        self._choose_positions(np.flatnonzero(np.isnan(self._judged.scores[:, 3])))

    @Slot()
    def _choose_uncertain(self) -> None:
        assert self._judged is not None
        self._choose_positions([at for at, judgement in enumerate(self._judged.judgements) if is_uncertain(judgement)])

    @Slot(object, object)
    def _choose(self, ids: tuple[str, ...], primary: str | None) -> None:
        self.selected.emit(ids, primary)
