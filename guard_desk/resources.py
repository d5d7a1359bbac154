"""Finds the files of `resources/`: inside the installed wheel, or beside the package in a checkout."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import platformdirs

from guard_desk.errors import GuardDeskError


@cache
def root() -> Path:
    """The folder that holds the shipped resources.

    :raises GuardDeskError: when the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    for candidate in (package / "_resources", package.parent / "resources"):
        if (candidate / "lang").is_dir():
            return candidate
    raise GuardDeskError(
        f"The resources of Guard Desk are missing beside {package}. Install the package again: pip install --force-reinstall guard-desk"
    )


def path(*parts: str) -> Path:
    """A shipped file or folder by its parts, e.g. `path("demo", "demo.guarddesk.json")`."""
    return root().joinpath(*parts)


def home() -> Path:
    """Where caches, the store of answers and fetched models live. `GUARD_DESK_HOME` moves it."""
    chosen = os.environ.get("GUARD_DESK_HOME")
    folder = Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("guard-desk", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
