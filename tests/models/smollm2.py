"""Where SmolLM2 lies on a machine that has it."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

HOME = os.environ.get("GUARD_DESK_MODELS_HOME") or os.environ.get("GUARD_DESK_HOME")
"""Read on import: each test has a home of its own."""


def smollm2_file() -> Path:
    """Its file, or the test is skipped: it is there where `guard-desk models add smollm2` was run before the tests."""
    folder = Path(HOME) if HOME else Path(platformdirs.user_data_dir("guard-desk", appauthor=False))
    path = folder / "models" / "smollm2.gguf"
    if not path.is_file():
        pytest.skip("SmolLM2 is not installed. Fetch it with: guard-desk models add smollm2")
    return path
