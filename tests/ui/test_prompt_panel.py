"""The panel of the prompt."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from guard_desk.records.trace import Trace
from guard_desk.ui.panels.prompt import PromptPanel
from guard_desk.ui.theme import DARK, LIGHT
from guard_desk.ui.view import View
from tests.ui import builders

TRICKY = (
    "Backups 🗄️ are kept for 7 days.\r\nThey are encrypted.\u2028Twice.",
    "备份保留 30 天。",
    "காப்புப்பிரதிகள் 7 நாட்கள்",
    "Backups have \u200b hidden signs in 3 places.",
)


def panel(qtbot: QtBot, view: View) -> PromptPanel:
    made = PromptPanel()
    qtbot.addWidget(made)
    made.resize(620, 380)
    made.show()
    made.show_view(view)
    return made


def tricky() -> Trace:
    return builders.trace(TRICKY, question="How long are backups 7 days kept for 备份 நாட்கள்?")


def heard(made: PromptPanel) -> list[Any]:
    told: list[Any] = []
    made.selected.connect(lambda ids, primary: told.append((ids, primary)))
    return told


def cells(table: Any) -> list[list[str]]:
    model = table.rows_model
    return [[model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())]


def test_head_bar_and_text(qtbot: QtBot) -> None:
    run = builders.trace()
    made = panel(qtbot, builders.view(run))
    assert made.head.text().startswith(f"{run.prompt.passage_tokens:,} of 3,000 tokens · ")
    assert f"{run.prompt.tokens:,} with rules and question" in made.head.text()
    assert made.text.text() == run.prompt.text
    assert [item.passage_id for _, item in made.bar.boxes()] == [block.passage_id for block in run.prompt.blocks]
    assert made.bar.torn()


@pytest.mark.parametrize("make", [builders.trace, tricky])
def test_marks_sit_exactly_on_their_blocks(qtbot: QtBot, make: Any) -> None:
    run: Trace = make()
    made = panel(qtbot, builders.view(run))
    assert run.prompt.blocks
    for block, mark in zip(run.prompt.blocks, made.text.marks(), strict=True):
        assert run.prompt.text[mark.start : mark.end] == block.text
        assert made.text.text()[mark.start : mark.end].startswith(f"[{block.passage_id}]")


def test_bar_segments_follow_each_other_within_the_bar(qtbot: QtBot) -> None:
    run = builders.trace()
    made = panel(qtbot, builders.view(builders.decided(run, "assemble.budget_tokens", 40), baseline=run))
    boxes = [box for box, _ in made.bar.boxes()]
    assert boxes
    assert all(abs(left.right() - right.left()) < 1e-6 for left, right in itertools.pairwise(boxes))
    assert boxes[-1].right() <= made.bar.width()
    assert not made.bar.torn()


def test_choosing_in_bar_text_and_list(qtbot: QtBot) -> None:
    run = builders.decided(builders.trace(), "assemble.k", 2)
    made = panel(qtbot, builders.view(run))
    told = heard(made)
    box, item = list(made.bar.boxes())[1]
    qtbot.mouseClick(made.bar, Qt.MouseButton.LeftButton, pos=QPointF(box.center()).toPoint())
    made.text.step(1)
    made.outside.selectRow(0)
    first, left_out = run.prompt.blocks[0].passage_id, made.outside.rows_model.id_at(0)
    assert told == [((item.passage_id,), item.passage_id), ((first,), first), ((left_out,), left_out)]


def test_arrow_keys_on_the_bar(qtbot: QtBot) -> None:
    view = builders.view()
    made = panel(qtbot, view)
    told = heard(made)
    ids = [item.passage_id for _, item in made.bar.boxes()]
    qtbot.keyClick(made.bar, Qt.Key.Key_Right)
    made.show_view(builders.selecting(view, ids[0]))
    qtbot.keyClick(made.bar, Qt.Key.Key_Right)
    assert [primary for _, primary in told] == ids[:2]


def test_the_chosen_passage_is_framed_and_tells_no_one(qtbot: QtBot) -> None:
    view = builders.view()
    made = panel(qtbot, view)
    told = heard(made)
    assert view.trace is not None
    block = view.trace.prompt.blocks[-1]
    made.show_view(builders.selecting(view, block.passage_id))
    assert made.text.chosen() == block.span.start
    made.show_view(builders.selecting(view))
    assert made.text.chosen() is None
    assert told == []


@pytest.mark.parametrize("dark", [False, True])
def test_blocks_are_tinted_by_their_place(qtbot: QtBot, dark: bool) -> None:
    view = builders.view(dark=dark)
    made = panel(qtbot, view)
    made.text.verticalScrollBar().setValue(made.text.verticalScrollBar().maximum())
    image = made.text.viewport().grab().toImage()
    colors = {image.pixelColor(2, y).name() for y in range(image.height())}
    wanted = DARK if dark else LIGHT
    assert colors & {wanted.evidence, wanted.conflict}


def test_what_did_not_fit(qtbot: QtBot) -> None:
    run = builders.trace()
    made = panel(qtbot, builders.view(run))
    assert made._outside_title.text() == "Did not fit (0)"
    assert made._all_fit.isVisible()
    made.show_view(builders.view(builders.decided(run, "assemble.budget_tokens", 20), baseline=run))
    rows = cells(made.outside)
    assert rows
    assert all(row[1] == "◧ over budget" and int(row[2]) > 0 for row in rows)
    assert made.outside.isVisible()


def test_table_twin(qtbot: QtBot) -> None:
    run = builders.decided(builders.trace(), "assemble.k", 1)
    made = panel(qtbot, builders.view(run))
    made.as_table.click()
    assert made.table.isVisible()
    rows = cells(made.table)
    assert [row[1] for row in rows[:1]] == [run.prompt.blocks[0].passage_id]
    assert rows[0][3] == str(run.prompt.blocks[0].tokens)
    assert rows[1][:1] == [""]
    assert "over k" in rows[1][2]


def test_copy_takes_the_record(qtbot: QtBot) -> None:
    run = tricky()
    made = panel(qtbot, builders.view(run))
    assert made.text.toPlainText() != run.prompt.text
    made.copy.click()
    assert QGuiApplication.clipboard().text() == run.prompt.text


def test_a_lone_surrogate_does_not_stop_the_copy(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(builders.trace(("Backups \ud83d are kept for 7 days.",))))
    made.copy.click()
    assert "are kept for 7 days." in QGuiApplication.clipboard().text()


def test_mono_stays_when_the_theme_changes(qtbot: QtBot) -> None:
    run = builders.trace()
    made = panel(qtbot, builders.view(run))
    made.mono.click()
    families = made.text.font().families()
    made.show_view(builders.view(run, dark=True))
    assert made.text.font().families() == families == builders.theme().font(0, mono=True).families()


def test_knobs_are_live(qtbot: QtBot) -> None:
    run = builders.decided(builders.trace(), "assemble.k", 3)
    made = panel(qtbot, builders.view(run))
    told: list[tuple[str, Any]] = []
    made.knob_moved.connect(lambda path, value: told.append((path, value)))
    names = {"k", "budget_tokens", "mmr_lambda", "similarity_floor", "strategy"}
    assert set(made.knobs.editors) == {f"assemble.{name}" for name in names}
    assert made.knobs.editors["assemble.k"].value() == 3
    with qtbot.waitSignal(made.knob_released):
        made.knobs.editors["assemble.k"].put_back()
    assert told == [("assemble.k", 6)]


def test_before_a_run_the_notice_stands(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.ready_view())
    assert not made.content.isVisible()
    made.copy_prompt()
