"""One training row of the judge: a query or claim, a passage, and what is known about the pair.

A row may answer several questions at once (a window that answers is relevant and evidence); None means that nothing is known, and the
loss of that question is masked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

QUESTIONS = ("relevant", "evidence", "contradicts", "injection", "claim")
SUPPORT, CONTRADICT, NEUTRAL = 0, 1, 2
# Sources that do not tell neutral from contradiction: the loss only says "not supported".
NOT_SUPPORTED = 3
UNKNOWN = -1
DEV_TENTHS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One pair.

    :param query: a question, or a claim for the question "claim"; "" for injection, which never sees the query.
    :param passage: the text that is judged, short enough for one window.
    :param kind: how the row was made, e.g. "cut", "number", "other".
    :param group: rows that share text have one group and stay on one side of the split.
    :param source: the data set or generator.
    :param claim: SUPPORT, CONTRADICT, NEUTRAL or NOT_SUPPORTED.
    """

    query: str = ""
    title: str | None = None
    passage: str
    kind: str
    group: str
    source: str
    relevant: int | None = None
    evidence: int | None = None
    contradicts: int | None = None
    injection: int | None = None
    claim: int | None = None

    def label(self, question: str) -> int:
        """The answer to one of `QUESTIONS`; UNKNOWN when the row does not say."""
        value = getattr(self, question)
        return UNKNOWN if value is None else int(value)

    @property
    def shown(self) -> str:
        """What the model reads of the passage: title and text."""
        return f"{self.title}. {self.passage}" if self.title else self.passage


def is_dev(group: str) -> bool:
    """Whether a group is held out: a tenth of all groups, fixed by their names."""
    return int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) % 10 < DEV_TENTHS


def write_rows(path: Path, rows: Iterable[Row]) -> str:
    """Write rows as JSON lines.

    :returns: the sha256 of the file.
    """
    lines = "".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines)
    return hashlib.sha256(lines).hexdigest()


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file that `write_rows` wrote."""
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield Row(**json.loads(line))


def counts(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """How many rows of each label a source has for each question, e.g. {"fever": {"claim=0": 4000}}."""
    table: dict[str, dict[str, int]] = {}
    for row in rows:
        for question in QUESTIONS:
            if row.label(question) != UNKNOWN:
                cells = table.setdefault(row.source, {})
                cell = f"{question}={row.label(question)}"
                cells[cell] = cells.get(cell, 0) + 1
    return {source: dict(sorted(cells.items())) for source, cells in sorted(table.items())}
