"""sha256 of model files, remembered by path, size and time, so that 90 MB are not hashed at every start."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

from guard_desk import resources
from guard_desk.errors import ModelHashError

logger = logging.getLogger("guard_desk.models")

# Files below this are hashed faster than they are looked up.
_SMALL = 1 << 20


def sha256_of(path: Path) -> str:
    """Hex sha256 of a file; large files are hashed once for each (path, size, time of change)."""
    stat = path.stat()
    if stat.st_size < _SMALL:
        return _hash(path)
    key, seen = str(path.resolve()), [stat.st_size, stat.st_mtime_ns]
    known = _remembered().get(key)
    if isinstance(known, list) and known[:2] == seen:
        return str(known[2])
    digest = _hash(path)
    _remember(key, [*seen, digest])
    return digest


def check_hash(path: Path, expected: str) -> None:
    """:raises ModelHashError: when the file differs from the one whose hash is known."""
    found = sha256_of(path)
    if found != expected:
        raise ModelHashError(
            f"{path} is not the file we know: sha256 is {found}, expected {expected}. "
            f"It may be damaged or changed; install it again (pip install --force-reinstall --no-deps ...)."
        )


def _hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _file() -> Path:
    return resources.home() / "hashes.json"


def _remembered() -> Mapping[str, object]:
    try:
        data = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _remember(key: str, value: list[object]) -> None:
    """Best effort: where the folder cannot be written, files are hashed again next time."""
    file = _file()
    try:
        with FileLock(f"{file}.lock"):
            entries = {**_remembered(), key: value}
            handle, name = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(entries, stream, indent=1)
            Path(name).replace(file)
    except OSError as exc:
        logger.warning("The hash of %s could not be remembered: %s", key, exc)
