from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score as sklearn_f1
from sklearn.metrics import roc_auc_score, roc_curve

from guard_desk.measure.judge_metrics import (
    Resampled,
    always_yes_f1,
    area,
    calibration_error,
    either_way,
    f1_score,
    majority_accuracy,
    precision,
    recall_at,
    share_flagged,
)

rows = st.lists(st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans()), min_size=4, max_size=80)


def arrays(data: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for score, _ in data]), np.array([label for _, label in data])


@given(rows, st.sampled_from([0.0, 0.01, 0.05, 0.2, 0.5]))
def test_recall_at_is_the_best_point_of_the_curve_left_of_the_limit(data: list[tuple[float, bool]], limit: float) -> None:
    scores, labels = arrays(data)
    if labels.all() or not labels.any():
        assert math.isnan(recall_at(scores, labels, limit))
        return
    false, true, _ = roc_curve(labels, scores, drop_intermediate=False)
    assert recall_at(scores, labels, limit) == pytest.approx(max(t for f, t in zip(false, true, strict=True) if f <= limit + 1e-12))


@given(rows)
def test_area_and_f1_agree_with_another_library(data: list[tuple[float, bool]]) -> None:
    scores, labels = arrays(data)
    flagged = scores > 0.5
    if labels.any():
        assert f1_score(flagged, labels) == pytest.approx(sklearn_f1(labels, flagged, zero_division=0))
    if labels.any() and not labels.all():
        assert area(scores, labels) == pytest.approx(roc_auc_score(labels, scores))
        assert either_way(scores, labels) == pytest.approx(max(roc_auc_score(labels, scores), roc_auc_score(labels, -scores)))


def test_one_in_a_hundred_is_one_of_two_hundred_rounded_down() -> None:
    scores = np.concatenate([np.linspace(0.0, 0.99, 150), [0.995, 0.985]])
    labels = np.concatenate([np.zeros(150, dtype=bool), [True, True]])
    # One negative (.99) may stand above; the next (.98336) sets the cut.
    assert recall_at(scores, labels) == 1.0
    assert recall_at(scores[1:], labels[1:], 0.0) == 0.5


def test_calibration_error_of_a_known_case() -> None:
    # Bin .2-.3: two rows, mean .25, half are positive: .25. Bin .9-1.0: two rows, mean .95, all are positive: .05.
    probabilities, labels = np.array([0.2, 0.299999, 0.9, 1.0]), np.array([True, False, True, True])
    assert calibration_error(probabilities, labels) == pytest.approx(0.5 * 0.25 + 0.5 * 0.05, abs=1e-5)
    assert calibration_error(np.array([0.0, 1.0]), np.array([False, True])) == 0.0
    assert calibration_error(np.array([1.0]), np.array([False])) == 1.0
    assert math.isnan(calibration_error(np.zeros(0), np.zeros(0, dtype=bool)))


@given(rows)
def test_calibration_error_is_the_sum_over_bins(data: list[tuple[float, bool]]) -> None:
    scores, labels = arrays(data)
    bins: dict[int, list[tuple[float, bool]]] = {}
    for score, label in data:
        bins.setdefault(min(int(score * 10), 9), []).append((score, label))
    parts = (len(inside) * abs(np.mean([s for s, _ in inside]) - np.mean([y for _, y in inside])) for inside in bins.values())
    assert calibration_error(scores, labels) == pytest.approx(sum(parts) / len(data))


def test_shares_without_rows_are_not_zero() -> None:
    nothing = np.zeros(0, dtype=bool)
    assert all(math.isnan(value) for value in (precision(nothing, nothing), share_flagged(nothing, nothing), f1_score(nothing, nothing)))
    assert math.isnan(majority_accuracy(nothing))
    assert math.isnan(area(np.array([1.0]), np.array([True])))


def test_trivial_answers() -> None:
    labels = np.array([True, False, False, False])
    assert majority_accuracy(labels) == 0.75
    assert always_yes_f1(labels) == pytest.approx(0.4)
    assert precision(np.array([True, True, False, False]), labels) == 0.5
    assert share_flagged(np.array([True, True, False, False]), ~labels) == pytest.approx(1 / 3)


def test_rows_of_one_cluster_come_together() -> None:
    drawn = Resampled(["a", "a", "b", "b", "b", "c"], rounds=50)
    seen = []
    drawn.figure(lambda index: float(seen.append(sorted(index.tolist())) or len(index)))
    assert drawn.clusters == 3
    assert seen[0] == [0, 1, 2, 3, 4, 5]
    for index in seen[1:]:
        assert index.count(0) == index.count(1)
        assert index.count(2) == index.count(3) == index.count(4)
    assert len({tuple(index) for index in seen}) > 5


def test_an_interval_over_clusters_is_wider_than_over_rows_that_repeat() -> None:
    random = np.random.default_rng(1)
    values = np.repeat(random.random(20), 10)
    clustered = Resampled([str(n // 10) for n in range(200)]).figure(lambda index: float(values[index].mean()))
    single = Resampled([str(n) for n in range(200)]).figure(lambda index: float(values[index].mean()))
    assert clustered.high - clustered.low > 2 * (single.high - single.low)
    assert clustered.value == single.value == pytest.approx(values.mean())


def test_draws_are_shared_so_differences_are_paired() -> None:
    drawn = Resampled([str(n) for n in range(30)], rounds=100)
    values = np.random.default_rng(2).random(30)
    gap = drawn.figure(lambda index: float((values[index] + 0.1).mean() - values[index].mean()))
    assert (gap.low, gap.high) == (pytest.approx(0.1), pytest.approx(0.1))


def test_nothing_to_resample() -> None:
    figure = Resampled([]).figure(lambda index: 1.0)
    assert math.isnan(figure.value)
    assert figure.n == 0
