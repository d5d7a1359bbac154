"""Where the marks of a chart stand: plain geometry, drawn by the template of the page.

Lengths are units of the drawing (`viewBox`); the page scales it to the width of the paper or the screen.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from guard_desk.measure.tables import Chart, ChartKind, Point

WIDTH = 960
_LABELS_MOST, _LABELS_LEAST = 300, 80
_VALUES = 180
_ROW, _THICK = 22, 14
_GAP = 12
_TOP, _BOTTOM = 8, 34
_LINES_HEIGHT = 320
_LETTER = 7.0
_MARK = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A text of the drawing; `x` is its start, middle or end as `anchor` says."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = "label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str = "grid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of a series."""

    x: float
    y: float
    width: float
    height: float
    series: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A path of a series: a mark, or a line through its points."""

    path: str
    series: int
    style: str = "mark"


@dataclass(slots=True, kw_only=True)
class Drawing:
    """A chart, drawn."""

    height: float
    width: float = WIDTH
    bars: list[Bar] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Numbers to places along one axis."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return round(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        step = _step((self.high - self.low) / 5)
        first = math.ceil(self.low / step - 1e-9)
        return [round(number * step, 10) for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def draw(chart: Chart) -> Drawing:
    """Place every mark of a chart; what was not measured (NaN) is left out."""
    return _lines(chart) if chart.kind is ChartKind.LINES else _rows(chart)


def shown(value: float, unit: str = "") -> str:
    """A number for people."""
    if not math.isfinite(value):
        return "–"
    if not unit:
        digits = 3 if abs(value) < 10 else 1
        return f"{value:,.{digits}f}"
    return f"{value:,.0f} {unit}" if abs(value) >= 1000 else f"{value:.3g} {unit}"


def _bare(value: float, unit: str) -> str:
    return shown(value, unit).removesuffix(f" {unit}") if unit else shown(value)


def _rows(chart: Chart) -> Drawing:
    """Horizontal bars or points: one row for each label and series, rows of a label together."""
    labels = list(dict.fromkeys(point.label for series in chart.series for point in series.points))
    column = min(max([_LABELS_LEAST, *(width_of(label) + 16 for label in labels)]), _LABELS_MOST)
    scale = _scale(chart, column, WIDTH - _VALUES)
    height = _TOP + len(labels) * (_ROW * len(chart.series) + _GAP) + _BOTTOM
    drawing = Drawing(height=height)
    _upright(drawing, scale, _TOP, height - _BOTTOM, chart.unit)
    points = [{point.label: point for point in series.points} for series in chart.series]
    top: float = _TOP + _GAP / 2
    for label in labels:
        middle = top + _ROW * len(points) / 2
        drawing.words.append(Words(x=column - 12, y=middle + 4.5, text=fitted(label, column - 16), anchor="end"))
        for number, series in enumerate(points):
            if label in series:
                _row(drawing, chart, scale, series[label], number, top + _ROW * (number + 0.5))
        top += _ROW * len(points) + _GAP
    return drawing


def _row(drawing: Drawing, chart: Chart, scale: _Scale, point: Point, series: int, y: float) -> None:
    text = shown(point.value, chart.unit)
    if math.isfinite(point.value):
        at, zero = scale.at(point.value), scale.at(min(max(0.0, scale.low), scale.high))
        if chart.kind is ChartKind.BARS:
            drawing.bars.append(Bar(x=min(at, zero), y=y - _THICK / 2, width=max(abs(at - zero), 1), height=_THICK, series=series))
        _whisker(drawing, scale, point, y)
        if chart.kind is ChartKind.POINTS:
            drawing.shapes.append(Shape(path=mark(series, at, y), series=series))
        if point.low is not None and point.high is not None:
            text += f"  [{_bare(point.low, chart.unit)}, {_bare(point.high, chart.unit)}]"
    drawing.words.append(Words(x=WIDTH - _VALUES + 10, y=y + 4.5, text=text, style="value"))


def _whisker(drawing: Drawing, scale: _Scale, point: Point, y: float) -> None:
    if point.low is None or point.high is None:
        return
    low, high = scale.at(point.low), scale.at(point.high)
    drawing.lines.append(Line(x1=low, y1=y, x2=high, y2=y, style="whisker"))
    drawing.lines += [Line(x1=x, y1=y - 4, x2=x, y2=y + 4, style="whisker") for x in (low, high)]


def _lines(chart: Chart) -> Drawing:
    """Values over a number, with the interval of each point."""
    drawing = Drawing(height=_LINES_HEIGHT + _TOP + _BOTTOM)
    left, right, bottom = 70, WIDTH - 40, _TOP + _LINES_HEIGHT
    up = _scale(chart, bottom, _TOP + 6)
    places = {point.label: _place(point, number) for series in chart.series for number, point in enumerate(series.points)}
    along = _Scale(min(places.values(), default=0), max(places.values(), default=1), left, right)
    if along.high <= along.low:
        along = _Scale(along.low - 0.5, along.low + 0.5, left, right)
    for tick in up.ticks():
        drawing.lines.append(Line(x1=left, y1=up.at(tick), x2=right, y2=up.at(tick), style="zero" if tick == 0 else "grid"))
        drawing.words.append(Words(x=left - 8, y=up.at(tick) + 4.5, text=f"{tick:g}", anchor="end", style="tick"))
    _along(drawing, places, along, bottom)
    for number, series in enumerate(chart.series):
        spots = [(along.at(_place(point, place)), point) for place, point in enumerate(series.points) if math.isfinite(point.value)]
        _curve(drawing, [(x, up.at(point.value), point) for x, point in spots], up, number)
    return drawing


def _place(point: Point, number: int) -> float:
    return float(number) if point.x is None else point.x


def _along(drawing: Drawing, places: dict[str, float], along: _Scale, bottom: float) -> None:
    """Labels under the points, as many as have room."""
    free = -math.inf
    for label, place in sorted(places.items(), key=lambda item: item[1]):
        x, half = along.at(place), width_of(label) / 2
        if x - half > free:
            drawing.words.append(Words(x=x, y=bottom + 20, text=label, anchor="middle", style="tick"))
            free = x + half + 8


def _curve(drawing: Drawing, spots: Sequence[tuple[float, float, Point]], up: _Scale, series: int) -> None:
    if not spots:
        return
    drawing.shapes.append(Shape(path="M" + " L".join(f"{x:g} {y:g}" for x, y, _ in spots), series=series, style="curve"))
    for x, y, point in spots:
        if point.low is not None and point.high is not None:
            drawing.lines.append(Line(x1=x, y1=up.at(point.low), x2=x, y2=up.at(point.high), style="whisker"))
        drawing.shapes.append(Shape(path=mark(series, x, y), series=series))


def _scale(chart: Chart, start: float, end: float) -> _Scale:
    """Wide enough for every value and interval; bars begin at zero, shares end at one."""
    values = [number for number in _numbers(chart) if math.isfinite(number)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if chart.kind is ChartKind.BARS:
        low, high = min(low, 0.0), max(high, 0.0)
    step = _step((high - low) / 10 or abs(high) / 10 or 1.0)
    low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return _Scale(low, high if high > low else low + step, start, end)


def _numbers(chart: Chart) -> Iterator[float]:
    for series in chart.series:
        for point in series.points:
            if math.isfinite(point.value):
                yield from (point.value, *(end for end in (point.low, point.high) if end is not None))


def _step(rough: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return float(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9)))


def _upright(drawing: Drawing, scale: _Scale, top: float, bottom: float, unit: str) -> None:
    for tick in scale.ticks():
        x = scale.at(tick)
        drawing.lines.append(Line(x1=x, y1=top, x2=x, y2=bottom, style="zero" if tick == 0 else "grid"))
        drawing.words.append(Words(x=x, y=bottom + 18, text=f"{tick:g}", anchor="middle", style="tick"))
    if unit:
        drawing.words.append(Words(x=scale.end, y=bottom + 32, text=unit, anchor="end", style="tick"))


def width_of(text: str) -> float:
    """About how wide a text is drawn."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text) * _LETTER


def fitted(text: str, width: float) -> str:
    """A text that fits, with "…" where it was cut; the table beside the chart has it whole."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) + _LETTER > width:
        text = text[:-1]
    return text.rstrip() + "…"


def mark(series: int, x: float, y: float, size: float = _MARK) -> str:
    """The path of a series' mark: another shape for each of the first eight."""
    return _MARKS[series % len(_MARKS)](x, y, size)


def _round(x: float, y: float, size: float) -> str:
    return f"M{x - size:g} {y:g}a{size:g} {size:g} 0 1 0 {2 * size:g} 0a{size:g} {size:g} 0 1 0 {-2 * size:g} 0z"


def _square(x: float, y: float, size: float) -> str:
    return f"M{x - size:g} {y - size:g}h{2 * size:g}v{2 * size:g}h{-2 * size:g}z"


def _polygon(*corners: tuple[float, float]) -> Callable[[float, float, float], str]:
    def path(x: float, y: float, size: float) -> str:
        return "M" + " L".join(f"{x + size * across:g} {y + size * down:g}" for across, down in corners) + "z"

    return path


_MARKS: tuple[Callable[[float, float, float], str], ...] = (
    _round,
    _square,
    _polygon((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
    _polygon((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    _polygon((0, 1.2), (1.1, -0.9), (-1.1, -0.9)),
    _polygon((-1.2, -0.4), (1.2, -0.4), (1.2, 0.4), (-1.2, 0.4)),
    _polygon((-0.4, -1.2), (0.4, -1.2), (0.4, 1.2), (-0.4, 1.2)),
    _polygon((-1, -1), (0, -0.3), (1, -1), (0.3, 0), (1, 1), (0, 0.3), (-1, 1), (-0.3, 0)),
)
