"""A suite's result as one HTML file that opens anywhere: no script, nothing loaded from elsewhere, every text escaped."""

from __future__ import annotations

import math
import os
import platform
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from guard_desk import resources
from guard_desk.measure.metrics import Figure
from guard_desk.measure.plots import draw, mark, shown
from guard_desk.measure.tables import Chart, Made, Row, Table, grouped
from guard_desk.text.hidden import hidden_runs
from guard_desk.version import __version__

if TYPE_CHECKING:
    from jinja2 import Template


def html_page(table: Table, made: Made | None = None, *, about: str = "") -> str:
    """The page, which can be encoded as UTF-8.

    :param about: what the suite measures, in one sentence.
    """
    page = _template().render(
        table=table,
        made=made or Made(),
        about=about,
        groups=grouped(table.rows),
        drawings=[(chart, draw(chart)) for chart in table.charts],
        machine=machine(),
        version=__version__,
    )
    return page.encode("utf-8", "replace").decode("utf-8")


def machine() -> tuple[tuple[str, str], ...]:
    """What the numbers were measured on, as (name, value)."""
    return (
        ("System", platform.platform()),
        ("Processor", f"{_processor()}, {os.cpu_count() or 1} logical cores"),
        ("Python", platform.python_version()),
    )


def _processor() -> str:
    """The processor's name. Linux tells it in a file only."""
    file = Path("/proc/cpuinfo")
    if file.is_file():
        names = [line.partition(":")[2].strip() for line in file.read_text(errors="replace").split("\n") if line.startswith("model name")]
        if names:
            return names[0]
    return platform.processor() or platform.machine()


@cache
def _template() -> Template:
    import jinja2

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["visible"] = visible
    environment.filters["number"] = _number
    environment.filters["interval"] = _interval
    environment.filters["count"] = _count
    environment.filters["summary"] = summary
    environment.filters["shown"] = _end
    environment.globals["mark"] = mark
    return environment.from_string(resources.path("bench.html").read_text(encoding="utf-8"))


def visible(text: str) -> str:
    """A text whose invisible characters are shown by their names."""
    pieces, end = [], 0
    for start, signs in hidden_runs(text):
        pieces += [text[end:start], *signs]
        end = start + len(signs)
    return "".join(pieces) + text[end:]


def summary(chart: Chart) -> str:
    """A chart in words, for those who do not see it."""
    parts = []
    for series in chart.series:
        known = [point for point in series.points if math.isfinite(point.value)]
        if not known:
            parts.append(f"{series.name}: nothing measured")
            continue
        least, most = min(known, key=lambda point: point.value), max(known, key=lambda point: point.value)
        ends = [f"{shown(point.value, chart.unit)} ({point.label})" for point in (least, most)]
        parts.append(f"{series.name}: lowest {ends[0]}, highest {ends[1]}")
    return f"{chart.title}. {'; '.join(parts)}. All numbers are in the table below."


def _number(row: Row) -> str:
    value = row.figure.value if isinstance(row.figure, Figure) else row.figure
    if math.isnan(value):
        return "–"
    return f"{value:.3f}" if isinstance(row.figure, Figure) and not row.unit else f"{value:.4g} {row.unit}".rstrip()


def _interval(row: Row) -> str:
    figure = row.figure
    if not isinstance(figure, Figure) or math.isnan(figure.low):
        return ""
    return f"{figure.low:.3f} to {figure.high:.3f}" if not row.unit else f"{figure.low:.4g} to {figure.high:.4g}"


def _count(row: Row) -> str:
    return f"{row.figure.n:,}" if isinstance(row.figure, Figure) else ""


def _end(value: float | None, unit: str = "") -> str:
    return "" if value is None else shown(value, unit)
