"""Attribute: which support of the answer lies outside the prompt, and which disagreement is only a hostile passage's.

Pure; runs at each move of a slider.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from guard_desk.records.answer import Attributed, ClaimState, EvidenceSpan, Finding, Kind, Label, Verified
from guard_desk.records.corpus import Span
from guard_desk.records.decision import Place, Placement, Prompt, Rule
from guard_desk.text.support.findings import action_of, counted, merged, severity_of

_INSIDE = frozenset({Place.EVIDENCE, Place.CONFLICT})
_WORDS = {
    Place.EXCLUDED: "excluded by the rule {rule}",
    Place.NOT_JUDGED: "not judged",
    Place.MERGED: "merged into {into}, which is not in the prompt",
    Place.CAPPED: "capped",
    Place.BELOW_FLOOR: "below the similarity floor",
    Place.OVER_K: "over the number of passages",
    Place.OVER_BUDGET: "over the token budget",
}
_MOST_NAMED = 3


def attribute(verified: Verified, prompt: Prompt) -> Attributed:
    """The findings with those added whose only support lies outside the prompt.

    A merged passage counts as inside when its representative is in the prompt. A conflict goes when only passages that are
    excluded as injections disagree: a hostile passage must not make a true sentence look disputed.

    :param verified: the answer checked against the whole pool.
    :param prompt: what the model was shown, with the place of every pool passage.
    """
    inside = _inside(prompt)
    places = {placement.passage_id: placement for placement in prompt.places}
    outside = tuple(_outside(verified, inside, places))
    hostile = frozenset(i for i, placement in places.items() if placement.place is Place.EXCLUDED and placement.rule == Rule.INJECTION)
    heard = (item for item in verified.spans if not _only_hostile(item, verified, hostile))
    spans = merged((*heard, *outside))
    kept = tuple(item for item in spans if item.kind is Kind.OUTSIDE_PROMPT)
    counts = counted(spans)
    return Attributed(action=action_of(counts), spans=spans, outside=kept, counts=counts)


def _only_hostile(finding: Finding, verified: Verified, hostile: frozenset[str]) -> bool:
    """Whether a conflict about a value has an honest passage on the answer's side and none on the other."""
    if finding.label is not Label.CONFLICT or not hostile:
        return False
    span = Span(finding.start, finding.end)
    stated = (support for support in verified.supports if span.overlaps(Span(support.start, support.end)))
    agreeing = {item.passage_id for support in stated for item in support.evidence}
    against = {item.passage_id for item in finding.evidence} - agreeing
    return bool(against) and against <= hostile and not agreeing <= hostile


def _inside(prompt: Prompt) -> frozenset[str]:
    """Ids of the passages whose words the model has seen."""
    shown = {placement.passage_id for placement in prompt.places if placement.place in _INSIDE}
    shown.update(block.passage_id for block in prompt.blocks)
    merged_in = {placement.passage_id for placement in prompt.places if placement.place is Place.MERGED and placement.into in shown}
    return frozenset(shown | merged_in)


def _outside(verified: Verified, inside: frozenset[str], places: Mapping[str, Placement]) -> Iterator[Finding]:
    """Supported claims and values of which no supporting passage is inside; a value inside such a claim is part of it."""
    covered: list[Span] = []
    for claim in verified.claims:
        if claim.state is ClaimState.SUPPORTED and _is_outside(claim.evidence, inside):
            covered.append(Span(claim.start, claim.end))
            yield _finding(covered[-1], claim.text, claim.evidence, places)
    for support in verified.supports:
        span = Span(support.start, support.end)
        if _is_outside(support.evidence, inside) and not any(span.overlaps(other) for other in covered):
            yield _finding(span, support.text, support.evidence, places)


def _is_outside(evidence: Sequence[EvidenceSpan], inside: frozenset[str]) -> bool:
    return bool(evidence) and all(item.passage_id not in inside for item in evidence)


def _finding(span: Span, text: str, evidence: Sequence[EvidenceSpan], places: Mapping[str, Placement]) -> Finding:
    ids = list(dict.fromkeys(item.passage_id for item in evidence))
    named = "; ".join(f"{passage_id} ({_reason(places.get(passage_id))})" for passage_id in ids[:_MOST_NAMED])
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return Finding(
        start=span.start,
        end=span.end,
        text=text,
        kind=Kind.OUTSIDE_PROMPT,
        label=Label.OUTSIDE_PROMPT,
        severity=severity_of(Kind.OUTSIDE_PROMPT),
        confidence=1.0,
        evidence=tuple(_first_of_each(evidence)),
        note=f"supported only outside the prompt: {named}{more}",
    )


def _first_of_each(evidence: Iterable[EvidenceSpan]) -> Iterator[EvidenceSpan]:
    seen: set[str] = set()
    for item in evidence:
        if item.passage_id not in seen:
            seen.add(item.passage_id)
            yield item


def _reason(placement: Placement | None) -> str:
    if placement is None:
        return "not in the pool"
    return _WORDS.get(placement.place, placement.name).format(rule=placement.rule or "default", into=placement.into)
