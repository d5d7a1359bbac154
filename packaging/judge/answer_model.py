"""The network of the answer finder: the embedded MiniLM reads question and passage together; every short run of words gets a score.

The score of a span is that of its first token, of its last one, of the two together and of its length; "no answer" has a score of its
own. All spans of a row and "no answer" share one softmax, so that a span's probability can be read directly (the joint objective of
Fajcik et al. 2021, arXiv 2008.12804).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from model import DROPOUT, AdaptedEncoder, pool
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import BertModel

MOST_TOKENS = 30
PAIR_WIDTH = 64
NULL_WIDTH = 64
RANK = 64
_IMPOSSIBLE = -1e4


class AnswerNet(AdaptedEncoder):
    """Encoder and the span head. Its parts' names are those that `guard_desk.models.answers.module` reads."""

    def __init__(self, encoder: BertModel, adapt: str = "lora", rank: int = RANK) -> None:
        super().__init__(encoder, adapt, rank)
        width = encoder.config.hidden_size
        self.drop = nn.Dropout(DROPOUT)
        self.edges = nn.Linear(width, 2)
        self.firsts, self.lasts = nn.Linear(width, PAIR_WIDTH), nn.Linear(width, PAIR_WIDTH)
        self.lengths = nn.Parameter(torch.zeros(MOST_TOKENS))
        self.null = nn.Sequential(nn.Linear(2 * width, NULL_WIDTH), nn.GELU(), nn.Linear(NULL_WIDTH, 1))

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor, first: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of spans (rows, tokens, tokens), first token by last token, and of "no answer" (rows,).

        :param first, last: bool (rows, tokens), the tokens that may begin and end a span.
        """
        hidden = self.drop(self.hidden(ids, types, mask))
        edges = self.edges(hidden)
        pairs = self.firsts(hidden) @ self.lasts(hidden).transpose(1, 2) / PAIR_WIDTH**0.5
        scores = edges[:, :, None, 0] + edges[:, None, :, 1] + pairs
        places = torch.arange(ids.shape[1])
        length = places[None, :] - places[:, None]
        fits = (length >= 0) & (length < MOST_TOKENS)
        scores = scores + self.lengths[length.clamp(0, MOST_TOKENS - 1)]
        allowed = first[:, :, None] & last[:, None, :] & fits
        return scores.masked_fill(~allowed, _IMPOSSIBLE), self.null(pool(hidden, mask)).squeeze(-1)

    def start_from(self, weights: Path) -> None:
        """Take the additions of the judge as the first ranks of one's own.

        :raises ValueError: when they do not fit.
        """
        given: Mapping[str, Tensor] = load_file(weights)
        own = self.trained()
        with torch.no_grad():
            for name, value in own.items():
                if name.endswith((".down", ".up")):
                    if name not in given:
                        raise ValueError(f"{weights} has no {name}")
                    rank = min(given[name].shape)
                    target = value[:rank] if name.endswith(".down") else value[:, :rank]
                    target.copy_(given[name].float())


def span_losses(spans: Tensor, null: Tensor, gold: Tensor) -> Tensor:
    """Minus the log probability of any right span, or of "no answer" where there is none; (rows,).

    :param gold: bool like `spans`.
    """
    flat = spans.flatten(1)
    total = torch.logsumexp(torch.cat([flat, null[:, None]], dim=1), dim=1)
    right = torch.logsumexp(flat.masked_fill(~gold.flatten(1), 2 * _IMPOSSIBLE), dim=1)
    return total - torch.where(gold.flatten(1).any(1), right, null)
