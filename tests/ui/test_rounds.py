"""Answers in rounds: rows and words of every state, live while they come in, kept when they are stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from guard_desk.policy import AnswerMode, GeneratePolicy
from guard_desk.progress import RunContext
from guard_desk.records.answer import Generated, Round
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models as Chosen
from guard_desk.records.state import State
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.panels.answer import AnswerPanel
from guard_desk.ui.round_rows import rounds_of, writes
from guard_desk.ui.view import Phase, View
from tests.fakes import EchoGenerator
from tests.ui.builders import trace, view
from tests.ui.test_window_cancel import Gate
from tests.ui.windows import WAIT_MS, Models, case_file, column, open_file, run, settle

IDS = ("p1", "p3", "p9", "p2")
IN_ROUNDS = GeneratePolicy(mode=AnswerMode.ROUNDS)


def rounds(*answers: str) -> tuple[Round, ...]:
    return tuple(
        Round(
            passage_ids=IDS[: 2**at],
            prompt_tokens=100 * 2**at,
            answer_tokens=7,
            text=text,
            same=None if at == 0 else text == answers[at - 1],
            seconds=0.5,
        )
        for at, text in enumerate(answers)
    )


def written(*answers: str, fallback: bool = False, generator: str | None = "local", **fields: Any) -> View:
    """The desk with an answer that was asked for in rounds."""
    made = rounds(*answers)
    run = trace(answer="30 days" if fallback else answers[-1])
    generated = Generated(
        text=run.generated.text,
        generator=ModelInfo(name="smollm2", revision="1"),
        prompt_tokens=sum(item.prompt_tokens for item in made),
        answer_tokens=sum(item.answer_tokens for item in made),
        rounds=made,
        fallback=fallback,
    )
    policy = replace(run.policy, generate=IN_ROUNDS)
    run = replace(run, generated=generated, policy=policy)
    return view(run, state=State(query=run.query, policy=policy, models=Chosen(generator=generator)), **fields)


def running(*answers: str, text: str, phase: Phase = Phase.RUNNING) -> View:
    return written("before", phase=phase, partial_answer=text, partial_rounds=rounds(*answers))


@pytest.fixture
def panel(qtbot: QtBot) -> AnswerPanel:
    made = AnswerPanel()
    qtbot.addWidget(made)
    made.resize(700, 420)
    made.show()
    return made


def table(panel: AnswerPanel) -> list[list[str]]:
    model = panel.tables.rounds.table.model()
    return [[str(model.index(row, at).data()) for at in range(6)] for row in range(model.rowCount())]


# In words


def test_rounds_that_agreed() -> None:
    found = rounds_of(written("7 days", "30 days", "30 days"))
    assert [row.same for row in found.rows] == ["–", "≠ other", "✓ same"]
    assert found.words == "Round 3 gave the same answer as the one before · 700 tokens in, 21 out, 1.5 s"
    assert not found.warns


def test_rounds_that_never_agreed_say_what_stands() -> None:
    found = rounds_of(written("7 days", "30 days"))
    assert found.words.startswith("No two rounds in a row agreed; the last answer is shown · 300 tokens in")
    assert found.warns
    assert rounds_of(written("7 days")).words.startswith("One round, with 1 line ·")


def test_rounds_that_never_agreed_are_said_over_the_answer(panel: AnswerPanel) -> None:
    panel.show_view(written("7 days", "30 days"))
    assert panel.head.banner.text().startswith("No two rounds in a row agreed; the last answer is shown.")
    panel.show_view(written("7 days", "7 days"))
    assert "rounds" not in panel.head.banner.text()


def test_counts_that_nobody_told_are_marked(panel: AnswerPanel) -> None:
    shown = written("7 days", "7 days")
    assert shown.trace is not None
    told = shown.trace.generated
    made = tuple(replace(item, estimated=True) for item in told.rounds)
    guessed = replace(shown, trace=replace(shown.trace, generated=replace(told, rounds=made, estimated=True)))
    panel.show_view(guessed)
    assert [row[2:4] for row in table(panel)] == [["≈ 100", "≈ 7"], ["≈ 200", "≈ 7"]]
    assert "≈ 300 tokens in, ≈ 14 out, 1.0 s · ≈ is an estimate" in rounds_of(guessed).words
    panel.show_view(shown)
    assert [row[2:4] for row in table(panel)] == [["100", "7"], ["200", "7"]]


def test_a_fallback_is_said_in_words(panel: AnswerPanel) -> None:
    panel.show_view(written("7 days", "none", fallback=True))
    assert panel.head.banner.text() == "The rounds never agreed: this is the leading candidate."
    panel.show_view(written("7 days", "7 days", fallback=True))
    assert panel.head.banner.text().startswith("The rounds agreed on “7 days”, which is not the leading candidate")


def test_answers_that_were_not_asked_for_in_rounds() -> None:
    plain = written("x")
    assert plain.trace is not None
    once = replace(plain.trace, generated=replace(plain.trace.generated, rounds=()))
    assert rounds_of(replace(plain, trace=once)).words.startswith("Written in one go from the whole prompt: 100 tokens in, 7 out.")
    given = replace(plain.trace, generated=replace(plain.trace.generated, rounds=(), given=True))
    assert rounds_of(replace(plain, trace=given)).words == "This answer was given or edited, not written in rounds."
    assert rounds_of(replace(written("x", generator=None), trace=given)).words.startswith("No generator is chosen")
    assert [writes(name) for name in (None, "none", "recorded", "local", "openai:http://localhost:8080/v1")] == [False] * 3 + [True] * 2


# The table


def test_the_table_shows_lines_tokens_and_answers(panel: AnswerPanel) -> None:
    panel.show_view(written("7 days", "30 days", "30 days 🗄️ 备份 நாட்கள்"))
    assert table(panel)[0] == ["1", "1", "100", "7", "7 days", "–"]
    assert table(panel)[2] == ["3", "4", "400", "7", "30 days 🗄️ 备份 நாட்கள்", "≠ other"]
    assert panel.tables.tabText(2) == "Rounds 3"
    assert panel.findChild(QTableView, "rounds_table") is panel.tables.rounds.table


def test_a_round_selects_its_passages_and_a_selection_marks_its_round(panel: AnswerPanel) -> None:
    shown = written("7 days", "30 days")
    panel.show_view(shown)
    told: list[Any] = []
    panel.selected.connect(lambda ids, primary: told.append((ids, primary)))
    panel.tables.setCurrentIndex(2)
    panel.tables.rounds.table.selectRow(1)
    assert told == [(("p1", "p3"), "p1")]
    panel.show_view(replace(shown, selection=replace(shown.selection, ids=("p1",), primary="p1")))
    assert [index.row() for index in panel.tables.rounds.table.selectionModel().selectedRows()] == [0]
    assert len(told) == 1


def test_rounds_come_in_one_by_one(panel: AnswerPanel) -> None:
    panel.show_view(running(text="7 d"))
    assert table(panel) == [["1", "…", "…", "…", "7 d", "… writing"]]
    assert panel.tables.currentWidget() is panel.tables.rounds, "the table comes to the front once"
    panel.tables.setCurrentIndex(0)
    panel.show_view(running("7 days", text="7 days"))
    assert [row[5] for row in table(panel)] == ["–"]
    panel.show_view(running("7 days", text="30"))
    assert [row[4] for row in table(panel)] == ["7 days", "30"]
    assert panel.tables.currentIndex() == 0, "a person's tab stays"
    assert rounds_of(running("7 days", text="30")).words == "Round 2 of at most 5 is being written…"


def test_stopped_rounds_stay_beside_the_answer_of_before(panel: AnswerPanel) -> None:
    stopped = running("7 days", text="30", phase=Phase.CANCELLED)
    panel.show_view(stopped)
    assert [row[4:] for row in table(panel)] == [["7 days", "–"], ["30", "■ stopped"]]
    assert rounds_of(stopped).words == "Stopped: 1 finished round is kept here."
    assert panel.text.text() == "before"
    assert panel.head.banner.text() == "The new answer was stopped after 1 round; this is the one before."


def test_an_empty_tab_says_what_to_do(panel: AnswerPanel, qtbot: QtBot) -> None:
    panel.show_view(view())
    panel.tables.setCurrentIndex(2)
    assert panel.tables.rounds.empty.isVisible()
    with qtbot.waitSignal(panel.generator_asked):
        panel.tables.rounds.choose.click()
    shown = written("x")
    assert shown.trace is not None
    panel.show_view(replace(shown, trace=replace(shown.trace, generated=replace(shown.trace.generated, rounds=()))))
    assert panel.tables.rounds.choose.isHidden()


def test_the_knobs_of_the_answer_stand_beside_the_rounds(panel: AnswerPanel) -> None:
    panel.show_view(written("x"))
    told: list[Any] = []
    panel.knob_moved.connect(lambda path, value: told.append((path, value)))
    panel.tables.knobs["generate.max_rounds"]._tell(3)
    assert told == [("generate.max_rounds", 3)]
    assert panel.tables.knobs["generate.mode"].value() == AnswerMode.ROUNDS
    assert panel.tables.knobs["generate.mode"].findChild(QLabel) is not None


def test_write_again_is_offered_in_words_when_it_is_due(panel: AnswerPanel, qtbot: QtBot) -> None:
    shown = written("7 days")
    panel.show_view(shown)
    assert panel.head.write.isVisible()
    assert shown.trace is not None
    panel.show_view(replace(shown, trace=replace(shown.trace, stale=("generate",))))
    assert panel.head.banner.text().endswith("Write it again to follow them.")
    with qtbot.waitSignal(panel.write_asked):
        panel.head.write.click()
    panel.show_view(running(text="…"))
    assert not panel.head.write.isEnabled()
    panel.show_view(view())
    assert panel.head.write.isHidden(), "nobody writes"


# The whole window


class Chatty(EchoGenerator):
    """Another answer each round; waits in the third."""

    def __init__(self, calls: Any, gate: Gate | None = None) -> None:
        super().__init__(calls)
        self._gate, self._asked = gate, 0

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        del prompt
        self._asked += 1
        yield f"answer {self._asked} "
        if self._gate is not None and self._asked == 3:
            self._gate.hold(ctx)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    texts = [f"Backups are kept for {days} days in plan {days}." for days in (3, 5, 7, 9, 11)]
    return case_file(tmp_path / "case.guarddesk.json", texts, answer=None)


def test_cancel_keeps_the_rounds_that_were_finished(qtbot: QtBot, window: MainWindow, models: Models, case: Path) -> None:
    gate = Gate()
    models.parts = replace(models.parts, generator=Chatty(models.calls, gate))
    open_file(qtbot, window, case)
    window.desk.set_generator("local")
    window.desk.set_knob("generate.mode", "rounds")
    window.run()
    qtbot.waitUntil(gate.reached.is_set, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: len(window.desk.view().partial_rounds) == 2, timeout=WAIT_MS)
    window.actions_by_name["cancel"].trigger()
    qtbot.waitUntil(lambda: window.desk.phase is Phase.CANCELLED, timeout=WAIT_MS)
    settle()
    shown = window.answer.tables.rounds.table
    assert column(shown, 4) == ["answer 1", "answer 2", "answer 3"]
    assert column(shown, 5) == ["–", "≠ other", "■ stopped"]


def test_a_run_in_rounds_and_write_again(qtbot: QtBot, window: MainWindow, models: Models, case: Path) -> None:
    models.parts = replace(models.parts, generator=Chatty(models.calls))
    open_file(qtbot, window, case)
    window.desk.set_generator("local")
    window.move_knob("generate.mode", "rounds")
    window.move_knob("generate.max_rounds", 2)
    run(qtbot, window)
    assert column(window.answer.tables.rounds.table, 4) == ["answer 1", "answer 2"]
    window.desk.set_answer("Mine.")
    window.desk._recheck.stop()  # the models that check it would be loaded
    settle()
    window.answer.head.write.click()
    qtbot.waitUntil(lambda: window.desk.phase is Phase.DONE and window.desk.session.state.answer is None, timeout=WAIT_MS)
    settle()
    assert window.answer.text.text() == "answer 4 "
    assert window.desk.undo_stack.undoText() == "write the answer again"
    window.move_knob("generate.max_rounds", 4)
    settle()
    assert window.answer.head.banner.text().endswith("Write it again to follow them.")
