"""BEIR folders: corpus.jsonl, queries.jsonl and qrels/*.tsv, each of them plain or gzip."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from guard_desk.formats.collect import BadRecord, Collector, clean_id
from guard_desk.formats.fields import scalar
from guard_desk.formats.json_records import json_object, read_jsonl
from guard_desk.formats.text_file import TextFile
from guard_desk.records.corpus import Labels, LoadedQuery, Query

_ANSWER_KEYS = ("answers", "answer", "references", "reference")


def beir_files(folder: Path) -> tuple[Path | None, Path | None, tuple[Path, ...]]:
    """The corpus, the questions (None where missing) and the judgements of a folder."""
    return _either(folder / "corpus.jsonl"), _either(folder / "queries.jsonl"), _judgement_files(folder)


def _either(path: Path) -> Path | None:
    packed = path.with_name(path.name + ".gz")
    return path if path.is_file() else packed if packed.is_file() else None


def _judgement_files(folder: Path) -> tuple[Path, ...]:
    inside = folder / "qrels"
    names = inside.iterdir() if inside.is_dir() else folder.glob("qrels*")
    endings = (".tsv", ".tsv.gz", ".txt", ".txt.gz")
    return tuple(sorted(path for path in names if path.is_file() and path.name.casefold().endswith(endings)))


def read_corpus(text: TextFile, into: Collector) -> None:
    """Read corpus.jsonl."""
    read_jsonl(text, into)


def read_queries(text: TextFile, into: Collector) -> None:
    """Read queries.jsonl."""
    seen: set[str] = set()
    for number, line in text.lines():
        if not line or line.isspace():
            continue
        try:
            query = _query(json_object(text, line), seen)
        except BadRecord as bad:
            if number != text.cut_line:
                into.skip(text.path, number, str(bad))
            continue
        into.queries.append(query)


def _query(record: Mapping[str, object], seen: set[str]) -> LoadedQuery:
    found = next((scalar(record[name]) for name in ("_id", "id", "query_id", "qid") if name in record), None)
    words = next((record[name] for name in ("text", "query", "question") if name in record), None)
    if not isinstance(words, str) or not words.strip():
        raise BadRecord("the question has no text")
    if not found or not found.strip():
        raise BadRecord("the question has no id")
    query_id = clean_id(found)
    if query_id in seen:
        raise BadRecord(f"the question id {query_id!r} stands there twice; the first one is kept")
    seen.add(query_id)
    return LoadedQuery(query=Query(text=words.strip()), id=query_id, references=_references(record))


def _references(record: Mapping[str, object]) -> tuple[str, ...]:
    for name in _ANSWER_KEYS:
        value = record.get(name)
        items = value if isinstance(value, list) else [value]
        texts = tuple(item for item in items if isinstance(item, str) and item.strip())
        if texts:
            return texts
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judgement:
    query_id: str
    passage_id: str
    grade: float


def read_judgements(text: TextFile, into: Collector) -> None:
    """Read one qrels file, with or without its header row, of three columns or of TREC's four.

    Rows that name an unknown question or passage, and second rows for the same pair, are listed.
    """
    positions = {query.id: index for index, query in enumerate(into.queries)}
    labels: dict[int, dict[str, Labels]] = {}
    first = True
    for number, line in text.lines():
        if not line or line.isspace() or number == text.cut_line:
            continue
        cells = _cells(line)
        if first and _is_header(cells):
            first = False
            continue
        first = False
        try:
            judgement = _judgement(cells)
            of_query = labels.setdefault(_position(judgement, positions, into), {})
            if judgement.passage_id in of_query:
                raise BadRecord(
                    f"question {judgement.query_id!r} and passage {judgement.passage_id!r} are judged twice; the first row is kept"
                )
            of_query[judgement.passage_id] = Labels(passage_id=judgement.passage_id, relevant=judgement.grade > 0, grade=judgement.grade)
        except BadRecord as bad:
            into.skip(text.path, number, str(bad))
    for index, found in labels.items():
        _add_labels(into, index, found)


def _add_labels(into: Collector, index: int, found: Mapping[str, Labels]) -> None:
    query = into.queries[index]
    known = {label.passage_id for label in query.labels}
    into.queries[index] = replace(query, labels=query.labels + tuple(label for name, label in found.items() if name not in known))


def _cells(line: str) -> list[str]:
    cells = [cell.strip() for cell in (line.split("\t") if "\t" in line else line.split())]
    return [cells[0], cells[2], cells[3]] if len(cells) == 4 and cells[1].casefold() in ("0", "q0") else cells


def _is_header(cells: list[str]) -> bool:
    return (
        len(cells) >= 3
        and _grade(cells[2]) is None
        and any(word in "".join(cells[:2]).casefold() for word in ("query", "corpus", "doc", "id"))
    )


def _grade(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _judgement(cells: list[str]) -> _Judgement:
    if len(cells) < 3:
        raise BadRecord(f"it has {len(cells)} of 3 columns (question id, passage id, score)")
    grade = _grade(cells[2])
    if grade is None:
        raise BadRecord(f"the score {cells[2]!r} is no number")
    return _Judgement(query_id=clean_id(cells[0]), passage_id=clean_id(cells[1]), grade=grade)


def _position(judgement: _Judgement, positions: Mapping[str | None, int], into: Collector) -> int:
    """Where the question stands. :raises BadRecord: for an unknown question or passage."""
    if judgement.query_id not in positions:
        raise BadRecord(f"it names an unknown question {judgement.query_id!r}")
    if not into.has(judgement.passage_id):
        raise BadRecord(f"it names an unknown passage (document) {judgement.passage_id!r}")
    return positions[judgement.query_id]
