"""The encoder over sentence-transformers: on a tiny model made here, and (marked) on the embedded one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from guard_desk.errors import Cancelled, ModelError
from guard_desk.models.device import resolve_device
from guard_desk.models.folder import load_folder
from guard_desk.models.minilm import load_minilm
from guard_desk.models.sentence_transformer import BATCH_ITEMS
from guard_desk.progress import CancelToken, Progress, RunContext
from guard_desk.records import Passage, Query
from tests.builders import passages

pytestmark = pytest.mark.models

WORDS = ["backup", "is", "kept", "seven", "days", "cat", "sofa", "tail", "sleeps", "##s", "the", "on"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with random weights and a vocabulary of a dozen words."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    base = tmp_path_factory.mktemp("tiny-bert")
    (base / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]), encoding="utf-8")
    tokenizer = BertTokenizerFast(str(base / "vocab.txt"), model_max_length=80)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS) + 5,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=96,
    )
    tokenizer.save_pretrained(base)
    BertModel(config).save_pretrained(base)
    folder = tmp_path_factory.mktemp("tiny-model") / "tiny"
    transformer = Transformer(str(base), max_seq_length=80)
    SentenceTransformer(modules=[transformer, Pooling(32)], device="cpu").save_pretrained(str(folder))
    return folder


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny, tmp_path / "copy"))


def long_text(tail: str) -> str:
    return " ".join(["the cat sleeps on the sofa"] * 30 + [tail] * 10)


def test_vectors_are_those_of_the_library(tiny: Path) -> None:
    encoder = load_folder(f"folder:{tiny}", "cpu")
    texts = ["the cat sleeps", "backups kept seven days", "", "unknown \ud83d words"]
    ours = encoder.encode_passages(passages(*texts), RunContext())
    theirs = encoder.load().encode([text.replace("\ud83d", "?") for text in texts], normalize_embeddings=True)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)
    np.testing.assert_allclose(encoder.encode_query(Query(text=texts[0])), theirs[0], atol=1e-5)
    assert ours.dtype == np.float32


def test_the_tail_of_a_long_passage_counts(tiny: Path) -> None:
    encoder = load_folder(str(tiny), "cpu")
    one, other = encoder.encode_passages(passages(long_text("tail"), long_text("backup")), RunContext())
    plain = encoder.load().encode([long_text("tail"), long_text("backup")])
    np.testing.assert_allclose(plain[0], plain[1], atol=1e-6)
    assert np.abs(one - other).max() > 1e-3
    np.testing.assert_allclose(np.linalg.norm([one, other], axis=1), 1, atol=1e-5)


def test_order_and_company_do_not_matter(tiny: Path) -> None:
    encoder = load_folder(str(tiny), "cpu")
    pool = passages(*(long_text("tail")[: 10 + 37 * number] for number in range(30)))
    together = encoder.encode_passages(pool, RunContext())
    alone = np.stack([encoder.encode_passages([passage], RunContext())[0] for passage in pool])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_title_is_read(tiny: Path) -> None:
    encoder = load_folder(str(tiny), "cpu")
    with_title = Passage(id="a", text="the cat", title="backup days")
    vectors = encoder.encode_passages([with_title, Passage(id="b", text="backup days the cat")], RunContext())
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)


def test_cancel_and_progress_between_batches(tiny: Path) -> None:
    encoder, token, steps = load_folder(str(tiny), "cpu"), CancelToken(), []

    def watch(step: Progress) -> None:
        steps.append(step)
        if step.done:
            token.cancel()

    with pytest.raises(Cancelled):
        encoder.encode_passages(passages(*["the cat"] * (3 * BATCH_ITEMS)), RunContext(token=token, on_progress=watch))
    assert 0 < steps[-1].done <= BATCH_ITEMS


def test_a_folder_with_foreign_code_is_refused(copy: Path) -> None:
    modules = json.loads((copy / "modules.json").read_text())
    modules[1]["type"] = "custom_module.Pooling"
    (copy / "modules.json").write_text(json.dumps(modules))
    (copy / "custom_module.py").write_text("raise SystemExit('ran')")
    with pytest.raises(ModelError, match="not part of sentence-transformers"):
        load_folder(str(copy))


def test_pickled_weights_are_refused(copy: Path) -> None:
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(ModelError, match="pickle"):
        load_folder(str(copy))


def test_folders_that_are_no_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no modules\.json"):
        load_folder(str(tmp_path))
    with pytest.raises(ModelError, match="no model folder"):
        load_folder("folder:/no/such/folder")


def test_changed_weights_are_another_revision(copy: Path) -> None:
    before = load_folder(str(copy)).info
    file = copy / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1] + b"\1")
    after = load_folder(str(copy)).info
    assert before.revision != after.revision
    assert before.weights != after.weights


def test_minilm_agrees_with_the_library() -> None:
    encoder = load_minilm("cpu")
    texts = ["Backups are kept for seven days.", "The cat sleeps on the sofa.", "How long are backups kept?"]
    ours = encoder.encode_passages(passages(*texts), RunContext())
    np.testing.assert_allclose(ours, encoder.load().encode(texts, normalize_embeddings=True), atol=1e-5)
    query = encoder.encode_query(Query(text=texts[2]))
    assert ours[0] @ query > 0.6 > ours[1] @ query
    assert (encoder.info.device, ours.shape) == ("cpu", (3, 384))


def test_unknown_devices_are_named() -> None:
    with pytest.raises(ModelError, match="no device 'tpu'"):
        resolve_device("tpu")


@pytest.mark.gpu
def test_cuda_gives_the_numbers_of_cpu() -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA GPU")
    texts = passages(*(" ".join([f"Passage {number} says that backups are kept for {number} days."] * number) for number in range(1, 60)))
    gpu, cpu = load_minilm("cuda"), load_minilm("cpu")
    np.testing.assert_allclose(gpu.encode_passages(texts, RunContext()), cpu.encode_passages(texts, RunContext()), atol=1e-3)
    assert gpu.info.device.startswith("cuda:")
    assert load_minilm("auto").load().device.type == "cuda"
