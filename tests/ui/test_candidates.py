"""The panel of candidate values."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from guard_desk.measure.score_parts import Part, Parts, score_parts
from guard_desk.pipeline import redecide
from guard_desk.records.corpus import Passage
from guard_desk.ui.panels.candidates import NOTHING, CandidatesPanel, _add_lines
from guard_desk.ui.theme import DARK, LIGHT
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.score_bars import ROLE, BarScale, ink_on, kind_fill, letter, line_words, short, signed
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
    items = [made.tree.topLevelItem(at) for at in range(made.tree.topLevelItemCount())]
    for item in items:
        _add_lines(item)
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
    assert rows[0] == ["7 days", "p0", "states", "official", "1.00", "1.00", "+1.00", "2", "", ""]
    assert rows[1][-2:] == ["voice", "hedged"]
    assert rows[3][1:3] == ["p3", "negates"]
    assert rows[3][6] == "−.57"
    told = heard(made)
    made.table.selectRow(3)
    assert told == [(("p3",), "p3")]


def test_parts_stand_on_one_scale_with_denials_left_of_zero(qtbot: QtBot) -> None:
    run = disputed()
    made = panel(qtbot, builders.view(run))
    parts = score_parts(run)
    area = QRectF(0, 0, 300, 20)
    zero = made.delegate.scale.zero(area)
    first = {part.line.passage_id: box for box, part in made.delegate.boxes(area, parts[0])}
    second = {part.line.passage_id: box for box, part in made.delegate.boxes(area, parts[1])}
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
    made.delegate.paint(painter, option, made.tree.indexFromItem(tops(made)[1], 1))
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
    wanted = ("mode", "half_life_days", "cap_per_source", "contested_margin", "negation_penalty", "max_support_lines", "as_of")
    assert {f"thin.{name}" for name in wanted} <= set(made.knobs.editors)
    assert sum(path.startswith("thin.reliability.") for path in made.knobs.editors) == 7


def test_no_values_is_said_in_words(qtbot: QtBot) -> None:
    run = run_of([Passage(id="a", text="The cafeteria opens at noon.")], "How long are backups kept?")
    made = panel(qtbot, builders.view(run))
    assert made.pages.currentIndex() == 2
    assert NOTHING[1] == "No accepted passage states a value of the kind the question asks for."
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
