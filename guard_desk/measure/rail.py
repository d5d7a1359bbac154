"""What the stage rail says: one cell a stage, with its count and state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guard_desk.measure.leaders import leader_words
from guard_desk.records.decision import Place
from guard_desk.records.trace import Trace


class CellState(StrEnum):
    """State of one stage."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STALE = "stale"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One stage of the rail.

    :param stage: its name, as `View.stage` and the pipeline use it.
    :param title: what it is called.
    :param count: the number that matters there, with its unit; "" while unknown.
    :param detail: one sentence for the tooltip.
    """

    stage: str
    title: str
    count: str
    detail: str
    state: CellState


STAGES = (
    ("filter", "filter"),
    ("retrieve", "retrieve"),
    ("judge", "judge"),
    ("dedup", "groups"),
    ("route", "route"),
    ("thin", "thin"),
    ("prompt", "prompt"),
    ("answer", "answer"),
    ("verify", "check"),
)

_CELL_OF = {
    "index": "retrieve",
    "index words": "retrieve",
    "encode": "retrieve",
    "extract": "judge",
    "answers": "judge",
    "assemble": "prompt",
    "generate": "answer",
    "read prompt": "answer",
    "rounds": "answer",
    "claims": "verify",
    "detector": "verify",
    "attribute": "verify",
}
"""Stage as progress names it -> the cell it belongs to."""


def cells(trace: Trace) -> tuple[Cell, ...]:
    """The rail of a finished run."""
    texts = {
        "filter": (f"{len(trace.filtered.kept):,}", trace.filtered.summary),
        "retrieve": (
            f"{len(trace.retrieved.hits):,}",
            f"{len(trace.retrieved.hits):,} of {trace.retrieved.considered:,} passages are in the pool",
        ),
        "judge": _judged(trace),
        "dedup": (
            f"{len(trace.grouped.groups):,}",
            f"{len(trace.grouped.dropped)} merged, {len(trace.grouped.refusals)} near pairs kept apart",
        ),
        "route": _routed(trace),
        "thin": _thinned(trace),
        "prompt": (
            f"{trace.prompt.passage_tokens:,} tok",
            f"{len(trace.prompt.blocks)} passages, {trace.prompt.tokens:,} tokens with the rules around them",
        ),
        "answer": _answered(trace),
        "verify": _checked(trace),
    }
    failed = {"answer"} if trace.generated.failure else {"verify"} if trace.verified.failure else set()
    stale = {"generate": "answer"}
    old = {stale.get(name, name) for name in trace.stale}
    return tuple(
        Cell(
            stage=stage,
            title=title,
            count=texts[stage][0],
            detail=texts[stage][1],
            state=CellState.FAILED if stage in failed else CellState.STALE if stage in old else CellState.DONE,
        )
        for stage, title in STAGES
    )


def running_cells(stage: str) -> tuple[Cell, ...]:
    """The rail while a run is on its way.

    :param stage: the stage under way, as progress names it; "" before the first.
    """
    now = _CELL_OF.get(stage, stage)
    names = [name for name, _ in STAGES]
    at = names.index(now) if now in names else -1
    states = [CellState.DONE if i < at else CellState.RUNNING if i == at else CellState.WAITING for i in range(len(names))]
    return tuple(Cell(stage=s, title=t, count="", detail="", state=state) for (s, t), state in zip(STAGES, states, strict=True))


def waiting_cells() -> tuple[Cell, ...]:
    """The rail before a run."""
    return tuple(Cell(stage=stage, title=title, count="", detail="", state=CellState.WAITING) for stage, title in STAGES)


def _judged(trace: Trace) -> tuple[str, str]:
    judged = sum(1 for judgement in trace.judged.judgements if judgement.answers is not None)
    missing = len(trace.judged.judgements) - judged
    cached = sum(1 for judgement in trace.judged.judgements if judgement.cached)
    return f"{judged:,}", f"{judged} judged by {trace.judged.judge.name}, {cached} of them from the store; {missing} not judged"


def _routed(trace: Trace) -> tuple[str, str]:
    places = [placement.place for placement in trace.prompt.places]
    counts = {place: places.count(place) for place in (Place.EVIDENCE, Place.CONFLICT)}
    out = len(trace.prompt.places) - sum(counts.values())
    short = f"{counts[Place.EVIDENCE]} / {counts[Place.CONFLICT]} / {out}"
    return short, f"{counts[Place.EVIDENCE]} in the evidence block, {counts[Place.CONFLICT]} in the conflicting block, {out} out"


def _thinned(trace: Trace) -> tuple[str, str]:
    thinned = trace.thinned
    if not thinned.candidates:
        return "–", "no candidate values in the accepted evidence"
    values = f"{len(thinned.candidates)} {'value' if len(thinned.candidates) == 1 else 'values'}"
    return values, f"{leader_words(trace)}, {values}, {len(thinned.dropped)} passages capped"


def _answered(trace: Trace) -> tuple[str, str]:
    if trace.generated.failure:
        return "failed", trace.generated.failure
    if trace.generated.text is None:
        return "none", "no generator was chosen and no answer was given"
    words = len(trace.generated.text.split())
    return f"{words} words", "the answer was given" if trace.generated.given else f"written by {trace.generated.generator.name}"


def _checked(trace: Trace) -> tuple[str, str]:
    counts = trace.attributed.counts
    total = counts.high + counts.medium + counts.low
    if trace.generated.text is None:
        return "–", "there is no answer to check"
    if trace.verified.failure:
        return "failed", trace.verified.failure
    return f"{total} found", f"{trace.attributed.action}: {counts.high} high, {counts.medium} medium, {counts.low} low"
