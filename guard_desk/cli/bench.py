"""bench: measure, print a table, write JSON and an HTML page."""

from __future__ import annotations

import argparse
import shlex
import time
from dataclasses import replace
from pathlib import Path

from guard_desk.cli import judging
from guard_desk.cli import options as opt
from guard_desk.cli.suites import SUITES, Suite
from guard_desk.cli.terminal import check_writable, out, progress, write
from guard_desk.errors import InputError
from guard_desk.measure.tables import Made, Table
from guard_desk.policy import Policy
from guard_desk.progress import RunContext

# Of each option: its name on the command line, and what it is when nobody gave it.
_OPTIONS = {
    "n": ("--n", None),
    "judge": ("--judge", "embedded"),
    "encoder": ("--encoder", "minilm"),
    "generator": ("--generator", None),
    "device": ("--device", "auto"),
    "detector": ("--detector", None),
    "errors": ("--errors", False),
    "policy": ("--policy", None),
}


def bench(options: argparse.Namespace) -> int:
    """Run one suite."""
    suite = SUITES.get(options.suite)
    if suite is None:
        raise InputError(f"there is no suite {options.suite!r}.", remedy=f"Known: {', '.join(SUITES)}.")
    _refuse(options, suite)
    targets = [target for target in (options.json, options.html) if target]
    for target in targets:
        check_writable(target)
    start = time.perf_counter()
    with progress() as ctx:
        table = _measured(options, suite, ctx)
    made = Made(command=_command(options), seconds=time.perf_counter() - start, settings=_settings(options, suite))
    if "-" not in targets:
        # First of all: what was measured is seen even where a file can no longer be written.
        # Of errors there are dozens of lines: shown when asked for, always in the JSON and on the page.
        out((replace(table, details=()) if "errors" in suite.reads and not options.errors else table).text())
    _save(options, suite, table, made)
    return 0


def _save(options: argparse.Namespace, suite: Suite, table: Table, made: Made) -> None:
    """:raises InputError: for a file that cannot be written, when the other one has been."""
    contents: list[tuple[str, str]] = []
    if options.json:
        contents.append((options.json, table.json(made) + "\n"))
    if options.html:
        from guard_desk.measure.page import html_page

        contents.append((options.html, html_page(table, made, about=f"{suite.about[0].upper()}{suite.about[1:]}.")))
    failed: list[InputError] = []
    for target, text in contents:
        try:
            write(text, target)
        except InputError as exc:
            failed.append(exc)
    if failed:
        raise failed[0]


def _measured(options: argparse.Namespace, suite: Suite, ctx: RunContext) -> Table:
    models, data = judging.models(options), _folder(options, suite)
    run = suite.load()
    if "policy" in suite.reads:
        return run(models, data, options.n, ctx, policy=opt.policy(options, start=Policy().with_values(dict(suite.knobs))))
    return run(models, data, options.n, ctx)


def _refuse(options: argparse.Namespace, suite: Suite) -> None:
    """:raises InputError: for an option that the suite would not respect, or an n that is no count."""
    given = [spelled for name, (spelled, unset) in _OPTIONS.items() if name not in suite.reads and getattr(options, name) != unset]
    given += ["--set"] if options.settings and "policy" not in suite.reads else []
    given += ["--judge-set"] if options.judge_settings and "judge" not in suite.reads else []
    if given:
        reads = ", ".join(sorted({_OPTIONS[name][0] for name in suite.reads} | ({"--set"} if "policy" in suite.reads else set())))
        raise InputError(f"the suite {options.suite} does not read {', '.join(given)}.", remedy=f"It reads {reads or 'no such option'}.")
    if options.n is not None and options.n < 1:
        raise InputError(f"--n {options.n} is not a number of rows or repetitions.", remedy="Give 1 or more.")


def _folder(options: argparse.Namespace, suite: Suite) -> Path | None:
    if options.data is None:
        if suite.data and suite.needed:
            raise InputError(f"the suite {options.suite} needs data.", remedy=f"Give with --data a folder with {suite.data}.")
        return None
    if not suite.data:
        raise InputError(f"the suite {options.suite} needs no --data.", remedy="Leave it out.")
    folder = Path(options.data).expanduser()
    if not folder.is_dir():
        wrong = "this is a file, not a folder." if folder.exists() else "this folder does not exist."
        raise InputError(wrong, path=folder, remedy="Give the folder of the data with --data.")
    return folder


def _command(options: argparse.Namespace) -> str:
    given = getattr(options, "given", ())
    return shlex.join(["guard-desk", *given]) if given else ""


def _settings(options: argparse.Namespace, suite: Suite) -> tuple[tuple[str, str], ...]:
    """The models and knobs that were in force, as far as the suite reads them."""
    named = [name for name in ("judge", "encoder", "generator", "detector", "device", "policy") if name in suite.reads]
    chosen = [(name.capitalize(), str(getattr(options, name))) for name in named if getattr(options, name) is not None]
    own = [("Set by the suite", f"{name}={value}") for name, value in suite.knobs if not options.policy]
    return (*chosen, *own, *(("Set", setting) for setting in (*options.settings, *options.judge_settings)))
