"""Judges on the command line: their options, what they take, and `compare`."""

from __future__ import annotations

import argparse
import json
from collections import Counter

from guard_desk import api
from guard_desk.cli import options as opt
from guard_desk.cli.terminal import out, progress, say, write
from guard_desk.errors import InputError
from guard_desk.measure.checked import unread_words
from guard_desk.measure.portability import threshold_mark, threshold_warning
from guard_desk.models.judges import load_judge
from guard_desk.models.judges.settings import read_settings
from guard_desk.policy import Policy
from guard_desk.progress import RunContext
from guard_desk.protocols import Judge
from guard_desk.records.corpus import LoadedQuery, LoadResult
from guard_desk.records.evidence import Judged
from guard_desk.records.state import Models
from guard_desk.records.trace import Trace
from guard_desk.report.judges import comparison_fields, comparison_text, estimate_words, spent_words, total
from guard_desk.report.text import printable

_CAUSE_MOST = 400


def models(options: argparse.Namespace, *, judge: str | None = None) -> Models:
    """The models that the options name.

    :param judge: instead of the option's.
    :raises InputError: for a setting of the judge that is not known or not allowed.
    """
    return Models(
        encoder=options.encoder,
        judge=judge or options.judge,
        generator=getattr(options, "generator", None),
        device=options.device,
        judge_settings=read_settings(options.judge_settings),
        detector=getattr(options, "detector", None),
        claim_model=getattr(options, "claim_model", None),
    )


def judge_of(chosen: Models) -> Judge:
    """The judge of these models, loaded."""
    return load_judge(chosen.judge, settings=chosen.judge_settings, device=chosen.device)


def policy(options: argparse.Namespace, chosen: Models) -> Policy:
    """The policy; a threshold of --set leaves the other three as this judge has them."""
    if not any(setting.strip().startswith("thresholds.") for setting in options.settings):
        return opt.policy(options)
    judge = judge_of(chosen)
    return opt.policy(options, thresholds=judge.thresholds, judge=threshold_mark(judge.info))


def costs(chosen: Models) -> bool:
    """Whether this judge's answers cost tokens; see `protocols.CostlyJudge`."""
    return hasattr(judge_of(chosen), "estimate")


def say_estimate(loaded: LoadResult, question: LoadedQuery, plan: Policy, chosen: Models, ctx: RunContext) -> None:
    """What judging would take, on stderr; nothing for a judge that costs nothing."""
    if costs(chosen):
        say(f"{chosen.judge}: {estimate_words(api.estimate(loaded.corpus, question, policy=plan, models=chosen, ctx=ctx))}")


def print_estimate(loaded: LoadResult, question: LoadedQuery, plan: Policy, chosen: Models, ctx: RunContext) -> None:
    """What judging would take, as the result itself."""
    out(f"{estimate_words(api.estimate(loaded.corpus, question, policy=plan, models=chosen, ctx=ctx))}\n")


def say_spent(trace: Trace) -> None:
    """What judging and reading the answer took, on stderr; nothing where it costs nothing."""
    judged, read = trace.judged.spent, trace.verified.spent
    if judged is not None:
        say(f"{trace.judged.judge.name}: {spent_words(judged)}")
    if read is not None:
        say(f"reading the answer: {spent_words(read)}")
    if judged is not None and read is not None:
        say(f"in all: {spent_words(total([judged, read]))}")


def say_unread(trace: Trace) -> None:
    """How many sentences of the answer a language model did not read and why, on stderr; nothing when it read all."""
    unread = unread_words(trace.verified)
    if unread:
        say(f"warning: {printable(unread, _CAUSE_MOST)}")


def say_not_judged(judged: Judged) -> bool:
    """How many passages were not judged and why, on stderr; nothing when all were. :returns: whether none was judged."""
    errors = [judgement.error or "no reason was given." for judgement in judged.judgements if judgement.answers is None]
    if errors:
        cause = Counter(errors).most_common(1)[0][0]
        say(f"{judged.judge.name}: {len(errors)} of {len(judged.judgements)} passages were not judged: {printable(cause, _CAUSE_MOST)}")
    return bool(errors) and len(errors) == len(judged.judgements)


def warn(trace: Trace) -> None:
    """Thresholds of another judge, on stderr."""
    warning = threshold_warning(trace.policy, trace.judged)
    if warning:
        say(f"warning: {printable(warning)}")


def compare(options: argparse.Namespace) -> int:
    """Several judges on one question's pool."""
    names = [name.strip() for name in options.judges.split(",") if name.strip()]
    if len(names) < 2:
        raise InputError(f"--judges {options.judges!r} names fewer than two.", remedy="Write --judges embedded,features.")
    chosen = [models(options, judge=name) for name in names]
    with progress() as ctx:
        loaded = opt.load(options, ctx)
        question = opt.question(options, loaded)
        plan = opt.policy(options)
        for each in chosen:
            say_estimate(loaded, question, plan, each, ctx)
        comparison = api.compare_judges(loaded.corpus, question, judges=chosen, policy=plan, ctx=ctx)
    for column in comparison.judges:
        if column.judged.spent is not None:
            say(f"{column.name}: {spent_words(column.judged.spent)}")
    unanswered = [say_not_judged(column.judged) for column in comparison.judges]
    if options.json:
        write(json.dumps(comparison_fields(comparison), indent=1, allow_nan=False) + "\n", options.json)
    if options.json != "-":
        out(comparison_text(comparison))
    return 1 if loaded.skipped or any(unanswered) else 0
