"""A small trace made by hand: four passages, one of each fate, and an answer with two findings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from guard_desk.policy import Policy, Strategy, Thresholds
from guard_desk.records.answer import (
    Action,
    Attributed,
    Claim,
    ClaimState,
    Counts,
    EvidenceSpan,
    Finding,
    Generated,
    Kind,
    Label,
    Severity,
    Verified,
)
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.decision import (
    Block,
    Candidate,
    Drop,
    Group,
    Grouped,
    Guard,
    LineScore,
    MergeVerdict,
    Place,
    Placement,
    Prompt,
    Refusal,
    Routed,
    Stance,
    Thinned,
)
from guard_desk.records.evidence import Answers, Extracted, Filtered, TextFacts, frozen_array
from guard_desk.records.trace import Timing, Trace
from tests.builders import MODEL, judged, retrieved

ANSWER = "Backups are kept for 90 days 😀, as <b>everyone</b> knows."
POOL = (
    Passage(id="keep", text="Backups are kept for 7 days.\u202e", title="Backups", source="guide.md:3", version="2"),
    Passage(id="copy", text="Backups are kept for seven days."),
    Passage(id="deny", text="=HYPERLINK(\"http://x\")<script>alert('x')</script>", source="-forum"),
    Passage(id="lost", text="half \ud83d emoji\0" + "x" * 40_000),
)
FACTS = TextFacts(languages=("en",), sentences=(), values=(), cues=(), facts=())


def finding(words: str, kind: Kind, severity: Severity, label: Label) -> Finding:
    start = ANSWER.index(words)
    evidence = (EvidenceSpan(passage_id="keep", start=21, end=27, text="7 days"),)
    return Finding(
        start=start,
        end=start + len(words),
        text=words,
        kind=kind,
        label=label,
        severity=severity,
        confidence=0.9,
        evidence=evidence,
        note="passages say 7 \u202edays",
    )


def routed() -> Routed:
    groups = (
        Group(id="keep", members=("keep", "copy"), member_sources=("guide.md:3", "")),
        Group(id="deny", members=("deny",), member_sources=("-forum",)),
        Group(id="lost", members=("lost",), member_sources=("",)),
    )
    return Routed(
        passage_ids=tuple(p.id for p in POOL),
        routes=np.array([0, 0, 2, 2], dtype=np.int8),
        rules=np.array([3, 3, 0, 5], dtype=np.int8),
        values=np.array([0.9, 0.8, 0.95, np.nan]),
        limits=np.array([0.55, 0.55, 0.7, np.nan]),
        groups=groups,
        thresholds=Thresholds(),
    )


def prompt() -> Prompt:
    block = Block(
        passage_id="keep", place=Place.EVIDENCE, text="x", span=Span(0, 1), tokens=9, member_ids=("keep", "copy"), sources=("guide.md:3",)
    )
    places = (
        Placement(passage_id="keep", place=Place.EVIDENCE, tokens=9),
        Placement(passage_id="copy", place=Place.MERGED, into="keep", detail="says the same as keep"),
        Placement(passage_id="deny", place=Place.EXCLUDED, rule="injection", detail="injection 0.95 > 0.70"),
        Placement(passage_id="lost", place=Place.NOT_JUDGED, detail="broken"),
    )
    return Prompt(
        text="Evidence\n[keep] Backups",
        blocks=(block,),
        places=places,
        tokens=40,
        passage_tokens=9,
        budget_tokens=3000,
        encoding="o200k_base",
    )


def thinned() -> Thinned:
    line = LineScore(
        passage_id="keep", stance=Stance.STATES, span=Span(21, 27), reliability=0.3, recency=0.5, contribution=0.15, voice=1, note="undated"
    )
    return Thinned(
        candidates=(Candidate(value="7 days", canonical="604800 s", score=0.15, lines=(line,)),),
        leader="7 days",
        contested=False,
        conflict=False,
        support=("keep",),
        dropped=(),
    )


def sample_trace() -> Trace:
    """The trace."""
    pool = retrieved(POOL, question="How long are backups <kept>?")
    answers = [Answers(relevant=0.9, evidence=0.9, contradicts=0.1, injection=0.0)] * 2 + [
        Answers(relevant=0.5, evidence=0.2, contradicts=0.1, injection=0.95),
        None,
    ]
    spans = (
        finding("90 days", Kind.NUMBER, Severity.HIGH, Label.CONTRADICTED),
        finding("everyone", Kind.VAGUE, Severity.MEDIUM, Label.VAGUE),
    )
    counts = Counts(high=1, medium=1)
    verdict = MergeVerdict(merge=False, guard=Guard.NUMBER, left="7", right="30", similarity=0.97)
    claim = Claim(start=0, end=28, text=ANSWER[:28], state=ClaimState.CONTRADICTED, confidence=0.9)
    return Trace(
        query=Query(text="How long are backups <kept>?", version="2"),
        policy=Policy(),
        corpus_path="corpus.jsonl",
        corpus_digest="ab" * 32,
        filtered=Filtered(kept=frozen_array(np.arange(4, dtype=np.int64)), total=6, version_missing=2),  # type: ignore[arg-type]
        retrieved=replace(pool, passages=POOL),
        judged=judged([p.id for p in POOL], answers),
        extracted=Extracted(texts=(FACTS,) * 4, titles=(None,) * 4, query=FACTS, analyzer=MODEL),
        grouped=Grouped(
            groups=routed().groups,
            refusals=(Refusal(left_id="keep", right_id="deny", verdict=verdict),),
            dropped=(Drop(passage_id="copy", stage="dedup", rule="merged"),),
            strategy=Strategy.SIEVE_MMR,
        ),
        routed=routed(),
        thinned=thinned(),
        prompt=prompt(),
        generated=Generated(text=ANSWER, generator=MODEL, given=True),
        verified=Verified(action=Action.REVIEW, spans=spans, claims=(claim,), counts=counts),
        attributed=Attributed(action=Action.REVIEW, spans=spans, outside=(), counts=counts),
        models=(MODEL,),
        timings=(Timing(stage="filter", seconds=0.01),),
        created="2026-11-30T12:00:00+00:00",
        version="0.1.0",
    )
