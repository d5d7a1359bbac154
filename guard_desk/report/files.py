"""One door to every kind of report file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from guard_desk.errors import InputError
from guard_desk.formats.trace import dump_trace
from guard_desk.formats.write import write_whole
from guard_desk.records.trace import Trace
from guard_desk.report.spreadsheet import csv_bytes, xlsx_bytes
from guard_desk.report.web import html_page


def _html(trace: Trace) -> bytes:
    return html_page(trace).encode("utf-8")


def _json(trace: Trace) -> bytes:
    return dump_trace(trace).encode("ascii")


_WRITERS: Mapping[str, Callable[[Trace], bytes]] = MappingProxyType({"html": _html, "csv": csv_bytes, "xlsx": xlsx_bytes, "json": _json})
KINDS = tuple(_WRITERS)


def save_report(trace: Trace, kind: str, path: Path | str) -> None:
    """Write the report of a run.

    :param kind: html (opens in any browser, nothing is loaded from elsewhere), csv (one row a pool passage), xlsx (all
        tables) or json (the trace itself).
    :raises InputError: for an unknown kind, or when the file cannot be written.
    """
    writer = _WRITERS.get(kind)
    if writer is None:
        raise InputError(f"there is no report of the kind {kind!r}.", remedy=f"Known: {', '.join(KINDS)}.")
    write_whole(path, [writer(trace)])
