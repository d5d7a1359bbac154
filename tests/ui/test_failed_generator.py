"""A generator that fails: the window keeps all that comes before the answer, says why there is none, and offers to try again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from guard_desk import api
from guard_desk.errors import ModelError, RemoteError
from guard_desk.measure.rail import CellState, cells
from guard_desk.progress import RunContext
from guard_desk.protocols import Readers
from guard_desk.records.state import Models as Chosen
from guard_desk.records.state import State
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.panels.answer import AnswerPanel
from guard_desk.ui.view import Phase, View
from tests.fakes import EchoGenerator
from tests.ui.builders import trace, view
from tests.ui.test_window_cancel import Gate
from tests.ui.windows import WAIT_MS, Models, case_file, column, open_file, run, settle

WHY = "The generator qwen failed: http://host/v1 refused the key (HTTP 401). Set another key."


def failed(**fields: Any) -> View:
    """The desk after a run whose generator failed."""
    made = trace(answer=None)
    made = replace(made, generated=replace(made.generated, failure=WHY))
    return view(made, state=State(query=made.query, policy=made.policy, models=Chosen(generator="local")), **fields)


@pytest.fixture
def panel(qtbot: QtBot) -> AnswerPanel:
    made = AnswerPanel()
    qtbot.addWidget(made)
    made.resize(700, 420)
    made.show()
    return made


def test_the_cause_stands_where_the_answer_would(panel: AnswerPanel, qtbot: QtBot) -> None:
    panel.show_view(failed())
    assert panel.failure.isVisible()
    assert panel.failure.text.text() == WHY
    assert panel.head.badge.text() == "✕ failed"
    assert panel.head.banner.isHidden(), "it is said once"
    assert panel.text.text() == ""
    with qtbot.waitSignal(panel.write_asked):
        panel.failure.button.click()


def test_in_a_low_pane_the_cause_stands_in_the_empty_text(panel: AnswerPanel) -> None:
    panel.resize(500, 220)
    panel.show_view(failed())
    assert panel.failure.is_low()
    assert panel.failure.isVisible()
    assert panel.text.placeholderText() == WHY
    assert WHY in panel.failure.button.toolTip()
    panel.resize(700, 420)
    panel.show_view(failed())
    assert not panel.failure.is_low()
    assert "Press Edit" in panel.text.placeholderText()


def test_it_goes_with_another_answer(panel: AnswerPanel) -> None:
    panel.show_view(failed())
    shown = failed()
    panel.show_view(replace(shown, state=replace(shown.state, answer="Mine.")))
    assert panel.failure.isHidden()
    panel.show_view(view())
    assert panel.failure.isHidden()


def test_while_it_is_tried_again_nobody_can_press_twice(panel: AnswerPanel) -> None:
    panel.show_view(failed(phase=Phase.RUNNING))
    assert panel.failure.isVisible()
    assert not panel.failure.button.isEnabled()
    panel.show_view(failed(phase=Phase.RUNNING, partial_answer="Seven"))
    assert panel.failure.isHidden(), "words come"


def test_without_a_generator_there_is_nothing_to_try(panel: AnswerPanel) -> None:
    shown = failed()
    panel.show_view(replace(shown, state=replace(shown.state, models=Chosen(generator=None))))
    assert panel.failure.isVisible()
    assert panel.failure.button.isHidden()


def test_the_rail_marks_the_stage_that_failed() -> None:
    shown = failed()
    assert shown.trace is not None
    by_stage = {cell.stage: cell for cell in cells(shown.trace)}
    assert (by_stage["answer"].state, by_stage["answer"].detail) == (CellState.FAILED, WHY)
    assert by_stage["prompt"].state is CellState.DONE


def test_sentences_that_a_language_model_did_not_read_are_marked(panel: AnswerPanel) -> None:
    made = trace()
    first, *others = made.verified.claims
    verified = replace(made.verified, claims=(replace(first, unread="m: gone. Wait.", evidence=()), *others))
    panel.show_view(view(replace(made, verified=verified)))
    assert "1 of 2 sentences were not read by m: gone. Wait." in panel.head.banner.text()
    assert column(panel.tables.claims, 2)[0] == "⚠ not read by m: gone. Wait."


# The whole window


class Flaky(EchoGenerator):
    """Two rounds, then an error, as often as it is told; then an answer."""

    def __init__(self, calls: Any, failures: int = 1) -> None:
        super().__init__(calls)
        self.failures, self._asked = failures, 0

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        if not self.failures:
            yield "At last."
            return
        self._asked += 1
        if self._asked % 3 == 0:
            self.failures -= 1
            raise RemoteError("The server hung up.", remedy="Start it again.")
        yield f"answer {self._asked}"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    texts = [f"Backups are kept for {days} days in plan {days}." for days in (3, 5, 7, 9, 11)]
    return case_file(tmp_path / "case.guarddesk.json", texts, answer=None)


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, models: Models, case: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    monkeypatch.setattr(api, "load_readers", lambda *_: Readers())
    open_file(qtbot, window, case)
    window.desk.set_generator("local")
    window.desk.set_knob("generate.mode", "rounds")
    return window


def test_a_failed_answer_keeps_the_run_and_is_tried_again_alone(qtbot: QtBot, opened: MainWindow, models: Models) -> None:
    errors: list[object] = []
    opened.desk.failed.connect(errors.append)
    models.parts = replace(models.parts, generator=Flaky(models.calls, 2))
    run(qtbot, opened)
    assert (opened.desk.phase, errors) == (Phase.DONE, [])
    assert len(column(opened.passages.table)) == 5, "the table is there"
    assert "failed in round 3: The server hung up. Start it again." in opened.answer.failure.text.text()
    assert column(opened.answer.tables.rounds.table, 4) == ["answer 1", "answer 2"]
    assert "no answer came" in opened.status.stage.text()
    judged, indexed = models.calls.judge, models.calls.index
    opened.answer.failure.button.click()
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.DONE, timeout=WAIT_MS)
    settle()
    assert column(opened.answer.tables.rounds.table, 4) == ["answer 4", "answer 5"], "it failed again"
    opened.answer.failure.button.click()
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.DONE, timeout=WAIT_MS)
    settle()
    assert opened.answer.failure.isHidden()
    assert opened.answer.text.text() == "At last."
    assert (models.calls.judge, models.calls.index) == (judged, indexed), "only the answer was asked for again"
    assert opened.desk.session.run is not None
    assert opened.desk.session.run.generated.failure == ""


def test_a_cancel_while_it_writes_keeps_the_run(qtbot: QtBot, opened: MainWindow, models: Models) -> None:
    gate = Gate()

    class Held(EchoGenerator):
        def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
            del prompt
            yield "some "
            gate.hold(ctx)
            yield "words"

    models.parts = replace(models.parts, generator=Held(models.calls))
    opened.run()
    qtbot.waitUntil(gate.reached.is_set, timeout=WAIT_MS)
    opened.actions_by_name["cancel"].trigger()
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.CANCELLED, timeout=WAIT_MS)
    settle()
    assert opened.desk.session.trace is not None
    assert len(opened.desk.session.trace.prompt.blocks) > 0
    assert len(column(opened.passages.table)) == 5
    assert "was stopped" in opened.answer.failure.text.text()
    gate.closed = False
    opened.answer.failure.button.click()
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.DONE, timeout=WAIT_MS)
    settle()
    assert opened.answer.text.text() == "some words"


def test_a_cancel_leaves_the_answer_of_before(qtbot: QtBot, opened: MainWindow, models: Models) -> None:
    models.parts = replace(models.parts, generator=EchoGenerator(models.calls))
    run(qtbot, opened)
    before, gate = opened.answer.text.text(), Gate()

    class Held(EchoGenerator):
        def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
            del prompt
            gate.hold(ctx)
            yield "never"

    models.parts = replace(models.parts, generator=Held(models.calls))
    opened.run()
    qtbot.waitUntil(gate.reached.is_set, timeout=WAIT_MS)
    opened.actions_by_name["cancel"].trigger()
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.CANCELLED, timeout=WAIT_MS)
    settle()
    assert opened.answer.text.text() == before
    assert opened.answer.failure.isHidden()


def test_a_failure_survives_the_session_file(qtbot: QtBot, opened: MainWindow, models: Models, tmp_path: Path) -> None:
    class Broken(EchoGenerator):
        def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
            raise ModelError("The weights are broken. Fetch them again.")
            yield

    models.parts = replace(models.parts, generator=Broken(models.calls))
    run(qtbot, opened)
    opened.desk.session.save(tmp_path / "kept.guarddesk-session")
    opened.files.open(tmp_path / "kept.guarddesk-session")
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.DONE, timeout=WAIT_MS)
    settle()
    assert "The weights are broken. Fetch them again." in opened.answer.failure.text.text()
