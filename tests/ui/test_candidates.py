"""The panel of candidate values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from guard_desk.measure.score_parts import ADVICE, Part, Parts, asked_parts, score_parts, unanswered
from guard_desk.pipeline import redecide
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.decision import Part as Part_
from guard_desk.records.trace import Trace
from guard_desk.ui.candidate_rows import Opened, opened_at_first, rows_of
from guard_desk.ui.panels.candidates import CandidatesPanel
from guard_desk.ui.theme import DARK, LIGHT
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.candidate_tree import add_lines
from guard_desk.ui.widgets.score_bars import ROLE, BarScale, ink_on, kind_fill, letter, line_words, part_words, short, signed
from tests.fakes import WordCounter
from tests.ui import builders
from tests.ui.evidence import disputed, run_of


def panel(qtbot: QtBot, view: View) -> CandidatesPanel:
    made = CandidatesPanel()
    qtbot.addWidget(made)
    made.resize(620, 380)
    made.show()
    made.show_view(view)
    return made


def tops(made: CandidatesPanel) -> list[QTreeWidgetItem]:
    items = list(made.tree.candidates())
    for item in items:
        add_lines(item)
    return items


def texts(made: CandidatesPanel) -> list[tuple[str, list[str]]]:
    return [(item.text(0), [item.child(at).text(0) for at in range(item.childCount())]) for item in tops(made)]


def heard(made: CandidatesPanel) -> list[Any]:
    told: list[Any] = []
    made.selected.connect(lambda ids, primary: told.append((ids, primary)))
    return told


def test_values_with_their_lines_and_marks(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    assert texts(made) == [("★ 7 days", ["+ p0", "⊤ p1"]), ("30 days", ["+ p2", "− p3"])]
    assert made.leader.text() == "★ 7 days"
    assert made.conflict.text() == "≠ conflict"
    assert made.contested.isHidden()
    assert "2026-06-30" in made.as_of.text()
    assert tops(made)[0].isExpanded()
    assert not tops(made)[1].isExpanded()


def test_choosing_a_line_chooses_its_passage(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    told = heard(made)
    made.tree.setCurrentItem(tops(made)[1].child(1))
    made.tree.setCurrentItem(tops(made)[0])
    assert told == [(("p3",), "p3"), (("p0", "p1"), "p0")]


def test_a_selection_from_elsewhere_marks_the_line_and_tells_no_one(qtbot: QtBot) -> None:
    view = builders.view(disputed())
    made = panel(qtbot, view)
    told = heard(made)
    assert made.tree.topLevelItem(1).childCount() == 0
    made.show_view(builders.selecting(view, "p3"))
    assert [item.text(0) for item in made.tree.selectedItems()] == ["− p3"]
    made.show_view(builders.selecting(view))
    assert made.tree.selectedItems() == []
    assert told == []


def test_table_twin_shows_the_same_numbers(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    made.toggle.click()
    assert made.table.isVisible()
    model = made.table.rows_model
    rows = [[model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())]
    assert rows[0][1:] == ["7 days", "p0", "states", "official", "1.00", "1.00", "+1.00", "2", "", "", "Backups are kept for ‹7 days›."]
    assert rows[1][-3:-1] == ["voice", "hedged"]
    assert rows[3][2:4] == ["p3", "negates"]
    assert rows[3][7] == "−.57"
    assert made.table.isColumnHidden(0)
    told = heard(made)
    made.table.selectRow(3)
    assert told == [(("p3",), "p3")]


def test_parts_stand_on_one_scale_with_denials_left_of_zero(qtbot: QtBot) -> None:
    run = disputed()
    made = panel(qtbot, builders.view(run))
    parts = score_parts(run)
    area = QRectF(0, 0, 300, 20)
    zero = made.tree.delegate.scale.zero(area)
    first = {part.line.passage_id: box for box, part in made.tree.delegate.boxes(area, parts[0])}
    second = {part.line.passage_id: box for box, part in made.tree.delegate.boxes(area, parts[1])}
    assert set(first) == {"p0"}
    assert first["p0"].left() == second["p2"].left() == second["p3"].right() == zero
    assert abs(first["p0"].right() - 300) < 0.01
    assert abs(second["p3"].left()) < 0.01


def test_the_delegate_draws_both_kinds_of_row(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    image = QImage(240, 24, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    option = QStyleOptionViewItem()
    option.rect = image.rect()
    option.widget = made.tree
    painter = QPainter(image)
    made.tree.delegate.paint(painter, option, made.tree.indexFromItem(tops(made)[1], 1))
    painter.end()
    colors = {image.pixelColor(x, y).name() for x in range(240) for y in range(24)}
    assert LIGHT.hostile in colors
    assert kind_fill("blog", LIGHT).name() in colors


def test_letters_read_on_their_fill() -> None:
    for colors in (LIGHT, DARK):
        for kind in ("official", "report", "news", "blog", "forum", "social", "unknown"):
            fill = kind_fill(kind, colors)
            assert ink_on(fill, colors).name() in (colors.text, colors.surface)
    assert [letter(kind) for kind in ("official", "report", "unknown")] == ["O", "R", "?"]


def test_words_and_numbers() -> None:
    parts = score_parts(disputed())
    assert [short(0.284), short(1.5), short(-0.5), signed(0.3), signed(-0.5)] == [".28", "1.50", "-.50", "+.30", "−.50"]
    assert line_words(parts[0].added[0]) == "+1.00 = 1.00 × 1.00 · official · voice 2"
    assert line_words(parts[0].capped[0]).startswith("capped: another line says it in the same words")
    assert BarScale.of([]).gain == 1.0


def test_a_moved_knob_shows_at_once_and_what_was_open_stays_open(qtbot: QtBot) -> None:
    run = disputed()
    made = panel(qtbot, builders.view(run))
    tops(made)[1].setExpanded(True)
    tops(made)[0].setExpanded(False)
    moved = redecide(run, run.policy.with_value("thin.negation_penalty", 0.0), WordCounter())
    made.show_view(builders.view(moved, baseline=run))
    row = tops(made)[1].data(1, ROLE)
    assert isinstance(row, Parts)
    assert row.candidate.score > 0
    assert [item.isExpanded() for item in tops(made)] == [False, True]
    assert made.knobs.editors["thin.negation_penalty"].value() == 0.0


def test_knobs_tell_what_a_person_moves(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    told: list[tuple[str, Any]] = []
    made.knob_moved.connect(lambda path, value: told.append((path, value)))
    with qtbot.waitSignal(made.knob_released):
        made.knobs.editors["thin.reliability.blog"].put_back()
        made.knobs.editors["thin.cap_per_source"]._tell(3)
    assert told == [("thin.cap_per_source", 3)]
    wanted = ("mode", "half_life_days", "undated_recency", "hedged_strength", "cap_per_source", "cap_per_domain", "contested_margin")
    wanted += ("negation_penalty", "max_support_lines", "as_of")
    assert {f"thin.{name}" for name in wanted} <= set(made.knobs.editors)
    assert sum(path.startswith("thin.reliability.") for path in made.knobs.editors) == 7


def test_no_values_is_said_in_words(qtbot: QtBot) -> None:
    run = run_of([Passage(id="a", text="The cafeteria opens at noon.")], "How long are backups kept?")
    made = panel(qtbot, builders.view(run))
    assert made.pages.currentIndex() == 2
    assert unanswered(run)[0] == "No passage was taken in"
    assert made.knobs.isVisible()
    assert not made.toggle.isEnabled()


def test_waiting_states_and_long_values(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.ready_view())
    assert not made.content.isVisible()
    made.show_view(builders.empty_view(Phase.LOADING))
    assert not made.content.isVisible()
    line = ("The office is at <b>" + "Very Long Street Name " * 6 + "7</b>.", "official", "a.example/x", "2026-01")
    made.show_view(builders.view(disputed([line, ("Backups are kept for 7 days.", "blog", "b.example", "2026-01")])))
    assert made.content.isVisible()
    assert all("<b>" not in item.toolTip(0) for item in tops(made))


def test_rows_hold_their_records(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    assert isinstance(tops(made)[0].child(0).data(1, ROLE), Part)
    spoken = tops(made)[0].data(1, Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "score 1.00, leader, 2 lines"


def heard_words(made: CandidatesPanel) -> list[Any]:
    told: list[Any] = []
    made.words_chosen.connect(lambda passage_id, span: told.append((passage_id, span)))
    return told


def test_choosing_a_line_says_which_words_of_the_passage_are_meant(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    told = heard_words(made)
    made.tree.setCurrentItem(tops(made)[1].child(1))
    assert told == [("p3", Span(25, 32))]
    made.tree.setCurrentItem(tops(made)[0])
    assert len(told) == 1, "a value is no line"
    made.toggle.click()
    made.table.selectRow(0)
    assert told[1:] == [("p0", Span(21, 27))]


def test_a_line_with_another_factor_shows_an_equation_that_holds() -> None:
    best = score_parts(disputed())[0].added[0]
    hedged = replace(best, line=replace(best.line, contribution=0.8, note="hedged"))
    assert line_words(hedged) == "+.80 = 1.00 × 1.00 × .80 · official · voice 2 · hedged"


QUESTION = "How long are backups kept, who keeps them, and where?"


def parted() -> Trace:
    """A question of three parts: a clear leader, a contest, no line."""
    run = disputed()
    asked = [QUESTION.index(words) for words in ("How", "who", "where")]
    ends = [QUESTION.index(words) for words in (", who", ", and", "?")]
    first, second = run.thinned.candidates
    parts = (
        Part_(span=Span(asked[0], ends[0]), leader=first.value, contested=False, conflict=True),
        Part_(span=Span(asked[1], ends[1]), leader=None, contested=True, conflict=False),
        Part_(span=Span(asked[2], ends[2]), leader=None, contested=False, conflict=False),
    )
    thinned = replace(run.thinned, candidates=(first, replace(second, part=1)), parts=parts, leader=None, conflict=True, contested=True)
    query = Query(text=QUESTION)
    return replace(run, query=query, retrieved=replace(run.retrieved, query=query), thinned=thinned)


def test_each_part_of_a_question_has_a_list_of_its_own(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(parted()))
    headings = [made.tree.topLevelItem(at) for at in range(made.tree.topLevelItemCount())]
    assert [item.text(0) for item in headings] == ["How long are backups kept", "who keeps them", "where"]
    assert [part_words(item.data(1, ROLE)) for item in headings] == [
        "★ 7 days · ≠ conflict",
        "◆ contested",
        "○ no line answers this part",
    ]
    assert all(item.isExpanded() and item.isFirstColumnSpanned() for item in headings)
    assert [item.text(0) for item in made.tree.candidates()] == ["★ 7 days", "30 days"]
    assert headings[2].child(0).text(0) == ADVICE
    assert made.leader.text() == "A clear leader for 1 of 3 parts"
    assert made.conflict.isHidden()
    assert made.contested.isHidden()
    assert made.as_of.text().startswith("3 parts · 2 values")
    assert not made.table.isColumnHidden(0)
    assert "who keeps them; ◆ contested" in headings[1].data(0, Qt.ItemDataRole.AccessibleTextRole)


def in_sight(made: CandidatesPanel) -> list[str]:
    """First cells of the rows that stand whole in the tree's viewport, from the top."""
    tree, room = made.tree, made.tree.viewport().rect()
    items, item = [], tree.topLevelItem(0)
    while item is not None:
        if room.contains(tree.visualItemRect(item)):
            items.append(item.text(0))
        item = tree.itemBelow(item)
    return items


def test_the_leaders_of_all_parts_are_in_sight_before_any_detail(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(parted()))
    assert made.tree.verticalScrollBar().maximum() == 0
    assert in_sight(made) == [
        "How long are backups kept",
        "★ 7 days",
        "+ p0",
        "⊤ p1",
        "who keeps them",
        "30 days",
        "+ p2",
        "− p3",
        "where",
        ADVICE,
    ]
    made.resize(620, 260)
    assert in_sight(made) == ["How long are backups kept", "★ 7 days", "who keeps them", "30 days", "where", ADVICE]
    made.resize(620, 190)
    assert made.tree.verticalScrollBar().maximum() == 0
    assert {"How long are backups kept", "who keeps them", "where"} <= set(in_sight(made))
    assert ADVICE not in in_sight(made)


def test_what_a_person_closed_stays_closed_when_the_panel_grows(qtbot: QtBot) -> None:
    run = parted()
    made = panel(qtbot, builders.view(run))
    made.tree.topLevelItem(1).setExpanded(False)
    made.resize(620, 600)
    made.show_view(builders.view(replace(run, thinned=replace(run.thinned, contested=False))))
    assert [made.tree.topLevelItem(at).isExpanded() for at in range(3)] == [True, False, True]


def test_parts_open_in_their_order_as_long_as_all_of_them_fit() -> None:
    asked = asked_parts(parted())
    assert [rows_of(part) for part in asked] == [2, 2, 2]
    assert opened_at_first(asked, 2) == Opened(headings=frozenset(), leaders=frozenset())
    assert opened_at_first(asked, 4) == Opened(headings=frozenset({0}), leaders=frozenset())
    assert opened_at_first(asked, 8) == Opened(headings=frozenset({0, 1, 2}), leaders=frozenset({0}))
    assert opened_at_first(asked[:1], 0) == Opened(headings=frozenset({0}), leaders=frozenset({0}))


def test_choosing_a_heading_chooses_all_its_passages(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(parted()))
    told = heard(made)
    made.tree.setCurrentItem(made.tree.topLevelItem(0))
    assert told == [(("p0", "p1"), "p0")]
    made.tree.setCurrentItem(made.tree.topLevelItem(2))
    assert len(told) == 1, "a part that no line answers has no passages"


def test_headings_are_drawn_with_their_state(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(parted()))
    image = made.tree.viewport().grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert LIGHT.evidence in colors


def test_a_question_that_no_line_answers_says_so(qtbot: QtBot) -> None:
    run = run_of([Passage(id="a", text="Backups are kept for 7 days.")], "How long are backups kept?")
    run = replace(run, thinned=replace(run.thinned, candidates=(), leader=None, parts=()))
    assert unanswered(run) == (
        "No line answers this question",
        f"The passages that were taken in give no value for what is asked. {ADVICE}",
    )
    made = panel(qtbot, builders.view(run))
    assert made.pages.currentWidget() is made.nothing


def test_in_a_low_panel_the_lines_get_the_room(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(disputed()))
    made.resize(620, 200)
    assert made.legend.isHidden()
    assert made.as_of.isHidden()
    assert made.tree.header().isHidden()
