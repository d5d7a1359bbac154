"""The suite `ramdocs`: thinning on questions whose documents are right, wrong or noise.

RAMDocs is for reporting: nothing is fitted or chosen on it. Two conditions: `support` is `api.thin`, where every document counts;
`run` is the whole path with the policy as shipped, where documents are judged, merged, routed, capped and fitted into the prompt. With a
generator, the same model answers from the full evidence, from BM25's and a random choice of it, and from what thinning supports.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path

from guard_desk import resources
from guard_desk.errors import InputError
from guard_desk.measure.conflict_path import quiet, run_pool, thin_pool
from guard_desk.measure.paper_store import StoredGenerator
from guard_desk.measure.ramdocs_answers import ANSWER_TOKENS, answer_rows
from guard_desk.measure.ramdocs_figures import baseline_rows, conflict_rows, kept_rows, reading_rows
from guard_desk.measure.ramdocs_seen import Seen, alarmed, lost_at, not_shown, of_run, of_thinned
from guard_desk.measure.ramdocs_sets import CORRECT, FILE, Case, read_cases
from guard_desk.measure.tables import Chart, ChartKind, Row, Series, Table
from guard_desk.models.registry import load_encoder, load_generator, token_counter
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Query
from guard_desk.records.state import Models

_EXAMPLES = 6
_ANSWERS = "bench/ramdocs_answers.jsonl"


def ramdocs(models: Models, data: Path | None, n: int | None, ctx: RunContext) -> Table:
    """Measure `data`/ramdocs/dev.jsonl.

    :param n: at most so many questions; None = all.
    """
    if data is None or not (data / FILE).is_file():
        raise InputError("this suite needs RAMDocs.", path=None if data is None else data / FILE, remedy=f"Give a folder with {FILE}.")
    cases = read_cases(data, n)
    support = [of_thinned(case, thin_pool(case.question, case.passages, models, ctx)) for case in ctx.track(cases, "support", len(cases))]
    run = [_run(case, models, ctx) for case in ctx.track(cases, "run", len(cases))]
    baselines = baseline_rows(support, _similarities(cases, models, ctx))
    rows = [
        Row(name="questions", figure=float(len(cases)), note=f"{sum(case.differ for case in cases)} of them with differing answers"),
        *(row for name, seen in (("support", support), ("run", run)) for row in _rows(seen, name)),
        *baselines,
    ]
    generator = load_generator(models, answer_tokens=ANSWER_TOKENS)
    if generator is not None:
        rows += answer_rows(support, StoredGenerator(generator, resources.home() / _ANSWERS, token_counter()), ctx)
    details = (*_details(support, "support"), *_details(run, "run"))
    return Table(suite="ramdocs", rows=tuple(rows), details=details, charts=_charts(rows))


def _rows(seen: Sequence[Seen], name: str) -> list[Row]:
    return [*kept_rows(seen, name), *conflict_rows(seen, name), *reading_rows(seen, name)]


def _run(case: Case, models: Models, ctx: RunContext) -> Seen:
    trace = run_pool(case.question, case.passages, models, ctx)
    return of_run(case, trace.thinned, trace.prompt)


def _similarities(cases: Sequence[Case], models: Models, ctx: RunContext) -> dict[str, dict[str, float]]:
    encoder = load_encoder(models.encoder, models.device)
    found = {}
    for case in ctx.track(cases, "cosine", len(cases)):
        vectors = encoder.encode_passages(case.passages, quiet(ctx))
        cosines = vectors @ encoder.encode_query(Query(text=case.question))
        found[case.id] = {document.id: float(cosine) for document, cosine in zip(case.documents, cosines, strict=True)}
    return found


def _details(seen: Sequence[Seen], name: str) -> list[tuple[str, str]]:
    """Misses by cause, each with its count and some examples."""
    lost = [
        (lost_at(item, gold), f"{item.case.question} [{gold}] {_read(item)}")
        for item in seen
        for gold in item.case.gold
        if any(document.type == CORRECT for document in item.case.of_answer(gold)) and not item.is_kept(gold)
    ]
    missed = [item for item in seen if item.case.differ and not item.thinned.conflict]
    false = [item for item in seen if len(item.case.answers) == 1 and item.thinned.conflict]
    return [
        *_by_cause(f"{name}: gold answers lost", lost),
        *_by_cause(f"{name}: differing answers not shown", [(not_shown(item), _told(item)) for item in missed]),
        *_by_cause(f"{name}: false conflict alarms", [(alarmed(item), _told(item)) for item in false]),
    ]


def _told(item: Seen) -> str:
    return f"{item.case.question} {list(item.case.answers)} {_read(item)}"


def _read(item: Seen) -> str:
    return "read: " + ("; ".join(candidate.value for candidate in item.thinned.candidates[:5]) or "nothing")


def _by_cause(name: str, found: Iterable[tuple[StrEnum, str]]) -> list[tuple[str, str]]:
    causes: dict[StrEnum, list[str]] = defaultdict(list)
    for cause, example in found:
        causes[cause].append(example)
    return [
        (f"{name}: {cause.value}", f"{len(causes[cause])}, e.g. " + " | ".join(causes[cause][:_EXAMPLES]))
        for cause in sorted(causes, key=lambda cause: -len(causes[cause]))
    ]


def _charts(rows: Sequence[Row]) -> tuple[Chart, ...]:
    by_name = {row.name: row.figure for row in rows}
    shown = {
        "What is kept and what is dropped": ("gold answers kept", "right documents kept", "wrong documents kept", "noise dropped"),
        "What is shown": ("differing answers shown as conflict", "... and two of the answers named", "false conflict alarms"),
        "What leads": (
            "leader, exact match",
            "first candidate, exact match",
            "right value first beside misinformation",
            "wrong value first",
        ),
    }
    charts = [
        Chart(
            title=title,
            kind=ChartKind.BARS,
            series=tuple(
                Series.of(condition, [(name, by_name[f"{condition}: {name}"]) for name in names]) for condition in ("support", "run")
            ),
            note="support: thinning alone; run: the whole path with the judge",
        )
        for title, names in shown.items()
    ]
    answers = [(row.name, row.figure) for row in rows if row.name.startswith("answer") and row.name.endswith("contained")]
    if answers:
        charts.append(Chart(title="Answers of the generator", kind=ChartKind.BARS, series=(Series.of("contained", answers),)))
    return tuple(charts)
