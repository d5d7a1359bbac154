"""Whose value it is where one sentence has several: "built in 1834 and restored in 1902", "the red line every 12 minutes".

The value that the answer gives stands in the passage among other words than the answer's, while another value of that
very sentence stands among the answer's own words. Silent when in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from guard_desk.records.evidence import ValueKind
from guard_desk.text.support.context import Context, context_of
from guard_desk.text.support.language import phrase_set
from guard_desk.text.support.polarity import opposites
from guard_desk.text.support.pool import Held
from guard_desk.text.support.views import Unit, View


def owner_of_place(view: View, unit: Unit, mine: Context, equal: Sequence[Held], rivals: Iterable[Held]) -> Held | None:
    """The value that stands where the answer has an equal of `equal`; None when the answer's may be in its own place.

    :param unit: the answer's sentence; `mine` the words around its value.
    :param equal: the passages' values that are equal to the answer's; `rivals` others of its kind.
    """
    if not mine.near or not equal:
        return None
    mine = _with_free_clauses(view, unit, mine, equal[0].value.kind)
    for rival in rivals:
        if all(_is_told_apart(held, rival) and _in_place_of(unit, mine, held, rival) for held in equal):
            return rival
    return None


def _with_free_clauses(view: View, unit: Unit, mine: Context, kind: ValueKind) -> Context:
    """A value's words with those of clauses that have no such value and can only be about this one ("In Portugal, sales fell by 6%")."""
    taken = [view.values[position].span.start for position in unit.values if view.values[position].kind is kind]
    free = [clause for clause in unit.clauses if not any(clause.span.start <= place < clause.span.end for place in taken)]
    return replace(mine, near=mine.near | frozenset(stem for clause in free for stem in clause.stems))


def owner_of_name(view: View, unit: Unit, mine: Context, mentions: Sequence[Held]) -> Held | None:
    """The name whose place in a sentence the answer's name has taken.

    :param mentions: where the passages have the answer's name.
    """
    known = [_as_known(held) for held in mentions]
    equal = [held for held in known if held is not None]
    return owner_of_place(view, unit, mine, equal, _names_beside(equal[0])) if equal and None not in known else None


def _in_place_of(unit: Unit, mine: Context, held: Held, rival: Held) -> bool:
    near, around = _near(held), _near(rival)
    if not near or not around & mine.near:
        return False
    language = held.place.view.language
    if opposites(mine.near - near, near, language) and not opposites(mine.near, around, language):
        return True
    subject, their_subject = _first(unit.order, unit.bare), _first(held.place.unit.order, held.place.unit.bare)
    if subject != their_subject and subject in around - near and _first(held.place.unit.order, near) not in mine.all:
        return True
    shared = frozenset({subject}) if subject == their_subject else frozenset()
    words, other = mine.near - shared, near - shared
    return bool(words) and bool(other) and words <= around and words.isdisjoint(other)


def _near(held: Held) -> frozenset[str]:
    return context_of(held.place.view, held.place.unit, held.value).near


def _first(order: Iterable[tuple[str, int]], among: frozenset[str]) -> str:
    return next((stem for stem, _ in order if stem in among), "")


def _is_told_apart(held: Held, rival: Held) -> bool:
    """Whether two values stand in one sentence, in parts of their own: in two clauses, or with an "and" between them."""
    if held.place.unit is not rival.place.unit or held.value is rival.value:
        return False
    unit, view = held.place.unit, held.place.view
    first, second = sorted((held.value.span, rival.value.span), key=lambda span: span.start)
    if unit.clause_of(first) is not unit.clause_of(second):
        return True
    joining = phrase_set("verify.conjunctions", (view.language,))
    return any(word.folded in joining for word in view.words_in(first.end, second.start))


def _names_beside(held: Held) -> list[Held]:
    """The other names of a name's sentence."""
    view = held.place.view
    values = [view.values[position] for position in held.place.unit.values]
    return [Held(value, held.place) for value in values if value.kind is ValueKind.ENTITY and not value.span.overlaps(held.value.span)]


def _as_known(held: Held) -> Held | None:
    """A mention of a name as the value that its text has there; None where the text has none."""
    view = held.place.view
    values = [view.values[position] for position in held.place.unit.values]
    return next(
        (Held(value, held.place) for value in values if value.kind is ValueKind.ENTITY and value.span.overlaps(held.value.span)), None
    )
