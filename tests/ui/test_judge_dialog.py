"""The dialog that chooses the judge, against a real server of decisions and a keyring in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.records.judging import Classifier, JudgeSettings, Spent
from guard_desk.records.state import Models as ChosenModels
from guard_desk.session import dump_state
from guard_desk.ui.dialogs.judge import JudgeDialog
from guard_desk.ui.dialogs.models import ModelsDialog
from guard_desk.ui.dialogs.wordings import CHANGED, WordingsDialog
from guard_desk.ui.main_window import MainWindow
from tests.models.judges.decision_server import deciding
from tests.ui.builders import theme, trace
from tests.ui.windows import WAIT_MS, settle


class _Memory(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[tuple[str, str], str]]:
    for name in ("GUARD_DESK_API_KEY", "TYPESAFE_API_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    before, memory = keyring.get_keyring(), _Memory()
    keyring.set_keyring(memory)
    yield memory.kept
    keyring.set_keyring(before)


@pytest.fixture
def judge(window: MainWindow, keys: dict[tuple[str, str], str]) -> JudgeDialog:
    window.actions_by_name["choose_judge"].trigger()
    settle()
    return opened(window)


def opened(window: MainWindow) -> JudgeDialog:
    dialog = window.findChild(JudgeDialog, "judge_dialog")
    assert dialog is not None
    return dialog


def choose(dialog: JudgeDialog, name: str) -> None:
    names = [dialog.kinds.item(at).data(Qt.ItemDataRole.UserRole) for at in range(dialog.kinds.count())]
    dialog.kinds.setCurrentRow(names.index(name))
    settle()


def shown(dialog: QWidget, name: str) -> bool:
    return dialog.findChild(QWidget, name).isVisible()


def test_only_the_fields_of_the_chosen_judge_are_seen(judge: JudgeDialog) -> None:
    fields = ("judge_target", "judge_path", "classifier_injection_source", "judge_form", "judge_wordings")
    seen = {}
    for name in ("embedded", "recorded", "systemone", "llm", "gguf", "cross-encoder"):
        choose(judge, name)
        seen[name] = [shown(judge, field) for field in fields]
    assert seen == {
        "embedded": [False, False, False, False, False],
        "recorded": [False, False, False, False, False],
        "systemone": [True, False, False, True, True],
        "llm": [True, False, False, False, True],
        "gguf": [False, True, False, False, True],
        "cross-encoder": [False, False, True, False, False],
    }


def test_a_choice_is_one_step_that_can_be_undone(window: MainWindow, judge: JudgeDialog) -> None:
    choose(judge, "systemone")
    judge.server.model.setEditText("jev-1.13")
    judge.server.concurrency.setValue(8)
    judge.server.price_input.setValue(0.25)
    judge.accept()
    settle()
    models = window.desk.session.state.models
    assert models.judge == "systemone"
    assert models.judge_settings == JudgeSettings(model="jev-1.13", concurrency=8, price_input=0.25)
    assert window.desk.undo_stack.undoText() == "judge embedded -> systemone"
    assert window.status.network.text() == "▲ api.typesafe.ai"
    window.actions_by_name["undo"].trigger()
    settle()
    assert window.desk.session.state.models == ChosenModels()
    assert window.status.network.text() == "offline"


def test_what_cannot_be_used_is_said_in_place(judge: JudgeDialog) -> None:
    choose(judge, "llm")
    assert not judge.use.isEnabled()
    judge.server.target.setText("localhost 8080")
    assert "not the address of a server" in judge.server.problem.text()
    judge.server.target.setText("http://192.168.1.20:8080")
    assert judge.use.isEnabled()
    assert judge.server.problem.isHidden()
    assert "not encrypted" in judge.findChild(QLabel, "judge_advice").text()
    judge.server.target.setText("http://localhost:8080")
    assert judge.findChild(QLabel, "judge_advice").isHidden()
    assert judge.findChild(QLabel, "judge_privacy").text().startswith("● Passages go to localhost")


def test_each_judge_keeps_its_own_target(judge: JudgeDialog) -> None:
    choose(judge, "systemone")
    judge.server.target.setText("https://decide.example")
    choose(judge, "llm")
    assert judge.server.target.text() == ""
    choose(judge, "systemone")
    assert judge.chosen()[1].target == "https://decide.example"


def test_a_connection_is_tested_in_the_background(qtbot: QtBot, judge: JudgeDialog) -> None:
    with deciding() as server:
        choose(judge, "systemone")
        judge.server.target.setText(server.url)
        judge.test.click()
        assert judge.told.text() == "… Asking…"
        qtbot.waitUntil(lambda: judge.told.text().startswith("✓"), timeout=WAIT_MS)
        judge.server.model.setEditText("")
        judge.server.list_models.click()
        qtbot.waitUntil(lambda: "lists 2 models" in judge.told.text(), timeout=WAIT_MS)
    assert [judge.server.model.itemText(at) for at in range(judge.server.model.count())] == ["jev-latest", "mock"]
    assert judge.server.model.currentText() == ""


def test_a_server_that_is_not_there_is_said_plainly(qtbot: QtBot, judge: JudgeDialog) -> None:
    choose(judge, "llm")
    judge.server.target.setText("http://127.0.0.1:9")
    judge.server.timeout.setValue(1)
    judge.server.list_models.click()
    qtbot.waitUntil(lambda: judge.told.text().startswith("✗"), timeout=WAIT_MS)
    assert "cannot be reached" in judge.told.text()


def test_a_key_goes_to_the_keyring_and_nowhere_else(
    qtbot: QtBot, window: MainWindow, judge: JudgeDialog, keys: dict[tuple[str, str], str], tmp_path: Path
) -> None:
    choose(judge, "systemone")
    judge.server.target.setText("https://decide.example")
    judge.server.key.setText("sk-very-secret")
    judge.accept()
    qtbot.waitUntil(lambda: keys == {("guard-desk", "decide.example"): "sk-very-secret"}, timeout=WAIT_MS)
    settle()
    assert "sk-very-secret" not in dump_state(window.desk.session.state)
    window.desk.session.save(tmp_path / "s.gdsession")
    assert b"sk-very-secret" not in (tmp_path / "s.gdsession").read_bytes()
    window.actions_by_name["choose_judge"].trigger()
    again = opened(window)
    qtbot.waitUntil(again.server.remove_key.isEnabled, timeout=WAIT_MS)
    assert again.server.key.text() == ""
    again.server.remove_key.click()
    qtbot.waitUntil(lambda: not keys, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not again.server.remove_key.isEnabled(), timeout=WAIT_MS)
    again.reject()
    settle()


def test_labels_of_a_classifier_are_read_and_can_be_overruled(qtbot: QtBot, judge: JudgeDialog, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"id2label": {"0": "SAFE", "1": "INJECTION"}}))
    choose(judge, "cross-encoder")
    row = next(row for question, row in judge.classifiers.rows.items() if question == "injection")
    row.source.setText(str(tmp_path))
    row.source.editingFinished.emit()
    qtbot.waitUntil(lambda: "INJECTION means yes" in row._note.text(), timeout=WAIT_MS)
    assert judge.chosen()[1].classifiers == (Classifier(question="injection", source=str(tmp_path)),)
    row.label.setEditText("SAFE")
    assert judge.chosen()[1].classifiers[0].label == "SAFE"
    row.source.setText(str(tmp_path / "none"))
    assert not judge.use.isEnabled()


def test_the_judge_of_the_last_run_is_shown(qtbot: QtBot) -> None:
    judged = trace().judged
    dialog = JudgeDialog(ChosenModels(), replace(judged, spent=Spent(requests=3, input_tokens=40)), theme(), lambda *_: None)
    qtbot.addWidget(dialog)
    words = dialog.findChild(QLabel, "judge_card").text()
    assert "Last run: words" in words
    assert "Spent: 40 tokens in 3 requests" in words


def test_the_models_dialog_leads_to_the_judge(qtbot: QtBot, window: MainWindow, keys: dict[tuple[str, str], str]) -> None:
    window.desk.set_judge("systemone", JudgeSettings(model="m"))
    window.actions_by_name["choose_models"].trigger()
    dialog = window.findChild(ModelsDialog)
    assert dialog.models() == window.desk.session.state.models
    dialog.judge.click()
    settle()
    assert opened(window).kind.name == "systemone"
    opened(window).reject()
    settle()


# Wordings


@pytest.fixture
def wordings(qtbot: QtBot) -> WordingsDialog:
    dialog = WordingsDialog(None, "embedded", theme())
    qtbot.addWidget(dialog)
    return dialog


def test_a_changed_wording_is_marked_and_can_be_reset(wordings: WordingsDialog) -> None:
    assert wordings.wordings() is None
    assert not wordings.reset.isEnabled()
    wordings.questions.setCurrentRow(3)
    wordings.editor.fields["instruction"].setPlainText("Sag, ob der Text befiehlt.\nGanz kurz.")
    wordings.editor.fields["yes"].setPlainText("eins\n\n zwei ")
    changed = wordings.wordings()
    assert changed is not None
    assert changed.injection.instruction == "Sag, ob der Text befiehlt. Ganz kurz."
    assert changed.injection.yes == ("eins", "zwei")
    assert changed.relevant == shipped_wordings().relevant
    assert [wordings.questions.item(at).text().endswith(CHANGED) for at in range(4)] == [False, False, False, True]
    wordings.reset.click()
    assert wordings.wordings() is None


def test_an_empty_question_cannot_be_kept(wordings: WordingsDialog) -> None:
    wordings.editor.fields["text"].setPlainText("  ")
    assert not wordings.buttons.button(wordings.buttons.StandardButton.Ok).isEnabled()
    assert "Relevant" in wordings._problem.text()


def test_who_reads_wordings_is_said(wordings: WordingsDialog) -> None:
    assert "systemone, llm and gguf read these wordings; embedded, the judge in force, does not" in wordings._what.text()
    assert "anew" in wordings._what.text()


def test_wordings_are_a_step_that_can_be_undone(window: MainWindow) -> None:
    window.actions_by_name["edit_wordings"].trigger()
    dialog = window.findChild(QDialog, "wordings_dialog")
    assert isinstance(dialog, WordingsDialog)
    dialog.editor.fields["text"].setPlainText("Is it about this?")
    dialog.accept()
    settle()
    kept = window.desk.session.state.models.judge_settings.wordings
    assert kept is not None
    assert kept.relevant.text == "Is it about this?"
    window.actions_by_name["undo"].trigger()
    settle()
    assert window.desk.session.state.models.judge_settings.wordings is None
