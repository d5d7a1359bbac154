"""A window that is killed in the middle of a run leaves a session that the next start offers back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from guard_desk.store.sessions import LAST, SUFFIX, SessionFile
from guard_desk.ui.app import Autosave, Opener
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.view import Phase
from tests.ui.windows import Models, case_file, make_window, rested, settle

ROOT = Path(__file__).parents[2]

CHILD = """
import sys, time
from dataclasses import replace
from pathlib import Path
from PySide6.QtTest import QTest
from guard_desk import api
from guard_desk.ui.app import Autosave, make_application
from guard_desk.ui.desk import Desk
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.view import Phase
from guard_desk.models.registry import token_counter
from tests.fakes import RulesAnalyzer, WordJudge, Calls, fake_parts
from tests.ui.builders import theme

class Slow(WordJudge):
    def judge(self, query, passages, similarities, ctx):
        for judgement in super().judge(query, passages, similarities, ctx):
            if "second" in query.text:
                print("IN THE MIDDLE", flush=True)
                time.sleep(60)
            yield judgement

parts = replace(fake_parts(), counter=token_counter(), judge=Slow(Calls()))
api.load_parts = lambda *a, **k: parts
api.load_analyzer = lambda *a: RulesAnalyzer(Calls())
app = make_application()
folder = Path(sys.argv[1])
autosave = Autosave(folder / "sessions")
window = MainWindow(Desk(autosave=autosave.file, theme=theme()), Preferences(folder / "window.ini"))
window.show()
window.files.open(sys.argv[2])
while window.desk.phase is not Phase.READY:
    QTest.qWait(5)
window.run()
while window.desk.phase is not Phase.DONE:
    QTest.qWait(5)
window.move_knob("thresholds.evidence_min", 0.95)
window.desk.seal()
window.desk.pin_baseline()
window.move_knob("assemble.k", 3)
window.desk.set_answer("Backups are kept for 7 days.")
window.desk.set_question("The second question about backups?")
window.run()
while True:
    QTest.qWait(20)
"""


def killed(folder: Path, case: Path) -> None:
    """Run a window in a process of its own and kill it while it judges."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", "GUARD_DESK_HOME": str(folder / "home")}
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD), str(folder), str(case)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    )
    assert child.stdout is not None
    said = []
    for line in child.stdout:
        said.append(line)
        if "IN THE MIDDLE" in line:
            break
    os.kill(child.pid, signal.SIGKILL)
    child.wait(timeout=20)
    child.stdout.close()
    assert "IN THE MIDDLE" in "".join(said), "".join(said)


class Presser(QObject):
    """Presses a button of the recovery dialog as soon as it stands."""

    def __init__(self, label: str, parent: QObject) -> None:
        super().__init__(parent)
        self._label = label
        self.text = ""
        self._timer = QTimer(self, interval=20)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot()
    def look(self) -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox) and box.objectName() == "recovery_dialog":
            self._timer.stop()
            self.text = f"{box.text()} {box.informativeText()}"
            next(button for button in box.buttons() if button.text() == self._label).click()


@pytest.fixture
def autosave(tmp_path: Path) -> Iterator[Autosave]:
    made = Autosave(tmp_path / "sessions")
    yield made
    made.close()
    assert not made.path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_session_comes_back(qtbot: QtBot, models: Models, tmp_path: Path) -> None:
    case = case_file(tmp_path / "case.guarddesk.json")
    killed(tmp_path, case)
    own = Autosave(tmp_path / "sessions")
    left = own.left_behind()
    assert left is not None
    window = make_window(qtbot, tmp_path, autosave=own.file)
    presser = Presser("Go on", window)
    Opener(window, own, []).open()
    rested(qtbot, window)
    assert "did not close properly" in presser.text
    assert "the session on case.guarddesk.json, “The second question about backups?”" in presser.text
    state = window.desk.session.state
    assert state.query.text == "The second question about backups?"
    assert state.policy.assemble.k == 3
    assert state.baseline is not None
    assert state.baseline.thresholds.evidence_min == 0.95
    trace = window.desk.session.trace
    assert trace is not None
    assert trace.policy == state.policy
    assert trace.query.text != state.query.text
    assert window.desk.phase is Phase.DONE
    assert window.actions_by_name["run"].isEnabled()
    assert own.left_behind() is None
    window.close()
    own.close()
    assert [path.name for path in (tmp_path / "sessions").glob(f"*{SUFFIX}*")] == [LAST]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_recovered_session_that_is_killed_again_still_has_its_run(qtbot: QtBot, models: Models, tmp_path: Path) -> None:
    killed(tmp_path, case_file(tmp_path / "case.guarddesk.json"))
    own = Autosave(tmp_path / "sessions")
    window = make_window(qtbot, tmp_path, autosave=own.file)
    presser = Presser("Go on", window)
    Opener(window, own, []).open()
    rested(qtbot, window)
    assert presser.text
    prompt = window.desk.session.trace.prompt
    window.close()
    copy = tmp_path / "copy.gdsession"
    own.file.copy_to(copy)
    own.close()
    again = make_window(qtbot, tmp_path)
    again.files.open(copy)
    rested(qtbot, again)
    assert again.desk.session.trace.prompt == prompt
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_session_that_is_not_wanted_is_deleted(qtbot: QtBot, models: Models, tmp_path: Path) -> None:
    killed(tmp_path, case_file(tmp_path / "case.guarddesk.json"))
    own = Autosave(tmp_path / "sessions")
    window = make_window(qtbot, tmp_path, autosave=own.file)
    presser = Presser("Delete it", window)
    Opener(window, own, []).open()
    assert presser.text
    assert window.desk.session.trace is None
    assert own.left_behind() is None
    window.close()
    own.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_session_that_is_put_off_is_offered_again(qtbot: QtBot, models: Models, tmp_path: Path) -> None:
    killed(tmp_path, case_file(tmp_path / "case.guarddesk.json"))
    own = Autosave(tmp_path / "sessions")
    left = own.left_behind()
    window = make_window(qtbot, tmp_path, autosave=own.file)
    presser = Presser("Later", window)
    Opener(window, own, []).open()
    assert presser.text
    assert window.desk.session.trace is None
    assert own.left_behind() == left
    window.close()
    own.close()


def test_a_living_process_keeps_its_session(tmp_path: Path, autosave: Autosave) -> None:
    other = Autosave(tmp_path / "sessions")
    assert autosave.left_behind() is None
    assert other.left_behind() is None
    other.close()


def test_the_first_start_opens_the_demo_and_later_ones_do_not(qtbot: QtBot, window: MainWindow, autosave: Autosave) -> None:
    with qtbot.waitSignal(window.desk.loaded, timeout=20_000):
        Opener(window, autosave, []).open()
    settle()
    assert window.windowTitle().startswith("harbourlight")
    started = time.monotonic()
    Opener(window, autosave, []).open()
    assert window.desk.phase is Phase.READY
    assert time.monotonic() - started < 5


def test_what_the_window_was_closed_with_can_be_opened_again(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path))
    own = Autosave(tmp_path / "sessions")
    window = make_window(qtbot, tmp_path, autosave=own.file)
    window.desk.set_question("How long are backups kept?")
    window.close()
    own.close()
    assert [path.name for path in (tmp_path / "sessions").iterdir()] == ["last.gdsession"]
    again = make_window(qtbot, tmp_path)
    again.files.reopen_last()
    assert again.desk.session.state.query.text == "How long are backups kept?"
    assert again.files.session_path is None


def test_an_idle_window_does_not_take_the_place_of_the_last_session(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    last = tmp_path / "sessions" / "last.gdsession"
    last.write_bytes(b"kept")
    Autosave(tmp_path / "sessions").close()
    assert last.read_bytes() == b"kept"


def test_an_autosave_without_content_is_cleared_away_and_a_damaged_one_is_left(tmp_path: Path, autosave: Autosave) -> None:
    folder = tmp_path / "sessions"
    SessionFile(folder / f"autosave-1-1{SUFFIX}").close()
    damaged = folder / f"autosave-1-2{SUFFIX}"
    damaged.write_bytes(b"no database" * 100)
    assert autosave.left_behind() is None
    assert not list(folder.glob(f"autosave-1-1{SUFFIX}"))
    assert damaged.exists()
