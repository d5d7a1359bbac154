from __future__ import annotations

import math

import pytest

from guard_desk.measure.shares import clustered, pooled, share


def test_shares() -> None:
    assert share([True, False]).value == 0.5
    assert math.isnan(share([]).value)
    assert (pooled([(1, 2), (0, 2), (0, 0)]).value, pooled([(1, 2), (0, 2)]).n) == (0.25, 4)


def test_an_interval_over_clusters_is_wider_than_over_things() -> None:
    flags = [(str(number), number % 2 == 0) for number in range(20) for _ in range(10)]
    over_clusters, over_things = clustered(flags), share(hit for _, hit in flags)
    assert over_clusters.value == over_things.value == 0.5
    assert over_clusters.high - over_clusters.low > 1.5 * (over_things.high - over_things.low)


def test_all_hits_still_have_an_interval() -> None:
    assert pooled([(2, 2), (1, 1)]).low < 1 == pytest.approx(pooled([(2, 2), (1, 1)]).value)
