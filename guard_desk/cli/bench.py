"""bench: measure, print a table, write JSON."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from guard_desk.cli import judging
from guard_desk.cli.terminal import out, progress, write
from guard_desk.errors import InputError
from guard_desk.measure.cases import cases
from guard_desk.measure.judge_bench import judge_bench
from guard_desk.measure.judge_speed import judge_speed
from guard_desk.measure.speed import speed
from guard_desk.measure.tables import Table
from guard_desk.measure.verify_bench import verify_bench
from guard_desk.measure.verify_legs import legs
from guard_desk.measure.verify_speed import ROUNDS, verify_speed
from guard_desk.progress import RunContext


def bench(options: argparse.Namespace) -> int:
    """Run one suite."""
    suites: dict[str, Callable[[RunContext], Table]] = {
        "judge": lambda ctx: judge_bench(judging.models(options), _needed(options), options.n, ctx),
        "judge-speed": lambda ctx: judge_speed(judging.models(options), options.n or 5, ctx),
        "speed": lambda ctx: speed(judging.models(options), _folder(options), options.n or 20, ctx),
        "cases": lambda _: cases(judging.models(options), _needed(options)),
        "verify": lambda ctx: verify_bench(legs(judging.models(options)), _needed(options), options.n, ctx),
        "verify-speed": lambda ctx: verify_speed(judging.models(options), options.n or ROUNDS, ctx),
        "window": lambda _: _window(options.n or 3),
    }
    if options.suite not in suites:
        raise InputError(f"there is no suite {options.suite!r}.", remedy=f"Known: {', '.join(suites)}.")
    with progress() as ctx:
        table = suites[options.suite](ctx)
    if options.json:
        write(table.json() + "\n", options.json)
    if options.json != "-":
        # Of errors there are dozens of lines: shown when asked for, always in the JSON.
        out((replace(table, details=()) if options.suite in ("judge", "verify") and not options.errors else table).text())
    return 0


def _folder(options: argparse.Namespace) -> Path | None:
    if options.data is None:
        return None
    folder = Path(options.data).expanduser()
    if not folder.is_dir():
        raise InputError("this folder does not exist.", path=folder, remedy="Give the folder of the data with --data.")
    return folder


def _needed(options: argparse.Namespace) -> Path:
    folder = _folder(options)
    if folder is None:
        raise InputError("this suite needs data.", remedy="Give the folder with --data.")
    return folder


def _window(repeats: int) -> Table:
    """The window's suite; Qt is imported here only."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from guard_desk.ui.bench import window_suite as suite

    return suite(repeats)
