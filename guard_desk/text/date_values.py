"""Builds date values; canonical forms are those of `dates`."""

from __future__ import annotations

from calendar import monthrange
from fractions import Fraction

from guard_desk.records.evidence import ValueKind
from guard_desk.text.found import Found
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary


def date_value(start: int, end: int, canonical: str, *, label: str = "", number: Fraction | None = None) -> Found:
    """A date by its canonical form."""
    return Found(kind=ValueKind.DATE, start=start, end=end, canonical=canonical, label=label, number=number)


def year_value(start: int, end: int, year: int) -> Found:
    """A year; its number lets it be compared with a bare number."""
    return date_value(start, end, str(year), number=Fraction(year))


def day_name(year: int | None, month: int, day: int | None) -> str | None:
    """Canonical date; None when there is no such day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= monthrange(year if year else 2024, month)[1]):
        return None
    head = "-" if year is None else f"{year:04d}"
    return f"{head}-{month:02d}" + ("" if day is None else f"-{day:02d}")


def named_day(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """A day with a name of its own ("Christmas Day", "元旦")."""
    if scan.word(at) not in words.first["dates.named"]:
        return None
    for length in (4, 3, 2, 1):
        if at + length <= len(scan):
            canonical = words.named_days.get(scan.phrase(at, at + length))
            if canonical:
                return [date_value(scan.starts[at], scan.ends[at + length - 1], canonical)]
    return None
