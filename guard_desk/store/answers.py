"""The store of a judge's answers: one SQLite file, written batch by batch, shared by processes.

A key says exactly what was asked (see `stages.judge.answer_key`), so a stored answer is never wrong, only unused.
Errors are not stored: a passage whose judgement failed is judged again.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from guard_desk import resources
from guard_desk.errors import StoreError
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Answers, Judgement, Question, Reason
from guard_desk.store.journal import use_write_ahead_log

logger = logging.getLogger("guard_desk.store")

T = TypeVar("T")

FORMAT = 1
BUSY_S = 15.0
KEYS_A_QUERY = 500  # SQLite's limit of variables was 999 for long

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,
    judge TEXT NOT NULL,
    relevant REAL NOT NULL,
    evidence REAL NOT NULL,
    contradicts REAL NOT NULL,
    injection REAL NOT NULL,
    details TEXT NOT NULL,
    stored_at REAL NOT NULL
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSummary:
    """What the store holds, for people.

    :param aside: a damaged file that was moved out of the way when the store was opened; None normally.
    """

    path: Path
    answers: int
    size_bytes: int
    aside: Path | None


class SqliteAnswerStore:
    """Judgements in one SQLite file (write-ahead log, so readers and a writer of other processes do not block each other).

    :param path: the file; None = `answers.sqlite` in the folder of `GUARD_DESK_HOME`. Opened at the first use.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = Path(path) if path is not None else resources.home() / "answers.sqlite"
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._aside: Path | None = None

    def get(self, keys: Sequence[str]) -> dict[str, Judgement]:
        """The stored judgements among these keys, with `passage_id` "" and `cached` True.

        :raises StoreError: when the file cannot be opened. A damaged one is moved aside and counts as empty.
        """
        with self._lock:
            return self._guarded("read", lambda connection: _select(connection, keys))

    def put(self, items: Sequence[tuple[str, Judgement]]) -> None:
        """Store finished judgements in one transaction; those without answers are left out.

        :raises StoreError: when the file cannot be written.
        """
        rows = [_row(key, judgement) for key, judgement in items if judgement.answers is not None]
        if not rows:
            return
        with self._lock:
            self._guarded("write", lambda connection: _insert(connection, rows))

    def summary(self) -> StoreSummary:
        """Path, count and size. :raises StoreError: when the file cannot be opened."""
        with self._lock:
            count = self._guarded("read", lambda connection: int(connection.execute("SELECT count(*) FROM answers").fetchone()[0]))
        return StoreSummary(path=self.path, answers=count, size_bytes=self.path.stat().st_size, aside=self._aside)

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        with self._lock:
            self._disconnect()

    def _guarded(self, verb: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work`; when the file turns out to be damaged, move it aside and run it on an empty one."""
        try:
            return self._attempt(verb, work)
        except _DamagedError as exc:
            self._move_aside(exc)
        try:
            return self._attempt(verb, work)
        except _DamagedError as exc:
            raise StoreError(f"Cannot {verb} the store of answers {self.path}: {exc}. Move the file away and try again.") from exc

    def _attempt(self, verb: str, work: Callable[[sqlite3.Connection], T]) -> T:
        with _translated(verb, self.path):
            if self._connection is None:
                self._connection = _connect(self.path)
            return work(self._connection)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _move_aside(self, cause: Exception) -> None:
        """Keep a damaged file under another name: nothing is lost, and the work goes on."""
        self._disconnect()
        self._aside = self.path.with_name(f"{self.path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        try:
            self.path.rename(self._aside)
            for suffix in ("-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        except OSError as exc:
            raise StoreError(f"The store of answers {self.path} is damaged ({cause}) and cannot be moved aside: {exc}.") from exc
        logger.warning("The store of answers %s is damaged (%s). It was kept as %s and a new one was begun.", self.path, cause, self._aside)


class _DamagedError(Exception):
    """The file is no SQLite database, or a broken one."""


@contextmanager
def _translated(verb: str, path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as exc:
        raise StoreError(
            f"Cannot {verb} the store of answers {path}: {exc}. Check that its folder can be written, or set GUARD_DESK_HOME."
        ) from exc
    except sqlite3.DatabaseError as exc:
        raise _DamagedError(str(exc)) from exc
    except OSError as exc:
        raise StoreError(f"Cannot {verb} the store of answers {path}: {exc}. Set GUARD_DESK_HOME to a folder that can be written.") from exc


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=BUSY_S, check_same_thread=False)
    try:
        use_write_ahead_log(connection, wait_s=BUSY_S)
        connection.execute("PRAGMA synchronous=NORMAL")
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > FORMAT:
            raise StoreError(
                f"The store of answers {path} was written by a newer Guard Desk (format {version}). Update, or set GUARD_DESK_HOME."
            )
        with connection:
            connection.execute(_SCHEMA)
            connection.execute(f"PRAGMA user_version={FORMAT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _select(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Judgement]:
    found: dict[str, Judgement] = {}
    for start in range(0, len(keys), KEYS_A_QUERY):
        part = list(keys[start : start + KEYS_A_QUERY])
        marks = ",".join("?" * len(part))
        query = f"SELECT key, judge, relevant, evidence, contradicts, injection, details FROM answers WHERE key IN ({marks})"
        for row in connection.execute(query, part):
            found[row[0]] = _judgement(row)
    return found


def _insert(connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    with connection:
        connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _row(key: str, judgement: Judgement) -> tuple[Any, ...]:
    answers = judgement.answers
    assert answers is not None
    details = {
        "reasons": [
            [str(reason.question), reason.rule, reason.detail, _pairs(reason.spans), _pairs(reason.query_spans)]
            for reason in judgement.reasons
        ],
        "uncertain": [str(question) for question in judgement.uncertain],
    }
    written = json.dumps(details, ensure_ascii=False, separators=(",", ":"))
    return key, judgement.judge, answers.relevant, answers.evidence, answers.contradicts, answers.injection, written, time.time()


def _judgement(row: Sequence[Any]) -> Judgement:
    details = json.loads(row[6])
    return Judgement(
        passage_id="",
        answers=Answers(relevant=row[2], evidence=row[3], contradicts=row[4], injection=row[5]),
        judge=row[1],
        cached=True,
        reasons=tuple(
            Reason(question=Question(question), rule=rule, detail=detail, spans=_spans(spans), query_spans=_spans(query_spans))
            for question, rule, detail, spans, query_spans in details["reasons"]
        ),
        uncertain=tuple(Question(name) for name in details["uncertain"]),
    )


def _pairs(spans: Sequence[Span]) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]


def _spans(pairs: Sequence[Sequence[int]]) -> tuple[Span, ...]:
    return tuple(Span(start, end) for start, end in pairs)
