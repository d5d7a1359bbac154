"""Whether the answer exchanges who did what to whom.

Two words that stand on either side of a third in a passage ("Ashdown sued Lindqvist") and have changed sides in the
answer exchange their roles, unless the voice changed as well ("was sued by"), or the comparison was turned round.
A mere change of order ("In October Ashdown sued ...") moves words to one side only and is no exchange.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.support.language import any_match, patterns, phrase_set, plain
from guard_desk.text.support.polarity import comparison_sign
from guard_desk.text.support.pool import Aligned, Place
from guard_desk.text.support.views import Unit, View

_SAME = 0.7
_REACH = 5

Token = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange of roles.

    :param span: from the first to the last of the exchanged words in the answer.
    """

    place: Place
    strength: float
    span: Span


def exchanged(view: View, unit: Unit, clause: Span, aligned: Sequence[Aligned]) -> Exchange | None:
    """The sentence of the pool in which the clause's words have each other's places, unless another one agrees with the clause."""
    stems = frozenset(stem for stem, place in unit.order if clause.start <= place < clause.end)
    if len(stems) < 3:
        return None
    mine = _tokens(view, clause)
    found: Exchange | None = None
    for item in aligned:
        strength = len(stems & item.place.unit.stems) / len(stems)
        if strength < _SAME:
            break
        swapped = _swapped(view, unit, clause, mine, item.place)
        if swapped is None and strength > 0.9:
            return None
        if swapped is not None and found is None:
            found = Exchange(item.place, strength, swapped)
    return found


def _tokens(view: View, span: Span) -> list[Token]:
    """Content stems and small words of direction ("to", "than") of a span, in order; each but once."""
    pivots = phrase_set("verify.pivots", (view.language,))
    content = [token for unit in view.units if unit.span.start < span.end and span.start < unit.span.end for token in unit.order]
    small = [(word.folded, word.span.start) for word in view.words if span.start <= word.span.start < span.end and word.folded in pivots]
    found = sorted({*(token for token in content if span.start <= token[1] < span.end), *small}, key=lambda token: (token[1], token[0]))
    often = Counter(stem for stem, _ in found)
    return [token for token in found if often[token[0]] == 1]


def _swapped(view: View, unit: Unit, clause: Span, mine: Sequence[Token], place: Place) -> Span | None:
    theirs = _tokens(place.view, place.unit.span)
    shared = {stem for stem, _ in mine} & {stem for stem, _ in theirs}
    here = [token for token in mine if token[0] in shared]
    there = [token for token in theirs if token[0] in shared]
    if _turned(view, unit, clause, place):
        return None
    for position, (pivot, _) in enumerate(here):
        moved = _moved(here, position, there, pivot, place)
        if moved is None or not _is_pivot(pivot, here, position, view):
            continue
        if _close_set(mine, moved | {pivot}, shared) and _close_set(theirs, moved | {pivot}, shared):
            return _covering(view, here, moved)
    return None


def _moved(here: Sequence[Token], position: int, there: Sequence[Token], pivot: str, place: Place) -> set[str] | None:
    """The stems that changed sides of a pivot, in both directions; None when they moved to one side only."""
    other = next(index for index, token in enumerate(there) if token[0] == pivot)
    clause = place.unit.clause_of(Span(there[other][1], there[other][1] + 1)).span
    before = {stem for stem, start in there[max(0, other - _REACH) : other] if start >= clause.start}
    after = {stem for stem, start in there[other + 1 : other + 1 + _REACH] if start < clause.end}
    now_before = {stem for stem, _ in here[max(0, position - _REACH) : position]}
    now_after = {stem for stem, _ in here[position + 1 : position + 1 + _REACH]}
    to_right, to_left = before & now_after, after & now_before
    return to_right | to_left if to_right and to_left else None


def _close_set(tokens: Sequence[Token], exchanged_words: set[str], shared: set[str]) -> bool:
    """Whether nothing but shared words stands between the exchanged ones: another verb there makes another statement."""
    places = [index for index, (stem, _) in enumerate(tokens) if stem in exchanged_words]
    return all(stem in shared for stem, _ in tokens[min(places) : max(places) + 1])


def _is_pivot(pivot: str, here: Sequence[Token], position: int, view: View) -> bool:
    """Whether a word can part two roles: a word of its own that is no value and no part of a name."""
    start = here[position][1]
    if pivot in phrase_set("verify.symmetric", (view.language,)):
        return False
    return not any(value.span.start <= start < value.span.end for value in view.values)


def _turned(view: View, unit: Unit, clause: Span, place: Place) -> bool:
    """Whether voice or comparison differ, so that an exchange of places is right."""
    here, there = comparison_sign(view, unit), comparison_sign(place.view, place.unit)
    if here * there < 0:
        return True
    return is_passive(clause.of(view.text), view.language) != is_passive(place.unit.span.of(place.view.text), place.view.language)


def is_passive(sentence: str, language: str) -> bool:
    """Whether a sentence names its agent after the verb ("was sued by")."""
    return bool(patterns("verify.passive", language)) and any_match("verify.passive", (language,), plain(sentence)) is not None


def _covering(view: View, here: Sequence[Token], moved: set[str]) -> Span:
    starts = [start for stem, start in here if stem in moved]
    first, last = min(starts), max(starts)
    ends = [word.span.end for word in view.words if word.span.start <= last < word.span.end]
    return Span(first, ends[0] if ends else last + 1)
