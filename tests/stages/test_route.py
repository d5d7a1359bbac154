from __future__ import annotations

import json
from dataclasses import astuple, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.policy import Thresholds
from guard_desk.records.decision import Group, Route, Rule
from guard_desk.records.evidence import Answers
from guard_desk.stages.route import route, route_answers
from tests.builders import judged, singles

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "routing.jsonl").read_text(encoding="utf-8").split("\n") if line
]
ROUTE_NAMES = {"exclude": Route.EXCLUDE, "include": Route.INCLUDE, "conflicting_evidence": Route.CONFLICT, "conflict": Route.CONFLICT}

probabilities = st.floats(0, 1)
answers = st.builds(Answers, relevant=probabilities, evidence=probabilities, contradicts=probabilities, injection=probabilities)
thresholds = st.builds(
    Thresholds, injection_max=probabilities, contradicts_min=probabilities, relevant_min=probabilities, evidence_min=probabilities
)


def _answers(row: dict[str, float]) -> Answers:
    return Answers(
        relevant=row["is_relevant"],
        evidence=row["contains_answer_evidence"],
        contradicts=row["contradicts_query_premise"],
        injection=row["contains_prompt_injection"],
    )


@pytest.mark.parametrize("row", CASES, ids=[f"{row['set']}-{row['id']}" for row in CASES])
def test_routing_case(row: dict) -> None:
    decision = route_answers(_answers(row), Thresholds(**row["thresholds"]))
    assert decision.route is ROUTE_NAMES[row["route"]]
    if row.get("decided_by"):
        assert decision.rule == row["decided_by"]


@given(st.lists(st.one_of(st.none(), answers), max_size=30), thresholds)
def test_columns_agree_with_the_rule(rows: list[Answers | None], limits: Thresholds) -> None:
    ids = [f"p{i}" for i in range(len(rows))]
    routed = route(judged(ids, rows), singles(ids), limits)
    assert routed.decisions == tuple(route_answers(row, limits) for row in rows)


@given(answers, thresholds, probabilities)
def test_raising_the_evidence_threshold_never_includes_more(row: Answers, limits: Thresholds, other: float) -> None:
    low, high = sorted((limits.evidence_min, other))
    included = [route_answers(row, replace(limits, evidence_min=value)).route is Route.INCLUDE for value in (low, high)]
    assert included[0] >= included[1]


@given(answers, thresholds, probabilities)
def test_raising_the_injection_threshold_never_excludes_more(row: Answers, limits: Thresholds, other: float) -> None:
    low, high = sorted((limits.injection_max, other))
    hostile = [route_answers(row, replace(limits, injection_max=value)).rule is Rule.INJECTION for value in (low, high)]
    assert hostile[0] >= hostile[1]


def test_margin_is_value_minus_threshold_of_the_deciding_rule() -> None:
    decision = route_answers(Answers(relevant=0.9, evidence=0.5, contradicts=0.1, injection=0.1), Thresholds())
    assert (decision.rule, decision.value, decision.threshold) == (Rule.DEFAULT, 0.5, 0.55)
    assert decision.margin == pytest.approx(-0.05)


def test_not_judged_is_a_state_of_its_own() -> None:
    decision = route_answers(None, Thresholds())
    assert astuple(decision)[:2] == (Route.EXCLUDE, Rule.NOT_JUDGED)
    assert decision.value is None


def test_a_group_is_split_by_route_and_each_part_keeps_its_own_sources() -> None:
    good = Answers(relevant=0.9, evidence=0.9, contradicts=0.1, injection=0.1)
    hostile = replace(good, injection=0.99)
    ids = ["a", "b", "c"]
    group = Group(id="a", members=("a", "b", "c"), member_sources=("a.md", "evil.md", "c.md"))
    routed = route(judged(ids, [good, hostile, good]), replace(singles(ids), groups=(group,)), Thresholds())
    assert [(part.members, part.sources) for part in routed.groups] == [(("a", "c"), ("a.md", "c.md")), (("b",), ("evil.md",))]
