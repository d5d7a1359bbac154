from __future__ import annotations

import math

import numpy as np
import pytest

from guard_desk.measure.verify_rows import AnswerRow, Part
from guard_desk.measure.verify_scores import (
    Marked,
    balanced_accuracy,
    counts,
    f1,
    marked_by,
    precision,
    recall,
    scored,
    span_f1,
    span_precision,
    span_recall,
    words_of,
)
from guard_desk.records.answer import Finding, Kind, Label, Severity
from guard_desk.records.corpus import Query, Span

EVERY = np.arange(4)


def row(number: int, answer: str, wrong: list[tuple[int, int]]) -> AnswerRow:
    spans = tuple(Span(*place) for place in wrong)
    return AnswerRow(id=str(number), query=Query(text="?"), passages=(), answer=answer, cluster="a", wrong=bool(spans), spans=spans)


ROWS = [row(1, "0123456789", [(0, 4)]), row(2, "0123456789", []), row(3, "0123456789", [(2, 4), (3, 6)]), row(4, "01234", [])]
MARKS = [
    (Marked(Span(2, 6), 0.6), Marked(Span(5, 8), 0.9)),  # marks 2..8, shares 2..4
    (Marked(Span(0, 1), 0.3),),  # a false alarm of one character
    (),  # missed: 2..6
    (),
]


def test_characters_and_answers_against_counts_by_hand() -> None:
    found = scored(ROWS, MARKS)
    assert found.shared.tolist() == [2, 0, 0, 0]
    assert found.ours.tolist() == [6, 1, 0, 0]
    assert found.theirs.tolist() == [4, 0, 4, 0]
    assert found.confidence.tolist() == [0.9, 0.3, 0, 0]
    assert found.touched.tolist() == [True, False, False, False]
    assert span_precision(found, EVERY) == pytest.approx(2 / 7)
    assert span_recall(found, EVERY) == pytest.approx(2 / 8)
    assert span_f1(found, EVERY) == pytest.approx(4 / 15)
    assert precision(found.flagged, found.wrong) == recall(found.flagged, found.wrong) == f1(found.flagged, found.wrong) == 0.5
    assert balanced_accuracy(found.flagged, found.wrong) == 0.5
    # A row that is drawn twice counts twice.
    assert span_precision(found, np.array([0, 0, 1])) == pytest.approx(4 / 13)


def test_what_is_not_defined_is_not_a_number() -> None:
    none, some = np.zeros(2, dtype=bool), np.array([True, False])
    assert math.isnan(precision(none, some))
    assert math.isnan(recall(some, none))
    assert math.isnan(f1(some, none))
    assert f1(none, some) == 0
    assert math.isnan(balanced_accuracy(some, none))
    assert math.isnan(span_f1(scored([ROWS[1]], [()]), np.array([0])))


def test_a_judged_word_has_the_confidence_of_the_surest_mark_that_touches_it() -> None:
    judged = AnswerRow(
        id="1",
        query=Query(text="?"),
        passages=(),
        answer="0123456789",
        cluster="a",
        wrong=True,
        parts=(Part(span=Span(0, 3), wrong=True), Part(span=Span(3, 5), wrong=False), Part(span=Span(6, 8), wrong=True)),
    )
    words = words_of([judged], [(Marked(Span(2, 4), 0.4), Marked(Span(0, 1), 0.7), Marked(Span(6, 7), 0.0))])
    assert words.flagged.tolist() == [True, True, True]
    assert words.confidence.tolist() == pytest.approx([0.7, 0.4, 0], abs=1e-6)
    assert words.wrong.tolist() == [True, False, True]
    assert words.cluster == ("a", "a", "a")


@pytest.mark.parametrize(
    ("kind", "label", "severity", "counted"),
    [
        (Kind.NUMBER, Label.CONTRADICTED, Severity.HIGH, True),
        (Kind.CLAIM, Label.UNSUPPORTED, Severity.HIGH, True),
        (Kind.CITATION, Label.UNSUPPORTED, Severity.HIGH, True),
        (Kind.CITATION, Label.MISATTRIBUTED, Severity.HIGH, False),
        (Kind.CONFLICT, Label.CONFLICT, Severity.HIGH, False),
        (Kind.VAGUE, Label.VAGUE, Severity.MEDIUM, False),
        (Kind.OUTSIDE_PROMPT, Label.OUTSIDE_PROMPT, Severity.LOW, False),
        (Kind.INPUT_ERROR, Label.UNSUPPORTED, Severity.HIGH, False),
    ],
)
def test_which_findings_count(kind: Kind, label: Label, severity: Severity, counted: bool) -> None:
    finding = Finding(start=1, end=4, text="abc", kind=kind, label=label, severity=severity, confidence=0.5)
    assert counts(finding) is counted
    assert marked_by([finding]) == ((Marked(Span(1, 4), 0.5),) if counted else ())
