"""The torch side of the trained networks: a BERT encoder written out; for the judge CLS and mean pooling, and heads. Imports torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

Weights = Mapping[str, Tensor]
_MASKED = -1e4


def merged(base: Weights, trained: Weights) -> dict[str, Tensor]:
    """The base's encoder with the trained parts in float32.

    A linear layer with additions becomes `weight + up @ down`; layers that were trained whole replace the base's; heads stand beside.

    :param base: a BERT as sentence-transformers stores it.
    :param trained: as `packaging/judge` stores it: "encoder....down", "....up", "encoder....", and others for the heads.
    :raises KeyError: when an addition belongs to no layer of the base.
    """
    state = {f"encoder.{name}": value.float() for name, value in base.items() if not name.startswith("pooler.")}
    for name, value in trained.items():
        if name.endswith(".down"):
            target = name.removesuffix("down")
            state[f"{target}weight"] = state[f"{target}weight"] + trained[f"{target}up"].float() @ value.float()
        elif not name.endswith(".up"):
            if name.startswith("encoder.") and name not in state:
                raise KeyError(f"{name} is no part of the base")
            state[name] = value.float()
    return state


class Layer(nn.Module):  # type: ignore[misc] # torch is not read by mypy
    """One transformer layer of BERT (post-norm), its three input products done as one."""

    def __init__(self, state: Weights, prefix: str, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads, self.epsilon = heads, epsilon
        names = [f"{prefix}attention.self.{name}" for name in ("query", "key", "value")]
        self.inputs = _linear(*(torch.cat([state[f"{name}.{part}"] for name in names]) for part in ("weight", "bias")))
        self.joined = named_linear(state, f"{prefix}attention.output.dense")
        self.up, self.down = named_linear(state, f"{prefix}intermediate.dense"), named_linear(state, f"{prefix}output.dense")
        self.first = _norm(state, f"{prefix}attention.output.LayerNorm", epsilon)
        self.second = _norm(state, f"{prefix}output.LayerNorm", epsilon)

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        """Values of the shape (rows, tokens, width)."""
        rows, tokens, width = values.shape
        parts = self.inputs(values).view(rows, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=mask)
        values = self.first(values + self.joined(attended.transpose(1, 2).reshape(rows, tokens, width)))
        return self.second(values + self.down(functional.gelu(self.up(values))))


class EncoderModule(nn.Module):  # type: ignore[misc]
    """The encoder alone; networks add what reads its last layer.

    :param config: the base's `config.json`.
    :param state: as `merged` gives it.
    """

    def __init__(self, config: Mapping[str, Any], state: Weights) -> None:
        super().__init__()
        part = "encoder.embeddings."
        self.words = nn.Parameter(state[f"{part}word_embeddings.weight"], requires_grad=False)
        self.places = nn.Parameter(state[f"{part}position_embeddings.weight"], requires_grad=False)
        self.types = nn.Parameter(state[f"{part}token_type_embeddings.weight"], requires_grad=False)
        self.norm = _norm(state, f"{part}LayerNorm", config["layer_norm_eps"])
        count, heads = config["num_hidden_layers"], config["num_attention_heads"]
        self.layers = nn.ModuleList(
            Layer(state, f"encoder.encoder.layer.{number}.", heads, config["layer_norm_eps"]) for number in range(count)
        )

    def hidden(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """The last layer, float32 (rows, tokens, width)."""
        values = functional.embedding(ids, self.words) + self.places[: ids.shape[1]] + functional.embedding(types, self.types)
        values = self.norm(values)
        bias = ((1 - mask)[:, None, None, :] * _MASKED).to(values.dtype)
        for layer in self.layers:
            values = layer(values, bias)
        return values.float()


class JudgeModule(EncoderModule):
    """Encoder, pooling and heads."""

    def __init__(self, config: Mapping[str, Any], state: Weights, outputs: Mapping[str, int], head_width: int) -> None:
        super().__init__(config, state)
        self.heads = nn.ModuleDict({name: _head(state, f"heads.{name}.", size, head_width) for name, size in outputs.items()})

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> dict[str, Tensor]:
        """Logits of each head, shape (rows, outputs), in float32."""
        pooled = pool(self.hidden(ids, types, mask), mask)
        return {name: head(pooled) for name, head in self.heads.items()}


def pool(values: Tensor, mask: Tensor) -> Tensor:
    """[CLS] and the mean of all tokens, (rows, 2 * width)."""
    kept = mask.unsqueeze(-1).to(values.dtype)
    return torch.cat([values[:, 0], (values * kept).sum(1) / kept.sum(1).clamp(min=1)], dim=1)


def build_module(
    config: Mapping[str, Any], state: Weights, outputs: Mapping[str, int], head_width: int, device: str, precision: str
) -> JudgeModule:
    """The module, ready to answer. Heads stay in float32: they are small, and their numbers are what is calibrated."""
    module = JudgeModule(config, state, outputs, head_width).eval()
    if precision == "bfloat16":
        module = module.to(torch.bfloat16)
        module.heads.float()
    placed: JudgeModule = module.to(device)
    return placed


def named_linear(state: Weights, name: str) -> nn.Linear:
    """The linear layer of that name."""
    return _linear(state[f"{name}.weight"], state[f"{name}.bias"])


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0])
    made.weight, made.bias = nn.Parameter(weight, requires_grad=False), nn.Parameter(bias, requires_grad=False)
    return made


def _norm(state: Weights, name: str, epsilon: float) -> nn.LayerNorm:
    made = nn.LayerNorm(state[f"{name}.weight"].shape[0], eps=epsilon)
    made.weight, made.bias = (nn.Parameter(state[f"{name}.{part}"], requires_grad=False) for part in ("weight", "bias"))
    return made


def _head(state: Weights, prefix: str, size: int, width: int) -> nn.Sequential:
    """The two products of a head; the numbers in the names are places in the trained head, which has dropout between them."""
    first, second = (named_linear(state, f"{prefix}{place}") for place in (1, 4))
    if first.out_features != width or second.out_features != size:
        raise ValueError(f"{prefix} has the sizes {first.out_features} and {second.out_features}; described are {width} and {size}")
    return nn.Sequential(first, nn.GELU(), second)
