"""Files and what can be wrong with them: dialogs, recent list, drag and drop, policies, sessions that are refused."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QMessageBox, QTableView
from pytestqt.qtbot import QtBot

from guard_desk import api
from guard_desk.errors import MissingModelError
from guard_desk.formats.trace import dump_trace
from guard_desk.models.registry import token_counter
from guard_desk.models.tokens import TiktokenCounter
from guard_desk.records.trace import Trace
from guard_desk.store.sessions import SCHEMA, SessionFile
from guard_desk.ui import comparison
from guard_desk.ui.app import Unforeseen
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.view import Phase
from tests.ui.windows import Models, case_file, column, open_file, rested, run, settle


@pytest.fixture
def case(tmp_path: Path) -> Path:
    return case_file(tmp_path / "case.guarddesk.json")


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, case: Path) -> Iterator[MainWindow]:
    open_file(qtbot, window, case)
    yield window
    for box in window.findChildren(QDialog):
        box.close()


def error_words(qtbot: QtBot, window: MainWindow) -> str:
    """The words of the one error dialog; it is closed again."""
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "error_dialog") is not None, timeout=10_000)
    box = window.findChild(QMessageBox, "error_dialog")
    words = f"{box.text()}\n{box.informativeText()}"
    assert "Traceback" not in words
    assert box.textFormat() is Qt.TextFormat.PlainText
    box.close()
    settle()
    return words


def test_a_broken_file_is_told_with_place_and_remedy_and_the_window_goes_on(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, case: Path
) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b'{"id": "a", "text": \n{"id": \n')
    opened.files.open(broken)
    words = error_words(qtbot, opened)
    assert "broken.jsonl" in words
    assert words.strip().splitlines()[-1]
    assert opened.desk.phase is Phase.READY
    assert opened.desk.session.loaded.corpus.path.endswith("case.guarddesk.json")
    run(qtbot, opened)
    assert opened.desk.phase is Phase.DONE


def test_the_first_file_may_be_broken(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    window.files.open(missing)
    assert "none.jsonl" in error_words(qtbot, window)
    assert window.desk.phase is Phase.FAILED
    assert "opened" in " ".join(label.text() for label in window.ladder.findChildren(QLabel))
    assert str(missing) not in window.preferences.recent
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    assert window.desk.phase is Phase.READY


def test_skipped_records_are_listed_with_line_and_cause(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    some = tmp_path / "some.jsonl"
    some.write_text('{"id": "a", "text": "Backups are kept."}\n{"id": "b"}\n{"id": "a", "text": "Another."}\n', encoding="utf-8")
    open_file(qtbot, window, some)
    dialog = window.findChild(QDialog, "skipped_dialog")
    assert dialog is not None
    table = dialog.findChild(QTableView, "skipped_table")
    assert column(table, 0)[0] == "2"
    assert any("left out" in text for text in column(table, 1))
    dialog.close()


def test_a_missing_model_names_the_command(qtbot: QtBot, opened: MainWindow, models: Models) -> None:
    models.error = MissingModelError("smollm2", command="guard-desk models get smollm2")
    opened.run()
    words = error_words(qtbot, opened)
    assert "guard-desk models get smollm2" in words
    assert opened.desk.phase is Phase.FAILED
    models.error = None
    run(qtbot, opened)
    assert opened.desk.phase is Phase.DONE


def test_a_missing_model_that_no_command_installs_says_what_to_give(qtbot: QtBot, opened: MainWindow, models: Models) -> None:
    models.error = MissingModelError("away", detail="there is no such folder; give another")
    opened.run()
    words = error_words(qtbot, opened)
    assert "There is no such folder; give another." in words
    assert "Install it with" not in words


def test_an_error_of_ours_is_no_traceback(qtbot: QtBot, opened: MainWindow, models: Models, caplog: pytest.LogCaptureFixture) -> None:
    models.error = ZeroDivisionError("secret words of a passage")
    opened.run()
    words = error_words(qtbot, opened)
    assert "secret" not in words
    assert "wrong" in words
    assert opened.status.stage.text().startswith("Failed")
    assert "secret" not in opened.status.stage.text() + opened.desk.message
    assert any(record.exc_info for record in caplog.records)


def test_an_error_that_nobody_caught_is_told_once(qtbot: QtBot, opened: MainWindow, caplog: pytest.LogCaptureFixture) -> None:
    hook = Unforeseen(opened)
    for _ in range(3):
        error = RuntimeError("secret words")
        hook.tell(RuntimeError, error, error.__traceback__)
    assert len(opened.findChildren(QMessageBox, "error_dialog")) == 1
    assert "secret" not in error_words(qtbot, opened)
    assert len(caplog.records) == 3


def test_a_policy_file_goes_out_and_comes_in(qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(qtbot, opened)
    path = tmp_path / "mine.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    opened.move_knob("thresholds.evidence_min", 0.85)
    opened.move_knob("assemble.k", 2)
    wanted = opened.desk.session.state.policy
    opened.actions_by_name["save_policy"].trigger()
    settle()
    opened.actions_by_name["preset_default"].trigger()
    assert opened.desk.session.state.policy != wanted
    opened.actions_by_name["open_policy"].trigger()
    assert opened.desk.session.state.policy == wanted
    assert "mine.toml" in opened.desk.undo_stack.undoText()
    path.write_text("[assemble]\nk = -1\n", encoding="utf-8")
    opened.actions_by_name["open_policy"].trigger()
    assert "assemble.k" in error_words(qtbot, opened)
    assert opened.desk.session.state.policy == wanted


def test_reports_traces_and_cases_are_written(qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(qtbot, opened)
    for command, name in (("save_trace", "t.json"), ("save_report", "r.html"), ("save_case", "c.guarddesk.json")):
        target = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, target=target: (str(target), ""))
        opened.actions_by_name[command].trigger()
        rested(qtbot, opened)
        assert target.stat().st_size > 100
    trace: Trace = api.load_trace(tmp_path / "t.json")
    opened.files.open(tmp_path / "t.json")
    rested(qtbot, opened)
    assert opened.desk.session.trace.prompt == trace.prompt
    assert opened.desk.phase is Phase.DONE


def test_a_report_that_cannot_be_written_is_told(qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(qtbot, opened)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "such" / "r.html"), ""))
    opened.actions_by_name["save_report"].trigger()
    assert "r.html" in error_words(qtbot, opened)


@pytest.mark.parametrize("kind", ["newer", "broken", "other"])
def test_a_session_that_is_refused_stays_as_it_is(qtbot: QtBot, opened: MainWindow, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.gdsession"
    if kind == "newer":
        SessionFile(path).close()
        with sqlite3.connect(path) as database:
            database.execute("UPDATE about SET schema = ?", (SCHEMA + 1,))
        database.close()
    else:
        path.write_bytes(b"SQLite format 3\x00" + b"\x00" * 300 if kind == "broken" else b"no session at all" * 50)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    state = opened.desk.session.state
    opened.files.open(path)
    words = error_words(qtbot, opened)
    assert "s.gdsession" in words
    assert ("newer" in words) is (kind == "newer")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert opened.desk.session.state is state
    assert opened.files.session_path is None
    assert str(path) in opened.preferences.recent


def test_saving_after_another_corpus_asks_for_a_file(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.files.session_path = tmp_path / "first.gdsession"
    opened.files.save()
    open_file(qtbot, opened, case_file(tmp_path / "two.guarddesk.json"))
    asked: list[object] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (asked.append(args), ("", ""))[1])
    opened.files.save()
    assert asked


def test_a_session_whose_corpus_moved_still_tunes(qtbot: QtBot, opened: MainWindow, tmp_path: Path, case: Path) -> None:
    run(qtbot, opened)
    opened.files.session_path = tmp_path / "mine.gdsession"
    opened.files.save()
    case.rename(tmp_path / "moved.guarddesk.json")
    opened.files.open(tmp_path / "mine.gdsession")
    assert "case.guarddesk.json" in error_words(qtbot, opened)
    opened.move_knob("thresholds.evidence_min", 0.95)
    settle()
    assert opened.desk.view().ledger.changes
    assert not opened.actions_by_name["run"].isEnabled()


def test_a_dropped_file_is_opened(qtbot: QtBot, window: MainWindow, case: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(case))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, buttons, keys)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, keys)
    with qtbot.waitSignal(window.desk.loaded, timeout=10_000):
        window.dropEvent(drop)
    words = QMimeData()
    words.setText("no file")
    refused = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, words, buttons, keys)
    refused.ignore()
    window.dragEnterEvent(refused)
    assert not refused.isAccepted()


def test_the_recent_list_opens_again(qtbot: QtBot, opened: MainWindow, tmp_path: Path, case: Path) -> None:
    open_file(qtbot, opened, case_file(tmp_path / "two.guarddesk.json"))
    assert opened.preferences.recent[:2] == (str(tmp_path / "two.guarddesk.json"), str(case))
    menu = opened.files._recent
    assert menu is not None
    again = next(action for action in menu.actions() if action.data() == str(case))
    with qtbot.waitSignal(opened.desk.loaded, timeout=10_000):
        again.trigger()
    assert opened.preferences.recent[0] == str(case)


def test_a_run_from_a_file_is_made_ready_by_a_worker_so_that_the_first_slider_does_not_wait(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(qtbot, opened)
    trace = opened.desk.session.trace
    assert trace is not None
    (tmp_path / "t.json").write_text(dump_trace(trace), encoding="ascii")
    asked: list[str] = []

    def counting(encoding: str) -> TiktokenCounter:
        asked.append(threading.current_thread().name)
        return token_counter(encoding)

    monkeypatch.setattr(comparison, "token_counter", counting)
    monkeypatch.setattr(opened.desk, "_comparison", comparison.Comparison())
    opened.files.open(tmp_path / "t.json")
    qtbot.waitUntil(lambda: not opened.desk.runner.running("prepare"), timeout=10_000)
    assert [name.startswith("guard-desk-policy") for name in asked] == [True]
