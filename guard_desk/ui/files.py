"""Opening and saving: dialogs, recent files, sessions, policies, reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from guard_desk import api, resources
from guard_desk.errors import GuardDeskError, InputError
from guard_desk.formats.write import save_case
from guard_desk.policy import load_policy, policy_toml
from guard_desk.progress import RunContext
from guard_desk.records.corpus import LoadedQuery
from guard_desk.records.trace import Trace
from guard_desk.report import save_report
from guard_desk.session import restore
from guard_desk.store.sessions import LAST, SUFFIX, SessionFile
from guard_desk.ui.desk import Desk
from guard_desk.ui.pdf import save_pdf
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.runner import Lane

OPEN_FILTER = (
    f"All that can be opened (*.jsonl *.json *.csv *.tsv *.md *.txt *.gz *{SUFFIX});;Case files (*.guarddesk.json);;"
    f"Sessions (*{SUFFIX});;Traces (*.json);;All files (*)"
)
_REPORTS = "Web page (*.html);;PDF (*.pdf);;Excel (*.xlsx);;CSV (*.csv)"


class Files(QObject):
    """What the File menu does."""

    def __init__(self, desk: Desk, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self.desk, self.preferences, self._window = desk, preferences, window
        self.session_path: Path | None = None
        self._recent: QMenu | None = None
        desk.loaded.connect(self._forget_session)
        desk.failed.connect(self._forget_lost)

    # Opening

    @Slot()
    def ask_file(self) -> None:
        """Ask for a file and open it."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Open", self.preferences.last_folder, OPEN_FILTER)
        if path:
            self.open(path)

    @Slot()
    def ask_folder(self) -> None:
        """Ask for a folder and open it."""
        path = QFileDialog.getExistingDirectory(self._window, "Open folder", self.preferences.last_folder)
        if path:
            self.open(path)

    @Slot()
    def open_demo(self) -> None:
        """Open the shipped case."""
        self.desk.open(resources.path("demo", "harbourlight.guarddesk.json"))

    @Slot()
    def _forget_session(self) -> None:
        """Another corpus is open: saving must not write over the session of the one before."""
        self.session_path = None

    @Slot(object)
    def _forget_lost(self, error: BaseException) -> None:
        """A recent file that is gone leaves the list."""
        if isinstance(error, InputError) and error.path is not None and not Path(error.path).exists():
            self.preferences.forget(str(error.path))
            self._fill_recent()

    def open(self, path: str | Path) -> None:
        """Open whatever it is: corpus, case, trace, session."""
        target = Path(path).absolute()  # a recent file is opened from another working folder
        if not target.is_relative_to(resources.path("demo")):  # nobody keeps own files beside the shipped ones
            self.preferences.last_folder = str(target.parent)
            self.preferences.remember(str(target))
            self._fill_recent()
        if target.suffix == SUFFIX:
            self._attempt(lambda: self.open_session(target))
        elif _is_trace(target):
            self._attempt(lambda: self.open_trace(target))
        else:
            self.desk.open(target)

    def open_trace(self, path: Path) -> None:
        """Look at a saved run.

        :raises GuardDeskError: for a file that is broken or newer.
        """
        trace = api.load_trace(path)
        self._forget_session()
        self.desk.show_trace(trace)

    def open_session(self, path: Path) -> None:
        """Go on with a saved session.

        :raises GuardDeskError: for a file that is broken or newer; it is left untouched.
        """
        self._restore(path)
        self.session_path = path

    @Slot()
    def reopen_last(self) -> None:
        """Go on with what the window was closed with, saved or not."""
        if self._attempt(lambda: self._restore(_last())):
            self.session_path = None

    def has_last(self) -> bool:
        """Whether there is a last session to go on with."""
        return _last().exists()

    def _restore(self, path: Path) -> None:
        if not path.exists():
            raise InputError("this file does not exist.", path=path, remedy="It may have been moved; open it from there.")
        file = SessionFile(path)
        try:
            state, trace = restore(file)
        finally:
            file.close()
        self.desk.restore(state, trace)

    def add_recent_menu(self, menu: QMenu) -> None:
        """Put the list of recent files into a menu."""
        self._recent = menu.addMenu("Open &recent")
        self._fill_recent()

    def _fill_recent(self) -> None:
        if self._recent is None:
            return
        self._recent.clear()
        for number, path in enumerate(self.preferences.recent, 1):
            action = QAction(f"&{number} {path}".replace("&&", "&"), self._recent)
            action.setData(path)
            action.triggered.connect(self._open_recent)
            self._recent.addAction(action)
        self._recent.setEnabled(bool(self.preferences.recent))

    @Slot()
    def _open_recent(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.open(str(action.data()))

    # Saving

    @Slot()
    def save(self) -> None:
        """Save the session to its file, or ask for one."""
        if self.session_path is None:
            self.save_as()
        else:
            self._save_session(self.session_path)

    @Slot()
    def save_as(self) -> None:
        """Ask for a file and save the session."""
        path = self._ask_target("Save session", f"session{SUFFIX}", f"Sessions (*{SUFFIX})")
        if path is not None:
            self._save_session(path.with_suffix(SUFFIX))

    def _save_session(self, path: Path) -> None:
        if self._attempt(lambda: self.desk.session.save(path)):
            self.session_path = path
            self.preferences.remember(str(path))
            self._fill_recent()
            self.desk.undo_stack.setClean()

    @Slot()
    def save_trace(self) -> None:
        """Write the run as JSON."""
        trace = self.desk.session.trace
        path = self._ask_target("Save trace", "trace.json", "Traces (*.json)")
        if path is not None and trace is not None:
            self._write(lambda: api.save_trace(trace, path))

    @Slot()
    def save_report(self) -> None:
        """Write the run as a report; the ending says which kind."""
        trace = self.desk.session.trace
        path = self._ask_target("Save report", "report.html", _REPORTS)
        if path is not None and trace is not None:
            self._write(lambda: _save_report(trace, path))

    @Slot()
    def save_case(self) -> None:
        """Write passages, question, answer and labels as a case file."""
        session = self.desk.session
        path = self._ask_target("Save case file", "case.guarddesk.json", "Case files (*.guarddesk.json)")
        if path is not None and session.loaded is not None:
            corpus = session.loaded.corpus
            query = LoadedQuery(query=session.state.query, answer=session.state.answer, labels=tuple(self.desk.labels().values()))
            self._write(lambda: save_case(path, corpus.passages, [query]))

    @Slot()
    def ask_policy(self) -> None:
        """Read a policy file."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Open policy", self.preferences.last_folder, "Policies (*.toml)")
        if path:
            self._attempt(lambda: self.desk.set_policy(load_policy(path), f"policy {Path(path).name}"))

    @Slot()
    def save_policy(self) -> None:
        """Write the policy in force."""
        policy = self.desk.session.state.policy
        path = self._ask_target("Save policy", "policy.toml", "Policies (*.toml)")
        if path is not None:
            self._attempt(lambda: _write_text(path, policy_toml(policy)))

    def _ask_target(self, title: str, name: str, kinds: str) -> Path | None:
        start = str(Path(self.preferences.last_folder) / name) if self.preferences.last_folder else name
        path, _ = QFileDialog.getSaveFileName(self._window, title, start, kinds)
        return Path(path) if path else None

    def _write(self, work: Callable[[], object]) -> None:
        """Write in the files lane; an error comes back as a dialog."""

        def job(_: RunContext) -> object:
            return work()

        self.desk.runner.submit(Lane.FILES, "save", job)

    def _attempt(self, work: Callable[[], object]) -> bool:
        try:
            work()
        except GuardDeskError as exc:
            self.desk.failed.emit(exc)
            return False
        return True


def _write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise InputError(f"cannot be written: {exc.strerror}.", path=path, remedy="Choose another folder.") from exc


def _last() -> Path:
    return resources.home() / "sessions" / LAST


def _is_trace(path: Path) -> bool:
    """Whether a JSON file is one of our traces, by its first characters."""
    if path.suffix != ".json" or path.name.endswith(".guarddesk.json"):
        return False
    try:
        with path.open("rb") as stream:
            return b'"guard_desk_trace"' in stream.read(200)
    except OSError:
        return False


def _save_report(trace: Trace, path: Path) -> None:
    """Write a report; the ending says which kind."""
    kind = path.suffix.lstrip(".") or "html"
    if kind == "pdf":
        save_pdf(trace, path)
    else:
        save_report(trace, kind, path)
