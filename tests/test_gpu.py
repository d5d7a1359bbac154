"""The whole path on a GPU gives the numbers of the CPU. Skipped without one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from guard_desk import api, resources
from guard_desk.records.state import Models
from guard_desk.records.trace import Trace

pytestmark = [pytest.mark.gpu, pytest.mark.models]


@pytest.fixture
def _cuda() -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA GPU")


def _run(device: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> Trace:
    monkeypatch.setenv("GUARD_DESK_HOME", str(home / device))
    case = api.load_corpus(resources.path("demo", "harbourlight.guarddesk.json"))
    return api.run(case.corpus, case.queries[0], models=Models(device=device))


@pytest.mark.usefixtures("_cuda")
def test_encoder_and_judge_agree_and_the_trace_names_the_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu, cpu = (_run(device, tmp_path, monkeypatch) for device in ("cuda", "cpu"))
    assert gpu.retrieved.encoder.device.startswith("cuda")
    assert cpu.retrieved.encoder.device == "cpu"
    by_id = {hit.passage_id: hit.similarity for hit in cpu.retrieved.hits}
    assert all(abs(hit.similarity - by_id[hit.passage_id]) < 1e-3 for hit in gpu.retrieved.hits)
    rows = dict(zip(cpu.judged.passage_ids, cpu.judged.scores, strict=True))
    for passage_id, scores in zip(gpu.judged.passage_ids, gpu.judged.scores, strict=True):
        np.testing.assert_allclose(scores, rows[passage_id], atol=1e-3)
