"""The write-ahead log of SQLite files that several processes may open at the same moment."""

from __future__ import annotations

import sqlite3
import time

AGAIN_S = 0.005


def use_write_ahead_log(connection: sqlite3.Connection, *, wait_s: float) -> None:
    """Switch a file's journal to the write-ahead log, again and again while another process reads or switches it.

    SQLite does not keep its own `timeout` here: two processes that wait for each other's switch would wait for ever, so it
    refuses at once.

    :param wait_s: seconds until the refusal counts.
    :raises sqlite3.OperationalError: when the file stays busy that long, or cannot be written.
    """
    deadline = time.monotonic() + wait_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
        time.sleep(AGAIN_S)
