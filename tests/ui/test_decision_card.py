from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from guard_desk.measure.card import Line, Section
from guard_desk.records.decision import Override, Place
from guard_desk.records.trace import Trace
from guard_desk.ui.panels.decision_card import DecisionCardPanel
from guard_desk.ui.view import Phase
from guard_desk.ui.widgets.fact_list import FactLine, FactList
from tests.ui.builders import POLICY, decided, empty_view, ready_view, selecting, theme, trace, view


@pytest.fixture(scope="module")
def run() -> Trace:
    return trace()


@pytest.fixture
def panel(qtbot: QtBot) -> DecisionCardPanel:
    made = DecisionCardPanel()
    qtbot.addWidget(made)
    made.resize(700, 270)
    made.show()
    return made


def states(panel: DecisionCardPanel) -> list[str]:
    return [state.text() for _, _, _, state in panel.rules._rows]


def test_the_rules_read_at_a_glance(panel: DecisionCardPanel, run: Trace) -> None:
    panel.show_view(selecting(view(run), "p0"))
    assert panel.badge.accessibleName() == "injection"
    assert panel.title.text() == "p0 · Backup guide"
    assert states(panel) == ["■ stopped here", "– unreliable", "– unreliable", "– unreliable"]
    assert panel.flips.text() == "injection limit .60 → .90: include"


def test_a_moved_threshold_changes_rules_and_badge(panel: DecisionCardPanel, run: Trace) -> None:
    shown = selecting(view(run), "p0")
    panel.show_view(shown)
    panel.show_view(replace(shown, trace=decided(run, "thresholds.injection_max", 0.95)))
    assert panel.badge.accessibleName() in ("evidence", "conflict", "capped", "over k")
    assert states(panel)[0] == "✓ passed"


def test_the_last_rule_takes_in_or_finds_too_little(panel: DecisionCardPanel, run: Trace) -> None:
    taken = next(item.passage_id for item in run.prompt.places if item.place is Place.EVIDENCE)
    shown = selecting(view(run), taken)
    panel.show_view(shown)
    assert states(panel) == ["✓ passed", "✓ passed", "✓ passed", "■ taken in"]
    panel.show_view(replace(shown, trace=decided(run, "thresholds.evidence_min", 1.0)))
    assert states(panel) == ["✓ passed", "✓ passed", "✓ passed", "✗ too little"]
    assert panel.rules._rows[-1][3].accessibleName().endswith("too little")


def test_hostile_words_and_numbers_are_marked_and_only_those_worth_it_can_be_chosen(panel: DecisionCardPanel, run: Trace) -> None:
    panel.show_view(selecting(view(run), "p0"))
    active = [mark for mark in panel.text.marks() if mark.active]
    light = [panel.text.text()[m.start : m.end] for m in panel.text.marks() if not m.active]
    assert active
    assert light == ["99 days"]


def test_the_words_behind_a_finding_are_boxed(panel: DecisionCardPanel, run: Trace) -> None:
    finding = next(finding for finding in run.attributed.spans if finding.evidence)
    place = finding.evidence[0]
    panel.show_view(selecting(view(run), place.passage_id, span=finding.start))
    boxed = [panel.text.text()[m.start : m.end] for m in panel.text.marks() if m.style.box]
    assert place.text in boxed


def test_a_fact_shows_its_words_and_leads_to_the_other_passage(panel: DecisionCardPanel, qtbot: QtBot) -> None:
    near = trace(policy=POLICY.with_value("dedup.similarity_floor", 0.4))
    refusal = next(r for r in near.grouped.refusals if r.verdict.left_span)
    panel.show_view(selecting(view(near), refusal.left_id))
    line = next(line for line in panel.facts.lines() if line.line.head == "kept apart" and line.line.spans)
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    boxed = [panel.text.text()[m.start : m.end] for m in panel.text.marks() if m.style.box]
    assert boxed == [refusal.verdict.left]
    seen: list[object] = []
    panel.selected.connect(lambda ids, primary: seen.append(primary))
    line.passages_asked.emit(line.line.passage_ids)
    assert seen == [refusal.right_id]


def test_split_and_merge_are_asked_for(panel: DecisionCardPanel, run: Trace) -> None:
    panel.show_view(selecting(view(run), "p2"))
    asked: list[Override] = []
    panel.override_asked.connect(asked.append)
    line: FactLine = next(line for line in panel.facts.lines() if line.line.head == "merged")
    line._ask()
    assert asked == [Override(left_id="p2", right_id="p1", merge=False)]


def test_not_judged_is_a_state_with_its_cause(panel: DecisionCardPanel, run: Trace) -> None:
    panel.show_view(selecting(view(run), "p6"))
    assert panel.badge.accessibleName() == "not judged"
    assert panel._problem.text() == "Not judged: the text says so."
    assert not panel.rules.isVisible()


def test_nothing_chosen_is_said(panel: DecisionCardPanel, run: Trace) -> None:
    panel.show_view(view(run))
    assert panel._pages.currentWidget() is panel._nothing
    panel.show_view(empty_view())
    assert panel._stack.currentWidget() is panel._notice


def test_before_and_during_a_run_the_passage_can_be_read(panel: DecisionCardPanel, run: Trace) -> None:
    panel.show_view(selecting(ready_view(), "p1"))
    assert panel.text.text() == "Backups are kept for 7 days."
    assert panel._problem.text().startswith("Not retrieved yet")
    running = selecting(ready_view(phase=Phase.RUNNING, retrieved=run.retrieved, partial_judgements=run.judged.judgements[:1]), "p5")
    panel.show_view(running)
    assert panel.badge.accessibleName() == "waiting"


def test_passages_are_plain_text_everywhere(panel: DecisionCardPanel) -> None:
    hostile = trace(("<b>Backups</b> are kept for <img src=x> 7 days.",))
    panel.show_view(selecting(view(hostile), "p0"))
    assert panel.text.toPlainText().startswith("<b>Backups</b>")
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in (panel.title, panel.facts_line, panel.flips, panel._problem))


def test_a_fact_of_three_lines_is_not_cut(qtbot: QtBot) -> None:
    facts = FactList()
    qtbot.addWidget(facts)
    facts.set_theme(theme())
    facts.show_sections([Section(title="Group", lines=(Line(text="kept apart from another passage, for a reason in many words " * 3),))])
    facts.resize(240, facts.heightForWidth(240))
    facts.show()
    label = facts.lines()[0].findChild(QLabel)
    assert label is not None
    assert label.height() >= label.heightForWidth(label.width())
