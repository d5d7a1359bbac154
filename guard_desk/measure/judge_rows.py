"""Labelled (question, passage) pairs of measuring sets, and how many of them are taken."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from guard_desk.errors import InputError
from guard_desk.records.evidence import Question

Record = Mapping[str, Any]
_AS_PUBLISHED = "Give the set as it was published."
NO_QUESTION = "What does this text say?"
"""Asked where a set has texts and no questions: the scan for injections reads the passage alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """One labelled pair.

    :param query: the question; in the claim sets, the claim.
    :param cluster: rows with the same one share a text or a document and are resampled together.
    :param labels: the right answers, of the questions that the row is strict about; empty in the claim sets.
    :param part: what the row is of its source: language, position, kind; in the claim sets, the stance.
    """

    id: str
    query: str
    text: str
    title: str | None = None
    cluster: str = ""
    labels: Mapping[Question, bool] = field(default_factory=dict)
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A measuring set.

    :param files: what it is read from, relative to the folder of the data.
    :param read: gives its rows, in a fixed order.
    :param about: one sentence: what is positive, what negative, how rows were paired.
    :param most: rows of a class that are taken when nobody says how many; None = all.
    """

    name: str
    files: tuple[str, ...]
    read: Callable[[Path], Iterator[PairRow]]
    about: str
    questions: tuple[Question, ...]
    most: int | None = None

    def missing(self, data: Path) -> tuple[str, ...]:
        """The files that are not there."""
        return tuple(file for file in self.files if not (data / file).is_file())


class _Row(dict[str, Any]):
    """A JSON object of a set's file; a field that it lacks is told with the line."""

    def __init__(self, values: Mapping[str, Any], file: Path, line: int) -> None:
        super().__init__(values)
        self._file, self._line = file, line

    def __missing__(self, field: str) -> None:
        raise InputError(f"no field {field!r}.", path=self._file, line=self._line, remedy=_AS_PUBLISHED)


def records(file: Path) -> Iterator[Record]:
    """The objects of a JSON Lines file, one at a time. Texts hold characters that other splitters would take for line ends.

    :raises InputError: naming the line, when one is no JSON object, or later, when a field is asked of one that lacks it.
    """
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line, object_hook=partial(_Row, file=file, line=number))
            except ValueError as exc:
                raise InputError(f"not JSON: {exc}.", path=file, line=number, remedy=_AS_PUBLISHED) from exc
            if not isinstance(record, dict):
                raise InputError("not a JSON object.", path=file, line=number, remedy=_AS_PUBLISHED)
            yield record


def limited(rows: Iterable[PairRow], most: int | None) -> list[PairRow]:
    """At most `most` rows of each class, chosen by a hash of cluster and id (seed 0): the same for every run, whole clusters first.

    Rows are of one class when their labels are equal; without labels, when their part is. Never more than `most` rows a class are held
    while reading.
    """
    if most is None:
        return list(rows)
    heaps: dict[str, list[tuple[int, int, int, PairRow]]] = {}
    for number, row in enumerate(rows):
        heap = heaps.setdefault(_class(row), [])
        # Negated: a heap gives its smallest, and the largest hash has to go.
        entry = (-_hash(row.cluster), -_hash(row.id), -number, row)
        if len(heap) < most:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    kept = itertools.chain.from_iterable(heaps.values())
    return [row for _, _, _, row in sorted(kept, key=lambda entry: -entry[2])]


def _class(row: PairRow) -> str:
    return ", ".join(sorted(f"{question} {label}" for question, label in row.labels.items())) or row.part


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(f"0|{text}".encode("utf-8", "surrogatepass")).digest()[:8], "big")
