"""Answer rows as token numbers, cut by the product's own code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from answer_model import MOST_TOKENS
from answer_rows import AnswerRow
from torch import Tensor

from guard_desk.models.answers.edges import Edges
from guard_desk.models.judges.judge_windows import PlacedWindow, WindowCutter

STEP = 8


@dataclass(frozen=True, slots=True)
class EncodedAnswer:
    """A window for the network. `second` is where title and passage begin, `text` the passage; `spans` are right (first, last) tokens."""

    ids: npt.NDArray[np.int32]
    second: int
    text: int
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class AnswerBatch:
    """Padded windows: (rows, tokens), `gold` (rows, tokens, tokens)."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    first: Tensor
    last: Tensor
    gold: Tensor


class AnswerEncoder:
    """Makes and pads windows.

    :param tokenizer: of the library `tokenizers`.
    :param longest: most tokens of a window.
    """

    def __init__(self, tokenizer: Any, longest: int) -> None:
        self.cutter = WindowCutter(tokenizer, longest)
        self.edges = Edges(tokenizer)

    def encode(self, rows: Sequence[AnswerRow]) -> list[EncodedAnswer]:
        """One window a row: the first that holds an answer, or the first of all where nothing answers; rows whose answer fits no window
        are left out."""
        found = []
        for row in rows:
            windows = self.cutter.placed(row.question, row.title, row.passage)
            made = [self._encoded(window, row.answers) for window in windows]
            kept = next((item for item in made if item.spans), None) if row.answers else made[0]
            if kept is not None:
                found.append(kept)
        return found

    def _encoded(self, placed: PlacedWindow, answers: Sequence[tuple[int, int]]) -> EncodedAnswer:
        row, first = placed.window.row, placed.first
        spans = set()
        for start, end in answers:
            inside = [at for at, (begin, stop) in enumerate(placed.offsets) if begin < end and stop > start]
            if inside and placed.offsets[inside[0]][0] <= start and placed.offsets[inside[-1]][1] >= end:
                span = self.edges.widened(row.ids, first + inside[0], first + inside[-1])
                if span[1] - span[0] < MOST_TOKENS:
                    spans.add(span)
        return EncodedAnswer(np.asarray(row.ids, dtype=np.int32), row.second, first, tuple(sorted(spans)))

    def collate(self, rows: Sequence[EncodedAnswer]) -> AnswerBatch:
        """Pad to the longest window, and on to a multiple of `STEP`."""
        width = -(-max(len(row.ids) for row in rows) // STEP) * STEP
        ids, types, mask = (torch.zeros(len(rows), width, dtype=torch.long) for _ in range(3))
        first, last = (torch.zeros(len(rows), width, dtype=torch.bool) for _ in range(2))
        gold = torch.zeros(len(rows), width, width, dtype=torch.bool)
        for index, row in enumerate(rows):
            length = len(row.ids)
            ids[index, :length] = torch.from_numpy(row.ids.astype(np.int64))
            types[index, row.second : length] = 1
            mask[index, :length] = 1
            begins, ends = self.edges.masks(row.ids, row.text)
            first[index, :length], last[index, :length] = torch.from_numpy(begins), torch.from_numpy(ends)
            for start, end in row.spans:
                gold[index, start, end] = True
        return AnswerBatch(ids, types, mask, first, last, gold)
