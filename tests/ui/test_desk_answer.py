"""An answer that is edited, and the edit undone, is checked each time; the passages behind a finding stay chosen with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from guard_desk.records.state import State
from guard_desk.ui.desk import Desk
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


def test_the_passages_behind_a_finding_stay_chosen(desk: Desk) -> None:
    run = desk.session.trace
    assert run is not None
    finding = next(finding for finding in run.attributed.spans if finding.evidence)
    first = finding.evidence[0].passage_id
    desk.select((first, "p5"), first)
    desk.select_span(finding.start)
    assert desk.selection.ids == (first, "p5")
    assert desk.selection.span == finding.start
