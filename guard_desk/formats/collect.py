"""Gathers passages while a file is read: unique ids, what was left out and why, the digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from guard_desk.progress import RunContext
from guard_desk.records.corpus import Corpus, Format, LoadedQuery, LoadResult, Passage, Renamed, Skipped

_encode = json.JSONEncoder().encode
_LINE_BREAKING = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


class BadRecord(Exception):  # noqa: N818 - a record, not an error of the program; it becomes a `Skipped`
    """A record that cannot become a passage; the message is the reason."""


class Collector:
    """What reading one file or folder has gathered so far.

    :param ctx: told of progress, asked about a cancel.
    :param total_bytes: bytes on disk that will be read.
    """

    def __init__(self, ctx: RunContext, total_bytes: int) -> None:
        self.ctx = ctx
        self.passages: list[Passage] = []
        self.queries: list[LoadedQuery] = []
        self.skipped: list[Skipped] = []
        self.renamed: list[Renamed] = []
        self._total_bytes = total_bytes
        self._done_bytes = 0
        self._next_number: dict[str, int] = {}
        self._digest = hashlib.sha256()

    def on_bytes(self, count: int) -> None:
        """Note bytes that were read. :raises Cancelled: when the user asked to stop."""
        self._done_bytes += count
        if count:
            self.ctx.report("load", min(self._done_bytes, self._total_bytes), self._total_bytes, unit="bytes")
        else:
            self.ctx.check()

    def add(self, passage: Passage, *, path: Path, line: int | None) -> None:
        """Keep a passage; a taken id gets `#2`, `#3`, ... and is listed."""
        unique = self._unique(clean_id(passage.id))
        if unique != passage.id.strip():
            self.renamed.append(Renamed(path=str(path), line=line, original=passage.id, renamed=unique))
        if unique != passage.id:
            passage = replace(passage, id=unique)
        self.passages.append(passage)
        self._digest.update(passage_bytes(passage))

    def skip(self, path: Path, line: int | None, reason: str) -> None:
        """Note a record that is left out."""
        self.skipped.append(Skipped(path=str(path), line=line, reason=reason))

    def _unique(self, wanted: str) -> str:
        if wanted not in self._next_number:
            self._next_number[wanted] = 2
            return wanted
        number = self._next_number[wanted]
        while f"{wanted}#{number}" in self._next_number:
            number += 1
        self._next_number[wanted] = number + 1
        self._next_number[f"{wanted}#{number}"] = 2
        return f"{wanted}#{number}"

    def has(self, passage_id: str) -> bool:
        """Whether a passage of this id was kept."""
        return passage_id in self._next_number

    def result(self, *, path: Path, file_format: Format, encoding: str) -> LoadResult:
        """All that was gathered, frozen. The collector is used up: the ids are let go before the corpus builds its own."""
        self._next_number.clear()
        return LoadResult(
            corpus=Corpus(passages=tuple(self.passages), path=str(path), digest=self._digest.hexdigest()),
            queries=tuple(self.queries),
            skipped=tuple(self.skipped),
            renamed=tuple(self.renamed),
            format=file_format,
            encoding=encoding,
        )


def clean_id(passage_id: str) -> str:
    """An id on one line, without outer white space: ids stand in the prompt as `[id]`."""
    return _LINE_BREAKING.sub(" ", passage_id.strip()).strip() or "?"


def passage_bytes(passage: Passage) -> bytes:
    """A passage as bytes that differ whenever any field differs, the same on every system: a JSON list in ASCII."""
    return _encode(
        [
            passage.id,
            passage.text,
            passage.title,
            passage.source,
            passage.source_type,
            passage.date,
            passage.version,
            passage.scope,
            passage.claim_key,
            passage.claim_value,
            passage.metadata,
        ]
    ).encode("ascii")


def corpus_digest(passages: Iterable[Passage]) -> str:
    """sha256 over passages in order, as hexadecimal digits."""
    digest = hashlib.sha256()
    for passage in passages:
        digest.update(passage_bytes(passage))
    return digest.hexdigest()


def make_corpus(passages: Iterable[Passage]) -> Corpus:
    """A corpus of passages made in code; ids that repeat are renamed as when a file is read."""
    collector = Collector(RunContext(), 0)
    for passage in passages:
        collector.add(passage, path=Path(), line=None)
    return replace(collector.result(path=Path(), file_format=Format.JSONL_PASSAGES, encoding="utf-8").corpus, path=None)
