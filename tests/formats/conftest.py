from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def make(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    """Writes a file, folders included, and gives its path."""

    def write(name: str, data: bytes | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write
