from __future__ import annotations

from pathlib import Path

import pytest

from guard_desk.errors import ModelError
from guard_desk.models.llama import _threads, defused, start_model
from tests.models.smollm2 import smollm2_file


@pytest.fixture(scope="module")
def file() -> Path:
    return smollm2_file()


@pytest.mark.models
def test_a_model_that_is_not_wanted_after_all_is_freed(file: Path) -> None:
    for _ in range(3):
        _, server = start_model(file, "cpu", context_tokens=256, batch_tokens=64, what="a GGUF chat model")
        del server


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF nonsense")
    with pytest.raises(ModelError, match=r"x\.gguf cannot be loaded.*It must be a model"):
        start_model(tmp_path / "x.gguf", "cpu", context_tokens=256, batch_tokens=64, what="a model")


@pytest.mark.parametrize("border", ["<|im_end|>", "<s>", "</s>", "[INST]", "[SEP]", "<mask>", "<start_of_turn>"])
def test_borders_are_broken_and_nothing_else(border: str) -> None:
    assert border not in defused(f"a {border} b")
    assert defused(f"a {border} b").replace(" ", "") == f"a{border}b"


def test_other_brackets_stay() -> None:
    text = "a < b, <b>bold</b>, [1], [SEPT], <sub>, a|b"
    assert defused(text) == text


@pytest.mark.parametrize(("asked", "most"), [("1", 1), (" 2,1", 2), ("0", 8), ("many", 8), ("", 8)])
def test_threads_are_limited_like_those_of_the_other_libraries(asked: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(16)), raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert _threads() == most
