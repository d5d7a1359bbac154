"""Cuts long texts into windows that fit an encoder, so that the tail of a passage counts.

An encoder that reads at most 256 word pieces silently drops the rest. Here a longer text is cut into the fewest windows
that cover it, all about equally long, neighbours sharing `OVERLAP` pieces; cuts fall between words. Equal lengths
waste no padding and let the plain mean of the windows' vectors stand for the passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

OVERLAP = 32

# Part of every key of stored vectors: change it when the cuts or the pooling change.
VERSION = "w1"

# A window is tokenised again and can gain a piece at either end.
_MARGIN = 2

# Pieces that a cut may move back to reach the start of a word; less than half the overlap, so that no piece is lost.
_SEARCH = OVERLAP // 2 - 1


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text: code points and the number of its pieces."""

    start: int
    end: int
    pieces: int


def piece_ranges(count: int, capacity: int) -> list[tuple[int, int]]:
    """Half-open ranges of pieces: one when all fit, else the fewest equal ones with `OVERLAP` in common.

    :param capacity: most pieces of a window; well above `OVERLAP`.
    """
    if count <= capacity:
        return [(0, count)]
    number = ceil((count - OVERLAP) / (capacity - _MARGIN - OVERLAP))
    step = (count - OVERLAP) / number
    return [(round(index * step), min(count, round((index + 1) * step) + OVERLAP)) for index in range(number)]


def cut(text: str, offsets: Sequence[tuple[int, int]], words: Sequence[int | None], capacity: int) -> list[Window]:
    """The windows of a text.

    :param offsets: start and end of each piece in the text.
    :param words: number of the word that each piece belongs to.
    """
    ranges = piece_ranges(len(offsets), capacity)
    if len(ranges) == 1:
        return [Window(0, len(text), len(offsets))]
    windows = []
    for first, last in ranges:
        first, last = _word_start(words, first), _word_start(words, last)
        start = 0 if first == 0 else offsets[first][0]
        end = len(text) if last == len(offsets) else offsets[last][0]
        windows.append(Window(start, end, last - first))
    return windows


def _word_start(words: Sequence[int | None], position: int) -> int:
    """The nearest position at or before this one that starts a word; itself when none is near."""
    if position in (0, len(words)):
        return position
    for candidate in range(position, max(0, position - _SEARCH), -1):
        if words[candidate] != words[candidate - 1]:
            return candidate
    return position
