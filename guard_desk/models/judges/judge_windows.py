"""What the judge's network reads of a pair: rows of tokens that cover a passage to its end, cut at sentences.

A pair is [CLS] query [SEP] title. window [SEP]. For injections, which have nothing to do with the query, it is [CLS] window [SEP] of the
text alone: a title before it would look like a speaker's name to a network that was trained without titles. One that is long enough for an
order is a window of its own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from guard_desk.models.judges.network import Input
from guard_desk.records.corpus import Passage, Span
from guard_desk.text.languages import detect
from guard_desk.text.normalize import speakable
from guard_desk.text.sentences import sentences

# Part of the judge's revision: change it when the same text would be cut in another way.
VERSION = "w3"
OVERLAP = 16
_ALONE = 98
_SEARCH = 6
# A title of so many words may hold an order.
TITLE_WORDS = 6


@dataclass(frozen=True, slots=True)
class JudgeWindow:
    """One row for the network and the stretch of the passage's text that it shows."""

    row: Input
    span: Span


@dataclass(frozen=True, slots=True)
class PlacedWindow:
    """A row whose tokens of the passage's text are known by their places in it.

    :param first: position in the row of the first token of the text; `offsets` are the (start, end) code points of it and those after it.
    """

    window: JudgeWindow
    first: int
    offsets: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Pieces:
    ids: Sequence[int]
    offsets: Sequence[tuple[int, int]]
    words: Sequence[int | None]


class WindowCutter:
    """Makes rows.

    :param tokenizer: of the library `tokenizers`, without truncation; knows [CLS] and [SEP].
    :param longest: most tokens of a row.
    """

    def __init__(self, tokenizer: Any, longest: int) -> None:
        self._tokenizer = tokenizer
        self._longest = longest
        self._query: tuple[str | None, tuple[int, ...]] = (None, ())
        self._first, self._last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")

    def query_is_cut(self, query: str) -> bool:
        """Whether a query takes more than half of a row: its end is then not read."""
        return len(self._query_ids(query)) > self._longest // 2

    def pairs(self, query: str, title: str | None, text: str) -> list[JudgeWindow]:
        """The windows of a passage, each with the query and the title before it."""
        return [placed.window for placed in self.placed(query, title, text)]

    def placed(self, query: str, title: str | None, text: str) -> list[PlacedWindow]:
        """The same windows, with the places of their tokens in the text."""
        asked = self._query_ids(query)[: self._longest // 2]
        named = list(self._pieces(f"{title}.").ids[: self._longest // 4]) if title else []
        pieces = self._pieces(text)
        head = [self._first, *asked, self._last]
        ranges = _ranges(text, pieces, self._longest - len(head) - len(named) - 1)
        return [
            PlacedWindow(
                JudgeWindow(Input((*head, *named, *pieces.ids[first:last], self._last), len(head)), _span(text, pieces, first, last)),
                len(head) + len(named),
                pieces.offsets[first:last],
            )
            for first, last in ranges
        ]

    def alone(self, title: str | None, text: str) -> list[JudgeWindow]:
        """The windows of the text without a query, and one of the beginning of a long title; its span is empty."""
        pieces = self._pieces(text)
        room = self._longest - 2
        ranges = _ranges(text, pieces, room if len(pieces.ids) <= room else min(room, _ALONE))
        found = [JudgeWindow(self._row(pieces.ids[first:last]), _span(text, pieces, first, last)) for first, last in ranges]
        if title and len(title.split()) >= TITLE_WORDS:
            found.append(JudgeWindow(self._row(self._pieces(title).ids[:room]), Span(0, 0)))
        return found

    def _row(self, pieces: Sequence[int]) -> Input:
        ids = (self._first, *pieces, self._last)
        return Input(ids, len(ids))

    def _query_ids(self, query: str) -> tuple[int, ...]:
        """A query stands before every window of a pool: its tokens are kept until the next one comes."""
        if self._query[0] != query:
            self._query = (query, tuple(self._pieces(query).ids))
        return self._query[1]

    def _pieces(self, text: str) -> _Pieces:
        found = self._tokenizer.encode(speakable(text), add_special_tokens=False)
        return _Pieces(found.ids, found.offsets, found.word_ids)


def is_readable(passage: Passage) -> bool:
    """Whether the network was made for the passage's script; see `readable`."""
    return readable(f"{passage.title or ''} {passage.text}")


def order_is_readable(passage: Passage) -> bool:
    """Whether the network can tell orders in a passage: it learned them from English documents, the rules know other languages."""
    return is_readable(passage) and detect(passage.text)[0] == "en"


def readable(text: str) -> bool:
    """Whether at least four in five letters are Latin: the base's word pieces know no other script well."""
    if text.isascii():
        return True
    letters = [char for char in text if char.isalpha()]
    return sum(ord(char) > 0x24F for char in letters) * 5 <= len(letters)


def token_ranges(pieces: _Pieces, borders: Sequence[int], capacity: int) -> list[tuple[int, int]]:
    """Half-open ranges of tokens that leave none out: as many sentences as fit, the last one again in the next range when it is short.

    :param borders: tokens that begin a sentence, ascending.
    :param capacity: most tokens of a range.
    """
    count, first = len(pieces.ids), 0
    ranges = []
    while count - first > capacity:
        ends = borders[bisect_right(borders, first) : bisect_right(borders, first + capacity)]
        if ends:
            last = ends[-1]
            back = ends[-2] if len(ends) > 1 and last - ends[-2] <= capacity // 3 else last
        else:
            last = _word_start(pieces.words, first + capacity)
            back = max(first + 1, _word_start(pieces.words, last - min(OVERLAP, capacity // 3)))
        ranges.append((first, last))
        first = back
    return [*ranges, (first, count)]


def _ranges(text: str, pieces: _Pieces, capacity: int) -> list[tuple[int, int]]:
    if len(pieces.ids) <= capacity:
        return [(0, len(pieces.ids))]
    starts = [start for start, _ in pieces.offsets]
    return token_ranges(pieces, sorted({bisect_left(starts, span.start) for span in sentences(text)}), capacity)


def _span(text: str, pieces: _Pieces, first: int, last: int) -> Span:
    start = 0 if first == 0 else pieces.offsets[first][0]
    return Span(start, len(text) if last == len(pieces.offsets) else pieces.offsets[last][0])


def _word_start(words: Sequence[int | None], position: int) -> int:
    """The nearest position at or a little before this one that starts a word; itself when none is near."""
    for candidate in range(position, max(0, position - _SEARCH), -1):
        if words[candidate] != words[candidate - 1]:
            return candidate
    return position
