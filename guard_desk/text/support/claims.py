"""How much of a statement the passages carry, and which sentence carries it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk
from guard_desk.text.support.polarity import opposites as opposites_of
from guard_desk.text.support.pool import Aligned, Place, Pool
from guard_desk.text.support.views import Unit, View

_FEWEST_UNKNOWN = 2
_FEWEST_UNKNOWN_HAN = 4
_KNOWN_SHARE = 0.4
# Stems of so many letters may be part of each other.
_LONG = 5
_BORDER = "\0"


@dataclass(frozen=True, slots=True)
class Cover:
    """What the passages have of a statement's words.

    :param share: share of its content stems that the best passages have, 0..1; 1 when it has none.
    :param unknown: stems that neither passages nor question have.
    :param checked: how many stems were looked at (those of the question left out).
    """

    share: float
    unknown: frozenset[str]
    checked: int
    best: Place | None


def clause_stems(unit: Unit, clause: Span, skipped: Sequence[Span] = ()) -> frozenset[str]:
    """Content stems of a part of a sentence, without those of parts that are looked at elsewhere."""
    return frozenset(
        stem
        for stem, place in unit.order
        if clause.start <= place < clause.end and not any(span.start <= place < span.end for span in skipped)
    )


def joined_denials(unit: Unit) -> list[Span]:
    """Where a denial written together with its verb makes pairs of characters that say nothing of their own ("不得")."""
    if not any(is_cjk(stem[0]) for stem, _ in unit.order):
        return []
    return [Span(max(0, span.start - 1), span.end) for span in unit.negations]


def cover(view: View, stems: frozenset[str], aligned: Sequence[Aligned], pool: Pool, asked: frozenset[str]) -> Cover:
    """What the best passages have of a statement.

    :param asked: stems of the question, which neither count for nor against.
    """
    checked = stems - asked
    near = frozenset(stem for item in aligned[:6] for stem in _around(item.place, pool))
    open_stems = checked - near
    long = _compounds(near) if open_stems else ""
    found = checked - frozenset(stem for stem in open_stems if not _compound(stem, long))
    opposite = opposites_of(checked - found, near, view.language)
    unknown = checked - found - opposite
    share = 1.0 if not checked else 1 - len(unknown) / len(checked)
    return Cover(share=share, unknown=unknown, checked=len(checked), best=aligned[0].place if aligned else None)


def _around(place: Place, pool: Pool) -> frozenset[str]:
    """Stems of a sentence's whole passage, its title included: a statement may draw on several of its sentences."""
    return place.view.stems | pool.title_stems(place.passage)


def _compound(stem: str, near: str) -> bool:
    """Whether a long stem is part of a compound, or has one of the stems inside it ("Prüfungstermin").

    :param near: see `_compounds`.
    """
    if len(stem) < _LONG or is_cjk(stem[0]):
        return False
    if _BORDER + stem in near or stem + _BORDER in near:
        return True
    sizes = range(_LONG, len(stem))
    return any(f"{_BORDER}{stem[:size]}{_BORDER}" in near or f"{_BORDER}{stem[-size:]}{_BORDER}" in near for size in sizes)


def _compounds(near: frozenset[str]) -> str:
    """The long ones of some stems in one text, each between borders, so that one search finds beginnings and ends."""
    return _BORDER + _BORDER.join(stem for stem in near if len(stem) >= _LONG) + _BORDER


def is_invented(found: Cover, stems: frozenset[str]) -> bool:
    """Whether so little of a statement is in the passages that it is worth a warning. Meant to be silent when in doubt."""
    han = sum(1 for stem in stems if is_cjk(stem[0]))
    fewest = _FEWEST_UNKNOWN_HAN if han * 2 > len(stems) else _FEWEST_UNKNOWN
    return len(found.unknown) >= fewest and found.share <= _KNOWN_SHARE
