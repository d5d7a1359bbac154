"""A comparison of judges as table rows and points. No drawing in here."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.measure.card import QUESTION_WORDS, RULE_WORDS, score
from guard_desk.measure.judge_comparison import JudgeComparison, PairComparison, yes_side
from guard_desk.measure.metrics import Figure
from guard_desk.records.decision import Decision
from guard_desk.records.evidence import Question

FEW = 30
"""Below so many passages an interval is too wide to say much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """How far two judges agree: on one question, or on the route.

    :param limits: both thresholds, "" for the route.
    :param counts: "both yes / only left / only right / neither"; "" for the route.
    """

    what: str
    agreement: Figure
    kappa: Figure
    correlation: Figure | None
    limits: str
    counts: tuple[int, int, int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """What two judges said of one passage.

    :param left: NaN where it was not judged; `right` likewise.
    :param differs: whether one says yes and the other no, each at its own threshold.
    """

    passage_id: str
    rank: int
    left: float
    right: float
    differs: bool

    @property
    def gap(self) -> float:
        """right - left."""
        return self.right - self.left


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """The answers of two judges to one question, in pool order.

    :param left: float64 (n,), NaN where not judged; `right` likewise.
    :param differs: bool (n,), yes here and no there.
    """

    question: Question
    left: npt.NDArray[np.float64]
    right: npt.NDArray[np.float64]
    differs: npt.NDArray[np.bool_]
    left_limit: float
    right_limit: float


def agreement_rows(pair: PairComparison) -> tuple[AgreementRow, ...]:
    """The four questions, then the route."""
    rows = [
        AgreementRow(
            what=QUESTION_WORDS[its.question],
            agreement=its.agreement,
            kappa=its.kappa,
            correlation=its.spearman,
            limits=f"{score(its.left_threshold)} / {score(its.right_threshold)}",
            counts=(its.both, its.left_only, its.right_only, its.neither),
        )
        for its in pair.questions
    ]
    route = AgreementRow(what="Route", agreement=pair.route_agreement, kappa=pair.route_kappa, correlation=None, limits="", counts=None)
    return (*rows, route)


def points(comparison: JudgeComparison, pair: PairComparison, question: Question) -> Points:
    """The answers of a pair of judges to one question."""
    judged = {column.name: column.judged for column in comparison.judges}
    at = list(Question).index(question)
    left, right = judged[pair.left].scores[:, at], judged[pair.right].scores[:, at]
    left_yes, left_limit = yes_side(question, left, judged[pair.left].thresholds)
    right_yes, right_limit = yes_side(question, right, judged[pair.right].thresholds)
    known = ~(np.isnan(left) | np.isnan(right))
    return Points(
        question=question, left=left, right=right, differs=known & (left_yes != right_yes), left_limit=left_limit, right_limit=right_limit
    )


def answer_rows(comparison: JudgeComparison, shown: Points) -> tuple[AnswerRow, ...]:
    """The same as rows, in rank order."""
    return tuple(
        AnswerRow(
            passage_id=passage_id,
            rank=at + 1,
            left=float(shown.left[at]),
            right=float(shown.right[at]),
            differs=bool(shown.differs[at]),
        )
        for at, passage_id in enumerate(comparison.passage_ids)
    )


def figure_words(figure: Figure, *, percent: bool = False) -> str:
    """A measured number with its interval: ".83 [.71, .91]", "92 % [84, 96]"; "–" where it is not defined."""
    if math.isnan(figure.value):
        return "–"
    if percent:
        return f"{100 * figure.value:.0f} % [{100 * figure.low:.0f}, {100 * figure.high:.0f}]"
    low, high = ("–" if math.isnan(end) else signed_score(end) for end in (figure.low, figure.high))
    return f"{signed_score(figure.value)} [{low}, {high}]"


def signed_score(value: float) -> str:
    """A number from -1 to 1: ".83", "−.12", "1.00"."""
    text = f"{abs(value):.2f}"
    sign = "−" if value < 0 and text != "0.00" else ""
    return sign + (text[1:] if text.startswith("0.") else text)


def answer_words(value: float) -> str:
    """An answer, "–" where there is none."""
    return "–" if math.isnan(value) else score(value)


def decision_words(decision: Decision) -> str:
    """A route and the rule behind it: "exclude (injection)"."""
    return f"{decision.route} ({RULE_WORDS[decision.rule].lower()})"


def summary_words(pair: PairComparison) -> str:
    """What a pair of judges comes to, in a sentence."""
    if not pair.compared:
        return "No passage was judged by both."
    same, changed = pair.route_agreement, len(pair.changes)
    words = f"{pair.left} and {pair.right}: the same route for {100 * same.value:.0f} % of {pair.compared} passages, another for {changed}."
    return f"{words} Few passages: the intervals are wide." if pair.compared < FEW else words
