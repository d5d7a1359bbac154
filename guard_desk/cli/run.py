"""run, route, search, expand, report."""

from __future__ import annotations

import argparse
import json
import os
from itertools import chain

from guard_desk import api
from guard_desk.cli import judging
from guard_desk.cli import options as opt
from guard_desk.cli.terminal import out, out_json, progress, say, write
from guard_desk.errors import Cancelled, InputError
from guard_desk.formats.plain import to_fields
from guard_desk.formats.trace import dump_trace
from guard_desk.formats.write import passage_record
from guard_desk.measure.portability import threshold_mark
from guard_desk.records.trace import Trace
from guard_desk.report import save_report
from guard_desk.report.text import printable, summary


def run(options: argparse.Namespace) -> int:
    """The whole path for one question."""
    with progress() as ctx:
        loaded = opt.load(options, ctx)
        question = opt.question(options, loaded)
        answer = opt.answer(options)
        chosen = judging.models(options)
        plan = judging.policy(options, chosen)
        if options.estimate:
            judging.print_estimate(loaded, question, plan, chosen, ctx)
            return 1 if loaded.skipped else 0
        judging.say_estimate(loaded, question, plan, chosen, ctx)
        whole: list[Trace] = []
        ctx.on_partial = lambda partial: whole.append(partial) if isinstance(partial, Trace) else None
        stopped: Cancelled | None = None
        try:
            whole.append(api.run(loaded.corpus, question, policy=plan, models=chosen, answer=answer, ctx=ctx))
        except Cancelled as exc:
            stopped = exc
    unanswered = bool(whole) and _tell(whole[-1], options.json)
    if stopped is not None:
        raise stopped
    return 1 if loaded.skipped or unanswered else 0


def _tell(trace: Trace, target: str | None) -> bool:
    """Show a run, and on stderr what it took and what is missing.

    :returns: whether nothing was judged, no answer came, or it was not checked.
    """
    judging.say_spent(trace)
    unjudged = judging.say_not_judged(trace.judged)
    judging.say_unread(trace)
    judging.warn(trace)
    _show(trace, target)
    if trace.generated.failure:
        say(f"guard-desk: no answer: {printable(trace.generated.failure)}")
    elif trace.verified.failure:
        say(f"guard-desk: the answer was not checked: {printable(trace.verified.failure)}")
    return unjudged or bool(trace.generated.failure or trace.verified.failure)


def _show(trace: Trace, target: str | None) -> None:
    if target == "-":
        write(dump_trace(trace), "-")
        return
    if target:
        api.save_trace(trace, target)
    out(summary(trace))


def route(options: argparse.Namespace) -> int:
    """Decide again from stored answers."""
    trace = api.load_trace(options.trace)
    policy = opt.policy(options, start=trace.policy, thresholds=trace.judged.thresholds, judge=threshold_mark(trace.judged.judge))
    decided = api.redecide(trace, policy)
    judging.warn(decided)
    _show(decided, options.json)
    return 0


def search(options: argparse.Namespace) -> int:
    """The evidence packet."""
    with progress() as ctx:
        loaded = opt.load(options, ctx)
        packet = api.search(
            loaded.corpus,
            options.question,
            strategy=options.strategy,
            k=options.k,
            budget_tokens=options.budget,
            version=options.wanted_version,
            scope=options.scope,
            models=api.Models(encoder=options.encoder, device=options.device),
            ctx=ctx,
        )
    record = json.dumps(to_fields(packet), indent=1)
    if options.json:
        write(record + "\n", options.json)
    if options.json != "-":
        for item in packet.items:
            out(f"{item.similarity:6.3f}  [{printable(item.id)}] {printable(item.text, 90)}\n")
            if len(item.member_ids) > 1:
                out(f"        same in {', '.join(printable(i) for i in item.member_ids[1:])}\n")
        for conflict in packet.conflicts:
            out(f"conflict: {printable(conflict)}\n")
        out(f"{packet.stats.considered} considered, {packet.stats.merged} merged, {packet.stats.tokens} tokens\n")
    return 1 if loaded.skipped else 0


def expand(options: argparse.Namespace) -> int:
    """The passages behind ids."""
    with progress() as ctx:
        loaded = opt.load(options, ctx)
    for passage in api.expand(loaded.corpus, list(chain.from_iterable(options.ids))):
        out_json(passage_record(passage))
    return 1 if loaded.skipped else 0


def report(options: argparse.Namespace) -> int:
    """The report of a run as files."""
    targets = {name: getattr(options, name) for name in ("html", "csv", "xlsx", "pdf") if getattr(options, name)}
    if not targets:
        raise InputError("no kind of report was chosen.", remedy="Give --html F, --csv F, --xlsx F or --pdf F.")
    trace = api.load_trace(options.trace)
    for kind, target in targets.items():
        _save(trace, kind, target)
        say(f"wrote {target}")
    return 0


def _save(trace: Trace, kind: str, target: str) -> None:
    if kind != "pdf":
        save_report(trace, kind, target)
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from guard_desk.ui.pdf import save_pdf

    save_pdf(trace, target)
