"""Marks the words of passages that answer a question, by the trained network; `resources/answers/CARD.md` says what it is worth."""

from __future__ import annotations

import hashlib
import threading
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence

from guard_desk.models.answers.network import AnswerNetwork
from guard_desk.models.answers.scoring import Marked, joined, window_marks
from guard_desk.models.judges import judge_windows
from guard_desk.models.judges.judge_windows import PlacedWindow, WindowCutter, readable
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.evidence import AnswerSpan, ModelInfo

NAME = "answers"
# Part of the revision: change it when the same logits would give other spans.
VERSION = "a1"
STAGE = "answers"
# Windows of one pass through the network, so that a cancel is noticed soon; the pace of the machine sets it between these.
FEWEST_WINDOWS, MOST_WINDOWS = 4, 256
PASS_S = 0.2
KEPT = 8192

_Key = tuple[str, str | None, str]


class EmbeddedFinder:
    """Finds answers. What was found for a question and a text is kept in memory, so that the same run again is free.

    :param network: with its calibration.
    """

    def __init__(self, network: AnswerNetwork) -> None:
        self._network = network
        self._cutter: WindowCutter | None = None
        self._kept: OrderedDict[_Key, tuple[Marked, ...]] = OrderedDict()
        self._windows = FEWEST_WINDOWS
        self._lock = threading.RLock()
        self._info = ModelInfo(
            name=NAME,
            revision=revision_of(network),
            weights=network.description.weights,
            device=network.device,
            detail=f"A small trained network marks the words that answer. {network.choice}",
        )

    @property
    def info(self) -> ModelInfo:
        """The revision is a hash of weights, calibration, code version and precision."""
        return self._info

    def find(self, questions: Sequence[str], passages: Sequence[Passage], ctx: RunContext) -> tuple[tuple[AnswerSpan, ...], ...]:
        """The best few spans of each passage's text for each question, aligned with `passages`, the most probable first.

        Nothing is marked where question or passage is in a script that the network does not read.

        :raises Cancelled: between batches; what was found so far is kept.
        :raises ModelError: when the network fails.
        """
        with self._lock:
            found = self._marks([(question, passage.title, passage.text) for passage in passages for question in questions], ctx)
        answers = []
        for at in range(len(passages)):
            marks = found[at * len(questions) : (at + 1) * len(questions)]
            spans = [AnswerSpan(span=mark.span, score=mark.score, part=part) for part, some in enumerate(marks) for mark in some]
            answers.append(tuple(sorted(spans, key=lambda span: (-span.score, span.part, span.span.start))))
        return tuple(answers)

    def _marks(self, keys: Sequence[_Key], ctx: RunContext) -> list[tuple[Marked, ...]]:
        wanted = dict.fromkeys(key for key in keys if readable(key[0]) and readable(key[2]))
        known = {key: self._kept[key] for key in wanted if key in self._kept}
        missing = [key for key in wanted if key not in known]
        while missing:
            ctx.report(STAGE, len(known), len(wanted), unit="passages")
            part, missing = missing[: self._windows], missing[self._windows :]
            known |= zip(part, self._read(part, ctx), strict=True)
            self._keep({key: known[key] for key in part})
        self._keep(known)
        ctx.report(STAGE, len(known), len(wanted), unit="passages")
        return [known.get(key, ()) for key in keys]

    def _read(self, keys: Sequence[_Key], ctx: RunContext) -> list[tuple[Marked, ...]]:
        """The marks of some texts. A long text has many windows: they go through the network in several passes."""
        cut = [self._cut(key) for key in keys]
        windows = [window for some in cut for window in some]
        marks: list[list[Marked]] = []
        while len(marks) < len(windows):
            ctx.check()
            chosen = windows[len(marks) : len(marks) + self._windows]
            began = time.perf_counter()
            given = self._network.spans(chosen)
            self._pace(len(chosen), time.perf_counter() - began)
            described = self._network.description
            marks += [window_marks(spans, described.temperature, described.null) for spans in given]
        found, start = [], 0
        for key, some in zip(keys, cut, strict=True):
            best = joined(marks[start : start + len(some)])
            found.append(tuple(Marked(_whole(key[2], mark.span), mark.score) for mark in best))
            start += len(some)
        return found

    def _cut(self, key: _Key) -> list[PlacedWindow]:
        if self._cutter is None:
            self._cutter = WindowCutter(self._network.tokenizer, self._network.description.longest)
        return [window for window in self._cutter.placed(*key) if window.offsets]

    def _pace(self, windows: int, seconds: float) -> None:
        """As many windows in the next pass as take `PASS_S`, at most twice as many as before."""
        fitting = int(windows * PASS_S / max(seconds, 1e-4))
        self._windows = max(FEWEST_WINDOWS, min(MOST_WINDOWS, 2 * self._windows, fitting))

    def _keep(self, known: dict[_Key, tuple[Marked, ...]]) -> None:
        for key, value in known.items():
            self._kept[key] = value
            self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _whole(text: str, span: Span) -> Span:
    """The span with the marks that belong to its last character: the tokenizer drops accents and leaves them outside."""
    end = span.end
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return Span(span.start, end)


def revision_of(network: AnswerNetwork) -> str:
    """Changes whenever the same input could give another answer."""
    described = network.description
    parts = (described.weights, f"{described.temperature} {described.null}", VERSION, judge_windows.VERSION)
    return f"{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:16]}-{network.precision}"
