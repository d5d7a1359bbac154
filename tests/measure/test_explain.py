from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from guard_desk.measure.explain import StepState, flips, rule_trace
from guard_desk.policy import Thresholds
from guard_desk.records.decision import Route
from guard_desk.records.evidence import Answers
from guard_desk.stages.route import route_answers

probabilities = st.floats(0, 1)
answers = st.builds(Answers, relevant=probabilities, evidence=probabilities, contradicts=probabilities, injection=probabilities)
limits = st.builds(
    Thresholds, injection_max=probabilities, contradicts_min=probabilities, relevant_min=probabilities, evidence_min=probabilities
)


@given(answers, limits)
def test_every_flip_flips(row: Answers, thresholds: Thresholds) -> None:
    now = route_answers(row, thresholds).route
    for flip in flips(row, thresholds):
        then = route_answers(row, replace(thresholds, **{flip.threshold_name: flip.value}))
        assert then.route is flip.route is not now


@given(answers, limits)
def test_at_most_one_rule_stops_and_none_after_it_is_reached(row: Answers, thresholds: Thresholds) -> None:
    states = [step.state for step in rule_trace(row, thresholds)]
    assert states.count(StepState.STOPPED) <= 1
    if StepState.STOPPED in states:
        assert set(states[states.index(StepState.STOPPED) + 1 :]) <= {StepState.NOT_REACHED}


def test_the_nearest_flip_is_one_that_a_spin_box_can_show() -> None:
    row = Answers(relevant=0.71, evidence=0.523, contradicts=0.1, injection=0.1)
    (nearest, *_) = flips(row, Thresholds())
    assert (nearest.threshold_name, nearest.value, nearest.route) == ("evidence_min", 0.52, Route.INCLUDE)


def test_a_hostile_passage_that_denies_the_premise_would_go_to_conflict() -> None:
    row = Answers(relevant=0.71, evidence=0.36, contradicts=0.9, injection=0.99)
    assert [(flip.threshold_name, flip.value, flip.route) for flip in flips(row, Thresholds())] == [("injection_max", 0.99, Route.CONFLICT)]
