"""The trace: the one thing that is saved, exported, compared and shown."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.policy import Policy
from guard_desk.records.answer import Attributed, Generated, Verified
from guard_desk.records.corpus import Query
from guard_desk.records.decision import Grouped, Override, Prompt, Routed, Thinned
from guard_desk.records.evidence import Extracted, Filtered, Judged, ModelInfo, Retrieved


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Wall seconds of one stage."""

    stage: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One question's whole path, from corpus to verified answer.

    :param created: UTC, ISO 8601.
    :param corpus_path: where the corpus was read from; None for passages made in code.
    :param overrides: pairs that a person merged or keeps apart, over the guards'.
    :param stale: names of stages whose result no longer fits what is above them ("generate").
    """

    query: Query
    policy: Policy
    corpus_path: str | None
    corpus_digest: str
    filtered: Filtered
    retrieved: Retrieved
    judged: Judged
    extracted: Extracted
    grouped: Grouped
    routed: Routed
    thinned: Thinned
    prompt: Prompt
    generated: Generated
    verified: Verified
    attributed: Attributed
    models: tuple[ModelInfo, ...]
    timings: tuple[Timing, ...]
    created: str
    version: str
    stale: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
