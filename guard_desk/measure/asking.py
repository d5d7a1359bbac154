"""Before and beside a run: what judging would take, and several judges on one pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guard_desk.errors import InputError
from guard_desk.measure.judge_comparison import JudgeComparison, compare_judged
from guard_desk.models.judges import load_judge, split_name
from guard_desk.parts import load_parts
from guard_desk.pipeline import Parts
from guard_desk.policy import Policy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Corpus, Labels, LoadedQuery, Query
from guard_desk.records.evidence import Retrieved
from guard_desk.records.judging import Estimate
from guard_desk.records.state import Models
from guard_desk.stages import judge as judge_stage
from guard_desk.stages.filter import filter_corpus
from guard_desk.stages.retrieve import retrieve


def estimate(corpus: Corpus, asked: LoadedQuery, policy: Policy, models: Models, ctx: RunContext) -> Estimate:
    """What judging this question's pool would take; the pool is retrieved, nothing is sent to the judge.

    Where no model of a server is named, the server is not asked for one: answers stored for its model are then counted as to be asked.
    """
    settings = models.judge_settings
    offline = replace(models, judge_settings=replace(settings, model=settings.model or "not named"))
    parts = load_parts(offline, corpus, recorded=asked.recorded)
    return judge_stage.estimate(_pool(corpus, asked.query, policy, parts, ctx), parts.judge, parts.store)


def compare(
    corpus: Corpus, asked: LoadedQuery, chosen: Sequence[Models], policy: Policy, labels: Sequence[Labels] | None, ctx: RunContext
) -> JudgeComparison:
    """Several judges on one question's pool, which is retrieved once; stored answers are not asked again.

    :param labels: None = those of the question.
    :raises InputError: for fewer than two judges, the same one twice, or different encoders.
    :raises Cancelled: between batches; finished answers are kept.
    """
    if len(chosen) < 2:
        raise InputError("one judge alone cannot be compared.", remedy="Name two or more.")
    if len({(models.encoder, models.device) for models in chosen}) > 1:
        raise InputError("judges are compared on one pool, so encoder and device must be the same.", remedy="Choose one encoder.")
    names = judge_names(chosen)
    judges = [load_judge(m.judge, settings=m.judge_settings, recorded=asked.recorded, device=m.device) for m in chosen]
    parts = load_parts(chosen[0], corpus, recorded=asked.recorded)
    pool = _pool(corpus, asked.query, policy, parts, ctx)
    judged = [judge_stage.judge(pool, judge, parts.store, _named(ctx, name)) for judge, name in zip(judges, names, strict=True)]
    by_id = {label.passage_id: label for label in (asked.labels if labels is None else labels)}
    return compare_judged(asked.query, judged, names, labels=by_id)


def judge_names(chosen: Sequence[Models]) -> tuple[str, ...]:
    """A name for each judge, with its target and model only where names alone would be the same.

    :raises InputError: for a judge that is not known, or named twice.
    """
    parts = [_name_parts(models) for models in chosen]
    for length in (1, 2, 3):
        names = tuple(":".join(its[:length]) for its in parts)
        if len(set(names)) == len(names):
            return names
    twice = next(name for name in names if names.count(name) > 1)
    raise InputError(f"the judge {twice!r} is named twice.", remedy="Name each judge once.")


def _name_parts(models: Models) -> tuple[str, ...]:
    name, settings = split_name(models.judge, models.judge_settings)
    return (name, *(part for part in (settings.target, settings.model) if part))


def _named(ctx: RunContext, judge: str) -> RunContext:
    """The same work with the judge's name in its progress; its judgements are no partial results of a run."""
    return RunContext(token=ctx.token, on_progress=lambda report: ctx.on_progress(replace(report, stage=f"judge {judge}")))


def _pool(corpus: Corpus, query: Query, policy: Policy, parts: Parts, ctx: RunContext) -> Retrieved:
    return retrieve(corpus, filter_corpus(corpus, query), query, parts.ranker, policy.retrieve, ctx)
