"""The columns of the tables that compare judges."""

from __future__ import annotations

from collections.abc import Callable

from guard_desk.measure.judge_comparison import RouteChange
from guard_desk.records.decision import Route
from guard_desk.ui.compare_rows import AgreementRow, AnswerRow, answer_words, decision_words, figure_words, signed_score
from guard_desk.ui.models.table import RIGHT, Column
from guard_desk.ui.theme import Colors


def agreement_columns() -> tuple[Column, ...]:
    """A question a row, then the route."""

    def counts(at: int, title: str, tip: str) -> Column:
        return Column(
            title=title,
            text=lambda row: "" if row.counts is None else f"{row.counts[at]:,}",
            key=lambda row: None if row.counts is None else row.counts[at],
            align=RIGHT,
            header_tip=tip,
            chars=5,
        )

    return (
        Column(title="question", text=lambda row: row.what, chars=12, stretch=True),
        Column(
            title="agreement",
            text=lambda row: figure_words(row.agreement, percent=True),
            key=lambda row: row.agreement.value,
            header_tip="Share of passages on the same side of each judge's own threshold, with its 95 % interval (Wilson)",
            chars=15,
        ),
        Column(
            title="kappa",
            text=lambda row: figure_words(row.kappa),
            key=lambda row: row.kappa.value,
            tip=_kappa_tip,
            header_tip="Cohen's kappa: agreement beyond chance, 1 = always, 0 = as by chance; 95 % interval by resampling passages",
            chars=15,
        ),
        Column(title="n", text=lambda row: f"{row.agreement.n:,}", key=lambda row: row.agreement.n, align=RIGHT, chars=4),
        Column(
            title="rank corr.",
            text=lambda row: "" if row.correlation is None else figure_words(row.correlation),
            key=lambda row: None if row.correlation is None else row.correlation.value,
            header_tip="Spearman's correlation of the answers: whether both put the passages into the same order",
            chars=15,
        ),
        counts(0, "both", "Yes for both judges"),
        counts(1, "1st", "Yes for the first judge alone"),
        counts(2, "2nd", "Yes for the second judge alone"),
        counts(3, "neither", "No for both judges"),
        Column(title="thresholds", text=lambda row: row.limits, header_tip="Each judge's own threshold", chars=9),
    )


def _kappa_tip(row: AgreementRow) -> str:
    if row.kappa.value == row.kappa.value:  # not NaN
        return f"{figure_words(row.kappa)}, over {row.kappa.n:,} passages"
    return "Not defined: both judges put every passage on one and the same side."


def change_columns(named: Callable[[str], str]) -> tuple[Column, ...]:
    """A passage a row that takes another route."""
    return (
        Column(title="#", text=lambda row: str(row.rank), key=lambda row: row.rank, align=RIGHT, header_tip="Rank of retrieval", chars=3),
        Column(title="passage", text=lambda row: named(row.passage_id), chars=16, stretch=True),
        Column(title="1st judge", text=lambda row: decision_words(row.before), color=_before_color, tip=_before_tip, chars=22),
        Column(title="2nd judge", text=lambda row: decision_words(row.after), color=_after_color, tip=_after_tip, chars=22),
    )


_ROUTE_COLORS = {Route.INCLUDE: "evidence", Route.CONFLICT: "conflict", Route.EXCLUDE: "excluded"}


def _before_color(row: RouteChange, colors: Colors) -> str:
    return str(getattr(colors, _ROUTE_COLORS[row.before.route]))


def _after_color(row: RouteChange, colors: Colors) -> str:
    return str(getattr(colors, _ROUTE_COLORS[row.after.route]))


def _before_tip(row: RouteChange) -> str:
    return _decided(row.before.rule, row.before.value, row.before.threshold)


def _after_tip(row: RouteChange) -> str:
    return _decided(row.after.rule, row.after.value, row.after.threshold)


def _decided(rule: object, value: float | None, threshold: float | None) -> str:
    return f"{rule}: {value:.3f}, threshold {threshold:.3f}" if value is not None and threshold is not None else str(rule)


def answer_columns(named: Callable[[str], str]) -> tuple[Column, ...]:
    """A passage a row: both answers to one question."""

    def value(title: str, name: str) -> Column:
        return Column(
            title=title,
            text=lambda row: answer_words(getattr(row, name)),
            key=lambda row: getattr(row, name),
            align=RIGHT,
            chars=14,
        )

    return (
        Column(title="#", text=lambda row: str(row.rank), key=lambda row: row.rank, align=RIGHT, chars=3),
        Column(title="passage", text=lambda row: named(row.passage_id), chars=16, stretch=True),
        value("1st judge", "left"),
        value("2nd judge", "right"),
        Column(title="difference", text=_gap, key=lambda row: row.gap, align=RIGHT, chars=9, header_tip="second − first"),
        Column(title="", text=lambda row: "◆ differs" if row.differs else "", color=_differs_color, chars=9),
    )


def _gap(row: AnswerRow) -> str:
    return "–" if row.gap != row.gap else signed_score(row.gap)


def _differs_color(row: AnswerRow, colors: Colors) -> str | None:
    return colors.wrong if row.differs else None
