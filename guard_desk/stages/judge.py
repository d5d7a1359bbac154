"""Asks a judge the four questions about every passage of the pool; answers that are stored are not asked again."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from guard_desk.errors import Cancelled, StoreError
from guard_desk.progress import RunContext
from guard_desk.protocols import AnswerStore, Judge
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Judged, Judgement, ModelInfo, Retrieved
from guard_desk.records.judging import Estimate, Spent

logger = logging.getLogger("guard_desk.pipeline")

BATCH_ITEMS = 64
BATCH_S = 0.25


def judge(retrieved: Retrieved, judge_model: Judge, store: AnswerStore | None, ctx: RunContext) -> Judged:
    """Judgements of the whole pool, in pool order.

    Finished judgements are stored batch by batch, so a cancel or a crash loses at most one batch (64 items or 250 ms).
    Each batch is handed out through `ctx.partial` as a tuple of judgements; on a cancel, what a judge with a price has taken.

    :param store: where answers are kept across runs; None keeps nothing.
    :raises Cancelled: between batches, after what was finished has been stored.
    """
    run = _Run(retrieved=retrieved, model=judge_model, store=store, ctx=ctx)
    run.recall()
    try:
        run.ask()
    except Cancelled:
        if run.asked and (taken := getattr(judge_model, "spent", None)) is not None:
            ctx.partial(taken)
        raise
    info = judge_model.info if not run.trouble else replace(judge_model.info, detail=f"{judge_model.info.detail} {run.trouble}".strip())
    # Only judges with a price have it; see `protocols.CostlyJudge`.
    spent = getattr(judge_model, "spent", None) if run.asked else None
    return Judged(judgements=run.in_pool_order(), judge=info, thresholds=judge_model.thresholds, spent=spent)


def estimate(retrieved: Retrieved, judge_model: Judge, store: AnswerStore | None) -> Estimate:
    """What `judge` would take for this pool; stored answers are not asked again. Sends nothing."""
    run = _Run(retrieved=retrieved, model=judge_model, store=store, ctx=RunContext())
    run.recall()
    waiting = [passage for position, passage in enumerate(retrieved.passages) if position not in run.done]
    asked = getattr(judge_model, "estimate", None)  # only judges with a price have it; see `protocols.CostlyJudge`
    spent: Spent | None = None if asked is None else asked(retrieved.query, waiting)
    return Estimate(passages=len(retrieved.passages), stored=len(run.done), spent=spent)


def answer_key(info: ModelInfo, material: Sequence[str]) -> str:
    """sha256 of a JSON list of the judge's name and revision and of exactly what it is sent."""
    return hashlib.sha256(json.dumps([info.name, info.revision, *material], ensure_ascii=True).encode()).hexdigest()


def pair_key(model: Judge, query: Query, passage: Passage, similarity: float) -> str:
    """The key of one pair.

    A judge that reads the encoder's similarity says to how many digits in an attribute `similarity_digits`; the rounded
    number is then part of what it is sent, so that another encoder asks anew.
    """
    material = list(model.key_material(query, passage))
    digits = getattr(model, "similarity_digits", None)
    if digits is not None:
        material.append(f"{similarity:.{digits}f}")
    return answer_key(model.info, material)


@dataclass(slots=True, kw_only=True)
class _Run:
    """One pass over the pool."""

    retrieved: Retrieved
    model: Judge
    store: AnswerStore | None
    ctx: RunContext
    done: dict[int, Judgement] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    trouble: str = ""
    asked: bool = False
    _fresh: list[int] = field(default_factory=list)
    _flushed: float = 0.0

    def recall(self) -> None:
        """Take the stored answers."""
        pool = zip(self.retrieved.passages, self.retrieved.hits, strict=True)
        self.keys = tuple(pair_key(self.model, self.retrieved.query, passage, hit.similarity) for passage, hit in pool)
        stored = self._stored()
        for position, key in enumerate(self.keys):
            if key in stored:
                passage_id = self.retrieved.passages[position].id
                self.done[position] = replace(stored[key], passage_id=passage_id, cached=True)
        self.ctx.report("judge", len(self.done), len(self.keys), unit="passages")
        if self.done:
            self.ctx.partial(tuple(self.done.values()))

    def ask(self) -> None:
        """Judge the passages that are left."""
        waiting = [position for position in range(len(self.keys)) if position not in self.done]
        self._flushed = time.monotonic()
        try:
            for position, judgement in self._answers(waiting):
                self.done[position] = replace(judgement, passage_id=self.retrieved.passages[position].id, cached=False)
                self._fresh.append(position)
                if len(self._fresh) >= BATCH_ITEMS or time.monotonic() - self._flushed >= BATCH_S:
                    self._flush()
                    self.ctx.report("judge", len(self.done), len(self.keys), unit="passages")
        finally:
            self._flush()
        self.ctx.report("judge", len(self.done), len(self.keys), unit="passages")

    def in_pool_order(self) -> tuple[Judgement, ...]:
        """One judgement a passage; those that the judge gave nothing for are "not judged"."""
        missing = "The judge stopped before it came to this passage."
        return tuple(
            self.done.get(position) or Judgement(passage_id=passage.id, answers=None, judge=self.model.info.name, error=missing)
            for position, passage in enumerate(self.retrieved.passages)
        )

    def _answers(self, positions: Sequence[int]) -> Iterator[tuple[int, Judgement]]:
        """The judge's answers by position. A judge that breaks down leaves the rest not judged, with its error."""
        passages = [self.retrieved.passages[position] for position in positions]
        similarities = [self.retrieved.hits[position].similarity for position in positions]
        answered = 0
        self.asked = bool(positions)
        try:
            for position, judgement in zip(
                positions, self.model.judge(self.retrieved.query, passages, similarities, self.ctx), strict=False
            ):
                yield position, judgement
                answered += 1
        except Exception as exc:
            logger.exception("The judge %s failed after %d of %d passages", self.model.info.name, answered, len(positions))
            error = f"The judge failed: {type(exc).__name__}: {exc}"
            for position in positions[answered:]:
                yield position, Judgement(passage_id="", answers=None, judge=self.model.info.name, error=error)

    def _stored(self) -> dict[str, Judgement]:
        if self.store is None or not self.keys:
            return {}
        try:
            return self.store.get(self.keys)
        except StoreError as exc:
            self._note(exc)
            return {}

    def _flush(self) -> None:
        """Store and hand out what was finished since the last time."""
        fresh, self._fresh = self._fresh, []
        self._flushed = time.monotonic()
        if not fresh:
            return
        if self.store is not None:
            try:
                self.store.put([(self.keys[position], self.done[position]) for position in fresh])
            except StoreError as exc:
                self._note(exc)
        self.ctx.partial(tuple(self.done[position] for position in fresh))

    def _note(self, problem: StoreError) -> None:
        """A store that cannot be used costs the next run its time, not this run its answers."""
        if not self.trouble:
            logger.warning("Answers are not stored: %s", problem)
            self.trouble = f"Answers are not stored: {problem}"
