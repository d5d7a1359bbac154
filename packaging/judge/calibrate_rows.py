"""Dev rows as the product reads them: the shipped network, the encoder's cosine and the rules, one example a row."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluate import family, sample
from rows import QUESTIONS, UNKNOWN, Row

from guard_desk.models.judges.network import JudgeNetwork
from guard_desk.models.judges.pair_features import read_pair
from guard_desk.models.judges.pair_reader import PairReader
from guard_desk.models.judges.votes import Readings
from guard_desk.models.registry import load_encoder
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage

TOGETHER = 256
JUDGED = QUESTIONS[:4]
MANY = ("answers", "replies")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A row with what the product reads of it.

    :param source: see `source_of`.
    """

    row: Row
    source: str
    readings: Readings


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimExample:
    """A claim with the network's logits of the passage's only window."""

    row: Row
    source: str
    logits: Any


def chosen(rows: Sequence[Row], most: int) -> list[Row]:
    """At most `most` rows of each source and answer. What is not about the query holds no evidence for it."""
    found = sample(rows, most)
    return [replace(row, evidence=0) if row.relevant == 0 and row.evidence is None else row for row in found]


def source_of(row: Row) -> str:
    """The source under which a row is weighed and told: generators over many documents are one."""
    kind = row.source.partition("-")[0]
    return kind if kind in MANY else family(row.source)


def judged_examples(rows: Sequence[Row], network: JudgeNetwork) -> list[Example]:
    """Readings of all rows that one of the four questions is asked of."""
    asked = [row for row in rows if any(row.label(question) != UNKNOWN for question in JUDGED)]
    passages = [Passage(id=str(number), text=row.passage, title=row.title) for number, row in enumerate(asked)]
    similar = _cosines(asked, passages)
    reader, found = PairReader(network), []
    for start in _steps(len(asked), "pairs"):
        part = slice(start, start + TOGETHER)
        readings = reader.read_pairs([row.query for row in asked[part]], passages[part], RunContext())
        for row, cosine, heads in zip(asked[part], similar[part], readings, strict=True):
            pair = read_pair(row.query, row.passage, row.title, cosine)
            found.append(Example(row=row, source=source_of(row), readings=Readings(pair=pair, heads=heads)))
    return found


def claim_examples(rows: Sequence[Row], network: JudgeNetwork) -> list[ClaimExample]:
    """The claim head's logits of all claims whose passage fits into one window."""
    asked = [row for row in rows if row.claim is not None]
    reader, found = PairReader(network), []
    for start in _steps(len(asked), "claims"):
        part = asked[start : start + TOGETHER]
        windows = [reader.cutter.pairs(row.query, row.title, row.passage) for row in part]
        single = [(row, cut[0]) for row, cut in zip(part, windows, strict=True) if len(cut) == 1]
        logits = reader.logits([window for _, window in single], RunContext())["claim"]
        found += [ClaimExample(row=row, source=source_of(row), logits=values) for (row, _), values in zip(single, logits, strict=True)]
    return found


def _cosines(rows: Sequence[Row], passages: Sequence[Passage]) -> list[float]:
    """The encoder's similarity to three digits, as the judge gets it; 0 where no vote reads it: it says nothing of premises and orders."""
    encoder = load_encoder("minilm", "cpu")
    used = [number for number, row in enumerate(rows) if row.query and (row.relevant is not None or row.evidence is not None)]
    queries = sorted({rows[number].query for number in used})
    asked = dict(zip(queries, encoder.encode_passages([Passage(id=query, text=query) for query in queries], RunContext()), strict=True))
    vectors = encoder.encode_passages([passages[number] for number in used], RunContext())
    found = [0.0] * len(rows)
    for number, vector in zip(used, vectors, strict=True):
        found[number] = round(float(asked[rows[number].query] @ vector), 3)
    return found


def _steps(count: int, what: str) -> Any:
    began = time.monotonic()
    for start in range(0, count, TOGETHER):
        print(f"\r{start} of {count} {what}, {time.monotonic() - began:.0f} s", end="", file=sys.stderr, flush=True)
        yield start
    print(f"\r{count} {what}, {time.monotonic() - began:.0f} s        ", file=sys.stderr)
