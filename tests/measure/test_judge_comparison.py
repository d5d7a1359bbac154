from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.errors import InputError
from guard_desk.measure.judge_comparison import JudgeComparison, compare_judged, yes_side
from guard_desk.measure.metrics import kappa, pearson, spearman
from guard_desk.policy import Thresholds
from guard_desk.records.corpus import Labels, Query
from guard_desk.records.decision import Route, Rule
from guard_desk.records.evidence import Answers, Question
from guard_desk.stages.route import route_answers
from tests.builders import judged

LOW = Thresholds(injection_max=0.5, contradicts_min=0.5, relevant_min=0.1, evidence_min=0.2)
IDS = ("a", "b", "c", "d")


def evidence(*values: float | None) -> list[Answers | None]:
    return [None if value is None else Answers(relevant=0.9, evidence=value, contradicts=0.1, injection=0.0) for value in values]


def compared(
    left: Sequence[float | None], right: Sequence[float | None], labels: dict[str, Labels] | None = None, limits: Thresholds = LOW
) -> JudgeComparison:
    pools = judged(IDS, evidence(*left)), judged(IDS, evidence(*right), limits)
    return compare_judged(Query(text="?"), pools, ["one", "two"], labels=labels, rounds=50)


def test_sides_are_those_of_each_judges_own_threshold() -> None:
    pair = compared([0.9, 0.6, 0.3, 0.1], [0.3, 0.25, 0.21, 0.1]).pair("one", "two")
    row = pair.questions[list(Question).index(Question.EVIDENCE)]
    assert (row.left_threshold, row.right_threshold) == (0.55, 0.2)
    assert (row.both, row.left_only, row.right_only, row.neither) == (2, 0, 1, 1)
    assert (row.agreement.value, row.agreement.n) == (0.75, 4)
    # po = 3/4; pe = 2/4 * 3/4 + 2/4 * 1/4 = 1/2
    assert row.kappa.value == pytest.approx(0.5)
    assert row.spearman.value == pytest.approx(1)
    (change,) = pair.changes
    assert (change.passage_id, change.rank) == ("c", 3)
    assert (change.before.route, change.before.rule, change.before.value) == (Route.EXCLUDE, Rule.DEFAULT, 0.3)
    assert (change.after.route, change.after.rule, change.after.threshold) == (Route.INCLUDE, Rule.EVIDENCE, 0.2)
    assert pair.route_agreement.value == 0.75
    assert pair.route_kappa.value == pytest.approx(0.5)


def test_a_passage_that_one_judge_failed_on_is_a_change_but_counts_in_no_figure() -> None:
    comparison = compared([0.9, 0.9, 0.1, 0.1], [0.9, None, 0.1, 0.1])
    (pair,) = comparison.pairs
    assert pair.compared == 3
    assert pair.route_agreement.value == 1
    assert [(change.passage_id, change.after.rule) for change in pair.changes] == [("b", Rule.NOT_JUDGED)]
    assert [column.not_judged for column in comparison.judges] == [0, 1]


def test_figures_that_are_not_defined_are_nan() -> None:
    (pair,) = compared([0.9] * 4, [0.9] * 4).pairs
    row = pair.questions[1]
    assert row.agreement.value == 1
    assert math.isnan(row.kappa.value)
    assert math.isnan(row.pearson.value)
    (nothing,) = compared([None] * 4, [0.9] * 4).pairs
    assert nothing.compared == nothing.questions[0].agreement.n == 0
    assert math.isnan(nothing.questions[0].agreement.value)


def test_labels_give_each_judges_auroc() -> None:
    labels = {name: Labels(passage_id=name, evidence=name in "ab") for name in "abc"} | {"d": Labels(passage_id="d", relevant=True)}
    one, two = compared([0.9, 0.6, 0.3, 0.1], [0.1, 0.2, 0.3, 0.9], labels).judges
    found = {figure.question: figure for figure in one.figures}
    assert set(found) == {Question.EVIDENCE, Question.RELEVANT}
    assert (found[Question.EVIDENCE].auroc.value, found[Question.EVIDENCE].positive, found[Question.EVIDENCE].negative) == (1, 2, 1)
    assert math.isnan(found[Question.RELEVANT].auroc.value)
    assert two.figures[1].auroc.value == 0
    assert compared([0.9] * 4, [0.9] * 4).judges[0].figures == ()


def test_three_judges_make_three_pairs() -> None:
    pools = [judged(IDS, evidence(0.9, 0.6, 0.3, 0.1)) for _ in range(3)]
    comparison = compare_judged(Query(text="?"), pools, ["x", "y", "z"], rounds=5)
    assert [(pair.left, pair.right) for pair in comparison.pairs] == [("x", "y"), ("x", "z"), ("y", "z")]
    with pytest.raises(KeyError):
        comparison.pair("y", "x")


def test_what_cannot_be_compared() -> None:
    pool = judged(IDS, evidence(0.9, 0.6, 0.3, 0.1))
    with pytest.raises(InputError, match="one judge alone"):
        compare_judged(Query(text="?"), [pool], ["x"])
    with pytest.raises(InputError, match="'x' is named twice"):
        compare_judged(Query(text="?"), [pool, pool], ["x", "x"])
    with pytest.raises(InputError, match="different passages"):
        compare_judged(Query(text="?"), [pool, judged(IDS[:1], evidence(0.9))], ["x", "y"])


_share = st.sampled_from([0.0, 0.1, 0.2, 0.45, 0.5, 0.55, 0.7, 0.71, 1.0])


@given(st.builds(Answers, relevant=_share, evidence=_share, contradicts=_share, injection=_share))
def test_a_side_is_what_the_route_rule_acts_on(answers: Answers) -> None:
    limits = Thresholds()
    yes = {q: bool(yes_side(q, np.array([getattr(answers, q)]), limits)[0][0]) for q in Question}
    if yes[Question.INJECTION]:
        rule = Rule.INJECTION
    elif yes[Question.CONTRADICTS]:
        rule = Rule.CONTRADICTS
    elif not yes[Question.RELEVANT]:
        rule = Rule.RELEVANT
    else:
        rule = Rule.EVIDENCE if yes[Question.EVIDENCE] else Rule.DEFAULT
    assert route_answers(answers, limits).rule is rule


def test_kappa_of_a_table_by_hand() -> None:
    # Marginals 120 / 60 / 20 and 100 / 60 / 40 of 200: the shares by chance are those of the product of the marginals.
    table = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    left = np.repeat([0, 0, 0, 1, 1, 1, 2, 2, 2], table.ravel())
    right = np.repeat([0, 1, 2] * 3, table.ravel())
    observed, expected = 140 / 200, (120 * 100 + 60 * 60 + 20 * 40) / 200**2
    assert kappa(left, right) == pytest.approx((observed - expected) / (1 - expected))
    assert kappa(left, right) == pytest.approx(0.492, abs=0.001)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_kappa_is_symmetric_and_at_most_one(rows: list[tuple[int, int]]) -> None:
    left, right = zip(*rows, strict=True)
    value = kappa(left, right)
    assert math.isnan(value) or value <= 1
    assert value == pytest.approx(kappa(right, left), nan_ok=True)


def test_correlations() -> None:
    assert spearman([1, 2, 3, 4], [1, 10, 100, 1000]) == pytest.approx(1)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert pearson([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert all(math.isnan(value) for value in (pearson([1], [1]), spearman([], []), pearson([1, 1], [1, 2])))
