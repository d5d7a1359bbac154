"""The suite `paper`: thinning and evidence in rounds against all evidence, BM25 and chance, on seven kinds of made-up questions.

The questions (`measure.worlds`) are frozen and were written by someone who did not know the thinning code. All methods ask the same
generator with the same few words; they differ in the lines that they show. Answers are kept in the data folder by model and prompt, so a
run that was interrupted, or is repeated with other thinning, asks only what is new. Seconds are those of the run that asked. The suite
needs no data: the questions ship with Guard Desk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from guard_desk import resources
from guard_desk.measure import paper_scores as scores
from guard_desk.measure.conflict_path import thin_pool
from guard_desk.measure.metrics import Figure
from guard_desk.measure.paper_methods import ANSWER_TOKENS, GENERATED, LINES_KEPT, Method, Thinner, answers
from guard_desk.measure.paper_scores import Scored
from guard_desk.measure.paper_store import StoredGenerator
from guard_desk.measure.tables import Chart, ChartKind, Row, Series, Table
from guard_desk.measure.worlds import DEFAULT_COUNT, PaperCase, digest, paper_cases
from guard_desk.measure.worlds.kinds import KINDS
from guard_desk.models.registry import load_generator, token_counter
from guard_desk.progress import RunContext
from guard_desk.protocols import Generator, TokenCounter
from guard_desk.records.state import Models

_SHOWN_LEADERS = 60

# Accuracy, mean tokens and TPC as published with a small seq2seq model on 300 questions of the same kinds (product.md).
_PUBLISHED = {
    Method.FULL: ".143 / 491.5 / 3428.8",
    Method.BM25: ".177 / 387.4 / 2192.8",
    Method.RANDOM: ".160 / 387.9 / 2424.1",
    Method.THIN: ".943 / 107.5 / 113.9",
    Method.ROUNDS: ".943 / 117.3 / 124.4",
    Method.ROUNDS_OR_LEADER: ".970 / 117.3 / 121.0",
}

Results = dict[Method, list[Scored]]


def paper(models: Models, _: Path | None, n: int | None, ctx: RunContext) -> Table:
    """Measure.

    :param models: the generator is "local" unless another is named; "none" measures the leader alone.
    :param n: so many questions, the kinds in turn; None = all.
    :raises MissingModelError: when the generator is not on this machine.
    :raises Cancelled: between pieces; answered prompts are kept.
    """
    chosen = replace(models, generator=models.generator or "local")
    generator = load_generator(chosen, answer_tokens=ANSWER_TOKENS)
    cases = paper_cases()[: n or DEFAULT_COUNT]
    return measured(cases, lambda question, passages: thin_pool(question, passages, chosen, ctx), generator, token_counter(), ctx)


def measured(cases: Sequence[PaperCase], thinner: Thinner, generator: Generator | None, counter: TokenCounter, ctx: RunContext) -> Table:
    """The table of these questions.

    :param thinner: the thinning that is measured.
    :param generator: None = the leader alone.
    """
    kept = None if generator is None else StoredGenerator(generator, resources.home() / "bench" / "paper_answers.jsonl", counter)
    results: Results = defaultdict(list)
    for case in ctx.track(cases, "paper", len(cases), unit="questions"):
        for answered in answers(case, thinner, kept, counter, ctx):
            results[answered.method].append(Scored.of(case, answered))
    rows = (*_about(cases, kept), *_method_rows(results), *_kind_rows(results))
    return Table(
        suite="paper",
        rows=rows,
        details=tuple(_wrong_leaders(results[Method.LEADER])),
        charts=_charts(rows),
        models=() if generator is None else (generator.info,),
    )


def _about(cases: Sequence[PaperCase], kept: StoredGenerator | None) -> list[Row]:
    lines = sum(len(case.lines) for case in cases) / len(cases)
    rows = [
        Row(name="questions", figure=float(len(cases)), note=f"sha256 {digest(cases)[:16]}"),
        Row(name="lines a question", figure=lines, note=f"bm25_k and random_k keep {LINES_KEPT}"),
    ]
    if kept is not None:
        note = f"{kept.info.name} {kept.info.revision}; answers are cut at {ANSWER_TOKENS} tokens; others were kept from earlier runs"
        rows.append(Row(name="prompts asked in this run", figure=float(kept.asked), note=note))
    return rows


def _method_rows(results: Results) -> list[Row]:
    rows = []
    for method in (one for one in Method if results.get(one)):
        scored = results[method]
        published = f"published (accuracy / tokens / TPC): {_PUBLISHED[method]}" if method in _PUBLISHED else "no model is asked"
        rows += [
            Row(name=f"{method}: accuracy", figure=scores.accuracy(scored), note=published),
            Row(name=f"{method}: exact", figure=scores.exactness(scored), note="the answer is the value and nothing else"),
        ]
        if method is not Method.LEADER:
            rows += [
                Row(name=f"{method}: tokens", figure=scores.mean_tokens(scored), unit="tokens", note="prompt and answer, mean"),
                Row(name=f"{method}: TPC", figure=scores.tokens_per_right(scored), unit="tokens", note="all tokens / right answers"),
            ]
        rows.append(Row(name=f"{method}: seconds", figure=scores.mean_seconds(scored), unit="s", note="a question, mean"))
    return rows + _differences(results)


def _differences(results: Results) -> list[Row]:
    if not results.get(Method.FULL):
        return []
    base = results[Method.FULL]
    return [
        Row(name=f"against full: {method}", figure=scores.difference(results[method], base), note="gain in accuracy, paired")
        for method in GENERATED
        if method is not Method.FULL
    ]


def _kind_rows(results: Results) -> list[Row]:
    return [
        Row(name=f"{kind}: {method}", figure=figure, note="accuracy")
        for kind in KINDS
        for method in (one for one in Method if results.get(one))
        for figure in [_accuracy(results[method], kind)]
        if figure.n
    ]


def _accuracy(scored: Sequence[Scored], kind: str) -> Figure:
    return scores.accuracy([one for one in scored if one.case.kind == kind])


def _wrong_leaders(scored: Sequence[Scored]) -> list[tuple[str, str]]:
    """Each wrong leader with its question and the gold value; that there was none, too."""
    wrong = [one for one in scored if not one.right]
    shown = [
        (
            f"wrong leader, {one.case.kind}",
            f"{one.case.id} ({one.case.type}): {one.case.question} leader: {one.answered.text or '(none)'}; gold: {one.case.gold}",
        )
        for one in wrong[:_SHOWN_LEADERS]
    ]
    return [*shown, ("wrong leaders", f"{len(wrong) - len(shown)} more")] if len(wrong) > len(shown) else shown


def _charts(rows: Sequence[Row]) -> tuple[Chart, ...]:
    """Plots of the figures of the rows."""
    figures = {row.name: row.figure for row in rows}

    def series(name: str, column: str) -> Series:
        return Series.of(name, [(method, figures[f"{method}: {column}"]) for method in Method if f"{method}: {column}" in figures])

    kinds = [kind for kind in KINDS if any(row.group == kind for row in rows)]
    by_kind = [
        Series.of(method, [(kind, figures[f"{kind}: {method}"]) for kind in kinds]) for method in Method if f"{method}: accuracy" in figures
    ]
    charts = [
        Chart(
            title="Right answers by method",
            kind=ChartKind.BARS,
            series=(series("contained, no wrong value", "accuracy"), series("exact", "exact")),
            note="higher is better; intervals 95 %",
        ),
        Chart(title="Right answers by kind of question", kind=ChartKind.BARS, series=tuple(by_kind), note="higher is better"),
    ]
    if f"{Method.FULL}: tokens" not in figures:
        return tuple(charts)
    tokens = [("Tokens a question", "tokens"), ("Tokens a right answer (TPC)", "TPC")]
    return (
        *charts,
        *(
            Chart(title=title, kind=ChartKind.BARS, series=(series("tokens", column),), unit="tokens", note="lower is better")
            for title, column in tokens
        ),
    )
