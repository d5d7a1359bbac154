"""The desk: joins session, runner, selection and undo, and shows one frozen `View` to whoever looks.

Everything a person does is one method here. Panels emit signals, the main window connects them to these methods; no panel
knows another one or the session.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from guard_desk import api, pipeline
from guard_desk.errors import InputError
from guard_desk.progress import Progress, RunContext
from guard_desk.records.corpus import LoadedQuery, LoadResult, Query
from guard_desk.records.state import State
from guard_desk.records.trace import Trace
from guard_desk.session import Change, Event
from guard_desk.store.sessions import SessionFile
from guard_desk.ui.dialogs.error import message_of
from guard_desk.ui.partial import Partial
from guard_desk.ui.runner import Lane, Outcome, Report, Runner, Work
from guard_desk.ui.showing import Showing
from guard_desk.ui.theme import Theme
from guard_desk.ui.view import Phase, Selection

# Deciding again happens in the window's thread while it takes less than this, so that a slider feels attached.
INLINE_S = 0.008
RECHECK_MS = 300
# What the status bar shows and Cancel stops.
SHOWN_WORK = ("load", "run", "recheck", "estimate", "compare")


class Desk(Showing):
    """What a person does, and what there is to see."""

    loaded = Signal(object)
    """LoadResult of a corpus that was just opened: for the list of skipped records."""
    failed = Signal(object)
    """Exception of a job: for the one error dialog."""

    def __init__(self, *, autosave: SessionFile | None = None, theme: Theme | None = None, parent: QObject | None = None) -> None:
        super().__init__(autosave, theme, parent)
        self.runner = Runner(self)
        self._decide_s = 0.0
        self._progress_of = ""
        self._recheck = QTimer(self, singleShot=True, interval=RECHECK_MS)
        self._recheck.timeout.connect(self.recheck_answer)
        self.session.observe(self._observe)
        self.runner.reported.connect(self._reported)
        self.runner.ended.connect(self._ended)

    def _observe(self, event: Event) -> None:
        if event is Event.STATE:
            self._follow_answer()
            self.decide()
        elif event is Event.UNSTORED:
            self.failed.emit(self.session.trouble)
        self.touch()

    # Files

    def open(self, path: Path | str, *, encoding: str | None = None) -> None:
        """Load a corpus or a case file in the files lane."""
        target = Path(path)
        self.phase, self.message = Phase.LOADING, ""
        self._forget_work()

        def work(ctx: RunContext) -> object:
            return api.load_corpus(target, encoding=encoding, ctx=ctx)

        self.runner.submit(Lane.FILES, "load", work)
        self.touch()

    def show_corpus(self, loaded: LoadResult) -> None:
        """Show a loaded corpus; its first question is put into the box."""
        first = loaded.queries[0] if loaded.queries else None
        self._start_over()
        self.session.set_corpus(loaded)
        self.phase = Phase.READY
        kept = self.session.state
        fresh = State(
            corpus_path=loaded.corpus.path,
            query=first.query if first else Query(text=""),
            policy=kept.policy,
            models=kept.models,
            answer=first.answer if first else None,
        )
        self.session.apply(Change(text="open corpus", before=kept, after=fresh))

    def show_trace(self, trace: Trace) -> None:
        """Show a saved run. Without its corpus one can still decide, compare and report, but not run."""
        kept = self.session.state
        state = State(
            corpus_path=trace.corpus_path,
            query=trace.query,
            policy=trace.policy,
            models=kept.models,
            overrides=trace.overrides,
            answer=trace.generated.text,
        )
        self.restore(state, trace)

    def restore(self, state: State, trace: Trace | None) -> None:
        """Go on from a state and its run; the corpus is read again when it is still there."""
        self._start_over()
        self.session.set_corpus(None)
        if trace is not None:
            self.session.set_run(trace)
            self.runner.submit(Lane.POLICY, "prepare", lambda _: self._comparison.prepare(trace))
        self.phase = Phase.DONE if trace else Phase.EMPTY
        self.session.apply(Change(text="open", before=self.session.state, after=state))
        if not state.corpus_path:
            return
        if Path(state.corpus_path).exists():
            self._load_beside(Path(state.corpus_path))
        else:
            remedy = "Open the corpus from where it is now to run again; everything else works without it."
            self.failed.emit(InputError("The passages of this run are no longer there.", path=state.corpus_path, remedy=remedy))

    def _start_over(self) -> None:
        """Other passages come: nothing of the former ones may arrive late or be undone."""
        self._forget_work()
        self.undo_stack.clear()
        self.forget_answers()
        self.selection, self._partial, self.message = Selection(), Partial(), ""

    def _forget_work(self) -> None:
        """Stop all work on the passages in force; what still comes of it is dropped."""
        self._recheck.stop()
        self._progress = None
        for kind in (*SHOWN_WORK, "decide", "prepare", "reload"):
            self.runner.drop(kind)

    def _load_beside(self, path: Path) -> None:
        """Read a corpus for a run that is already shown."""

        def work(ctx: RunContext) -> object:
            return api.load_corpus(path, ctx=ctx)

        self.runner.submit(Lane.FILES, "reload", work)

    # The run

    def run(self) -> None:
        """Run the question on the corpus, in the models lane."""
        session = self.session
        if session.loaded is None or not session.state.query.text.strip():
            raise InputError("there is nothing to run.", remedy="Open a corpus and ask a question.")
        corpus, question, state = session.loaded.corpus, self.asked_question(), session.state

        def work(ctx: RunContext) -> object:
            return api.run(
                corpus, question, policy=state.policy, models=state.models, answer=state.answer, overrides=state.overrides, ctx=ctx
            )

        self._start(work)

    def write_answer(self) -> None:
        """Have the answer written anew from the run that is shown, whose generator failed: nothing else is asked again."""
        trace, models = self.session.trace, self.session.state.models
        if trace is None or not self.lacks_answer():
            raise InputError("there is no run whose generator failed.", remedy="Press F5 to run the question.")

        def work(ctx: RunContext) -> object:
            return api.write_answer(trace, ctx, models=models)

        self._start(work)

    def lacks_answer(self) -> bool:
        """Whether the run that is shown has all but the answer that was asked for."""
        trace, state = self.session.trace, self.session.state
        return trace is not None and bool(trace.generated.failure) and trace.query == state.query and state.answer is None

    def _start(self, work: Work) -> None:
        self._partial = Partial(self.session.state.query)
        self._recheck.stop()
        self._drop_check()
        self.phase, self.message = Phase.RUNNING, ""
        self.runner.submit(Lane.MODELS, "run", work)
        self.touch()

    def asked_question(self) -> LoadedQuery:
        """The question in force, with what the file knows of it but its answer."""
        state, loaded = self.session.state, self.session.loaded
        known = next((q for q in (loaded.queries if loaded else ()) if q.query.text == state.query.text), None)
        return replace(known, query=state.query, answer=None) if known else LoadedQuery(query=state.query)

    def cancel(self) -> None:
        """Ask whatever runs to stop."""
        for kind in SHOWN_WORK:
            self.runner.cancel(kind)

    # Deciding again, from stored answers

    def decide(self) -> None:
        """Bring the run in line with the policy in force; no model is called."""
        session = self.session
        trace, policy, overrides = session.trace, session.state.policy, session.state.overrides
        self.runner.drop("decide")
        if trace is None or (trace.policy, trace.overrides) == (policy, overrides):
            return
        counter = self._comparison.counter(trace)
        if self._decide_s < INLINE_S:
            started = time.perf_counter()
            session.set_decided(pipeline.redecide(trace, policy, counter, overrides=overrides))
            self._decide_s = time.perf_counter() - started
            return

        def work(_: RunContext) -> object:
            started = time.perf_counter()
            return pipeline.redecide(trace, policy, counter, overrides=overrides), time.perf_counter() - started

        self.runner.submit(Lane.POLICY, "decide", work)

    def _follow_answer(self) -> None:
        """The answer may be another than the one that was checked: edited, or undone. One that the run wrote is checked already."""
        trace, run = self.session.trace, self.session.run
        if self._unchecked():
            self._recheck.start()
            return
        self._recheck.stop()
        self._drop_check()
        written = trace is not None and run is not None and trace.query == self.session.state.query and self.session.state.answer is None
        if written and trace.generated is not run.generated and not run.generated.given:
            self.session.set_decided(pipeline.with_answer(trace, run))

    def _drop_check(self) -> None:
        """Nobody waits for the check any more: its progress goes with it."""
        self.runner.drop("recheck")
        if self._progress_of == "recheck":
            self._progress = None

    def _unchecked(self) -> bool:
        trace, state = self.session.trace, self.session.state
        return trace is not None and state.answer is not None and trace.query == state.query and state.answer != trace.generated.text

    @Slot()
    def recheck_answer(self) -> None:
        """Check the answer in force against the pool, in the models lane."""
        trace, answer = self.session.trace, self.session.state.answer
        if trace is None or answer is None or not self._unchecked() or self.phase is Phase.RUNNING:
            return

        # While somebody types, no language model is asked: that may cost, and what is typed would leave the machine word by word.
        models = replace(self.session.state.models, claim_model=None)

        def work(ctx: RunContext) -> object:
            return api.recheck(trace, answer, ctx, models=models)

        self._progress, self._progress_of = Progress(stage="verify", done=0, unit="sentences"), "recheck"
        self.runner.submit(Lane.MODELS, "recheck", work)

    # What comes back from the lanes

    @Slot(object)
    def _reported(self, report: Report) -> None:
        if report.job.lane is Lane.NETWORK:
            return  # a dialog shows it
        if report.progress is not None:
            self._progress, self._progress_of = report.progress, report.job.kind
        elif report.job.kind == "run":
            self._partial.take(report.partial)
        if not self._reports.isActive():
            self._reports.start()

    @Slot(object)
    def _ended(self, outcome: Outcome) -> None:
        handler = {
            "load": self._load_ended,
            "run": self._run_ended,
            "decide": self._decide_ended,
            "recheck": self._recheck_ended,
            "reload": self._reload_ended,
            "save": self._reload_ended,
        }
        if outcome.job.kind == self._progress_of or not any(self.runner.running(kind) for kind in SHOWN_WORK):
            self._progress = None  # what still runs tells its own
        if outcome.job.kind in handler:  # others are heard by who asked for them
            handler[outcome.job.kind](outcome)
        self.touch()

    def _load_ended(self, outcome: Outcome) -> None:
        if isinstance(outcome.result, LoadResult):
            self.show_corpus(outcome.result)
            self.loaded.emit(outcome.result)
            return
        resting = self._resting()
        self._not_done(outcome, back_to=resting)
        if resting is not Phase.EMPTY:
            self.phase = resting  # the dialog tells; what was open still is

    def _resting(self) -> Phase:
        if self.session.trace is not None:
            return Phase.DONE
        return Phase.READY if self.session.loaded else Phase.EMPTY

    def _reload_ended(self, outcome: Outcome) -> None:
        """Also of a saving, which brings nothing but an error."""
        if isinstance(outcome.result, LoadResult):
            self.session.loaded = outcome.result
            self.phase = self._resting()
        elif outcome.error is not None:
            self.failed.emit(outcome.error)

    def _run_ended(self, outcome: Outcome) -> None:
        if not isinstance(outcome.result, Trace):
            self._not_done(outcome, back_to=Phase.CANCELLED)
            self._keep_stopped()
            self._follow_answer()  # it may have been edited while the run went on
            return
        self._partial = Partial()
        self.phase = Phase.DONE
        self.session.set_run(outcome.result)
        self._follow_answer()
        self.decide()

    def _keep_stopped(self) -> None:
        """A run that was stopped while its answer was written has all else; an answer of before to the same question stays, though."""
        stopped, shown = self._partial.stopped, self.session.trace
        if stopped is not None and (shown is None or shown.query != stopped.query or shown.generated.text is None):
            self.session.set_run(stopped)
            self.decide()

    def _not_done(self, outcome: Outcome, *, back_to: Phase) -> None:
        if outcome.cancelled:
            self.phase = back_to
            return
        self.phase, self.message = Phase.FAILED, message_of(outcome.error)
        self.failed.emit(outcome.error)

    def _decide_ended(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self.failed.emit(outcome.error)
        current = self.session.trace
        if not isinstance(outcome.result, tuple) or current is None:
            return
        trace, self._decide_s = outcome.result
        if current.judged is trace.judged:
            checked_since = current.generated is not trace.generated
            self.session.set_decided(pipeline.with_answer(trace, current) if checked_since else trace)

    def _recheck_ended(self, outcome: Outcome) -> None:
        current = self.session.trace
        if outcome.error is not None:
            self.failed.emit(outcome.error)
        elif isinstance(outcome.result, Trace) and current is not None and current.judged is outcome.result.judged:
            self.session.set_decided(pipeline.with_answer(current, outcome.result))

    def close(self) -> None:
        """Stop all work."""
        for timer in (self._announce, self._reports, self._recheck):
            timer.stop()
        self.runner.shutdown()
