"""Entry point: reads the arguments, runs one verb, turns errors into messages and exit statuses."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from guard_desk.cli.parser import build
from guard_desk.cli.terminal import say
from guard_desk.errors import Cancelled, GuardDeskError, InputError, MissingModelError

DONE, SOME_BAD, WRONG_USE, MODEL_MISSING, INTERRUPTED = 0, 1, 2, 3, 130

# The module and function of each verb, imported when it is asked for: --help needs none of them.
_VERBS = {
    "run": "run.run",
    "route": "run.route",
    "search": "run.search",
    "expand": "run.expand",
    "compare": "judging.compare",
    "report": "run.report",
    "judge": "batch.judge",
    "verify": "batch.verify",
    "thin": "batch.thin",
    "dedup": "batch.dedup",
    "bench": "bench.bench",
    "models": "models.models",
    "shots": "window.shots",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    :param arguments: without the program's name; None = those of the process.
    :returns: 0 done, 1 some input was bad or no answer came, 2 wrong use, 3 a model is missing, 130 interrupted.
    """
    logging.basicConfig(level=logging.WARNING, format="guard-desk: %(message)s")
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if _opens_the_window(given):
            return _open_window(given)
        options = build().parse_args(given, argparse.Namespace(given=tuple(given)))
        return _verb(options.verb)(options)
    except MissingModelError as exc:
        say(f"guard-desk: {exc}")
        return MODEL_MISSING
    except InputError as exc:
        say(f"guard-desk: {exc}")
        return WRONG_USE
    except GuardDeskError as exc:
        say(f"guard-desk: {exc}")
        return SOME_BAD
    except (KeyboardInterrupt, Cancelled):
        say("guard-desk: interrupted; what was finished is kept.")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of stdout went away (for example `| head`): nothing is wrong, and Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _opens_the_window(arguments: Sequence[str]) -> bool:
    """No verb and no option: at most one file."""
    return len(arguments) <= 1 and not any(word in _VERBS or word.startswith("-") for word in arguments)


def _open_window(arguments: Sequence[str]) -> int:
    """:raises InputError: for a word that is neither a verb nor a file."""
    from guard_desk.cli import options, window

    for name in arguments:
        if name != options.DEMO and not Path(name).exists():
            raise InputError(f"{name!r} is neither a verb nor a file.", remedy="guard-desk --help lists the verbs.")
    return window.window(arguments)


def _verb(name: str) -> Callable[[argparse.Namespace], int]:
    module, function = _VERBS[name].split(".")
    verb: Callable[[argparse.Namespace], int] = getattr(importlib.import_module(f"guard_desk.cli.{module}"), function)
    return verb
