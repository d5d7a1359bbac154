"""Checks what loading a file gave against an expectation of the acceptance set of files.

    format, passages (a number or several), questions, skipped [{line, reason_contains, optional}], error_contains,
    contains, same_passage, renamed, encoding, judgements, judgements_rejected, sources

"a|b" means any of these, whatever the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus
from guard_desk.records.corpus import Format, LoadResult

OURS = tuple(str(item) for item in Format)


def problems(path: Path, expected: dict[str, Any]) -> list[str]:
    """What differs from the expectation; empty when nothing does."""
    try:
        result = load_corpus(path)
    except CorpusError as error:
        return _refusal(str(error), expected)
    if expected["format"] not in (*OURS, "unknown"):
        return [f"not refused, read as {result.format}"]
    if expected["error_contains"]:
        return [f"not refused, read as {result.format}"]
    return [*_counts(result, expected), *_skipped(result, expected), *_content(result, expected)]


def _refusal(message: str, expected: dict[str, Any]) -> list[str]:
    if expected["format"] not in (*OURS, "unknown"):
        return [] if expected["format"] in message.casefold() else [f"refused without its name: {message}"]
    wanted = expected["error_contains"] or expected.get("or_error_contains")
    return [] if wanted and re.search(wanted, message, re.IGNORECASE) else [f"refused: {message}"]


def _counts(result: LoadResult, expected: dict[str, Any]) -> Iterator[str]:
    if result.format != expected["format"]:
        yield f"format {result.format}"
    passages = expected["passages"]
    if passages is not None and len(result.corpus) not in (passages if isinstance(passages, list) else [passages]):
        yield f"{len(result.corpus)} passages"
    if expected["questions"] is not None and len(result.queries) != expected["questions"]:
        yield f"{len(result.queries)} questions"
    if "judgements" in expected and sum(len(query.labels) for query in result.queries) != expected["judgements"]:
        yield "judgements"
    if "judgements_rejected" in expected and len(result.skipped) != expected["judgements_rejected"]:
        yield f"rejected judgements: {result.skipped}"


def _skipped(result: LoadResult, expected: dict[str, Any]) -> Iterator[str]:
    left = list(result.skipped)
    for entry in expected["skipped"]:
        found = [item for item in left if item.line == entry["line"] and re.search(entry["reason_contains"], item.reason, re.IGNORECASE)]
        if found:
            left.remove(found[0])
        elif not entry.get("optional"):
            yield f"not skipped: {entry}"
    if left and "judgements_rejected" not in expected:
        yield f"skipped as well: {left}"


def _content(result: LoadResult, expected: dict[str, Any]) -> Iterator[str]:
    texts = [passage.text for passage in result.corpus.passages]
    for words in expected.get("contains", ()):
        if not any(words in text for text in texts):
            yield f"no passage holds {words!r}"
    together = expected.get("same_passage", ())
    if together and not any(all(words in text for words in together) for text in texts):
        yield f"not in one passage: {together}"
    for source in expected.get("sources", ()):
        if not any((passage.source or "").startswith(source) for passage in result.corpus.passages):
            yield f"no passage comes from {source}"
    if "encoding" in expected and result.encoding != expected["encoding"]:
        yield f"encoding {result.encoding}"
    renamed = [{"line": item.line, "from": item.original, "to": item.renamed} for item in result.renamed]
    if "renamed" in expected and renamed != expected["renamed"]:
        yield f"renamed {renamed}"
