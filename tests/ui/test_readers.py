"""The models that read the answer: chosen in the dialog with what they cost, and asked elsewhere only when a person agreed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from guard_desk.policy import Policy, Thresholds
from guard_desk.records.state import Models as Chosen
from guard_desk.ui.dialogs.models import ModelsDialog
from guard_desk.ui.dialogs.remote_run import RemoteReadDialog
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.reader_kinds import claim_words, detector_words, hosts_of, reader_host
from guard_desk.ui.view import Phase
from tests.ui.builders import ANSWER
from tests.ui.windows import WAIT_MS, Models, case_file, open_file, rested, run, settle

REMOTE = "llm:small-model@https://chat.example/v1"
CHOICES = {"encoder": ("minilm", "bm25"), "device": ("auto", "cpu"), "claim_model": ("none", "local")}


# In words


@pytest.mark.parametrize(
    ("name", "host", "local"),
    [
        (REMOTE, "chat.example", False),
        ("llm:https://chat.example/v1/chat/completions", "chat.example", False),
        ("llm:http://localhost:8080/v1", "localhost", True),
        ("openai:small-model@https://chat.example/v1", "chat.example", False),
        ("openai:http://localhost:8080/v1", "localhost", True),
    ],
)
def test_a_claim_model_behind_an_address_has_a_host(name: str, host: str, local: bool) -> None:
    found = reader_host(Chosen(claim_model=name))
    assert found is not None
    assert (found.name, found.local) == (host, local)


@pytest.mark.parametrize("name", [None, "local", "/models/a.gguf", "llm:", "llm:nowhere", "openai:", "openai:nowhere"])
def test_no_other_claim_model_has_one(name: str | None) -> None:
    assert reader_host(Chosen(claim_model=name)) is None


def test_every_server_is_named_once() -> None:
    judge = Chosen(judge="llm:https://chat.example", claim_model=REMOTE)
    assert [host.name for host in hosts_of(judge)] == ["chat.example"]
    both = replace(judge, judge="llm:http://localhost:8080")
    assert [(host.name, host.local) for host in hosts_of(both)] == [("chat.example", False), ("localhost", True)]


def test_what_a_reader_costs_and_sends_is_said(tmp_path: Path) -> None:
    assert claim_words("none")[0].startswith("Off.")
    assert claim_words("local")[0].startswith("Stays on this machine.")
    assert "sends the question, every sentence of the answer" in claim_words(REMOTE)[0]
    assert "tokens a sentence" in claim_words(REMOTE)[0]
    assert claim_words(REMOTE.replace("llm:", "openai:")) == claim_words(REMOTE)
    assert "not encrypted" in claim_words("llm:http://chat.example")[0]
    assert claim_words("llm:nowhere")[1]
    assert detector_words("")[0].startswith("Off.")
    assert detector_words(str(tmp_path))[0].startswith("Stays on this machine.")
    assert detector_words("KRLabsOrg/lettucedect-base")[0].startswith("Stays on this machine.")
    assert detector_words(str(tmp_path / "nothing"))[1]


# The dialog


@pytest.fixture
def dialog(qtbot: QtBot) -> ModelsDialog:
    made = ModelsDialog(Chosen(), CHOICES)
    qtbot.addWidget(made)
    return made


def ok(dialog: ModelsDialog) -> bool:
    return dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_readers_are_off_until_chosen(dialog: ModelsDialog) -> None:
    assert dialog.models() == Chosen()
    assert dialog.detector_hint.text().startswith("Off.")
    assert dialog.claim_hint.text().startswith("Off.")


def test_readers_are_chosen_and_taken_back(dialog: ModelsDialog, tmp_path: Path) -> None:
    dialog.detector.setCurrentText(str(tmp_path))
    dialog.claim_model.setCurrentText(REMOTE)
    assert dialog.models() == Chosen(detector=str(tmp_path), claim_model=REMOTE)
    assert dialog.claim_hint.text().startswith("▲ Leaves this machine")
    dialog.detector.setCurrentText("none")
    dialog.claim_model.setCurrentText(" ")
    assert dialog.models() == Chosen()


def test_what_cannot_be_used_cannot_be_taken(dialog: ModelsDialog) -> None:
    dialog.claim_model.setCurrentText("llm:nowhere")
    assert not ok(dialog)
    assert dialog.claim_hint.text().startswith("✕")
    dialog.claim_model.setCurrentText("local")
    assert ok(dialog)


# Before the answer leaves the machine


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path) -> MainWindow:
    """A window with a corpus, an answer, and a claim model that is elsewhere."""
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    window.desk.set_models(replace(window.desk.session.state.models, claim_model=REMOTE))
    settle()
    return window


def question(window: MainWindow) -> RemoteReadDialog | None:
    return window.findChild(RemoteReadDialog)


def test_the_network_sign_names_the_server_of_the_claim_model(opened: MainWindow) -> None:
    assert opened.status.network.text() == "▲ chat.example"
    assert "question, answer and passages to chat.example" in opened.status.network.toolTip()
    opened.desk.set_models(replace(opened.desk.session.state.models, claim_model="llm:http://127.0.0.1:9/v1"))
    settle()
    assert opened.status.network.text() == "local server"


def test_the_answer_leaves_only_when_agreed_to(qtbot: QtBot, opened: MainWindow, models: Models) -> None:
    opened.run()
    settle()
    asked = question(opened)
    assert asked is not None
    assert asked.text() == (
        "This sends the answer to chat.example, sentence by sentence, each with the passages nearest to it: "
        "about 2 sentences, 3,000 tokens."
    )
    assert "may keep them" in asked.informativeText()
    assert asked.defaultButton().text().replace("&", "") == "Cancel"
    asked.defaultButton().click()
    qtbot.waitUntil(lambda: question(opened) is None, timeout=WAIT_MS)
    assert opened.desk.phase is Phase.READY
    assert models.calls.judge == 0


def test_an_agreement_holds_for_the_session(qtbot: QtBot, opened: MainWindow) -> None:
    opened.run()
    settle()
    asked = question(opened)
    assert asked is not None
    asked.send.click()
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.DONE and question(opened) is None, timeout=WAIT_MS)
    opened.run()
    qtbot.waitUntil(lambda: opened.desk.phase is Phase.DONE, timeout=WAIT_MS)
    assert question(opened) is None
    assert "sentence by sentence, to chat.example" in opened.status.currentMessage()


def test_without_an_answer_nothing_is_asked(qtbot: QtBot, opened: MainWindow) -> None:
    opened.desk.set_question("Another question about backups?")
    assert opened.desk.session.state.answer is None
    run(qtbot, opened)
    assert opened.desk.phase is Phase.DONE
    assert question(opened) is None


def test_an_edit_asks_no_language_model(qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened.desk.set_models(replace(opened.desk.session.state.models, claim_model=None, judge="features"))
    run(qtbot, opened)
    opened.desk.set_models(replace(opened.desk.session.state.models, claim_model=REMOTE))
    asked: list[Chosen] = []
    from guard_desk import api

    real = api.load_readers
    monkeypatch.setattr(api, "load_readers", lambda chosen: (asked.append(chosen), real(chosen))[1])
    opened.desk.set_answer("Backups are kept for 7 days.")
    rested(qtbot, opened)
    assert [chosen.claim_model for chosen in asked] == [None]
    assert opened.answer.foot.checkers.text().endswith("not yet by the language model")


# Editing while a run goes on


def test_an_edit_during_a_run_that_is_stopped_is_checked(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path) -> None:
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    window.desk.set_models(replace(window.desk.session.state.models, judge="features"))
    run(qtbot, window)
    window.desk.run()
    window.desk.set_answer(f"{ANSWER} They cost 5 dollars.")
    window.desk.recheck_answer()
    window.desk.cancel()
    qtbot.waitUntil(lambda: window.desk.phase is not Phase.RUNNING, timeout=WAIT_MS)
    rested(qtbot, window)
    made = window.desk.session.trace
    assert made is not None
    assert made.generated.text == f"{ANSWER} They cost 5 dollars."


# Before the first run


def test_a_policy_for_another_judge_is_warned_of_before_the_first_run(
    qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path
) -> None:
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    window.desk.set_policy(Policy(thresholds=Thresholds(injection_max=0.7), thresholds_for="systemone 1:model"), "a policy")
    settle()
    assert "set for the judge systemone 1:model, but embedded is chosen" in window.status.stage.text()
    window.desk.set_policy(Policy(thresholds=Thresholds(injection_max=0.7), thresholds_for="embedded"), "a policy")
    settle()
    assert "⚠" not in window.status.stage.text()
