"""The flip ledger: what the policy in force changed against the baseline, at what cost, and whether labels call it a fix or a break."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from guard_desk.measure.compare import Change, Ledger, Verdict
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Placement
from guard_desk.ui.models.table import RIGHT, Column, RowsModel
from guard_desk.ui.numbers import change, counted, signed
from guard_desk.ui.panels.base import Panel, framed_layout
from guard_desk.ui.theme import GAP, GRID, PAD, Colors, Theme, place_style
from guard_desk.ui.view import View
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.labels import tinted
from guard_desk.ui.widgets.rows_table import RowsTable

_RULES = {
    "injection": "injection",
    "contradicts": "contradiction",
    "relevant": "relevance",
    "evidence": "evidence",
    "default": "evidence",  # too little of it: the threshold that the margin counts from
    "not_judged": "not judged",
}
NO_CHANGES = "No decision changes."
_VERDICTS = {Verdict.FIX: "✓ fix", Verdict.BREAK: "✗ break", Verdict.NEUTRAL: "neutral", Verdict.UNLABELLED: "–"}


class FlipLedgerPanel(Panel):
    """Sums on top, a row for each passage whose place changed; choosing a row chooses the passage."""

    promise = "What a threshold or a knob changes against the baseline, passage by passage."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Flip ledger")
        self._ledger: Ledger | None = None
        self._theme: Theme | None = None
        self._passages: dict[str, Passage] = {}
        self._pool: object = None
        self.sums = ElidedLabel(parent=self.content)
        self.sums.setAccessibleName("Sums of the changes")
        self.model = RowsModel(self._columns(), lambda row: row.passage_id, self)
        self.table = RowsTable(self.model, self.content)
        self.table.setObjectName("flip_ledger")
        self.table.setAccessibleName("Changes against the baseline")
        self.nothing = QWidget(self.content)
        self._pages = QStackedWidget(self.content)
        self._pages.addWidget(self.nothing)
        self._pages.addWidget(self.table)
        layout = framed_layout(self.content)
        layout.setContentsMargins(PAD, 0, PAD, GAP)
        layout.setSpacing(GRID)
        self.title_row = self.sums
        layout.addWidget(self.sums)
        layout.addWidget(self._pages, 1)
        self.table.chosen.connect(self._choose)

    def _columns(self) -> tuple[Column, ...]:
        return (
            Column(title="id", text=lambda row: row.passage_id, tip=self._tip, chars=7, stretch=True),
            Column(title="from", text=lambda row: self._place(row.before), color=lambda row, c: _color(row.before, c), chars=15),
            Column(title="→ to", text=lambda row: self._place(row.after), color=lambda row, c: _color(row.after, c), chars=15),
            Column(title="rule", text=lambda row: _RULES.get(row.rule, row.rule), tip=lambda row: row.after.detail, chars=10, spare=3),
            Column(
                title="margin",
                text=lambda row: "–" if row.margin is None else signed(row.margin),
                key=lambda row: row.margin,
                align=RIGHT,
                chars=5,
                spare=1,
                header_tip="answer − threshold of the rule that decides now",
            ),
            Column(
                title="tokens",
                text=lambda row: change(row.tokens),
                key=lambda row: row.tokens,
                align=RIGHT,
                chars=5,
                spare=2,
                header_tip="added to the prompt or taken out of it",
            ),
            Column(title="label", text=lambda row: _VERDICTS[row.verdict], color=_verdict_color, tip=_verdict_tip, chars=6),
        )

    def _place(self, placement: Placement) -> str:
        if self._theme is None:
            return placement.name
        style = place_style(self._theme.colors, placement.place, placement.rule)
        return f"{style.mark} {style.word}"

    def _tip(self, row: Change) -> str:
        passage = self._passages.get(row.passage_id)
        if passage is None:
            return row.passage_id
        text = passage.text if len(passage.text) <= 300 else passage.text[:300] + "…"
        return "\n".join(part for part in (row.passage_id, passage.title, text) if part)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and fonts."""
        self._theme = theme
        self._say_sums()
        self.table.set_theme(theme)

    def show_result(self, view: View) -> None:
        """Show the ledger of the view; the order on the screen stays while a threshold moves."""
        assert view.trace is not None
        if view.trace.retrieved is not self._pool:
            self._pool = view.trace.retrieved
            self._passages = {passage.id: passage for passage in view.trace.retrieved.passages}
        if view.ledger is not self._ledger:
            self._ledger = view.ledger
            self._show_ledger(view.ledger)
        self.table.show_selection(view.selection.ids, view.selection.primary)

    def _show_ledger(self, ledger: Ledger | None) -> None:
        changes = ledger.changes if ledger is not None else ()
        shown = self.model.rows
        if len(shown) == len(changes) and all(old.passage_id == new.passage_id for old, new in zip(shown, changes, strict=True)):
            self.model.refresh(changes)
        else:
            self.model.set_rows(changes)
        self._say_sums()
        self._pages.setCurrentWidget(self.table if changes else self.nothing)

    def _say_sums(self) -> None:
        changed = self._ledger is not None and bool(self._ledger.changes)
        if self._theme is not None:
            self.sums.setFont(self._theme.font(0, bold=changed))
            tinted(self.sums, self._theme.colors.text if changed else self._theme.colors.muted)
        if self._ledger is not None and changed:
            self.sums.say(sums(self._ledger), sums_tip(self._ledger))
        else:
            self.sums.say(NO_CHANGES)

    @Slot(object, object)
    def _choose(self, ids: tuple[str, ...], primary: str | None) -> None:
        self.selected.emit(ids, primary)


def sums(ledger: Ledger) -> str:
    """The ledger in one line: "4 flips · 2 in, 1 out · +180 tokens · 1 fix, 0 breaks"."""
    moved = len(ledger.changes) - ledger.route_changes
    parts = [counted(ledger.route_changes, "flip") + (f" (+{moved:,} moved)" if moved > 0 else "")]
    parts.append(f"{ledger.into_prompt:,} in, {ledger.out_of_prompt:,} out")
    parts.append(f"{change(ledger.tokens)} {'token' if abs(ledger.tokens) == 1 else 'tokens'}")
    if any(row.verdict is not Verdict.UNLABELLED for row in ledger.changes):
        parts.append(f"{counted(ledger.fixes, 'fix', 'fixes')}, {counted(ledger.breaks, 'break')}")
    return " · ".join(parts)


def sums_tip(ledger: Ledger) -> str:
    """The sums in words."""
    moved = max(0, len(ledger.changes) - ledger.route_changes)
    return (
        f"{counted(ledger.route_changes, 'passage')} changed the route, {counted(moved, 'other', 'others')} only the place.\n"
        f"{ledger.into_prompt:,} came into the prompt, {ledger.out_of_prompt:,} left it."
    )


def _color(placement: Placement, colors: Colors) -> str:
    return place_style(colors, placement.place, placement.rule).color


def _verdict_color(row: Change, colors: Colors) -> str:
    return {Verdict.FIX: colors.evidence, Verdict.BREAK: colors.wrong}.get(row.verdict, colors.muted)


def _verdict_tip(row: Change) -> str:
    return {
        Verdict.FIX: "The label says that this is where the passage belongs.",
        Verdict.BREAK: "The label says that the passage belonged where it was.",
        Verdict.NEUTRAL: "Wrong before and after, or right both times, by the label.",
        Verdict.UNLABELLED: "The passage has no label that tells where it belongs.",
    }[row.verdict]
