from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.measure.strips import STRIP_RULES, Strip, make_strips, stack
from guard_desk.policy import Thresholds
from guard_desk.records.decision import ROUTES, RULES, Route, Rule
from guard_desk.records.evidence import Answers
from guard_desk.stages.route import route
from tests.builders import judged, singles

# Coarse answers, so that ties with thresholds are frequent, mixed with fine ones.
probabilities = st.one_of(st.integers(0, 10).map(lambda n: n / 10), st.floats(0, 1))
answers = st.builds(Answers, relevant=probabilities, evidence=probabilities, contradicts=probabilities, injection=probabilities)
pools = st.lists(st.one_of(answers, st.none()), min_size=0, max_size=12)
limits = st.builds(
    Thresholds, injection_max=probabilities, contradicts_min=probabilities, relevant_min=probabilities, evidence_min=probabilities
)


def _routes(pool: list[Answers | None], thresholds: Thresholds) -> tuple[list[Rule], list[Route]]:
    ids = [f"p{number}" for number in range(len(pool))]
    routed = route(judged(ids, pool), singles(ids), thresholds)
    return [RULES[code] for code in routed.rules], [ROUTES[code] for code in routed.routes]


def _strips(pool: list[Answers | None], thresholds: Thresholds, baseline: Thresholds | None = None) -> tuple[Strip, ...]:
    return make_strips(judged([f"p{number}" for number in range(len(pool))], pool).scores, thresholds, baseline)


@given(pools, limits)
def test_who_a_rule_holds_for_is_who_the_route_decided_by_it(pool: list[Answers | None], thresholds: Thresholds) -> None:
    rules, _ = _routes(pool, thresholds)
    order = [rule.rule for rule in STRIP_RULES]
    for at, strip in enumerate(_strips(pool, thresholds)):
        assert [bool(held) for held in strip.holds] == [rule is strip.rule.rule for rule in rules]
        assert [bool(on) for on in strip.active] == [rule not in (*order[:at], Rule.NOT_JUDGED) for rule in rules]
        assert strip.left + strip.right + strip.inert + strip.not_judged == len(pool)
        assert strip.not_judged == rules.count(Rule.NOT_JUDGED)
        assert (strip.right if strip.rule.above else strip.left) == rules.count(strip.rule.rule)


@given(pools, limits, limits)
def test_flips_are_the_routes_that_change_on_the_way_back_to_the_baseline(
    pool: list[Answers | None], thresholds: Thresholds, baseline: Thresholds
) -> None:
    _, now = _routes(pool, thresholds)
    for strip in _strips(pool, thresholds, baseline):
        name = strip.rule.name
        _, was = _routes(pool, replace(thresholds, **{name: getattr(baseline, name)}))
        changed = [(a, b) for a, b in zip(was, now, strict=True) if a is not b]
        assert [bool(flip) for flip in strip.flipped] == [a is not b for a, b in zip(was, now, strict=True)]
        assert strip.flips == len(changed)
        assert strip.gained == sum(1 for a, _ in changed if a is Route.EXCLUDE)
        assert strip.lost == sum(1 for _, b in changed if b is Route.EXCLUDE)


@given(pools, limits, probabilities)
def test_nothing_flips_inside_the_bracket(pool: list[Answers | None], thresholds: Thresholds, share: float) -> None:
    _, now = _routes(pool, thresholds)
    for strip in _strips(pool, thresholds):
        low, high = strip.stable
        inside = low + share * (high - low)
        if low < inside < high:
            assert _routes(pool, replace(thresholds, **{strip.rule.name: inside}))[1] == now


@given(pools, limits)
def test_the_jump_keys_land_where_the_next_route_has_changed(pool: list[Answers | None], thresholds: Thresholds) -> None:
    _, now = _routes(pool, thresholds)
    for strip in _strips(pool, thresholds):
        for landing, near in ((strip.previous_flip(), strip.below), (strip.next_flip(), strip.above)):
            if landing is None or near is None:
                continue
            assert 0 <= landing <= 1
            _, then = _routes(pool, replace(thresholds, **{strip.rule.name: landing}))
            assert then[near.position] is not now[near.position]
        # One step of the slider short of the landing place nothing has changed yet, unless the threshold stands there already.
        if (landing := strip.next_flip()) is not None and (short := (round(landing * 1000) - 1) / 1000) > strip.threshold:
            assert _routes(pool, replace(thresholds, **{strip.rule.name: short}))[1] == now
        if (landing := strip.previous_flip()) is not None and (short := (round(landing * 1000) + 1) / 1000) < strip.threshold:
            assert _routes(pool, replace(thresholds, **{strip.rule.name: short}))[1] == now


def test_a_passage_on_the_threshold_is_not_held() -> None:
    row = Answers(relevant=0.45, evidence=0.55, contradicts=0.7, injection=0.7)
    injection, contradicts, relevant, evidence = _strips([row], Thresholds())
    assert [(strip.left, strip.right) for strip in (injection, contradicts, relevant, evidence)] == [(1, 0), (1, 0), (0, 1), (1, 0)]


def test_an_earlier_rule_leaves_nothing_for_a_later_one() -> None:
    hostile = Answers(relevant=0.9, evidence=0.9, contradicts=0.9, injection=0.9)
    injection, *later = _strips([hostile], Thresholds())
    assert injection.active.all()
    assert not any(strip.active.any() for strip in later)
    assert [strip.inert for strip in later] == [1, 1, 1]


def test_an_injection_that_would_be_left_out_anyway_is_no_flip() -> None:
    row = Answers(relevant=0.1, evidence=0.1, contradicts=0.1, injection=0.9)
    (injection, *_) = _strips([row], Thresholds(), Thresholds(injection_max=0.95))
    assert injection.holds.all()
    assert (injection.flips, injection.below, injection.above) == (0, None, None)


def test_an_empty_pool_has_four_empty_strips() -> None:
    assert [(strip.left, strip.right, strip.stable) for strip in _strips([], Thresholds())] == [(0, 0, (0.0, 1.0))] * 4


@given(st.lists(st.one_of(probabilities, st.just(float("nan"))), max_size=40))
def test_dots_of_a_column_stand_at_different_heights(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    heights = stack(array, bins=20, rows=5)
    known = ~np.isnan(array)
    assert (np.isnan(heights) == np.isnan(array)).all()
    assert ((heights[known] > 0) & (heights[known] < 1)).all()
    places = list(zip(np.minimum(np.floor(array[known] * 20), 19), heights[known], strict=True))
    assert len(set(places)) == len(places)
