from __future__ import annotations

import json
import math

import pytest

from guard_desk.measure.metrics import Figure
from guard_desk.measure.tables import Made, Point, Row, Table, grouped

from .charts import BARS, LINES, ROWS, figure, table


def test_a_long_table_is_parted_where_the_thing_measured_changes() -> None:
    lines = table().text().split("\n")
    blank = [number for number, line in enumerate(lines) if not line]
    assert lines[blank[0] - 1].startswith("  natural: recall, g")
    assert lines[blank[0] + 1].startswith("  copies: recall, a")
    assert lines[blank[1] + 1].startswith("  time")


def test_a_short_table_and_single_rows_stay_together() -> None:
    assert grouped(ROWS[:10]) == [ROWS[:10]]
    single = tuple(Row(name=f"thing {n}: value", figure=1.0) for n in range(20))
    assert grouped(single) == [single]
    assert grouped(()) == []


def test_no_row_is_lost_or_moved_by_grouping() -> None:
    rows = table().rows
    assert tuple(row for group in grouped(rows) for row in group) == rows


def test_a_figure_with_a_unit_keeps_its_unit() -> None:
    assert Row(name="t", figure=Figure(value=12.5, low=11, high=14, n=5), unit="ms").text() == "12.5 ms  [11, 14]  n=5"
    assert Row(name="t", figure=figure(0.5)).text() == "0.500  [0.450, 0.550]  n=40"
    assert Row(name="t", figure=math.nan, unit="ms").text() == "-"


def test_json_holds_the_numbers_of_the_charts_and_how_they_came_about() -> None:
    record = json.loads(table(BARS, LINES).json(Made(command="guard-desk bench demo", seconds=1.5, settings=(("Encoder", "minilm"),))))
    natural, copies = record["charts"][0]["series"]
    assert natural["points"][1] == {"label": "sieve", "value": 0.6, "low": pytest.approx(0.55), "high": pytest.approx(0.65), "x": None}
    assert copies["points"][1]["value"] is None
    assert record["charts"][1]["series"][0]["points"][2]["x"] == 4
    assert (record["command"], record["seconds"], record["settings"]) == ("guard-desk bench demo", 1.5, [["Encoder", "minilm"]])


def test_json_is_plain_without_charts() -> None:
    record = json.loads(Table(suite="s", rows=(Row(name="a", figure=math.nan),)).json())
    assert record["charts"] == []
    assert record["rows"][0]["value"] is None


def test_a_point_without_an_interval_has_none() -> None:
    assert Point.of("a", Figure(value=0.5, low=math.nan, high=math.nan, n=1)).low is None
    assert Point.of("a", 0.5).high is None
