"""One training row of the answer finder: a question, a passage, and where the passage answers it (nowhere, as often as not)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

SIDES = ("train", "calibration", "test")
# Articles of SQuAD 2 and XQuAD, which share them; their translations go with them.
CALIBRATION_TITLES = frozenset({"1973 oil crisis", "Packet switching", "Doctor Who", "Pharmacy", "Rhine", "Teacher", "Southern California"})
TEST_TITLES = frozenset(
    {"Normans", "Harvard University", "American Broadcasting Company", "Oxygen", "Kenya", "Super Bowl 50", "Nikola Tesla"}
)
_TENTHS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One pair.

    :param answers: (start, end) code points of the passage, any of which is right; empty when nothing there answers.
    :param kind: how the row was made, e.g. "window", "impossible", "other paragraph".
    :param group: rows that share text have one group and stay on one side of the split.
    """

    question: str
    title: str | None = None
    passage: str
    answers: tuple[tuple[int, int], ...]
    kind: str
    group: str
    source: str


def side_of_title(title: str) -> str:
    """The side of an article of the question sets, by name."""
    plain = title.replace("_", " ")
    if plain in TEST_TITLES:
        return "test"
    return "calibration" if plain in CALIBRATION_TITLES else "train"


def side_of_group(group: str) -> str:
    """The side of any other group, fixed by its name: a tenth for calibration, a tenth for the test."""
    tenth = int(hashlib.sha256(f"answers {group}".encode()).hexdigest()[:8], 16) % _TENTHS
    return {0: "test", 1: "calibration"}.get(tenth, "train")


def write_rows(path: Path, rows: Iterable[AnswerRow]) -> str:
    """Write rows as JSON lines. :returns: the sha256 of the file."""
    lines = "".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines)
    return hashlib.sha256(lines).hexdigest()


def read_rows(path: Path) -> Iterator[AnswerRow]:
    """The rows of a file that `write_rows` wrote."""
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            found = json.loads(line)
            found["answers"] = tuple((start, end) for start, end in found["answers"])
            yield AnswerRow(**found)


def counts(rows: Sequence[AnswerRow]) -> dict[str, int]:
    """How many rows there are of each source and kind."""
    table: dict[str, int] = {}
    for row in rows:
        name = f"{row.source}: {row.kind}"
        table[name] = table.get(name, 0) + 1
    return dict(sorted(table.items()))
