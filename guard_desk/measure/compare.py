"""What differs between two decisions of one run: which passages changed, by which rule, at what cost, fix or break by label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from guard_desk.records.corpus import Labels
from guard_desk.records.decision import Place, Placement, Route
from guard_desk.records.trace import Trace

_IN_PROMPT = (Place.EVIDENCE, Place.CONFLICT)


class Verdict(StrEnum):
    """What a label says of a change."""

    FIX = "fix"
    BREAK = "break"
    NEUTRAL = "neutral"
    UNLABELLED = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A passage whose place changed.

    :param rule: the rule of its decision now.
    :param margin: of its decision now; None when not judged.
    :param tokens: added to the prompt (negative: taken out).
    """

    passage_id: str
    before: Placement
    after: Placement
    rule: str
    margin: float | None
    tokens: int
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All changes against a baseline, in pool order, with sums.

    :param route_changes: passages whose route changed (the flips); the others moved because of them.
    """

    changes: tuple[Change, ...]
    route_changes: int
    into_prompt: int
    out_of_prompt: int
    tokens: int
    fixes: int
    breaks: int


def right_route(labels: Labels) -> Route | None:
    """Where a passage with these labels belongs; None when they do not tell.

    The order is the route's own: injection, contradiction, relevance, evidence.
    """
    if labels.injection:
        return Route.EXCLUDE
    if labels.contradicts:
        return Route.CONFLICT
    if labels.relevant is False:
        return Route.EXCLUDE
    if labels.evidence is None:
        return None
    return Route.INCLUDE if labels.evidence else Route.EXCLUDE


def ledger(baseline: Trace, now: Trace, labels: Mapping[str, Labels]) -> Ledger:
    """Compare two decisions of the same pool.

    :param labels: by passage id; those of the run's question.
    """
    before, after = baseline.routed, now.routed
    changes = []
    for position, (was, placement) in enumerate(zip(baseline.prompt.places, now.prompt.places, strict=True)):
        if was.place is placement.place and (was.rule == placement.rule or placement.place is not Place.EXCLUDED):
            continue
        decision = after.decision(position)
        routes = (before.decision(position).route, decision.route)
        changes.append(
            Change(
                passage_id=placement.passage_id,
                before=was,
                after=placement,
                rule=str(decision.rule),
                margin=decision.margin,
                tokens=_tokens(placement) - _tokens(was),
                verdict=_verdict(*routes, labels.get(placement.passage_id)),
            )
        )
    return _summed(tuple(changes), int((before.routes != after.routes).sum()))


def _tokens(placement: Placement) -> int:
    return placement.tokens if placement.place in _IN_PROMPT else 0


def _verdict(before: Route, after: Route, labels: Labels | None) -> Verdict:
    right = right_route(labels) if labels is not None else None
    if right is None:
        return Verdict.UNLABELLED
    if (before is right) == (after is right):
        return Verdict.NEUTRAL
    return Verdict.FIX if after is right else Verdict.BREAK


def _summed(changes: tuple[Change, ...], route_changes: int) -> Ledger:
    inside = [(c.before.place in _IN_PROMPT, c.after.place in _IN_PROMPT) for c in changes]
    return Ledger(
        changes=changes,
        route_changes=route_changes,
        into_prompt=sum(1 for was, is_ in inside if is_ and not was),
        out_of_prompt=sum(1 for was, is_ in inside if was and not is_),
        tokens=sum(c.tokens for c in changes),
        fixes=sum(1 for c in changes if c.verdict is Verdict.FIX),
        breaks=sum(1 for c in changes if c.verdict is Verdict.BREAK),
    )
