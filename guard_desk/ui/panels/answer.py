"""The answer with marked spans, its findings and claims, and the passages they rest on. It can be edited in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from guard_desk.measure.answer_cards import cards_at
from guard_desk.measure.answer_rounds import doubt_words
from guard_desk.measure.checked import Checked, Verdict, carried_by, checked, claim_words, evidence_ids, finding_words
from guard_desk.measure.checkers import checkers
from guard_desk.records.answer import Claim, Finding
from guard_desk.records.trace import Trace
from guard_desk.ui.panels.base import Panel, framed_layout
from guard_desk.ui.round_rows import rounds_of, stale_words, stopped_words, writes
from guard_desk.ui.theme import GAP, GRID, Colors, Theme, finding_style
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.answer_card import AnswerCardView
from guard_desk.ui.widgets.answer_failure import AnswerFailure
from guard_desk.ui.widgets.answer_foot import AnswerFoot
from guard_desk.ui.widgets.answer_head import AnswerHead
from guard_desk.ui.widgets.answer_tables import AnswerTables
from guard_desk.ui.widgets.marks import Carrier, Mark, MarkStyle
from guard_desk.ui.widgets.rows_table import RowsTable
from guard_desk.ui.widgets.span_text import SpanText

_WIDE = 190 * GRID
"""From this width on text and tables stand side by side."""

_LOW = 56 * GRID
"""Below this height, at text of common size, who checked is told in the head."""

_NO_ANSWER = "There is no answer. Press Edit to write or paste one; it is checked against the passages."


class AnswerPanel(Panel):
    """Shows the answer of the run, of the run on its way, or the one that waits to be checked."""

    span_chosen = Signal(object)
    """start of the chosen finding or claim in the answer; None = none"""
    answer_edited = Signal(object)
    """the whole answer (str) after each change; as an object, because a Qt string loses half characters"""
    knob_moved = Signal(str, object)
    knob_released = Signal()
    write_asked = Signal()
    """The generator is to write the answer."""
    generator_asked = Signal()
    """A generator is to be chosen."""
    promise = "The answer with every sentence checked against the passages that reached the prompt."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answer_panel")
        self.setAccessibleName("Answer")
        self._theme: Theme | None = None
        self._from_desk = ""
        self._marked_by: tuple[object, ...] = ()
        self._listed: tuple[object, ...] = ()
        self._marks_of: tuple[object, ...] = ()
        self._marks: tuple[Mark, ...] = ()
        self._carrier = Carrier()
        self.card: AnswerCardView | None = None
        self._spared: list[RowsTable] = []
        self.head, self.tables, self.foot = AnswerHead(self.content), AnswerTables(self.content), AnswerFoot(self.content)
        self.failure, self.text = AnswerFailure(self.content), SpanText(self.content)
        self.text.setObjectName("answer_view")
        self.text.setAccessibleName("Text of the answer, with findings marked")
        self.text.setAccessibleDescription(
            "N and P go to the next finding and to the one before, F8 does too while editing; Enter says what was found there"
        )
        self.text.has_cards = True
        self.halves = QSplitter(Qt.Orientation.Vertical, self.content)
        self.halves.setChildrenCollapsible(False)
        self.halves.setHandleWidth(GRID)
        self.halves.splitterMoved.connect(self._halves_moved)
        self._moved = False
        for widget, least in ((self.text, 13), (self.tables, 26)):
            self.halves.addWidget(widget)
            widget.setMinimumHeight(least * GRID)
        column = framed_layout(self.content)
        column.setSpacing(GRID)
        self.title_row = self.head
        column.addWidget(self.head)
        column.addWidget(self.head.banner)
        column.addWidget(self.failure)
        column.addWidget(self.halves, 1)
        column.addWidget(self.foot)
        self.foot.hide()
        self._connect()

    def _connect(self) -> None:
        self.head.edit_asked.connect(self._edit)
        self.head.copy_asked.connect(self._copy)
        self.head.write_asked.connect(self.write_asked)
        self.failure.asked.connect(self.write_asked)
        self.tables.knob_moved.connect(self.knob_moved)
        self.tables.knob_released.connect(self.knob_released)
        self.tables.rounds.round_chosen.connect(self._choose_round)
        self.tables.rounds.generator_asked.connect(self.generator_asked)
        self.text.edited.connect(self._edited)
        self.text.editing_done.connect(self._end_editing)
        self.text.span_clicked.connect(self._clicked)
        self.text.card_asked.connect(self._show_card)
        self.text.span_hovered.connect(self._hovered)
        self.text.verticalScrollBar().valueChanged.connect(self.close_card)
        self.tables.finding_chosen.connect(self._choose)
        self.tables.claim_chosen.connect(self._choose)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Side by side where there is room for it."""
        super().resizeEvent(event)
        self.close_card()
        self.failure.fit()
        wide = self.width() >= _WIDE
        way = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if way is not self.halves.orientation():
            self.halves.setOrientation(way)
            self._moved = False
        self._share()
        if self.view is not None and self.view.trace is not None and not self.foot.is_empty():
            self.foot.setVisible(not self._is_low())

    @Slot()
    def _halves_moved(self) -> None:
        self._moved = True

    def _share(self) -> None:
        """Give the text the lines that it needs, up to half, and the tables the rest, until a person moves their border."""
        if self._moved:
            return
        wide = self.halves.orientation() is Qt.Orientation.Horizontal
        room = self.halves.width() if wide else self.halves.height()
        lines = self.text.document().size().height()
        needed = room // 2 if wide else min(room // 2, round(lines * self.text.fontMetrics().lineSpacing()) + 3 * GAP)
        self.halves.setSizes([needed, room - needed])

    # What it shows

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme = theme
        self._marked_by = self._listed = ()
        for part in (self.head, self.failure, self.text, self.tables, self.foot):
            part.set_theme(theme)
        if self.card is not None:
            self.card.set_theme(theme)

    def show_result(self, view: View) -> None:
        """Show the answer of a run, checked."""
        self._show_rounds(view)
        assert view.trace is not None
        stopped = view.phase is Phase.CANCELLED and bool(view.trace.generated.failure)
        if (view.phase is Phase.RUNNING or stopped) and view.partial_answer is not None:
            self._show_unchecked(view, view.partial_answer, _unfinished(stopped=stopped))
            return
        asked = view.trace.query == view.state.query
        self._set_editable_here(asked)
        given = view.state.answer if asked else None
        wanted = given if given is not None else view.trace.generated.text or ""
        self._show_text(wanted)
        edited = self.text.text() != (view.trace.generated.text or "")
        who, what = checkers(view.trace, view.state.models)
        self._show_head(view, edited, who)
        found = (view.trace.attributed, view.trace.verified, who, what, view.theme)
        if found != self._listed:
            self._listed = found
            self.close_card()  # it told of another check
            self._show_tables(view.trace)
            self.foot.show_check(view.trace.attributed.spans, who, what)
        self.foot.setVisible(not self._is_low() and not self.foot.is_empty())
        self._mark(view)

    def _show_rounds(self, view: View) -> None:
        self.failure.show_view(view)
        possible = writes(view.state.models.generator) and view.trace is not None and not self.failure.says()
        self.head.show_writing(possible=possible, due=bool(stale_words(view)), busy=view.phase is Phase.RUNNING)
        self.tables.show_rounds(rounds_of(view), view)

    def show_partial(self, view: View) -> bool:
        """Show an answer as it is written, or one that waits for its check."""
        self._show_rounds(view)
        if view.partial_answer is not None:
            self._show_unchecked(view, view.partial_answer, _unfinished(stopped=view.phase is not Phase.RUNNING))
            return True
        if view.state.answer is None or view.phase in (Phase.EMPTY, Phase.LOADING):
            return False
        self._set_editable_here(view.phase is not Phase.RUNNING)
        self._show_text(view.state.answer)
        running = view.phase is Phase.RUNNING
        note = "It is checked at the end of the run." if running else "Press F5 to check it against the passages."
        self._show_nothing_checked(view, Checked(verdict=Verdict.NOT_RUN, note=note))
        return True

    def _show_unchecked(self, view: View, text: str, state: Checked) -> None:
        self._set_editable_here(False)
        at_end = self.text.verticalScrollBar().value() == self.text.verticalScrollBar().maximum()
        self._show_text(text)
        self._show_nothing_checked(view, state)
        if at_end:
            self.text.verticalScrollBar().setValue(self.text.verticalScrollBar().maximum())

    def _show_nothing_checked(self, view: View, state: Checked) -> None:
        self._marked_by = self._listed = ()
        self.text.set_marks(())
        self.head.show_checked(state, "", view.theme.colors)
        self.tables.show_findings((), "Not checked yet.")
        self.tables.show_claims((), "Not checked yet.")
        self.foot.hide()
        self.close_card()

    def _show_text(self, wanted: str) -> None:
        """Show the desk's answer; what a person is typing is kept unless the desk has another one (undo, another question)."""
        if wanted not in (self._from_desk, self.text.text()) or not self._typing():
            self.text.set_text(wanted)
            self._share()
        self._from_desk = wanted
        self.text.setPlaceholderText("" if self._typing() else self.failure.instead_of(_NO_ANSWER))

    def _typing(self) -> bool:
        return not self.text.isReadOnly()

    def _is_low(self) -> bool:
        """Whether the text needs the line of the foot more than the foot does."""
        return self._theme is not None and self.height() < _LOW * self._theme.scale

    def _show_head(self, view: View, edited: bool, who: str) -> None:
        assert view.trace is not None
        stale = "" if edited else stale_words(view)
        found = checked(view.trace, edited=edited)
        if not edited and found.verdict is not Verdict.EDITED:
            doubt = doubt_words(view.trace.generated)
            notes = (stopped_words(view), doubt, found.note)
            found = replace(found, note=" ".join(note for note in notes if note), warns=found.warns or bool(doubt))
        self.head.show_checked(found, stale, view.theme.colors, who if self._is_low() and found.counts else "")

    def _show_tables(self, trace: Trace) -> None:
        state = checked(trace)
        if trace.generated.failure:
            self.tables.show_findings((), "Nothing was checked: there is no answer.")
            self.tables.show_claims((), "Nothing was checked: there is no answer.")
            return
        found_nothing = "Nothing found: the passages carry every sentence that was checked."
        self.tables.show_findings(trace.attributed.spans, found_nothing if state.counts else "No findings: nothing was checked.")
        self.tables.show_claims(trace.verified.claims, "The answer makes no statement.")

    def _mark(self, view: View) -> None:
        """Marks of the check, carried over to the text on the screen where it was edited since."""
        trace, chosen = view.trace, view.selection
        assert trace is not None
        shown, base = self.text.text(), trace.generated.text or ""
        if base != self._carrier.base:
            self._carrier.restart(base, shown)
        self._carrier.follow(shown)
        made_of = (trace.attributed.spans, trace.verified, chosen.primary, chosen.span, view.theme)
        if (made_of, shown) == self._marked_by:
            return
        if made_of != self._marks_of:
            self._marks_of, self._marks = made_of, tuple(_marks(trace, chosen.primary, chosen.span, view.theme.colors))
        self._marked_by = (made_of, shown)
        self.text.set_marks(self._carrier.carried(self._marks))
        here = next((mark.start for mark in self.text.marks() if mark.active and mark.origin == chosen.span), None)
        self.text.choose(chosen.span if here is None else here, scroll=not self._typing())
        self.tables.show_chosen(chosen.span)

    # Editing

    def _set_editable_here(self, possible: bool) -> None:
        self.head.edit.setEnabled(possible)
        if not possible and self._typing():
            self._edit(False)

    @Slot(bool)
    def _edit(self, editing: bool) -> None:
        self.text.set_editable(editing)
        self.head.show_editing(editing)
        self.text.setPlaceholderText("Write or paste an answer." if editing else _NO_ANSWER)
        if editing:
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._theme is not None:
            line = f"1px solid {self._theme.colors.accent}" if editing else "0"
            self.text.setStyleSheet(f"QPlainTextEdit {{ border: {line}; }}")

    @Slot()
    def _end_editing(self) -> None:
        self._edit(False)

    @Slot(object)
    def _edited(self, text: str) -> None:
        self._from_desk = text
        self._carrier.follow(text)
        self.close_card()
        self.answer_edited.emit(text)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.text().encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))

    # The card beside marked words

    def open_card(self, start: int) -> None:
        """Open the card of the mark that starts here."""
        self._show_card(start, False)

    @Slot(int, bool)
    def _show_card(self, start: int, by_keyboard: bool) -> None:
        """Of what was checked: on words that moved since, the place they had then counts."""
        trace = self.view.trace if self.view is not None else None
        mark = next((mark for mark in self.text.marks() if mark.start == start and mark.active), None)
        if trace is None or mark is None or self._theme is None:
            return
        if self.card is None:
            self.card = AnswerCardView(self.window())
            self.card.set_theme(self._theme)
            self.card.place_chosen.connect(self._go_to_place)
            self.card.closed.connect(self._card_closed)
        origin = mark.origin if mark.origin is not None else start
        cards = cards_at(trace, origin)
        passages = [place.passage_id for card in cards for place in card.places]
        keep = [*self.tables.places_of(origin), *(row for table in self._spared for row in table.places_of(passages))]
        self.card.show_cards(cards, self.text.lines_of(start), keep=keep, focus=by_keyboard)

    def spare(self, table: RowsTable) -> None:
        """Let the card keep off the rows of its passages in this table, where room allows."""
        self._spared.append(table)

    @Slot(object)
    def _hovered(self, start: int | None) -> None:
        if self.card is not None:
            self.card.leave_soon() if start is None else self.card.stay()

    @Slot()
    def close_card(self) -> None:
        """Close the card, if one is open."""
        if self.card is not None:
            self.card.dismiss()

    @Slot(bool)
    def _card_closed(self, had_focus: bool) -> None:
        if had_focus:
            self.text.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot(str, int)
    def _go_to_place(self, passage_id: str, start: int) -> None:
        trace = self.view.trace if self.view is not None else None
        found: list[Finding | Claim] = [] if trace is None else [*trace.attributed.spans, *trace.verified.claims]
        ids = next((evidence_ids(item.evidence) for item in found if item.start == start and item.evidence), ())
        self.selected.emit(ids if passage_id in ids else (passage_id,), passage_id)
        self.span_chosen.emit(start)

    # What a person chose

    @Slot(int)
    def _clicked(self, start: int) -> None:
        trace = self.view.trace if self.view is not None else None
        if trace is None:
            return
        origin = next((mark.origin for mark in self.text.marks() if mark.active and mark.start == start), start)
        findings = [finding for finding in trace.attributed.spans if finding.start == origin]
        claims = [claim for claim in trace.verified.claims if claim.start == origin]
        if findings or claims:
            self._choose(findings[0] if findings else claims[0])

    @Slot(object)
    def _choose_round(self, ids: tuple[str, ...]) -> None:
        self.selected.emit(ids, ids[0] if ids else None)

    @Slot(object)
    def _choose(self, found: Finding | Claim) -> None:
        """First the passages, then the span: the desk keeps the passages when it is told of a span of theirs."""
        ids = evidence_ids(found.evidence)
        if ids:
            self.selected.emit(ids, ids[0])
        self.span_chosen.emit(found.start)


def _unfinished(*, stopped: bool) -> Checked:
    if stopped:
        return Checked(verdict=Verdict.UNFINISHED, note="The run was stopped before the answer was complete.")
    return Checked(verdict=Verdict.WRITING, note="The answer appears as it is written.")


def _marks(trace: Trace, primary: str | None, chosen: int | None, colors: Colors) -> Iterator[Mark]:
    """What the chosen passage carries, the chosen claim, and above both the findings."""
    if primary is not None:
        carries = MarkStyle(color=colors.evidence, fill=colors.evidence_fill, underline="SingleUnderline")
        for start, end in carried_by(trace, primary):
            yield Mark(start=start, end=end, style=carries, tip=f"{primary} states this.", active=False)
    findings = {finding.start for finding in trace.attributed.spans}
    for claim in trace.verified.claims:
        if claim.start == chosen and chosen not in findings:
            look = MarkStyle(color=colors.evidence, underline="SingleUnderline", box=True)
            yield Mark(start=claim.start, end=claim.end, style=look, tip=claim_words(claim), origin=claim.start)
    for finding in trace.attributed.spans:
        style = finding_style(colors, finding.kind, finding.label, finding.by)
        look = MarkStyle(color=style.color, fill=style.fill, underline=style.underline)
        yield Mark(start=finding.start, end=finding.end, style=look, tip=finding_words(finding), origin=finding.start)
