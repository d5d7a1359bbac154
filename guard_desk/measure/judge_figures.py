"""The figures of one question on one source: the judge's own, each leg of the ablation, trivial baselines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.measure.judge_answers import Legs
from guard_desk.measure.judge_metrics import (
    Resampled,
    always_yes_f1,
    area,
    calibration_error,
    either_way,
    f1_score,
    majority_accuracy,
    precision,
    recall_at,
    share_flagged,
)
from guard_desk.measure.judge_rows import Source
from guard_desk.measure.metrics import Figure, proportion
from guard_desk.measure.tables import Row
from guard_desk.policy import Thresholds
from guard_desk.records.evidence import Question, limit_of

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.int64]

COSINE, LENGTH, RULES, HEAD = "cosine", "length", "rules", "head"
_LEAST_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One question on the rows of one source that say the answer.

    :param index: positions of the rows in `legs`.
    :param labels: the right answers.
    :param unjudged: rows that are left out because the judge gave no answer.
    """

    question: Question
    source: Source
    legs: Legs
    index: Positions
    labels: Flags
    drawn: Resampled
    thresholds: dict[str, float]
    unjudged: int = 0

    @property
    def two_classes(self) -> bool:
        """Whether there are positives and negatives."""
        return bool(self.labels.any() and not self.labels.all())

    def scores(self, leg: str) -> Floats:
        """A leg's scores of these rows."""
        return self.legs.column(leg, self.question, self.index)

    def flagged(self, leg: str) -> Flags:
        """Whether a judge's threshold calls each row a yes; as the routing compares: "relevant" at the threshold is still relevant."""
        scores, limit = self.scores(leg), self.thresholds[leg]
        return scores >= limit if self.question is Question.RELEVANT else scores > limit

    def auroc(self, leg: str) -> Figure:
        """AUROC of a leg; of a trivial one in its better direction."""
        scores, labels = self.scores(leg), self.labels
        better = leg == LENGTH or (leg == COSINE and self.question in (Question.CONTRADICTS, Question.INJECTION))
        if better and either_way(scores, labels) > area(scores, labels):
            scores = -scores
        return self.drawn.figure(lambda rows: area(scores[rows], labels[rows]))

    def gain(self, leg: str) -> Figure:
        """AUROC of the judge minus that of a leg, over the same draws."""
        ours, theirs, labels = self.scores(self.legs.chosen), self.scores(leg), self.labels
        if leg == LENGTH and either_way(theirs, labels) > area(theirs, labels):
            theirs = -theirs
        return self.drawn.figure(lambda rows: area(ours[rows], labels[rows]) - area(theirs[rows], labels[rows]))

    def false_positives(self, leg: str) -> Figure:
        """Share of the negatives that a judge's threshold calls a yes."""
        flagged = self.flagged(leg)[~self.labels]
        return proportion(int(flagged.sum()), len(flagged))

    def recall_at_one_percent(self, leg: str) -> Figure:
        """Recall where at most one negative in a hundred is flagged."""
        scores, labels = self.scores(leg), self.labels
        return self.drawn.figure(lambda rows: recall_at(scores[rows], labels[rows]))


def measured(source: Source, question: Question, legs: Legs, places: Positions, thresholds: dict[str, Thresholds]) -> Measured | None:
    """A question on a source; None when no row of it says the answer.

    :param places: positions of the source's rows in `legs`.
    :param thresholds: of each leg that has some, by name.
    """
    strict = np.array([place for place in places if question in legs.rows[place].labels], dtype=np.int64)
    if not len(strict):
        return None
    given = ~np.isnan(legs.column(legs.chosen, question, strict))
    index = strict[given]
    return Measured(
        question=question,
        source=source,
        legs=legs,
        index=index,
        labels=np.array([legs.rows[place].labels[question] for place in index], dtype=bool),
        drawn=Resampled([legs.rows[place].cluster for place in index]),
        thresholds={leg: limit_of(question, limits) for leg, limits in thresholds.items()},
        unjudged=int((~given).sum()),
    )


def rows_of(found: Measured) -> Iterator[Row]:
    """All figures of one question on one source."""
    about = f"{found.source.about}; {_counts(found)}"
    if found.two_classes:
        yield _row(found, f"AUROC, {found.legs.chosen}", found.auroc(found.legs.chosen), about)
        yield from (_row(found, f"AUROC, {leg} alone", found.auroc(leg), "") for leg in ablation(found))
        yield _row(found, f"AUROC, {found.legs.chosen} above cosine", found.gain(COSINE), "difference over the same draws")
        yield from _at_threshold(found)
        yield _row(found, "recall at 1 % false positives", found.recall_at_one_percent(found.legs.chosen), _others(found))
    yield _row(found, "false positives at its threshold", found.false_positives(found.legs.chosen), _false_of_others(found, about))
    ours, labels = found.scores(found.legs.chosen), found.labels
    yield _row(found, "ECE", found.drawn.figure(lambda rows: calibration_error(ours[rows], labels[rows])), "10 bins of equal width")


def _row(found: Measured, metric: str, figure: Figure, note: str) -> Row:
    return Row(name=f"{found.question}: {found.source.name}: {metric}", figure=figure, note=note)


def ablation(found: Measured) -> list[str]:
    """The legs beside the judge that is measured."""
    return [leg for leg in (RULES, HEAD, COSINE, LENGTH) if leg in found.legs.scores and leg != found.legs.chosen]


def _counts(found: Measured) -> str:
    left = f", {found.unjudged} not judged" if found.unjudged else ""
    majority = f", majority {majority_accuracy(found.labels):.3f}" if found.two_classes else ""
    return f"{int(found.labels.sum())} positive of {len(found.labels)}, {found.drawn.clusters} clusters{majority}{left}"


def _at_threshold(found: Measured) -> Iterator[Row]:
    chosen, labels = found.legs.chosen, found.labels
    flagged = found.flagged(chosen)
    rules = f", rules {f1_score(found.flagged(RULES), labels):.3f}" if RULES in found.thresholds and chosen != RULES else ""
    note = f"threshold {found.thresholds[chosen]:.2f}; always yes {always_yes_f1(labels):.3f}{rules}"
    yield _row(found, "F1", found.drawn.figure(lambda rows: f1_score(flagged[rows], labels[rows])), note)
    yield _row(found, "precision", found.drawn.figure(lambda rows: precision(flagged[rows], labels[rows])), "")
    yield _row(found, "recall", found.drawn.figure(lambda rows: share_flagged(flagged[rows], labels[rows])), "")


def _others(found: Measured) -> str:
    """Recall of the other legs at the same false positives; below 100 negatives that is none."""
    legs = [leg for leg in ablation(found) if leg != LENGTH]
    parts = [f"{leg} {recall_at(found.scores(leg), found.labels):.3f}" for leg in legs]
    negatives = int((~found.labels).sum())
    return ", ".join([*parts, f"{negatives // 100} of {negatives} negatives allowed"])


def _false_of_others(found: Measured, about: str) -> str:
    parts = [f"{leg} {found.false_positives(leg).value:.3f}" for leg in found.thresholds if leg != found.legs.chosen]
    return "; ".join([*(() if found.two_classes else (about,)), *parts])


def language_rows(found: Measured, languages: Sequence[str]) -> Iterator[Row]:
    """What is right at the threshold in each language, by all legs and by the rules alone. `part` of the rows is the language."""
    for language in languages:
        chosen = np.array([found.legs.rows[place].part == language for place in found.index], dtype=bool)
        if not chosen.any():
            continue
        labels = found.labels[chosen]
        right = {leg: found.flagged(leg)[chosen] == labels for leg in found.thresholds}
        ours = right.pop(found.legs.chosen)
        notes = [f"{leg} {float(hits.mean()):.3f}" for leg, hits in right.items()]
        notes.append(f"majority {majority_accuracy(labels):.3f}, {int(labels.sum())} positive")
        if min(labels.sum(), (~labels).sum()) >= _LEAST_SHOWN:
            notes.append(f"AUROC {area(found.scores(found.legs.chosen)[chosen], labels):.3f}")
        figure = proportion(int(ours.sum()), len(ours))
        yield Row(name=f"{found.question}: {found.source.name}, {language}: right at its threshold", figure=figure, note="; ".join(notes))


def part_rows(found: Measured, words: Sequence[str]) -> Iterator[Row]:
    """AUROC of the positives whose `part` holds a word, against all negatives."""
    parts = [found.legs.rows[place].part.split() for place in found.index]
    ours = found.scores(found.legs.chosen)
    for word in words:
        chosen = np.array([word in part for part in parts], dtype=bool) | ~found.labels
        if not found.labels[chosen].any() or found.labels[chosen].all():
            continue
        drawn = Resampled([found.legs.rows[place].cluster for place in found.index[chosen]])
        scores, labels = ours[chosen], found.labels[chosen]
        figure = drawn.figure(lambda rows, scores=scores, labels=labels: area(scores[rows], labels[rows]))  # type: ignore[misc]
        recall = share_flagged(found.flagged(found.legs.chosen)[chosen], labels)
        note = f"recall at its threshold {recall:.3f}, at 1 % false positives {recall_at(scores, labels):.3f}"
        yield _row(found, f"AUROC, {word} only", figure, note)


def peer_rows(found: Measured, name: str, scores: Floats, threshold: float) -> Iterator[Row]:
    """A peer on the same rows.

    :param scores: aligned with the rows of `found`; at or above `threshold` the peer says yes.
    """
    labels, flagged = found.labels, scores >= threshold
    if found.two_classes:
        yield _row(found, f"AUROC, {name}", found.drawn.figure(lambda rows: area(scores[rows], labels[rows])), "peer, same rows")
        yield _row(found, f"recall at 1 % false positives, {name}", found.drawn.figure(lambda r: recall_at(scores[r], labels[r])), "")
        yield _row(found, f"recall, {name}", proportion(int(flagged[labels].sum()), int(labels.sum())), f"its threshold, {threshold:.2f}")
    false = flagged[~labels]
    yield _row(found, f"false positives, {name}", proportion(int(false.sum()), len(false)), f"its threshold, {threshold:.2f}")


def plain(value: float) -> str:
    """A share for a note."""
    return "-" if math.isnan(value) else f"{value:.3f}"
