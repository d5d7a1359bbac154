"""Findings, claims and rounds of an answer as tables in tabs, with filters, knobs, and a sentence where there is nothing to list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QStackedWidget, QTabWidget, QWidget

from guard_desk.measure.checked import (
    LABEL_WORDS,
    SEVERITY_ORDER,
    STATE_WORDS,
    claim_words,
    evidence_ids,
    finding_words,
    let_through,
    percent_words,
)
from guard_desk.records.answer import Claim, ClaimState, Finding, Kind, Severity
from guard_desk.ui.models.table import RIGHT, Column, RowsModel, plain_tip
from guard_desk.ui.round_rows import Rounds, writes
from guard_desk.ui.theme import GRID, PAD, Colors, Theme, finding_style
from guard_desk.ui.view import View
from guard_desk.ui.widgets.knob_editor import KnobEditor
from guard_desk.ui.widgets.rounds_view import RoundsView
from guard_desk.ui.widgets.rows_table import RowsTable

NumberedFinding = tuple[int, Finding]
NumberedClaim = tuple[int, Claim]

_SEVERITY_SIGNS = {Severity.HIGH: "‼", Severity.MEDIUM: "!", Severity.LOW: "·"}
_DOUBTED = "◌"
"""Stands for what only a model doubts."""

_STATE_SIGNS = {ClaimState.SUPPORTED: "✓", ClaimState.CONTRADICTED: "✕", ClaimState.UNSUPPORTED: "○", ClaimState.NOT_CHECKED: "–"}


def _line(text: str) -> str:
    return " ".join(text.split())


def _severity_color(row: NumberedFinding, colors: Colors) -> str:
    return {Severity.HIGH: colors.wrong, Severity.MEDIUM: colors.doubtful, Severity.LOW: colors.muted}[row[1].severity]


def _kind_color(row: NumberedFinding, colors: Colors) -> str:
    return finding_style(colors, row[1].kind, row[1].label, row[1].by).color


def _state_color(row: NumberedClaim, colors: Colors) -> str:
    by_state = {ClaimState.SUPPORTED: colors.evidence, ClaimState.NOT_CHECKED: colors.muted}
    return by_state.get(row[1].state, colors.wrong)


def _state_words(row: NumberedClaim) -> str:
    """What only a model doubts has another sign, and a question mark."""
    state = row[1].state
    doubted = bool(row[1].by) and state in (ClaimState.CONTRADICTED, ClaimState.UNSUPPORTED)
    return f"{_DOUBTED} {STATE_WORDS[state]}?" if doubted else f"{_STATE_SIGNS[state]} {STATE_WORDS[state]}"


def _evidence(claim: Claim) -> str:
    """The passage that carries a claim, in its words, and how many others."""
    if not claim.evidence:
        return f"⚠ not read by {_line(claim.unread)}" if claim.unread else ""
    others = len(evidence_ids(claim.evidence)) - 1
    first = claim.evidence[0]
    return f"{first.passage_id}{f' +{others}' if others else ''}: {_line(first.text)}"


_FINDING_COLUMNS = (
    Column(
        title="Severity",
        text=lambda row: f"{_SEVERITY_SIGNS[row[1].severity]} {row[1].severity}",
        key=lambda row: SEVERITY_ORDER.index(row[1].severity),
        color=_severity_color,
        chars=9,
    ),
    Column(title="Kind", text=lambda row: row[1].kind.replace("_", " "), color=_kind_color, chars=10),
    Column(title="Says", text=lambda row: f"{_DOUBTED} {LABEL_WORDS[row[1].label]}?" if row[1].by else LABEL_WORDS[row[1].label], chars=12),
    Column(
        title="Words", text=lambda row: _line(row[1].text), key=lambda row: row[1].start, tip=lambda row: finding_words(row[1]), chars=15
    ),
    Column(
        title="Sure",
        text=lambda row: percent_words(row[1].confidence),
        key=lambda row: row[1].confidence,
        align=RIGHT,
        header_tip="Confidence of the check; it never lowers the severity",
        chars=7,
    ),
    Column(title="Note", text=lambda row: _line(row[1].note), tip=lambda row: finding_words(row[1]), stretch=True),
)
_CLAIM_COLUMNS = (
    Column(title="State", text=_state_words, color=_state_color, chars=15),
    Column(
        title="Statement",
        text=lambda row: _line(row[1].text),
        key=lambda row: row[1].start,
        tip=lambda row: claim_words(row[1]),
        stretch=True,
    ),
    Column(title="Evidence", text=lambda row: _evidence(row[1]), tip=lambda row: claim_words(row[1]), chars=20),
    Column(
        title="Sure",
        text=lambda row: "" if row[1].state is ClaimState.NOT_CHECKED else percent_words(row[1].confidence),
        key=lambda row: row[1].confidence,
        align=RIGHT,
        header_tip="Confidence of the check",
        chars=7,
    ),
)


_KNOBS = {"generate.mode": "How the answer is asked for", "generate.max_rounds": "Most rounds"}
_SPARED = (2, 4)
_EVERY, _EVERY_SHORT = ("all severities", "all kinds"), ("severity", "kind")
_FILTER_LETTERS = (8, 5, 3, 1)
_ROOMY = 85
"""Letters that must find room before the columns "Says" and "Conf." are shown."""


class _Corner(QStackedWidget):
    """As wide as the page that is shown, so that the others take no room from the tabs."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """That of the page."""
        page = self.currentWidget()
        return page.sizeHint() if page is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """That of the page."""
        return self.sizeHint()


class AnswerTables(QTabWidget):
    """The three tabs."""

    finding_chosen = Signal(object)
    """Finding"""
    claim_chosen = Signal(object)
    """Claim"""
    knob_moved = Signal(str, object)
    knob_released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self._findings: tuple[Finding, ...] = ()
        self._claims: tuple[Claim, ...] = ()
        self._live = False
        self.findings, self._findings_page, self._no_findings = self._make(_FINDING_COLUMNS, "Findings")
        self.claims, self._claims_page, self._no_claims = self._make(_CLAIM_COLUMNS, "Claims")
        self.findings.setObjectName("findings_table")
        self.claims.setObjectName("claims_table")
        self.findings.chosen.connect(self._finding)
        self.claims.chosen.connect(self._claim)
        self.rounds = RoundsView(self)
        self.addTab(self.rounds, "Rounds")
        self._corner = _Corner(self)
        self._build_filters()
        self._build_knobs()
        self.setCornerWidget(self._corner, Qt.Corner.TopRightCorner)
        self.currentChanged.connect(self._show_corner)

    def _make(self, columns: Sequence[Column], name: str) -> tuple[RowsTable, QStackedWidget, QLabel]:
        table = RowsTable(RowsModel(columns, lambda row: str(row[0]), self), self, multiple=False)
        table.setAccessibleName(f"{name} of the answer")
        empty = QLabel(self)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setWordWrap(True)
        empty.setObjectName("muted")
        page = QStackedWidget(self)
        page.addWidget(table)
        page.addWidget(empty)
        self.addTab(page, name)
        return table, page, empty

    def _build_filters(self) -> None:
        corner = QWidget(self)
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        self.severity_filter, self.kind_filter = QComboBox(corner), QComboBox(corner)
        self.severity_filter.setAccessibleName("Show findings of this severity")
        self.kind_filter.setAccessibleName("Show findings of this kind")
        self.severity_filter.addItem(_EVERY[0], None)
        for severity in SEVERITY_ORDER:
            self.severity_filter.addItem(str(severity), severity)
        self.kind_filter.addItem(_EVERY[1], None)
        for box in (self.severity_filter, self.kind_filter):
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.currentIndexChanged.connect(self._filter)
            row.addWidget(box)
        self._corner.addWidget(corner)

    def _build_knobs(self) -> None:
        """How an answer is asked for, beside the rounds that come of it."""
        corner = QWidget(self)
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addStretch(1)
        self.knobs = {path: KnobEditor(path, corner, label=name, bare=True) for path, name in _KNOBS.items()}
        for editor in self.knobs.values():
            editor.moved.connect(self.knob_moved)
            editor.released.connect(self.knob_released)
            row.addWidget(editor)
        self._corner.addWidget(corner)

    @Slot()
    def _show_corner(self) -> None:
        """Filters are for findings, the knobs for rounds; the place stays, so that nothing jumps."""
        self._corner.setCurrentIndex(1 if self.currentWidget() is self.rounds else 0)
        self._corner.updateGeometry()
        for box in (self.severity_filter, self.kind_filter):
            box.setEnabled(self.currentWidget() is self._findings_page)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Where room is short, the columns go that the tooltip and the note tell too."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        letters = self.width() / max(1, self.findings.fontMetrics().averageCharWidth())
        for column in _SPARED:
            self.findings.setColumnHidden(column, letters < _ROOMY)
        self._fit_filters()

    def _fit_filters(self) -> None:
        """Filters as long as the tabs beside them leave room for; their lists are always as wide as their words."""
        room = self.width() - self.tabBar().sizeHint().width()
        boxes = (self.severity_filter, self.kind_filter)
        for length in _FILTER_LETTERS:
            for box in boxes:
                box.setMinimumContentsLength(length)
                box.setFixedWidth(box.sizeHint().width())  # Qt keeps the least width of before, which no layout goes below
            if sum(box.sizeHint().width() + GRID for box in boxes) <= room:
                break
        whole = self.severity_filter.minimumContentsLength() == _FILTER_LETTERS[0]
        for box, words in zip(boxes, _EVERY if whole else _EVERY_SHORT, strict=True):
            box.setItemText(0, words)
            box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 2 * PAD)
            box.setToolTip(plain_tip(f"{box.accessibleName()}: {box.currentText()}"))
        self._corner.updateGeometry()

    # What they show

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self.findings.set_theme(theme)
        self.claims.set_theme(theme)
        self.rounds.set_theme(theme)
        for editor in self.knobs.values():
            editor.set_theme(theme)
        for widget in (self._no_findings, self._no_claims, self.severity_filter, self.kind_filter, self.tabBar()):
            widget.setFont(theme.font(0))
        self._fit()

    def show_findings(self, findings: Sequence[Finding], nothing: str) -> None:
        """List findings.

        :param nothing: one sentence for when there are none.
        """
        self._no_findings.setText(nothing if not findings else "No finding passes the filter.")
        if tuple(findings) != self._findings or not self.findings.rows_model.rows:
            self._findings = tuple(findings)
            self._offer_kinds()
            self.findings.rows_model.set_rows(tuple(enumerate(findings)))
            self._filter()
        self.setTabText(0, f"Findings {len(findings)}")

    def show_claims(self, claims: Sequence[Claim], nothing: str) -> None:
        """List claims."""
        self._no_claims.setText(nothing)
        if tuple(claims) != self._claims:
            self._claims = tuple(claims)
            self.claims.rows_model.set_rows(tuple(enumerate(claims)))
        self._claims_page.setCurrentIndex(0 if claims else 1)
        self.setTabText(1, f"Claims {len(claims)}")

    def show_rounds(self, rounds: Rounds, view: View) -> None:
        """Show how the answer was asked for; while rounds come in, their tab is in front."""
        self.rounds.show_rounds(rounds, writes=writes(view.state.models.generator))
        self.rounds.show_chosen(view.selection.ids)
        for path, editor in self.knobs.items():
            editor.show_value(view.state.policy.value(path))
        self.setTabText(2, f"Rounds {len(rounds.rows)}" if rounds.rows else "Rounds")
        self.setTabToolTip(2, plain_tip(rounds.words))
        if rounds.live and rounds.rows and not self._live:
            self.setCurrentWidget(self.rounds)
        self._live = rounds.live

    def _offer_kinds(self) -> None:
        """Kinds that there are, with their counts; the chosen one stays where it can."""
        chosen = self.kind_filter.currentData()
        kinds = [finding.kind for finding in self._findings]
        self.kind_filter.blockSignals(True)
        self.kind_filter.clear()
        self.kind_filter.addItem(_EVERY[1], None)
        for kind in [kind for kind in Kind if kind in kinds]:
            self.kind_filter.addItem(f"{kind.replace('_', ' ')} ({kinds.count(kind)})", kind)
        self.kind_filter.setCurrentIndex(max(0, self.kind_filter.findData(chosen)))
        self.kind_filter.blockSignals(False)

    @Slot()
    def _filter(self) -> None:
        severity, kind = self.severity_filter.currentData(), self.kind_filter.currentData()
        mask = let_through(self._findings, severity=severity, kind=kind)
        self.findings.rows_model.set_filter(None if severity is None and kind is None else np.array(mask, dtype=bool))
        self._findings_page.setCurrentIndex(0 if any(mask) else 1)
        self._fit_filters()
        if self._findings and not any(mask):
            self._no_findings.setText("No finding passes the filter.")

    def show_chosen(self, start: int | None) -> None:
        """Mark the rows of what starts here, without telling anyone; the row that a person chose stays when it fits."""
        starts = ([finding.start for finding in self._findings], [claim.start for claim in self._claims])
        for table, begun in zip((self.findings, self.claims), starts, strict=True):
            fitting = [str(at) for at, begin in enumerate(begun) if begin == start]
            current = table.currentIndex()
            now = table.rows_model.id_at(current.row()) if current.isValid() and table.selectionModel().hasSelection() else ""
            row = now if now in fitting else fitting[0] if fitting else None
            table.show_selection((row,) if row is not None else (), row)

    def places_of(self, start: int) -> list[QRect]:
        """Where the rows in sight of what starts here stand, in global coordinates."""
        places = []
        for table, starts in (
            (self.findings, [item.start for item in self._findings]),
            (self.claims, [item.start for item in self._claims]),
        ):
            places += table.places_of([str(at) for at, begun in enumerate(starts) if begun == start])
        return places

    # What a person chose

    @Slot(object, object)
    def _finding(self, _ids: tuple[str, ...], primary: str | None) -> None:
        if primary is not None:
            self.finding_chosen.emit(self._findings[int(primary)])

    @Slot(object, object)
    def _claim(self, _ids: tuple[str, ...], primary: str | None) -> None:
        if primary is not None:
            self.claim_chosen.emit(self._claims[int(primary)])
