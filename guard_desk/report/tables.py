"""The facts of a trace as tables: the same rows go to CSV, XLSX and HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from guard_desk.measure.answer_rounds import outcome_words
from guard_desk.measure.checked import unread_words
from guard_desk.measure.portability import threshold_warning
from guard_desk.policy import knobs
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Decision, Placement
from guard_desk.records.evidence import Hit, Judgement
from guard_desk.records.judging import Spent
from guard_desk.records.trace import Trace
from guard_desk.report.judges import spent_in_all, spent_words

Cell = str | int | float | None


class Estimated(int):
    """A count that nobody told: shown with "≈", and still a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A named table; every row has as many cells as there are columns."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


PASSAGE_COLUMNS = (
    "rank", "id", "place", "why", "similarity", "score", "relevant", "evidence", "contradicts", "injection",
    "decided by", "value", "threshold", "margin", "tokens", "merged into", "title", "source", "source type", "date",
    "version", "scope", "text",
)  # fmt: skip


def all_tables(trace: Trace) -> tuple[Table, ...]:
    """Every table of a report, in the order of the stages."""
    return (
        summary(trace),
        passages(trace),
        groups(trace),
        refusals(trace),
        candidates(trace),
        rounds(trace),
        findings(trace),
        claims(trace),
        policy(trace),
        models(trace),
    )


def summary(trace: Trace) -> Table:
    """The run on one page."""
    prompt, counts = trace.prompt, trace.attributed.counts
    rows: list[tuple[Cell, Cell]] = [
        ("Question", trace.query.text),
        ("Version filter", trace.query.version),
        ("Scope filter", trace.query.scope),
        ("Corpus", trace.corpus_path or "passages given in code"),
        ("Corpus digest", trace.corpus_digest),
        ("Created", trace.created),
        ("Guard Desk version", trace.version),
        ("Filter", trace.filtered.summary),
        ("Retrieved", len(trace.retrieved.hits)),
        ("Groups", len(trace.grouped.groups)),
        *((f"Place: {name}", count) for name, count in place_counts(trace)),
        ("Passages in the prompt", len(prompt.blocks)),
        ("Tokens of passages", prompt.passage_tokens),
        ("Token budget", prompt.budget_tokens),
        ("Tokens of the prompt", prompt.tokens),
        ("Token encoding", prompt.encoding),
        ("Leading value", trace.thinned.leader),
        ("Contested", yes_no(trace.thinned.contested)),
        ("Conflict", yes_no(trace.thinned.conflict)),
        ("Answer", trace.generated.text),
        ("No answer because", trace.generated.failure or None),
        ("Answer is the leading value", yes_no(trace.generated.fallback)),
        ("Rounds", outcome_words(trace.generated) or None),
        ("Tokens sent to the generator", _count(trace.generated.prompt_tokens, trace.generated.estimated)),
        ("Tokens of its answers", _count(trace.generated.answer_tokens, trace.generated.estimated)),
        ("Action", _action(trace)),
        ("Findings: high", counts.high),
        ("Findings: medium", counts.medium),
        ("Findings: low", counts.low),
        ("Out of date", ", ".join(trace.stale) or None),
        ("Judge", trace.judged.judge.name),
        ("Judging took", _spent(trace.judged.spent)),
        ("Reading the answer took", _spent(trace.verified.spent)),
        ("Judging and reading took", _spent(spent_in_all(trace))),
        ("Not read", unread_words(trace.verified) or None),
        ("Thresholds were set for", trace.policy.thresholds_for),
        ("Warning", threshold_warning(trace.policy, trace.judged)),
    ]
    return Table(name="Summary", columns=("what", "value"), rows=tuple(rows))


def _count(tokens: int, estimated: bool) -> int:
    return Estimated(tokens) if estimated else tokens


def _spent(spent: Spent | None) -> str | None:
    return None if spent is None else spent_words(spent)


def _action(trace: Trace) -> str:
    if trace.generated.failure:
        return "not checked: there is no answer"
    return "no answer to check" if trace.generated.text is None else str(trace.attributed.action)


def yes_no(value: bool) -> str:
    """A truth value in words."""
    return "yes" if value else "no"


def place_counts(trace: Trace) -> tuple[tuple[str, int], ...]:
    """How many pool passages ended in each place, the most first, evidence and conflict ahead."""
    counts: dict[str, int] = {}
    for placement in trace.prompt.places:
        counts[placement.name] = counts.get(placement.name, 0) + 1
    return tuple(sorted(counts.items(), key=lambda item: (item[0] != "evidence", item[0] != "conflict", -item[1], item[0])))


def passages(trace: Trace) -> Table:
    """One row a pool passage, in rank order."""
    pool = zip(
        trace.retrieved.passages, trace.retrieved.hits, trace.judged.judgements, trace.routed.decisions, trace.prompt.places, strict=True
    )
    rows = tuple(_passage_row(*parts) for parts in pool)
    return Table(
        name="Passages", columns=PASSAGE_COLUMNS, rows=tuple(sorted(rows, key=lambda row: row[0] if isinstance(row[0], int) else 0))
    )


def _passage_row(passage: Passage, hit: Hit, judgement: Judgement, decision: Decision, placement: Placement) -> tuple[Cell, ...]:
    answers = judgement.answers
    four: tuple[Cell, ...] = (
        (None,) * 4 if answers is None else (answers.relevant, answers.evidence, answers.contradicts, answers.injection)
    )
    why = judgement.error or placement.detail or ""
    return (
        hit.rank, passage.id, placement.name, why, hit.similarity, hit.score, *four,
        str(decision.rule), decision.value, decision.threshold, decision.margin, placement.tokens or None, placement.into or None,
        passage.title, passage.source, passage.source_type, passage.date, passage.version, passage.scope, passage.text,
    )  # fmt: skip


def groups(trace: Trace) -> Table:
    """One row a member of a group of two or more."""
    rows = (
        (group.id, member, "shown" if member == group.representative else "merged", source or None)
        for group in trace.routed.groups
        if len(group.members) > 1
        for member, source in zip_longest(group.members, group.member_sources)
    )
    return Table(name="Groups", columns=("group", "passage", "role", "source"), rows=tuple(rows))


def refusals(trace: Trace) -> Table:
    """One row for each near pair that was kept apart."""
    rows = (
        (item.left_id, item.right_id, str(item.verdict.guard or ""), item.verdict.left, item.verdict.right, item.verdict.similarity)
        for item in trace.grouped.refusals
    )
    return Table(name="Kept apart", columns=("passage", "other passage", "guard", "words", "other words", "similarity"), rows=tuple(rows))


def candidates(trace: Trace) -> Table:
    """One row for each line of each candidate value; ranks count anew in each part of the question."""
    columns = (
        "part",
        "rank",
        "value",
        "score",
        "passage",
        "stance",
        "contribution",
        "reliability",
        "recency",
        "voice",
        "capped by",
        "note",
    )
    rows = (
        (
            _part(trace, part), rank, candidate.value, candidate.score, line.passage_id, str(line.stance), line.contribution,
            line.reliability, line.recency, line.voice, line.capped or None, line.note or None,
        )
        for part in range(max(1, len(trace.thinned.parts)))
        for rank, candidate in enumerate(trace.thinned.of_part(part), 1)
        for line in candidate.lines
    )  # fmt: skip
    return Table(name="Candidates", columns=columns, rows=tuple(rows))


def _part(trace: Trace, part: int) -> str | None:
    """The words of a part; None when the question has only one."""
    parts = trace.thinned.parts
    return parts[part].span.of(trace.query.text) if len(parts) > 1 else None


def rounds(trace: Trace) -> Table:
    """One row for each round in which the answer was asked for."""
    columns = ("round", "passages", "prompt tokens", "answer tokens", "seconds", "same as before", "answer")
    rows = (
        (
            number, ", ".join(item.passage_ids), _count(item.prompt_tokens, item.estimated),
            _count(item.answer_tokens, item.estimated), round(item.seconds, 3),
            None if item.same is None else yes_no(item.same), item.text,
        )
        for number, item in enumerate(trace.generated.rounds, 1)
    )  # fmt: skip
    return Table(name="Rounds", columns=columns, rows=tuple(rows))


def findings(trace: Trace) -> Table:
    """One row a finding in the answer, in its order."""
    columns = ("number", "severity", "kind", "label", "start", "end", "words", "confidence", "note", "passages", "evidence")
    rows = (
        (
            number, str(span.severity), str(span.kind), str(span.label), span.start, span.end, span.text, span.confidence, span.note,
            ", ".join(dict.fromkeys(item.passage_id for item in span.evidence)) or None,
            " | ".join(item.text for item in span.evidence) or None,
        )
        for number, span in enumerate(trace.attributed.spans, 1)
    )  # fmt: skip
    return Table(name="Findings", columns=columns, rows=tuple(rows))


def claims(trace: Trace) -> Table:
    """One row a statement of the answer."""
    columns = ("start", "end", "statement", "state", "confidence", "passages", "not read by")
    rows = (
        (
            claim.start,
            claim.end,
            claim.text,
            str(claim.state),
            claim.confidence,
            ", ".join(dict.fromkeys(e.passage_id for e in claim.evidence)) or None,
            claim.unread or None,
        )
        for claim in trace.verified.claims
    )
    return Table(name="Statements", columns=columns, rows=tuple(rows))


def policy(trace: Trace) -> Table:
    """One row a knob, with the value in force."""
    return Table(name="Policy", columns=("knob", "value", "unit", "starting value", "what it does"), rows=tuple(_policy_rows(trace)))


def _policy_rows(trace: Trace) -> Iterator[tuple[Cell, ...]]:
    for knob in knobs():
        value = trace.policy.value(knob.path)
        if knob.path.startswith("thresholds."):
            value = getattr(trace.routed.thresholds, knob.path.rsplit(".", 1)[-1])
        start = None if knob.path.startswith("thresholds.") else knob.default
        yield knob.path, _plain(value), knob.unit or None, _plain(start), knob.description


def _plain(value: object) -> Cell:
    return value if isinstance(value, (int, float)) else None if value is None else str(value)


def models(trace: Trace) -> Table:
    """Which models gave the numbers, and how long each stage took."""
    rows: list[tuple[Cell, ...]] = [("model", item.name, item.revision, item.device, item.detail) for item in trace.models]
    rows += [("seconds", timing.stage, round(timing.seconds, 4), None, None) for timing in trace.timings]
    return Table(name="Models and times", columns=("what", "name", "revision or seconds", "device", "detail"), rows=tuple(rows))
