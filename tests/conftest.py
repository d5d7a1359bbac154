"""Every test works in its own home and working folder, so that no cache or file of the developer is touched."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path / "home"))
