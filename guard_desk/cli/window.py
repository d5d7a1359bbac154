"""The window, and pictures of it. Qt is imported here only, inside the verbs that draw."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from guard_desk import resources
from guard_desk.cli.options import DEMO
from guard_desk.cli.terminal import say
from guard_desk.errors import GuardDeskError


def window(files: Sequence[str]) -> int:
    """Open the window, with a file or without."""
    need_display()
    from guard_desk.ui.app import start

    return start([_source(file) for file in files])


def shots(options: argparse.Namespace) -> int:
    """Draw every view into PNG files."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from guard_desk.ui.shots import draw
    from guard_desk.ui.theme import Mode

    written = draw(
        Path(_source(options.file)),
        Path(options.out),
        modes=[Mode(name) for name in options.theme],
        scales=options.scale,
        question=options.question,
        size=tuple(options.size),
    )
    say(f"wrote {len(written)} pictures to {options.out}")
    return 0


def _source(name: str) -> str:
    is_demo = name == DEMO and not Path(DEMO).exists()
    return str(resources.path("demo", "harbourlight.guarddesk.json")) if is_demo else name


def need_display() -> None:
    """Say clearly when there is no screen to draw on.

    :raises GuardDeskError: on Linux without a display.
    """
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise GuardDeskError("There is no screen to open the window on. Use the verbs (guard-desk --help), or set DISPLAY.")
