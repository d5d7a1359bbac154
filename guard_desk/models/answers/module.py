"""The torch side of the answer finder: the shared encoder, and a head that scores every short run of words. Imports torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from guard_desk.models.judges.network_module import EncoderModule, Weights, named_linear, pool

_IMPOSSIBLE = -1e4


class AnswerModule(EncoderModule):
    """Encoder and span head; the same sums as `packaging/judge/answer_model.py` trains.

    :param config: the base's `config.json`.
    :param state: as `merged` gives it.
    """

    def __init__(self, config: Mapping[str, Any], state: Weights) -> None:
        super().__init__(config, state)
        parts = {name: named_linear(state, name) for name in ("edges", "firsts", "lasts")}
        self.head = nn.ModuleDict({**parts, "null": nn.Sequential(named_linear(state, "null.0"), nn.GELU(), named_linear(state, "null.2"))})
        self.lengths = nn.Parameter(state["lengths"], requires_grad=False)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor, first: Tensor, last: Tensor, most: int) -> tuple[Tensor, Tensor, Tensor]:
        """The best spans of each row.

        :param first, last: bool (rows, tokens), the tokens that may begin and end a span.
        :param most: spans a row.
        :returns: logits (rows, most), best first; their places (rows, most) as first token * tokens + last token; logits of "no answer"
            (rows,).
        """
        hidden = self.hidden(ids, types, mask)
        edges = self.head["edges"](hidden)
        firsts, lasts = self.head["firsts"](hidden), self.head["lasts"](hidden)
        pairs = firsts @ lasts.transpose(1, 2) / firsts.shape[2] ** 0.5
        scores = edges[:, :, None, 0] + edges[:, None, :, 1] + pairs
        places = torch.arange(ids.shape[1], device=ids.device)
        length = places[None, :] - places[:, None]
        longest = self.lengths.shape[0]
        scores = scores + self.lengths[length.clamp(0, longest - 1)]
        allowed = first[:, :, None] & last[:, None, :] & ((length >= 0) & (length < longest))
        flat = scores.masked_fill(~allowed, _IMPOSSIBLE).flatten(1)
        best = flat.topk(min(most, flat.shape[1]), dim=1)
        return best.values, best.indices, self.head["null"](pool(hidden, mask)).squeeze(-1)


def build_answer_module(config: Mapping[str, Any], state: Weights, device: str, precision: str) -> AnswerModule:
    """The module, ready to answer. The head stays in float32: it is small, and its numbers are what is calibrated."""
    module = AnswerModule(config, state).eval()
    if precision == "bfloat16":
        module = module.to(torch.bfloat16)
        module.head.float()
        module.lengths.data = state["lengths"]
    placed: AnswerModule = module.to(device)
    return placed
