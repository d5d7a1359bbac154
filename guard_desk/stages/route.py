"""Route: the four thresholds in order, first match wins, all comparisons strict.

injection > injection_max -> exclude; contradicts > contradicts_min -> conflict; relevant < relevant_min -> exclude;
evidence > evidence_min -> include; otherwise exclude. Injection comes first because it is a security decision;
contradiction before evidence because a passage that denies the premise usually also states something usable.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from guard_desk.policy import Thresholds
from guard_desk.records.decision import ROUTES, RULES, Decision, Group, Grouped, Route, Routed, Rule
from guard_desk.records.evidence import Answers, Judged, frozen_array

_CODE = {rule: np.int8(RULES.index(rule)) for rule in RULES}
_ROUTE_OF = {
    Rule.INJECTION: Route.EXCLUDE,
    Rule.CONTRADICTS: Route.CONFLICT,
    Rule.RELEVANT: Route.EXCLUDE,
    Rule.EVIDENCE: Route.INCLUDE,
    Rule.DEFAULT: Route.EXCLUDE,
    Rule.NOT_JUDGED: Route.EXCLUDE,
}
_ROUTE_CODES = np.array([ROUTES.index(_ROUTE_OF[rule]) for rule in RULES], dtype=np.int8)


def route_answers(answers: Answers | None, thresholds: Thresholds) -> Decision:
    """The route of one passage; the same rule as `route`.

    :param answers: None when not judged.
    """
    if answers is None:
        return Decision(route=Route.EXCLUDE, rule=Rule.NOT_JUDGED, value=None, threshold=None, margin=None)
    if answers.injection > thresholds.injection_max:
        return _decision(Rule.INJECTION, answers.injection, thresholds.injection_max)
    if answers.contradicts > thresholds.contradicts_min:
        return _decision(Rule.CONTRADICTS, answers.contradicts, thresholds.contradicts_min)
    if answers.relevant < thresholds.relevant_min:
        return _decision(Rule.RELEVANT, answers.relevant, thresholds.relevant_min)
    rule = Rule.EVIDENCE if answers.evidence > thresholds.evidence_min else Rule.DEFAULT
    return _decision(rule, answers.evidence, thresholds.evidence_min)


def _decision(rule: Rule, value: float, threshold: float) -> Decision:
    return Decision(route=_ROUTE_OF[rule], rule=rule, value=value, threshold=threshold, margin=value - threshold)


def route(judged: Judged, grouped: Grouped, thresholds: Thresholds) -> Routed:
    """Decide every pool passage and split the groups by route.

    :param judged: answers in pool order.
    :param thresholds: the ones in force (the policy's, or the judge's own).
    """
    rules, values, limits = _columns(judged.scores, thresholds)
    routes = _ROUTE_CODES[rules]
    return Routed(
        passage_ids=judged.passage_ids,
        routes=frozen_array(routes),
        rules=frozen_array(rules),
        values=frozen_array(values),
        limits=frozen_array(limits),
        groups=_split(grouped.groups, judged.passage_ids, routes),
        thresholds=thresholds,
    )


Columns = tuple[npt.NDArray[np.int8], npt.NDArray[np.float64], npt.NDArray[np.float64]]


def accept_all(grouped: Grouped, passage_ids: Sequence[str]) -> Routed:
    """Every passage accepted, for pools that nobody judged (a search).

    :param passage_ids: the pool, in its order.
    """
    count = len(passage_ids)
    return Routed(
        passage_ids=tuple(passage_ids),
        routes=np.full(count, ROUTES.index(Route.INCLUDE), dtype=np.int8),
        rules=np.full(count, RULES.index(Rule.EVIDENCE), dtype=np.int8),
        values=np.ones(count),
        limits=np.zeros(count),
        groups=grouped.groups,
        thresholds=Thresholds(),
    )


def _columns(scores: npt.NDArray[np.float64], thresholds: Thresholds) -> Columns:
    relevant, evidence, contradicts, injection = scores.T
    rules = np.full(len(scores), _CODE[Rule.DEFAULT])
    # Written from the last rule to the first, so that the first match wins. NaN compares false everywhere.
    rules[evidence > thresholds.evidence_min] = _CODE[Rule.EVIDENCE]
    rules[relevant < thresholds.relevant_min] = _CODE[Rule.RELEVANT]
    rules[contradicts > thresholds.contradicts_min] = _CODE[Rule.CONTRADICTS]
    rules[injection > thresholds.injection_max] = _CODE[Rule.INJECTION]
    rules[np.isnan(injection)] = _CODE[Rule.NOT_JUDGED]
    # One row a rule, in the order of RULES: the answer that the rule reads and its threshold.
    read = np.stack([injection, contradicts, relevant, evidence, evidence, injection])
    limit = np.array(
        [
            thresholds.injection_max,
            thresholds.contradicts_min,
            thresholds.relevant_min,
            thresholds.evidence_min,
            thresholds.evidence_min,
            math.nan,
        ]
    )
    return rules, read[rules, np.arange(len(rules))], limit[rules]


def _split(groups: Sequence[Group], ids: Sequence[str], routes: npt.NDArray[np.int8]) -> tuple[Group, ...]:
    """Members that are routed apart leave the group: a hostile near-copy never rides in on a clean one."""
    if len(groups) == len(ids):  # each passage is a group of its own
        return tuple(groups)
    position = {passage_id: index for index, passage_id in enumerate(ids)}
    parts: list[Group] = []
    for group in groups:
        codes = [int(routes[position[member]]) for member in group.members]
        if len(set(codes)) == 1:
            parts.append(group)
            continue
        parts.extend(_part(group, codes, code) for code in dict.fromkeys(codes))
    return tuple(sorted(parts, key=lambda part: position[part.id]))


def _part(group: Group, codes: Sequence[int], code: int) -> Group:
    kept = [index for index, its in enumerate(codes) if its == code]
    members = tuple(group.members[index] for index in kept)
    return Group(id=members[0], members=members, member_sources=tuple(group.member_sources[index] for index in kept))
