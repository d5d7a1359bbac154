"""Several judges on one pool, for people and for machines; and what judging took, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from guard_desk.formats.plain import to_fields
from guard_desk.measure.judge_comparison import JudgeColumn, JudgeComparison, PairComparison, QuestionAgreement, RouteChange
from guard_desk.measure.metrics import Figure
from guard_desk.records.decision import Decision, Rule
from guard_desk.records.evidence import Question, limit_of
from guard_desk.records.judging import Estimate, Spent
from guard_desk.records.trace import Trace
from guard_desk.report.text import printable

_NOTE = (
    "Each judge is read at its own thresholds. Agreement: Wilson interval; kappa: Cohen's, bootstrap over passages; both 95 %.\n"
    "rho: Spearman; r: Pearson. '-': not defined (one side only, one label only, or no passages)."
)


def estimate_words(estimate: Estimate) -> str:
    """What judging would take: "50 passages, 12 with stored answers; about 38 requests, ..."."""
    head = f"{estimate.passages} passages, {estimate.stored} with stored answers"
    return f"{head}; " + ("this judge costs nothing" if estimate.spent is None else spent_words(estimate.spent))


def spent_words(spent: Spent) -> str:
    """Requests, tokens and cost: "38 requests, 30,400 tokens in and 304 out, cost 0.0012"."""
    about = "about " if spent.estimated else ""
    cost = "cost not known (no price is set)" if spent.cost is None else f"cost {about}{money(spent.cost)}"
    return f"{spent.requests:,} requests, {about}{spent.input_tokens:,} tokens in and {spent.output_tokens:,} out, {cost}"


def total(parts: Sequence[Spent]) -> Spent:
    """What several calls took together; the cost is not known where one's is not."""
    costs = [spent.cost for spent in parts]
    return Spent(
        requests=sum(spent.requests for spent in parts),
        input_tokens=sum(spent.input_tokens for spent in parts),
        output_tokens=sum(spent.output_tokens for spent in parts),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        estimated=any(spent.estimated for spent in parts),
    )


def spent_in_all(trace: Trace) -> Spent | None:
    """What judging the passages and having a language model read the answer took together; None where neither costs."""
    parts = [spent for spent in (trace.judged.spent, trace.verified.spent) if spent is not None]
    return total(parts) if parts else None


def money(cost: float) -> str:
    """An amount in the user's currency: two decimals from 1 on, else three digits that count."""
    if cost == 0 or cost >= 1:
        return f"{cost:,.2f}"
    return f"{cost:.3g}" if cost >= 0.0001 else "less than 0.0001"


def comparison_text(comparison: JudgeComparison) -> str:
    """A table for a terminal."""
    head = f"Question   {printable(comparison.query.text)}\nPool       {len(comparison.passage_ids)} passages, the same for each judge"
    blocks = [head, _judges(comparison.judges), *(_pair(pair) for pair in comparison.pairs), _NOTE]
    return "\n\n".join(blocks) + "\n"


def _judges(judges: Sequence[JudgeColumn]) -> str:
    width = max(len("judge"), *(len(_name(column.name)) for column in judges))
    heads = "".join(f"  {question:>18}" for question in Question)
    lines = [f"{'judge':<{width}}  judged  not judged{heads}", f"{'':<{width}}{'':20}{'  threshold    AUROC' * len(Question)}"]
    for column in judges:
        auroc = {figure.question: figure.auroc.value for figure in column.figures}
        cells = "".join(f"  {limit_of(q, column.judged.thresholds):>9.2f}{_number(auroc.get(q, math.nan)):>9}" for q in Question)
        judged = len(column.decisions) - column.not_judged
        lines.append(f"{_name(column.name):<{width}}  {judged:>6}  {column.not_judged:>10}{cells}")
    lines += [f"{_name(column.name)}: {printable(error, 140)}" for column in judges if (error := _first_error(column))]
    return "\n".join(lines)


def _first_error(column: JudgeColumn) -> str:
    return next((judgement.error for judgement in column.judged.judgements if judgement.error), "")


def _pair(pair: PairComparison) -> str:
    left, right = _name(pair.left), _name(pair.right)
    lines = [f"{left} and {right}: {pair.compared} passages judged by both"]
    lines.append(f"  {'question':<12}{'agreement':<24}{'kappa':<26}{'rho':>7}{'r':>7}   yes by both / only 1st / only 2nd / neither")
    lines += [_question(question) for question in pair.questions]
    lines.append(f"  {'route':<12}{_figure(pair.route_agreement):<24}{_figure(pair.route_kappa):<26}".rstrip())
    changed = len(pair.changes)
    lines.append(f"  {changed} passage{'' if changed == 1 else 's'} routed apart{':' if changed else ''}")
    lines += [f"    {change.rank:>4}  {printable(change.passage_id, 30):<16}  {_change(change)}" for change in pair.changes]
    return "\n".join(lines)


def _question(row: QuestionAgreement) -> str:
    figures = f"  {row.question:<12}{_figure(row.agreement):<24}{_figure(row.kappa):<26}"
    scores = f"{_number(row.spearman.value):>7}{_number(row.pearson.value):>7}"
    return f"{figures}{scores}   {row.both} / {row.left_only} / {row.right_only} / {row.neither}"


def _change(change: RouteChange) -> str:
    return f"{decision_words(change.before)} -> {decision_words(change.after)}"


def decision_words(decision: Decision) -> str:
    """A decision in a few words: "include (evidence 0.81 > 0.55)"."""
    if decision.value is None or decision.threshold is None:
        return f"{decision.route} (not judged)"
    sign = {Rule.RELEVANT: "<", Rule.DEFAULT: "<="}.get(decision.rule, ">")
    question = "evidence" if decision.rule is Rule.DEFAULT else decision.rule
    # Two numbers that look alike but are not get more digits: "0.2614 > 0.2600".
    digits = 4 if f"{decision.value:.2f}" == f"{decision.threshold:.2f}" else 2
    return f"{decision.route} ({question} {decision.value:.{digits}f} {sign} {decision.threshold:.{digits}f})"


def _figure(figure: Figure) -> str:
    if math.isnan(figure.value):
        return "-"
    interval = "" if math.isnan(figure.low) else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.value:.3f}{interval}"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2f}"


def _name(name: str) -> str:
    return printable(name, 40)


def comparison_fields(comparison: JudgeComparison) -> dict[str, Any]:
    """The same as plain fields for JSON, with each passage's answers and routes; a figure that is not defined is null."""
    fields = {
        "question": comparison.query.text,
        "judges": [_judge_fields(column) for column in comparison.judges],
        "passages": [_passage_fields(comparison, position) for position in range(len(comparison.passage_ids))],
        "pairs": [to_fields(pair) for pair in comparison.pairs],
    }
    plain: dict[str, Any] = _without_nan(fields)
    return plain


def _judge_fields(column: JudgeColumn) -> dict[str, Any]:
    return {
        "name": column.name,
        "model": to_fields(column.judged.judge),
        "thresholds": to_fields(column.judged.thresholds),
        "not_judged": column.not_judged,
        "spent": None if column.judged.spent is None else to_fields(column.judged.spent),
        "labels": [to_fields(figure) for figure in column.figures],
    }


def _passage_fields(comparison: JudgeComparison, position: int) -> dict[str, Any]:
    answers = {}
    for column in comparison.judges:
        judgement = column.judged.judgements[position]
        answers[column.name] = {
            "answers": None if judgement.answers is None else to_fields(judgement.answers),
            "error": judgement.error,
            "decision": to_fields(column.decisions[position]),
        }
    return {"id": comparison.passage_ids[position], "rank": position + 1, "judges": answers}


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
