"""A tiny random finder of answers in a folder: base, tokenizer, additions, span head and description."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from guard_desk.models.answers.network import AnswerNetwork
from tests.models.judges.tiny_judge import LONGEST, WIDTH, make_judge

PAIR_WIDTH, NULL_WIDTH, MOST_TOKENS = 8, 8, 6


def make_answers(folder: Path, monkeypatch: pytest.MonkeyPatch, *, seed: int = 0) -> AnswerNetwork:
    """The network of a freshly made folder; `folder/base` and `folder/answers` hold its files."""
    make_judge(folder, monkeypatch, seed=seed)
    answers = folder / "answers"
    answers.mkdir()
    additions = {name: value for name, value in load_file(folder / "judge" / "judge.safetensors").items() if name.startswith("encoder.")}
    save_file({**additions, **make_head()}, answers / "weights.safetensors")
    describe(answers, digest(folder / "base" / "model.safetensors"))
    return AnswerNetwork(answers, "cpu", "float32")


def make_head() -> dict[str, torch.Tensor]:
    """A random span head."""
    sizes = {"edges": (2, WIDTH), "firsts": (PAIR_WIDTH, WIDTH), "lasts": (PAIR_WIDTH, WIDTH), "null.0": (NULL_WIDTH, 2 * WIDTH)}
    found = {"lengths": torch.randn(MOST_TOKENS) * 0.1}
    for name, (outputs, inputs) in {**sizes, "null.2": (1, NULL_WIDTH)}.items():
        found[f"{name}.weight"] = torch.randn(outputs, inputs) * 0.2
        found[f"{name}.bias"] = torch.randn(outputs) * 0.2
    return found


def describe(answers: Path, base_digest: str) -> None:
    """Write `answers.json` for the weights that lie there."""
    described = {
        "base": "tiny",
        "base_sha256": base_digest,
        "plan": {"longest": LONGEST},
        "weights_sha256": digest(answers / "weights.safetensors"),
        "calibration": {"temperature": 1.5, "null": -0.5},
    }
    (answers / "answers.json").write_text(json.dumps(described))


def digest(path: Path) -> str:
    """sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
