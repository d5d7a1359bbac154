"""What a person can change; each change is a step that can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from guard_desk.policy import Policy, Thresholds
from guard_desk.records.corpus import Labels, LoadedQuery, Query
from guard_desk.records.decision import Override
from guard_desk.records.judging import JudgeSettings, Wordings
from guard_desk.records.state import Models, QueryLabels
from guard_desk.session import Session
from guard_desk.store.sessions import SessionFile
from guard_desk.ui.comparison import Comparison
from guard_desk.ui.generator_kinds import title_of
from guard_desk.ui.undo import UndoStack

KEPT = "Your edited answer is kept with its question: ask that one again, or undo, and it is back."
BACK = "The answer that you edited for this question is back."


class Changes(QObject):
    """Owns the session and its undo stack. What follows from a change is the desk's."""

    told = Signal(str)
    """A sentence for the status bar."""

    def __init__(self, autosave: SessionFile | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = Session(autosave)
        self.undo_stack = UndoStack(self.session, self)
        self._comparison = Comparison()
        self._answers: dict[str, str | None] = {}  # by question, those of former ones; not stored

    def seal(self) -> None:
        """A drag ended: the next change is a step of its own."""
        self.undo_stack.seal()

    def set_knob(self, path: str, value: Any) -> None:
        """Move a knob of the policy. Call `seal` when a drag ends."""
        if self.session.effective(path) != value:
            self.undo_stack.do(self.session.knob_change(path, value))

    def set_policy(self, policy: Policy, text: str) -> None:
        """Take a whole policy: a preset, a file."""
        self.undo_stack.do(self.session.change(text, policy=policy))

    def preset_default(self) -> None:
        """Every knob at its start."""
        self.set_policy(Policy(), "preset default")

    def preset_recipe(self) -> None:
        """The published thresholds."""
        self.set_policy(replace(self.session.state.policy, thresholds=Thresholds(), thresholds_for=None), "preset recipe")

    def own_thresholds(self) -> None:
        """Leave the thresholds to the judge."""
        self.set_policy(self.session.state.policy.with_own_thresholds(), "thresholds of the judge")

    def pin_baseline(self) -> None:
        """Compare with the policy in force from now on."""
        state = self.session.state
        self.undo_stack.do(self.session.change("pin baseline", baseline=state.policy, baseline_overrides=state.overrides))

    def reset_to_baseline(self) -> None:
        """Take the baseline's policy again."""
        wanted = self._comparison.wanted(self.session.state, self.session.run)
        if wanted is not None:
            self.undo_stack.do(self.session.change("back to the baseline", policy=wanted[0], overrides=wanted[1]))

    def set_question(self, text: str) -> None:
        """Ask another question. One of the file brings its answer along; an answer that was edited waits for its question."""
        session = self.session
        if text == session.state.query.text:
            return
        known = self._of_file(text)
        self._ask("ask another question", known.query if known else replace(session.state.query, text=text))

    def back_to(self, query: Query) -> None:
        """Ask a former question again, with its filter."""
        if query != self.session.state.query:
            self._ask("back to the former question", query)

    def _ask(self, name: str, query: Query) -> None:
        state = self.session.state
        if query.text == state.query.text:
            self.undo_stack.do(self.session.change(name, query=query))
            return
        self._answers[state.query.text] = state.answer
        former, known = self._of_file(state.query.text), self._of_file(query.text)
        of_file = known.answer if known else None
        answer = self._answers.get(query.text, of_file)
        self.undo_stack.do(self.session.change(name, query=query, answer=answer))
        if state.answer is not None and state.answer != (former.answer if former else None):
            self.told.emit(KEPT)
        elif answer is not None and answer != of_file:
            self.told.emit(BACK)

    def _of_file(self, text: str) -> LoadedQuery | None:
        loaded = self.session.loaded
        return next((q for q in (loaded.queries if loaded else ()) if q.query.text == text), None)

    def forget_answers(self) -> None:
        """Other passages come: no answer of a former question is wanted any more."""
        self._answers.clear()

    def set_filter(self, *, version: str | None, scope: str | None) -> None:
        """Filter by exact version and scope."""
        query = replace(self.session.state.query, version=version or None, scope=scope or None)
        self.undo_stack.do(self.session.change("change the filter", query=query))

    def set_models(self, models: Models) -> None:
        """Choose other models; the next run uses them."""
        self.undo_stack.do(self.session.change("choose models", models=models))

    def set_judge(self, judge: str, settings: JudgeSettings) -> None:
        """Choose the judge and its settings; the next run uses them."""
        models = self.session.state.models
        text = f"judge {models.judge} -> {judge}" if judge != models.judge else "settings of the judge"
        self.undo_stack.do(self.session.change(text, models=replace(models, judge=judge, judge_settings=settings)))

    def set_generator(self, name: str | None) -> None:
        """Choose who writes the answers; the next run uses it."""
        models = self.session.state.models
        text = f"generator {title_of(models.generator)} -> {title_of(name)}"
        self.undo_stack.do(self.session.change(text, models=replace(models, generator=name)))

    def set_wordings(self, wordings: Wordings | None) -> None:
        """Put the questions in other words from the next run on; None = the shipped ones."""
        models = self.session.state.models
        settings = replace(models.judge_settings, wordings=wordings)
        self.undo_stack.do(self.session.change("wordings of the questions", models=replace(models, judge_settings=settings)))

    def set_device(self, device: str) -> None:
        """Run models on another device from the next run on."""
        self.set_models(replace(self.session.state.models, device=device))

    def set_answer(self, text: str) -> None:
        """Edit the answer; it is checked again as soon as the typing pauses."""
        self.undo_stack.do(self.session.change("edit the answer", merge_key="answer", answer=text))

    def drop_answer(self) -> None:
        """Let the generator write: an answer that was given or edited goes, until it is undone."""
        self.undo_stack.do(self.session.change("write the answer again", answer=None))

    def set_labels(self, labels: Labels) -> None:
        """Label a passage for the question in force."""
        question = self.session.state.query.text
        others = tuple(
            item for item in self.session.state.labels if (item.question, item.labels.passage_id) != (question, labels.passage_id)
        )
        self.undo_stack.do(
            self.session.change(f"label {labels.passage_id}", labels=(*others, QueryLabels(question=question, labels=labels)))
        )

    def set_override(self, override: Override) -> None:
        """Merge two passages, or keep them apart, by hand."""
        pair = {override.left_id, override.right_id}
        others = tuple(item for item in self.session.state.overrides if {item.left_id, item.right_id} != pair)
        text = f"{'merge' if override.merge else 'split'} {override.left_id} and {override.right_id}"
        self.undo_stack.do(self.session.change(text, overrides=(*others, override)))
