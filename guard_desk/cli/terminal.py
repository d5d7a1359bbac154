"""Progress on stderr, results on stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from guard_desk.errors import InputError
from guard_desk.progress import Progress, RunContext

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


@contextmanager
def progress() -> Iterator[RunContext]:
    """A context that draws a bar for each stage on stderr when it is a terminal, and is silent otherwise."""
    if not sys.stderr.isatty():
        yield RunContext()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        yield RunContext(on_progress=_Drawer(bars))


class _Drawer:
    """One bar a stage."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, report: Progress) -> None:
        if report.stage not in self._tasks:
            self._tasks[report.stage] = self._bars.add_task(report.stage, total=report.total, unit=report.unit)
        self._bars.update(self._tasks[report.stage], completed=report.done, total=report.total)


def say(text: str) -> None:
    """A message for people, on stderr."""
    print(text, file=sys.stderr)


def out(text: str) -> None:
    """A result, on stdout. Characters that stdout cannot show are replaced, never an error."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def out_json(record: object) -> None:
    """One JSON line on stdout; pure ASCII, so that any text survives any terminal."""
    sys.stdout.write(json.dumps(record, ensure_ascii=True) + "\n")


def write(text: str, target: str) -> None:
    """Write to a file, or to stdout for "-".

    :raises InputError: naming the file, when it cannot be written.
    """
    if target == "-":
        out(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as exc:
        raise _unwritable(target, exc) from exc


def check_writable(target: str) -> None:
    """Whether `write` can write there, before long work; a file that is there keeps its content, none is left behind.

    :raises InputError: naming the file, when it cannot be written.
    """
    if target == "-":
        return
    path = Path(target)
    new = not path.exists()
    try:
        # A pipe or device is not opened here: opening it twice would tell its reader that all was written.
        if new or path.is_file() or path.is_dir():
            with path.open("ab"):
                pass
        if new:
            path.unlink()
    except OSError as exc:
        raise _unwritable(target, exc) from exc


def _unwritable(target: str, exc: OSError) -> InputError:
    return InputError(f"this file cannot be written: {exc.strerror or exc}.", path=target, remedy="Name a file in a folder that exists.")
