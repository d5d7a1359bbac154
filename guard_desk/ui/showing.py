"""What there is to see of the desk: one frozen `View`, put together from session, work under way and the one selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from guard_desk.progress import Progress
from guard_desk.records.corpus import Labels, Span
from guard_desk.store.sessions import SessionFile
from guard_desk.ui.changes import Changes
from guard_desk.ui.partial import Partial
from guard_desk.ui.theme import Mode, Theme, make_theme
from guard_desk.ui.view import Phase, Selection, View

# Reports of a worker are shown at this pace at most.
REPORT_MS = 50


class Showing(Changes):
    """Announces a new view when something changed, many changes in a row once; owns the selection."""

    view_changed = Signal(object)
    """View"""

    def __init__(self, autosave: SessionFile | None = None, theme: Theme | None = None, parent: QObject | None = None) -> None:
        super().__init__(autosave, parent)
        self.theme = theme or make_theme(Mode.SYSTEM)
        self.selection = Selection()
        self.phase = Phase.EMPTY
        self.message = ""
        self._progress: Progress | None = None
        self._partial = Partial()
        self._labels_of: tuple[object, ...] = ()
        self._labels: Mapping[str, Labels] = MappingProxyType({})
        self._announce = QTimer(self, singleShot=True, interval=0)
        self._announce.timeout.connect(self._show)
        self._reports = QTimer(self, singleShot=True, interval=REPORT_MS)
        self._reports.timeout.connect(self._show)

    def view(self) -> View:
        """The desk at this moment."""
        session, labels, partial = self.session, self.labels(), self._partial
        written = partial.query in (None, session.state.query)  # else it was for another question
        baseline = self._comparison.baseline(session.trace, self._comparison.wanted(session.state, session.run))
        return View(
            phase=self.phase,
            theme=self.theme,
            state=session.state,
            loaded=session.loaded,
            trace=session.trace,
            baseline=baseline,
            ledger=self._comparison.ledger(baseline, session.trace, labels),
            labels=labels,
            selection=self.selection,
            retrieved=partial.retrieved,
            partial_judgements=tuple(partial.judgements),
            partial_spent=partial.spent,
            partial_answer=partial.answer if written else None,
            partial_rounds=partial.rounds if written else (),
            progress=self._progress,
            stage=self._progress.stage if self._progress else "",
            message=self.message,
            stored_at=session.stored_at,
        )

    def labels(self) -> Mapping[str, Labels]:
        """The labels for the question in force, by passage id: the file's, overruled by the person's."""
        session, question = self.session, self.session.state.query.text
        made_of = (question, session.loaded, session.state.labels)
        if len(self._labels_of) == len(made_of) and all(one is other for one, other in zip(self._labels_of, made_of, strict=True)):
            return self._labels
        loaded = session.loaded.queries if session.loaded else ()
        of_file = {label.passage_id: label for query in loaded if query.query.text == question for label in query.labels}
        own = {item.labels.passage_id: item.labels for item in session.state.labels if item.question == question}
        self._labels_of, self._labels = made_of, MappingProxyType(of_file | own)
        return self._labels

    @Slot()
    def _show(self) -> None:
        self._announce.stop()
        self._reports.stop()
        self.view_changed.emit(self.view())

    def touch(self) -> None:
        """Show a new view soon; many calls in a row make one."""
        self._announce.start()

    # The one selection

    def select(self, ids: Sequence[str], primary: str | None = None) -> None:
        """Choose passages; the primary one is shown on the card."""
        chosen = tuple(dict.fromkeys(ids))
        main = primary if primary is not None else (chosen[0] if chosen else None)
        self._selected(Selection(ids=chosen, primary=main))

    def select_span(self, start: int | None) -> None:
        """Choose a finding of the answer, and with it the passage that its evidence names first; another one of its own stays chosen."""
        trace = self.session.trace
        found = next((s for s in (trace.attributed.spans if trace else ()) if s.start == start), None)
        named = [item.passage_id for item in found.evidence] if found else []
        passage_id = self.selection.primary if self.selection.primary in named else named[0] if named else None
        chosen = self.selection.ids  # the passages behind the finding may just have been chosen with it
        ids = chosen if passage_id is None or passage_id in chosen else (passage_id,)
        self._selected(Selection(ids=ids, primary=passage_id or self.selection.primary, span=start))

    def select_words(self, passage_id: str, words: Span | None) -> None:
        """Choose words of the primary passage: where a line states a value."""
        if passage_id == self.selection.primary:
            self._selected(replace(self.selection, words=words))

    def _selected(self, selection: Selection) -> None:
        if selection != self.selection:
            self.selection = selection
            self.touch()
