"""The texts of the made-up worlds, read from `resources/bench/paper_*.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from guard_desk import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionType:
    """One type of question with its wordings; the places in them are explained in the file.

    :param subject: the kind of thing that it asks about.
    :param value: the form of its answer.
    :param now: statements in words of change; empty for what cannot change.
    :param gone: denials of what once held; empty for what cannot change.
    """

    name: str
    subject: str
    value: str
    ask: tuple[str, ...]
    say: tuple[str, ...]
    row: tuple[str, ...]
    deny: tuple[str, ...]
    both: tuple[str, ...]
    near: tuple[str, ...]
    now: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the answer can become another one with time."""
        return bool(self.gone)


@cache
def question_types() -> tuple[QuestionType, ...]:
    """All types, in the order of the file."""
    rows = tomllib.loads(resources.path("bench", "paper_types.toml").read_text("utf-8"))["type"]
    return tuple(QuestionType(**_frozen(row)) for row in rows)


def _frozen(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}


@cache
def worlds() -> dict[str, Any]:
    """Names, values, frames and small changes."""
    return tomllib.loads(resources.path("bench", "paper_worlds.toml").read_text("utf-8"))
