"""The report as one HTML file that opens anywhere: no script, nothing loaded from elsewhere, every text escaped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from guard_desk import resources
from guard_desk.measure.answer_rounds import ABOUT, ESTIMATED, outcome_words, tokens_words
from guard_desk.measure.checked import unread_words
from guard_desk.measure.portability import threshold_warning
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Decision, Placement
from guard_desk.records.evidence import Hit, Judgement
from guard_desk.records.trace import Trace
from guard_desk.report import tables
from guard_desk.report.judges import spent_in_all, spent_words
from guard_desk.report.marks import Piece, pieces

if TYPE_CHECKING:
    from jinja2 import Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """All that is known of one pool passage."""

    passage: Passage
    hit: Hit
    judgement: Judgement
    decision: Decision
    placement: Placement


def html_page(trace: Trace) -> str:
    """The report of a run as an HTML page that can be encoded as UTF-8."""
    named = {table.name: table for table in tables.all_tables(trace)}
    places = tables.place_counts(trace)
    page = _template().render(
        trace=trace,
        rows=rows(trace),
        answer=pieces(trace.generated.text or "", trace.attributed.spans),
        places=places,
        most=max((count for _, count in places), default=1),
        groups=[group for group in trace.routed.groups if len(group.members) > 1],
        tables=named,
        warning=threshold_warning(trace.policy, trace.judged),
        took=tokens_words(trace.generated),
        outcome=outcome_words(trace.generated),
        unread=unread_words(trace.verified),
        spent="" if (spent := spent_in_all(trace)) is None else spent_words(spent),
        estimated=ESTIMATED if trace.generated.estimated else "",
    )
    return page.encode("utf-8", "replace").decode("utf-8")


def rows(trace: Trace) -> tuple[Row, ...]:
    """Every pool passage in rank order."""
    pool = zip(
        trace.retrieved.passages, trace.retrieved.hits, trace.judged.judgements, trace.routed.decisions, trace.prompt.places, strict=True
    )
    found = (Row(passage=p, hit=h, judgement=j, decision=d, placement=place) for p, h, j, d, place in pool)
    return tuple(sorted(found, key=lambda row: row.hit.rank))


@cache
def _template() -> Template:
    import jinja2

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["pieces"] = _shown
    environment.filters["number"] = _number
    environment.filters["plain"] = _plain
    return environment.from_string(resources.path("report.html").read_text(encoding="utf-8"))


def _shown(text: str | None) -> tuple[Piece, ...]:
    return pieces(text or "")


def _plain(text: str) -> str:
    """For attributes: invisible characters by their names."""
    return "".join(piece.hidden or piece.text for piece in pieces(text))


def _number(value: float | None, places: int = 2) -> str:
    """A number for people; a dash where there is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return "–"
    if isinstance(value, tables.Estimated):
        return f"{ABOUT} {int(value)}"
    return str(value) if isinstance(value, int) else f"{value:.{places}f}"
