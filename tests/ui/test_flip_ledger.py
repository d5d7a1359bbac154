from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from guard_desk.measure.compare import Change, Ledger, Verdict, ledger
from guard_desk.records.corpus import Labels
from guard_desk.records.decision import Place, Placement
from guard_desk.ui.panels.flip_ledger import FlipLedgerPanel, sums
from tests.ui.builders import decided, selecting, trace, view


@pytest.fixture
def panel(qtbot: QtBot) -> FlipLedgerPanel:
    made = FlipLedgerPanel()
    qtbot.addWidget(made)
    made.resize(640, 200)
    return made


def rows(panel: FlipLedgerPanel) -> list[list[str]]:
    model = panel.model
    return [[model.index(line, at).data() for at in range(model.columnCount())] for line in range(model.rowCount())]


def test_no_change_has_a_sentence(panel: FlipLedgerPanel) -> None:
    panel.show_view(view())
    assert panel._pages.currentWidget() is panel.nothing
    assert panel.sums.text() == "No decision changes."


def test_each_change_is_a_row_with_its_cost_and_verdict(panel: FlipLedgerPanel) -> None:
    run = trace()
    now = decided(run, "thresholds.injection_max", 0.95)
    labels = {"p0": Labels(passage_id="p0", injection=True)}
    book = ledger(run, now, labels)
    panel.show_view(view(now, baseline=run, labels=labels, ledger=book))
    by_id = {row[0]: row[1:] for row in rows(panel)}
    assert set(by_id) == {change.passage_id for change in book.changes}
    before, after, rule, margin, tokens, label = by_id["p0"]
    assert (before, after, rule, margin, label) == ("▲ injection", "◆ conflict", "evidence", "+.400", "✗ break")
    assert tokens.startswith("+")
    assert panel.sums.text() == sums(book)
    assert "1 flip" in panel.sums.text()
    assert panel.sums.text().endswith("0 fixes, 1 break")


def test_too_little_evidence_names_the_threshold_that_it_missed(panel: FlipLedgerPanel) -> None:
    run = trace()
    now = decided(run, "thresholds.evidence_min", 1.0)
    panel.show_view(view(now, baseline=run, ledger=ledger(run, now, {})))
    assert {row[3] for row in rows(panel) if row[2] == "○ no evidence"} == {"evidence"}


def test_choosing_a_row_chooses_the_passage_and_the_selection_is_followed(panel: FlipLedgerPanel) -> None:
    run = trace()
    shown = view(decided(run, "thresholds.evidence_min", 0.95), baseline=run)
    panel.show_view(shown)
    table = panel.findChild(QTableView, "flip_ledger")
    assert table is not None
    chosen: list[tuple[object, object]] = []
    panel.selected.connect(lambda ids, primary: chosen.append((ids, primary)))
    last = panel.model.id_at(panel.model.rowCount() - 1)
    panel.show_view(selecting(shown, last))
    assert chosen == []
    assert [index.row() for index in table.selectionModel().selectedRows()] == [panel.model.rowCount() - 1]
    table.selectRow(0)
    first = panel.model.id_at(0)
    assert chosen == [((first,), first)]


def test_the_order_and_the_choice_stay_while_a_threshold_moves(panel: FlipLedgerPanel) -> None:
    run = trace()
    panel.show_view(view(decided(run, "thresholds.evidence_min", 0.95), baseline=run))
    panel.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    order = [row[0] for row in rows(panel)]
    assert order == sorted(order, reverse=True)
    panel.table.selectRow(1)
    panel.show_view(selecting(view(decided(run, "thresholds.evidence_min", 0.94), baseline=run), order[1]))
    assert [row[0] for row in rows(panel)] == order
    assert [panel.model.id_at(index.row()) for index in panel.table.selectionModel().selectedRows()] == [order[1]]


def test_tooltips_are_plain_text(panel: FlipLedgerPanel) -> None:
    run = trace(texts=("<b>Backups</b> are kept for 7 days & <img src=x>.",))
    panel.show_view(view(decided(run, "thresholds.evidence_min", 0.95), baseline=run))
    tip = panel.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;Backups" in tip
    assert "<img" not in tip


def test_sums_say_what_labels_know_only_when_there_are_labels() -> None:
    inside = Placement(passage_id="a", place=Place.EVIDENCE, tokens=180)
    out = Placement(passage_id="a", place=Place.EXCLUDED, rule="default")
    row = Change(passage_id="a", before=out, after=inside, rule="evidence", margin=0.1, tokens=180, verdict=Verdict.UNLABELLED)
    book = Ledger(changes=(row,), route_changes=1, into_prompt=1, out_of_prompt=0, tokens=180, fixes=0, breaks=0)
    assert sums(book) == "1 flip · 1 in, 0 out · +180 tokens"
    fixed = replace(book, changes=(replace(row, verdict=Verdict.FIX),), fixes=1)
    assert sums(fixed) == "1 flip · 1 in, 0 out · +180 tokens · 1 fix, 0 breaks"


def test_ten_thousand_changes_are_shown_and_sorted(panel: FlipLedgerPanel) -> None:
    run = trace()
    changes = tuple(
        Change(
            passage_id=f"q{at:05}",
            before=Placement(passage_id=f"q{at:05}", place=Place.EVIDENCE),
            after=Placement(passage_id=f"q{at:05}", place=Place.EXCLUDED, rule="default"),
            rule="default",
            margin=None if at == 7 else -at / 10_000,
            tokens=-at,
            verdict=Verdict.UNLABELLED,
        )
        for at in range(10_000)
    )
    book = Ledger(changes=changes, route_changes=10_000, into_prompt=0, out_of_prompt=10_000, tokens=-1, fixes=0, breaks=0)
    panel.show_view(view(run, ledger=book))
    panel.table.sortByColumn(4, Qt.SortOrder.AscendingOrder)
    assert panel.model.id_at(0) == "q09999"
    assert panel.model.id_at(9999) == "q00007"


def test_a_narrow_ledger_keeps_what_changed_and_spares_the_rest(panel: FlipLedgerPanel) -> None:
    run = trace()
    panel.show_view(view(decided(run, "thresholds.evidence_min", 0.95), baseline=run))
    panel.show()
    titles = [column.title for column in panel.model.columns]
    for width, spared in ((700, []), (500, ["rule"]), (380, ["rule", "margin", "tokens"])):
        panel.resize(width, 200)
        assert [title for at, title in enumerate(titles) if panel.table.isColumnHidden(at)] == spared
        assert panel.table.horizontalHeader().length() <= panel.table.viewport().width()
