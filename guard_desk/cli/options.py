"""Options of several verbs, turned into records."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from guard_desk import api, resources
from guard_desk.cli.terminal import say
from guard_desk.errors import InputError, PolicyError
from guard_desk.policy import Policy, Thresholds, load_policy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import LoadedQuery, LoadResult, Query

DEMO = "demo"


def load(options: argparse.Namespace, ctx: RunContext) -> LoadResult:
    """The source of a verb; "demo" is the shipped case. What was left out is told on stderr."""
    is_demo = options.source == DEMO and not Path(DEMO).exists()
    source = resources.path("demo", "harbourlight.guarddesk.json") if is_demo else Path(options.source)
    loaded = api.load_corpus(source, format=options.format, encoding=options.encoding, ctx=ctx)
    for skipped in loaded.skipped[:20]:
        say(f"skipped: {skipped.path}{f', line {skipped.line}' if skipped.line else ''}: {skipped.reason}")
    if len(loaded.skipped) > 20:
        say(f"skipped: {len(loaded.skipped) - 20} more records")
    for renamed in loaded.renamed[:20]:
        say(f"renamed: {renamed.path}{f', line {renamed.line}' if renamed.line else ''}: {renamed.original} is now {renamed.renamed}")
    return loaded


def question(options: argparse.Namespace, loaded: LoadResult) -> LoadedQuery:
    """The question asked: the option's text, or one of the file's.

    :raises InputError: when there is none.
    """
    if options.question:
        known = next((q for q in loaded.queries if q.query.text == options.question), None)
        chosen = known or LoadedQuery(query=Query(text=options.question))
    elif 1 <= options.question_number <= len(loaded.queries):
        chosen = loaded.queries[options.question_number - 1]
    else:
        has = f"has {len(loaded.queries)} question(s)" if loaded.queries else "has no question"
        raise InputError(f"{options.source} {has}.", remedy="Give one with --question.")
    query = replace(chosen.query, version=options.wanted_version or chosen.query.version, scope=options.scope or chosen.query.scope)
    return replace(chosen, query=query)


def policy(
    options: argparse.Namespace, *, start: Policy | None = None, thresholds: Thresholds | None = None, judge: str | None = None
) -> Policy:
    """The policy: `start`, or the file or preset of --policy, with each --set applied.

    :param thresholds: the ones in force where the policy has none of its own.
    :param judge: the judge that they belong to.
    :raises PolicyError: for an unknown knob or a value out of range.
    """
    chosen = load_policy(options.policy) if options.policy else (start or Policy())
    for setting in options.settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise PolicyError(f"--set {setting!r} has no value.", remedy="Write --set KNOB=VALUE, e.g. --set thin.half_life_days=90.")
        chosen = chosen.with_value(name.strip(), value.strip(), base=thresholds, judge=judge)
    return chosen


def answer(options: argparse.Namespace) -> str | None:
    """The answer given on the command line, if any.

    :raises InputError: when the file cannot be read.
    """
    if options.answer_file is None:
        given: str | None = options.answer
        return given
    try:
        return Path(options.answer_file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"the answer cannot be read: {exc}.", path=options.answer_file, remedy="Give a UTF-8 text file.") from exc
