"""An answer that is edited, and the edit undone, is checked each time; the passages behind a finding stay chosen with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import pytest

from guard_desk.progress import Progress
from guard_desk.records.state import State
from guard_desk.ui.desk import Desk
from guard_desk.ui.runner import Job, Lane, Outcome, Report
from tests.ui.builders import ANSWER, theme, trace


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk(theme=theme())
    fake = trace()
    run = replace(fake, prompt=replace(fake.prompt, encoding="cl100k_base"))
    made.restore(State(query=run.query, policy=run.policy, answer=run.generated.text), run)
    yield made
    made.close()


def test_an_edit_and_its_undo_are_both_due_for_a_check(desk: Desk) -> None:
    assert not desk._recheck.isActive()
    desk.set_answer("Backups are kept for 7 days.")
    assert desk._recheck.isActive()
    checked = replace(desk.session.trace, generated=replace(desk.session.trace.generated, text="Backups are kept for 7 days."))  # type: ignore[arg-type,union-attr]
    desk._recheck.stop()
    desk.session.set_decided(checked)
    desk.undo_stack.undo()
    assert desk.session.state.answer == ANSWER
    assert desk._recheck.isActive()


def test_an_answer_to_another_question_waits_for_its_run(desk: Desk) -> None:
    desk.set_question("Where is the cafeteria?")
    desk.set_answer("At noon.")
    assert not desk._recheck.isActive()


def test_progress_of_what_ended_does_not_stand_for_what_runs(desk: Desk) -> None:
    go = Event()
    reading = Job(id=-1, kind="reload", lane=Lane.FILES)
    desk._reported(Report(job=reading, progress=Progress(stage="load", done=9, total=9)))
    assert desk.view().stage == "load"
    desk.runner.submit(Lane.MODELS, "recheck", lambda _: go.wait(10))
    desk._ended(Outcome(job=reading))
    assert desk.runner.running("recheck")
    assert desk.view().progress is None
    go.set()


def test_a_check_that_is_dropped_takes_its_progress_along(desk: Desk) -> None:
    desk.set_answer("Backups are kept for 7 days.")
    desk.recheck_answer()
    assert desk.view().stage == "verify"
    desk.undo_stack.undo()
    assert not desk.runner.running("recheck")
    assert desk.view().progress is None


def test_the_passages_behind_a_finding_stay_chosen(desk: Desk) -> None:
    run = desk.session.trace
    assert run is not None
    finding = next(finding for finding in run.attributed.spans if finding.evidence)
    first = finding.evidence[0].passage_id
    desk.select((first, "p5"), first)
    desk.select_span(finding.start)
    assert desk.selection.ids == (first, "p5")
    assert desk.selection.span == finding.start
