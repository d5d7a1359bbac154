"""Charts and a table of every kind, for the tests of table, plots and page."""

from __future__ import annotations

import math

from guard_desk.measure.metrics import Figure
from guard_desk.measure.tables import Chart, ChartKind, Point, Row, Series, Table


def figure(value: float) -> Figure:
    return Figure(value=value, low=value - 0.05, high=value + 0.05, n=40)


BARS = Chart(
    title="Recall <b>by</b> strategy",
    kind=ChartKind.BARS,
    series=(
        Series.of("natural", [("topk", figure(0.4)), ("sieve", figure(0.6))]),
        Series.of("copies", [("topk", figure(0.2)), ("sieve", math.nan)]),
    ),
    note="Higher is better.",
)
POINTS = Chart(title="Differences", kind=ChartKind.POINTS, series=(Series.of("minus topk", [("a", figure(-0.1)), ("b", figure(0.2))]),))
LINES = Chart(
    title="A curve",
    kind=ChartKind.LINES,
    series=(Series(name="ours", points=tuple(Point(label=f"{x}", value=x * x, low=x * x - 1, high=x * x + 1, x=x) for x in (1, 2, 4))),),
    unit="ms",
)
ROWS = tuple(Row(name=f"{part}: recall, {name}", figure=figure(0.5)) for part in ("natural", "copies") for name in "abcdefg")


def table(*charts: Chart) -> Table:
    return Table(suite="demo", rows=(*ROWS, Row(name="time", figure=2.5, unit="s", note="a < b")), charts=charts)
