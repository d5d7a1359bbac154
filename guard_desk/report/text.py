"""A run in plain text: what a person reads on a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from guard_desk.measure.answer_rounds import ESTIMATED, count_words, outcome_words, tokens_words
from guard_desk.measure.checked import unread_words
from guard_desk.measure.leaders import leader_words
from guard_desk.records.answer import Finding, Generated
from guard_desk.records.decision import Candidate, Placement
from guard_desk.records.trace import Trace

WIDTH = 110


def summary(trace: Trace) -> str:
    """The whole run in some forty lines: stages, places, candidates, answer, findings."""
    sections = (_head(trace), _stages(trace), _passages(trace), _candidates(trace), _answer(trace), _findings(trace))
    return "\n\n".join(section for section in sections if section) + "\n"


def printable(text: str, limit: int = 0) -> str:
    """One line without control characters, which could rewrite a terminal; cut to `limit` characters when given."""
    line = " ".join("".join(ch if _harmless(ch) else " " for ch in text).split())
    return line if not limit or len(line) <= limit else line[: limit - 1] + "…"


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _head(trace: Trace) -> str:
    models = "; ".join(f"{m.name}{f' on {m.device}' if m.device else ''}" for m in trace.models if m.name != "none")
    lines = [f"Question   {printable(trace.query.text)}", f"Corpus     {trace.corpus_path or 'given in code'}", f"Models     {models}"]
    lines += [f"Note       {printable(m.detail)}" for m in trace.models if m.detail]
    if trace.stale:
        lines.append(f"Stale      {', '.join(trace.stale)}: run again to bring it up to date")
    return "\n".join(lines)


def _stages(trace: Trace) -> str:
    places = trace.prompt
    judged = sum(1 for judgement in trace.judged.judgements if judgement.answers is not None)
    cached = sum(1 for judgement in trace.judged.judgements if judgement.cached)
    merged = len(trace.grouped.dropped)
    rows = (
        ("filter", trace.filtered.summary),
        ("retrieve", f"{len(trace.retrieved.hits)} of {trace.retrieved.considered} passages"),
        ("judge", f"{judged} judged ({cached} from the store), {len(trace.judged.judgements) - judged} not judged"),
        ("dedup", f"{len(trace.grouped.groups)} groups, {merged} merged, {len(trace.grouped.refusals)} near pairs kept apart"),
        ("route", f"evidence {_routed(trace, 'include')}, conflict {_routed(trace, 'conflict')}, excluded {_routed(trace, 'exclude')}"),
        ("thin", _thin_line(trace)),
        ("prompt", f"{len(places.blocks)} passages, {places.passage_tokens} of {places.budget_tokens} tokens ({places.encoding})"),
        ("generate", _written(trace.generated)),
        ("verify", _checked(trace)),
    )
    seconds = {timing.stage: timing.seconds for timing in trace.timings}
    return "\n".join(f"{name:<10} {seconds.get('assemble' if name == 'prompt' else name, 0):7.3f} s  {text}" for name, text in rows)


def _written(generated: Generated) -> str:
    if generated.failure:
        return "failed, no answer"
    if generated.text is None:
        return "no generator was chosen"
    if generated.given:
        return "the answer was given"
    took = tokens_words(generated)
    return f"{printable(generated.generator.name, 40)}{f', {took}' if took else ''}"


def _checked(trace: Trace) -> str:
    if trace.generated.failure:
        return "skipped: there is no answer"
    if trace.verified.failure:
        return "failed, the answer was not checked"
    return "no answer to check" if trace.generated.text is None else f"{trace.attributed.action}: {_counts(trace)}"


def _routed(trace: Trace, route: str) -> int:
    return sum(1 for decision in trace.routed.decisions if decision.route == route)


def _thin_line(trace: Trace) -> str:
    thinned = trace.thinned
    if not thinned.candidates:
        return "no line answers the question"
    values = f"{len(thinned.candidates)} {'value' if len(thinned.candidates) == 1 else 'values'}"
    return f"{printable(leader_words(trace))}, {values}, {'conflict, ' if thinned.conflict else ''}{len(thinned.dropped)} capped"


def _counts(trace: Trace) -> str:
    counts = trace.attributed.counts
    return f"{counts.high} high, {counts.medium} medium, {counts.low} low"


def _passages(trace: Trace) -> str:
    hits = {hit.passage_id: hit for hit in trace.retrieved.hits}
    order = {"evidence": 0, "conflict": 1}
    shown = sorted(trace.prompt.places, key=lambda p: (order.get(p.place, 2), hits[p.passage_id].rank))
    lines = ["rank  similarity  place                passage"]
    lines += [_passage_line(placement, hits[placement.passage_id].rank, hits[placement.passage_id].similarity) for placement in shown]
    return "\n".join(lines)


def _passage_line(placement: Placement, rank: int, similarity: float) -> str:
    row = f"{rank:>4}  {similarity:>10.3f}  {placement.name:<20} {printable(placement.passage_id, 30):<14}  {printable(placement.detail)}"
    return row.rstrip() if len(row) <= WIDTH else row[: WIDTH - 1] + "…"


def _candidates(trace: Trace) -> str:
    """The best values of each part of the question; a part that no line answers is told."""
    thinned = trace.thinned
    if not thinned.candidates:
        return ""
    if len(thinned.parts) < 2:
        return "\n".join(["score   candidate value", *_values(thinned.candidates[:5])])
    lines = []
    for number, part in enumerate(thinned.parts):
        found = thinned.of_part(number)
        lines += [f"score   candidate value for “{printable(part.span.of(trace.query.text), 60)}”", *_values(found[:5])]
        lines += [] if found else ["    -   no line answers this part"]
    return "\n".join(lines)


def _values(candidates: Iterable[Candidate]) -> Iterator[str]:
    for candidate in candidates:
        states = [line.passage_id for line in candidate.lines if line.stance == "states" and not line.capped]
        yield f"{candidate.score:5.2f}   {printable(candidate.value, 40)}  from {_some(states)}"


def _some(ids: Sequence[str], limit: int = 4) -> str:
    return (
        ", ".join(printable(i, 24) for i in ids[:limit]) + (f" and {len(ids) - limit} more" if len(ids) > limit else "")
        or "no counted line"
    )


def _answer(trace: Trace) -> str:
    generated = trace.generated
    if generated.text is None and not generated.failure:
        return ""
    body = textwrap.wrap(printable(generated.failure or generated.text or ""), WIDTH - 11, max_lines=12, placeholder=" …") or ["(empty)"]
    head = "No answer" if generated.failure else "Answer"
    told = [f"{head if i == 0 else '':<11}{line}" for i, line in enumerate(body)]
    return "\n".join(told + list(_rounds(generated)))


def _rounds(generated: Generated) -> Iterator[str]:
    """One line a round, and what came of them."""
    for number, item in enumerate(generated.rounds, 1):
        count = f"{len(item.passage_ids)} passage{'s' if len(item.passage_ids) != 1 else ''}"
        state = ", the same as before" if item.same else ""
        tokens = f"{count_words(item.prompt_tokens, item.estimated)} + {count_words(item.answer_tokens, item.estimated)} tokens"
        yield f"{f'Round {number}':<11}{count}, {tokens}: {printable(item.text, 60)}{state}"
    for words in (printable(outcome_words(generated)), ESTIMATED if generated.estimated else ""):
        if words:
            yield f"{'':<11}{words}"


def _findings(trace: Trace) -> str:
    """One line a finding; that nothing was checked stands above, with why there is no answer."""
    spans: Iterable[Finding] = () if trace.generated.failure else trace.attributed.spans
    unread = unread_words(trace.verified)
    lines = [f"{'unread':<7} {line}" for line in textwrap.wrap(printable(unread), WIDTH - 8)] if unread else []
    lines += (
        f"{span.severity:<7} {span.kind:<14} {span.start:>5}-{span.end:<5} {printable(span.text, 40)!r}  {printable(span.note, 70)}"
        for span in spans
    )
    return "\n".join(lines)
