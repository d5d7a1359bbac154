"""How well marked spans fit those that people marked: by answer, by character, and by judged word.

**What counts as "says what the passages do not".** A finding counts when it is of high severity and says that the passages do not have
something or say otherwise (label unsupported or contradicted): wrong values, entities, denials, roles, claims, quotations and citations of
unknown passages. Left out are `conflict` (a passage does say it), `misattributed` (another passage says it), `vague` (nothing is
claimed), `outside_prompt` and `input_error`. The same rule holds for every set, leg and task.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.measure.metrics import auroc
from guard_desk.measure.verify_rows import AnswerRow, union
from guard_desk.records.answer import Finding, Kind, Label, Severity
from guard_desk.records.corpus import Span

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.int64]

_COUNTED = (Label.UNSUPPORTED, Label.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Marked:
    """Words that a leg marks.

    :param confidence: 0..1.
    """

    span: Span
    confidence: float


def counts(finding: Finding) -> bool:
    """Whether a finding says that the passages do not have what the answer says."""
    return finding.severity is Severity.HIGH and finding.label in _COUNTED and finding.kind is not Kind.INPUT_ERROR


def marked_by(findings: Sequence[Finding]) -> tuple[Marked, ...]:
    """The findings that count."""
    return tuple(Marked(Span(one.start, one.end), one.confidence) for one in findings if counts(one))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One leg on some answers, as arrays aligned with them.

    :param wrong: whether people found anything wrong.
    :param flagged: whether the leg marks anything.
    :param confidence: the highest confidence of its marks; 0 without any.
    :param shared: characters that both mark.
    :param ours: characters that the leg marks.
    :param theirs: characters that people marked.
    :param touched: whether a mark of the leg touches one of theirs.
    """

    wrong: Flags
    flagged: Flags
    confidence: Numbers
    shared: Numbers
    ours: Numbers
    theirs: Numbers
    touched: Flags


def scored(rows: Sequence[AnswerRow], marks: Sequence[Sequence[Marked]]) -> Scored:
    """Score a leg.

    :param marks: what it marks in each answer, aligned with `rows`.
    """
    pairs = [(union([one.span for one in given]), union(row.spans)) for row, given in zip(rows, marks, strict=True)]
    shared = np.array([_shared(ours, theirs) for ours, theirs in pairs], dtype=np.float64)
    return Scored(
        wrong=np.array([row.wrong for row in rows], dtype=bool),
        flagged=np.array([bool(given) for given in marks], dtype=bool),
        confidence=np.array([max((one.confidence for one in given), default=0.0) for given in marks], dtype=np.float64),
        shared=shared,
        ours=np.array([_length(ours) for ours, _ in pairs], dtype=np.float64),
        theirs=np.array([_length(theirs) for _, theirs in pairs], dtype=np.float64),
        touched=shared > 0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Judged words of some answers, one after the other.

    :param cluster: of each word's answer.
    :param confidence: of the surest mark that touches the word; 0 where none does.
    :param length: characters of the word.
    """

    cluster: tuple[str, ...]
    wrong: Flags
    confidence: Numbers
    length: Numbers

    @property
    def flagged(self) -> Flags:
        """Whether any mark touches the word."""
        return np.asarray(self.confidence > 0, dtype=bool)


def words_of(rows: Sequence[AnswerRow], marks: Sequence[Sequence[Marked]]) -> Words:
    """The judged words of these answers and the marks that touch them."""
    cluster: list[str] = []
    wrong, confidence, length = [], [], []
    for row, given in zip(rows, marks, strict=True):
        for part in row.parts:
            cluster.append(row.cluster)
            wrong.append(part.wrong)
            # A mark is never wholly unsure: 0 says that there is none.
            touching = (max(one.confidence, 1e-9) for one in given if one.span.overlaps(part.span))
            confidence.append(max(touching, default=0.0))
            length.append(part.span.end - part.span.start)
    return Words(
        cluster=tuple(cluster),
        wrong=np.array(wrong, dtype=bool),
        confidence=np.array(confidence, dtype=np.float64),
        length=np.array(length, dtype=np.float64),
    )


def _length(spans: Sequence[Span]) -> int:
    return sum(span.end - span.start for span in spans)


def _shared(left: Sequence[Span], right: Sequence[Span]) -> int:
    """Characters in both; each side without overlaps."""
    return sum(max(0, min(one.end, other.end) - max(one.start, other.start)) for one in left for other in right)


def precision(flagged: Flags, wrong: Flags) -> float:
    """Share of the flagged that are wrong; NaN when none is flagged."""
    return float(wrong[flagged].mean()) if flagged.any() else math.nan


def recall(flagged: Flags, wrong: Flags) -> float:
    """Share of the wrong ones that are flagged; NaN when nothing is wrong."""
    return float(flagged[wrong].mean()) if wrong.any() else math.nan


def f1(flagged: Flags, wrong: Flags) -> float:
    """Harmonic mean of precision and recall; 0 when nothing is flagged, NaN when nothing is wrong."""
    return 2.0 * float(np.sum(flagged & wrong)) / float(np.sum(flagged) + np.sum(wrong)) if wrong.any() else math.nan


def balanced_accuracy(flagged: Flags, wrong: Flags) -> float:
    """Mean of the shares of wrong and of right answers that are told as such; NaN with one class."""
    if not wrong.any() or wrong.all():
        return math.nan
    return (float(flagged[wrong].mean()) + float((~flagged[~wrong]).mean())) / 2.0


def span_precision(found: Scored, rows: Positions) -> float:
    """Share of the characters that the leg marks that people marked, over all answers together; NaN when it marks none."""
    return _share(found.shared[rows].sum(), found.ours[rows].sum())


def span_recall(found: Scored, rows: Positions) -> float:
    """Share of the characters that people marked that the leg marks, over all answers together; NaN when there are none."""
    return _share(found.shared[rows].sum(), found.theirs[rows].sum())


def span_f1(found: Scored, rows: Positions) -> float:
    """Harmonic mean of both; the character level of RAGTruth (Niu et al. 2024, arXiv 2401.00396) and of LettuceDetect."""
    return _share(2.0 * found.shared[rows].sum(), found.ours[rows].sum() + found.theirs[rows].sum())


def area(scores: Numbers, wrong: Flags) -> float:
    """AUROC of two arrays; NaN with one class."""
    return auroc(scores, wrong)  # type: ignore[arg-type]


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan
