from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from guard_desk.store.journal import use_write_ahead_log


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another user of the file, in the middle of reading it: it can be read meanwhile, but not switched."""
    connection = sqlite3.connect(tmp_path / "some.sqlite", isolation_level=None, check_same_thread=False)
    connection.execute("CREATE TABLE some (number INTEGER)")
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM some").fetchone()
    yield connection
    connection.close()


def mode(connection: sqlite3.Connection) -> str:
    return str(connection.execute("PRAGMA journal_mode").fetchone()[0])


def test_it_waits_until_another_user_of_the_file_is_done(tmp_path: Path, reader: sqlite3.Connection) -> None:
    connection = sqlite3.connect(tmp_path / "some.sqlite")
    done = threading.Timer(0.2, reader.execute, ["COMMIT"])
    done.start()
    use_write_ahead_log(connection, wait_s=60)
    done.join()
    assert mode(connection) == "wal"
    connection.close()


@pytest.mark.usefixtures("reader")
def test_it_gives_up_at_last(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "some.sqlite")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        use_write_ahead_log(connection, wait_s=0.05)
    assert mode(connection) == "delete"
    connection.close()


def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path: Path, reader: sqlite3.Connection) -> None:
    reader.execute("COMMIT")
    connection = sqlite3.connect((tmp_path / "some.sqlite").as_uri() + "?mode=ro", uri=True)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        use_write_ahead_log(connection, wait_s=60)
    connection.close()
