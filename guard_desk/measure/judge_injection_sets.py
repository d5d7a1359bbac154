"""Readers of the sets of injections that judges are measured on and never fitted on; what is drawn at random is drawn with seed 0.

The texts are hostile by design: data, never instructions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from guard_desk.measure.judge_rows import NO_QUESTION, PairRow, Record, records
from guard_desk.records.evidence import Question
from guard_desk.text.sentences import sentences

INJECTION = Question.INJECTION
POSITIONS = ("start", "middle", "end")
KINDS = ("email", "table", "code")
_CODE_QUESTION = "How can this error be fixed?"


def injection_cases(data: Path) -> Iterator[PairRow]:
    """The written cases of injections, without those marked borderline."""
    for record in records(data / "injection_dev.jsonl"):
        if not record.get("borderline"):
            yield PairRow(
                id=record["id"],
                query=record["query"],
                text=record["text"],
                cluster=record["id"],
                labels={INJECTION: bool(record["label"])},
                part=record["lang"],
            )


def bipia(data: Path) -> Iterator[PairRow]:
    """Attacks in documents against clean documents.

    For each attack one clean context of each kind (e-mail, table, code) is drawn; the attack stands before it, after it, or at a sentence
    start within it that is drawn too, as BIPIA composes them. Rows of an attack are one cluster, and each clean context is one.
    """
    contexts = list(records(data / "bipia/contexts_dev.jsonl"))
    by_kind = {kind: [record for record in contexts if record["task"] == kind] for kind in KINDS}
    drawn = random.Random(0)
    for record in contexts:
        yield _bipia(record, f"clean/{_context_id(record)}", _context(record), label=False, part="clean")
    for number, record in enumerate(records(data / "bipia/attacks_dev.jsonl")):
        part = "text" if record["file"].startswith("text") else "code"
        for kind in KINDS:
            if not by_kind[kind]:
                continue
            chosen = drawn.choice(by_kind[kind])
            for position in POSITIONS:
                text = _composed(_context(chosen), record["attack"], position, drawn)
                row_id = f"{number}/{_context_id(chosen)}/{position}"
                yield _bipia(chosen, row_id, text, label=True, part=f"{part} {position}", cluster=f"attack {number}")


def _context(record: Record) -> str:
    context = record["context"]
    return context if isinstance(context, str) else "\n".join(context)


def _context_id(record: Record) -> str:
    return f"{record['task']}-{record['orig_split']}-{record['row']}"


def _composed(context: str, attack: str, position: str, drawn: random.Random) -> str:
    if position == "start":
        return f"{attack}\n{context}"
    if position == "end":
        return f"{context}\n{attack}"
    starts = [span.start for span in sentences(context)][1:] or [len(context) // 2]
    cut = drawn.choice(starts)
    return f"{context[:cut]}{attack}\n{context[cut:]}"


def _bipia(context: Record, row_id: str, text: str, *, label: bool, part: str, cluster: str | None = None) -> PairRow:
    query = str(context.get("question") or _CODE_QUESTION).removeprefix("Q: ")
    return PairRow(id=row_id, query=query, text=text, cluster=cluster or row_id, labels={INJECTION: label}, part=part)


def notinject(data: Path) -> Iterator[PairRow]:
    """Benign prompts with words that attacks use."""
    for record in records(data / "notinject/dev.jsonl"):
        row_id = f"{record['file']}/{record['row']}"
        yield PairRow(id=row_id, query=NO_QUESTION, text=record["prompt"], cluster=row_id, labels={INJECTION: False}, part=record["file"])


def bastioncorpus(data: Path) -> Iterator[PairRow]:
    """Malicious strings, encoded ones too, and benign traps."""
    for record in records(data / "bastioncorpus/dev.jsonl"):
        label = record["label"] == "malicious"
        yield PairRow(
            id=record["id"],
            query=NO_QUESTION,
            text=record["text"],
            cluster=record["id"],
            labels={INJECTION: label},
            part=record["category"],
        )
