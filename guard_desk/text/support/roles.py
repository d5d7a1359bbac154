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
from guard_desk.records.evidence import ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.support.language import any_match, patterns, phrase_set, plain
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
    content = view.units[view.unit_at(span)].order
    small = [(word.folded, word.span.start) for word in view.words_in(span.start, span.end) if word.folded in pivots]
    found = sorted({*(token for token in content if span.start <= token[1] < span.end), *small}, key=lambda token: (token[1], token[0]))
    often = Counter(stem for stem, _ in found)
    return [token for token in found if often[token[0]] == 1]


def _swapped(view: View, unit: Unit, clause: Span, mine: Sequence[Token], place: Place) -> Span | None:
    """From the first to the last exchanged word of the answer; None when nothing is exchanged."""
    theirs = _tokens(place.view, place.unit.span)
    shared = {stem for stem, _ in mine} & {stem for stem, _ in theirs}
    here = [token for token in mine if token[0] in shared]
    there = [token for token in theirs if token[0] in shared]
    if unit.comparison * place.unit.comparison < 0:
        return None
    same_voice = _is_passive(view, clause) == _is_passive(place.view, place.unit.span)
    for position, (pivot, _) in enumerate(here):
        if not _is_pivot(pivot, here[position][1], view, unit):
            continue
        moved = _moved(here, position, there, pivot, place) if same_voice else _kept(view, here, position, there, pivot, place)
        if moved and all(_close_set(tokens, moved | {pivot}, shared) for tokens in (mine, theirs)):
            return _covering(view, here, moved)
    return None


def _moved(here: Sequence[Token], position: int, there: Sequence[Token], pivot: str, place: Place) -> set[str]:
    """The stems that changed sides of a pivot, in both directions; empty when they moved to one side only."""
    other = next(index for index, token in enumerate(there) if token[0] == pivot)
    before, after = _sides(there, other, place.unit.clause_of(Span(there[other][1], there[other][1] + 1)).span)
    now_before = {stem for stem, _ in here[max(0, position - _REACH) : position]}
    now_after = {stem for stem, _ in here[position + 1 : position + 1 + _REACH]}
    to_right = [token for token in before if token[0] in now_after and not _is_time(place, token)]
    to_left = [token for token in after if token[0] in now_before and not _is_time(place, token)]
    if not to_right or not to_left:
        return set()
    joined = _joined(place.view, to_right[-1][1], there[other][1]) or _joined(place.view, there[other][1], to_left[0][1])
    return set() if joined else {stem for stem, _ in (*to_right, *to_left)}


def _sides(tokens: Sequence[Token], position: int, clause: Span) -> tuple[list[Token], list[Token]]:
    before = [token for token in tokens[max(0, position - _REACH) : position] if token[1] >= clause.start]
    return before, [token for token in tokens[position + 1 : position + 1 + _REACH] if token[1] < clause.end]


def _is_time(place: Place, token: Token) -> bool:
    values = (place.view.values[position] for position in place.unit.values)
    return any(value.kind in (ValueKind.DATE, ValueKind.TIME) and value.span.start <= token[1] < value.span.end for value in values)


def _joined(view: View, start: int, end: int) -> bool:
    """Whether an "and" stands between two places: what it joins may be named in any order."""
    joining = phrase_set("verify.conjunctions", (view.language,))
    return any(word.folded in joining for word in view.words_in(start, end))


def _kept(view: View, here: Sequence[Token], position: int, there: Sequence[Token], pivot: str, place: Place) -> set[str]:
    """The words on both sides of a verb that kept their sides although only one of the texts says "by"."""
    other = next(index for index, token in enumerate(there) if token[0] == pivot)
    if not (0 < position < len(here) - 1 and 0 < other < len(there) - 1):
        return set()
    before, after = here[position - 1][0], here[position + 1][0]
    if before not in {stem for stem, _ in there[:other]} or after != there[other + 1][0]:
        return set()
    by_here = _says_by(view, here[position][1], here[position + 1][1])
    by_there = _says_by(place.view, there[other][1], there[other + 1][1])
    return {before, after} if by_here != by_there else set()


def _says_by(view: View, start: int, end: int) -> bool:
    marks = phrase_set("verify.agent_marks", (view.language,))
    return any(word.folded in marks for word in view.words_in(start, end))


def _close_set(tokens: Sequence[Token], exchanged_words: set[str], shared: set[str]) -> bool:
    """Whether nothing but shared words stands between the exchanged ones: another verb there makes another statement."""
    places = [index for index, (stem, _) in enumerate(tokens) if stem in exchanged_words]
    characters = {ch for stem in shared if is_cjk(stem[0]) for ch in stem}
    between = [stem for stem, _ in tokens[min(places) : max(places) + 1] if stem not in shared]
    # Characters of two neighbouring words make a pair of their own, which says nothing.
    return all(is_cjk(stem[0]) and set(stem) <= characters for stem in between)


def _is_pivot(pivot: str, start: int, view: View, unit: Unit) -> bool:
    """Whether a word can part two roles: a word of its own that is no value and no part of a name."""
    if pivot in phrase_set("verify.symmetric", (view.language,)):
        return False
    return not any(view.values[at].span.start <= start < view.values[at].span.end for at in unit.values)


def _is_passive(view: View, span: Span) -> bool:
    return is_passive(span.of(view.text), view.language)


def is_passive(sentence: str, language: str) -> bool:
    """Whether a sentence names its agent after the verb ("was sued by")."""
    return bool(patterns("verify.passive", language)) and any_match("verify.passive", (language,), plain(sentence)) is not None


def _covering(view: View, here: Sequence[Token], moved: set[str]) -> Span:
    starts = [start for stem, start in here if stem in moved]
    first, last = min(starts), max(starts)
    ends = [word.span.end for word in view.words_in(last, last + 1)]
    return Span(first, ends[0] if ends else last + 1)
