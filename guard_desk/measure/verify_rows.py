"""Answers with the words in them that people marked as wrong: what verification is measured on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from guard_desk.records.corpus import Passage, Query, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A word or keyword of an answer that people judged.

    :param wrong: whether the passages do not support it.
    """

    span: Span
    wrong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One answer, what it was written from, and what people say of it.

    :param group: what the row is of its set: a task, a domain.
    :param cluster: rows with the same one were written from the same source and are resampled together.
    :param wrong: whether the answer says anything that its passages do not.
    :param spans: the wrong words, where the set marks them.
    :param parts: words that were judged one by one, where the set has them.
    """

    id: str
    query: Query
    passages: tuple[Passage, ...]
    answer: str
    cluster: str
    wrong: bool
    group: str = ""
    spans: tuple[Span, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSet:
    """A measuring set.

    :param file: what it is read from, relative to the folder of the data.
    :param read: gives its rows, in the set's order.
    :param about: one sentence: what is marked, and how the set is read.
    :param most: answers that are taken when nobody says how many; None = all.
    """

    name: str
    file: str
    read: Callable[[Path], Iterator[AnswerRow]]
    about: str
    most: int | None = None


def sampled(rows: Sequence[AnswerRow], most: int | None, seed: int = 0) -> list[AnswerRow]:
    """At most so many answers in the set's order: whole clusters in a shuffled order, so that passages are read once for all their answers.

    The last cluster is cut where it would be too many.
    """
    if most is None or len(rows) <= most:
        return list(rows)
    clusters = list(dict.fromkeys(row.cluster for row in rows))
    random.Random(seed).shuffle(clusters)
    rank = {cluster: place for place, cluster in enumerate(clusters)}
    first = sorted(range(len(rows)), key=lambda at: (rank[rows[at].cluster], at))[:most]
    return [rows[at] for at in sorted(first)]


def union(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The same characters as spans that do not overlap, in order; empty ones are left out."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if span.end <= span.start:
            continue
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)
