"""A person's way through the window: open, run, tune, look, undo, save, go on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDoubleSpinBox, QSlider, QTableView
from pytestqt.qtbot import QtBot

from guard_desk.formats.trace import dump_trace
from guard_desk.policy import Knob, knobs
from guard_desk.store.sessions import SessionFile
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.view import Phase
from tests.fakes import EchoGenerator
from tests.ui.builders import ANSWER, QUESTION
from tests.ui.windows import Models, case_file, column, make_window, open_file, rested, run, settle

EDITED = "Backups are kept for 7 days."


@pytest.fixture
def ran(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window in which the case was opened and run."""
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    run(qtbot, window)
    return window


def drag(window: MainWindow, name: str, *values: float) -> None:
    """Drag a threshold's slider over these values and let it go."""
    slider = window.findChild(QSlider, f"threshold_{name}_slider")
    slider.setSliderDown(True)
    for value in values:
        slider.setSliderPosition(round(value * 1000))
        settle()
    slider.setSliderDown(False)
    settle()


def flips(window: MainWindow) -> list[str]:
    return column(window.findChild(QTableView, "flip_ledger"))


def test_a_question_is_run_and_every_view_shows_it(ran: MainWindow) -> None:
    assert ran.desk.phase is Phase.DONE
    assert ran.question.line.text() == QUESTION
    assert ran.answer.text.text() == ANSWER
    assert ran.status.stage.text() == "Done"
    assert ran.windowTitle().startswith("case.guarddesk.json")
    for index in range(ran.tabs.count()):
        ran.tabs.setCurrentIndex(index)
        settle()
        assert ran.tabs.currentWidget().view is ran._view


def test_a_drag_flips_decisions_and_is_one_step(ran: MainWindow) -> None:
    before = ran.desk.session.trace
    assert flips(ran) == []
    drag(ran, "evidence_min", 0.7, 0.8, 0.95)
    assert flips(ran)
    assert ran.desk.undo_stack.count() == 1
    assert "evidence" in ran.actions_by_name["undo"].text()
    assert ran.isWindowModified()
    assert ran.findChild(QDoubleSpinBox, "threshold_evidence_min_spin").value() == pytest.approx(0.95)
    after = dump_trace(ran.desk.session.trace)
    ran.actions_by_name["undo"].trigger()
    settle()
    assert flips(ran) == []
    assert ran.desk.session.trace.prompt == before.prompt
    assert ran.findChild(QSlider, "threshold_evidence_min_slider").value() == round(before.judged.thresholds.evidence_min * 1000)
    assert not ran.isWindowModified()
    ran.actions_by_name["redo"].trigger()
    settle()
    assert dump_trace(ran.desk.session.trace) == after


def other_values(knob: Knob) -> list[Any]:
    """Allowed values of a knob that are not its start."""
    if issubclass(knob.type, StrEnum):
        return [choice for choice in knob.type if choice != knob.default]
    if knob.type is bool:
        return [not knob.default]
    if knob.type in (int, float):
        low, high = knob.low if knob.low is not None else 0, knob.high if knob.high is not None else 100
        values = [low, knob.type((low + high) / 2), high]
        return [*([None] if knob.optional else []), *map(knob.type, values)]
    return [date(2026, 3, 1).isoformat()] if "date" in knob.description.lower() or knob.optional else []


def test_no_model_is_asked_while_thresholds_and_knobs_move(qtbot: QtBot, ran: MainWindow, models: Models) -> None:
    asked, loads = vars(models.calls).copy(), models.loads
    for name in ("injection_max", "contradicts_min", "relevant_min", "evidence_min"):
        drag(ran, name, 0.0, 0.2, 0.55, 0.99, 1.0)
        assert ran.desk.session.effective(f"thresholds.{name}") == 1.0
    moved = 0
    for knob in knobs():
        for value in other_values(knob):
            ran.knobs.knob_moved.emit(knob.path, value)
            ran.knobs.knob_released.emit()
            settle()
            assert ran.desk.session.effective(knob.path) == value, knob.path
            moved += 1
    rested(qtbot, ran)
    assert moved > len(knobs())
    assert ran.desk.session.trace.policy == ran.desk.session.state.policy
    assert vars(models.calls) == asked
    assert models.loads == loads
    while ran.desk.undo_stack.canUndo():
        ran.desk.undo_stack.undo()
    rested(qtbot, ran)
    assert ran.desk.session.trace.prompt == ran.desk.session.run.prompt
    assert vars(models.calls) == asked


def test_a_value_that_is_not_allowed_is_told_in_the_status_bar(ran: MainWindow) -> None:
    ran.move_knob("assemble.k", -3)
    assert "assemble.k" in ran.status.currentMessage()
    assert ran.desk.undo_stack.count() == 0


def test_a_span_of_the_answer_leads_to_its_passage(ran: MainWindow) -> None:
    found = next(finding for finding in ran.desk.session.trace.attributed.spans if finding.evidence)
    passage_id = found.evidence[0].passage_id
    ran.answer.text.span_clicked.emit(found.start)
    settle()
    assert ran.desk.selection.primary == passage_id
    assert ran.desk.selection.span == found.start
    table = ran.passages.table
    assert passage_id in column(table, table.currentIndex().column())[table.currentIndex().row()] or table.currentIndex().isValid()
    assert ran._view.selection.primary == ran.card.view.selection.primary == passage_id
    drag(ran, "relevant_min", 0.9)
    ran.tabs.setCurrentIndex(3)
    ran.actions_by_name["undo"].trigger()
    settle()
    assert ran.desk.selection.primary == passage_id


def test_an_edited_answer_is_checked_again_and_the_edit_undone(qtbot: QtBot, ran: MainWindow, models: Models) -> None:
    judged, first = models.calls.judge, ran.desk.session.trace.attributed
    ran.answer.head.edit.click()
    ran.answer.answer_edited.emit(EDITED)
    rested(qtbot, ran)
    assert ran.desk.session.trace.generated.text == EDITED
    assert ran.desk.session.trace.attributed != first
    ran.actions_by_name["undo"].trigger()
    rested(qtbot, ran)
    assert ran.answer.text.text() == ANSWER
    assert ran.desk.session.trace.attributed == first
    assert models.calls.judge == judged


def test_undoing_the_edit_of_a_written_answer_brings_it_back_without_a_check(
    qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path
) -> None:
    models.parts = replace(models.parts, generator=EchoGenerator(models.calls))
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json", answer=None))
    run(qtbot, window)
    written = window.desk.session.trace
    assert written.generated.text
    assert not written.generated.given
    window.desk.set_answer(EDITED)
    rested(qtbot, window)
    assert window.desk.session.trace.generated.given
    window.move_knob("assemble.k", 2)
    asked = models.calls.analyze, models.calls.generate
    window.desk.undo_stack.undo()
    window.desk.undo_stack.undo()
    rested(qtbot, window)
    assert window.desk.session.trace.generated == written.generated
    assert window.desk.session.trace.attributed == written.attributed
    assert window.answer.text.text() == written.generated.text
    assert (models.calls.analyze, models.calls.generate) == asked


def test_a_knob_that_moves_while_the_answer_is_checked_keeps_both(qtbot: QtBot, ran: MainWindow) -> None:
    ran.desk._decide_s = 1.0  # as if deciding were slow, so that it goes to its lane
    ran.desk.set_answer(EDITED)
    ran.desk.recheck_answer()
    ran.move_knob("thresholds.evidence_min", 0.95)
    rested(qtbot, ran)
    trace = ran.desk.session.trace
    assert trace.generated.text == EDITED
    assert trace.policy.thresholds.evidence_min == 0.95
    assert flips(ran)


def test_a_knob_that_comes_back_while_it_is_decided_stays_back(qtbot: QtBot, ran: MainWindow) -> None:
    ran.desk._decide_s = 1.0
    start = ran.desk.session.effective("thresholds.evidence_min")
    ran.move_knob("thresholds.evidence_min", 0.95)
    ran.desk.undo_stack.undo()
    rested(qtbot, ran)
    assert ran.desk.session.trace.policy == ran.desk.session.state.policy
    assert ran.desk.session.effective("thresholds.evidence_min") == start
    assert flips(ran) == []


def test_a_pinned_baseline_is_what_changes_are_compared_with(ran: MainWindow) -> None:
    drag(ran, "evidence_min", 0.95)
    assert flips(ran)
    ran.actions_by_name["pin_baseline"].trigger()
    settle()
    assert flips(ran) == []
    drag(ran, "evidence_min", 0.5)
    assert flips(ran)
    assert ran.actions_by_name["to_baseline"].isEnabled()
    ran.actions_by_name["to_baseline"].trigger()
    settle()
    assert flips(ran) == []
    assert ran.desk.session.effective("thresholds.evidence_min") == pytest.approx(0.95)


def test_presets_are_steps_that_can_be_undone(ran: MainWindow) -> None:
    drag(ran, "evidence_min", 0.95)
    ran.actions_by_name["preset_default"].trigger()
    settle()
    assert ran.desk.session.state.policy.thresholds is None
    ran.actions_by_name["preset_recipe"].trigger()
    settle()
    assert ran.desk.session.effective("thresholds.relevant_min") == 0.45
    ran.actions_by_name["undo"].trigger()
    ran.actions_by_name["undo"].trigger()
    settle()
    assert ran.desk.session.effective("thresholds.evidence_min") == pytest.approx(0.95)


def test_a_session_is_saved_and_goes_on_in_another_window(qtbot: QtBot, ran: MainWindow, tmp_path: Path) -> None:
    drag(ran, "evidence_min", 0.95)
    ran.actions_by_name["pin_baseline"].trigger()
    ran.move_knob("thresholds.injection_max", 0.95)
    ran.desk.set_answer(EDITED)
    rested(qtbot, ran)
    ran.files.session_path = tmp_path / "mine.gdsession"
    ran.actions_by_name["save_session"].trigger()
    settle()
    assert not ran.isWindowModified()
    other = make_window(qtbot, tmp_path / "other")
    other.files.open(tmp_path / "mine.gdsession")
    rested(qtbot, other)
    assert other.desk.session.state == ran.desk.session.state
    assert dump_trace(other.desk.session.trace) == dump_trace(ran.desk.session.trace)
    assert other.desk.view().baseline.prompt == ran.desk.view().baseline.prompt
    assert flips(other) == flips(ran) != []
    assert other.answer.text.text() == EDITED
    assert other.actions_by_name["run"].isEnabled()  # the corpus was read again beside the run
    other.close()


def test_the_first_baseline_survives_saving(qtbot: QtBot, ran: MainWindow, tmp_path: Path) -> None:
    drag(ran, "evidence_min", 0.95)
    ran.files.session_path = tmp_path / "mine.gdsession"
    ran.files.save()
    ran.files.open(tmp_path / "mine.gdsession")
    rested(qtbot, ran)
    assert flips(ran)


def test_late_results_of_a_closed_corpus_are_dropped(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_file(qtbot, window, case_file(tmp_path / "one.guarddesk.json"))
    window.run()
    open_file(qtbot, window, case_file(tmp_path / "two.guarddesk.json", ("Water boils at 100 degrees.",), answer=None))
    qtbot.wait(100)
    assert window.desk.phase is Phase.READY
    assert window.desk.session.trace is None
    assert window.windowTitle().startswith("two")


def test_another_corpus_in_an_autosaved_session_has_no_run_of_the_one_before(qtbot: QtBot, models: Models, tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "auto.gdsession")
    window = make_window(qtbot, tmp_path, autosave=file)
    open_file(qtbot, window, case_file(tmp_path / "one.guarddesk.json"))
    run(qtbot, window)
    assert window.status.saved.text().startswith("autosaved ")
    open_file(qtbot, window, case_file(tmp_path / "two.guarddesk.json"))
    window.files.session_path = tmp_path / "mine.gdsession"
    window.files.save()
    window.files.open(tmp_path / "mine.gdsession")
    rested(qtbot, window)
    assert window.desk.session.trace is None
    assert window.desk.session.state.corpus_path.endswith("two.guarddesk.json")
    assert window.desk.phase is Phase.READY
    window.close()
    file.close()


def test_an_autosave_that_cannot_be_written_is_told_once_and_work_goes_on(qtbot: QtBot, models: Models, tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "auto.gdsession")
    window = make_window(qtbot, tmp_path, autosave=file)
    told: list[object] = []
    window.desk.failed.connect(told.append)
    file.close()
    open_file(qtbot, window, case_file(tmp_path / "one.guarddesk.json"))
    run(qtbot, window)
    assert len(told) == 1
    assert window.desk.phase is Phase.DONE
    assert window.status.saved.text() == ""
    window.close()


def test_closing_while_running_stops_the_work(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_file(qtbot, window, case_file(tmp_path / "one.guarddesk.json", tuple(f"Backup {n} is kept for {n} days." for n in range(400))))
    window.run()
    window.close()
    assert not window.isVisible()
    assert not window.desk.runner.running("run")
