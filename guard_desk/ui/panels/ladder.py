"""The ladder panel: how each passage came from its rank to its place, as a picture or as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from guard_desk.measure.ladder import ORDER, headline, ladder
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Placement
from guard_desk.records.evidence import Hit, Retrieved
from guard_desk.records.trace import Trace
from guard_desk.text.hidden import one_line
from guard_desk.ui.icons import icon
from guard_desk.ui.models.table import RIGHT, Column, RowsModel
from guard_desk.ui.panels.base import Panel
from guard_desk.ui.theme import GAP, GRID, LIGHT, PAD, Theme, place_style
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.ladder_paint import short, title_of
from guard_desk.ui.widgets.ladder_view import LadderView, Rungs
from guard_desk.ui.widgets.rows_table import RowsTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One line of the table twin.

    :param placement: None while the run has not decided.
    :param before: place under the baseline, where it was another; else None.
    """

    hit: Hit
    passage: Passage
    placement: Placement | None = None
    before: Placement | None = None


class LadderPanel(Panel):
    """Picture and table of the ladder."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = LadderView(self.content)
        self.model = RowsModel(_columns(), _id_of, self)
        self.table = RowsTable(self.model, self.content)
        self.table.setObjectName("ladder_table")
        self.table.setAccessibleName("Ladder as a table")
        self.headline = ElidedLabel(parent=self.content)
        self.toggle = QToolButton(self.content)
        self._trace: Trace | None = None
        self._baseline: Trace | None = None
        self._retrieved: Retrieved | None = None
        self._table_pool: Retrieved | None = None
        self._table_is_old = True
        self._lay_out()
        self.picture.chosen.connect(self._chosen)
        self.table.chosen.connect(self._chosen)
        self.toggle.toggled.connect(self._show_table)

    def _lay_out(self) -> None:
        self.toggle.setObjectName("ladder_as_table")
        self.toggle.setAccessibleName("Show the ladder as a table")
        self.toggle.setToolTip("Show the same numbers as a table")
        self.toggle.setCheckable(True)
        top = QHBoxLayout()
        top.setContentsMargins(PAD, GRID, GAP, 0)
        top.setSpacing(GAP)
        top.addWidget(self.headline, 1)
        top.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignTop)
        self._faces = QStackedLayout()
        self._faces.addWidget(self.picture)
        self._faces.addWidget(self.table)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addLayout(self._faces, 1)
        self.setFocusProxy(self.picture)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self.headline.setFont(theme.font(0, bold=True))
        self.toggle.setIcon(icon("table", theme.colors))
        self.picture.set_theme(theme)
        self.table.set_theme(theme)

    # What it shows

    def show_result(self, view: View) -> None:
        """Show the run in force against its baseline."""
        if view.phase is Phase.RUNNING and self.show_partial(view):
            return
        trace, baseline = view.trace, view.baseline
        assert trace is not None
        if trace is not self._trace or baseline is not self._baseline:
            self._trace, self._baseline, self._retrieved = trace, baseline, None
            before = baseline.prompt.places if baseline is not None and baseline.retrieved is trace.retrieved else None
            self.picture.show_rungs(
                Rungs(
                    hits=trace.retrieved.hits,
                    passages=trace.retrieved.passages,
                    places=trace.prompt.places,
                    ladder=ladder(trace, baseline if before is not None else None),
                    before=before,
                )
            )
            self.headline.say(headline(trace))
            self._table_is_old = True
        self._follow(view)

    def show_partial(self, view: View) -> bool:
        """Show the retrieved passages while they are judged."""
        retrieved = view.retrieved
        if retrieved is None:
            return False
        if retrieved is not self._retrieved:
            self._trace, self._baseline, self._retrieved = None, None, retrieved
            self.picture.show_rungs(Rungs(hits=retrieved.hits, passages=retrieved.passages))
            self._table_is_old = True
        self.headline.say(_so_far(view, len(retrieved.hits)))
        self._follow(view)
        return True

    def _follow(self, view: View) -> None:
        if self.toggle.isChecked():
            self._fill_table()
            self.table.show_selection(view.selection.ids, view.selection.primary)
        else:
            self.picture.show_selection(view.selection.ids, view.selection.primary)

    def _fill_table(self) -> None:
        if not self._table_is_old:
            return
        self._table_is_old = False
        pool = self._trace.retrieved if self._trace is not None else self._retrieved
        rows = rungs(self._trace, self._baseline) if self._trace is not None else waiting_rungs(self._retrieved)
        if pool is self._table_pool:
            self.model.refresh(rows)
        else:
            self.model.set_rows(rows)
        self._table_pool = pool

    @Slot(bool)
    def _show_table(self, table: bool) -> None:
        self._faces.setCurrentWidget(self.table if table else self.picture)
        self.setFocusProxy(self.table if table else self.picture)
        if self.view is not None:
            self._follow(self.view)

    @Slot(object, object)
    def _chosen(self, ids: tuple[str, ...], primary: str | None) -> None:
        self.selected.emit(ids, primary)


def _so_far(view: View, pool: int) -> str:
    done = len(view.partial_judgements)
    if view.phase is Phase.RUNNING:
        return f"{pool} passages retrieved, {done} judged so far"
    return f"{pool} passages retrieved, {done} judged, then stopped"


def waiting_rungs(retrieved: Retrieved | None) -> tuple[Rung, ...]:
    """The lines of the table twin before the run has decided."""
    if retrieved is None:
        return ()
    return tuple(Rung(hit=hit, passage=passage) for hit, passage in zip(retrieved.hits, retrieved.passages, strict=True))


def rungs(trace: Trace, baseline: Trace | None) -> tuple[Rung, ...]:
    """The lines of the table twin, in rank order."""
    comparable = baseline is not None and baseline.retrieved is trace.retrieved
    old: Sequence[Placement | None] = baseline.prompt.places if baseline is not None and comparable else [None] * len(trace.prompt.places)
    return tuple(
        Rung(hit=hit, passage=passage, placement=placement, before=was if was is not None and was.name != placement.name else None)
        for hit, passage, placement, was in zip(trace.retrieved.hits, trace.retrieved.passages, trace.prompt.places, old, strict=True)
    )


def _id_of(rung: Rung) -> str:
    return rung.passage.id


def _place_text(placement: Placement | None) -> str:
    if placement is None:
        return ""
    style = place_style(LIGHT, placement.place, placement.rule)
    return f"{style.mark} {style.word}"


def _columns() -> tuple[Column, ...]:
    return (
        Column(title="#", text=lambda r: str(r.hit.rank), key=lambda r: r.hit.rank, align=RIGHT, chars=3, header_tip="Rank of retrieval"),
        Column(title="id", text=lambda r: one_line(r.passage.id), chars=12),
        Column(title="passage", text=lambda r: title_of(r.passage), chars=26),
        Column(title="sim", text=lambda r: short(r.hit.similarity), key=lambda r: r.hit.similarity, align=RIGHT, chars=6),
        Column(
            title="place",
            text=lambda r: _place_text(r.placement) or "… waiting",
            key=lambda r: ORDER.index(r.placement.name) if r.placement else None,
            color=lambda r, colors: place_style(colors, r.placement.place, r.placement.rule).color if r.placement else colors.muted,
            chars=15,
        ),
        Column(
            title="baseline",
            text=lambda r: _place_text(r.before),
            color=lambda r, colors: place_style(colors, r.before.place, r.before.rule).color if r.before else None,
            header_tip="Its place under the baseline, where that was another",
            chars=15,
        ),
        Column(
            title="tokens",
            text=lambda r: f"{r.placement.tokens:,}" if r.placement and r.placement.tokens else "",
            key=lambda r: r.placement.tokens if r.placement else None,
            align=RIGHT,
            chars=6,
        ),
        Column(title="why", text=lambda r: r.placement.detail if r.placement else "", chars=40),
    )
