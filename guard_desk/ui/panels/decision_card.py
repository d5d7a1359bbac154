"""The decision card: what became of the chosen passage, by which rule, and what would change it; beside it the passage itself."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from guard_desk.measure.card import (
    Card,
    CardMark,
    Line,
    MarkKind,
    card,
    chosen_evidence,
    flip_words,
    instructions,
    partial_card,
    score,
    support_marks,
    text_marks,
)
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Place
from guard_desk.records.evidence import Judged
from guard_desk.ui.panels.base import Notice, Panel, framed_layout
from guard_desk.ui.theme import GAP, GRID, Colors, Theme, place_style
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.fact_list import FactList
from guard_desk.ui.widgets.labels import Badge, banner_sheet, tinted
from guard_desk.ui.widgets.marks import Mark, MarkStyle
from guard_desk.ui.widgets.rule_trace import RuleTrace
from guard_desk.ui.widgets.span_text import SpanText

_SHARES = (0.44, 0.56)
_NOTHING = ("No passage is chosen", "Choose one in the table, the ladder, a strip or the answer.")


class DecisionCardPanel(Panel):
    """The card of the primary passage of the selection."""

    override_asked = Signal(object)
    """Override: merge two passages or keep them apart"""
    promise = "Why a passage was kept or left out: each rule with its numbers, and what would flip it."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("decision_card")
        self.setAccessibleName("Decision card of the chosen passage")
        self._theme: Theme | None = None
        self._card: Card | None = None
        self._text_marks: tuple[CardMark, ...] = ()
        self._marked_for: tuple[str, Judged | None] = ("", None)
        self._support: tuple[CardMark, ...] = ()
        self._line: Line | None = None
        self._words: Span | None = None
        self._nothing = Notice(self)
        self._nothing.say(*_NOTHING)
        self._body = QWidget(self)
        self._pages = QStackedLayout(self.content)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._body)
        column = framed_layout(self._body)
        column.setSpacing(GRID)
        self._build_head(column)
        column.addWidget(self._build_halves(), 1)

    def _build_head(self, column: QVBoxLayout) -> None:
        self.badge, self.title, self.facts_line = Badge(self), ElidedLabel(parent=self), ElidedLabel(parent=self)
        self.title_row = QWidget(self)
        row = QHBoxLayout(self.title_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.badge)
        row.addWidget(self.title, 1)
        column.addWidget(self.title_row)
        column.addWidget(self.facts_line)

    def _build_halves(self) -> QSplitter:
        self.text = SpanText(self)
        self.text.setObjectName("card_text")
        self.text.setAccessibleName("Text of the chosen passage")
        halves = QSplitter(Qt.Orientation.Horizontal, self)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(GAP)
        halves.addWidget(self.text)
        halves.addWidget(self._build_facts())
        halves.splitterMoved.connect(self._halves_moved)
        self.text.setMinimumWidth(45 * GRID)
        self._halves, self._moved = halves, False
        return halves

    def _build_facts(self) -> QScrollArea:
        inside = QWidget(self)
        self._problem, self._outcome, self._flips_title, self.flips = (QLabel(inside) for _ in range(4))
        self.rules, self.facts = RuleTrace(inside), FactList(inside)
        self.rules.setAccessibleName("The four rules in order")
        self.facts.line_chosen.connect(self._show_line)
        self.facts.override_asked.connect(self.override_asked)
        self.facts.passages_asked.connect(self._go)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, GAP, 0)
        column.setSpacing(GRID)
        for widget in (self._problem, self.rules, self._outcome, self._flips_title, self.flips, self.facts):
            column.addWidget(widget)
        for label in (self._problem, self._outcome, self._flips_title, self.flips):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setObjectName("card_facts")
        scroll.setAccessibleName("Why it was decided so")
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)  # which makes both fill their ground
        scroll.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        self._facts_scroll = scroll
        return scroll

    @Slot()
    def _halves_moved(self) -> None:
        self._moved = True

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the two halves in proportion until a person moves their border."""
        super().resizeEvent(event)
        if not self._moved:
            self._halves.setSizes([round(self.width() * share) for share in _SHARES])

    # What it shows

    def has_title_row(self) -> bool:
        """Nothing to say while no passage is chosen."""
        return self._pages.currentWidget() is self._body

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme = theme
        self._nothing.set_theme(theme)
        self.text.set_theme(theme)
        self.rules.set_theme(theme)
        self.facts.set_theme(theme)
        self.badge.setFont(theme.font(0))
        self.title.setFont(theme.font(1, bold=True))
        self.facts_line.setFont(theme.font(-1))
        tinted(self.facts_line, theme.colors.muted)
        self._problem.setFont(theme.font(0))
        self._problem.setStyleSheet(banner_sheet(theme.colors))
        self._outcome.setFont(theme.font(0, bold=True))
        self._flips_title.setFont(theme.font(-1, bold=True))
        tinted(self._flips_title, theme.colors.muted)
        self.flips.setFont(theme.font(0))
        self._card = None

    def show_result(self, view: View) -> None:
        """Show the chosen passage of a run."""
        if view.phase is Phase.RUNNING and view.retrieved is not None:
            self._show(view, _partial(view))
            return
        assert view.trace is not None
        chosen = view.selection.primary
        self._show(view, card(view.trace, chosen, _of_corpus(view, chosen)) if chosen else None)

    def show_partial(self, view: View) -> bool:
        """Show the chosen passage before a run has finished, or before the first."""
        found = _partial(view)
        if found is not None:
            self._show(view, found)
        return found is not None

    def _show(self, view: View, found: Card | None) -> None:
        self._pages.setCurrentWidget(self._body if found else self._nothing)
        if found is None:
            self._card = None
            return
        previous, self._card = self._card, found
        if previous != found:
            self._show_head(found, view.theme.colors)
            self._show_facts(found, view.theme.colors)
        if previous is None or previous.passage != found.passage:
            self._line = self._words = None
            self.text.set_text(found.passage.text)
        self._find_marks(view, found)
        self._show_words(view.selection.words)
        self._mark()

    def _find_marks(self, view: View, found: Card) -> None:
        judged = view.trace.judged if view.trace is not None and found.placement is not None else None
        if self._marked_for[0] != found.passage.id or self._marked_for[1] is not judged or found.placement is None:
            self._marked_for = (found.passage.id, judged)
            known = text_marks(view.trace, found.passage.id) if view.trace is not None and judged is not None else ()
            self._text_marks = known or instructions(found.passage, found.judgement)
        evidence = chosen_evidence(view.trace, view.selection.span) if view.trace is not None else ()
        self._support = support_marks(evidence, found.passage.id)

    def _show_words(self, words: Span | None) -> None:
        """Bring the words of a chosen candidate's line into sight."""
        if words == self._words:
            return
        self._words = words
        if words is not None:
            self._line = None
            self.text.show_place(words.start)

    def _show_head(self, found: Card, colors: Colors) -> None:
        self.badge.say(*_badge_of(found, colors))
        passage = found.passage
        self.title.say(f"{passage.id} · {passage.title}" if passage.title else passage.id)
        self.facts_line.say(" · ".join(_facts_of(found)))

    def _show_facts(self, found: Card, colors: Colors) -> None:
        self._problem.setText(found.problem)
        self._problem.setVisible(bool(found.problem))
        style = place_style(colors, found.placement.place, found.placement.rule) if found.placement else None
        color = style.color if style else colors.muted
        uncertain = found.judgement.uncertain if found.judgement else ()
        self.rules.show_steps(found.steps, color, uncertain, unreliable=found.unreliable)
        self._facts_scroll.setMinimumWidth(max(60 * GRID, self.rules.minimumSizeHint().width() + 8 * GRID))
        self._outcome.setText(found.outcome)
        self._outcome.setVisible(bool(found.outcome))
        tinted(self._outcome, color)
        self._flips_title.setText("Would flip if" if found.flips else "No single threshold would change this")
        self.flips.setText("\n".join(flip_words(flip) for flip in found.flips))
        self._flips_title.setVisible(bool(found.steps))
        self.flips.setVisible(bool(found.flips))
        self.facts.show_sections(found.sections)

    # Marks in the text

    def _mark(self) -> None:
        assert self._theme is not None
        colors = self._theme.colors
        marks = [_mark_of(mark, colors) for mark in (*self._support, *self._text_marks)]
        look = MarkStyle(color=colors.accent, fill=colors.selection, box=True)
        if self._words is not None:
            marks.append(Mark(start=self._words.start, end=self._words.end, style=look, tip="The value that the chosen line speaks of."))
        if self._line is not None:
            marks += [Mark(start=s.start, end=s.end, style=look, tip=self._line.text) for s in self._line.spans]
        self.text.set_marks(marks)
        if self._support and self._line is None and self._words is None:
            self.text.show_place(self._support[0].span.start)

    @Slot(object)
    def _show_line(self, line: Line) -> None:
        self._line = line
        self._mark()
        self.text.show_place(line.spans[0].start)

    @Slot(object)
    def _go(self, ids: tuple[str, ...]) -> None:
        self.selected.emit(ids, ids[0])


def _partial(view: View) -> Card | None:
    chosen = view.selection.primary
    if chosen is None:
        return None
    found = partial_card(view.retrieved, view.partial_judgements, chosen) if view.retrieved is not None else None
    if found is not None:
        return found
    passage = _of_corpus(view, chosen)
    return Card(passage=passage, problem="Not retrieved yet: run the question.") if passage is not None else None


def _of_corpus(view: View, passage_id: str | None) -> Passage | None:
    if view.loaded is None or passage_id is None:
        return None
    try:
        return view.loaded.corpus.get(passage_id)
    except KeyError:
        return None


def _badge_of(found: Card, colors: Colors) -> tuple[str, str, str]:
    """Mark, word and colour."""
    if found.placement is not None:
        style = place_style(colors, found.placement.place, found.placement.rule)
        return style.mark, style.word, style.color
    if found.hit is None:
        return "○", "not in the pool", colors.muted
    if found.judgement is None:
        return "…", "waiting", colors.muted
    unjudged = place_style(colors, Place.NOT_JUDGED)
    return ("…", "judged", colors.muted) if found.judgement.answers else (unjudged.mark, unjudged.word, unjudged.color)


def _facts_of(found: Card) -> list[str]:
    passage, facts = found.passage, []
    if found.hit is not None:
        facts += [f"rank {found.hit.rank}", f"similarity {score(found.hit.similarity)}"]
    if found.placement is not None and found.placement.tokens:
        facts.append(f"{found.placement.tokens:,} tokens")
    facts += [word for word in (passage.source, passage.source_type, passage.date) if word]
    facts += [f"{name} {value}" for name, value in (("version", passage.version), ("scope", passage.scope)) if value]
    if passage.claim_key:
        facts.append(f"{passage.claim_key} = {passage.claim_value or '?'}")
    return facts


def _mark_of(mark: CardMark, colors: Colors) -> Mark:
    styles = {
        MarkKind.NUMBER: MarkStyle(color=colors.muted, underline="DotLine"),
        MarkKind.DATE: MarkStyle(color=colors.muted, underline="DashUnderline"),
        MarkKind.INSTRUCTION: MarkStyle(color=colors.hostile, fill=colors.wrong_fill, underline="WaveUnderline"),
        MarkKind.SUPPORT: MarkStyle(color=colors.evidence, fill=colors.evidence_fill, box=True),
    }
    strong = mark.kind in (MarkKind.INSTRUCTION, MarkKind.SUPPORT)
    return Mark(start=mark.span.start, end=mark.span.end, style=styles[mark.kind], tip=mark.tip, active=strong)
