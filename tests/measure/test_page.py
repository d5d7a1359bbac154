from __future__ import annotations

import math
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from guard_desk.measure.page import html_page, summary, visible
from guard_desk.measure.plots import WIDTH, draw, fitted, shown
from guard_desk.measure.tables import Chart, ChartKind, Made, Point, Row, Series, Table

from .charts import BARS, LINES, POINTS, figure, table

CHARTS = (BARS, POINTS, LINES)
SVG = re.compile(r"<svg viewBox[^>]*role=\"img\".*?</svg>", re.DOTALL)


class _Seen(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def page(*charts: Chart, made: Made | None = None) -> str:
    return html_page(table(*charts), made, about="A demonstration.")


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    tags = _Seen(page(*CHARTS)).tags
    assert not {tag for tag, _ in tags} & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    for tag, attributes in tags:
        assert not any(name.startswith("on") for name in attributes), tag
        assert not any(name in ("href", "src", "style") for name in attributes), tag
    assert "@import" not in page(*CHARTS)
    addresses = set(re.findall(r"https?://[^\s\"<]+", page(*CHARTS)))
    assert addresses == {"http://www.w3.org/2000/svg"}


def test_texts_are_escaped_everywhere() -> None:
    evil = "</title><script>alert(1)</script>\u202e"
    chart = Chart(title=evil, kind=ChartKind.BARS, series=(Series.of(evil, [(evil, 1.0)]),), note=evil)
    made = Made(command=f"guard-desk bench {evil}", settings=(("Encoder", evil),))
    html = html_page(Table(suite=evil, rows=(Row(name=evil, figure=1.0, note=evil),), details=((evil, evil),), charts=(chart,)), made)
    assert "<script" not in html
    assert "\u202e" not in html
    assert "‹RLO›" in html


def test_the_page_says_command_machine_and_settings() -> None:
    html = page(made=Made(command="guard-desk bench demo --n 3", seconds=12.34, settings=(("Encoder", "minilm"),)))
    for words in ("guard-desk bench demo --n 3", "A demonstration.", "minilm", "12.3 s", "Processor", "a &lt; b"):
        assert words in html


def test_lone_surrogates_do_not_break_the_page() -> None:
    html_page(Table(suite="s", rows=(Row(name="\ud800", figure=1.0),))).encode("utf-8")


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: str(chart.kind))
def test_each_plot_is_well_formed_and_told_in_words(chart: Chart) -> None:
    (svg,) = SVG.findall(page(chart))
    root = ElementTree.fromstring(svg)
    names = {element.get("id") for element in root.iter()}
    assert set(str(root.get("aria-labelledby")).split()) <= names
    for fill in re.findall(r"url\(#(\w+)\)", svg):
        assert fill in names


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: str(chart.kind))
def test_each_plot_has_its_numbers_in_a_table(chart: Chart) -> None:
    html = page(chart)
    twin = html[html.index("Numbers of this plot") : html.index("<h2>Figures")]
    for series in chart.series:
        for point in series.points:
            assert shown(point.value, chart.unit) in twin
            assert point.low is None or shown(point.low, chart.unit) in twin
    assert twin.count("<tr>") == 1 + sum(len(series.points) for series in chart.series)


def test_ids_of_several_plots_do_not_clash() -> None:
    ids = re.findall(r' id="(\w+)"', page(BARS, BARS, POINTS))
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: str(chart.kind))
def test_every_mark_stands_inside_the_drawing(chart: Chart) -> None:
    drawing = draw(chart)
    for line in drawing.lines:
        assert 0 <= min(line.x1, line.x2) <= max(line.x1, line.x2) <= WIDTH
        assert 0 <= min(line.y1, line.y2) <= max(line.y1, line.y2) <= drawing.height
    for bar in drawing.bars:
        assert bar.x >= 0
        assert bar.x + bar.width <= WIDTH
    assert all(0 <= words.y <= drawing.height for words in drawing.words)


def test_bars_are_as_long_as_their_values() -> None:
    drawing = draw(Chart(title="t", kind=ChartKind.BARS, series=(Series.of("s", [("a", 1.0), ("b", 3.0), ("c", -2.0)]),)))
    first, second, third = drawing.bars
    assert second.width == pytest.approx(3 * first.width, rel=0.01)
    assert third.width == pytest.approx(2 * first.width, rel=0.01)
    assert third.x + third.width == pytest.approx(first.x)


def test_what_was_not_measured_is_not_drawn_but_said() -> None:
    drawing = draw(BARS)
    assert len(drawing.bars) == 3
    assert "–" in [words.text for words in drawing.words]


@pytest.mark.parametrize("kind", list(ChartKind))
@pytest.mark.parametrize("values", [[], [math.nan], [0.0], [1e-9, 2e-9], [5.0, 5.0], [1e12]])
def test_odd_numbers_are_drawn(kind: ChartKind, values: list[float]) -> None:
    chart = Chart(title="t", kind=kind, series=(Series.of("s", [(f"{n}", value) for n, value in enumerate(values)]),))
    html_page(Table(suite="s", rows=(), charts=(chart,)))


def test_long_labels_are_cut_in_the_plot_only() -> None:
    label = "a label that is longer than its column can ever be, with 汉字 in it"
    chart = Chart(title="t", kind=ChartKind.BARS, series=(Series.of("s", [(label, figure(0.5))]),))
    assert any(words.text.endswith("…") for words in draw(chart).words)
    assert label in html_page(Table(suite="s", rows=(), charts=(chart,)))
    assert fitted("short", 100) == "short"


def test_a_chart_in_words_names_its_ends() -> None:
    assert summary(BARS).startswith("Recall <b>by</b> strategy. natural: lowest 0.400 (topk), highest 0.600 (sieve); copies: lowest 0.200")
    empty = Chart(title="t", kind=ChartKind.LINES, series=(Series(name="s", points=(Point(label="a", value=math.nan),)),))
    assert "nothing measured" in summary(empty)


def test_invisible_characters_are_named() -> None:
    assert visible("a\u200bb") == "a‹ZWSP›b"
    assert visible("plain 中文") == "plain 中文"
