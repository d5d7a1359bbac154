"""The panel of all knobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from guard_desk.policy import Policy, knobs
from guard_desk.records.state import State
from guard_desk.ui.panels.knobs import KnobsPanel
from guard_desk.ui.view import Phase, View
from tests.ui import builders


def panel(qtbot: QtBot, view: View) -> KnobsPanel:
    made = KnobsPanel()
    qtbot.addWidget(made)
    made.resize(620, 380)
    made.show()
    made.show_view(view)
    return made


def with_policy(view: View, policy: Policy) -> View:
    return replace(view, state=replace(view.state, policy=policy))


def visible(made: KnobsPanel) -> set[str]:
    return {path for path, row in made.rows.items() if not row.isHidden()}


def test_every_knob_has_its_name(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view())
    names = [f"knob_{knob.path.replace('.', '_')}" for knob in knobs()]
    assert [name for name in names if made.findChild(QWidget, name) is None] == []


def test_it_works_before_a_run_and_without_a_corpus(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.ready_view())
    assert made.content.isVisible()
    made.show_view(builders.empty_view(Phase.EMPTY))
    assert made.content.isVisible()
    assert made.rows["assemble.k"].editor.value() == 6
    assert made.rows["thresholds.relevant_min"].editor.value() == 0.45


def test_thresholds_show_the_judges_own_until_they_are_moved(qtbot: QtBot) -> None:
    view = builders.view(builders.trace(policy=Policy()))
    made = panel(qtbot, view)
    row = made.rows["thresholds.relevant_min"]
    assert row.editor.value() == 0.2
    assert "judge's own" in row.hint()
    assert not row.editor.changed()
    assert view.trace is not None
    moved = view.state.policy.with_value("thresholds.relevant_min", 0.3, base=view.trace.judged.thresholds)
    made.show_view(with_policy(view, moved))
    assert row.editor.value() == 0.3
    assert row.editor.changed()
    assert "judge's own" not in row.hint()
    assert not made.rows["thresholds.evidence_min"].editor.changed()


def test_the_pool_says_that_it_waits_for_a_run(qtbot: QtBot) -> None:
    run = builders.trace()
    made = panel(qtbot, builders.view(run))
    assert "next run" not in made.rows["retrieve.pool"].hint()
    small = builders.decided(run, "retrieve.pool", 3)
    made.show_view(builders.view(small))
    assert "next run" in made.rows["retrieve.pool"].hint()


def test_search_finds_by_name_section_and_meaning(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view())
    made.find_knobs("half life")
    assert visible(made) == {"thin.half_life_days"}
    made.find_knobs("reliability of sources")
    assert visible(made) == {knob.path for knob in knobs() if knob.path.startswith("thin.reliability.")}
    made.find_knobs("no such knob")
    assert visible(made) == set()
    assert made._nothing.isVisible()
    assert "no such knob" in made._nothing.text()
    made.find_knobs("")
    assert len(visible(made)) == len(knobs())


def test_showing_a_view_tells_no_one_and_moving_does(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view())
    told: list[tuple[str, Any]] = []
    made.knob_moved.connect(lambda path, value: told.append((path, value)))
    made.show_view(builders.view(builders.decided(builders.trace(), "assemble.k", 2)))
    assert told == []
    with qtbot.waitSignal(made.knob_released):
        made.rows["assemble.k"].editor.put_back()
    assert told == [("assemble.k", 6)]


def test_the_summary_counts_what_was_changed(qtbot: QtBot) -> None:
    view = builders.ready_view(state=State())
    made = panel(qtbot, view)
    assert made.summary.text() == f"{len(knobs())} knobs, all at their start"
    made.show_view(with_policy(view, Policy().with_values({"assemble.k": 3, "thin.as_of": "2026-01-31"})))
    assert made.summary.text() == f"2 of {len(knobs())} changed"
