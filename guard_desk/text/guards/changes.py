"""The differences between two matched texts: what was replaced by what, and what only one of them has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.guards.matching import Matching
from guard_desk.text.guards.units import Kind, Text, Unit


@dataclass(frozen=True, slots=True)
class Change:
    """Units of the left that stand where other units of the right stand; one side is empty for an addition."""

    left: tuple[Unit, ...]
    right: tuple[Unit, ...]
    whole_sentence: bool = False

    @property
    def addition(self) -> tuple[Unit, ...]:
        """The units that only one text has; empty for a replacement."""
        return () if self.left and self.right else self.left or self.right


def span_of(units: Sequence[Unit]) -> Span | None:
    """From the first to the last unit; None without units."""
    if not units:
        return None
    return Span(min(unit.span.start for unit in units), max(unit.span.end for unit in units))


def changes(left: Text, right: Text, matching: Matching) -> tuple[Change, ...]:
    """The leftovers of a matching, put side by side where their neighbours are partners."""
    forward = dict(matching.pairs)
    left_runs = _runs(left.units, matching.left)
    right_runs = _runs(right.units, matching.right)
    found: list[Change] = []
    for run in left_runs:
        partner = next((other for other in right_runs if _same_place(left, right, run, other, forward)), None)
        if partner is None and len(left_runs) == len(right_runs) == 1:
            partner = right_runs[0]
        if partner is not None:
            right_runs.remove(partner)
        found.append(_change(left, right, run, partner or []))
    found.extend(_change(left, right, [], run) for run in right_runs)
    return tuple(found)


def _runs(units: Sequence[Unit], positions: Sequence[int]) -> list[list[int]]:
    """Positions in runs; pronouns between them do not part a run."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and all(units[between].kind is Kind.PRONOUN for between in range(runs[-1][-1] + 1, position)):
            runs[-1].append(position)
        else:
            runs.append([position])
    return runs


def _same_place(left: Text, right: Text, run: list[int], other: list[int], forward: dict[int, int]) -> bool:
    before = run[0] == other[0] == 0 or forward.get(run[0] - 1) == other[0] - 1
    after = forward.get(run[-1] + 1) == other[-1] + 1 or (run[-1] + 1 == len(left.units) and other[-1] + 1 == len(right.units))
    return before or after


def _change(left: Text, right: Text, run: list[int], other: list[int]) -> Change:
    whole = _fills_sentence(left, run) if not other else _fills_sentence(right, other) if not run else False
    return Change(tuple(left.units[i] for i in run), tuple(right.units[j] for j in other), whole)


def _fills_sentence(text: Text, run: list[int]) -> bool:
    """Whether a run holds at least one sentence whole."""
    sentences = {text.units[position].sentence for position in run}
    chosen = set(run)
    return any(all(position in chosen for position, unit in enumerate(text.units) if unit.sentence == sentence) for sentence in sentences)
