"""Which commands can act, and that the status bar shows what runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QStatusTipEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from guard_desk.policy import Policy
from guard_desk.records.corpus import LoadResult, Skipped
from guard_desk.ui.enabling import Enabling, Outside
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import LARGEST
from guard_desk.ui.view import Phase, View
from tests.ui import builders
from tests.ui.windows import case_file, open_file, run, settle

NOTHING = Outside(question=False, last=False, agreed=False, text_scale=1.0)


def met(view: View, outside: Outside = NOTHING) -> set[str]:
    return {name for name, holds in Enabling().facts(view, outside).items() if holds}


def can(window: MainWindow, *names: str) -> list[bool]:
    return [window.actions_by_name[name].isEnabled() for name in names]


def test_an_empty_window_offers_only_what_can_act() -> None:
    assert met(builders.empty_view()) == {"", "larger", "smaller", "not recipe"}
    everything = Outside(question=True, last=True, agreed=True, text_scale=LARGEST)
    assert met(builders.empty_view(), everything) == {"", "last", "agreed", "scaled", "smaller", "not recipe"}


def test_a_corpus_can_be_filtered_only_by_versions_that_it_has() -> None:
    view = builders.ready_view()
    assert view.loaded is not None
    assert not {"versions", "left out", "run"} & met(view)
    assert {"corpus", "passages"} <= met(view)
    corpus = view.loaded.corpus
    versioned = replace(corpus, passages=(replace(corpus.passages[0], version="4"), *corpus.passages[1:]))
    skipped = LoadResult(corpus=versioned, skipped=(Skipped(path="a", line=1, reason="broken"),))
    assert {"versions", "left out"} <= met(replace(view, loaded=skipped))
    assert "versions" not in met(replace(view, loaded=skipped, phase=Phase.RUNNING))


def test_policies_can_be_reset_only_when_they_differ() -> None:
    made = builders.trace()
    view = builders.view(made)
    assert {"not default", "not recipe", "not pinned"} <= met(view)
    assert "off baseline" not in met(view)
    moved = builders.decided(made, "assemble.k", 2)
    assert "off baseline" in met(builders.view(moved, baseline=made)), "also where no decision changes"
    pinned = replace(view, state=replace(view.state, baseline=made.policy, baseline_overrides=view.state.overrides))
    assert "not pinned" not in met(pinned)
    assert "not default" not in met(replace(view, state=replace(view.state, policy=Policy())))


def test_every_need_of_a_command_is_known(window: MainWindow) -> None:
    assert {command.needs for command in window.commands} <= set(Enabling().facts(builders.empty_view(), NOTHING))


def test_menus_follow_what_was_done(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    assert not any(
        can(window, "reopen_last", "save_session", "find", "filter_corpus", "pin_baseline", "to_baseline", "skipped", "ask_again")
    )
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    assert can(window, "save_session", "find", "filter_corpus", "skipped") == [True, True, False, False]
    run(qtbot, window)
    assert can(window, "pin_baseline", "to_baseline", "preset_default") == [True, False, False]
    window.actions_by_name["pin_baseline"].trigger()
    settle()
    assert can(window, "pin_baseline") == [False]
    window.desk.set_knob("assemble.k", 3)
    settle()
    assert can(window, "pin_baseline", "to_baseline", "preset_default") == [True, True, True]
    window.actions_by_name["to_baseline"].trigger()
    settle()
    assert can(window, "to_baseline", "preset_default") == [False, False]


def test_text_of_the_system_size_cannot_be_made_normal(window: MainWindow) -> None:
    assert can(window, "text_larger", "text_normal") == [True, False]
    window.actions_by_name["text_larger"].trigger()
    settle()
    assert can(window, "text_normal") == [True]
    window.scale_text(10.0)
    settle()
    assert can(window, "text_larger", "text_smaller") == [False, True]


def test_a_tip_does_not_hide_what_runs(window: MainWindow) -> None:
    tip, done = QStatusTipEvent("Run the question"), builders.view()
    QApplication.sendEvent(window, tip)
    assert window.status.currentMessage() == "Run the question"
    window.show_view(replace(done, phase=Phase.RUNNING))
    assert window.status.currentMessage() == ""
    QApplication.sendEvent(window, tip)
    assert window.status.currentMessage() == ""
    window.show_view(done)
    QApplication.sendEvent(window, tip)
    assert window.status.currentMessage() == "Run the question"
