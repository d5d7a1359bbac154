"""Places in an order ("finished third", "the second largest") that are other ones in a passage's sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value
from guard_desk.text.support.polarity import overlap
from guard_desk.text.support.pool import Aligned, Place
from guard_desk.text.support.views import Unit, View
from guard_desk.text.support.words import is_superlative
from guard_desk.text.words import Word, fold_word

_SAME = 0.75
_ORDINAL = "ordinal "


@dataclass(frozen=True, slots=True)
class OtherPlace:
    """Words of the answer, and what stands in their place in a passage's text."""

    span: Span
    instead: Span
    place: Place


def other_place(view: View, unit: Unit, aligned: Sequence[Aligned]) -> OtherPlace | None:
    """Another ordinal word, or a highest degree that a passage gives to the second or a later one."""
    for item in aligned:
        place = item.place
        if item.score < _SAME / 2 or place.in_title or place.view.language != view.language:
            continue
        if overlap(unit.bare - _ordinal_stems(view, unit), place) < _SAME:
            continue
        found = _other_word(view, unit, place) or _dropped(view, unit, place)
        if found is not None:
            return found
        if _words(view, unit):
            return None  # the closest sentence has the same place
    return None


def is_ordinal(folded: str, language: str) -> bool:
    """Whether a word or number tells a place in an order ("second", "2nd")."""
    return folded in _table(language) or (folded[:1].isdigit() and not folded.isdigit())


def _other_word(view: View, unit: Unit, place: Place) -> OtherPlace | None:
    mine, theirs = _words(view, unit), _words(place.view, place.unit)
    if len(mine) != 1 or len(theirs) != 1:
        return None
    (ours, number), (other, instead) = mine[0], theirs[0]
    return OtherPlace(ours.span, other.span, place) if number != instead else None


def _dropped(view: View, unit: Unit, place: Place) -> OtherPlace | None:
    for value in _ordinals(place.view, place.unit):
        following = place.view.words_in(value.span.end, place.unit.span.end)[:1]
        if (value.number or 0) < 2 or not following or not is_superlative(following[0].folded, view.language):
            continue
        for before, word in pairwise((None, *view.words_in(unit.span.start, unit.span.end))):
            numbered = before is not None and is_ordinal(before.folded, view.language)
            if word is not None and word.stem == following[0].stem and not numbered:
                return OtherPlace(word.span, Span(value.span.start, following[0].span.end), place)
    return None


def _ordinals(view: View, unit: Unit) -> list[Value]:
    return [view.values[position] for position in unit.values if view.values[position].canonical.startswith(_ORDINAL)]


def _words(view: View, unit: Unit) -> list[tuple[Word, float]]:
    """Ordinal words that are no values of their own, without those that only begin a list ("First, ...")."""
    table = _table(view.language)
    spans = [view.values[position].span for position in unit.values]
    found = []
    for word in view.words_in(unit.span.start, unit.span.end):
        number = table.get(word.folded)
        begins = word.span.start <= unit.span.start + 2 or view.text[word.span.end : word.span.end + 1] in (",", ":", "，", "：")
        if number is not None and not begins and not any(span.overlaps(word.span) for span in spans):
            found.append((word, number))
    return found


def _ordinal_stems(view: View, unit: Unit) -> frozenset[str]:
    return frozenset(word.stem for word, _ in _words(view, unit))


@cache
def _table(language: str) -> Mapping[str, float]:
    table = lang.entry(language, "numbers.ordinals")
    return {fold_word(word): float(number) for word, number in table.items()} if isinstance(table, dict) else {}
