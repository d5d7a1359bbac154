from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from guard_desk.formats import make_corpus
from guard_desk.records.corpus import Labels, LoadResult, Passage
from guard_desk.records.trace import Trace
from guard_desk.ui.models.passages import BAR_ROLE
from guard_desk.ui.panels.passages import PassagesPanel
from guard_desk.ui.theme import LIGHT
from guard_desk.ui.view import Phase, View
from tests.ui import builders
from tests.ui.windows import settle

DOWN, UP, LEFT, RIGHT = Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right


@pytest.fixture
def run() -> Trace:
    return builders.trace()


@pytest.fixture
def panel(qtbot: QtBot) -> PassagesPanel:
    made = PassagesPanel()
    qtbot.addWidget(made)
    made.resize(1200, 420)
    made.show()
    return made


def column(panel: PassagesPanel, title: str) -> int:
    return [c.title for c in panel.model.columns].index(title)


def texts(panel: PassagesPanel, title: str) -> list[str]:
    at = column(panel, title)
    return [panel.model.index(line, at).data() for line in range(panel.model.rowCount())]


def cell(panel: PassagesPanel, passage_id: str, title: str, role: int = Qt.ItemDataRole.DisplayRole) -> object:
    line = panel.model.line_of(passage_id)
    assert line is not None
    return panel.model.index(line, column(panel, title)).data(role)


def ids(panel: PassagesPanel) -> list[str]:
    return [panel.model.id_at(line) for line in range(panel.model.rowCount())]


def chosen(panel: PassagesPanel) -> list[str]:
    return sorted(panel.model.id_at(index.row()) for index in panel.table.selectionModel().selectedRows())


def spy(panel: PassagesPanel) -> list[tuple[tuple[str, ...], str | None]]:
    seen: list[tuple[tuple[str, ...], str | None]] = []
    panel.selected.connect(lambda i, primary: seen.append((i, primary)))
    return seen


def large_view(count: int) -> View:
    words = ("alpha", "beta", "gamma", "delta")
    passages = [
        Passage(id=f"id{at:06d}", text=f"{words[at % 4]} text {at} " + "filler words " * 8, title=f"Title {(at * 7919) % count}")
        for at in range(count)
    ]
    return builders.ready_view(loaded=LoadResult(corpus=make_corpus(passages)))


# What it shows


def test_a_run_shows_the_pool_in_rank_order_with_places_and_answers(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    assert cell(panel, "p0", "place") == "▲ injection"
    assert cell(panel, "p4", "place") == "◆ conflict"
    assert cell(panel, "p6", "place") == "? not judged"
    assert (cell(panel, "p0", "#"), cell(panel, "p0", "sim"), cell(panel, "p0", "inj")) == ("6", ".267", ".90")
    assert cell(panel, "p6", "rel") == "–"
    assert texts(panel, "#") == [str(rank) for rank in (1, 3, 4, 5, 6, 7, 8, 9, 10)]
    color = cell(panel, "p0", "place", Qt.ItemDataRole.ForegroundRole)
    assert color.name() == LIGHT.hostile  # type: ignore[attr-defined]


def test_answers_have_a_bar_with_the_threshold(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    bar = cell(panel, "p0", "inj", BAR_ROLE)
    assert (bar.value, bar.threshold) == (0.9, 0.6)  # type: ignore[attr-defined]
    assert cell(panel, "p6", "inj", BAR_ROLE) is None


def test_an_uncertain_answer_is_marked(panel: PassagesPanel, run: Trace) -> None:
    first = run.judged.judgements[0]
    unsure = replace(first, uncertain=("evidence",))
    judged = replace(run.judged, judgements=(unsure, *run.judged.judgements[1:]))
    panel.show_view(builders.view(replace(run, judged=judged)))
    assert cell(panel, first.passage_id, "evi") == "≈.90"


def test_before_a_run_the_corpus_is_shown_with_the_columns_it_has(panel: PassagesPanel) -> None:
    panel.show_view(builders.ready_view())
    assert ids(panel) == [f"p{at}" for at in range(10)]
    visible = [c.title for at, c in enumerate(panel.model.columns) if not panel.table.isColumnHidden(at)]
    assert visible == ["passage", "id", "source", "date", "label"]
    assert panel.footer.text() == "showing 10 of 10"


def test_retrieved_passages_and_judgements_appear_as_they_come(panel: PassagesPanel, run: Trace) -> None:
    running = builders.ready_view(phase=Phase.RUNNING)
    panel.show_view(running)
    assert panel.model.rowCount() == 10
    panel.show_view(replace(running, retrieved=run.retrieved))
    assert set(texts(panel, "place")) == {"… waiting"}
    panel.show_view(replace(running, retrieved=run.retrieved, partial_judgements=run.judged.judgements[:8]))
    assert texts(panel, "place") == ["✓ judged"] * 7 + ["? not judged"] + ["… waiting"] * 2
    panel.show_view(builders.view(run))
    assert cell(panel, "p0", "place") == "▲ injection"


def test_a_moved_knob_changes_cells_and_leaves_the_order(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    panel.table.sortByColumn(column(panel, "id"), Qt.SortOrder.DescendingOrder)
    before = ids(panel)
    panel.show_view(builders.view(builders.decided(run, "thresholds.injection_max", 0.95), baseline=run))
    assert ids(panel) == before
    assert cell(panel, "p0", "place") in ("● evidence", "◆ conflict")


class Painted(QObject):
    """Notes which part of a widget is drawn."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.region = QRegion()
        watched.installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


def test_only_what_changed_is_drawn_anew(panel: PassagesPanel, run: Trace, qtbot: QtBot) -> None:
    painted = Painted(panel.table.viewport())
    panel.show_view(builders.view(run))
    panel.table.viewport().update()
    qtbot.waitUntil(lambda: not painted.region.isEmpty())
    settle()  # what the first picture has brought along
    painted.region = QRegion()
    panel.show_view(builders.view(builders.decided(run, "thin.half_life_days", 731)))
    QTest.qWait(50)
    assert painted.region.isEmpty()
    panel.show_view(builders.view(builders.decided(run, "thresholds.injection_max", 0.95), baseline=run))
    qtbot.waitUntil(lambda: not painted.region.isEmpty())
    changed, other = (panel.table.visualRect(panel.model.index(panel.model.line_of(i) or 0, 0)) for i in ("p0", "p9"))
    assert painted.region.intersects(changed)
    assert not painted.region.intersects(other)


def test_labels_say_whether_the_decision_agrees(panel: PassagesPanel, run: Trace) -> None:
    labels = {
        "p0": Labels(passage_id="p0", injection=True),
        "p5": Labels(passage_id="p5", relevant=True, evidence=True),
        "p6": Labels(passage_id="p6", relevant=True),
    }
    panel.show_view(builders.view(run, labels=labels))
    assert [cell(panel, i, "label") for i in ("p0", "p5", "p6", "p9")] == ["✓ injection", "✗ evidence", "on topic", ""]


def test_the_whole_corpus_tells_what_was_not_retrieved(panel: PassagesPanel) -> None:
    run = builders.trace(policy=builders.POLICY.with_value("retrieve.pool", 5))
    panel.show_view(builders.view(run, loaded=LoadResult(corpus=builders.corpus())))
    assert len(panel.model.rows) == 5
    panel.show_whole_corpus(True)
    assert len(panel.model.rows) == 10
    assert cell(panel, "p5", "place") == "· not retrieved"
    assert texts(panel, "#")[:2] == ["1", "3"]


def test_passages_are_plain_text_in_tooltips(panel: PassagesPanel) -> None:
    panel.show_view(builders.ready_view(["<img src=x> \u202e & more"]))
    tip = cell(panel, "p0", "passage", Qt.ItemDataRole.ToolTipRole)
    assert "&lt;img" in str(tip)
    assert "‹RLO›" in str(cell(panel, "p0", "passage"))


# Groups


def test_merged_passages_stand_under_their_representative(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    assert "p2" not in ids(panel)
    assert str(cell(panel, "p1", "passage")).startswith("▸ +1")
    assert panel.footer.text() == "showing 9 of 10 · 1 folded in groups"
    panel.table.selectRow(panel.model.line_of("p1") or 0)
    QTest.keyClick(panel.table, RIGHT)
    assert ids(panel)[:2] == ["p1", "p2"]
    assert "└" in str(cell(panel, "p2", "passage"))
    QTest.keyClick(panel.table, DOWN)
    seen = spy(panel)
    QTest.keyClick(panel.table, LEFT)
    assert "p2" not in ids(panel)
    assert seen[-1] == (("p1",), "p1")


def test_a_chosen_member_opens_its_group(panel: PassagesPanel, run: Trace) -> None:
    view = builders.view(run)
    panel.show_view(view)
    panel.show_view(builders.selecting(view, "p2"))
    assert chosen(panel) == ["p2"]


def test_a_click_on_the_sign_opens_the_group(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    place = panel.table.visualRect(panel.model.index(panel.model.line_of("p1") or 0, column(panel, "passage")))
    QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place.topLeft() + QPoint(8, 8))
    assert "p2" in ids(panel)


def test_sorted_or_filtered_there_are_no_folds(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    panel.table.sortByColumn(column(panel, "id"), Qt.SortOrder.AscendingOrder)
    assert ids(panel) == [f"p{at}" for at in range(10)]
    panel.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    panel.filter.setText("7 days")
    assert "p2" in ids(panel)


# Sorting, filter


def test_columns_sort_by_value_and_what_is_missing_comes_last(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    for order in Qt.SortOrder:
        panel.table.sortByColumn(column(panel, "inj"), order)
        assert ids(panel)[-1] == "p6"
    assert ids(panel)[0] == "p0"
    panel.table.sortByColumn(column(panel, "place"), Qt.SortOrder.AscendingOrder)
    assert texts(panel, "place")[0] == "● evidence"
    assert texts(panel, "place")[-1] == "? not judged"


def test_every_word_must_occur_in_any_field_and_case(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    panel.filter.setText("BACKUPS oslo")
    assert (ids(panel), panel.table.sentence) == ([], "No passage holds “BACKUPS oslo”.")
    panel.filter.setText("guide/S4.MD never")
    assert ids(panel) == ["p4"]
    panel.filter.setText("நாட்கள்")
    assert ids(panel) == ["p7"]
    panel.filter.clear()
    assert panel.model.rowCount() == 9


def test_quick_filter_by_place_follows_the_knobs(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    panel.show_places(frozenset(("excluded:injection",)))
    assert (ids(panel), panel.places.text()) == (["p0"], "▲ injection")
    panel.show_view(builders.view(builders.decided(run, "thresholds.injection_max", 0.95), baseline=run))
    assert ids(panel) == []
    assert panel.table.sentence == "No passage has such a place."
    panel.show_places(frozenset())
    assert panel.places.text() == "All"


def test_the_menu_counts_places(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    panel.places.menu().aboutToShow.emit()
    names = [action.text() for action in panel.places.menu().actions() if not action.isSeparator()]
    assert names[:2] == ["● evidence   1", "◆ conflict   3"]
    panel.places.menu().actions()[0].trigger()
    assert ids(panel) == ["p9"]


def test_filter_and_sort_keep_the_choice(panel: PassagesPanel, run: Trace) -> None:
    view = builders.selecting(builders.view(run), "p0", "p4")
    panel.show_view(view)
    seen = spy(panel)
    panel.filter.setText("never")
    assert chosen(panel) == ["p4"]
    panel.filter.clear()
    panel.table.sortByColumn(column(panel, "sim"), Qt.SortOrder.AscendingOrder)
    assert (chosen(panel), seen) == (["p0", "p4"], [])


# Keys


def test_keys_choose_rows(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.view(run))
    panel.table.setFocus()
    panel.table.selectRow(0)
    seen = spy(panel)
    shown = ids(panel)
    for key in (DOWN, Qt.Key.Key_End, UP, Qt.Key.Key_Home):
        QTest.keyClick(panel.table, key)
    assert [primary for _, primary in seen] == [shown[1], shown[-1], shown[-2], shown[0]]
    QTest.keyClick(panel.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert set(seen[-1][0]) == set(shown)
    QTest.keyClicks(panel.table, "p9")
    assert set(chosen(panel)) == set(shown)


def test_enter_makes_the_current_row_the_primary_one(panel: PassagesPanel, run: Trace) -> None:
    panel.show_view(builders.selecting(builders.view(run), "p0", "p4", primary="p0"))
    seen = spy(panel)
    QTest.keyClick(panel.table, Qt.Key.Key_Return)
    assert seen == [(("p0", "p4"), "p0")]


def test_copy_gives_tab_separated_lines_safe_for_spreadsheets(panel: PassagesPanel) -> None:
    odd = Passage(id="p0", title="=HYPERLINK(1)", text="two\tcells\nlines")
    panel.show_view(builders.ready_view(loaded=LoadResult(corpus=make_corpus([odd]))))
    panel.table.selectRow(0)
    QTest.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t") == ["passage", "id", "source", "date", "label"]
    assert lines[1].split("\t")[:2] == ["'=HYPERLINK(1) · two cells lines", "p0"]


def test_the_filter_line_is_reached_and_left_by_keys(panel: PassagesPanel, run: Trace, qtbot: QtBot) -> None:
    panel.show_view(builders.view(run))
    panel.activateWindow()
    panel.focus_filter()
    qtbot.waitUntil(panel.filter.hasFocus)
    QTest.keyClicks(panel.filter, "never")
    QTest.keyClick(panel.filter, DOWN)
    assert panel.table.hasFocus()
    assert chosen(panel) == ["p4"]
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert panel.filter.text() == ""


# Many


@pytest.fixture(scope="module")
def many() -> View:
    return large_view(100_000)


def test_a_hundred_thousand_rows_open_sort_and_scroll(panel: PassagesPanel, many: View) -> None:
    panel.show_view(many)
    assert panel.model.rowCount() == 100_000
    at = column(panel, "passage")
    panel.table.sortByColumn(at, Qt.SortOrder.DescendingOrder)
    panel.table.sortByColumn(at, Qt.SortOrder.AscendingOrder)
    assert str(panel.model.index(0, at).data()).startswith("Title 0 ")
    bar = panel.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert not panel.table.viewport().grab().isNull()


def test_a_hundred_thousand_rows_filter_without_holding_the_window(panel: PassagesPanel, many: View, qtbot: QtBot) -> None:
    panel.show_view(many)
    panel.filter.setText("GAMMA ID099998")
    assert panel.model.rowCount() > 1  # the rest is searched in slices
    qtbot.waitUntil(lambda: panel.model.rowCount() == 1, timeout=15_000)
    assert ids(panel) == ["id099998"]
    panel.filter.setText("gamma")
    panel.filter.clear()
    assert panel.model.rowCount() == 100_000
    assert isinstance(panel.model._shown, np.ndarray)


def test_a_search_ends_with_its_panel(qtbot: QtBot, many: View) -> None:
    panel = PassagesPanel()
    qtbot.addWidget(panel)
    panel.show_view(many)
    panel.filter.setText("nothing")
