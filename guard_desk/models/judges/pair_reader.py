"""Reads pairs with the judge's network: what each head says of each window, and which window says it most clearly."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from guard_desk.errors import ModelError
from guard_desk.models.judges.judge_windows import JudgeWindow, WindowCutter, is_readable, order_is_readable, readable
from guard_desk.models.judges.network import JudgeNetwork
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Span

# Rows of one pass through the network, so that a cancel is noticed soon; the pace of the machine sets it between these.
FEWEST_ROWS, MOST_ROWS = 16, 256
PASS_S = 0.2
KEPT_PASSAGES = 4096
LIMIT = 8.0


@dataclass(frozen=True, slots=True)
class Best:
    """The clearest window of a head: its logit, within +-8, and its place in the passage."""

    logit: float
    span: Span

    @property
    def probability(self) -> float:
        """What the head says before it is weighed with the other votes."""
        return 1.0 / (1.0 + math.exp(-self.logit))


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadReading:
    """What the network says of a pair. None where it cannot read the script, for injections also where the passage is not English.

    :param windows: windows of the passage that were read with the query; `alone`: without it.
    :param query_cut: whether the end of the query did not fit.
    """

    relevant: Best | None
    evidence: Best | None
    contradicts: Best | None
    injection: Best | None
    windows: int = 0
    alone: int = 0
    query_cut: bool = False


class PairReader:
    """Gives readings of passages for a query. Readings of injections are kept, since they do not hang on the query."""

    def __init__(self, network: JudgeNetwork) -> None:
        self.network = network
        self._cutter: WindowCutter | None = None
        self._kept: OrderedDict[tuple[str | None, str], tuple[Best, int]] = OrderedDict()
        self._rows = FEWEST_ROWS
        self._lock = threading.RLock()

    @property
    def cutter(self) -> WindowCutter:
        """Makes the network's rows."""
        with self._lock:
            if self._cutter is None:
                self._cutter = WindowCutter(self.network.tokenizer, self.network.description.longest)
            return self._cutter

    def read(self, query: str, passages: Sequence[Passage], ctx: RunContext) -> list[HeadReading]:
        """One reading a passage.

        :raises Cancelled: between passes through the network.
        :raises ModelError: when the network fails.
        """
        return self.read_pairs([query] * len(passages), passages, ctx)

    def read_pairs(self, queries: Sequence[str], passages: Sequence[Passage], ctx: RunContext) -> list[HeadReading]:
        """One reading for each query and the passage beside it."""
        injections = self._injections(passages, ctx)
        cut = [
            self.cutter.pairs(query, passage.title, passage.text) if readable(query) and is_readable(passage) else []
            for query, passage in zip(queries, passages, strict=True)
        ]
        logits = self.logits([window for windows in cut for window in windows], ctx)
        found, start = [], 0
        for query, windows, injection in zip(queries, cut, injections, strict=True):
            part = slice(start, start + len(windows))
            start += len(windows)
            heads = {name: best(windows, logits[name][part]) for name in ("relevant", "evidence", "contradicts")}
            kept, alone = injection if injection is not None else (None, 0)
            shortened = bool(windows) and self.cutter.query_is_cut(query)
            found.append(HeadReading(**heads, injection=kept, windows=len(windows), alone=alone, query_cut=shortened))
        return found

    def logits(self, windows: Sequence[JudgeWindow], ctx: RunContext) -> dict[str, Any]:
        """Logits by question of all windows, those of like length together. :raises Cancelled: between passes."""
        order = sorted(range(len(windows)), key=lambda position: len(windows[position].row.ids))
        sizes = self.network.description.outputs
        found = {name: np.zeros((len(windows), size) if size > 1 else len(windows), dtype=np.float32) for name, size in sizes.items()}
        start = 0
        while start < len(order):
            ctx.check()
            chosen = order[start : start + self._rows]
            start += len(chosen)
            began = time.perf_counter()
            for name, values in self.network.logits([windows[position].row for position in chosen]).items():
                found[name][chosen] = values
            self._pace(len(chosen), time.perf_counter() - began)
        return found

    def _pace(self, rows: int, seconds: float) -> None:
        """As many rows in the next pass as take `PASS_S`, at most twice as many as before."""
        fitting = int(rows * PASS_S / max(seconds, 1e-4))
        self._rows = max(FEWEST_ROWS, min(MOST_ROWS, 2 * self._rows, fitting))

    def _injections(self, passages: Sequence[Passage], ctx: RunContext) -> list[tuple[Best, int] | None]:
        keys = [(passage.title, passage.text) if order_is_readable(passage) else None for passage in passages]
        known: dict[tuple[str | None, str], tuple[Best, int]] = {}
        with self._lock:
            known = {key: self._kept[key] for key in keys if key is not None and key in self._kept}
        missing = list(dict.fromkeys(key for key in keys if key is not None and key not in known))
        cut = [self.cutter.alone(*key) for key in missing]
        logits = self.logits([window for windows in cut for window in windows], ctx)["injection"]
        start = 0
        for key, windows in zip(missing, cut, strict=True):
            found = best(windows, logits[start : start + len(windows)])
            start += len(windows)
            if found is None:
                raise ModelError("A passage gave no window.")
            known[key] = (found, len(windows))
        self._keep(known)
        return [None if key is None else known[key] for key in keys]

    def _keep(self, known: dict[tuple[str | None, str], tuple[Best, int]]) -> None:
        with self._lock:
            for key, value in known.items():
                self._kept[key] = value
                self._kept.move_to_end(key)
            while len(self._kept) > KEPT_PASSAGES:
                self._kept.popitem(last=False)


def best(windows: Sequence[JudgeWindow], logits: Any) -> Best | None:
    """The window with the highest logit, the first one where two are equal; None without windows."""
    if not windows:
        return None
    place = int(np.argmax(logits))
    return Best(float(np.clip(logits[place], -LIMIT, LIMIT)), windows[place].span)
