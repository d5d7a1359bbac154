"""Small made-up sets in the shape of RAMDocs, WikiContradict and ConflictQA."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def write(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _document(text: str, kind: str, answer: str = "unknown") -> dict[str, str]:
    return {"text": text, "type": kind, "answer": answer}


def ramdocs(data: Path) -> None:
    """A question whose documents differ, one whose documents agree, and one without a right document."""
    rows = [
        {
            "question": "When was the mill of Harwick built?",
            "documents": [
                _document("The mill of Harwick was built in 1704. It stands by the river.", "correct", "1704"),
                _document("Travellers pass the old mill. The mill of Harwick was built in 1704 by a baker.", "correct", "1704"),
                _document("The mill of Harwick was built in 1811.", "misinfo", "1811"),
                _document("Cookies help this site to remember you.", "noise"),
            ],
            "gold_answers": ["1704", "1699"],
            "wrong_answers": ["1811"],
        },
        {
            "question": "How long is the river Orrest?",
            "documents": [
                _document("The river Orrest is 7 km long.", "correct", "7 km"),
                _document(
                    "With a length of 7,000 metres the river Orrest is short. The river Orrest is 7,000 metres long.", "correct", "7000 m"
                ),
                _document("Bread is baked on Fridays.", "noise"),
            ],
            "gold_answers": ["7 km"],
            "wrong_answers": [],
        },
        {
            "question": "Who is the mayor of Lunden?",
            "documents": [_document("Press enter to go on.", "noise")],
            "gold_answers": ["Ada Voss"],
            "wrong_answers": [],
        },
    ]
    write(data / "ramdocs/dev.jsonl", [{**row, "disambig_entity": [], "row": number} for number, row in enumerate(rows)])


def wikicontradict(data: Path) -> None:
    rows = [
        {
            "question": "When was the mill of Harwick built?",
            "context1": "The mill of Harwick was built in 1704.",
            "context2": "The mill of Harwick was built in 1811, as often told.",
            "contradiction_type": "Explicit",
        },
        {
            "question": "How long is the river Orrest?",
            "context1": "The river Orrest is 7 km long, due to a canal.",
            "context2": "The river Orrest is 9 km long.",
            "contradiction_type": "Implicit (reasoning required)",
        },
        {
            "question": "How many bakers live in Lunden?",
            "context1": "Four bakers live in Lunden: Ada, Ben and Cem.",
            "context2": "Four bakers live in Lunden: Ada, Ben and Cem.",
            "contradiction_type": "Explicit",
        },
    ]
    write(data / "wikicontradict/dev.jsonl", [{**row, "row": number} for number, row in enumerate(rows)])


def conflictqa(data: Path) -> None:
    row = {
        "question": "Is swimming allowed in the lake of Orrest?",
        "parametric_memory": "Swimming is allowed in the lake of Orrest.",
        "counter_memory": "Swimming is not allowed in the lake of Orrest.",
        "parametric_memory_aligned_evidence": "By the council's rule swimming is allowed in the lake of Orrest.",
        "counter_memory_aligned_evidence": "By the council's rule swimming is not allowed in the lake of Orrest.",
    }
    write(data / "conflictqa/dev.jsonl", [{**row, "row": 0}, {**row, "row": 1, "counter_memory": None}])
