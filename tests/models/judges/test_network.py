"""The judge's network: the merge, padding, batches, and files that do not belong together."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import BertModel

from guard_desk.errors import MissingModelError, ModelError, ModelHashError
from guard_desk.models.judges.network import MOST_ROWS, STEP, Input, JudgeNetwork, batches
from tests.models.judges.tiny_judge import HEAD_WIDTH, OUTPUTS, make_judge


def made_rows(count: int, longest: int = 40) -> list[Input]:
    rng = random.Random(0)
    found = []
    for _ in range(count):
        ids = tuple(rng.randrange(4, 30) for _ in range(rng.randrange(3, longest)))
        found.append(Input(ids, rng.randrange(1, len(ids) + 1)))
    return found


def reference(folder: Path, row: Input) -> dict[str, np.ndarray]:
    """The row through the library's own BERT, each addition as a second path beside its layer."""
    encoder = BertModel.from_pretrained(folder / "base", add_pooling_layer=False, attn_implementation="eager").eval()
    trained = load_file(folder / "judge" / "judge.safetensors")
    for name, module in encoder.encoder.named_modules():
        if isinstance(module, torch.nn.Linear):
            down, up = trained[f"encoder.encoder.{name}.down"], trained[f"encoder.encoder.{name}.up"]
            module.register_forward_hook(lambda _, given, out, down=down, up=up: out + given[0] @ down.T @ up.T)
    ids = torch.tensor([row.ids])
    types = (torch.arange(len(row.ids)) >= row.second).long().unsqueeze(0)
    with torch.inference_mode():
        hidden = encoder(input_ids=ids, token_type_ids=types).last_hidden_state[0]
    pooled = torch.cat([hidden[0], hidden.mean(0)])
    found = {}
    for question in OUTPUTS:
        first = torch.nn.functional.gelu(trained[f"heads.{question}.1.weight"] @ pooled + trained[f"heads.{question}.1.bias"])
        found[question] = (trained[f"heads.{question}.4.weight"] @ first + trained[f"heads.{question}.4.bias"]).numpy()
    return found


def test_merged_weights_answer_like_base_and_additions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = make_judge(tmp_path, monkeypatch)
    rows = made_rows(5)
    given = network.logits(rows)
    assert given["claim"].shape == (5, 3)
    for number, row in enumerate(rows):
        expected = reference(tmp_path, row)
        for question in OUTPUTS:
            np.testing.assert_allclose(np.atleast_1d(given[question][number]), expected[question], atol=2e-4)


def test_neighbours_and_padding_change_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = make_judge(tmp_path, monkeypatch)
    rows = made_rows(60)
    together = network.logits(rows)
    backwards = network.logits(rows[::-1])
    for number, row in enumerate(rows):
        alone = network.logits([row])
        for question in OUTPUTS:
            np.testing.assert_allclose(together[question][number], alone[question][0], atol=2e-5)
            np.testing.assert_allclose(backwards[question][len(rows) - 1 - number], alone[question][0], atol=2e-5)


def test_bfloat16_stays_close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = make_judge(tmp_path, monkeypatch)
    rows = made_rows(20)
    half = JudgeNetwork(tmp_path / "judge", "cpu", "bfloat16").logits(rows)
    for question, values in network.logits(rows).items():
        assert np.abs(half[question] - values).max() < 0.15 * max(1.0, float(np.abs(values).max()))


def test_batches_hold_each_row_once_and_one_width() -> None:
    lengths = [random.Random(1).randrange(1, 128) for _ in range(500)] + [128] * 200
    cut = batches(lengths)
    assert sorted(position for batch in cut for position in batch) == list(range(len(lengths)))
    for batch in cut:
        assert len(batch) <= MOST_ROWS
        assert len({-(-lengths[position] // STEP) for position in batch}) == 1


def test_no_rows_give_no_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_judge(tmp_path, monkeypatch).logits([])["claim"].shape == (0, 3)


def test_changed_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_judge(tmp_path, monkeypatch)
    path = tmp_path / "judge" / "judge.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelHashError, match="sha256"):
        JudgeNetwork(tmp_path / "judge", "cpu")


def test_another_base_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_judge(tmp_path, monkeypatch)
    other = {"tiny": {"weights": "w", "files": {"w": "0" * 64}}}
    monkeypatch.setattr("guard_desk.models.judges.network.catalogue", lambda: other)
    with pytest.raises(ModelHashError, match="trained on tiny"):
        JudgeNetwork(tmp_path / "judge", "cpu")


def test_missing_and_broken_files_say_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_judge(tmp_path, monkeypatch)
    description = tmp_path / "judge" / "judge.json"
    description.write_text(description.read_text().replace(f'"head_width": {HEAD_WIDTH}', '"head_width": 9'))
    with pytest.raises(ModelError, match="described are 9"):
        JudgeNetwork(tmp_path / "judge", "cpu", "float32").load()
    description.write_text("[]")
    with pytest.raises(ModelError, match="no description"):
        JudgeNetwork(tmp_path / "judge", "cpu")
    description.unlink()
    with pytest.raises(MissingModelError, match=r"judge\.json is missing"):
        JudgeNetwork(tmp_path / "judge", "cpu")
    make_judge(tmp_path / "again", monkeypatch)
    with pytest.raises(ModelError, match="no precision"):
        JudgeNetwork(tmp_path / "again" / "judge", "cpu", "float8")
