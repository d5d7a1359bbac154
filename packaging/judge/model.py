"""The network: the embedded MiniLM reads query and passage together; one small head a question.

The base is the encoder that the app has anyway. Either all its layers are trained (`full`), or low-rank additions to its linear layers
(`lora`, Hu et al. 2021, arXiv 2106.09685); the word embeddings stay as they are in both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from rows import NOT_SUPPORTED, QUESTIONS, UNKNOWN
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoTokenizer, BertConfig, BertModel, PreTrainedTokenizerBase

from guard_desk.models.embedded import embedded_folder

OUTPUTS = {question: 3 if question == "claim" else 1 for question in QUESTIONS}
HEAD_WIDTH = 128
DROPOUT = 0.1
RANK = 16


class LoraLinear(nn.Module):
    """A linear layer whose weight is fixed and in bfloat16, plus a trained product of two thin matrices that starts at zero.

    The product is added to the weight and not to the output: one large multiplication instead of two passes over the rows.
    """

    def __init__(self, base: nn.Linear, rank: int) -> None:
        super().__init__()
        self.base = base.requires_grad_(False).to(torch.bfloat16)
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, values: Tensor) -> Tensor:
        """The layer's output with the addition; its scale (alpha / rank) is 1."""
        weight = torch.addmm(self.base.weight, self.up.to(torch.bfloat16), self.down.to(torch.bfloat16))
        return functional.linear(values.to(torch.bfloat16), weight, self.base.bias)


class AdaptedEncoder(nn.Module):
    """The encoder in training; what reads its last layer is added by the networks made of it.

    :param adapt: "full" trains every layer of the encoder, "lora" low-rank additions.
    """

    def __init__(self, encoder: BertModel, adapt: str = "full", rank: int = RANK) -> None:
        super().__init__()
        if adapt not in ("full", "lora"):
            raise ValueError(f"adapt is {adapt!r}; allowed: full, lora")
        self.encoder = encoder
        self.adapt = adapt
        encoder.embeddings.word_embeddings.requires_grad_(False)
        # Few passes over many rows leave nothing to regularise, and random numbers are a fifth of a step on a CPU.
        for module in encoder.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
        if adapt == "lora":
            encoder.requires_grad_(False).to(torch.bfloat16)
            _replace_linears(encoder.encoder, rank)

    def hidden(self, input_ids: Tensor, token_type_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The last layer, float32 (rows, tokens, width)."""
        # The layers that LoRA leaves are in bfloat16 as they are; trained layers need autocast, and take a fifth more time.
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.adapt == "full"):
            found = self.encoder(input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask)
        return found.last_hidden_state.float()

    def trained(self) -> dict[str, Tensor]:
        """The parameters that training changes, by name: what a checkpoint and an export hold."""
        return {name: value for name, value in self.named_parameters() if value.requires_grad}

    def load_trained(self, values: Mapping[str, Tensor]) -> None:
        """Put back what `trained` gave.

        :raises ValueError: when the names are not those of this network.
        """
        own = self.trained()
        if set(own) != set(values):
            raise ValueError(f"the weights are of another network: {sorted(set(own) ^ set(values))[:4]}")
        with torch.no_grad():
            for name, value in own.items():
                value.copy_(values[name])


class JudgeNet(AdaptedEncoder):
    """Encoder, CLS and mean pooling, and a head a question."""

    def __init__(self, encoder: BertModel, adapt: str = "full", rank: int = RANK) -> None:
        super().__init__(encoder, adapt, rank)
        width = 2 * encoder.config.hidden_size
        self.heads = nn.ModuleDict({question: _head(width, size) for question, size in OUTPUTS.items()})

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, attention_mask: Tensor) -> dict[str, Tensor]:
        """Logits by question: shape (rows,) for a yes/no question, (rows, 3) for "claim"."""
        pooled = pool(self.hidden(input_ids, token_type_ids, attention_mask), attention_mask)
        return {question: head(pooled).squeeze(-1) for question, head in self.heads.items()}


def pool(hidden: Tensor, attention_mask: Tensor) -> Tensor:
    """[CLS] and the mean of all tokens, (rows, 2 * width)."""
    mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
    mean = (hidden * mask).sum(1) / mask.sum(1).clamp(min=1)
    return torch.cat([hidden[:, 0], mean], dim=1)


def _replace_linears(module: nn.Module, rank: int) -> None:
    for name, child in list(module.named_children()):
        if isinstance(child, nn.Linear):
            setattr(module, name, LoraLinear(child, rank))
        else:
            _replace_linears(child, rank)


def _head(width: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Dropout(DROPOUT), nn.Linear(width, HEAD_WIDTH), nn.GELU(), nn.Dropout(DROPOUT), nn.Linear(HEAD_WIDTH, outputs))


def load_base() -> tuple[BertModel, PreTrainedTokenizerBase]:
    """The embedded encoder and its tokenizer, files checked by hash. Eager attention trains twice as fast as SDPA on a CPU."""
    folder: Path = embedded_folder("minilm")
    encoder = BertModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False, dtype=torch.float32)
    return encoder, AutoTokenizer.from_pretrained(folder)


def tiny_base(vocabulary: int, width: int = 32) -> BertModel:
    """A small random encoder for tests."""
    config = BertConfig(vocab_size=vocabulary, hidden_size=width, num_hidden_layers=2, num_attention_heads=2, intermediate_size=2 * width)
    config._attn_implementation = "eager"
    return BertModel(config, add_pooling_layer=False)


def masked_losses(logits: Mapping[str, Tensor], labels: Tensor, smoothing: float) -> dict[str, Tensor]:
    """The mean loss of each question over the rows that answer it; questions without such a row are left out.

    :param labels: shape (rows, questions) in the order of `QUESTIONS`, UNKNOWN where nothing is known.
    :param smoothing: label smoothing, 0..1.
    """
    losses = {}
    for column, question in enumerate(QUESTIONS):
        known = labels[:, column] != UNKNOWN
        if bool(known.any()):
            chosen, truth = logits[question][known].float(), labels[known, column]
            losses[question] = _claim_loss(chosen, truth, smoothing) if question == "claim" else _yes_loss(chosen, truth, smoothing)
    return losses


def _yes_loss(logits: Tensor, truth: Tensor, smoothing: float) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits, truth.float() * (1 - smoothing) + smoothing / 2)


def _claim_loss(logits: Tensor, truth: Tensor, smoothing: float) -> Tensor:
    """Three classes; a row that is only known to be not supported pushes the mass away from support, wherever it goes."""
    per_row = functional.cross_entropy(logits, truth.clamp(max=2), label_smoothing=smoothing, reduction="none")
    away = torch.logsumexp(logits, 1) - torch.logsumexp(logits[:, 1:], 1)
    return torch.where(truth == NOT_SUPPORTED, away, per_row).mean()


def parameter_groups(network: AdaptedEncoder, decay: float) -> Iterator[dict[str, object]]:
    """Matrices with weight decay, biases and norms without."""
    values = list(network.trained().values())
    yield {"params": [value for value in values if value.ndim > 1], "weight_decay": decay}
    yield {"params": [value for value in values if value.ndim <= 1], "weight_decay": 0.0}
