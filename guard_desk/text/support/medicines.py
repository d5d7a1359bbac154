"""Medicines that the passages do not name. Their names are small words that no finder of names marks, but their endings tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.support.pool import Aligned, Place, Pool
from guard_desk.text.support.views import Unit, View
from guard_desk.text.support.words import names_medicine
from guard_desk.text.words import Word

_CLOSE = 0.5


@dataclass(frozen=True, slots=True)
class Medicine:
    """A medicine of the answer that no passage has.

    :param instead: the one that a close sentence names, and `place` the sentence; None where there is none.
    """

    span: Span
    instead: Span | None = None
    place: Place | None = None


def unknown_medicines(view: View, unit: Unit, aligned: Sequence[Aligned], pool: Pool, asked: frozenset[str]) -> Iterator[Medicine]:
    """The medicines of a sentence that neither passages nor question name."""
    unknown = [word for word in _named(view, unit) if not pool.has_stem(word.stem) and word.stem not in asked]
    said = {word.folded for word in view.words} if unknown else set()
    for word in unknown:
        instead = next(
            (
                (other.span, item.place)
                for item in aligned
                if item.score >= _CLOSE
                for other in _named(item.place.view, item.place.unit)
                if other.folded not in said
            ),
            None,
        )
        yield Medicine(word.span) if instead is None else Medicine(word.span, *instead)


def _named(view: View, unit: Unit) -> list[Word]:
    spans = [view.values[position].span for position in unit.values]
    found = [word for word in view.words_in(unit.span.start, unit.span.end) if names_medicine(word.folded, view.language)]
    return [word for word in found if not any(span.overlaps(word.span) for span in spans)]
