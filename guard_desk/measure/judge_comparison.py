"""Several judges on one pool: where they agree, by how much, and which passages take another route.

Each judge is read at its own thresholds, since thresholds are not portable. Pure functions of stored answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from guard_desk.errors import InputError
from guard_desk.measure.metrics import Figure, auroc_figure, bootstrap, kappa, pearson, proportion, spearman
from guard_desk.policy import Thresholds
from guard_desk.records.corpus import Labels, Query
from guard_desk.records.decision import ROUTES, Decision
from guard_desk.records.evidence import Judged, Question, limit_of
from guard_desk.stages.route import route_answers

_ROUNDS = 400
Scores = npt.NDArray[np.float64]
Sides = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFigure:
    """How well one judge's scores tell labelled passages apart.

    :param auroc: NaN without both kinds of label.
    :param positive: passages labelled yes.
    :param negative: passages labelled no.
    """

    question: Question
    auroc: Figure
    positive: int
    negative: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeColumn:
    """One judge of a comparison.

    :param name: as it was asked for ("gguf:model.gguf"); unique within the comparison.
    :param decisions: one a passage, in pool order, at the judge's own thresholds.
    :param figures: one a question that has labels; empty without labels.
    """

    name: str
    judged: Judged
    decisions: tuple[Decision, ...]
    figures: tuple[LabelFigure, ...]

    @property
    def not_judged(self) -> int:
        """Passages without answers."""
        return sum(1 for judgement in self.judged.judgements if judgement.answers is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAgreement:
    """Two judges on one question, over the passages that both judged.

    :param agreement: share of passages on the same side of each judge's own threshold.
    :param kappa: Cohen's kappa of the two sides; NaN when both judges put every passage on one and the same side.
    :param spearman: rank correlation of the scores; NaN when one judge gives one score to all.
    :param pearson: linear correlation of the scores.
    :param both: passages that both answer with yes; `left_only`, `right_only`, `neither` likewise.
    """

    question: Question
    left_threshold: float
    right_threshold: float
    agreement: Figure
    kappa: Figure
    spearman: Figure
    pearson: Figure
    both: int
    left_only: int
    right_only: int
    neither: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteChange:
    """A passage that the second judge routes otherwise. A decision names its route, rule, value and threshold."""

    passage_id: str
    rank: int
    before: Decision
    after: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison:
    """Two judges of a comparison.

    :param compared: passages that both judged.
    :param route_agreement: share of these passages with the same route.
    :param route_kappa: Cohen's kappa of the three routes.
    :param changes: in pool order; a passage that only one of them judged counts as not judged by the other.
    """

    left: str
    right: str
    compared: int
    questions: tuple[QuestionAgreement, ...]
    route_agreement: Figure
    route_kappa: Figure
    changes: tuple[RouteChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeComparison:
    """Several judges on the same pool.

    :param passage_ids: the pool, in rank order.
    :param pairs: every two judges, in the order in which they were asked for.
    """

    query: Query
    passage_ids: tuple[str, ...]
    judges: tuple[JudgeColumn, ...]
    pairs: tuple[PairComparison, ...]

    def pair(self, left: str, right: str) -> PairComparison:
        """The comparison of two judges by their names, in the order of `pairs`.

        :raises KeyError: when they were not compared.
        """
        for pair in self.pairs:
            if (pair.left, pair.right) == (left, right):
                return pair
        raise KeyError((left, right))


def compare_judged(
    query: Query,
    judged: Sequence[Judged],
    names: Sequence[str],
    *,
    labels: Mapping[str, Labels] | None = None,
    rounds: int = _ROUNDS,
) -> JudgeComparison:
    """Compare two or more judges' answers for the same pool.

    :param names: how each judge is called, unique, aligned with `judged`.
    :param labels: by passage id; those of this question.
    :param rounds: resamplings behind each bootstrap interval (percentile, over passages, seed 0).
    :raises InputError: for fewer than two judges, a name that is given twice, or pools that differ.
    """
    _check(judged, names)
    columns = tuple(_column(name, its, labels or {}, rounds) for name, its in zip(names, judged, strict=True))
    pairs = tuple(_pair(left, right, rounds) for left, right in combinations(columns, 2))
    return JudgeComparison(query=query, passage_ids=judged[0].passage_ids, judges=columns, pairs=pairs)


def _check(judged: Sequence[Judged], names: Sequence[str]) -> None:
    if len(judged) < 2:
        raise InputError("one judge alone cannot be compared.", remedy="Name two or more.")
    twice = next((name for name in names if list(names).count(name) > 1), None)
    if twice is not None:
        raise InputError(f"the judge {twice!r} is named twice.", remedy="Name each judge once.")
    if any(its.passage_ids != judged[0].passage_ids for its in judged):
        raise InputError("the judges were asked about different passages.", remedy="Compare judges on the same pool.")


def _column(name: str, judged: Judged, labels: Mapping[str, Labels], rounds: int) -> JudgeColumn:
    return JudgeColumn(
        name=name,
        judged=judged,
        decisions=tuple(route_answers(judgement.answers, judged.thresholds) for judgement in judged.judgements),
        figures=tuple(figure for question in Question if (figure := _label_figure(judged, question, labels, rounds)) is not None),
    )


def _label_figure(judged: Judged, question: Question, labels: Mapping[str, Labels], rounds: int) -> LabelFigure | None:
    """None where no judged passage has a label for this question."""
    rows = [
        (getattr(judgement.answers, question), getattr(labels[judgement.passage_id], question))
        for judgement in judged.judgements
        if judgement.answers is not None and judgement.passage_id in labels
    ]
    known = [(score, bool(label)) for score, label in rows if label is not None]
    if not known:
        return None
    scores, yes = [score for score, _ in known], [label for _, label in known]
    return LabelFigure(question=question, auroc=auroc_figure(scores, yes, rounds=rounds), positive=sum(yes), negative=len(yes) - sum(yes))


def _pair(left: JudgeColumn, right: JudgeColumn, rounds: int) -> PairComparison:
    both: Sides = np.asarray(np.isfinite(np.hstack([left.judged.scores, right.judged.scores])).all(axis=1), dtype=np.bool_)
    routes = [np.array([ROUTES.index(d.route) for d in column.decisions], dtype=np.int64)[both] for column in (left, right)]
    changes = tuple(
        RouteChange(passage_id=passage_id, rank=position + 1, before=before, after=after)
        for position, (passage_id, before, after) in enumerate(zip(left.judged.passage_ids, left.decisions, right.decisions, strict=True))
        if before.route is not after.route
    )
    return PairComparison(
        left=left.name,
        right=right.name,
        compared=int(both.sum()),
        questions=tuple(_question(question, left.judged, right.judged, both, rounds) for question in Question),
        route_agreement=proportion(int((routes[0] == routes[1]).sum()), int(both.sum())),
        route_kappa=_kappa_figure(routes[0], routes[1], rounds),
        changes=changes,
    )


def _question(question: Question, left: Judged, right: Judged, both: Sides, rounds: int) -> QuestionAgreement:
    column = list(Question).index(question)
    a, b = left.scores[both, column], right.scores[both, column]
    (side_a, limit_a), (side_b, limit_b) = yes_side(question, a, left.thresholds), yes_side(question, b, right.thresholds)
    return QuestionAgreement(
        question=question,
        left_threshold=limit_a,
        right_threshold=limit_b,
        agreement=proportion(int((side_a == side_b).sum()), len(a)),
        kappa=_kappa_figure(side_a.astype(np.int64), side_b.astype(np.int64), rounds),
        spearman=bootstrap(lambda rows: spearman(a[rows], b[rows]), len(a), rounds=rounds),
        pearson=bootstrap(lambda rows: pearson(a[rows], b[rows]), len(a), rounds=rounds),
        both=int((side_a & side_b).sum()),
        left_only=int((side_a & ~side_b).sum()),
        right_only=int((~side_a & side_b).sum()),
        neither=int((~side_a & ~side_b).sum()),
    )


def yes_side(question: Question, scores: Scores, thresholds: Thresholds) -> tuple[Sides, float]:
    """Which answers count as yes, with the threshold: the same strict comparisons as the route rule's."""
    limit = limit_of(question, thresholds)
    return ~(scores < limit) if question is Question.RELEVANT else scores > limit, limit


def _kappa_figure(left: npt.NDArray[np.int64], right: npt.NDArray[np.int64], rounds: int) -> Figure:
    return bootstrap(lambda rows: kappa(left[rows], right[rows]), len(left), rounds=rounds)
