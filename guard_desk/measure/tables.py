"""What a bench gives: rows of figures and plots, as a table for people and as JSON for machines."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from itertools import groupby
from typing import Any

from guard_desk.measure.metrics import Figure
from guard_desk.records.evidence import ModelInfo
from guard_desk.version import __version__

# A table up to this long is read at one glance; a longer one is parted by blank lines.
_LONG = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured line.

    :param name: what was measured. Rows of one thing start with its name and a colon, as in "ramdocs: gold kept", and stand together.
    :param figure: a number with its interval, or a plain number; NaN = not measured.
    :param unit: "s", "ms", "x", "" for a share.
    :param note: baseline, peer, or why it is missing.
    """

    name: str
    figure: Figure | float
    unit: str = ""
    note: str = ""

    def text(self) -> str:
        """The figure for people."""
        if isinstance(self.figure, Figure):
            figure = self.figure
            if not self.unit or math.isnan(figure.value):
                return str(figure)
            return f"{figure.value:.4g} {self.unit}  [{figure.low:.4g}, {figure.high:.4g}]  n={figure.n}"
        return "-" if math.isnan(self.figure) else f"{self.figure:.4g} {self.unit}".rstrip()

    @property
    def group(self) -> str:
        """What the row belongs to: the name up to its colon, "" without one."""
        return self.name.partition(":")[0] if ":" in self.name else ""


class ChartKind(StrEnum):
    """How a chart shows its numbers."""

    BARS = "bars"
    """Amounts from zero, each with its interval."""
    POINTS = "points"
    """Values with intervals on a scale that need not start at zero: differences, scores close to each other."""
    LINES = "lines"
    """Values along a number (`Point.x`), e.g. a curve over a threshold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One number of a chart.

    :param label: the category, e.g. a strategy; for lines a word for `x`.
    :param value: NaN = not measured; it stays in the table beside the chart and is not drawn.
    :param low: lower end of its 95 % interval; None without one.
    :param high: upper end.
    :param x: position of a line's point; None = the points are one step apart, in order.
    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    x: float | None = None

    @classmethod
    def of(cls, label: str, figure: Figure | float, *, x: float | None = None) -> Point:
        """A point of a figure, with its interval where it has one."""
        if not isinstance(figure, Figure):
            return cls(label=label, value=float(figure), x=x)
        known = not (math.isnan(figure.low) or math.isnan(figure.high))
        return cls(label=label, value=figure.value, low=figure.low if known else None, high=figure.high if known else None, x=x)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points of one kind, with one colour and pattern."""

    name: str
    points: tuple[Point, ...]

    @classmethod
    def of(cls, name: str, figures: Sequence[tuple[str, Figure | float]]) -> Series:
        """A series of (label, figure) pairs."""
        return cls(name=name, points=tuple(Point.of(label, figure) for label, figure in figures))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Numbers of a suite that are easier to see than to read.

    :param title: what is shown, in one line.
    :param series: one, or several that share the points' labels; at most eight can be told apart.
    :param unit: of the values; "" for shares.
    :param note: what to look at, which way is better, what stands beside it.
    """

    title: str
    kind: ChartKind
    series: tuple[Series, ...]
    unit: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """How a table came about.

    :param command: the command line, as a shell would take it; "" when it was made in code.
    :param seconds: how long it took; None when nobody looked.
    :param settings: models and knobs that were chosen, as (name, value).
    """

    command: str = ""
    seconds: float | None = None
    settings: tuple[tuple[str, str], ...] = ()
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The result of a suite.

    :param details: rows that explain (misses, worst errors), as (name, text).
    :param charts: plots of its figures; each number of theirs is in the JSON and in a table beside the plot too.
    :param models: what was loaded for it.
    """

    suite: str
    rows: tuple[Row, ...]
    details: tuple[tuple[str, str], ...] = field(default=())
    charts: tuple[Chart, ...] = field(default=())
    models: tuple[ModelInfo, ...] = field(default=())

    def text(self) -> str:
        """A table for a terminal."""
        width = max((len(row.name) for row in self.rows), default=0)
        figures = max((len(row.text()) for row in self.rows), default=0)
        lines = [f"{self.suite}  (Guard Desk {__version__}, {platform.machine()}, Python {platform.python_version()})"]
        for number, rows in enumerate(grouped(self.rows)):
            lines += [""] if number else []
            lines += [f"  {row.name:<{width}}  {row.text():<{figures}}  {row.note}".rstrip() for row in rows]
        lines += ["", *(f"  {name}: {text}" for name, text in self.details)] if self.details else []
        return "\n".join(lines) + "\n"

    def json(self, made: Made | None = None) -> str:
        """The same as JSON; NaN is null."""
        made = made or Made()
        record = {
            "suite": self.suite,
            "version": __version__,
            "at": made.at,
            "command": made.command,
            "seconds": made.seconds,
            "settings": [list(pair) for pair in made.settings],
            "machine": {"system": platform.platform(), "machine": platform.machine(), "python": platform.python_version()},
            "models": [asdict(model) for model in self.models],
            "rows": [{"name": row.name, "unit": row.unit, "note": row.note, **_numbers(row.figure)} for row in self.rows],
            "charts": [_plain(asdict(chart)) for chart in self.charts],
            "details": [list(pair) for pair in self.details],
        }
        return json.dumps(record, indent=1, ensure_ascii=True)


def grouped(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """Rows of a long table by what they belong to, in their order; a short table is one group.

    A row that stands alone joins the row before it where that one stands alone too, so that a list of single rows is not torn apart.
    """
    if len(rows) <= _LONG:
        return [tuple(rows)] if rows else []
    runs: list[list[Row]] = []
    for _, run in groupby(rows, key=lambda row: row.group):
        members = list(run)
        if len(members) == 1 and runs and len({row.group for row in runs[-1]}) == len(runs[-1]):
            runs[-1] += members
        else:
            runs.append(members)
    return [tuple(run) for run in runs]


def _numbers(figure: Figure | float) -> dict[str, float | int | None]:
    plain = asdict(figure) if isinstance(figure, Figure) else {"value": figure}
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in plain.items()}


def _plain(node: Any) -> Any:
    """A copy for JSON: a number that is not finite is null."""
    if isinstance(node, dict):
        return {name: _plain(value) for name, value in node.items()}
    if isinstance(node, (list, tuple)):
        return [_plain(value) for value in node]
    return None if isinstance(node, float) and not math.isfinite(node) else node
