"""Results of a former question say so, and an answer that was edited waits for its question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from guard_desk.records.corpus import Query, Span
from guard_desk.records.state import State
from guard_desk.ui.changes import BACK, KEPT
from guard_desk.ui.former import former_words
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.view import Phase
from tests.ui.builders import ANSWER, QUESTION, view
from tests.ui.windows import Models, case_file, open_file, run, settle

OTHER = "Where is the cafeteria?"


def test_words_of_a_former_question() -> None:
    shown = view()
    assert former_words(shown) == ""
    asked = replace(shown, state=State(query=Query(text=OTHER)))
    assert former_words(asked) == f"All results below belong to the former question “{QUESTION}”. Press F5 to run the question in the box."
    assert former_words(replace(asked, phase=Phase.RUNNING)) == ""
    filtered = replace(shown, state=State(query=Query(text=QUESTION, version="3")))
    assert "another version or scope" in former_words(filtered)
    assert "Ask a question" in former_words(replace(shown, state=State(query=Query(text=""))))


@pytest.fixture
def ran(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path) -> MainWindow:
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    run(qtbot, window)
    return window


def test_another_question_marks_the_results_and_keeps_the_edited_answer(ran: MainWindow) -> None:
    assert ran.former.isHidden()
    ran.desk.set_answer("Mine.")
    ran.desk._recheck.stop()  # the models that check it would be loaded
    settle()
    ran.ask(OTHER)
    settle()
    assert ran.former.isVisible()
    assert ran.status.currentMessage() == KEPT
    assert ran.desk.session.state.answer is None
    ran.former.button.click()
    settle()
    assert ran.former.isHidden()
    assert ran.desk.session.state.query.text == QUESTION
    assert ran.desk.session.state.answer == "Mine."
    assert ran.status.currentMessage() == BACK
    assert ran.answer.text.text() == "Mine."


def test_an_answer_of_the_file_comes_and_goes_without_a_word(ran: MainWindow) -> None:
    ran.ask(OTHER)
    assert ran.status.currentMessage() == ""
    ran.ask(QUESTION)
    assert ran.status.currentMessage() == ""
    assert ran.desk.session.state.answer == ANSWER


def test_undo_brings_question_and_answer_back(ran: MainWindow) -> None:
    ran.desk.set_answer("Mine.")
    ran.desk._recheck.stop()  # the models that check it would be loaded
    settle()
    ran.ask(OTHER)
    ran.actions_by_name["undo"].trigger()
    settle()
    assert (ran.desk.session.state.query.text, ran.desk.session.state.answer) == (QUESTION, "Mine.")
    assert ran.former.isHidden()


def test_choosing_a_candidates_line_marks_its_words_on_the_card(ran: MainWindow) -> None:
    passage = ran.desk.session.trace.retrieved.passages[0]
    words = Span(0, len(passage.text.split()[0]))
    ran.candidates.selected.emit((passage.id,), passage.id)
    ran.candidates.words_chosen.emit(passage.id, words)
    settle()
    assert ran.desk.selection.words == words
    assert [(mark.start, mark.end) for mark in ran.card.text.marks() if mark.style.box] == [(words.start, words.end)]
    ran.desk.select((passage.id, "p5"), passage.id)
    settle()
    assert ran.desk.selection.words is None
    assert not [mark for mark in ran.card.text.marks() if mark.style.box]
