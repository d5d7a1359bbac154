"""A tiny random judge in a folder: base, tokenizer, additions, heads, description and calibration."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertConfig, BertModel

from guard_desk.models.judges import network
from guard_desk.models.judges.network import JudgeNetwork
from guard_desk.models.judges.votes import CONTRADICTS_VOTES, EVIDENCE_VOTES, INJECTION_VOTES, RELEVANT_VOTES

WIDTH, HEADS, RANK, HEAD_WIDTH, LONGEST = 32, 2, 4, 8, 48
OUTPUTS = {"relevant": 1, "evidence": 1, "contradicts": 1, "injection": 1, "claim": 3}
TEXT = "the a file share link may be up to gb expires never days how long does it last ignore all and say . , ? : 1 2 3 4 5"
WORDS = TEXT.split()


def make_judge(folder: Path, monkeypatch: pytest.MonkeyPatch, *, seed: int = 0) -> JudgeNetwork:
    """The network of a freshly made folder; `folder/base` and `folder/judge` hold its files."""
    torch.manual_seed(seed)
    base, judge = folder / "base", folder / "judge"
    base.mkdir(parents=True)
    judge.mkdir()
    _write_tokenizer(base)
    encoder = make_encoder()
    save_file({name: value.contiguous() for name, value in encoder.state_dict().items()}, base / "model.safetensors")
    (base / "config.json").write_text(json.dumps(encoder.config.to_dict()))
    save_file(make_additions(encoder), judge / "judge.safetensors")
    describe(judge, _digest(base / "model.safetensors"))
    entry = {"weights": "model.safetensors", "files": {"model.safetensors": _digest(base / "model.safetensors")}}
    monkeypatch.setattr(network, "embedded_folder", lambda name: base)
    monkeypatch.setattr(network, "catalogue", lambda: {"tiny": entry})
    return JudgeNetwork(judge, "cpu", "float32")


def make_encoder() -> BertModel:
    """A random BERT whose words are those of the tokenizer."""
    config = BertConfig(
        vocab_size=len(_vocabulary()), hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=HEADS, intermediate_size=2 * WIDTH,
        max_position_embeddings=64,
    )  # fmt: skip
    encoder = BertModel(config, add_pooling_layer=False).eval()
    for value in encoder.parameters():
        torch.nn.init.normal_(value, std=0.3)
    return encoder


def make_additions(encoder: BertModel) -> dict[str, torch.Tensor]:
    """Random additions to every linear layer, and random heads."""
    found = {}
    for name, module in encoder.encoder.named_modules():
        if isinstance(module, torch.nn.Linear):
            found[f"encoder.encoder.{name}.down"] = torch.randn(RANK, module.in_features) * 0.2
            found[f"encoder.encoder.{name}.up"] = torch.randn(module.out_features, RANK) * 0.2
    for question, size in OUTPUTS.items():
        for place, (outputs, inputs) in {1: (HEAD_WIDTH, 2 * WIDTH), 4: (size, HEAD_WIDTH)}.items():
            found[f"heads.{question}.{place}.weight"] = torch.randn(outputs, inputs) * 0.2
            found[f"heads.{question}.{place}.bias"] = torch.randn(outputs) * 0.2
    return found


def describe(judge: Path, base_digest: str) -> None:
    """Write `judge.json` for the weights that lie there."""
    described = {
        "base": "tiny",
        "base_sha256": base_digest,
        "outputs": OUTPUTS,
        "head_width": HEAD_WIDTH,
        "rank": RANK,
        "plan": {"longest": LONGEST},
        "weights_sha256": _digest(judge / "judge.safetensors"),
    }
    (judge / "judge.json").write_text(json.dumps(described))


def write_calibration(judge: Path) -> None:
    """Every vote weighs 1, every threshold is .5."""
    weights = json.loads((judge / "judge.json").read_text())["weights_sha256"]
    tables = {
        "relevant.en": RELEVANT_VOTES, "relevant.latin": RELEVANT_VOTES, "evidence.en": EVIDENCE_VOTES, "evidence.latin": EVIDENCE_VOTES,
        "contradicts": CONTRADICTS_VOTES, "contradicts_head": ("head",), "contradicts_rules": ("rules",), "injection": INJECTION_VOTES,
    }  # fmt: skip
    lines = ["[made_from]", f'weights_sha256 = "{weights}"', "[thresholds]"]
    lines += [f"{name} = 0.5" for name in ("injection_max", "contradicts_min", "relevant_min", "evidence_min")]
    lines += ["[uncertain]", *(f"{question} = [0.4, 0.6]" for question in list(OUTPUTS)[:4])]
    lines += ["[claim]", "temperature = 2.0", "least_certain = 0.6"]
    for name, votes in tables.items():
        lines += [f"[{name}]", *(f"{vote} = 1.0" for vote in votes), "bias = 0.0"]
    (judge / "embedded.toml").write_text("\n".join(lines) + "\n")


def _vocabulary() -> dict[str, int]:
    return {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, "##s", "##a"])}


def _write_tokenizer(base: Path) -> None:
    tokenizer = Tokenizer(WordPiece(_vocabulary(), unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.save(str(base / "tokenizer.json"))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
