"""Made-up runs of any size, for benches: real policy stages over random answers. Never shown as a result."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from guard_desk.pipeline import decide
from guard_desk.policy import Policy, Strategy, Thresholds
from guard_desk.protocols import TokenCounter
from guard_desk.records.answer import Action, AnswerState, Counts, Generated, Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import Group, Grouped
from guard_desk.records.evidence import (
    Answers,
    Extracted,
    Filtered,
    Hit,
    Judged,
    Judgement,
    ModelInfo,
    Retrieved,
    TextFacts,
    frozen_array,
)
from guard_desk.records.trace import Trace
from guard_desk.stages.attribute import attribute
from guard_desk.version import __version__

_MODEL = ModelInfo(name="synthetic", revision="1", detail="Random answers, for measuring speed.")
_EMPTY = TextFacts(languages=("en",), sentences=(), values=(), cues=(), facts=())


def synthetic_passages(count: int) -> tuple[Passage, ...]:
    """Short passages with ids, titles and sources."""
    return tuple(
        Passage(
            id=f"s{n:06d}",
            title=f"Section {n % 97}: part {n}",
            text=f"Reading {n} of the meter in hall {n % 17} is {n * 7 % 1000} litres.",
            source=f"manual-{n % 31}.md:{n}",
            date=f"2026-{n % 9 + 1:02d}",
        )
        for n in range(count)
    )


def synthetic_trace(count: int, counter: TokenCounter, *, seed: int = 0) -> Trace:
    """A run with a pool of `count` passages, each a group of its own, with random answers.

    :param seed: the same seed gives the same run.
    """
    rng = np.random.default_rng(seed)
    passages, query, policy = synthetic_passages(count), Query(text="What is the reading?"), Policy()
    similarities = np.sort(rng.random(count))[::-1].tolist()
    # Allocated but never touched: ten thousand passages would need 400 MB of real similarities.
    pairs = frozen_array(np.zeros((count, count), dtype=np.float32))
    retrieved = Retrieved(
        query=query,
        hits=tuple(
            Hit(passage_id=p.id, rank=i, score=s, similarity=s) for i, (p, s) in enumerate(zip(passages, similarities, strict=True), 1)
        ),
        passages=passages,
        pair_similarity=pairs,
        encoder=_MODEL,
        considered=count,
    )
    rows = rng.beta(0.6, 0.6, (count, 4)).tolist()
    judgements = tuple(
        Judgement(passage_id=p.id, answers=Answers(relevant=r, evidence=e, contradicts=c * 0.75, injection=i * 0.72), judge="synthetic")
        for p, (r, e, c, i) in zip(passages, rows, strict=True)
    )
    judged = Judged(judgements=judgements, judge=_MODEL, thresholds=Thresholds())
    extracted = Extracted(texts=(_EMPTY,) * count, titles=(None,) * count, query=_EMPTY, analyzer=_MODEL)
    groups = tuple(Group(id=p.id, members=(p.id,), member_sources=(p.source or "",)) for p in passages)
    grouped = Grouped(groups=groups, refusals=(), dropped=(), strategy=Strategy.SIEVE_MMR)
    today = datetime.now(UTC)
    decided = decide(retrieved, judged, extracted, policy, counter, today=today.date().isoformat(), grouped=grouped)
    verified = Verified(action=Action.PROCEED, spans=(), claims=(), counts=Counts(), state=AnswerState.EMPTY)
    return Trace(
        query=query,
        policy=policy,
        corpus_path=None,
        corpus_digest="",
        filtered=Filtered(kept=frozen_array(np.arange(count, dtype=np.int64)), total=count),
        retrieved=retrieved,
        judged=judged,
        extracted=extracted,
        grouped=grouped,
        routed=decided.routed,
        thinned=decided.thinned,
        prompt=decided.prompt,
        generated=Generated(text=None, generator=_MODEL),
        verified=verified,
        attributed=attribute(verified, decided.prompt),
        models=(_MODEL,),
        timings=(),
        created=today.isoformat(timespec="seconds"),
        version=__version__,
    )
