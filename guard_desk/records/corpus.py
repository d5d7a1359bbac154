"""Passages, queries and what loading a file gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Span:
    """Half open range of Python code points: `text[start:end]` is the span."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words of the span."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one code point."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One retrievable piece of text. Fields are text or None, never "".

    :param id: unique within a corpus.
    :param source: where it comes from, for people: "guide/setup.md:12", a URL.
    :param source_type: official, report, news, blog, forum, social, or any other word (counts as unknown).
    :param date: as written; "2025-09" or "2025-09-30" are understood, others count as undated.
    :param version: compared exactly by the version filter.
    :param scope: compared exactly by the scope filter.
    :param claim_key: what the passage states a value of, e.g. "backup.retention".
    :param claim_value: the value it states for `claim_key`.
    :param metadata: further (name, value) pairs.
    """

    id: str
    text: str
    title: str | None = None
    source: str | None = None
    source_type: str | None = None
    date: str | None = None
    version: str | None = None
    scope: str | None = None
    claim_key: str | None = None
    claim_value: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, with optional exact filters."""

    text: str
    version: str | None = None
    scope: str | None = None


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Passages in file order, with unique ids.

    :param path: the file or folder it was read from; None for passages made in code.
    :param digest: sha256 over the passages, in order; says whether a saved trace still fits.
    """

    passages: tuple[Passage, ...]
    path: str | None = None
    digest: str = ""
    _positions: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        positions = {passage.id: index for index, passage in enumerate(self.passages)}
        if len(positions) != len(self.passages):
            raise ValueError("passage ids must be unique within a corpus")
        object.__setattr__(self, "_positions", MappingProxyType(positions))

    def __len__(self) -> int:
        return len(self.passages)

    def position(self, passage_id: str) -> int:
        """Index of a passage by its id.

        :raises KeyError: for an unknown id.
        """
        return self._positions[passage_id]

    def get(self, passage_id: str) -> Passage:
        """A passage by its id.

        :raises KeyError: for an unknown id.
        """
        return self.passages[self._positions[passage_id]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """A person's four answers for one (query, passage); None = unknown.

    :param grade: graded relevance of a qrels file, when it has one.
    """

    passage_id: str
    relevant: bool | None = None
    evidence: bool | None = None
    contradicts: bool | None = None
    injection: bool | None = None
    grade: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswers:
    """Answers of a judge that a case file carries."""

    passage_id: str
    relevant: float
    evidence: float
    contradicts: float
    injection: float
    judge: str = "recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedQuery:
    """A question of a file with all that the file says about it."""

    query: Query
    id: str | None = None
    answer: str | None = None
    references: tuple[str, ...] = ()
    labels: tuple[Labels, ...] = ()
    recorded: tuple[RecordedAnswers, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A record that was left out while loading.

    :param line: 1-based line; for JSON arrays the record number; None for the damaged end of a file.
    """

    path: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A duplicate id that was given a new name; both passages are kept."""

    path: str
    line: int | None
    original: str
    renamed: str


class Format(StrEnum):
    """Names of the formats that can be read."""

    JSONL_PASSAGES = "jsonl_passages"
    JSON_PASSAGES = "json_passages"
    CSV_PASSAGES = "csv_passages"
    TSV_PASSAGES = "tsv_passages"
    MARKDOWN = "markdown"
    MARKDOWN_FOLDER = "markdown_folder"
    PLAIN_TEXT = "plain_text"
    TAGGED_LINES = "tagged_lines"
    BEIR = "beir"
    CASE = "case"
    TRACE = "trace"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadResult:
    """What loading a file or folder gave. One bad record never loses the others.

    :param encoding: name of the text encoding that was found, e.g. "utf-8-sig".
    """

    corpus: Corpus
    queries: tuple[LoadedQuery, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    format: Format = Format.JSONL_PASSAGES
    encoding: str = "utf-8"
