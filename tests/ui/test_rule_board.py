from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QSlider, QToolButton
from pytestqt.qtbot import QtBot

from guard_desk.policy import Thresholds
from guard_desk.records.decision import RULES, Rule
from guard_desk.records.trace import Trace
from guard_desk.ui.panels.rule_board import RuleBoardPanel
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.strip_dots import KINDS, kind_codes
from guard_desk.ui.widgets.threshold_strip import ThresholdStrip, badge, rule_words
from tests.ui.builders import TEXTS, decided, empty_view, selecting, trace, view

NAMES = ("injection_max", "contradicts_min", "relevant_min", "evidence_min")


class Desk:
    """Stands for the window: takes what the board says and shows it again."""

    def __init__(self, board: RuleBoardPanel, run: Trace) -> None:
        self.board, self.start, self.run = board, run, run
        self.moves: list[tuple[str, float]] = []
        self.releases = 0
        self.chosen: list[tuple[tuple[str, ...], str | None]] = []
        board.knob_moved.connect(self.move)
        board.knob_released.connect(self.release)
        board.selected.connect(self.choose)
        self.show()

    def show(self) -> None:
        self.board.show_view(view(self.run, baseline=self.start))

    def move(self, path: str, value: float) -> None:
        self.moves.append((path, value))
        self.run = decided(self.run, path, value)
        self.show()

    def release(self) -> None:
        self.releases += 1

    def choose(self, ids: tuple[str, ...], primary: str | None) -> None:
        self.chosen.append((ids, primary))
        self.board.show_view(selecting(view(self.run, baseline=self.start), *ids, primary=primary))

    @property
    def thresholds(self) -> Thresholds:
        return self.run.routed.thresholds


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    board = RuleBoardPanel()
    qtbot.addWidget(board)
    board.resize(400, 540)
    made = Desk(board, trace())
    board.show()
    QApplication.processEvents()
    yield made
    board.close()


def strip(desk: Desk, name: str) -> ThresholdStrip:
    return desk.board.strips[NAMES.index(name)]


def controls(desk: Desk, name: str) -> tuple[QSlider, QDoubleSpinBox]:
    slider, spin = (
        desk.board.findChild(QSlider, f"threshold_{name}_slider"),
        desk.board.findChild(QDoubleSpinBox, f"threshold_{name}_spin"),
    )
    assert slider is not None
    assert spin is not None
    return slider, spin


def agree(desk: Desk) -> None:
    """Slider, spin box, line and title all show the thresholds in force."""
    for at, name in enumerate(NAMES):
        value = getattr(desk.thresholds, name)
        slider, spin = controls(desk, name)
        assert slider.value() == round(value * 1000)
        assert spin.value() == pytest.approx(value, abs=0.0006)
        assert desk.board.strips[at].plot.line_value == value
        assert desk.board.strips[at].title.text().startswith(rule_words(desk.board.strips[at].rule, value).split(" →")[0])


def test_four_strips_in_the_order_of_the_route_show_the_thresholds_in_force(desk: Desk) -> None:
    assert tuple(one.rule.name for one in desk.board.strips) == NAMES
    assert strip(desk, "injection_max").title.text() == "Injection > .60 → exclude"
    agree(desk)
    assert desk.moves == []


def test_counts_are_those_of_the_route(desk: Desk) -> None:
    for value in (0.2, 0.4, 0.5, 0.7):
        controls(desk, "relevant_min")[0].setValue(round(value * 1000))
        rules = [RULES[code] for code in desk.run.routed.rules]
        shown = desk.board.strips_shown
        assert [shown[0].right, shown[1].right, shown[2].left, shown[3].right] == [
            rules.count(rule) for rule in (Rule.INJECTION, Rule.CONTRADICTS, Rule.RELEVANT, Rule.EVIDENCE)
        ]
        assert shown[0].not_judged == rules.count(Rule.NOT_JUDGED) == 1


def test_the_slider_moves_everything_and_is_one_step_a_drag(desk: Desk) -> None:
    slider, spin = controls(desk, "evidence_min")
    slider.setSliderDown(True)
    for position in (510, 700, 905):
        slider.setSliderPosition(position)
        agree(desk)
    assert desk.releases == 0
    slider.setSliderDown(False)
    assert desk.releases == 1
    assert desk.moves == [("thresholds.evidence_min", 0.51), ("thresholds.evidence_min", 0.7), ("thresholds.evidence_min", 0.905)]
    assert spin.text() == "0.905"


def test_the_spin_box_moves_everything(desk: Desk) -> None:
    slider, spin = controls(desk, "contradicts_min")
    spin.setValue(0.95)
    agree(desk)
    assert (slider.value(), spin.text(), desk.releases) == (950, "0.95", 1)


def test_dragging_the_line_moves_the_threshold(desk: Desk, qtbot: QtBot) -> None:
    plot = strip(desk, "relevant_min").plot
    y = plot.height() // 2
    start, end = QPoint(round(plot.pixel_of(desk.thresholds.relevant_min)), y), QPoint(round(plot.pixel_of(0.82)), y)
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(plot.viewport(), pos=end)
    assert desk.releases == 0
    assert strip(desk, "relevant_min").badge.text() == badge(desk.board.strips_shown[2]) != "no flips"
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert desk.thresholds.relevant_min == pytest.approx(0.82, abs=0.004)
    assert desk.releases == 1
    agree(desk)


def test_the_ghost_stands_at_the_baseline(desk: Desk) -> None:
    plot = strip(desk, "evidence_min").plot
    assert plot.ghost_value is None
    controls(desk, "evidence_min")[0].setValue(800)
    assert plot.ghost_value == 0.5


def test_keys_move_jump_and_go_back(desk: Desk, qtbot: QtBot) -> None:
    slider, _ = controls(desk, "evidence_min")
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert desk.thresholds.evidence_min == 0.51
    qtbot.keyClick(slider, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert desk.thresholds.evidence_min == 0.509
    assert desk.releases == 2
    before = desk.run.routed.routes
    expected = desk.board.strips_shown[3].next_flip()
    qtbot.keyClick(slider, "]")
    assert desk.thresholds.evidence_min == expected
    assert (desk.run.routed.routes != before).any()
    qtbot.keyClick(slider, "[")
    assert (desk.run.routed.routes == before).all()
    qtbot.keyClick(slider, Qt.Key.Key_B)
    assert desk.thresholds.evidence_min == 0.5
    agree(desk)


def test_the_frame_shows_which_threshold_the_keys_move(desk: Desk) -> None:
    for name in ("evidence_min", "relevant_min"):
        controls(desk, name)[0].setFocus()
        assert [one.rule.name for one in desk.board.strips if one.plot._focused] == [name]


def test_a_held_key_is_one_step(desk: Desk, qtbot: QtBot) -> None:
    slider, _ = controls(desk, "injection_max")
    for _ in range(5):
        qtbot.keyPress(slider, Qt.Key.Key_Left)
    assert desk.releases == 0
    qtbot.keyRelease(slider, Qt.Key.Key_Left)
    assert (desk.releases, desk.thresholds.injection_max) == (1, 0.55)


def test_keys_work_in_the_picture_and_in_the_spin_box(desk: Desk, qtbot: QtBot) -> None:
    qtbot.keyClick(strip(desk, "relevant_min").plot, Qt.Key.Key_Up)
    assert desk.thresholds.relevant_min == 0.36
    qtbot.keyClick(controls(desk, "relevant_min")[1], Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert desk.thresholds.relevant_min == 0.361


def test_passages_decided_earlier_are_hollow(desk: Desk) -> None:
    shown = desk.board.strips_shown
    hostile = next(at for at, judgement in enumerate(desk.run.judged.judgements) if judgement.passage_id == "p0")
    assert [bool(one.active[hostile]) for one in shown] == [True, False, False, False]
    controls(desk, "injection_max")[0].setValue(950)
    assert [bool(one.active[hostile]) for one in desk.board.strips_shown] == [True, True, True, True]


def test_dots_have_the_kind_of_the_final_place(desk: Desk) -> None:
    codes = kind_codes(desk.run.prompt.places)
    words = [KINDS[code].word for code in codes]
    by_place = {place.passage_id: word for place, word in zip(desk.run.prompt.places, words, strict=True)}
    assert (by_place["p0"], by_place["p4"], by_place["p5"]) == ("injection", "conflict", "excluded")
    assert len({kind.shape for kind in KINDS}) == len({kind.mark for kind in KINDS}) == len(KINDS)


def test_the_reset_button_goes_back_to_the_baseline(desk: Desk) -> None:
    button = desk.board.findChild(QToolButton, "threshold_relevant_min_reset")
    assert button is not None
    assert not button.isEnabled()
    controls(desk, "relevant_min")[0].setValue(900)
    assert button.isEnabled()
    assert button.accessibleName() == "Relevance floor: back to the baseline"
    button.click()
    assert desk.thresholds.relevant_min == 0.35
    assert desk.releases == 2


def test_a_click_chooses_the_passage_under_it_and_rings_follow(desk: Desk, qtbot: QtBot) -> None:
    plot = strip(desk, "injection_max").plot
    at = next(at for at, judgement in enumerate(desk.run.judged.judgements) if judgement.passage_id == "p0")
    point = QPoint(round(plot.pixel_of(0.9)), round(plot._rows[at]))
    assert plot.nearest(point.toPointF()) == at
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert desk.chosen == [(("p0",), "p0")]
    assert all(one.plot._chosen[1] == at for one in desk.board.strips)


def test_brushing_a_strip_chooses_its_passages(desk: Desk, qtbot: QtBot) -> None:
    plot = strip(desk, "evidence_min").plot
    start, end = QPoint(round(plot.pixel_of(0.7)), 20), QPoint(round(plot.pixel_of(0.99)), 22)
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(plot.viewport(), pos=end)
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)
    scores = desk.run.judged.scores[:, 1]
    ids = tuple(desk.run.judged.judgements[at].passage_id for at in np.flatnonzero((scores >= 0.7) & (scores <= 0.99)))
    assert len(ids) > 2
    assert desk.chosen == [(ids, ids[0])]
    assert desk.moves == []


def test_passages_without_answers_are_counted_beside_and_can_be_chosen(desk: Desk) -> None:
    button = desk.board.findChild(QToolButton, "rule_board_not_judged")
    assert button is not None
    assert button.text() == "? 1 not judged"
    button.click()
    assert desk.chosen == [(("p6",), "p6")]


def test_the_table_has_the_same_numbers(desk: Desk) -> None:
    button = desk.board.findChild(QToolButton, "rule_board_table_button")
    assert button is not None
    button.click()
    desk.board.table.tabs.setCurrentIndex(3)
    model = desk.board.table.model
    cells = [[model.index(line, column).data() for column in range(5)] for line in range(model.rowCount())]
    by_id = {row[0]: row[1:] for row in cells}
    assert len(by_id) == len(TEXTS)
    assert by_id["p0"] == [".90", "+.400", "right", "○ injection"]
    assert by_id["p6"] == ["–", "–", "–", "? not judged"]
    assert cells[-1][0] == "p6"
    controls(desk, "evidence_min")[0].setValue(950)
    line = model.line_of("p9")
    assert line is not None
    assert [model.index(line, column).data() for column in (2, 3, 4)] == ["−.050", "left", "no rule"]
    desk.board.table.table.selectRow(line)
    assert desk.chosen[-1] == (("p9",), "p9")


def test_a_view_that_changes_nothing_moves_nothing(desk: Desk) -> None:
    desk.show()
    desk.show()
    assert (desk.moves, desk.releases) == ([], 0)


def test_a_low_board_keeps_all_controls_in_sight(desk: Desk) -> None:
    desk.board.resize(360, 350)
    QApplication.processEvents()
    for name in NAMES:
        for control in controls(desk, name):
            top = control.mapTo(desk.board, QPoint(0, 0))
            assert desk.board.rect().contains(top)
            assert desk.board.rect().contains(top + QPoint(control.width() - 1, control.height() - 1))


@pytest.mark.parametrize("phase", [Phase.EMPTY, Phase.LOADING, Phase.READY, Phase.RUNNING, Phase.FAILED, Phase.CANCELLED])
def test_without_a_run_there_is_a_notice(qtbot: QtBot, phase: Phase) -> None:
    board = RuleBoardPanel()
    qtbot.addWidget(board)
    board.show_view(empty_view(phase))
    assert board._stack.currentWidget() is board._notice


def test_an_empty_pool_says_so(qtbot: QtBot) -> None:
    board = RuleBoardPanel()
    qtbot.addWidget(board)
    run = trace()
    nothing = replace(run, judged=replace(run.judged, judgements=()), prompt=replace(run.prompt, places=()))
    board.show_view(View(phase=Phase.DONE, theme=view(run).theme, state=view(run).state, trace=nothing))
    assert board.summary.text() == "No passages were retrieved."
