"""Prompt: the blocks as the model sees them, what their tokens cost, and what found no room."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from guard_desk.measure.prompt_use import PromptUse, Use, prompt_use
from guard_desk.records.decision import Prompt
from guard_desk.records.trace import Trace
from guard_desk.ui.icons import icon
from guard_desk.ui.models.table import RIGHT, Column, RowsModel
from guard_desk.ui.panels.base import Panel
from guard_desk.ui.theme import GAP, GRID, PAD, Colors, Theme, place_style
from guard_desk.ui.view import View
from guard_desk.ui.widgets.budget_bar import BudgetBar
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.knob_column import KnobColumn
from guard_desk.ui.widgets.prompt_text import PromptText
from guard_desk.ui.widgets.rows_table import RowsTable

_KNOBS = {
    "Choice and budget": (
        ("assemble.budget_tokens", "Budget"),
        ("assemble.k", "Most places (k)"),
        ("assemble.strategy", "Strategy"),
        ("assemble.mmr_lambda", "MMR lambda"),
        ("assemble.similarity_floor", "Similarity floor"),
    )
}
_ALL_FIT = "Every accepted passage found room."


class PromptPanel(Panel):
    """The prompt, its tokens, its leftovers."""

    promise = "The blocks as the model sees them, with their tokens against the budget."

    knob_moved = Signal(str, object)
    knob_released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt_view")
        self.setAccessibleName("Prompt")
        self._prompt: Prompt | None = None
        self._theme: Theme | None = None
        self.head = ElidedLabel(parent=self)
        self.bar = BudgetBar(self)
        self.bar.chosen.connect(self._choose)
        self.text = PromptText(self)
        self.text.setObjectName("prompt_text")
        self.text.setAccessibleName("Prompt as the model sees it")
        self.text.span_clicked.connect(self._choose_block)
        self.table = self._make_table(_COLUMNS, "Tokens by passage as a table")
        self.outside = self._make_table(_OUTSIDE, "Accepted passages that found no room")
        self.outside.setObjectName("prompt_left_out")
        self.outside.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.mono = self._make_button("Aa", "prompt_mono", "Letters of one width", checkable=True)
        self.as_table = self._make_button("Table", "prompt_table_toggle", "The same tokens as a table", checkable=True)
        self.copy = self._make_button("Copy", "prompt_copy", "Copy the whole prompt, exactly as the model gets it")
        self.mono.toggled.connect(self._set_mono)
        self.as_table.toggled.connect(self._show_table)
        self.copy.clicked.connect(self.copy_prompt)
        self.knobs = KnobColumn(_KNOBS, self)
        self.knobs.moved.connect(self.knob_moved)
        self.knobs.released.connect(self.knob_released)
        self._lay_out()

    # Its parts

    def _make_table(self, columns: tuple[Column, ...], name: str) -> RowsTable:
        table = RowsTable(RowsModel(columns, _id_of, self), self)
        table.setAccessibleName(name)
        table.chosen.connect(self.selected)
        return table

    def _make_button(self, text: str, name: str, tip: str, *, checkable: bool = False) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setCheckable(checkable)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly if name == "prompt_mono" else Qt.ToolButtonStyle.ToolButtonIconOnly)
        return button

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID)
        for widget, stretch in ((self.head, 1), (self.mono, 0), (self.as_table, 0), (self.copy, 0)):
            top.addWidget(widget, stretch)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.text)
        self.pages.addWidget(self.table)
        main = QWidget(self)
        column = QVBoxLayout(main)
        column.setContentsMargins(PAD, GAP, GAP, GAP)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addWidget(self.bar)
        column.addWidget(self.pages, 1)
        self.side = QSplitter(Qt.Orientation.Vertical, self)
        self.side.addWidget(self._left_out())
        self.side.addWidget(self.knobs)
        self.side.setStretchFactor(0, 1)
        self.side.setStretchFactor(1, 2)
        self.side.setSizes([150, 230])
        self.side.setChildrenCollapsible(False)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.addWidget(main)
        self.splitter.addWidget(self.side)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([390, 230])
        self.splitter.setChildrenCollapsible(False)
        outer = QHBoxLayout(self.content)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.splitter)

    def _left_out(self) -> QWidget:
        box = QWidget(self)
        column = QVBoxLayout(box)
        column.setContentsMargins(GAP, GAP, PAD, 0)
        column.setSpacing(GRID)
        self._outside_title = QLabel("Did not fit", self)
        self._outside_title.setObjectName("panel_title")
        self._all_fit = QLabel(_ALL_FIT, self)
        self._all_fit.setObjectName("muted")
        self._all_fit.setWordWrap(True)
        self._all_fit.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._outside_pages = QStackedWidget(self)
        self._outside_pages.addWidget(self._all_fit)
        self._outside_pages.addWidget(self.outside)
        self._outside_pages.setMinimumHeight(14 * GRID)
        column.addWidget(self._outside_title)
        column.addWidget(self._outside_pages, 1)
        return box

    # What it shows

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        self.head.setFont(theme.font(0, bold=True))
        self._outside_title.setFont(theme.font(-1, bold=True))
        self._all_fit.setFont(theme.font(-1))
        for button in (self.mono, self.as_table, self.copy):
            button.setFont(theme.font(0))
        self.copy.setIcon(icon("copy", theme.colors))
        self.as_table.setIcon(icon("table", theme.colors))
        for part in (self.bar, self.text, self.table, self.outside, self.knobs):
            part.set_theme(theme)
        self._prompt = None

    def show_result(self, view: View) -> None:
        """Show the prompt of a run."""
        assert view.trace is not None
        assert self._theme is not None
        self.knobs.show_view(view)
        if view.trace.prompt is not self._prompt:
            self._prompt = view.trace.prompt
            self._fill(view.trace)
        chosen = view.selection
        self.bar.show_primary(chosen.primary)
        self.table.show_selection(chosen.ids, chosen.primary)
        self.outside.show_selection(chosen.ids, chosen.primary)
        self.text.choose(next((b.span.start for b in view.trace.prompt.blocks if b.passage_id == chosen.primary), None))

    def _fill(self, trace: Trace) -> None:
        assert self._theme is not None
        use, prompt = prompt_use(trace), trace.prompt
        self.head.say(f"{use.tokens:,} of {use.budget:,} tokens · {_rest(use, trace)}")
        self.bar.show_use(use)
        self.text.show_prompt(prompt.text, prompt.blocks, self._theme)
        self.table.rows_model.set_rows([*use.inside, *use.outside])
        self.outside.rows_model.set_rows(use.outside)
        self._outside_title.setText(f"Did not fit ({len(use.outside)})")
        self._outside_pages.setCurrentIndex(1 if use.outside else 0)

    # What a person does

    @Slot(str)
    def _choose(self, passage_id: str) -> None:
        self.selected.emit((passage_id,), passage_id)

    @Slot(int)
    def _choose_block(self, start: int) -> None:
        block = next((b for b in self._prompt.blocks if b.span.start == start), None) if self._prompt is not None else None
        if block is not None:
            self._choose(block.passage_id)

    @Slot(bool)
    def _set_mono(self, mono: bool) -> None:
        if self._theme is not None:
            self.text.set_mono(mono, self._theme)

    @Slot(bool)
    def _show_table(self, table: bool) -> None:
        self.pages.setCurrentIndex(1 if table else 0)

    @Slot()
    def copy_prompt(self) -> None:
        """Put the whole prompt on the clipboard, from the record, not from the screen."""
        if self._prompt is not None:
            QGuiApplication.clipboard().setText(self._prompt.text)


def _rest(use: PromptUse, trace: Trace) -> str:
    blocks = len(use.inside)
    words = [f"{blocks} {'block' if blocks == 1 else 'blocks'}", f"{use.total:,} with rules and question"]
    return " · ".join(words + (["the answer is of an earlier prompt"] if "generate" in trace.stale else []))


def _id_of(item: Use) -> str:
    return item.passage_id


def _tokens(item: Use) -> str:
    """A passage behind the last place was never counted."""
    return f"{item.tokens:,}" if item.tokens else "–"


def _place(item: Use) -> str:
    style = place_style(Colors(**dict.fromkeys(Colors.__dataclass_fields__, "")), item.place)
    return f"{style.mark} {style.word}"


def _color(item: Use, colors: Colors) -> str:
    return place_style(colors, item.place).color


_COLUMNS = (
    Column(title="#", text=lambda u: str(u.number or ""), key=lambda u: u.number, align=RIGHT, chars=3),
    Column(title="Passage", text=lambda u: u.passage_id, chars=14, stretch=True),
    Column(title="Place", text=_place, color=_color, tip=lambda u: u.detail or _place(u), chars=13),
    Column(title="Tokens", text=_tokens, key=lambda u: u.tokens or None, align=RIGHT, chars=7, bold=True),
    Column(title="Of budget", text=lambda u: f"{u.share:.1%}" if u.tokens else "–", key=lambda u: u.share, align=RIGHT, chars=8),
    Column(title="Stands for", text=lambda u: str(u.members), key=lambda u: u.members, align=RIGHT, chars=8),
)
_OUTSIDE = (
    Column(title="Passage", text=lambda u: u.passage_id, chars=5, stretch=True, tip=lambda u: f"{u.passage_id}\n{u.detail}"),
    Column(title="Why", text=_place, color=_color, tip=lambda u: u.detail or _place(u), chars=9),
    Column(title="Tokens", text=_tokens, key=lambda u: u.tokens or None, align=RIGHT, chars=4),
)
