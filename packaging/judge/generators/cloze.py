"""Questions made of claims and sentences, asked of the texts that they are true of.

FEVER's supported claims were written by people who read the evidence: a question made of a claim meets the fact in other words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sources
from answer_rows import AnswerRow, side_of_group, side_of_title
from rows import SUPPORT

from generators.answer_windows import window_around
from generators.asking import Asked, ask
from guard_desk.text.sentences import sentences

_LONGEST_ANSWER = 60
_MOST_PLACES = 3
TITLED = 0.6


@dataclass(frozen=True, slots=True)
class Told:
    """A statement, the text that it is true of, and what else is said about the same page."""

    statement: str
    text: str
    page: str | None
    group: str
    source: str


def fever(claims: Iterable[sources.Claim], side: str) -> list[Told]:
    """The supported claims of FEVER on one side."""
    return [
        Told(claim.claim, claim.text, claim.page, claim.group, "fever")
        for claim in claims
        if claim.source == "fever" and claim.label == SUPPORT and claim.text and side_of_group(claim.group) == side
    ]


def article_sentences(articles: Iterable[sources.Paragraph], side: str) -> list[Told]:
    """The sentences of SQuAD's paragraphs on one side, each with its paragraph."""
    found = []
    for article in articles:
        if article.source == "squad2" and side_of_title(article.group) == side:
            found += [
                Told(span.of(article.text).strip(), article.text, article.title, article.group, "article")
                for span in sentences(article.text)
            ]
    return found


def places(answer: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where an answer stands in a text as whole words."""
    pattern = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
    return tuple((match.start(), match.end()) for match in pattern.finditer(text))


class Cloze:
    """Makes rows."""

    def __init__(self, told: Sequence[Told], rng: random.Random) -> None:
        self._told, self._rng = told, rng
        self._by_group: dict[str, list[str]] = {}
        for item in told:
            texts = self._by_group.setdefault(item.group, [])
            if item.text not in texts:
                texts.append(item.text)

    def rows(self, docs: Iterable[Any], negatives: float) -> Iterator[AnswerRow]:
        """Rows of the documents of the statements, in their order.

        :param negatives: share of the questions that also meet a text without the answer.
        """
        for item, doc in zip(self._told, docs, strict=True):
            for asked in ask(doc, self._rng):
                yield from self._row(item, asked, negatives)

    def _row(self, item: Told, asked: Asked, negatives: float) -> Iterator[AnswerRow]:
        found = places(asked.answer, item.text)
        if not found or len(found) > _MOST_PLACES or len(asked.answer) > _LONGEST_ANSWER or asked.answer in asked.question:
            return
        # "July" of "18 July 1996", "the dynasty": no whole date.
        if asked.label == "DATE" and not any(char.isdigit() for char in asked.answer):
            return
        title = item.page if item.page and self._rng.random() < TITLED else None
        text, shift = self._surrounded(item, asked.answer, found[0])
        answers = tuple((start + shift, end + shift) for start, end in found) if item.source == "fever" else places(asked.answer, text)
        yield AnswerRow(
            question=asked.question, title=title, passage=text, answers=answers, kind=asked.label, group=item.group, source=item.source
        )
        if self._rng.random() < negatives:
            other = self._without(item, asked.answer)
            if other:
                yield AnswerRow(
                    question=asked.question, title=title, passage=other, answers=(), kind="without", group=item.group, source=item.source
                )

    def _surrounded(self, item: Told, answer: str, place: tuple[int, int]) -> tuple[str, int]:
        """The text among others that do not hold the answer, and by how much its places move; a window of an article's paragraph."""
        if item.source != "fever":
            return window_around(item.text, *place, self._rng.randint(15, 90), self._rng).text, 0
        same = [text for text in self._by_group[item.group] if text != item.text]
        others = self._rng.sample(same, min(len(same), self._rng.randint(0, 2)))
        others += [self._rng.choice(self._told).text for _ in range(self._rng.choice((0, 0, 0, 1, 1, 2)))]
        others = [text for text in others if answer.casefold() not in text.casefold()]
        cut = self._rng.randint(0, len(others))
        before = " ".join(others[:cut])
        kept = [part for part in (before, item.text, " ".join(others[cut:])) if part]
        return " ".join(kept), len(before) + 1 if before else 0

    def _without(self, item: Told, answer: str) -> str:
        if item.source != "fever":
            kept = [span.of(item.text) for span in sentences(item.text) if answer.casefold() not in span.of(item.text).casefold()]
            return " ".join(kept[: self._rng.randint(1, 4)])
        same = [text for text in self._by_group[item.group] if text != item.text]
        pool = same if same and self._rng.random() < 0.7 else [self._rng.choice(self._told).text]
        text = " ".join(self._rng.sample(pool, min(len(pool), self._rng.randint(1, 2))))
        return "" if answer.casefold() in text.casefold() else text
