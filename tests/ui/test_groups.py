"""The panel of groups and refusals."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from guard_desk.pipeline import redecide
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Override
from guard_desk.ui.panels.groups import GroupsPanel
from guard_desk.ui.view import View
from guard_desk.ui.widgets.two_lines import SECOND_LINE
from tests.fakes import WordCounter
from tests.measure.test_near_pairs import by_hand, near
from tests.ui import builders
from tests.ui.evidence import run_of


def panel(qtbot: QtBot, view: View) -> GroupsPanel:
    made = GroupsPanel()
    qtbot.addWidget(made)
    made.resize(620, 380)
    made.show()
    made.show_view(view)
    return made


def rows(made: GroupsPanel) -> dict[str, list[tuple[str, str]]]:
    """Section -> (text, second line) of its rows."""
    tops = [made.tree.topLevelItem(at) for at in range(made.tree.topLevelItemCount())]
    return {top.text(0): [_row(top.child(at)) for at in range(top.childCount())] for top in tops}


def _row(item: QTreeWidgetItem) -> tuple[str, str]:
    return item.text(0), item.data(0, SECOND_LINE)


def choose(made: GroupsPanel, section: int, row: int) -> None:
    made.tree.setCurrentItem(made.tree.topLevelItem(section).child(row))


def marked(side: Any) -> list[tuple[str, bool]]:
    """(words, boxed) of the marks of one side."""
    return [(side.text.text()[mark.start : mark.end], mark.style.box) for mark in side.text.marks()]


def test_groups_and_refusals_are_listed(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(near()))
    found = rows(made)
    assert list(found) == ["Merged (1)", "Kept apart (2)"]
    ((words, second),) = found["Merged (1)"]
    assert words == "2 passages · 2 sources"
    assert second.endswith("p0 | p1")
    assert found["Kept apart (2)"][0][0] == "number: 7 days / 30 days"


def test_the_first_pair_is_shown_with_what_differs(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(near()))
    assert made.verdict.text() == "≡ merged"
    assert made.sources.text() == "sources kept: s0, s1"
    assert marked(made.pair_view.left) == [("All", False), (".", False)]
    assert made.apart_button.isVisible()
    assert not made.merge_button.isVisible()


def test_a_guarded_difference_is_boxed_with_its_guard(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(near()))
    choose(made, 1, 0)
    assert made.verdict.text() == "≠ not merged"
    assert made.verdict_words.text() == "number: 7 days / 30 days"
    boxed = [words for side in (made.pair_view.left, made.pair_view.right) for words, box in marked(side) if box]
    assert boxed == ["7 days", "30 days"]
    assert made.pair_view.left.text.marks()[-1].tip == "not merged: number: 7 days / 30 days"
    assert made.merge_button.isVisible()


def test_choosing_a_pair_selects_both(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(near()))
    told: list[Any] = []
    made.selected.connect(lambda ids, primary: told.append((ids, primary)))
    choose(made, 1, 0)
    assert len(told) == 1
    assert set(told[0][0]) >= {"p2"}
    assert told[0][1] in told[0][0]


def test_a_selection_from_elsewhere_brings_its_pair(qtbot: QtBot) -> None:
    view = builders.view(near())
    made = panel(qtbot, view)
    told: list[Any] = []
    made.selected.connect(lambda ids, primary: told.append(ids))
    made.show_view(builders.selecting(view, "p2"))
    assert made.verdict.text() == "≠ not merged"
    assert told == []


def test_buttons_ask_for_an_override(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.view(near()))
    asked: list[Override] = []
    made.override_asked.connect(asked.append)
    made.apart_button.click()
    choose(made, 1, 0)
    made.merge_button.click()
    assert asked[0] == Override(left_id="p0", right_id="p1", merge=False)
    assert asked[1].merge
    assert "p2" in (asked[1].left_id, asked[1].right_id)


def test_a_persons_word_shows_and_the_pair_stays_in_sight(qtbot: QtBot) -> None:
    run = near()
    made = panel(qtbot, builders.view(run))
    made.show_view(builders.view(by_hand(run, "p0", "p1", merge=False), baseline=run))
    assert "By hand (1)" in rows(made)
    assert made.verdict_words.text() == "kept apart by hand"
    assert made.merge_button.isVisible()
    made.show_view(builders.view(run))
    assert made.verdict.text() == "≡ merged"


def test_a_threshold_does_not_list_again(qtbot: QtBot) -> None:
    run = near()
    made = panel(qtbot, builders.view(run))
    first = made.tree.topLevelItem(0)
    made.show_view(builders.view(builders.decided(run, "thresholds.evidence_min", 0.4), baseline=run))
    assert made.tree.topLevelItem(0) is first


def test_knobs_are_live(qtbot: QtBot) -> None:
    run = near()
    made = panel(qtbot, builders.view(run))
    told: list[tuple[str, Any]] = []
    made.knob_moved.connect(lambda path, value: told.append((path, value)))
    assert made.editors["dedup.similarity_floor"].value() == 0.6
    with qtbot.waitSignal(made.knob_released):
        made.editors["assemble.strategy"].put_back()
        made.editors["dedup.similarity_floor"].put_back()
    assert told == [("dedup.similarity_floor", 0.86)]


def test_nothing_to_show_has_a_sentence(qtbot: QtBot) -> None:
    run = near()
    plain = redecide(run, run.policy.with_value("assemble.strategy", "topk"), WordCounter())
    made = panel(qtbot, builders.view(run))
    made.show_view(builders.view(plain, baseline=run))
    assert made.tree.topLevelItemCount() == 0
    assert made.right.currentIndex() == 0
    assert made.editors["assemble.strategy"].isVisible()
    made.show_view(builders.view(run))
    assert made.right.currentIndex() == 1


def test_other_scripts_are_marked_exactly(qtbot: QtBot) -> None:
    texts = ("🗄️ 备份保留 7 天。", "🗄️ 备份保留 30 天。")
    run = run_of([Passage(id=f"p{at}", text=text) for at, text in enumerate(texts)], "备份保留多久？")
    made = panel(qtbot, builders.view(redecide(run, run.policy.with_value("dedup.similarity_floor", 0.3), WordCounter())))
    assert ("7", False) in marked(made.pair_view.left)
    assert ("30", False) in marked(made.pair_view.right)


def test_before_a_run_the_notice_stands(qtbot: QtBot) -> None:
    made = panel(qtbot, builders.ready_view())
    assert not made.content.isVisible()
