"""The card beside marked words: opened by pointer and keys, closed by leaving, each passage on it a way to its place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from guard_desk.pipeline import redecide
from guard_desk.records.answer import AnswerState, Label
from guard_desk.records.trace import Trace
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.panels.answer import AnswerPanel
from guard_desk.ui.widgets.answer_card import LINGER_MS
from guard_desk.ui.widgets.marks import Carrier, Mark, MarkStyle
from tests.fakes import WordCounter
from tests.ui.builders import POLICY, TEXTS, selecting, trace, view
from tests.ui.windows import Models, case_file, open_file, run, settle

HOSTILE = "<b>Backups</b> are kept for 45 days &amp; more."


@pytest.fixture(scope="module")
def made() -> Trace:
    return trace()


@pytest.fixture
def panel(qtbot: QtBot, made: Trace) -> AnswerPanel:
    shown = AnswerPanel()
    qtbot.addWidget(shown)
    shown.resize(900, 500)
    shown.show()
    shown.show_view(view(made))
    settle()
    return shown


def rest_on(panel: AnswerPanel, start: int) -> None:
    """Let the pointer rest on a mark."""
    place = panel.text.place_of(start).center()
    point = panel.text.viewport().mapFromGlobal(place)
    QApplication.sendEvent(panel.text.viewport(), QHelpEvent(QEvent.Type.ToolTip, point, place))


def conflict(made: Trace) -> int:
    return next(finding.start for finding in made.attributed.spans if finding.label is Label.CONFLICT)


def test_the_pointer_on_words_opens_their_card(panel: AnswerPanel, made: Trace) -> None:
    rest_on(panel, conflict(made))
    assert panel.card is not None
    assert panel.card.isVisible()
    assert [place.place.passage_id for place in panel.card.places()] == ["p1", "p4"]
    left, right = (place.geometry() for place in panel.card.places())
    assert left.right() < right.left()
    assert left.top() == right.top()
    assert "confidence about 70 %" in panel.card.accessibleDescription()


def test_a_card_that_is_open_shows_the_next_words_in_full(panel: AnswerPanel, made: Trace) -> None:
    starts = [finding.start for finding in made.attributed.spans]
    assert len(starts) > 1
    for start in (*starts, *reversed(starts)):
        rest_on(panel, start)
        assert panel.card is not None
        assert panel.card.height() > 60


def test_the_card_stays_inside_the_window_and_off_its_words(panel: AnswerPanel, made: Trace) -> None:
    for finding in made.attributed.spans:
        rest_on(panel, finding.start)
        assert panel.card is not None
        assert panel.rect().contains(panel.card.geometry())
        words = panel.text.place_of(finding.start)
        assert not panel.card.geometry().intersects(words.translated(-panel.mapToGlobal(QPoint(0, 0))))


def test_a_passage_on_the_card_leads_to_its_place(qtbot: QtBot, panel: AnswerPanel, made: Trace) -> None:
    start = conflict(made)
    rest_on(panel, start)
    assert panel.card is not None
    told: list[object] = []
    panel.selected.connect(lambda ids, primary: told.append((ids, primary)))
    panel.span_chosen.connect(told.append)
    qtbot.mouseClick(panel.card.places()[1], Qt.MouseButton.LeftButton)
    assert told == [(("p1", "p4"), "p4"), start]
    assert not panel.card.isVisible()


def test_keys_open_the_card_go_over_it_and_close_it(qtbot: QtBot, panel: AnswerPanel, made: Trace) -> None:
    panel.text.setFocus()
    qtbot.keyClick(panel.text, Qt.Key.Key_N)
    panel.show_view(selecting(view(made), "p1", "p4", span=conflict(made)))
    qtbot.keyClick(panel.text, Qt.Key.Key_Return)
    assert panel.card is not None
    first, second = panel.card.places()[:2]
    assert first.hasFocus()
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    qtbot.keyClick(second, Qt.Key.Key_Escape)
    assert not panel.card.isVisible()
    assert panel.text.hasFocus()


def test_the_card_goes_when_the_pointer_does(qtbot: QtBot, panel: AnswerPanel, made: Trace) -> None:
    rest_on(panel, conflict(made))
    assert panel.card is not None
    panel.text.span_hovered.emit(None)
    panel.card.stay()
    qtbot.wait(LINGER_MS + 50)
    assert panel.card.isVisible()
    panel.text.span_hovered.emit(None)
    qtbot.waitUntil(lambda: not panel.card.isVisible(), timeout=5000)


def test_words_of_a_passage_are_no_markup(qtbot: QtBot) -> None:
    made = trace((*TEXTS[1:3], HOSTILE), answer="Backups are kept for 45 days.")
    panel = AnswerPanel()
    qtbot.addWidget(panel)
    panel.resize(900, 400)
    panel.show()
    panel.show_view(view(made))
    settle()
    finding = next(finding for finding in made.attributed.spans if any(item.passage_id == "p2" for item in finding.evidence))
    rest_on(panel, finding.start)
    assert panel.card is not None
    shown = next(place.words.text() for place in panel.card.places() if place.place.passage_id == "p2")
    assert "&lt;b&gt;" in shown
    assert "&amp;amp;" in shown


def test_typing_closes_the_card(qtbot: QtBot, panel: AnswerPanel, made: Trace) -> None:
    panel.head.edit.click()
    rest_on(panel, conflict(made))
    assert panel.card is not None
    assert panel.card.isVisible()
    qtbot.keyClicks(panel.text, "x")
    assert not panel.card.isVisible()


def test_both_sides_of_a_conflict_can_be_gone_to(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: object) -> None:
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))  # type: ignore[operator]
    run(qtbot, window)
    made = window.desk.session.trace
    assert made is not None
    start = conflict(made)
    rest_on(window.answer, start)
    card = window.answer.card
    assert card is not None
    ids = [place.place.passage_id for place in card.places()]
    qtbot.mouseClick(card.places()[1], Qt.MouseButton.LeftButton)
    settle()
    assert window.desk.selection.primary == ids[1]
    assert window.desk.selection.span == start
    marked = [window.card.text.text()[mark.start : mark.end] for mark in window.card.text.marks() if mark.style.box]
    assert [item.text for finding in made.attributed.spans if finding.start == start for item in finding.evidence[1:]] == marked


# What only a model doubts


def doubted() -> Trace:
    made = trace()
    spans = tuple(replace(item, by="embedded") if item.text == "Oslo" else item for item in made.verified.spans)
    claims = tuple(replace(item, by="embedded") if "Oslo" in item.text else item for item in made.verified.claims)
    told = replace(made, verified=replace(made.verified, spans=spans, claims=claims))
    return redecide(told, POLICY, WordCounter())


def test_what_only_a_model_doubts_is_dotted_without_a_ground(panel: AnswerPanel) -> None:
    made = doubted()
    panel.show_view(view(made))
    looks = {made.generated.text[mark.start : mark.end]: mark.style for mark in panel.text.marks()}  # type: ignore[index]
    assert looks["Oslo"].underline == "DotLine"
    assert not looks["Oslo"].fill
    assert all(style.fill for words, style in looks.items() if words != "Oslo")
    states = [panel.tables.claims.rows_model.index(row, 0).data() for row in range(2)]
    assert states == ["✓ supported", "◌ unsupported?"]
    assert "only a model doubts it" in panel.foot.legend.words()


def test_the_legend_explains_the_looks_that_there_are(panel: AnswerPanel, made: Trace) -> None:
    assert panel.foot.legend.words() == ("wrong, or in no passage", "passages disagree", "vague, or not in the prompt")
    assert panel.foot.checkers.text() == "checked by rules alone"
    panel.resize(420, 500)
    settle()
    assert 0 < panel.foot.legend.shown() < 3
    assert "passages disagree" in panel.foot.legend.toolTip()


def test_a_low_pane_tells_in_its_head_who_checked(panel: AnswerPanel, made: Trace) -> None:
    panel.resize(900, 200)
    panel.show_view(view(made, dark=True))
    settle()
    assert not panel.foot.isVisible()
    assert panel.head.counts.text().endswith("checked by rules alone")


def test_every_state_has_its_sentence(panel: AnswerPanel) -> None:
    for answer, words in (("The passages do not say.", "do not tell"), ("  ", "is empty")):
        made = trace(("Backups are kept for 7 days.",), answer=answer)
        assert made.verified.state in (AnswerState.REFUSAL, AnswerState.EMPTY)
        panel.show_view(view(made))
        assert panel.head.banner.isVisible()
        assert words in panel.head.banner.text()
        assert panel.head.counts.text()
        assert not panel.foot.isVisible()


# Marks while the text changes


def _mark(start: int, end: int) -> Mark:
    return Mark(start=start, end=end, style=MarkStyle(color="#000000"))


def test_edits_far_apart_lose_no_mark_between_them() -> None:
    carrier = Carrier("one two three four five")
    carrier.follow("xone two three four five")
    carrier.follow("xone two three four fivey")
    marks = (_mark(0, 3), _mark(8, 13), _mark(19, 23))
    text = "xone two three four fivey"
    assert [text[mark.start : mark.end] for mark in carrier.carried(marks)] == ["one", "three", "five"]
    carrier.follow("xone two thrXee four fivey")
    text = "xone two thrXee four fivey"
    assert [text[mark.start : mark.end] for mark in carrier.carried(marks)] == ["one", "five"]
    carrier.follow("one two three four five")
    assert carrier.carried(marks) == marks


def test_many_edits_are_still_carried() -> None:
    base = " ".join(f"word{at}" for at in range(200))
    carrier, text = Carrier(base), base
    for at in range(0, 150, 2):
        text = text.replace(f"word{at} ", f"WORD{at} ", 1)
        carrier.follow(text)
    last = base.index("word199")
    (kept,) = carrier.carried((_mark(last, last + 7),))
    assert text[kept.start : kept.end] == "word199"


def test_findings_keep_their_words_while_two_places_are_edited(qtbot: QtBot, panel: AnswerPanel, made: Trace) -> None:
    panel.head.edit.click()
    before = [panel.text.text()[mark.start : mark.end] for mark in panel.text.marks() if mark.active]
    for position, typed in ((0, "So "), (len(panel.text.text()) + 3, " Yes.")):
        cursor = panel.text.textCursor()
        cursor.setPosition(position)
        panel.text.setTextCursor(cursor)
        qtbot.keyClicks(panel.text, typed)
        state = replace(view(made).state, answer=panel.text.text())
        panel.show_view(view(made, state=state))
    assert [panel.text.text()[mark.start : mark.end] for mark in panel.text.marks() if mark.active] == before
    assert panel.text.textCursor().position() == len(panel.text.text())


def test_a_click_on_moved_words_chooses_their_finding(qtbot: QtBot, panel: AnswerPanel, made: Trace) -> None:
    panel.head.edit.click()
    qtbot.keyClicks(panel.text, "So ")
    panel.show_view(view(made, state=replace(view(made).state, answer=panel.text.text())))
    oslo = next(finding for finding in made.attributed.spans if finding.text == "Oslo")
    with qtbot.waitSignal(panel.span_chosen) as chosen:
        panel.text.span_clicked.emit(oslo.start + 3)
    assert chosen.args == [oslo.start]
    rest_on(panel, oslo.start + 3)
    assert panel.card is not None
    assert "Oslo" in panel.card.accessibleDescription()
