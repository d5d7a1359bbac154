from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from guard_desk.records.trace import Trace
from guard_desk.ui.panels.ladder import LadderPanel
from guard_desk.ui.theme import DARK, LIGHT
from guard_desk.ui.view import Phase, View
from tests.ui import builders

SIZE = (620, 380)


@pytest.fixture
def run() -> Trace:
    return builders.trace()


@pytest.fixture
def panel(qtbot: QtBot) -> LadderPanel:
    made = LadderPanel()
    qtbot.addWidget(made)
    made.resize(*SIZE)
    made.show()
    return made


def shown(panel: LadderPanel, view: View) -> LadderPanel:
    panel.show_view(view)
    QTest.qWait(1)
    return panel


def spy(panel: LadderPanel) -> list[tuple[tuple[str, ...], str | None]]:
    seen: list[tuple[tuple[str, ...], str | None]] = []
    panel.selected.connect(lambda ids, primary: seen.append((ids, primary)))
    return seen


def row_point(panel: LadderPanel, passage_id: str) -> QPoint:
    row, place = panel.picture.row_of(passage_id), panel.picture.laid_out
    assert row is not None
    assert place is not None
    return QPoint(60, round(place.row_y(row, panel.picture.verticalScrollBar().value())))


def test_nothing_yet_is_said(panel: LadderPanel) -> None:
    shown(panel, builders.empty_view())
    assert not panel.picture.isVisible()


def test_a_run_is_shown_with_its_headline(panel: LadderPanel, run: Trace) -> None:
    shown(panel, builders.view(run))
    assert panel.picture.isVisible()
    assert "Rank 6 is an injection" in panel.headline.text()
    assert panel.picture.objectName() == "ladder_view"
    assert panel.picture.accessibleDescription() == "10 passages in the pool"


@pytest.mark.parametrize("dark", [False, True])
def test_the_colours_of_the_theme_are_drawn(panel: LadderPanel, run: Trace, dark: bool) -> None:
    shown(panel, builders.view(run, dark=dark))
    colors = DARK if dark else LIGHT
    image = panel.picture.viewport().grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
    for fill in (colors.surface, colors.evidence_fill, colors.conflict_fill, colors.wrong_fill):
        assert QColor(fill).name() in seen


def test_a_click_on_a_row_chooses_it(panel: LadderPanel, run: Trace) -> None:
    shown(panel, builders.view(run))
    seen = spy(panel)
    QTest.mouseClick(panel.picture.viewport(), Qt.MouseButton.LeftButton, pos=row_point(panel, "p4"))
    assert seen == [(("p4",), "p4")]
    assert panel.picture.emphasised == {panel.picture.row_of("p4")}


def test_a_click_on_a_box_chooses_its_passages(panel: LadderPanel, run: Trace) -> None:
    shown(panel, builders.view(run))
    place, ladder = panel.picture.laid_out, panel.picture.rungs.ladder
    assert place is not None
    assert ladder is not None
    at = [box.name for box in ladder.boxes].index("conflict")
    seen = spy(panel)
    point = QPoint(round(place.right + 30), round(place.slots[at].top + 5))
    QTest.mouseClick(panel.picture.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert [set(ids) for ids, _ in seen] == [{"p1", "p4", "p3"}]
    assert "3 passages" in panel.picture.tip_at(point)


def test_a_curve_is_found_near_its_middle(panel: LadderPanel, run: Trace) -> None:
    shown(panel, builders.view(run))
    place, ladder = panel.picture.laid_out, panel.picture.rungs.ladder
    assert place is not None
    assert ladder is not None
    row = panel.picture.row_of("p9")
    assert row is not None
    box = int(ladder.box_of[row])
    end = place.slot_y(box, int(ladder.slot_of[row]), ladder.boxes[box].count)
    middle = QPointF((place.left + place.right) / 2, (place.row_y(row) + end) / 2)
    found, _ = panel.picture.hit(middle)
    assert found is not None
    assert panel.picture.hit(QPointF(middle.x(), place.top + 0.1))[1] is None


def test_keys_move_along_the_ranks(panel: LadderPanel, run: Trace) -> None:
    ids = [hit.passage_id for hit in run.retrieved.hits]
    shown(panel, builders.view(run))
    seen = spy(panel)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_Up):
        QTest.keyClick(panel.picture, key)
    assert [primary for _, primary in seen] == [ids[0], ids[1], ids[0], ids[-1], ids[0], ids[0]]
    QTest.keyClick(panel.picture, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert seen[-1] == ((ids[0], ids[1]), ids[1])
    QTest.keyClick(panel.picture, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert seen[-1][0] == tuple(ids)


def test_the_selection_of_others_is_followed_without_an_echo(panel: LadderPanel, run: Trace) -> None:
    view = builders.view(run)
    shown(panel, view)
    seen = spy(panel)
    shown(panel, builders.selecting(view, "p0", "p5"))
    assert seen == []
    assert panel.picture.emphasised == {panel.picture.row_of("p0"), panel.picture.row_of("p5")}
    assert panel.picture.accessibleDescription() == "p0: rank 6, similarity 0.267, excluded, injection"


def test_a_far_rank_is_brought_into_sight(panel: LadderPanel) -> None:
    run = builders.trace([f"Backups are kept in {number} regions." for number in range(50)])
    view = builders.view(run)
    shown(panel, view)
    last = run.retrieved.hits[-1].passage_id
    shown(panel, builders.selecting(view, last))
    place = panel.picture.laid_out
    assert place is not None
    y = place.row_y(49, panel.picture.verticalScrollBar().value())
    assert place.top < y < panel.picture.viewport().height()


def test_a_change_against_the_baseline_is_drawn_and_told(panel: LadderPanel, run: Trace) -> None:
    moved = builders.decided(run, "thresholds.injection_max", 0.95)
    shown(panel, builders.view(moved, baseline=run))
    ladder = panel.picture.rungs.ladder
    row = panel.picture.row_of("p0")
    assert ladder is not None
    assert row is not None
    assert ladder.boxes[ladder.was[row]].name == "excluded:injection"
    assert "under the baseline: excluded, injection" in panel.picture.tip_at(row_point(panel, "p0"))


def test_tooltips_show_passages_as_plain_text(panel: LadderPanel) -> None:
    run = builders.trace(["<b>Backups</b> are kept for 7 days."])
    hostile = replace(run, retrieved=replace(run.retrieved, passages=(replace(run.retrieved.passages[0], title="<img src=x>"),)))
    shown(panel, builders.view(hostile))
    assert "<img" not in panel.picture.tip_at(row_point(panel, "p0"))
    assert "&lt;img" in panel.picture.tip_at(row_point(panel, "p0"))


def test_the_table_twin_shows_the_same_and_shares_the_selection(panel: LadderPanel, run: Trace) -> None:
    moved = builders.decided(run, "thresholds.injection_max", 0.95)
    shown(panel, builders.selecting(builders.view(moved, baseline=run), "p0"))
    panel.toggle.click()
    assert panel.table.isVisible()
    row = panel.model.line_of("p0")
    texts = {
        panel.model.headerData(column, Qt.Orientation.Horizontal): panel.model.index(row or 0, column).data()
        for column in range(panel.model.columnCount())
    }
    assert (texts["#"], texts["id"], texts["sim"], texts["baseline"]) == ("6", "p0", ".267", "▲ injection")
    assert texts["place"] in ("● evidence", "◆ conflict")
    assert [index.row() for index in panel.table.selectionModel().selectedRows()] == [row]


def test_retrieved_passages_stand_while_the_run_goes_on(panel: LadderPanel, run: Trace) -> None:
    running = builders.view(run, phase=Phase.RUNNING, trace=None, baseline=None, ledger=None, retrieved=run.retrieved)
    shown(panel, replace(running, partial_judgements=run.judged.judgements[:3]))
    assert panel.headline.text() == "10 passages retrieved, 3 judged so far"
    assert panel.picture.rungs.ladder is None
    panel.toggle.click()
    assert panel.model.rowCount() == 10
    assert panel.model.index(0, 4).data() == "… waiting"
    shown(panel, builders.view(run))
    assert panel.picture.rungs.ladder is not None
    assert panel.model.index(0, 4).data() == "◆ conflict"


def test_a_long_pool_draws_only_what_is_seen(panel: LadderPanel) -> None:
    run = builders.trace([f"Backups are kept for {number} days." for number in range(60)])
    shown(panel, builders.view(run))
    place = panel.picture.laid_out
    assert place is not None
    assert len(place.visible(panel.picture.viewport().height())) < 25
