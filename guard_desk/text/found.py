"""What the finders hand to `values`: a value in offsets of the plain text."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from guard_desk.records.evidence import Bound, ValueKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A typed value at `start`..`end` of the plain text; the other fields are those of `records.evidence.Value`."""

    kind: ValueKind
    start: int
    end: int
    canonical: str
    number: Fraction | None = None
    high: Fraction | None = None
    unit: str = ""
    dimension: str = ""
    bound: Bound = Bound.EXACT
    noun: str = ""
    label: str = ""
    written: str = ""
