import itertools
import json
import random
import sys
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from batches import Encoded, collate, epoch_order
from evaluate import lines, truth
from export import export
from model import JudgeNet, LoraLinear, masked_losses, tiny_base
from rows import NOT_SUPPORTED, QUESTIONS, Row
from train import Folder, Plan, Run, dev_loss, train

from guard_desk.measure.metrics import auroc_figure

WORDS = 50


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def made_rows(count: int) -> list[Encoded]:
    """Rows whose labels stand in their first word."""
    rng = random.Random(0)
    found = []
    for number in range(count):
        yes = number % 2
        ids = np.array([1, 10 + yes, *(rng.randrange(20, WORDS) for _ in range(rng.randrange(3, 12))), 2], dtype=np.int32)
        asked = number % len(QUESTIONS)
        found.append(Encoded(ids, len(ids) // 2, tuple(yes if column == asked else -1 for column in range(len(QUESTIONS)))))
    return found


def made_run(adapt: str = "full", steps: int = 40, rows: int = 20) -> Run:
    torch.manual_seed(0)
    plan = Plan(adapt=adapt, passes=steps * 10, batch=10, rate=3e-3)
    return Run(JudgeNet(tiny_base(WORDS), adapt, rank=4), made_rows(rows), plan)


@pytest.mark.parametrize("adapt", ["full", "lora"])
def test_training_lowers_the_loss_and_leaves_the_word_embeddings(adapt):
    run = made_run(adapt)
    words = run.network.encoder.embeddings.word_embeddings.weight.clone()
    before = dev_loss(run.network, run.rows)
    while run.step < run.plan.steps:
        run.advance()
    after = dev_loss(run.network, run.rows)
    assert set(after) == set(QUESTIONS)
    assert sum(after.values()) < 0.8 * sum(before.values())
    assert torch.equal(words, run.network.encoder.embeddings.word_embeddings.weight)


def test_a_stopped_run_goes_on_exactly(tmp_path):
    whole = made_run(rows=34)
    for _ in range(9):
        whole.advance()
    first = made_run(rows=34)
    folder = Folder(tmp_path)
    train(first, folder, first.rows, lambda: first.step >= 5)
    torch.manual_seed(99)
    second = Run(JudgeNet(tiny_base(WORDS), "full"), whole.rows, whole.plan)
    # The base is not part of a checkpoint: it is the embedded encoder in every run.
    second.network.encoder.load_state_dict(first.network.encoder.state_dict())
    second.restore(torch.load(folder.checkpoint, weights_only=True))
    for _ in range(4):
        second.advance()
    assert second.step == 9
    for name, value in whole.network.trained().items():
        assert torch.equal(value, second.network.trained()[name]), name
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert logged[-1]["step"] == 5
    assert set(logged[-1]["dev"]) == set(QUESTIONS)
    assert folder.best.exists()


def test_a_checkpoint_of_another_plan_is_refused():
    run = made_run()
    state = run.state()
    with pytest.raises(ValueError, match="batch 10"):
        Run(run.network, run.rows, Plan(adapt="full", batch=5)).restore(state)
    longer = Run(run.network, run.rows, Plan(adapt="full", batch=10, passes=10_000))
    longer.restore(state)
    assert longer.plan.steps == 1000


def test_an_epoch_holds_each_row_once_with_like_lengths_together():
    lengths = [random.Random(row).randrange(5, 128) for row in range(1003)]
    order = epoch_order(lengths, 8, seed=1, epoch=0)
    assert sorted(row for batch in order for row in batch) == list(range(1003))
    assert order == epoch_order(lengths, 8, seed=1, epoch=0)
    assert order != epoch_order(lengths, 8, seed=1, epoch=1)
    padded = sum(max(lengths[row] for row in batch) * len(batch) for batch in order)
    assert padded < 1.1 * sum(lengths)


def test_padding_is_masked_and_the_passage_has_its_own_type():
    batch = collate(
        [Encoded(np.array([1, 5, 2, 6, 2], dtype=np.int32), 3, (1,) * 5), Encoded(np.array([1, 7], dtype=np.int32), 2, (0,) * 5)]
    )
    assert batch.mask.tolist() == [[1, 1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0]]
    assert batch.types.tolist() == [[0, 0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
    network = JudgeNet(tiny_base(WORDS), "full").eval()
    with torch.inference_mode():
        together = network(batch.ids, batch.types, batch.mask)
        alone = network(batch.ids[1:, :2], batch.types[1:, :2], batch.mask[1:, :2])
    for question in QUESTIONS:
        assert torch.allclose(together[question][1], alone[question][0], atol=1e-5)


def test_the_loss_only_sees_what_is_known():
    logits = {question: torch.zeros(3, 3) if question == "claim" else torch.zeros(3) for question in QUESTIONS}
    labels = torch.full((3, len(QUESTIONS)), -1)
    assert masked_losses(logits, labels, 0.1) == {}
    labels[1, 0] = 1
    assert masked_losses(logits, labels, 0.0) == {"relevant": torch.tensor(2.0).log()}


def test_not_supported_does_not_choose_between_contradiction_and_neutral():
    labels = torch.full((1, len(QUESTIONS)), -1)
    labels[0, QUESTIONS.index("claim")] = NOT_SUPPORTED
    for away in ([0.0, 9.0, 0.0], [0.0, 0.0, 9.0]):
        assert masked_losses({"claim": torch.tensor([away])}, labels, 0.1)["claim"] < 0.01
    assert masked_losses({"claim": torch.tensor([[9.0, 0.0, 0.0]])}, labels, 0.1)["claim"] > 5


def test_an_addition_starts_at_nothing_and_adds_its_product():
    layer = LoraLinear(torch.nn.Linear(6, 4), 2)
    values = torch.randn(3, 6)
    before = layer(values)
    assert torch.equal(before, layer.base(values.bfloat16()))
    torch.nn.init.normal_(layer.up)
    expected = layer.base(values.bfloat16()).float() + values @ (layer.up @ layer.down).T
    assert torch.allclose(layer(values).float(), expected, atol=0.1)
    assert not torch.allclose(layer(values), before, atol=0.1)


def test_the_rate_rises_and_falls():
    plan = Plan(passes=3200, batch=32, rate=1.0)
    rates = [plan.rate_at(step) for step in range(101)]
    assert rates[0] < rates[5] == max(rates) == 1.0
    assert rates[100] == 0.0
    assert all(later < sooner for sooner, later in itertools.pairwise(rates[6:]))


def test_an_export_names_its_hashes(tmp_path):
    run = made_run("lora")
    manifest = json.dumps({"train": {"sha256": "a"}, "dev": {"sha256": "b"}, "read": {"x": "y"}, "licences": {"x": "MIT"}}).encode()
    described = export(run.state(), manifest, tmp_path)
    assert described["rows_sha256"] == {"train": "a", "dev": "b"}
    assert json.loads((tmp_path / "judge.json").read_text()) == json.loads(json.dumps(described))
    if sys.platform != "win32":
        assert {oct((tmp_path / name).stat().st_mode & 0o777) for name in ("judge.json", "judge.safetensors")} == {"0o644"}
    assert (tmp_path / "judge.safetensors").stat().st_size < 2.5 * sum(value.numel() for value in run.network.trained().values()) + 20_000


def test_figures_stand_beside_their_baselines():
    rows = [Row(query="q", passage="p" * (9 - number % 2), kind="k", group="g", source="made", evidence=number % 2) for number in range(60)]
    scores = {task: np.array([float(row.evidence or 0) for row in rows]) for task in ("relevant", "evidence", "contradicts", "injection")}
    scores |= {"support": np.zeros(60), "contradiction": np.zeros(60)}
    found = lines(rows, scores, np.zeros(60), lambda values, labels: auroc_figure(values, labels, rounds=20))
    assert [(line.task, line.source) for line in found] == [("evidence", "made"), ("evidence", "all")]
    assert (found[0].model.value, found[0].cosine.value, found[0].length.value) == (1.0, 0.5, 0.0)
    assert truth(Row(query="q", passage="p", kind="k", group="g", source="s", claim=NOT_SUPPORTED), "contradiction") is None
