"""Judging from the window's side: asks before passages leave the machine, and opens the dialogs of the judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QWidget

from guard_desk import api
from guard_desk.errors import GuardDeskError, InputError
from guard_desk.measure.judge_comparison import JudgeComparison
from guard_desk.models.registry import installed_models
from guard_desk.policy import AnswerMode
from guard_desk.progress import RunContext
from guard_desk.records.judging import Estimate
from guard_desk.records.state import Models, State
from guard_desk.ui.desk import Desk
from guard_desk.ui.dialogs.compare_judges import CompareDialog
from guard_desk.ui.dialogs.error import message_of
from guard_desk.ui.dialogs.generator import GeneratorDialog
from guard_desk.ui.dialogs.judge import JudgeDialog
from guard_desk.ui.dialogs.remote_run import RemoteReadDialog, RemoteRunDialog, RemoteWriteDialog, SendDialog
from guard_desk.ui.dialogs.wordings import WordingsDialog
from guard_desk.ui.generator_kinds import generator_host
from guard_desk.ui.judge_kinds import Host, count_words, host_of, spent_words
from guard_desk.ui.judge_work import Work
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.reader_kinds import reader_host
from guard_desk.ui.round_rows import writes
from guard_desk.ui.runner import Lane, Outcome, Report

_ESTIMATE, _COMPARE, _OF_DIALOG = "estimate", "compare", "judge_"


_SENTENCE_END = re.compile(r"[.!?।]+(?=\s|$)|[。！？]+|\n+|(?<![.!?。！？।\n])$")


class _Part(StrEnum):
    """What someone elsewhere does."""

    JUDGES = "judges"
    WRITES = "writes"
    READS = "reads"


@dataclass(frozen=True, slots=True)
class _Request:
    """Someone elsewhere who is to be sent something."""

    models: Models
    host: Host
    part: _Part = _Part.JUDGES


class Judging(QObject):
    """What a judge, a generator or a reader behind a server would be sent is told and agreed to first; all else goes on at once."""

    told = Signal(str)
    """A sentence for the status bar."""

    def __init__(self, desk: Desk, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._preferences, self._window = desk, preferences, window
        self._agreed: set[tuple[str, str | None, str]] = set()
        self._asked: list[_Request] = []
        self._then: Callable[[], None] | None = None
        self._dialog: QDialog | None = None
        self._question: SendDialog | None = None
        self._comparison: CompareDialog | None = None
        desk.runner.ended.connect(self._ended)
        desk.runner.reported.connect(self._reported)

    # Before passages leave the machine

    def run(self) -> None:
        """Run the question in force.

        :raises InputError: when there is nothing to run.
        """
        state = self._desk.session.state
        self._agree((state.models,), self._desk.run, self._of_answer(state))

    @Slot()
    def write_again(self) -> None:
        """Have the answer written: after a failure from the run that is kept, else in a run, whose judgements are stored."""
        try:
            if self._desk.lacks_answer():
                self._agree((), self._desk.write_answer, self._of_answer(self._desk.session.state))
                return
            self._desk.drop_answer()
            self.run()
        except GuardDeskError as exc:
            self._desk.failed.emit(exc)

    def _of_answer(self, state: State) -> list[_Request]:
        """Requests of those who are elsewhere and write or read the answer."""
        writer, reader = generator_host(state.models), reader_host(state.models)
        others = []
        if writer is not None and not writer.local and state.answer is None:
            others.append(_Request(state.models, writer, _Part.WRITES))
        written = state.answer is not None or writes(state.models.generator)
        if reader is not None and not reader.local and written:
            others.append(_Request(state.models, reader, _Part.READS))
        return others

    def _agree(self, models: Sequence[Models], then: Callable[[], None], others: Sequence[_Request] = ()) -> None:
        """Go on with `then` when everyone who is elsewhere may be asked.

        :param others: requests of language models that write or read the answer.
        """
        judges = [_Request(its, host) for its in models if (host := host_of(its)) is not None and not host.local]
        self._asked, self._then = [*judges, *others], then
        self._next()

    def _next(self) -> None:
        if not self._asked:
            then, self._then = self._then, None
            if then is not None:
                then()
            return
        session, request = self._desk.session, self._asked[0]
        models = request.models
        if request.part is not _Part.JUDGES and self._desk.lacks_answer():
            self._tell_or_ask(request)
            return
        if session.loaded is None or not session.state.query.text.strip():
            raise InputError("there is nothing to run.", remedy="Open a corpus and ask a question.")
        if request.part is not _Part.JUDGES:
            self._tell_or_ask(request)
            return
        corpus, question, policy = session.loaded.corpus, self._desk.asked_question(), session.state.policy

        def work(ctx: RunContext) -> object:
            return api.estimate(corpus, question, policy=policy, models=models, ctx=ctx)

        self._desk.runner.submit(Lane.MODELS, _ESTIMATE, work)
        self._desk.touch()

    def _estimated(self, outcome: Outcome) -> None:
        found = outcome.result
        if not isinstance(found, Estimate) or not self._asked:
            self._give_up(outcome)
            return
        request, host = self._asked[0], self._asked[0].host
        waiting = found.passages - found.stored
        if waiting and not self._knows(request):
            parent = self._comparison or self._window
            self._ask(RemoteRunDialog(host, found, request.models.judge_settings, self._corpus(), parent))
            return
        if waiting:
            about = f": {spent_words(found.spent)}" if found.spent is not None else ""
            self.told.emit(f"Sending {count_words(waiting, found.stored)} to {host.name}{about}")
        self._asked.pop(0)
        self._next()

    def _tell_or_ask(self, request: _Request) -> None:
        """Of a language model that is to write or to read the answer."""
        if not self._knows(request):
            self._ask(self._writes(request) if request.part is _Part.WRITES else self._reads(request))
            return
        what = "the question and the prompt's passages" if request.part is _Part.WRITES else "the answer, sentence by sentence,"
        self.told.emit(f"Sending {what} to {request.host.name}")
        self._asked.pop(0)
        self._next()

    def _writes(self, request: _Request) -> SendDialog:
        policy = self._desk.session.state.policy
        rounds = 1 if policy.generate.mode is AnswerMode.ONCE else policy.generate.max_rounds
        return RemoteWriteDialog(request.host, policy.assemble.k, policy.assemble.budget_tokens, rounds, self._corpus(), self._window)

    def _reads(self, request: _Request) -> SendDialog:
        answer = self._desk.session.state.answer
        sentences = None if answer is None else max(1, len(_SENTENCE_END.findall(answer.strip())))
        return RemoteReadDialog(request.host, sentences, self._corpus(), self._window)

    def _give_up(self, outcome: Outcome) -> None:
        self._asked, self._then = [], None
        if outcome.error is not None:
            self._desk.failed.emit(outcome.error)

    def _agreement(self, request: _Request) -> tuple[str, str | None, str]:
        """What one agreement covers: this server, this corpus, and what it does with them, while the window is open."""
        return request.host.name, self._desk.session.state.corpus_path, request.part

    def _knows(self, request: _Request) -> bool:
        return self._agreement(request) in self._agreed or request.host.name in self._preferences.trusted_hosts

    def _corpus(self) -> str:
        path = self._desk.session.state.corpus_path
        return Path(path).name if path else ""

    def _ask(self, dialog: SendDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._answered)
        self._question = dialog
        dialog.open()

    @Slot()
    def _answered(self) -> None:
        dialog, self._question = self._question, None
        if dialog is None or not self._asked or not dialog.agreed():
            self._asked, self._then = [], None
            return
        request = self._asked.pop(0)
        self._agreed.add(self._agreement(request))
        if dialog.forever.isChecked():
            self._preferences.trust_host(request.host.name)
        self._next()

    def has_agreed(self) -> bool:
        """Whether somebody agreed to send passages somewhere without being asked again."""
        return bool(self._agreed or self._preferences.trusted_hosts)

    def ask_again(self) -> None:
        """Forget every agreement."""
        self._agreed.clear()
        self._preferences.forget_trusted_hosts()
        self.told.emit("You are asked again before passages leave this machine.")

    # What comes back

    @Slot(object)
    def _ended(self, outcome: Outcome) -> None:
        kind = outcome.job.kind
        if kind == _ESTIMATE:
            self._estimated(outcome)
        elif kind == _COMPARE:
            self._compared(outcome)
        elif kind.startswith(_OF_DIALOG):
            if isinstance(self._dialog, (JudgeDialog, GeneratorDialog)):
                self._dialog.take(outcome)
            elif outcome.error is not None:
                self._desk.failed.emit(outcome.error)

    @Slot(object)
    def _reported(self, report: Report) -> None:
        if report.job.kind == _COMPARE and report.progress is not None and self._comparison is not None:
            self._comparison.show_progress(report.progress)

    # Dialogs

    def choose(self) -> None:
        """Choose the judge and its settings."""
        dialog = self._judge_dialog(self._window)
        dialog.accepted.connect(self._take_judge)
        self._show(dialog)

    def _judge_dialog(self, parent: QWidget) -> JudgeDialog:
        trace = self._desk.session.trace
        judged = trace.judged if trace is not None else None
        return JudgeDialog(self._desk.session.state.models, judged, self._desk.theme, self._work, parent)

    def choose_generator(self) -> None:
        """Choose who writes the answers."""
        fetched = tuple(model.name for model in installed_models() if model.kind == "generator")
        dialog = GeneratorDialog(self._desk.session.state.models, fetched, self._desk.theme, self._work, self._window)
        dialog.accepted.connect(self._take_generator)
        self._show(dialog)

    @Slot()
    def _take_generator(self) -> None:
        if isinstance(self._dialog, GeneratorDialog):
            self._desk.set_generator(self._dialog.chosen())

    def edit_wordings(self) -> None:
        """Edit how the questions are put."""
        models = self._desk.session.state.models
        dialog = WordingsDialog(models.judge_settings.wordings, models.judge, self._desk.theme, self._window)
        dialog.accepted.connect(self._take_wordings)
        self._show(dialog)

    def _show(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._closed)
        self._dialog = dialog
        dialog.open()

    def _work(self, kind: str, work: Work) -> None:
        """Do something for the dialog beside whatever runs."""
        self._desk.runner.submit(Lane.NETWORK, kind, work)

    @Slot()
    def _take_judge(self) -> None:
        if isinstance(self._dialog, JudgeDialog):
            self._desk.set_judge(*self._dialog.chosen())

    @Slot()
    def _take_wordings(self) -> None:
        if isinstance(self._dialog, WordingsDialog):
            self._desk.set_wordings(self._dialog.wordings())

    @Slot()
    def _closed(self) -> None:
        """Nothing that the dialog asked for is wanted any more, but a key that is being kept still is."""
        self._dialog = None
        self._desk.runner.drop_all(_OF_DIALOG, but="judge_key")

    # Comparing

    def compare(self) -> None:
        """Compare judges on the question in force."""
        if self._comparison is not None:
            self._comparison.raise_()
            self._comparison.activateWindow()
            return
        dialog = CompareDialog(self._desk.session.state.models, self._desk.theme, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.run_asked.connect(self._run_comparison)
        dialog.cancel_asked.connect(self._cancel_comparison)
        dialog.add_asked.connect(self._add_judge)
        dialog.selected.connect(self._desk.select)
        dialog.finished.connect(self._comparison_closed)
        self._desk.view_changed.connect(dialog.show_view)
        self._comparison = dialog
        dialog.show()

    @Slot()
    def _add_judge(self) -> None:
        assert self._comparison is not None
        dialog = self._judge_dialog(self._comparison)
        dialog.use.setText("&Compare this judge")
        dialog.accepted.connect(self._take_added)
        self._show(dialog)

    @Slot()
    def _take_added(self) -> None:
        if isinstance(self._dialog, JudgeDialog) and self._comparison is not None:
            judge, settings = self._dialog.chosen()
            self._comparison.add(replace(self._desk.session.state.models, judge=judge, judge_settings=settings))

    @Slot(object)
    def _run_comparison(self, models: tuple[Models, ...]) -> None:
        self._compared_models = models
        try:
            self._agree(models, self._start_comparison)
        except InputError as exc:
            self._desk.failed.emit(exc)

    def _start_comparison(self) -> None:
        session = self._desk.session
        if session.loaded is None or not session.state.query.text.strip():
            raise InputError("there is nothing to compare on.", remedy="Open a corpus and ask a question.")
        corpus, question, policy = session.loaded.corpus, self._desk.asked_question(), session.state.policy
        judges, labels = self._compared_models, tuple(self._desk.labels().values())

        def work(ctx: RunContext) -> object:
            return api.compare_judges(corpus, question, judges=judges, policy=policy, labels=labels, ctx=ctx)

        if self._comparison is not None:
            self._comparison.show_busy(busy=True, words="Loading models…")
        self._desk.runner.submit(Lane.MODELS, _COMPARE, work)
        self._desk.touch()

    @Slot()
    def _cancel_comparison(self) -> None:
        if self._desk.runner.cancel(_COMPARE) and self._comparison is not None:
            self._comparison.show_busy(busy=True, words="Cancelling: the current batch is finishing…")

    def _compared(self, outcome: Outcome) -> None:
        dialog = self._comparison
        if dialog is None:
            return
        if isinstance(outcome.result, JudgeComparison):
            loaded = self._desk.session.loaded
            pool, passages = set(outcome.result.passage_ids), loaded.corpus.passages if loaded is not None else ()
            dialog.show_comparison(outcome.result, {its.id: its.title for its in passages if its.title and its.id in pool})
            dialog.show_view(self._desk.view())
        elif outcome.error is not None:
            dialog.show_trouble(message_of(outcome.error))
        else:
            dialog.show_busy(busy=False, words="Cancelled. What was answered is kept.")

    @Slot()
    def _comparison_closed(self) -> None:
        self._comparison = None
        self._desk.runner.cancel(_COMPARE)
