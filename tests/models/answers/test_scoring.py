"""From logits of spans to a few spans with probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.models.answers.network import WindowSpans
from guard_desk.models.answers.scoring import Marked, joined, window_marks
from guard_desk.records.corpus import Span


def spans(*given: tuple[int, int, float], null: float = 0.0) -> WindowSpans:
    ordered = sorted(given, key=lambda item: -item[2])
    places = np.array([item[:2] for item in ordered], dtype=np.int64).reshape(-1, 2)
    return WindowSpans(places, np.array([item[2] for item in ordered], dtype=np.float32), null)


def test_spans_that_overlap_share_one_probability() -> None:
    marks = window_marks(spans((3, 7, 0.0), (0, 7, 0.0), (10, 12, 0.0)), 1.0, 0.0)
    assert [mark.span for mark in marks] == [Span(3, 7), Span(10, 12)]
    assert [mark.score for mark in marks] == pytest.approx([0.5, 0.25])


def test_the_offset_of_no_answer_lowers_every_score() -> None:
    window = spans((0, 2, 1.0), (5, 6, 0.0))
    low, high = window_marks(window, 1.0, 2.0), window_marks(window, 1.0, -2.0)
    assert all(left.score < right.score for left, right in zip(low, high, strict=True))


def test_a_higher_temperature_is_less_certain() -> None:
    window = spans((0, 2, 4.0), (5, 6, 0.0))
    assert window_marks(window, 3.0, 0.0)[0].score < window_marks(window, 1.0, 0.0)[0].score


def test_a_window_without_words_marks_nothing() -> None:
    assert window_marks(spans(), 1.0, 0.0) == []
    assert joined([]) == ()


def test_of_windows_that_show_the_same_words_the_clearer_one_counts() -> None:
    found = joined([[Marked(Span(5, 9), 0.4)], [Marked(Span(5, 9), 0.7), Marked(Span(20, 22), 0.05)]])
    assert found == (Marked(Span(5, 9), 0.7), Marked(Span(20, 22), 0.05))


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 40), st.integers(1, 8), st.floats(-20, 20)).map(lambda item: (item[0], item[0] + item[1], item[2])),
            max_size=12,
        ),
        max_size=4,
    ),
    st.floats(-20, 20),
)
def test_scores_are_probabilities_of_spans_that_do_not_overlap(windows: list[list[tuple[int, int, float]]], null: float) -> None:
    found = joined([window_marks(spans(*window, null=null), 1.2, 0.3) for window in windows])
    assert all(0 < mark.score <= 1 for mark in found)
    assert sum(mark.score for mark in found) <= 1.001
    assert [mark.score for mark in found] == sorted((mark.score for mark in found), reverse=True)
    assert not any(one.span.overlaps(other.span) for at, one in enumerate(found) for other in found[:at])
