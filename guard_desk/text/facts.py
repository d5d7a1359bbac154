"""Simple statements of single clauses, by rules: who or what, does or is, what."""

from __future__ import annotations

from collections.abc import Sequence

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Cue, Fact, Value


def find_facts(text: str, sentences: Sequence[Span], values: Sequence[Value], cues: Sequence[Cue], languages: Sequence[str] = ("en",)) -> tuple[Fact, ...]:
    """The facts of a text, in order."""
    return ()
