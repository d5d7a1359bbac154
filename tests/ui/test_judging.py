"""Passages leave the machine only after a person agreed to it; what it takes is told before and after."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from guard_desk.errors import InputError
from guard_desk.measure import asking
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Judgement
from guard_desk.records.judging import JudgeSettings, Spent
from guard_desk.ui.dialogs.compare_judges import CompareDialog
from guard_desk.ui.dialogs.remote_run import RemoteRunDialog
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.view import Phase
from tests.fakes import Calls, WordJudge
from tests.ui.builders import TEXTS
from tests.ui.windows import WAIT_MS, Models, case_file, open_file, settle

REMOTE = JudgeSettings(target="https://judge.example", model="m", price_input=1.0, price_output=2.0)


class CostlyWords(WordJudge):
    """The judge of words with a price."""

    def __init__(self, calls: Calls) -> None:
        super().__init__(calls)
        self.spent = Spent()

    def estimate(self, query: Query, passages: Sequence[Passage]) -> Spent:
        return Spent(requests=len(passages), input_tokens=100 * len(passages), cost=0.5, estimated=True)

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        self.spent = Spent(requests=len(passages), input_tokens=90 * len(passages), cost=0.25)
        yield from super().judge(query, passages, similarities, ctx)


class StuckJudge(CostlyWords):
    """Waits until it is cancelled."""

    started = threading.Event()

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        self.started.set()
        while True:
            ctx.check()
            ctx.token.wait(0.01)
        yield  # type: ignore[unreachable]  # a generator


@pytest.fixture
def remote(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: object) -> MainWindow:
    """A window with a corpus and a judge that is elsewhere."""
    models.parts = replace(models.parts, judge=CostlyWords(models.calls))
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))  # type: ignore[operator]
    window.desk.set_judge("systemone", REMOTE)
    settle()
    return window


def asked(qtbot: QtBot, window: MainWindow) -> RemoteRunDialog:
    qtbot.waitUntil(lambda: window.findChild(RemoteRunDialog) is not None, timeout=WAIT_MS)
    settle()
    return window.findChild(RemoteRunDialog)


def done(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.desk.phase is Phase.DONE, timeout=WAIT_MS)
    settle()


def gone(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.findChild(RemoteRunDialog) is None, timeout=WAIT_MS)


def test_nothing_is_sent_before_a_person_agreed(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    remote.run()
    dialog = asked(qtbot, remote)
    assert models.calls.judge == 0
    assert f"This sends {len(TEXTS)} passages of your corpus to judge.example: about 1,000 tokens, cost about 0.5." == dialog.text()
    assert "leave this machine" in dialog.informativeText()
    assert "1 in, 2 out, a million tokens" in dialog.informativeText()
    assert dialog.defaultButton().text().replace("&", "") == "Cancel"
    assert dialog.textFormat() is Qt.TextFormat.PlainText
    dialog.defaultButton().click()
    gone(qtbot, remote)
    settle()
    assert models.calls.judge == 0
    assert remote.desk.phase is Phase.READY


def test_once_a_session_is_enough(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    remote.run()
    asked(qtbot, remote).send.click()
    done(qtbot, remote)
    assert models.calls.judge == len(TEXTS)
    gone(qtbot, remote)
    assert "judging took 900 tokens in 10 requests, cost 0.25" in remote.status.stage.text()
    assert "900 tokens" in remote.rule_board.summary.text()
    remote.desk.set_question("Another question about backups?")
    remote.run()
    qtbot.waitUntil(lambda: models.calls.judge == 2 * len(TEXTS), timeout=WAIT_MS)
    done(qtbot, remote)
    assert remote.findChild(RemoteRunDialog) is None
    assert "Sending 10 passages to judge.example" in remote.status.currentMessage()


def test_another_corpus_is_asked_about_again(qtbot: QtBot, remote: MainWindow, tmp_path: object) -> None:
    remote.run()
    asked(qtbot, remote).send.click()
    done(qtbot, remote)
    gone(qtbot, remote)
    open_file(qtbot, remote, case_file(tmp_path / "other.guarddesk.json", ["Backups move to Oslo.", "Oslo keeps 4 backups.", "Trams run."]))  # type: ignore[operator]
    remote.run()
    assert "3 passages" in asked(qtbot, remote).text()
    asked(qtbot, remote).reject()
    gone(qtbot, remote)


def test_a_host_can_be_trusted_for_good_and_no_longer(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    remote.run()
    dialog = asked(qtbot, remote)
    dialog.forever.setChecked(True)
    dialog.send.click()
    done(qtbot, remote)
    assert remote.preferences.trusted_hosts == ("judge.example",)
    gone(qtbot, remote)
    remote.actions_by_name["ask_again"].trigger()
    assert remote.preferences.trusted_hosts == ()
    remote.desk.set_question("Another question about backups?")
    remote.run()
    asked(qtbot, remote).reject()
    gone(qtbot, remote)
    assert models.calls.judge == len(TEXTS)


def test_stored_answers_need_no_agreement(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    remote.desk.run()
    done(qtbot, remote)
    judged = models.calls.judge
    broken = sum("BROKEN" in text for text in TEXTS)
    remote.run()
    dialog = asked(qtbot, remote)
    assert f"{broken} of {len(TEXTS)} passages ({len(TEXTS) - broken} already have a stored answer)" in dialog.text()
    dialog.reject()
    gone(qtbot, remote)
    assert models.calls.judge == judged


def test_a_server_on_this_machine_is_not_asked_about(qtbot: QtBot, remote: MainWindow) -> None:
    remote.desk.set_judge("systemone", replace(REMOTE, target="http://localhost:8080"))
    remote.run()
    done(qtbot, remote)
    assert remote.findChild(RemoteRunDialog) is None
    assert remote.status.network.text() == "local server"


def test_a_question_is_needed_first(window: MainWindow) -> None:
    window.desk.set_judge("systemone", REMOTE)
    with pytest.raises(InputError, match="nothing to run"):
        window.judging.run()


def test_a_remote_run_is_cancelled_at_once(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    judge = StuckJudge(models.calls)
    judge.started.clear()
    models.parts = replace(models.parts, judge=judge)
    remote.run()
    asked(qtbot, remote).send.click()
    qtbot.waitUntil(judge.started.is_set, timeout=WAIT_MS)
    QApplication.processEvents()  # the window's thread is free while the judge waits
    remote.desk.cancel()
    qtbot.waitUntil(lambda: remote.desk.phase is Phase.CANCELLED, timeout=WAIT_MS)
    gone(qtbot, remote)


def test_a_stopped_run_says_what_it_took(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    judge = StuckJudge(models.calls)
    judge.started = threading.Event()
    judge.spent = Spent(requests=3, input_tokens=270, cost=0.1)
    models.parts = replace(models.parts, judge=judge)
    remote.run()
    asked(qtbot, remote).send.click()
    qtbot.waitUntil(judge.started.is_set, timeout=WAIT_MS)
    remote.desk.cancel()
    qtbot.waitUntil(lambda: remote.desk.phase is Phase.CANCELLED, timeout=WAIT_MS)
    settle()
    assert remote.status.stage.text() == "Cancelled: judging took 270 tokens in 3 requests, cost 0.1"


# Comparing


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window with a corpus; "features" is the judge of words, "embedded" one that finds no number to be evidence."""
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))  # type: ignore[operator]
    judges = {"embedded": _Blind(models.calls), "features": WordJudge(models.calls)}
    monkeypatch.setattr(asking, "load_judge", lambda name, **_: judges[name])
    return window


class _Blind(WordJudge):
    info = replace(WordJudge.info, revision="2")

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        for judgement in super().judge(query, passages, similarities, ctx):
            answers = judgement.answers
            yield replace(judgement, answers=replace(answers, evidence=0.2) if answers is not None else None)


def compare(qtbot: QtBot, window: MainWindow) -> CompareDialog:
    window.actions_by_name["compare_judges"].trigger()
    dialog = window.findChild(CompareDialog, "compare_view")
    assert dialog is not None
    assert [its.judge for its in dialog.chosen()] == ["embedded", "features"]
    dialog.run_button.click()
    qtbot.waitUntil(lambda: dialog.agreement.rows_model.rowCount() == 5 or dialog.state.text().startswith("✗"), timeout=WAIT_MS)
    settle()
    assert not dialog.state.text().startswith("✗"), dialog.state.text()
    return dialog


def test_judges_are_compared(qtbot: QtBot, opened: MainWindow) -> None:
    dialog = compare(qtbot, opened)
    rows = {row.what: row for row in dialog.agreement.rows_model.rows}
    assert rows["Relevant"].agreement.value == 1.0
    assert rows["Evidence"].agreement.value < 1.0
    assert rows["Evidence"].agreement.n == len(TEXTS) - 1
    moved = [dialog.changes.rows_model.id_at(line) for line in range(dialog.changes.rows_model.rowCount())]
    assert "p1" in moved
    assert "p5" not in moved
    assert "BROKEN" not in dialog.summary.text()
    assert "1 passage not judged" in dialog.state.text()
    dialog.changes.selectRow(moved.index("p1"))
    settle()
    assert opened.desk.selection.primary == "p1"
    assert "Backup guide" in str(dialog.changes.rows_model.index(0, 1).data())
    dialog.close()
    settle()


def test_the_plot_has_a_table_twin(qtbot: QtBot, opened: MainWindow) -> None:
    dialog = compare(qtbot, opened)
    dialog.tabs.setCurrentIndex(1)
    dialog.questions.setCurrentIndex(dialog.questions.findData("evidence"))
    dialog.as_table.setChecked(True)
    settle()
    rows = dialog.answers.rows_model.rows
    assert len(rows) == len(TEXTS)
    p1 = next(row for row in rows if row.passage_id == "p1")
    assert (p1.left, p1.right, p1.differs) == (0.2, 0.9, True)
    drawn = dialog.scatter._dots.getData()
    assert len(drawn[0]) == len(TEXTS) - 1
    dialog.close()
    settle()


def test_a_comparison_asks_before_it_sends(qtbot: QtBot, opened: MainWindow, models: Models) -> None:
    opened.desk.set_judge("systemone", REMOTE)
    models.parts = replace(models.parts, judge=CostlyWords(models.calls))
    opened.actions_by_name["compare_judges"].trigger()
    dialog = opened.findChild(CompareDialog, "compare_view")
    dialog.run_button.click()
    asked(qtbot, opened).reject()
    gone(qtbot, opened)
    assert models.calls.judge == 0
    dialog.close()
    settle()


def test_one_judge_alone_cannot_be_compared(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_by_name["compare_judges"].trigger()
    dialog = opened.findChild(CompareDialog, "compare_view")
    dialog.boxes[1].setChecked(False)
    assert not dialog.run_button.isEnabled()
    dialog.close()
    settle()
