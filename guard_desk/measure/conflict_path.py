"""What the conflict suites measure: documents of one question through the same calls that users make."""

from __future__ import annotations

from collections.abc import Sequence

from guard_desk.formats.collect import make_corpus
from guard_desk.models.answers import load_finder
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.parts import load_parts
from guard_desk.pipeline import run_path
from guard_desk.policy import Policy, ThinMode, ThinPolicy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import Thinned
from guard_desk.records.state import Models
from guard_desk.records.trace import Trace
from guard_desk.stages.extract import extract_passages
from guard_desk.stages.thin import thin_extracted

TODAY = "2026-11-30"
"""Ages are counted from here, so that a figure does not change with the day it is measured. The sets have no dates."""


def thin_pool(question: str, passages: Sequence[Passage], models: Models, ctx: RunContext) -> Thinned:
    """The documents thinned as `api.thin` does, in mode `support`: nothing is judged, all of them count."""
    query, policy = Query(text=question), ThinPolicy(mode=ThinMode.SUPPORT)
    extracted = extract_passages(query, passages, load_analyzer(), quiet(ctx), finder=load_finder(models))
    return thin_extracted(query, passages, extracted, policy, today=TODAY)


def run_pool(question: str, passages: Sequence[Passage], models: Models, ctx: RunContext) -> Trace:
    """The documents as a corpus of their own, through the whole path with the policy as shipped: judged, merged, routed, capped."""
    corpus = make_corpus(passages)
    return run_path(corpus, Query(text=question), Policy(), load_parts(models, corpus), quiet(ctx))


def quiet(ctx: RunContext) -> RunContext:
    """The same work without the progress of single stages; a cancel still ends it."""
    return RunContext(token=ctx.token)
