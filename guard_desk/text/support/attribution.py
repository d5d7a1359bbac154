"""Whether a citation names the passage that carries the statement before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value
from guard_desk.text.support.citations import Mark
from guard_desk.text.support.pool import Pool
from guard_desk.text.support.values import states
from guard_desk.text.support.views import Unit, View

# The other passage must carry most of the statement, and clearly more than the cited ones.
_CARRIES = 0.6
_MORE = 0.34
_VALUE_WEIGHT = 1.5
_JOINING = re.compile(r"^[\s,;，；、]*(?:and|und|et|y|和|并)?[\s]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Misattribution:
    """A citation of a passage that does not carry the statement.

    :param better: position of the passage that does.
    :param cited: share of the statement that the cited passages carry, 0..1.
    :param found: share that the better one carries.
    """

    better: int
    cited: float
    found: float


def cited_statement(answer: str, unit: Unit, mark: Mark, marks: Sequence[Mark]) -> Span:
    """The words that a citation closes: back to the citation before it, or to the start of the sentence.

    :param marks: the citations of the answer, in order.
    """
    start = unit.span.start
    for other in marks[bisect_left(marks, start, key=_mark_start) : bisect_left(marks, mark.span.start, key=_mark_start)]:
        if other.span.end <= mark.span.start and _JOINING.sub("", answer[other.span.end : mark.span.start]):
            start = max(start, other.span.end)
    if not answer[start : mark.span.start].strip(" ,.;:") and mark.span.end < unit.span.end:
        return Span(mark.span.end, unit.span.end)
    return Span(start, mark.span.start)


def _mark_start(mark: Mark) -> int:
    return mark.span.start


def misattributed(view: View, unit: Unit, statement: Span, mark: Mark, pool: Pool) -> Misattribution | None:
    """The passage that should have been cited; None when the cited ones carry the statement, or when none does."""
    stems = frozenset(stem for stem, place in unit.order if statement.start <= place < statement.end)
    values = [view.values[position] for position in unit.values if statement.start <= view.values[position].span.start < statement.end]
    if not stems or not mark.passages:
        return None
    shares = [_share(stems, values, position, pool) for position in range(len(pool.passages))]
    own = max(shares[position] for position in mark.passages)
    best = max(range(len(shares)), key=lambda position: (shares[position], -position))
    if shares[best] < _CARRIES or shares[best] - own < _MORE:
        return None
    return Misattribution(best, own, shares[best])


def _share(stems: frozenset[str], values: Sequence[Value], position: int, pool: Pool) -> float:
    """How much of a statement's words and values a passage has, 0..1."""
    view = pool.views[position]
    title = pool.titles[position]
    known = view.stems | pool.title_stems(position)
    held = (*view.values, *(title.values if title is not None else ()))
    total = len(stems) + _VALUE_WEIGHT * len(values)
    found = len(stems & known) + _VALUE_WEIGHT * sum(any(states(value, other) for other in held) for value in values)
    return found / total if total else 0.0
