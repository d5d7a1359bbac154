"""Rows as token numbers, and the order in which they are trained on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from rows import QUESTIONS, Row
from torch import Tensor
from transformers import PreTrainedTokenizerBase

# Batches of one pool have rows of like length, so that little is padded; which rows meet in a pool is random.
POOL = 40
STEP = 8


@dataclass(frozen=True, slots=True)
class Encoded:
    """A row for the network. `second` is where the passage begins in `ids`; `labels` follow `QUESTIONS`."""

    ids: npt.NDArray[np.int32]
    second: int
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded rows. All tensors have the shape (rows, tokens), `labels` (rows, questions)."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    labels: Tensor


def encode(rows: Sequence[Row], tokenizer: PreTrainedTokenizerBase, longest: int) -> list[Encoded]:
    """[CLS] query [SEP] title. passage [SEP], or without a query [CLS] title. passage [SEP]; the longer part is cut first."""
    found = []
    for start in range(0, len(rows), 4096):
        part = rows[start : start + 4096]
        paired = [row for row in part if row.query]
        alone = [row for row in part if not row.query]
        pairs = _tokens([row.query for row in paired], [row.shown for row in paired], tokenizer, longest)
        singles = _tokens([row.shown for row in alone], None, tokenizer, longest)
        queues = {True: iter(pairs), False: iter(singles)}
        for row in part:
            ids, second = next(queues[bool(row.query)])
            found.append(Encoded(ids, second, tuple(row.label(question) for question in QUESTIONS)))
    return found


def _tokens(
    first: list[str], second: list[str] | None, tokenizer: PreTrainedTokenizerBase, longest: int
) -> list[tuple[npt.NDArray[np.int32], int]]:
    if not first:
        return []
    coded = tokenizer(first, second, truncation="longest_first", max_length=longest)
    return [
        (np.asarray(ids, dtype=np.int32), types.index(1) if 1 in types else len(ids))
        for ids, types in zip(coded["input_ids"], coded["token_type_ids"], strict=True)
    ]


def collate(rows: Sequence[Encoded]) -> Batch:
    """Pad to the longest row, and on to a multiple of `STEP`: torch prepares and keeps a kernel for each shape that it meets."""
    width = -(-max(len(row.ids) for row in rows) // STEP) * STEP
    ids, types, mask = (torch.zeros(len(rows), width, dtype=torch.long) for _ in range(3))
    for index, row in enumerate(rows):
        length = len(row.ids)
        ids[index, :length] = torch.from_numpy(row.ids.astype(np.int64))
        types[index, row.second : length] = 1
        mask[index, :length] = 1
    return Batch(ids, types, mask, torch.tensor([row.labels for row in rows]))


def epoch_order(lengths: Sequence[int], size: int, seed: int, epoch: int) -> list[list[int]]:
    """The batches of an epoch as row positions: each row once, the same for the same seed and epoch, rows of like length together."""
    rng = random.Random(f"{seed} epoch {epoch}")
    order = list(range(len(lengths)))
    rng.shuffle(order)
    batches = []
    for start in range(0, len(order), size * POOL):
        pool = sorted(order[start : start + size * POOL], key=lambda row: lengths[row])
        cut = [pool[at : at + size] for at in range(0, len(pool), size)]
        rng.shuffle(cut)
        batches += cut
    return batches
