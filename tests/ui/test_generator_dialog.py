"""Who writes the answers: chosen in a dialog, tried with a sentence of ours, asked elsewhere only when a person agreed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from guard_desk.errors import ModelError
from guard_desk.protocols import Usage
from guard_desk.records.state import Models as Chosen
from guard_desk.ui import generator_work
from guard_desk.ui.dialogs.generator import GeneratorDialog
from guard_desk.ui.dialogs.models import ModelsDialog
from guard_desk.ui.dialogs.remote_run import RemoteWriteDialog
from guard_desk.ui.generator_kinds import (
    advice,
    generator_host,
    kind_of,
    kinds_of,
    name_of,
    parts_of,
    privacy_words,
    problem_of,
    title_of,
)
from guard_desk.ui.generator_work import Written, try_generator, written_words
from guard_desk.ui.judge_work import KeyState, Work
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.reader_kinds import hosts_of
from guard_desk.ui.runner import Job, Lane, Outcome
from guard_desk.ui.view import Phase
from tests.fakes import Calls, EchoGenerator
from tests.ui.builders import theme
from tests.ui.windows import WAIT_MS, Models, case_file, open_file, settle

REMOTE = "openai:small-model@https://chat.example/v1"
KINDS = kinds_of(("smollm2", "qwen"))


# In words


@pytest.mark.parametrize(
    ("name", "page", "target", "model"),
    [
        (None, "none", "", ""),
        ("none", "none", "", ""),
        ("recorded", "none", "", ""),
        ("local", "none", "", ""),
        ("qwen", "none", "", ""),
        ("/models/a.gguf", "file", "/models/a.gguf", ""),
        ("transformers:google/flan-t5-small", "folder", "google/flan-t5-small", ""),
        (REMOTE, "server", "https://chat.example/v1", "small-model"),
        ("openai:http://localhost:8080/v1", "server", "http://localhost:8080/v1", ""),
    ],
)
def test_a_name_is_taken_apart_and_put_together_again(name: str | None, page: str, target: str, model: str) -> None:
    kind = kind_of(name, KINDS)
    assert kind.page == page
    assert parts_of(name, kind) == (target, model)
    assert name_of(kind, target, model) == (None if name == "none" else name)


def test_what_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").touch()
    file, folder, server = (next(kind for kind in KINDS if kind.page == page) for page in ("file", "folder", "server"))
    assert problem_of(file, "") == "Choose a model file."
    assert problem_of(file, str(tmp_path / "b.gguf")) == "There is no such file."
    assert problem_of(file, str(tmp_path / "a.gguf")) == ""
    assert problem_of(folder, "nowhere at all")
    assert problem_of(folder, str(tmp_path)) == problem_of(folder, "google/flan-t5-small") == ""
    assert problem_of(server, "localhost 8080")
    assert problem_of(server, "http://localhost:8080/v1") == ""


def test_where_prompts_go_is_said() -> None:
    assert privacy_words("local") == (False, "Stays on this machine: nothing is sent anywhere.")
    assert privacy_words("openai:http://localhost:8080/v1")[0] is False
    leaves, words = privacy_words(REMOTE)
    assert leaves
    assert words.endswith("to chat.example.")
    assert "not encrypted" in advice("openai:http://chat.example/v1")
    assert advice(REMOTE) == advice("local") == ""
    assert title_of(REMOTE) == "Server (small-model at chat.example)"
    assert [title_of(name) for name in (None, "local", "/m/a.gguf", "transformers:/m/flan")] == [
        "None",
        "SmolLM2",
        "Model file (GGUF): a.gguf",
        "Transformers model: flan",
    ]
    host = generator_host(Chosen(generator=REMOTE))
    assert host is not None
    assert [found.name for found in hosts_of(Chosen(generator=REMOTE, claim_model="llm:https://chat.example"))] == [host.name]


def test_a_trial_writes_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from guard_desk.progress import RunContext

    monkeypatch.setattr(generator_work, "load_generator", lambda *_, **__: _Short(Calls()))
    written = try_generator("local", "cpu")(RunContext())
    assert isinstance(written, Written)
    assert written.text == "30 days"
    assert written_words(replace(written, seconds=0.4)) == "Works: to a question of ours it wrote “30 days” in 0.4 s (20 tokens in, 2 out)."
    monkeypatch.setattr(generator_work, "load_generator", lambda *_, **__: None)
    with pytest.raises(ModelError):
        try_generator("none", "cpu")(RunContext())


class _Short(EchoGenerator):
    def generate(self, prompt, ctx):  # type: ignore[no-untyped-def,override]
        del prompt, ctx
        yield "30 "
        yield "days"
        return Usage(prompt_tokens=20, answer_tokens=2)


# The dialog


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def dialog(qtbot: QtBot, asked: list[str]) -> GeneratorDialog:
    def ask(kind: str, work: Work) -> None:
        del work
        asked.append(kind)

    made = GeneratorDialog(Chosen(generator=REMOTE), ("smollm2", "qwen"), theme(), ask)
    qtbot.addWidget(made)
    made.show()
    return made


def choose(dialog: GeneratorDialog, page: str) -> None:
    names = [dialog.kinds.item(at).data(Qt.ItemDataRole.UserRole) for at in range(dialog.kinds.count())]
    dialog.kinds.setCurrentRow(names.index(page))


def outcome(kind: str, result: object = None, error: Exception | None = None) -> Outcome:
    return Outcome(job=Job(id=1, lane=Lane.NETWORK, kind=kind), result=result, error=error)


def test_it_shows_what_is_in_force(dialog: GeneratorDialog, asked: list[str]) -> None:
    assert dialog.kind.title == "Server"
    assert dialog.server.target.text() == "https://chat.example/v1"
    assert dialog.server.model.currentText() == "small-model"
    assert dialog.chosen() == REMOTE
    assert asked == ["judge_key"]
    assert not dialog.server.concurrency.isVisible()
    assert dialog.privacy.text().startswith("▲ Passages leave this machine")


def test_nothing_is_called_wrong_before_somebody_types(dialog: GeneratorDialog) -> None:
    choose(dialog, "file")
    assert dialog.file.problem.text() == "→ Choose a model file."
    assert not dialog.use.isEnabled()
    dialog.file.target.setText("x")
    assert dialog.file.problem.text() == "✗ A model file ends in .gguf."
    choose(dialog, "local")
    assert dialog.use.isEnabled()
    assert dialog.chosen() == "local"
    choose(dialog, "none")
    assert dialog.chosen() is None
    assert dialog.test.isHidden()


def test_what_a_worker_finds_is_shown(dialog: GeneratorDialog) -> None:
    dialog.take(outcome("judge_key", KeyState(words="A key is there.", stored=True)))
    assert dialog.server.key_state.text() == "A key is there."
    dialog.take(outcome("judge_models", ("a", "b")))
    assert dialog.server.model.findText("b") >= 0
    assert dialog.told.text() == "✓ The server lists 2 models."
    dialog.take(outcome("judge_trial", Written(text="30 days", seconds=1.0)))
    assert dialog.told.text() == "✓ Works: to a question of ours it wrote “30 days” in 1.0 s."
    dialog.take(outcome("judge_trial", error=ModelError("It is broken.")))
    assert dialog.told.text().startswith("✗ It is broken.")


def test_a_key_goes_to_the_keyring_and_not_into_the_name(dialog: GeneratorDialog, asked: list[str]) -> None:
    dialog.server.key.setText("sk-secret")
    dialog.test.click()
    assert asked[-2:] == ["judge_key", "judge_trial"]
    assert dialog.server.key.text() == ""
    assert "sk-secret" not in str(dialog.chosen())


def test_long_names_other_scripts_and_large_text_fit(qtbot: QtBot) -> None:
    long = "openai:" + "模型-ā-" * 12 + "@https://" + "a" * 50 + ".example/v1"
    made = GeneratorDialog(Chosen(generator=long), (), theme(scale=1.5), lambda *_: None)
    qtbot.addWidget(made)
    made.show()
    assert made.chosen() == long
    choose(made, "local")
    assert "guard-desk models add smollm2" in made._about.text()


# The whole window


def test_a_choice_is_one_step_and_the_host_stands_in_the_status_bar(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_name["choose_generator"].trigger()
    made = window.findChild(GeneratorDialog, "generator_dialog")
    choose(made, "openai:")
    made.server.target.setText("https://chat.example/v1")
    made.accept()
    settle()
    assert window.desk.session.state.models.generator == "openai:https://chat.example/v1"
    assert window.status.network.text() == "▲ chat.example"
    assert "generator is remote" in window.status.network.toolTip()
    assert window.desk.undo_stack.undoText() == "generator None -> Server (chat.example)"


def test_the_dialog_of_all_models_leads_to_it(qtbot: QtBot, window: MainWindow) -> None:
    window.asking.models()
    window.findChild(ModelsDialog, "models_dialog").generator.click()
    settle()
    assert window.findChild(GeneratorDialog, "generator_dialog") is not None
    window.findChild(GeneratorDialog, "generator_dialog").reject()


@pytest.fixture
def remote(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path) -> MainWindow:
    models.parts = replace(models.parts, generator=EchoGenerator(models.calls))
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json", answer=None))
    window.desk.set_generator(REMOTE)
    window.desk.set_knob("generate.mode", "rounds")
    settle()
    return window


def question(window: MainWindow) -> RemoteWriteDialog | None:
    return window.findChild(RemoteWriteDialog, "remote_run_dialog")


def test_a_person_is_asked_once_before_prompts_leave(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    remote.run()
    qtbot.waitUntil(lambda: question(remote) is not None, timeout=WAIT_MS)
    asked = question(remote)
    assert asked is not None
    assert asked.text().startswith("This sends the prompt to chat.example: the question and up to 6 passages, at most 3,000 tokens")
    assert "in up to 5 rounds" in asked.text()
    assert models.calls.generate == 0
    asked.send.click()
    qtbot.waitUntil(lambda: remote.desk.phase is Phase.DONE, timeout=WAIT_MS)
    assert models.calls.generate > 0
    settle()
    remote.judging.write_again()
    qtbot.waitUntil(lambda: remote.desk.phase is Phase.RUNNING, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: remote.desk.phase is Phase.DONE, timeout=WAIT_MS)
    assert question(remote) is None


def test_who_does_not_agree_sends_nothing(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    remote.run()
    qtbot.waitUntil(lambda: question(remote) is not None, timeout=WAIT_MS)
    asked = question(remote)
    assert asked is not None
    asked.reject()
    settle()
    assert models.calls.generate == 0
    assert remote.desk.phase is Phase.READY


def test_a_given_answer_is_not_written_and_asks_nobody(qtbot: QtBot, remote: MainWindow, models: Models) -> None:
    remote.desk.set_answer("Mine.")
    remote.run()
    qtbot.waitUntil(lambda: remote.desk.phase is Phase.DONE, timeout=WAIT_MS)
    assert models.calls.generate == 0
    assert question(remote) is None
