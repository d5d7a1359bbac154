"""Answers to be read with care: uncertain ones, unreliable ones, and thresholds of another judge."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from guard_desk.measure.card import card
from guard_desk.measure.doubts import band_words, bands, is_unreliable
from guard_desk.policy import Policy, Thresholds
from guard_desk.records.evidence import Answers, Question, Reason
from guard_desk.records.state import Models, State
from guard_desk.records.trace import Trace
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.panels.decision_card import DecisionCardPanel
from guard_desk.ui.panels.passages import PassagesPanel
from guard_desk.ui.panels.rule_board import RuleBoardPanel
from tests.ui.builders import selecting, trace, view
from tests.ui.windows import Models as Fakes
from tests.ui.windows import case_file, open_file, run, settle


def doubtful() -> Trace:
    """A run in which the judge was uncertain about p1 and p3, and gave eight reasons for p1's evidence."""
    made = trace()
    reasons = tuple(Reason(question=Question.EVIDENCE, rule=f"check {at}", detail=f"Found {at}.") for at in range(6))
    model = Reason(question=Question.EVIDENCE, rule="trained model", detail="The trained model leans to yes.")
    close = Reason(question=Question.EVIDENCE, rule="similarity", detail="Similarity 0.74.")
    changed = [
        replace(its, uncertain=(Question.EVIDENCE,), reasons=(model, close, *reasons) if its.passage_id == "p1" else ())
        if its.passage_id in ("p1", "p3")
        else its
        for its in made.judged.judgements
    ]
    return replace(made, judged=replace(made.judged, judgements=tuple(changed)))


def test_the_band_is_what_this_run_shows() -> None:
    made = doubtful()
    found = bands(made.judged.judgements)
    assert set(found) == {Question.EVIDENCE}
    assert (found[Question.EVIDENCE].low, found[Question.EVIDENCE].high, found[Question.EVIDENCE].count) == (0.9, 0.9, 2)
    assert "In this run: 2 answers, at 0.90." in band_words(found, Question.EVIDENCE, "words")
    assert "In this run" not in band_words(found, Question.RELEVANT, "words")


def test_only_an_injection_makes_the_others_unreliable() -> None:
    limits = Thresholds(injection_max=0.6)
    answers = Answers(relevant=0.9, evidence=0.9, contradicts=0.1, injection=0.6)
    assert not is_unreliable(answers, limits)
    assert is_unreliable(replace(answers, injection=0.61), limits)
    assert not is_unreliable(None, limits)


@pytest.fixture
def table(qtbot: QtBot) -> PassagesPanel:
    panel = PassagesPanel()
    qtbot.addWidget(panel)
    panel.resize(1200, 400)
    panel.show_view(view(doubtful()))
    return panel


def cell(panel: PassagesPanel, passage_id: str, title: str, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> object:
    line = panel.model.line_of(passage_id)
    assert line is not None
    at = [column.title for column in panel.model.columns].index(title)
    return panel.model.index(line, at).data(role)


def test_the_table_marks_doubts_with_signs_and_words(table: PassagesPanel) -> None:
    assert cell(table, "p1", "evi") == "≈.90"
    assert "uncertain" in str(cell(table, "p1", "evi", Qt.ItemDataRole.ToolTipRole))
    assert str(cell(table, "p0", "rel")).startswith("(")
    assert str(cell(table, "p0", "inj")) == ".90"
    assert "Unreliable" in str(cell(table, "p0", "rel", Qt.ItemDataRole.ToolTipRole))
    muted = view().theme.colors.muted
    assert cell(table, "p0", "rel", Qt.ItemDataRole.ForegroundRole).name() == muted  # type: ignore[attr-defined]
    assert cell(table, "p1", "rel", Qt.ItemDataRole.ForegroundRole) is None


def test_uncertain_answers_alone_can_be_shown(table: PassagesPanel) -> None:
    table._fill_menu()
    action = next(action for action in table._menu.actions() if action.objectName() == "passages_uncertain")
    assert action.text() == "≈ Uncertain answers only   2"
    action.trigger()
    assert {table.model.id_at(line) for line in range(table.model.rowCount())} == {"p1", "p3"}
    assert table.places.text() == "≈ uncertain"
    table._all_places()
    assert table.places.text() == "All"
    assert table.model.line_of("p0") is not None


def test_the_card_says_which_answers_are_unreliable(qtbot: QtBot) -> None:
    panel = DecisionCardPanel()
    qtbot.addWidget(panel)
    panel.show_view(selecting(view(trace()), "p0"))
    states = [row[3].text() for row in panel.rules._rows]
    assert states == ["■ stopped here", "– unreliable", "– unreliable", "– unreliable"]
    assert "may be made for the judge" in panel.rules._rows[1][3].toolTip()


def test_reasons_stand_under_their_question_and_fold(qtbot: QtBot) -> None:
    made = doubtful()
    found = card(made, "p1")
    assert found is not None
    section = found.sections[-1]
    assert section.title == "Why evidence .90 ≈ uncertain"
    assert [line.leg for line in section.lines] == ["check"] * 6 + ["closeness", "model"]
    panel = DecisionCardPanel()
    qtbot.addWidget(panel)
    panel.show_view(selecting(view(made), "p1"))
    spoken = [line for line in panel.facts.lines() if line.line.leg]
    assert len(spoken) == 4
    more = next(button for button in panel.facts.findChildren(QToolButton) if "more" in button.text())
    assert more.text() == "▸ 4 more"
    more.click()
    assert len([line for line in panel.facts.lines() if line.line.leg]) == 8


# The rule board


def board_of(qtbot: QtBot, policy: Policy, models: Models | None = None, height: int = 700) -> RuleBoardPanel:
    made = doubtful()
    panel = RuleBoardPanel()
    qtbot.addWidget(panel)
    panel.resize(420, height)
    state = State(query=made.query, policy=policy, models=models or Models(judge="features"))
    made = replace(made, judged=replace(made.judged, judge=replace(made.judged.judge, name="features")))
    panel.show()
    panel.show_view(view(made, state=state))
    settle()
    return panel


OTHERS = Policy(thresholds=Thresholds(injection_max=0.65), thresholds_for="systemone")


def test_thresholds_of_another_judge_are_warned_of(qtbot: QtBot) -> None:
    board = board_of(qtbot, OTHERS)
    assert board.warning.isVisible()
    assert "set for the judge systemone" in board.warning.text.text()
    with qtbot.waitSignal(board.own_thresholds_asked):
        board.findChild(QPushButton, "threshold_warning_button").click()


def test_own_thresholds_need_no_warning(qtbot: QtBot) -> None:
    assert not board_of(qtbot, Policy()).warning.isVisible()


def test_a_run_of_another_judge_is_warned_of_without_a_button(qtbot: QtBot) -> None:
    board = board_of(qtbot, Policy(), Models(judge="recorded"))
    assert "was judged by features" in board.warning.text.text()
    assert not board.warning.button.isVisible()


def test_in_a_low_window_the_warning_is_one_line(qtbot: QtBot) -> None:
    board = board_of(qtbot, OTHERS, height=340)
    assert board.warning.isVisible()
    assert not board.warning.text.isVisible()
    assert board.warning.button.text() == "&Use own"
    assert not board.summary.isVisible()
    assert "systemone" in board.warning._line.toolTip()
    board.resize(420, 700)
    settle()
    assert board.warning.text.isVisible()


def test_the_board_counts_and_chooses_uncertain_answers(qtbot: QtBot) -> None:
    board = board_of(qtbot, Policy())
    assert board.uncertain.text() == "≈ 2"
    assert "at 0.90" in board.uncertain.toolTip()
    with qtbot.waitSignal(board.selected) as chosen:
        board.uncertain.click()
    assert set(chosen.args[0]) == {"p1", "p3"}


def test_the_button_leaves_the_thresholds_to_the_judge(qtbot: QtBot, window: MainWindow, models: Fakes, tmp_path: object) -> None:
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))  # type: ignore[operator]
    run(qtbot, window)
    window.desk.set_policy(OTHERS, "a policy")
    settle()
    assert "systemone" in window.rule_board.warning.text.text()
    window.rule_board.warning.button.click()
    settle()
    assert window.desk.session.state.policy.thresholds is None
    assert window.desk.undo_stack.undoText() == "thresholds of the judge"
