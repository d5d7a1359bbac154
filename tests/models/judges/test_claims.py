"""The claim judge: shapes, windows, cancel; and on the weights that ship, plain claims."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from guard_desk.errors import Cancelled
from guard_desk.models.judges.calibration import load_calibration
from guard_desk.models.judges.claims import CONTRADICT, NEUTRAL, SUPPORT, EmbeddedClaimJudge, joined, load_claim_judge, probabilities
from guard_desk.models.judges.network import load_network
from guard_desk.progress import CancelToken, RunContext
from tests.models.judges.tiny_judge import make_judge, write_calibration
from tests.weights import needs_weights


def tiny(folder: Path, monkeypatch: pytest.MonkeyPatch) -> EmbeddedClaimJudge:
    network = make_judge(folder, monkeypatch)
    write_calibration(folder / "judge")
    return EmbeddedClaimJudge(network, load_calibration(folder / "judge", network.description.weights))


def test_stances_are_probabilities_of_each_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = tiny(tmp_path, monkeypatch)
    claims = [f"the file may be up to {n % 5} gb" for n in range(150)]
    passages = ["share link never expires. " * (1 + n % 30) for n in range(150)]
    found = judge.stances(claims, passages, RunContext())
    assert found.shape == (150, 3)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(judge.stances(claims[70:71], passages[70:71], RunContext())[0], found[70], atol=1e-4)
    assert judge.least_certain == 0.6


def test_what_the_network_cannot_read_is_neutral(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tiny(tmp_path, monkeypatch).stances(["文件最大为250GB", "the file"], ["file", "文件"], RunContext())
    assert found.tolist() == [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
    assert tiny(tmp_path / "none", monkeypatch).stances([], [], RunContext()).shape == (0, 3)


def test_a_cancel_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        tiny(tmp_path, monkeypatch).stances(["a"], ["b"], RunContext(token=token))


def test_the_clearest_windows_count_and_support_keeps_its_share() -> None:
    windows = np.array([[0.1, 0.1, 0.8], [0.7, 0.1, 0.2], [0.05, 0.7, 0.25]], dtype=np.float32)
    found = joined(windows)
    assert found[SUPPORT] == pytest.approx(0.7)
    assert found[CONTRADICT] == pytest.approx(0.3)
    assert found[NEUTRAL] == pytest.approx(0.0)
    np.testing.assert_allclose(joined(windows[:1]), windows[0], atol=1e-6)


def test_a_higher_temperature_is_less_sure() -> None:
    logits = np.array([[3.0, 0.0, -1.0]], dtype=np.float32)
    assert probabilities(logits, 2.0).max() < probabilities(logits, 1.0).max()


@needs_weights
@pytest.mark.models
def test_plain_claims() -> None:
    judge = load_claim_judge("cpu")
    claims = ["A single file may be up to 250 GB.", "Backups are kept for thirty days."]
    passages = ["A single file may be up to 250 GB in size.", "Backups are kept for seven days, not for thirty."]
    found = judge.stances(claims, passages, RunContext())
    assert found[0].argmax() == SUPPORT
    assert found[1].argmax() == CONTRADICT
    assert load_claim_judge("cpu") is judge
    assert judge._reader.network is load_network("cpu")
