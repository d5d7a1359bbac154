from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guard_desk.ui.widgets.marks import Mark, MarkStyle, carried, edited_range, marks_at, segments

STYLE = MarkStyle(color="#111111", fill="#eeeeee")


def mark(start: int, end: int) -> Mark:
    return Mark(start=start, end=end, style=STYLE)


MARKS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda ends: mark(min(ends), max(ends))), max_size=12)


@given(MARKS)
def test_segments_cover_what_is_marked_once_with_the_shortest(marks: list[Mark]) -> None:
    found = list(segments(marks))
    for position in range(31):
        covering = [m for m in marks if m.start <= position < m.end]
        here = [s for s in found if s.start <= position < s.end]
        assert len(here) == (1 if covering else 0)
        if covering:
            shortest = min(m.end - m.start for m in covering)
            assert here[0].mark.end - here[0].mark.start == shortest
            assert here[0].depth == len(covering)
            assert marks_at(marks, position)[0].end - marks_at(marks, position)[0].start == shortest


@given(st.text("ab", max_size=20), st.text("ab", max_size=20))
def test_the_edited_range_is_all_that_differs(before: str, after: str) -> None:
    start, old_end, new_end = edited_range(before, after)
    assert before[:start] + after[start:new_end] + before[old_end:] == after


@given(st.integers(0, 10), st.integers(0, 10), st.text("XYZ", max_size=8))
def test_marks_that_stay_keep_their_words(one: int, other: int, typed: str) -> None:
    before, (start, end) = "abcdefghij", sorted((one, other))
    after = before[:start] + typed + before[end:]
    kept = carried([mark(at, at + 1) for at in range(len(before))], before, after)
    assert [after[m.start : m.end] for m in kept] == [ch for at, ch in enumerate(before) if not start <= at < end]
