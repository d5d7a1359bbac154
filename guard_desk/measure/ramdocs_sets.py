"""RAMDocs: ambiguous questions with documents that are right, wrong or noise (Wang et al. 2025, arXiv 2504.13079).

Each document is typed correct, misinfo or noise and names the answer it supports. Documents have no source and no date.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from guard_desk.measure.judge_rows import Record, records
from guard_desk.records.corpus import Passage
from guard_desk.text.answers import same_answer

FILE = "ramdocs/dev.jsonl"
CORRECT, MISINFO, NOISE = "correct", "misinfo", "noise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document.

    :param answer: the value it supports; "unknown" for noise.
    """

    id: str
    text: str
    type: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question with its documents.

    :param gold: every right answer.
    :param answers: the values that its correct and wrong documents give, each once, the right ones first.
    """

    id: str
    question: str
    documents: tuple[Document, ...]
    gold: tuple[str, ...]
    answers: tuple[str, ...]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The documents as passages."""
        return tuple(Passage(id=document.id, text=document.text) for document in self.documents)

    @property
    def differ(self) -> bool:
        """Whether its documents give two answers or more."""
        return len(self.answers) > 1

    def of_type(self, kind: str) -> tuple[Document, ...]:
        """The documents of one type."""
        return tuple(document for document in self.documents if document.type == kind)

    def of_answer(self, answer: str) -> tuple[Document, ...]:
        """The documents that give an answer."""
        return tuple(document for document in self.documents if document.type != NOISE and same_answer(document.answer, answer))


def read_cases(data: Path, n: int | None) -> list[Case]:
    """The questions in the set's order; with `n`, so many of them, chosen by a hash."""
    found = [_case(record) for record in records(data / FILE)]
    if n is None or n >= len(found):
        return found
    chosen = {case.id for case in sorted(found, key=lambda case: hashlib.sha256(case.question.encode()).digest())[:n]}
    return [case for case in found if case.id in chosen]


def _case(record: Record) -> Case:
    documents = tuple(
        Document(id=f"D{number}", text=document["text"], type=document["type"], answer=document["answer"])
        for number, document in enumerate(record["documents"])
    )
    ranked = sorted((document for document in documents if document.type != NOISE), key=lambda document: document.type != CORRECT)
    return Case(
        id=str(record["row"]),
        question=record["question"],
        documents=documents,
        gold=tuple(record["gold_answers"]),
        answers=distinct([document.answer for document in ranked]),
    )


def distinct(answers: Sequence[str]) -> tuple[str, ...]:
    """Each answer once, in order; another format of the same value is the same."""
    kept: list[str] = []
    for answer in answers:
        if not any(same_answer(answer, known) for known in kept):
            kept.append(answer)
    return tuple(kept)
