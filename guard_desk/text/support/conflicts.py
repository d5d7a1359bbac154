"""Whether another passage gives another value for what the answer states and a passage supports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.support.context import Context, affinity, context_of, noun_stem, part_stems, same_noun
from guard_desk.text.support.language import phrase_set, phrases, plain
from guard_desk.text.support.pool import Aligned, Held, Pool
from guard_desk.text.support.substitution import may_name_one_fact
from guard_desk.text.support.values import ValueVerdict, states
from guard_desk.text.support.views import Unit, View, stems_of
from guard_desk.text.values import Relation, compare

# Both sides must share most of their words: a rival about something similar is no conflict.
_CLOSE = 0.6
_BACKWARD = 0.5
_FEWEST_WORDS = 1
_SAME_SCOPE = 0.2
_SCOPES = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.IDENTIFIER})


class ConflictFinder:
    """Finds conflicts between the passage that supports a value and another passage.

    :param answer: view of the answer: a rival that it states itself is no silent conflict.
    """

    def __init__(self, pool: Pool, answer: View, query: View) -> None:
        self._pool = pool
        self._answer = answer
        self._query = query

    def rival_of(self, unit: Unit, mine: Context, verdict: ValueVerdict, aligned: Sequence[Aligned]) -> Held | None:
        """The value of another passage that cannot be right together with a supported value of the answer."""
        support = verdict.support
        if support is None or support.place.passage < 0 or len(mine.all) < _FEWEST_WORDS or self.says_so(unit):
            return None
        best: tuple[float, Held] | None = None
        for item in aligned:
            if item.place.passage == support.place.passage or item.place.in_title:
                continue
            for position in item.place.unit.values:
                held = Held(item.place.view.values[position], item.place)
                score = self._score(unit, mine, verdict.value, support, held)
                if score is not None and (best is None or score > best[0]):
                    best = (score, held)
        return best[1] if best is not None else None

    def _score(self, unit: Unit, mine: Context, value: Value, support: Held, held: Held) -> float | None:
        if not self._may_conflict(value, support, held):
            return None
        mine = self._without_measure(mine, value)
        score = affinity(mine, held, self._pool) + (_SAME_SCOPE if self._shares_a_value(unit, value, held) else 0.0)
        other = context_of(held.place.view, held.place.unit, held.value)
        other = self._without_measure(other, held.value)
        backward = len(other.near & (mine.all | self._asked())) / max(1, len(other.near))
        if score < _CLOSE or backward < _BACKWARD or not other.all & mine.all or self._other_fact(unit, value, held):
            return None
        return None if self._other_subject(unit, value, held) or self._stated(held.value) else score

    def _other_fact(self, unit: Unit, value: Value, held: Held) -> bool:
        """Whether the values belong to two facts of one subject: "built in 1874" and "restored in 1991".

        Each then has a word beside it that the other's sentence lacks, and no words that may tell of one event. For amounts, which are
        put into many words ("is 84 m high", "rises to 84 m"), one of the sentences must also go on with a further fact, which is what
        they share. Chinese pairs of characters are no words, so they tell no facts apart.
        """
        here, there = part_stems(self._answer, unit, value), part_stems(held.place.view, held.place.unit, held.value)
        if value.kind is not ValueKind.DATE and unit.bare <= here and held.place.unit.bare <= there:
            return False
        mine = _spaced(here - held.place.unit.stems - self._measures(value))
        theirs = _spaced(there - unit.stems - self._measures(held.value))
        return bool(mine) and bool(theirs) and not may_name_one_fact(mine, theirs, self._answer.language)

    def _measures(self, value: Value) -> frozenset[str]:
        language = self._answer.language
        return stems_of(phrase_set(f"verify.measures.{value.kind}", (language,)), language)

    def _without_measure(self, context: Context, value: Value) -> Context:
        """The words around a value without those that only say what kind of value it is ("costs", "the fee is")."""
        measures = self._measures(value)
        near = context.near - measures
        return replace(context, near=near, far=context.far - measures) if near else context

    def _shares_a_value(self, unit: Unit, value: Value, held: Held) -> bool:
        """Whether both sentences hold another value that is equal ("on Fridays"): they speak of one case."""
        mine = [self._answer.values[position] for position in unit.values]
        theirs = [held.place.view.values[position] for position in held.place.unit.values]
        return any(states(one, other) for one in mine for other in theirs if one is not value and other is not held.value)

    def _may_conflict(self, value: Value, support: Held, held: Held) -> bool:
        if value.kind is not held.value.kind or compare(support.value, held.value) is not Relation.DIFFERENT:
            return False
        if value.kind is ValueKind.ENTITY:
            return _alike(value, held.value) and not any(
                held.place.view.values[position].canonical == value.canonical for position in held.place.unit.values
            )
        left, right = noun_stem(value, self._answer.language), noun_stem(held.value, held.place.view.language)
        if any(states(value, held.place.view.values[position]) for position in held.place.unit.values):
            return False
        return bool(value.dimension) or not left or not right or same_noun(left, right)

    def _asked(self) -> frozenset[str]:
        return frozenset(stem for unit in self._query.units for stem in unit.bare)

    def says_so(self, unit: Unit) -> bool:
        """Whether this sentence or the next one speaks of a disagreement."""
        position = self._answer.unit_at(unit.span)
        end = self._answer.units[min(len(self._answer.units) - 1, position + 1)].span.end
        folded = plain(self._answer.text[unit.span.start : end]).casefold()
        return any(phrase in folded for phrase in phrases("verify.disagreement", self._answer.language))

    def _stated(self, rival: Value) -> bool:
        return any(states(rival, value) or states(value, rival) for value in self._answer.values if value.kind is rival.kind)

    def _other_subject(self, unit: Unit, value: Value, held: Held) -> bool:
        """Whether the rival speaks of another thing, another time or another version."""
        return (
            _begins_elsewhere(held, self._asked() | unit.stems)
            or _contrasted(self._answer, unit, held.place.view, held.place.unit)
            or _other_scope(self._answer, unit, value, held)
            or self.other_passage_scope(held)
        )

    def other_passage_scope(self, held: Held) -> bool:
        """Whether a rival's passage is about another version, scope or time than the question."""
        passage = self._pool.passages[held.place.passage]
        title = self._pool.titles[held.place.passage]
        asked = {value.canonical for value in (*self._query.values, *self._answer.values)}
        if title is not None and any(value.canonical not in asked and value.kind is not ValueKind.ENTITY for value in title.values):
            return True
        others = [other for other in self._pool.passages if other is not passage]
        return bool(passage.version or passage.scope) and any(
            (other.version, other.scope) != (passage.version, passage.scope) for other in others
        )


def _spaced(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(stem for stem in stems if not is_cjk(stem[0]))


def _alike(left: Value, right: Value) -> bool:
    """Whether two names may be rivals: of one label where both labels are known."""
    return not left.label or not right.label or left.label == right.label


def _other_scope(view: View, unit: Unit, value: Value, held: Held) -> bool:
    """Whether both sentences name a date, time or version besides the value, and not the same one."""
    here = [view.values[position] for position in unit.values]
    there = [held.place.view.values[position] for position in held.place.unit.values]
    # Another date is another case when the rest differs too: "5,000 in 2020", "6,000 in 2024".
    kinds = _SCOPES if value.kind not in (ValueKind.DATE, ValueKind.TIME) else frozenset(ValueKind) - {ValueKind.ENTITY}
    for kind in sorted(kinds - {value.kind}):
        left = [item for item in here if item.kind is kind and item is not value]
        right = [item for item in there if item.kind is kind and item is not held.value]
        if left and right and not any(states(one, other) or states(other, one) for one in left for other in right):
            return True
    return False


def _begins_elsewhere(held: Held, known: frozenset[str]) -> bool:
    """Whether a sentence begins with a word that neither answer nor question has ("Backups of data ..."): another subject."""
    own = held.value.span
    first = next((stem for stem, place in held.place.unit.order if stem in held.place.unit.bare and not own.start <= place < own.end), None)
    return first is not None and first not in known and not (is_cjk(first[0]) and any(first[0] in stem for stem in known))


def _contrasted(view: View, unit: Unit, other: View, their: Unit) -> bool:
    """Whether a word that both share is told apart by the word before it ("copper model", "steel model")."""
    mine, theirs = _modifiers(view, unit), _modifiers(other, their)
    for stem, before in mine.items():
        after = theirs.get(stem)
        if after and before and after != before and before not in their.stems and after not in unit.stems:
            return True
    return _lettered(view, unit) != _lettered(other, their) and bool(_lettered(view, unit)) and bool(_lettered(other, their))


def _lettered(view: View, unit: Unit) -> frozenset[tuple[str, str]]:
    """Nouns with a letter behind them as their name ("Hall A")."""
    return frozenset(
        (before, stem)
        for (before, first), (stem, second) in pairwise(unit.order)
        if len(stem) == 1 and stem.isalpha() and not is_cjk(stem) and len(view.text[first:second].split()) == 1
    )


def _modifiers(view: View, unit: Unit) -> dict[str, str]:
    """Stem -> stem of the content word directly before it."""
    found: dict[str, str] = {}
    words = [token for token in unit.order if token[0] in unit.bare]
    for (before, first), (stem, second) in pairwise(words):
        between = view.text[first:second]
        if len(between.split()) <= 1 and between[-1:].isspace():
            found[stem] = before
    return found
