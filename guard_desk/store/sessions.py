"""Session files: one SQLite file, changes appended as they happen, a trace written once a run.

Nothing is rewritten whole. A file that is broken, or of a newer Guard Desk, is refused with a clear message and left
untouched.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

from guard_desk.errors import StoreError, TraceError
from guard_desk.store.journal import use_write_ahead_log

SCHEMA = 1
BUSY_S = 5.0
SUFFIX = ".gdsession"
LAST = f"last{SUFFIX}"
"""Name of the session that the window closed with."""

_TABLES = """
CREATE TABLE IF NOT EXISTS about (schema INTEGER NOT NULL, application TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY, at REAL NOT NULL, text TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS traces (id INTEGER PRIMARY KEY, at REAL NOT NULL, trace BLOB NOT NULL);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChange:
    """One change as it was stored.

    :param at: seconds since the epoch.
    :param text: the name of the change, e.g. "relevance floor .45 -> .52".
    :param state: the whole state after it, as JSON.
    """

    at: float
    text: str
    state: str


class SessionFile:
    """An open session file. Used by one thread at a time."""

    def __init__(self, path: Path | str) -> None:
        """Open a file, or make it.

        :raises TraceError: for a file that is broken, newer, or no session; it is left as it is.
        :raises StoreError: when it cannot be opened or written.
        """
        self.path = Path(path)
        fresh = not self.path.exists() or self.path.stat().st_size == 0
        try:
            self._database = sqlite3.connect(self.path, timeout=BUSY_S, check_same_thread=False, isolation_level=None)
            if fresh:
                self._make()
            self._check()
        except sqlite3.DatabaseError as exc:
            self.close()
            raise self._refusal(exc) from exc

    def _make(self) -> None:
        use_write_ahead_log(self._database, wait_s=BUSY_S)
        self._database.executescript(_TABLES)
        self._database.execute("INSERT INTO about VALUES (?, 'guard-desk')", (SCHEMA,))

    def _check(self) -> None:
        row = self._database.execute("SELECT schema, application FROM about").fetchone()
        if row is None or row[1] != "guard-desk":
            raise TraceError("this is no Guard Desk session.", path=self.path, remedy="Open a .gdsession file.")
        if row[0] > SCHEMA:
            raise TraceError("this session is of a newer Guard Desk.", path=self.path, remedy="Update Guard Desk to open it.")

    def _refusal(self, exc: sqlite3.DatabaseError) -> Exception:
        if isinstance(exc, sqlite3.OperationalError) and "no such table" not in str(exc):
            return StoreError(f"The session {self.path} cannot be opened: {exc}. Choose another folder.")
        return TraceError("this session is damaged or no session.", path=self.path, remedy="It was left as it is; open another one.")

    def add_change(self, text: str, state: str) -> None:
        """Append a change. :raises StoreError: when it cannot be written."""
        self._write("INSERT INTO changes (at, text, state) VALUES (?, ?, ?)", (time.time(), text, state))

    def add_trace(self, trace: str) -> None:
        """Append a run's trace (JSON); "" = the runs before it belong to a corpus that was closed.

        :raises StoreError: when it cannot be written.
        """
        self._write("INSERT INTO traces (at, trace) VALUES (?, ?)", (time.time(), zlib.compress(trace.encode("ascii"), 1)))

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.DatabaseError as exc:
            raise StoreError(f"The session {self.path} cannot be written: {exc}. Save it to another folder.") from exc

    def last_change(self) -> StoredChange | None:
        """The newest change; None in an empty session."""
        row = self._database.execute("SELECT at, text, state FROM changes ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else StoredChange(at=row[0], text=row[1], state=row[2])

    def last_trace(self) -> str | None:
        """The newest trace as JSON; None when nothing ran, "" when nothing ran on the corpus in force."""
        row = self._database.execute("SELECT trace FROM traces ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else zlib.decompress(row[0]).decode("ascii")

    def copy_to(self, path: Path | str) -> None:
        """Write the whole session to another file, replacing it. :raises StoreError: when it cannot be written."""
        target = Path(path)
        part = target.with_name(target.name + ".part")
        try:
            part.unlink(missing_ok=True)
            with contextlib.closing(sqlite3.connect(part)) as copy:
                self._database.backup(copy)
            part.replace(target)
        except (sqlite3.DatabaseError, OSError) as exc:
            raise StoreError(f"The session cannot be saved to {target}: {exc}. Choose another folder.") from exc

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        database = getattr(self, "_database", None)
        if database is not None:
            database.close()
