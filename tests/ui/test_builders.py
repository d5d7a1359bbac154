from __future__ import annotations

from guard_desk.records.decision import Place
from guard_desk.ui.view import Phase
from tests.ui import builders


def test_the_plain_run_has_a_passage_of_each_main_place() -> None:
    shown = builders.view()
    names = {placement.name for placement in shown.trace.prompt.places} if shown.trace else set()
    assert {"excluded:injection", "excluded:relevant", "excluded:default", "not_judged", "merged", "conflict", "evidence"} <= names
    assert shown.ledger is not None
    assert shown.ledger.changes == ()


def test_a_moved_knob_changes_places() -> None:
    run = builders.trace()
    moved = builders.decided(run, "thresholds.injection_max", 0.95)
    shown = builders.view(moved, baseline=run)
    changed = {change.passage_id: change.after.place for change in shown.ledger.changes} if shown.ledger else {}
    assert changed["p0"] in (Place.EVIDENCE, Place.CONFLICT)


def test_views_before_a_run() -> None:
    assert builders.ready_view().trace is None
    assert builders.empty_view(Phase.LOADING).loaded is None
