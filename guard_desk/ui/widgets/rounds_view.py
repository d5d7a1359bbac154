"""The rounds in which an answer was asked for, as a table under one sentence; live while they come in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from guard_desk.measure.answer_rounds import ESTIMATED, count_words
from guard_desk.ui.models.table import RIGHT, Column, RowsModel
from guard_desk.ui.round_rows import RoundRow, Rounds
from guard_desk.ui.theme import GAP, GRID, Colors, Theme
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.labels import tinted
from guard_desk.ui.widgets.rows_table import RowsTable

_LOW = 26 * GRID
"""Below this height, at text of common size, the sentence is told by the tab's tooltip alone."""


def _line(text: str) -> str:
    return " ".join(text.split())


def _count(number: int | None) -> str:
    return "…" if number is None else f"{number:,}"


def _tokens(row: RoundRow, number: int | None) -> str:
    return "…" if row.asked is None or number is None else count_words(number, row.asked.estimated)


def _tokens_tip(row: RoundRow) -> str:
    return ESTIMATED if row.asked is not None and row.asked.estimated else ""


def _same_color(row: RoundRow, colors: Colors) -> str:
    signs = {"✓": colors.evidence, "≠": colors.conflict, "■": colors.wrong, "…": colors.accent}
    return signs.get(row.same[:1], colors.muted)


def _prompt_tokens(row: RoundRow) -> int | None:
    return row.asked.prompt_tokens if row.asked else None


def _answer_tokens(row: RoundRow) -> int | None:
    return row.asked.answer_tokens if row.asked else None


def _lines(row: RoundRow) -> int | None:
    return len(row.asked.passage_ids) if row.asked else None


def _ids_tip(row: RoundRow) -> str:
    return "\n".join(row.asked.passage_ids) if row.asked else "its lines are told when it is finished"


_COLUMNS = (
    Column(title="Round", text=lambda r: str(r.number), key=lambda r: r.number, align=RIGHT, chars=5),
    Column(title="Lines", text=lambda r: _count(_lines(r)), key=_lines, align=RIGHT, tip=_ids_tip, chars=5, header_tip="Passages it read"),
    Column(
        title="In",
        text=lambda r: _tokens(r, _prompt_tokens(r)),
        key=_prompt_tokens,
        align=RIGHT,
        tip=_tokens_tip,
        chars=7,
        header_tip="Tokens read",
    ),
    Column(
        title="Out",
        text=lambda r: _tokens(r, _answer_tokens(r)),
        key=_answer_tokens,
        align=RIGHT,
        tip=_tokens_tip,
        chars=5,
        header_tip="Tokens written",
    ),
    Column(title="Answer", text=lambda r: _line(r.text) or "(nothing)", tip=lambda r: r.text or "(nothing)", stretch=True, chars=16),
    Column(title="Same?", text=lambda r: r.same, color=_same_color, chars=11, bold=True, header_tip="The same answer as the round before"),
    Column(title="Time", text=lambda r: f"{r.asked.seconds:.1f} s" if r.asked else "", align=RIGHT, chars=5),
)
_SPARED = (6,)
_ROOMY = 62
"""Letters that must find room before the seconds are shown."""


class RoundsView(QWidget):
    """Shows `Rounds`; says which round a person chose, and that a generator is wanted."""

    round_chosen = Signal(object)
    """ids of its passages, best first (tuple of str)"""
    generator_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rounds = Rounds(rows=(), words="")
        self._theme: Theme | None = None
        self.words = ElidedLabel(parent=self)
        self.words.setAccessibleName("What came of the rounds")
        self.table = RowsTable(RowsModel(_COLUMNS, lambda row: str(row.number), self), self, multiple=False)
        self.table.setObjectName("rounds_table")
        self.table.setAccessibleName("Rounds in which the answer was asked for")
        self.table.chosen.connect(self._choose)
        self.empty = QLabel(self)
        self.empty.setObjectName("muted")
        self.empty.setTextFormat(Qt.TextFormat.PlainText)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.choose = QPushButton("&Choose a generator…", self)
        self.choose.setObjectName("choose_generator")
        self.choose.clicked.connect(self.generator_asked)
        self._lay_out()

    def _lay_out(self) -> None:
        nothing = QWidget(self)
        inside = QVBoxLayout(nothing)
        inside.setContentsMargins(GAP, 0, GAP, 0)
        inside.setSpacing(GRID)
        inside.addStretch(1)
        inside.addWidget(self.empty)
        inside.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignHCenter)
        inside.addStretch(1)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.table)
        self._pages.addWidget(nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.words)
        column.addWidget(self._pages, 1)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme = theme
        self.table.set_theme(theme)
        for widget in (self.empty, self.choose, self.words):
            widget.setFont(theme.font(0))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Where room is short the rows go before the sentence and the seconds."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        scale = self._theme.scale if self._theme is not None else 1.0
        self.words.setVisible(bool(self._rounds.rows) and self.height() >= _LOW * scale)
        letters = self.width() / max(1, self.table.fontMetrics().averageCharWidth())
        for column in _SPARED:
            self.table.setColumnHidden(column, letters < _ROOMY)

    def show_rounds(self, rounds: Rounds, *, writes: bool) -> None:
        """Show rounds; the row that comes in stays in sight.

        :param writes: whether a generator is chosen.
        """
        if rounds != self._rounds:
            longer = len(rounds.rows) != len(self._rounds.rows) or rounds.live != self._rounds.live
            self._rounds = rounds
            self.table.rows_model.refresh(rounds.rows)
            if rounds.live and longer:
                self.table.scrollToBottom()
        self.words.say(f"{'⚠ ' if rounds.warns else ''}{rounds.words}")
        if self._theme is not None:
            tinted(self.words, self._theme.colors.conflict if rounds.warns else self._theme.colors.muted)
        self.empty.setText(rounds.words)
        self.choose.setVisible(not writes)
        self._pages.setCurrentIndex(0 if rounds.rows else 1)
        self._fit()

    def show_chosen(self, ids: tuple[str, ...]) -> None:
        """Mark the round whose passages are chosen, without telling anyone."""
        number = next((str(row.number) for row in self._rounds.rows if row.asked and row.asked.passage_ids == ids), None)
        self.table.show_selection((number,) if number else (), number)

    @Slot(object, object)
    def _choose(self, _ids: tuple[str, ...], number: str | None) -> None:
        asked = next((row.asked for row in self._rounds.rows if str(row.number) == number), None)
        if asked is not None:
            self.round_chosen.emit(asked.passage_ids)
