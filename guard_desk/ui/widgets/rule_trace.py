"""The four rules of a route in order: value, comparison, threshold, what happened, with a bar that reads at a glance."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from guard_desk.measure.card import RULE_WORDS, THRESHOLD_WORDS, compared
from guard_desk.measure.doubts import UNCERTAIN, UNRELIABLE_TIP
from guard_desk.measure.explain import RuleStep, StepState
from guard_desk.records.decision import Rule
from guard_desk.records.evidence import Question
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.labels import tinted

_SIGNS = {StepState.PASSED: "✓", StepState.STOPPED: "■", StepState.NOT_REACHED: "–"}
# The last rule takes in what the others let through: to pass it by is to be left out.
_EVIDENCE = {StepState.PASSED: "✗ too little", StepState.STOPPED: "■ taken in"}
_ROWS = 4
_UNCERTAIN_TIP = f"{UNCERTAIN} The answer lies in the judge's uncertain band: so near to its own threshold that it may be wrong either way."


class ScoreBar(QWidget):
    """A value from 0 to 1 with the threshold that it is compared with."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = self._threshold = 0.0
        self._hollow = False
        self._colors = ("#888888", "#888888", "#dddddd")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide as there is room, three grid steps high."""
        return QSize(20 * GRID, 3 * GRID)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The least that still reads."""
        return QSize(10 * GRID, 3 * GRID)

    def show_score(self, value: float, threshold: float, *, hollow: bool, colors: tuple[str, str, str]) -> None:
        """Draw a value.

        :param hollow: the rule was not reached.
        :param colors: of the bar, of the threshold's line, of the ground.
        """
        now = (value, threshold, hollow, colors)
        if now != (self._value, self._threshold, self._hollow, self._colors):
            self._value, self._threshold, self._hollow, self._colors = now
            self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar, line, ground = (QColor(color) for color in self._colors)
        area = QRectF(1, 2, self.width() - 2, self.height() - 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(area, 2, 2)
        filled = QRectF(area.x(), area.y(), max(2.0, area.width() * self._value), area.height())
        if self._hollow:
            painter.setPen(QPen(bar, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            filled.adjust(0.5, 0.5, -0.5, -0.5)
        else:
            painter.setBrush(bar)
        painter.drawRoundedRect(filled, 2, 2)
        place = area.x() + area.width() * self._threshold
        painter.setPen(QPen(line, 2))
        painter.drawLine(int(place), 0, int(place), self.height())


class RuleTrace(QWidget):
    """Four rows, made once and filled again and again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self._shown: tuple[object, ...] = ()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        self._rows = [self._make_row(grid, row) for row in range(_ROWS)]

    def _make_row(self, grid: QGridLayout, row: int) -> tuple[QLabel, ScoreBar, QLabel, QLabel]:
        name, bar, numbers, state = QLabel(self), ScoreBar(self), QLabel(self), QLabel(self)
        for column, widget in enumerate((name, bar, numbers, state)):
            grid.addWidget(widget, row, column)
        for label in (name, numbers, state):
            label.setTextFormat(Qt.TextFormat.PlainText)
        return name, bar, numbers, state

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme, self._shown = theme, ()
        for name, _, numbers, state in self._rows:
            name.setFont(theme.font(0))
            numbers.setFont(theme.font(-1, mono=True))
            state.setFont(theme.font(-1))

    def show_steps(self, steps: Sequence[RuleStep], color: str, uncertain: Sequence[Question] = (), *, unreliable: bool = False) -> None:
        """Show the rules.

        :param color: of the place where the passage went; it marks the rule that decided.
        :param unreliable: the answers of the rules that were not reached cannot be trusted.
        """
        self.setVisible(bool(steps))
        now = (tuple(steps), color, tuple(uncertain), unreliable)
        if now == self._shown or self._theme is None:
            return
        self._shown = now
        for row, step in zip(self._rows, steps, strict=False):
            self._fill(row, step, color, uncertain=str(step.rule) in [str(question) for question in uncertain])
            if unreliable and step.rule is not Rule.INJECTION:
                self._doubt(row)

    def _doubt(self, row: tuple[QLabel, ScoreBar, QLabel, QLabel]) -> None:
        """Say that an answer cannot be trusted."""
        name, bar, numbers, state = row
        state.setText("– unreliable")
        for label in (name, numbers, state):
            label.setToolTip(plain_tip(UNRELIABLE_TIP))
        words = f"{name.text()}: {numbers.text()}, unreliable"
        for widget in (bar, state):
            widget.setAccessibleName(words)

    def _fill(self, row: tuple[QLabel, ScoreBar, QLabel, QLabel], step: RuleStep, color: str, *, uncertain: bool) -> None:
        assert self._theme is not None
        name, bar, numbers, state = row
        colors = self._theme.colors
        stopped, reached = step.state is StepState.STOPPED, step.state is not StepState.NOT_REACHED
        name.setText(f"{RULE_WORDS[step.rule]}{f' {UNCERTAIN}' if uncertain else ''}")
        name.setToolTip(plain_tip(_UNCERTAIN_TIP if uncertain else ""))
        numbers.setText(compared(step))
        side = "above" if step.comparison == ">" else "below"
        limit = f"{THRESHOLD_WORDS[step.threshold_name]} {step.threshold:.4f}"
        does = "takes in" if step.rule is Rule.EVIDENCE else "stops"
        numbers.setToolTip(f"The answer is {step.value:.4f}; the rule {does} what is {side} the {limit}.")
        happened = _EVIDENCE.get(step.state) if step.rule is Rule.EVIDENCE else None
        state.setText(happened or f"{_SIGNS[step.state]} {step.state}")
        bar.show_score(step.value, step.threshold, hollow=not reached, colors=(color if stopped else colors.edge, colors.text, colors.line))
        for label in (name, numbers, state):
            tinted(label, color if stopped else colors.text if reached else colors.muted)
        for label in (name, state):
            label.setFont(self._theme.font(0 if label is name else -1, bold=stopped))
        words = f"{RULE_WORDS[step.rule]}: {numbers.text()}, {state.text()[2:]}{', uncertain' if uncertain else ''}"
        bar.setAccessibleName(words)
        state.setAccessibleName(words)
