"""What marks the words of an answer: the rules alone, and each leg that can stand beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from guard_desk.measure.verify_rows import AnswerRow
from guard_desk.measure.verify_scores import Marked, marked_by
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.pipeline import check_answer
from guard_desk.progress import RunContext
from guard_desk.records.answer import Finding

RULES = "rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One way to check an answer.

    :param check: gives the findings of one answer.
    :param about: model and thresholds, in words.
    """

    name: str
    check: Callable[[AnswerRow, RunContext], Sequence[Finding]]
    about: str = ""

    def marks(self, row: AnswerRow, ctx: RunContext) -> tuple[Marked, ...]:
        """The words that it marks."""
        return marked_by(self.check(row, ctx))


def rules() -> Leg:
    """The rules, with the entities of spaCy and without any trained head."""
    analyzer = load_analyzer()

    def check(row: AnswerRow, ctx: RunContext) -> Sequence[Finding]:
        return check_answer(row.query, row.passages, row.answer, analyzer, ctx).spans

    return Leg(name=RULES, check=check, about=f"entities: {analyzer.info.name}")
