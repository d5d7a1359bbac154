from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.measure.metrics import auroc, auroc_figure, f1, proportion

rows = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=40)


@given(rows)
def test_auroc_is_the_share_of_pairs_in_the_right_order(data: list[tuple[float, bool]]) -> None:
    positive = [score for score, label in data if label]
    negative = [score for score, label in data if not label]
    area = auroc([score for score, _ in data], [label for _, label in data])
    if not positive or not negative:
        assert math.isnan(area)
        return
    pairs = [1.0 if p > q else 0.5 if p == q else 0.0 for p in positive for q in negative]
    assert area == pytest.approx(sum(pairs) / len(pairs))


def test_wilson_interval_of_a_known_case() -> None:
    figure = proportion(9, 10)
    assert (figure.value, figure.n) == (0.9, 10)
    assert (figure.low, figure.high) == (pytest.approx(0.5958, abs=1e-3), pytest.approx(0.9821, abs=1e-3))


def test_nothing_measured_is_not_zero() -> None:
    assert math.isnan(proportion(0, 0).value)
    assert "-" in str(proportion(0, 0))


def test_bootstrap_interval_holds_the_figure() -> None:
    figure = auroc_figure([0.1, 0.4, 0.35, 0.8, 0.7, 0.2], [False, False, True, True, True, False], rounds=200)
    assert figure.low <= figure.value <= figure.high


def test_f1_of_nothing_to_find() -> None:
    assert f1(0, 0, 0) == 1.0
    assert f1(1, 1, 1) == 0.5
