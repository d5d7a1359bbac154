"""Whether the passages have a name where the answer has it, and which name they have in its place.

That a passage holds a name does not say that it supports the sentence: "designed by Tom Hale" is wrong where the passages name another
designer and know Tom Hale from another bridge, and a conflict where one passage names him and another one somebody else. Both need a
sentence that says just what the answer says, with one other name in the place; silent when in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.support.claim_states import MOST_SUPPORT
from guard_desk.text.support.conflicts import ConflictFinder
from guard_desk.text.support.context import part_stems
from guard_desk.text.support.entities import Mention, Names
from guard_desk.text.support.language import phrase_set
from guard_desk.text.support.pool import Aligned, Held, Place, Pool
from guard_desk.text.support.slots import owner_of_name
from guard_desk.text.support.values import Status, ValueChecker, ValueVerdict
from guard_desk.text.support.views import Unit, View

_RIVAL_NAME = 0.5
_ONLY_NAME = 0.75
_FEWEST_WORDS = 2
# A sentence that names another one may say so much more than the answer's.
_MOST_EXTRA = 2
# Labels of names whose sort is not known.
_ANY_NAME = ("", "NAME")
_PLACES = ("GPE", "LOC", "FAC")


@dataclass(frozen=True, slots=True)
class NameVerdict:
    """What the passages say of a name.

    :param known: whether passages or question have it.
    :param places: where it stands, each passage once.
    :param rival: the name that stands in its place.
    :param support: the mention that the rival is in conflict with; None where the rival contradicts.
    """

    known: bool
    places: tuple[tuple[Place, Span], ...] = ()
    rival: Held | None = None
    support: Held | None = None


class NameChecker:
    """Checks the names of one answer."""

    def __init__(self, pool: Pool, answer: View, query: View, names: Names, values: ValueChecker, conflicts: ConflictFinder) -> None:
        self._pool = pool
        self._answer = answer
        self._asked = frozenset(stem for unit in query.units for stem in unit.stems)
        self._names = names
        self._values = values
        self._conflicts = conflicts

    def check(self, unit: Unit, value: Value, aligned: Sequence[Aligned]) -> NameVerdict:
        """The verdict on a name of a sentence."""
        mentions = self._names.find(value.text, self._answer.language)
        if not mentions:
            return NameVerdict(known=False, rival=self._rival_name(unit, value))
        placed = [(mention.place, mention.span) for mention in mentions if mention.place is not None]
        if not placed:
            return NameVerdict(known=True)
        firsts = {place.passage: (place, span) for place, span in reversed(placed)}
        verdict = NameVerdict(known=True, places=tuple(firsts.values())[:MOST_SUPPORT])
        if len(placed) < len(mentions):
            return verdict  # what the question names is what the answer speaks of
        return self._in_its_place(unit, value, mentions, aligned, verdict)

    def _in_its_place(
        self, unit: Unit, value: Value, mentions: Sequence[Mention], aligned: Sequence[Aligned], verdict: NameVerdict
    ) -> NameVerdict:
        mine = self._values.context(unit, value)
        known = [Held(replace(value, span=mention.span), mention.place) for mention in mentions if mention.place is not None]
        owner = owner_of_name(self._answer, unit, mine, known)
        if owner is not None and not self._names.occurs_in(owner.value.text, self._answer):
            return replace(verdict, rival=owner)
        another = self._another_named(unit, value, known)
        if another is not None:
            return replace(verdict, rival=another[0], support=another[1])
        support = self._as_written(max(known, key=lambda held: _closeness(held, aligned)))
        rival = self._conflicts.rival_of(unit, mine, ValueVerdict(value, Status.SUPPORTED, support=support), self._pool.aligned(mine.all))
        return verdict if rival is None else replace(verdict, rival=rival, support=support)

    @staticmethod
    def _as_written(held: Held) -> Held:
        """A mention with the words that its passage has there; one whose place in the passage is not known is looked for."""
        text, value = held.place.view.text, held.value
        start = text.find(value.text) if value.span.start == value.span.end else -1
        span = Span(start, start + len(value.text)) if start >= 0 else value.span
        return Held(replace(value, span=span, text=span.of(text)), held.place)

    def _another_named(self, unit: Unit, value: Value, known: Sequence[Held]) -> tuple[Held, Held | None] | None:
        """The name of which a passage says what the answer says of this one, and the mention that it is in conflict with, if any."""
        fact, subject = part_stems(self._answer, unit, value), self._subject(unit, value)
        if unit.negations or unit.conditions or len(fact | subject) < _FEWEST_WORDS:
            return None
        saying = next((held for held in known if self._says(held.place, held.value.span, fact, subject)), None)
        if saying is not None:
            silent = fact | subject <= self._asked and not self._conflicts.says_so(unit)
            rival = self._named_instead(unit, value, fact, subject, 0) if silent else None
            return (rival, self._as_written(saying)) if rival is not None and self._is_conflict(saying, rival) else None
        # A mention that speaks of the subject may say the same in other words.
        if not subject or any(self._speaks_of(held, fact, subject) for held in known):
            return None
        rival = self._named_instead(unit, value, fact, subject, _MOST_EXTRA)
        return (rival, None) if rival is not None else None

    def _is_conflict(self, saying: Held, rival: Held) -> bool:
        """Whether two passages of one scope give the names."""
        return saying.place.passage != rival.place.passage and not self._conflicts.other_passage_scope(rival)

    def _subject(self, unit: Unit, value: Value) -> frozenset[str]:
        """Stems of the first other name of a sentence."""
        for position in unit.values:
            other = self._answer.values[position]
            if other.kind is ValueKind.ENTITY and not other.span.overlaps(value.span):
                return frozenset(stem for stem, place in unit.order if other.span.start <= place < other.span.end)
        return frozenset()

    def _says(self, place: Place, name: Span, fact: frozenset[str], subject: frozenset[str]) -> bool:
        """Whether a sentence states a fact of a subject, which may stand in the title or the sentence before unless it has another one."""
        stems = place.unit.stems
        around = self._pool.around(place) if _is_alone(place, name) else frozenset()
        return fact - subject <= stems and fact | subject <= stems | around

    def _speaks_of(self, held: Held, fact: frozenset[str], subject: frozenset[str]) -> bool:
        """Whether a mention may be about the subject: its passage names it, or its sentence names nothing else ("the bridge")."""
        place, alone = held.place, _is_alone(held.place, held.value.span)
        if not alone and not subject <= place.unit.stems and fact - subject and fact - subject <= place.unit.stems:
            return False  # the same is said of another name
        there = self._pool.views[place.passage].stems | self._pool.title_stems(place.passage)
        return subject <= there or (alone and bool(subject & there or len(place.view.units) > 1))

    def _named_instead(self, unit: Unit, value: Value, fact: frozenset[str], subject: frozenset[str], extra: int) -> Held | None:
        """The one other name of a sentence that says the same of the same subject, in at most `extra` words more."""
        for item in self._pool.aligned(fact | subject):
            place = item.place
            values = [place.view.values[position] for position in place.unit.values]
            names = [other for other in values if other.kind is ValueKind.ENTITY]
            if place.in_title or place.unit.negations or any(self._names.related(other.text, value.text) for other in names):
                continue
            others = [other for other in names if not self._names.occurs_in(other.text, self._answer)]
            if len(others) != 1 or not self._says(place, others[0].span, fact, subject):
                continue
            held = Held(others[0], place)
            if self._is_alike(value, held) and self._says_little_else(unit, others[0], place, extra):
                return held
        return None

    def _is_alike(self, value: Value, held: Held) -> bool:
        """Whether two names may stand for each other: both places or neither, where that is known, and behind one preposition."""
        labels = (value.label, held.value.label)
        known = not any(label in _ANY_NAME for label in labels)
        if known and (labels[0] in _PLACES) != (labels[1] in _PLACES):
            return False
        return _preposition(self._answer, value) == _preposition(held.place.view, held.value)

    def _says_little_else(self, unit: Unit, other: Value, place: Place, extra: int) -> bool:
        """Whether a sentence has at most so many words that the answer's lacks, and no time of its own."""
        own = frozenset(stem for stem, at in place.unit.order if other.span.start <= at < other.span.end)
        timed = any(place.view.values[position].kind is ValueKind.DATE for position in place.unit.values)
        mine = any(self._answer.values[position].kind is ValueKind.DATE for position in unit.values)
        return len(place.unit.bare - own - unit.stems - self._asked) <= extra and (mine or not timed)

    def _rival_name(self, unit: Unit, value: Value) -> Held | None:
        """The name that stands where the answer has another one: one that shares a word with it, else the only one of a close sentence."""
        for item in self._pool.aligned(self._values.context(unit, value).all)[:4]:
            if item.score < _RIVAL_NAME:
                break
            held = [Held(item.place.view.values[position], item.place) for position in item.place.unit.values]
            others = [one for one in held if one.value.kind is ValueKind.ENTITY and not self._names.occurs_in(one.value.text, self._answer)]
            related = [one for one in held if one.value.kind is ValueKind.ENTITY and self._names.related(one.value.text, value.text)]
            if related or (len(others) == 1 and item.score >= _ONLY_NAME):
                return (related or others)[0]
        return None


def _closeness(held: Held, aligned: Sequence[Aligned]) -> float:
    return next((item.score for item in aligned if item.place.unit is held.place.unit), 0.0)


def _is_alone(place: Place, name: Span) -> bool:
    """Whether a sentence has no other name than this one."""
    values = (place.view.values[position] for position in place.unit.values)
    return not any(value.kind is ValueKind.ENTITY and not value.span.overlaps(name) for value in values)


def _preposition(view: View, value: Value) -> str:
    """The preposition before a name; "" without one and for one that names who does something."""
    before = view.words_in(0, value.span.start)[-1:]
    word = before[0].folded if before else ""
    known = phrase_set("thinning.prepositions", (view.language,)) - phrase_set("verify.agent_marks", (view.language,))
    return word if word in known else ""
