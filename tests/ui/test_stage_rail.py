"""The rail while a run is on its way, and its tips."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from guard_desk.measure.rail import CellState, cells, running_cells
from guard_desk.ui.widgets.stage_rail import StageRail
from guard_desk.ui.widgets.status import _WORDS
from tests.ui import builders

OF_A_RUN = sorted(set(_WORDS) - {"load", "models"})
"""Every stage of a run for which the status bar has words."""


@pytest.mark.parametrize("stage", OF_A_RUN)
def test_whatever_runs_is_seen_on_the_rail(stage: str) -> None:
    states = [cell.state for cell in running_cells(stage)]
    assert states.count(CellState.RUNNING) == 1
    at = states.index(CellState.RUNNING)
    assert states == [CellState.DONE] * at + [CellState.RUNNING] + [CellState.WAITING] * (len(states) - at - 1)


def test_looking_for_answers_belongs_to_the_judge() -> None:
    assert next(cell.stage for cell in running_cells("answers") if cell.state is CellState.RUNNING) == "judge"


def test_what_a_stage_tells_is_plain_text(qtbot: QtBot) -> None:
    rail = StageRail()
    qtbot.addWidget(rail)
    run = builders.trace()
    failed = replace(run, generated=replace(run.generated, text=None, given=False, failure="It said <b>no</b> & left."))
    rail.show_view(builders.view(failed))
    tips = [button.toolTip() for button in rail.findChildren(QAbstractButton)]
    assert len(tips) == len(cells(run))
    assert any("It said &lt;b&gt;no&lt;/b&gt; &amp; left." in tip for tip in tips)
