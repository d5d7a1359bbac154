"""Questions of the reading sets with windows that answer, and with windows that do not."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from answer_rows import AnswerRow

from guard_desk.records.corpus import Span
from guard_desk.text.sentences import sentences

# Words of a window: most passages of a library have about a hundred.
SHORTEST, LONGEST = 15, 110
TITLED = 0.5


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring sentences of a paragraph. `start` is where they begin in it."""

    text: str
    start: int


@lru_cache(maxsize=8192)
def _sentences(text: str) -> tuple[Span, ...]:
    return tuple(sentences(text))


def window_around(text: str, start: int, end: int, words: int, rng: random.Random) -> Window:
    """Whole sentences that hold `text[start:end]`, grown at random on both sides up to about `words` words."""
    spans = _sentences(text) or (Span(0, len(text)),)
    starts = [span.start for span in spans]
    first = max(0, bisect_right(starts, start) - 1)
    last = max(first, bisect_right(starts, max(start, end - 1)) - 1)
    sizes = [len(span.of(text).split()) for span in spans]
    while True:
        size = sum(sizes[first : last + 1])
        sides = [side for side in (-1, 1) if 0 <= (first if side < 0 else last) + side < len(spans)]
        if size >= words or not sides:
            break
        if rng.choice(sides) < 0:
            first -= 1
        else:
            last += 1
    begin, stop = min(spans[first].start, start), max(spans[last].end, end)
    return Window(text[begin:stop], begin)


def _answers(row: Mapping[str, Any], window: Window) -> tuple[tuple[int, int], ...]:
    found = {
        (answer["start"] - window.start, answer["start"] - window.start + len(answer["text"]))
        for answer in row["answers"]
        if answer["text"].strip()
    }
    return tuple(sorted((start, end) for start, end in found if start >= 0 and end <= len(window.text)))


class Reading:
    """Makes rows of the questions of one source and side.

    :param rows: as `sources.questions` gives them.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], source: str, rng: random.Random) -> None:
        self._source, self._rng = source, rng
        self._by_title: dict[str, list[str]] = {}
        for row in rows:
            contexts = self._by_title.setdefault(row["title"], [])
            if row["context"] not in contexts:
                contexts.append(row["context"])

    def rows(self, row: Mapping[str, Any], crops: int) -> Iterator[AnswerRow]:
        """Windows with the answer, its paragraph without it, another paragraph of the article, and one of another article."""
        rng = self._rng
        if row["is_impossible"]:
            for _ in range(max(1, crops // 2)):
                yield self._impossible(row)
            return
        best = row["answers"][0]
        for _ in range(crops):
            window = self._around(row["context"], best["start"], best["start"] + len(best["text"]))
            yield self._row(row, window.text, _answers(row, window), "window")
        words = {answer["text"].casefold() for answer in row["answers"]}
        for text, kind, share in (
            (self._without(row), "without", 0.7),
            (self._other(row["title"], row["context"]), "other paragraph", 0.4),
            (self._stranger(row["title"]), "other article", 0.15),
        ):
            if text and rng.random() < share and not any(word in text.casefold() for word in words):
                yield self._row(row, text, (), kind)

    def whole(self, row: Mapping[str, Any]) -> Iterator[AnswerRow]:
        """The whole paragraph, as it is measured; and another one of the article."""
        kind = "impossible" if row["is_impossible"] else "window"
        answers = () if row["is_impossible"] else _answers(row, Window(row["context"], 0))
        yield AnswerRow(
            question=row["question"],
            title=row["title"].replace("_", " "),
            passage=row["context"],
            answers=answers,
            kind=kind,
            group=row["title"],
            source=self._source,
        )
        words = {answer["text"].casefold() for answer in row["answers"]}
        other = self._other(row["title"], row["context"], whole=True)
        if words and other and not any(word in other.casefold() for word in words):
            yield self._row(row, other, (), "other paragraph", titled=True)

    def _impossible(self, row: Mapping[str, Any]) -> AnswerRow:
        """The words that seem to answer stay in the window: it is their reading that must say no."""
        plausible = row.get("plausible_answers") or [{"start": self._rng.randrange(len(row["context"])), "text": " "}]
        start = int(plausible[0]["start"])
        window = self._around(row["context"], start, start + len(plausible[0]["text"]))
        return self._row(row, window.text, (), "impossible")

    def _around(self, text: str, start: int, end: int) -> Window:
        return window_around(text, start, end, self._rng.randint(SHORTEST, LONGEST), self._rng)

    def _without(self, row: Mapping[str, Any]) -> str:
        """The paragraph without the sentences that any of the answers touches."""
        touched = [(answer["start"], answer["start"] + len(answer["text"])) for answer in row["answers"]]
        kept = [
            span.of(row["context"])
            for span in _sentences(row["context"])
            if not any(span.start < end and start < span.end for start, end in touched)
        ]
        return " ".join(kept[: self._rng.randint(1, 5)])

    def _other(self, title: str, context: str, *, whole: bool = False) -> str:
        others = [text for text in self._by_title[title] if text != context]
        if not others:
            return ""
        text = self._rng.choice(others)
        return text if whole else self._some(text)

    def _stranger(self, title: str) -> str:
        other = self._rng.choice(sorted(self._by_title))
        return self._some(self._rng.choice(self._by_title[other])) if other != title else ""

    def _some(self, text: str) -> str:
        place = self._rng.randrange(len(text))
        return self._around(text, place, place + 1).text

    def _row(
        self, row: Mapping[str, Any], passage: str, answers: tuple[tuple[int, int], ...], kind: str, *, titled: bool = False
    ) -> AnswerRow:
        return AnswerRow(
            question=row["question"],
            title=row["title"].replace("_", " ") if titled or self._rng.random() < TITLED else None,
            passage=passage,
            answers=answers,
            kind=kind,
            group=row["title"],
            source=self._source,
        )
