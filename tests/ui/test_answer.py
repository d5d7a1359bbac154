from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from guard_desk.records.state import State
from guard_desk.records.trace import Trace
from guard_desk.ui.panels.answer import AnswerPanel
from guard_desk.ui.theme import finding_style
from guard_desk.ui.view import Phase, View
from tests.ui.builders import decided, ready_view, selecting, trace, view
from tests.ui.windows import settle

ANSWER = "Backups are kept for 99 days 🗄️. 备份保留 12 天。\r\nThey are never kept in Oslo."


@pytest.fixture(scope="module")
def run() -> Trace:
    return trace(answer=ANSWER)


@pytest.fixture
def panel(qtbot: QtBot) -> AnswerPanel:
    made = AnswerPanel()
    qtbot.addWidget(made)
    made.resize(900, 320)
    made.show()
    return made


def marked(panel: AnswerPanel) -> list[str]:
    text = panel.text.text()
    return [text[mark.start : mark.end] for mark in panel.text.marks() if mark.active]


def test_findings_stand_in_the_text_and_in_the_table(panel: AnswerPanel, run: Trace) -> None:
    panel.show_view(view(run))
    assert marked(panel) == [finding.text for finding in run.attributed.spans]
    assert panel.tables.findings.rows_model.rowCount() == len(run.attributed.spans)
    assert panel.head.badge.accessibleName() == "review"
    assert panel.head.counts.text().endswith("3 of 3 sentences checked")


def test_each_mark_has_the_look_of_its_kind(panel: AnswerPanel, run: Trace) -> None:
    shown = view(run)
    panel.show_view(shown)
    for mark, finding in zip(panel.text.marks(), run.attributed.spans, strict=True):
        style = finding_style(shown.theme.colors, finding.kind, finding.label)
        assert (mark.style.color, mark.style.underline) == (style.color, style.underline)


def test_choosing_a_row_chooses_passages_and_span(panel: AnswerPanel, run: Trace, qtbot: QtBot) -> None:
    panel.show_view(view(run))
    told: list[tuple[str, object]] = []
    panel.selected.connect(lambda ids, primary: told.append(("ids", (ids, primary))))
    panel.span_chosen.connect(lambda start: told.append(("span", start)))
    at, finding = next((i, f) for i, f in enumerate(run.attributed.spans) if f.evidence)
    panel.tables.findings.selectRow(at)
    first = finding.evidence[0].passage_id
    assert told[0][0] == "ids"
    assert told[0][1][1] == first  # type: ignore[index]
    assert told[-1] == ("span", finding.start)


def test_choosing_a_claim_leads_to_its_passages(panel: AnswerPanel, qtbot: QtBot) -> None:
    sound = trace(answer="Backups are kept for 7 days.")
    panel.show_view(view(sound))
    seen: list[object] = []
    panel.selected.connect(lambda ids, primary: seen.append(primary))
    panel.tables.claims.selectRow(0)
    assert seen == [sound.verified.claims[0].evidence[0].passage_id]


def test_the_selection_is_followed_without_an_echo(panel: AnswerPanel, run: Trace) -> None:
    shown = view(run)
    panel.show_view(shown)
    seen: list[object] = []
    panel.span_chosen.connect(seen.append)
    panel.selected.connect(lambda *told: seen.append(told))
    finding = run.attributed.spans[-1]
    panel.show_view(selecting(shown, "p1", span=finding.start))
    assert panel.text.chosen() == finding.start
    assert panel.tables.findings.currentIndex().row() == len(run.attributed.spans) - 1
    assert seen == []


def test_the_text_follows_the_keys(panel: AnswerPanel, run: Trace, qtbot: QtBot) -> None:
    panel.show_view(view(run))
    seen: list[object] = []
    panel.span_chosen.connect(seen.append)
    qtbot.keyClick(panel.text, Qt.Key.Key_N)
    assert seen == [run.attributed.spans[0].start]


def test_filters_hide_rows_and_say_when_none_is_left(panel: AnswerPanel, run: Trace) -> None:
    panel.show_view(view(run))
    box = panel.tables.severity_filter
    box.setCurrentIndex(box.findData("medium"))
    assert panel.tables.findings.rows_model.rowCount() == 0
    assert panel.tables._no_findings.text() == "No finding passes the filter."
    box.setCurrentIndex(0)
    kinds = panel.tables.kind_filter
    kinds.setCurrentIndex(1)
    assert 0 < panel.tables.findings.rows_model.rowCount() <= len(run.attributed.spans)


def test_typing_tells_the_whole_answer_and_keeps_the_other_marks(panel: AnswerPanel, run: Trace, qtbot: QtBot) -> None:
    panel.show_view(view(run))
    texts: list[str] = []
    panel.answer_edited.connect(texts.append)
    panel.head.edit.setChecked(True)
    before = marked(panel)
    cursor = panel.text.textCursor()
    cursor.setPosition(0)
    panel.text.setTextCursor(cursor)
    qtbot.keyClicks(panel.text, "So ")
    assert texts[-1] == "So " + ANSWER
    assert len(marked(panel)) >= len(before) - 1
    edited = replace(view(run), state=replace(view(run).state, answer=texts[-1]))
    panel.show_view(edited)
    assert panel.head.badge.accessibleName() == "edited"
    assert panel.text.text() == texts[-1]


def test_a_late_view_does_not_take_back_what_was_typed(panel: AnswerPanel, run: Trace, qtbot: QtBot) -> None:
    shown = view(run)
    panel.show_view(shown)
    panel.head.edit.setChecked(True)
    panel.text.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(panel.text, " No.")
    panel.show_view(replace(shown, state=replace(shown.state, answer=panel.text.text())))
    qtbot.keyClicks(panel.text, "!")
    typed = panel.text.text()
    panel.show_view(replace(shown, state=replace(shown.state, answer=typed)))
    assert panel.text.text() == ANSWER + " No.!"


def test_undo_of_the_desk_brings_the_old_answer_back(panel: AnswerPanel, run: Trace, qtbot: QtBot) -> None:
    shown = view(run)
    panel.show_view(shown)
    panel.head.edit.setChecked(True)
    qtbot.keyClicks(panel.text, "X")
    panel.show_view(replace(shown, state=replace(shown.state, answer=panel.text.text())))
    panel.show_view(shown)
    assert panel.text.text() == ANSWER
    assert panel.head.badge.accessibleName() == "review"


def test_a_stale_answer_says_so(panel: AnswerPanel, run: Trace) -> None:
    panel.show_view(view(replace(run, stale=("generate",))))
    assert panel.head.banner.text().startswith("Written from another prompt")
    panel.show_view(view(run))
    assert panel.head.banner.isHidden()


@pytest.mark.parametrize(
    ("answer", "badge"),
    [(None, "no answer"), ("", "no answer"), ("The passages do not say.", "refusal"), ("Backups are kept for 7 days.", "proceed")],
)
def test_every_state_has_a_badge(panel: AnswerPanel, answer: str | None, badge: str) -> None:
    panel.show_view(view(trace(("Backups are kept for 7 days.",), answer=answer)))
    assert panel.head.badge.accessibleName() == badge


def test_where_there_is_no_answer_the_text_says_how_to_give_one(panel: AnswerPanel) -> None:
    panel.show_view(view(trace(("Backups are kept for 7 days.",), answer=None)))
    assert "Edit" in panel.text.placeholderText()


def test_the_answer_appears_as_it_is_written(panel: AnswerPanel) -> None:
    for text in ("Backups", "Backups are kept"):
        panel.show_view(ready_view(phase=Phase.RUNNING, partial_answer=text))
        assert panel.text.text() == text
    assert panel.head.badge.accessibleName() == "being written"
    assert not panel.head.edit.isEnabled()
    panel.show_view(ready_view(phase=Phase.CANCELLED, partial_answer="Backups are"))
    assert panel.head.badge.accessibleName() == "unfinished"


def test_an_answer_that_waits_can_be_read_and_edited(panel: AnswerPanel) -> None:
    shown = ready_view()
    panel.show_view(replace(shown, state=State(query=shown.state.query, answer="Seven days.")))
    assert panel.text.text() == "Seven days."
    assert panel.head.badge.accessibleName() == "not checked yet"
    assert panel.head.edit.isEnabled()


def test_a_moved_threshold_that_changes_no_finding_draws_no_mark_again(panel: AnswerPanel, run: Trace) -> None:
    shown = view(run)
    panel.show_view(shown)
    before = panel.text.marks()
    panel.show_view(replace(shown, trace=decided(run, "thresholds.injection_max", 0.61)))
    assert panel.text.marks() is before


def test_what_the_chosen_passage_carries_is_marked(panel: AnswerPanel) -> None:
    shown: View = view(trace(answer="Backups are kept for 7 days."))
    panel.show_view(selecting(shown, "p1"))
    carried = [panel.text.text()[m.start : m.end] for m in panel.text.marks() if not m.active]
    assert "7 days" in carried


def test_copy_takes_the_answer_itself(panel: AnswerPanel, run: Trace) -> None:
    panel.show_view(view(run))
    panel.head.copy.click()
    assert QGuiApplication.clipboard().text().replace("\r\n", "\n") == ANSWER.replace("\r\n", "\n")


def test_escape_ends_editing(panel: AnswerPanel, qtbot: QtBot) -> None:
    panel.show_view(view())
    panel.head.edit.click()
    assert not panel.text.isReadOnly()
    qtbot.keyClick(panel.text, Qt.Key.Key_Escape)
    assert panel.text.isReadOnly()
    assert not panel.head.edit.isChecked()


@pytest.mark.parametrize(("width", "words"), [(740, "all severities"), (450, "severity")])
def test_all_tabs_stand_beside_the_filters(panel: AnswerPanel, run: Trace, width: int, words: str) -> None:
    panel.resize(width, 320)
    panel.show_view(view(run))
    settle()
    bar = panel.tables.tabBar()
    assert bar.width() >= bar.sizeHint().width()
    assert panel.tables.severity_filter.currentText() == words
    assert panel.tables.severity_filter.geometry().right() < panel.tables.kind_filter.geometry().left()
    assert panel.tables.severity_filter.view().minimumWidth() > panel.tables.severity_filter.width() or width == 740
    assert "all severities" not in panel.tables.kind_filter.toolTip()
