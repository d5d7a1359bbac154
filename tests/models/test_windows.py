from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from guard_desk.models.windows import OVERLAP, cut, piece_ranges


@given(count=st.integers(0, 5000), capacity=st.integers(70, 600))
def test_ranges_cover_everything_and_fit(count: int, capacity: int) -> None:
    ranges = piece_ranges(count, capacity)
    assert ranges[0][0] == 0
    assert ranges[-1][1] == count
    assert all(last - first <= capacity for first, last in ranges)
    assert all(left[1] - right[0] >= OVERLAP - 1 for left, right in pairwise(ranges))


def test_windows_are_about_equally_long() -> None:
    sizes = [last - first for first, last in piece_ranges(300, 254)]
    assert len(sizes) == 2
    assert max(sizes) - min(sizes) <= 1


@given(words=st.lists(st.integers(1, 6), min_size=1, max_size=400))
def test_cuts_fall_between_words_and_lose_nothing(words: list[int]) -> None:
    text = " ".join("x" * 2 * size for size in words)
    offsets, numbers = [], []
    for number, match in enumerate(re.finditer(r"\S+", text)):
        for start in range(match.start(), match.end(), 2):
            offsets.append((start, start + 2))
            numbers.append(number)
    windows = cut(text, offsets, numbers, 80)
    assert windows[0].start == 0
    assert windows[-1].end == len(text)
    assert all(right.start <= left.end for left, right in pairwise(windows))
    assert all(window.start == 0 or text[window.start - 1] == " " for window in windows)
    assert all(window.pieces <= 80 + 16 for window in windows)


def test_short_text_is_one_window() -> None:
    assert [(w.start, w.end) for w in cut(" ab ", [(1, 2), (2, 3)], [0, 0], 80)] == [(0, 4)]
