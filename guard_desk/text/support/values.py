"""Whether the passages state a value of the answer, of the same thing, and which value they state instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from guard_desk.records.evidence import Bound, Value, ValueKind
from guard_desk.text.support.context import Context, affinity, context_of, noun_stem, same_noun, says_the_same
from guard_desk.text.support.language import phrase_set
from guard_desk.text.support.pool import Aligned, Held, Pool
from guard_desk.text.support.slots import owner_of_place
from guard_desk.text.support.views import Unit, View
from guard_desk.text.values import Relation, compare

_UPPER = frozenset({Bound.MOST, Bound.LESS_THAN})
_LOWER = frozenset({Bound.LEAST, Bound.MORE_THAN})
_STATED = (Relation.EQUAL, Relation.BOUND, Relation.PARTIAL)
# A rival must stand among this share of the value's words to be the value of the same thing ...
_RIVAL = 0.5
# ... and be closer to it than the equal value by this much. A rival that the answer states elsewhere must be closer still.
_CLOSER = 0.22
_CLOSER_STATED = 0.4
# Where no equal value exists, a rival this close is named in the note as what the passages say.
_NAMED = 0.3
# An equal number that counts another noun, and is no closer than this, is a coincidence.
_COINCIDENCE = 0.3
# Up to here a number written as a word may count what the answer itself lists.
_COUNTED = 3
# Passages that state a value in words this near to the closest ones support it as well.
_AS_CLOSE = 0.3

Scored = tuple[float, Held]


class Status(Enum):
    """What the passages say of a value."""

    SUPPORTED = auto()
    CONTRADICTED = auto()
    WRONG_UNIT = auto()
    UNSUPPORTED = auto()


@dataclass(frozen=True, slots=True)
class ValueVerdict:
    """The verdict on one value of the answer.

    :param support: the value of the pool that states it, in the closest sentence.
    :param all_support: the closest one of each passage that states it as closely.
    :param rival: the value that stands in its place.
    :param strength: affinity of the support, or of the rival where there is none, 0..1.
    """

    value: Value
    status: Status
    support: Held | None = None
    all_support: tuple[Held, ...] = ()
    rival: Held | None = None
    strength: float = 0.0


class ValueChecker:
    """Checks the values of one answer.

    :param query: view of the question; its values and words are known to the reader.
    """

    def __init__(self, pool: Pool, answer: View, query: View) -> None:
        self._pool = pool
        self._answer = answer
        self._query = query

    def context(self, unit: Unit, value: Value) -> Context:
        """The value's words; those of the question where the answer is too short to have any."""
        own = context_of(self._answer, unit, value)
        if len(own.near | own.far) >= 2:
            return own
        asked = frozenset(stem for item in self._query.units for stem in item.bare)
        return Context(near=own.near | asked, far=own.far, noun=own.noun)

    def check(self, unit: Unit, value: Value, aligned: Sequence[Aligned]) -> ValueVerdict:
        """The verdict on a value.

        :param unit: the sentence of the answer that holds it.
        :param aligned: the pool's sentences that share words with that sentence.
        """
        mine = self.context(unit, value)
        near = [Held(item.place.view.values[position], item.place) for item in aligned for position in item.place.unit.values]
        candidates = [(affinity(mine, held, self._pool), held) for held in self._equal(value, near)]
        equal = max(candidates, key=lambda item: item[0], default=None)
        rivals = self._rivals(value, near)
        rival = self._best(mine, rivals)
        if equal is None:
            return self._instead(mine, value, near, rival)
        owner = owner_of_place(self._answer, unit, mine, [held for _, held in candidates], rivals)
        if owner is not None:
            return ValueVerdict(value, Status.CONTRADICTED, rival=owner, strength=affinity(mine, owner, self._pool))
        replaced = rival is not None and self._replaced(unit, equal[0], rival, bare=not mine.near)
        if rival is not None and replaced and not self._said_elsewhere(unit, mine, candidates, rival):
            return ValueVerdict(value, Status.CONTRADICTED, rival=rival[1], strength=rival[0])
        if self._is_coincidence(mine, equal):
            return self._instead(mine, value, near, rival)
        return ValueVerdict(value, Status.SUPPORTED, support=equal[1], all_support=_of_each(candidates, equal[0]), strength=equal[0])

    def is_known(self, value: Value) -> bool:
        """Whether a value that no passage states needs no support.

        The question has it, or it counts what was just listed ("three"), or it is "a year".
        """
        if any(states(value, other) for other in self._query.values):
            return True
        if any(ch.isdigit() for ch in value.text) or value.kind is not ValueKind.NUMBER:
            return False
        first = value.text.casefold().split()[:1]
        return _is_small_word(value, _COUNTED) or (bool(first) and first[0] in phrase_set("verify.articles", (self._answer.language,)))

    def _equal(self, value: Value, near: Iterable[Held]) -> list[Held]:
        found = {id(held.value): held for held in self._pool.equals(value)}
        found.update({id(held.value): held for held in near if states(value, held.value)})
        if value.number is not None:
            found.update({id(held.value): held for held in self._pool.of_number(value.number) if states(value, held.value)})
        return [held for held in found.values() if states(value, held.value)]

    def _rivals(self, value: Value, near: Iterable[Held]) -> list[Held]:
        return [held for held in near if self._is_rival(value, held)]

    def _is_rival(self, value: Value, held: Held) -> bool:
        if value.kind is ValueKind.ENTITY or held.value.kind is not value.kind:
            return False
        relation = compare(value, held.value)
        if relation in (Relation.BOUND, Relation.PARTIAL):
            return not states(value, held.value)
        if relation is not Relation.DIFFERENT:
            return False
        mine, other = noun_stem(value, self._answer.language), noun_stem(held.value, held.place.view.language)
        if _is_small_word(value, 1):
            return bool(mine) and same_noun(mine, other) if other else False
        return not (mine and other and not value.dimension) or same_noun(mine, other)

    def _best(self, mine: Context, candidates: Iterable[Held]) -> Scored | None:
        best: Scored | None = None
        for held in candidates:
            score = affinity(mine, held, self._pool)
            if best is None or score > best[0] + 1e-9:
                best = (score, held)
        return best

    def _replaced(self, unit: Unit, equal: float, rival: Scored, *, bare: bool) -> bool:
        """Whether the equal value belongs to something else and the rival is the value of the thing the answer speaks of."""
        if rival[0] < _RIVAL:
            return False
        stated = any(states(self._answer.values[position], rival[1].value) for position in unit.values)
        if stated and bare:
            return False  # nothing but the order of the values tells whose they are
        return rival[0] - equal >= (_CLOSER_STATED if stated else _CLOSER)

    def _said_elsewhere(self, unit: Unit, mine: Context, equal: Iterable[Scored], rival: Scored) -> bool:
        """Whether another passage than the rival's states the value of the same thing, which makes it a conflict at most.

        A passage that holds two facts of a sentence is closer to it than one that holds but this one.
        """
        passage = rival[1].place.passage
        return any(held.place.passage not in (passage, -1) and says_the_same(unit, mine, held, self._pool) for _, held in equal)

    def _is_coincidence(self, mine: Context, equal: Scored) -> bool:
        """Whether the equal number counts something else, among other words: 40 rooms do not support 40 employees."""
        score, held = equal
        other = noun_stem(held.value, held.place.view.language)
        if not mine.noun or not other or same_noun(mine.noun, other):
            return False
        return score < _COINCIDENCE and mine.noun not in held.place.unit.stems

    def _instead(self, mine: Context, value: Value, near: Sequence[Held], rival: Scored | None) -> ValueVerdict:
        """The verdict on a value that no passage states: what stands in its place."""
        other_unit = self._best(mine, [held for held in near if compare(value, held.value) is Relation.UNIT])
        if other_unit is not None and other_unit[0] >= max(_NAMED, rival[0] if rival else 0.0):
            return ValueVerdict(value, Status.WRONG_UNIT, rival=other_unit[1], strength=other_unit[0])
        if rival is not None and rival[0] >= _NAMED:
            return ValueVerdict(value, Status.CONTRADICTED, rival=rival[1], strength=rival[0])
        return ValueVerdict(value, Status.UNSUPPORTED)


def _is_small_word(value: Value, most: int) -> bool:
    """Whether a value is a small bare number written as a word, which often is a pronoun ("one") or counts a list ("two")."""
    written = not any(ch.isdigit() for ch in value.text) and value.kind is ValueKind.NUMBER and not value.unit
    return written and value.number is not None and 0 < value.number <= most


def _of_each(candidates: Iterable[Scored], best: float) -> tuple[Held, ...]:
    """The closest supporting value of each passage that comes near the best."""
    chosen: dict[int, Scored] = {}
    for score, held in candidates:
        known = chosen.get(held.place.passage)
        if score >= best - _AS_CLOSE and (known is None or score > known[0]):
            chosen[held.place.passage] = (score, held)
    return tuple(held for _, (_, held) in sorted(chosen.items()))


def states(mine: Value, theirs: Value) -> bool:
    """Whether `theirs` states `mine`: equal, or less exact than it, and not limited from the other side."""
    relation = compare(mine, theirs)
    if relation is Relation.EQUAL:
        return True
    if relation is Relation.BOUND:
        return not ((mine.bound in _UPPER and theirs.bound in _LOWER) or (mine.bound in _LOWER and theirs.bound in _UPPER))
    return relation is Relation.PARTIAL and len(mine.canonical) <= len(theirs.canonical)
