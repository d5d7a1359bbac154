"""Why a passage was routed as it was, and the smallest change of each threshold that would route it otherwise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from guard_desk.policy import Thresholds
from guard_desk.records.decision import Decision, Route, Rule
from guard_desk.records.evidence import Answers
from guard_desk.stages.route import route_answers


class StepState(StrEnum):
    """What happened at one rule."""

    PASSED = "passed"
    STOPPED = "stopped here"
    NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleStep:
    """One rule of the route, in order.

    :param threshold_name: field of `Thresholds` that it compares with.
    :param comparison: ">" or "<", as the rule compares the value with the threshold.
    """

    rule: Rule
    threshold_name: str
    value: float
    comparison: str
    threshold: float
    state: StepState


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """The smallest change of one threshold that changes the route.

    :param value: the threshold's new value; one that a spin box of two decimals can show, where such a one flips it.
    :param route: the route it would then have.
    """

    threshold_name: str
    value: float
    change: float
    route: Route


ORDER: tuple[tuple[Rule, str, str, str], ...] = (
    (Rule.INJECTION, "injection_max", "injection", ">"),
    (Rule.CONTRADICTS, "contradicts_min", "contradicts", ">"),
    (Rule.RELEVANT, "relevant_min", "relevant", "<"),
    (Rule.EVIDENCE, "evidence_min", "evidence", ">"),
)


def rule_trace(answers: Answers, thresholds: Thresholds) -> tuple[RuleStep, ...]:
    """The four rules in order: passed, stopped here, or not reached."""
    decided = route_answers(answers, thresholds).rule
    steps = []
    reached = True
    for rule, name, field, comparison in ORDER:
        stopped = rule is decided
        state = StepState.NOT_REACHED if not reached else StepState.STOPPED if stopped else StepState.PASSED
        steps.append(
            RuleStep(
                rule=rule,
                threshold_name=name,
                value=getattr(answers, field),
                comparison=comparison,
                threshold=getattr(thresholds, name),
                state=state,
            )
        )
        reached = reached and not stopped
    return tuple(steps)


def flips(answers: Answers, thresholds: Thresholds) -> tuple[Flip, ...]:
    """For each threshold that alone can change the route, the smallest change that does; nearest first."""
    now = route_answers(answers, thresholds)
    found = [flip for _, name, field, _ in ORDER if (flip := _flip(answers, thresholds, now, name, getattr(answers, field)))]
    return tuple(sorted(found, key=lambda flip: abs(flip.change)))


def _flip(answers: Answers, thresholds: Thresholds, now: Decision, name: str, value: float) -> Flip | None:
    current = getattr(thresholds, name)
    # All comparisons are strict, so a route changes at the answer itself or just beside it, on one side.
    for candidate in _near(value, current):
        if candidate == current or not 0 <= candidate <= 1:
            continue
        then = route_answers(answers, replace(thresholds, **{name: candidate}))
        if then.route is not now.route:
            return Flip(threshold_name=name, value=candidate, change=candidate - current, route=then.route)
    return None


def _near(value: float, current: float) -> list[float]:
    rounded = [
        math.floor(value * 100) / 100,
        math.ceil(value * 100) / 100,
        math.floor(value * 100) / 100 - 0.01,
        math.ceil(value * 100) / 100 + 0.01,
    ]
    exact = [value, math.nextafter(value, 0), math.nextafter(value, 1)]
    readable = sorted((round(candidate, 2) for candidate in rounded), key=lambda candidate: abs(candidate - current))
    return readable + exact
