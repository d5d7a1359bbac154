"""The words around a value, which say what it is a value of."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.support.language import phrase_set
from guard_desk.text.support.pool import Held, Pool
from guard_desk.text.support.views import Clause, Unit, View
from guard_desk.text.words import fold_word, stem_word

_FAR = 0.4
_GAIN_FAR = 0.6
_GAIN_TITLE = 0.45
_FORWARD = 0.75
_NOUN = 0.2


@dataclass(frozen=True, slots=True)
class Context:
    """Content stems around a value.

    :param near: those of its clause.
    :param far: the others of its sentence.
    :param noun: stem of the noun that is counted; "" when none is known.
    """

    near: frozenset[str]
    far: frozenset[str]
    noun: str = ""

    @property
    def all(self) -> frozenset[str]:
        """The stems of the whole sentence."""
        return self.near | self.far


@lru_cache(maxsize=16384)
def context_of(view: View, unit: Unit, value: Value) -> Context:
    """The context of a value in its sentence, without its own words.

    Where a clause holds several values of one kind, each has the words that stand nearest to it:
    "40 euros for adults and 20 euros for children".
    """
    own = (
        frozenset(stem for stem, place in unit.order if value.span.start <= place < value.span.end)
        if value.kind is ValueKind.ENTITY
        else frozenset()
    )
    clause = unit.clause_of(value.span)
    shares = _shares(view, unit, clause, value.kind, value.dimension)
    near = (clause.stems if len(shares) < 2 else clause.stems & shares[value.span]) - own
    return Context(near=near, far=unit.bare - near - own, noun=noun_stem(value, view.language))


@lru_cache(maxsize=4096)
def _shares(view: View, unit: Unit, clause: Clause, kind: ValueKind, dimension: str) -> Mapping[Span, frozenset[str]]:
    """For each value of one kind in a clause, the stems that stand nearest to it alone."""
    same = (view.values[position] for position in unit.values)
    spans = sorted(
        {
            value.span
            for value in same
            if value.kind is kind and value.dimension == dimension and clause.span.start <= value.span.start < clause.span.end
        },
        key=_start,
    )
    owners: dict[str, set[Span]] = {}
    joints = _joints(view, spans)
    if len(spans) > 1:
        for stem, place in unit.order[
            bisect_left(unit.order, clause.span.start, key=_place) : bisect_left(unit.order, clause.span.end, key=_place)
        ]:
            owners.setdefault(stem, set()).add(_nearest(place, spans, joints))
    shares: dict[Span, set[str]] = {span: set() for span in spans}
    for stem, nearest in owners.items():
        if len(nearest) == 1:
            shares[next(iter(nearest))].add(stem)
    return {span: frozenset(stems) for span, stems in shares.items()}


def _joints(view: View, spans: Sequence[Span]) -> Mapping[Span, int]:
    """Behind which place words belong to the next value: the last "and" between a value and the one behind it."""
    joining = phrase_set("verify.conjunctions", (view.language,))
    found: dict[Span, int] = {}
    for left, right in pairwise(spans):
        for word in view.words_in(left.end, right.start):
            if word.folded in joining:
                found[left] = word.span.start
    return found


def _nearest(place: int, spans: Sequence[Span], joints: Mapping[Span, int]) -> Span:
    """The span that stands nearest to a word, on its side of an "and"; of two as near, the one before it."""
    index = bisect_right(spans, place, key=_start)
    if index == 0:
        return spans[0]
    before = spans[index - 1]
    if before in joints and index < len(spans):
        return spans[index] if place > joints[before] else before
    return spans[index] if index < len(spans) and spans[index].start - place < place - before.end else before


def part_stems(view: View, unit: Unit, value: Value) -> frozenset[str]:
    """Stems of the fact that a value belongs to: its clause as far as the next "and" on both sides, without its own words.

    "opened in 1931 and designed by Tom Hale" are two facts. Empty where nothing but the value stands between two joints.
    """
    clause = unit.clause_of(value.span)
    joining = phrase_set("verify.conjunctions", (view.language,))
    joints = [word.span.start for word in view.words_in(clause.span.start, clause.span.end) if word.folded in joining]
    start = max((joint for joint in joints if joint < value.span.start), default=clause.span.start)
    end = min((joint for joint in joints if joint >= value.span.end), default=clause.span.end)
    return frozenset(
        stem for stem, at in unit.order if start <= at < end and not value.span.start <= at < value.span.end and stem in unit.bare
    )


def _place(token: tuple[str, int]) -> int:
    return token[1]


def _start(span: Span) -> int:
    return span.start


def noun_stem(value: Value, language: str) -> str:
    """Stem of the noun that a value counts."""
    return stem_word(fold_word(value.noun), language) if value.noun else ""


def affinity(mine: Context, held: Held, pool: Pool) -> float:
    """How much a value of the pool is a value of the same thing, 0..1: the share of words that both stand among.

    Words of the clause count most; words of the rest of the sentence, of its neighbours and of the title count less.
    """
    other = context_of(held.place.view, held.place.unit, held.value)
    around = pool.around(held.place)
    total = gained = 0.0
    for stems, weight in ((mine.near, 1.0), (mine.far, _FAR)):
        for stem in stems:
            total += weight
            gained += weight * _gain(stem, other, around)
    if not total:
        return 0.0
    backward = len(other.near & mine.all) / len(other.near) if other.near else 1.0
    score = _FORWARD * gained / total + (1 - _FORWARD) * backward
    if mine.noun and other.noun:
        score = score + _NOUN * (1 - score) if same_noun(mine.noun, other.noun) else score - _NOUN
    return max(0.0, min(1.0, score))


def _gain(stem: str, other: Context, around: frozenset[str]) -> float:
    if stem in other.near:
        return 1.0
    if stem in other.far:
        return _GAIN_FAR
    return _GAIN_TITLE if stem in around else 0.0


def says_the_same(unit: Unit, mine: Context, held: Held, pool: Pool) -> bool:
    """Whether a value of the pool stands among nothing but words of the answer's sentence, its subject one of them.

    :param unit: the answer's sentence; `mine` the words around its value.
    """
    other = context_of(held.place.view, held.place.unit, held.value)
    subject = next((stem for stem, _ in unit.order if stem in unit.bare), "")
    return bool(other.near) and other.near <= mine.all and subject in other.all | pool.around(held.place)


def same_noun(left: str, right: str) -> bool:
    """Whether two counted nouns may be one: equal, or one ends with the other (compounds)."""
    return left == right or left.endswith(right) or right.endswith(left)
