"""The shipped wordings of the four questions."""

from __future__ import annotations

import tomllib
from functools import cache

from guard_desk import resources
from guard_desk.records.evidence import Question
from guard_desk.records.judging import Wording, Wordings


@cache
def shipped_wordings() -> Wordings:
    """Those of `resources/questions.toml`."""
    with resources.path("questions.toml").open("rb") as stream:
        table = tomllib.load(stream)

    def wording(question: Question) -> Wording:
        entry = table[question]
        return Wording(text=entry["text"], instruction=entry["instruction"], yes=tuple(entry["yes"]), no=tuple(entry["no"]))

    return Wordings(
        relevant=wording(Question.RELEVANT),
        evidence=wording(Question.EVIDENCE),
        contradicts=wording(Question.CONTRADICTS),
        injection=wording(Question.INJECTION),
    )
