"""Splits an answer into claims: sentences, list items, table rows, and clauses that each have a verb of their own."""

from __future__ import annotations

from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.text.clauses import split_clauses
from guard_desk.text.languages import detect
from guard_desk.text.sentences import sentences


@lru_cache(maxsize=2048)
def split_claims(text: str) -> tuple[Span, ...]:
    """The claims of a text: trimmed, in order, never overlapping. A table row, a line of code and a heading stay whole."""
    language = detect(text)[0]
    found: list[Span] = []
    for sentence in sentences(text):
        whole = sentence.of(text)
        found += [sentence] if whole.startswith(("|", "```", "~~~")) else split_clauses(text, sentence, language)
    return tuple(found)
