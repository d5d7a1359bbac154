"""What a question asks, as records: the kind of value, and the words that a line must share (`frame` reads them)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from guard_desk.text.languages import is_cjk

YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")
"""A year."""

QUANTITIES = frozenset({"time", "length", "mass", "money", "temperature", "speed", "data", "area", "volume", "percent", "frequency"})
"""Dimensions that a question asks for by a noun."""


class Shape(StrEnum):
    """What kind of value answers."""

    QUANTITY = "quantity"
    COUNT = "count"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    LISTED = "listed"
    OPEN = "open"
    YES_NO = "yes_no"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question that a line must share.

    :param position: of the word in the question.
    :param groups: names of the synonym groups it belongs to.
    :param key: a name or an identifier.
    :param omittable: whether a line may leave it out.
    :param attribute: names the asked property: never waived.
    :param before: stem of the content word right before it in the question, "" without one.
    :param after: stem of the content word right after it.
    :param verb: may be the question's verb; what stands beside it says nothing.
    :param light: a verb that says little, though it has synonyms ("be *found* at").
    :param governs: has "of" behind it: "the *lamps* of the bridge" are not the bridge.
    :param verb_of_subject: the first word behind "which birds", "what": the verb of what is asked for.
    :param base: its stem; of the verb itself for an irregular form.
    :param into: the preposition of direction right before it ("into *Spanish*"), "" without one.
    :param implied: names a property that a value of its dimension says by itself: "weight" of "3 t".
    :param year: a year, "in *2025*".
    :param previous: stem of the content word before it, whatever stands between.
    """

    position: int
    text: str
    stem: str
    groups: frozenset[str]
    key: bool
    omittable: bool
    attribute: bool
    before: str
    after: str
    previous: str
    base: str
    verb: bool
    verb_of_subject: bool
    governs: bool
    light: bool
    year: bool
    into: str
    implied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A question, read.

    :param dimensions: what the asked quantity measures; empty when the shape says it all.
    :param head: stems of the noun behind "which" or "how many" ("tram", "line").
    :param attribute: stems of the words that name the asked property; the value stands near them.
    :param copular: a yes/no question with a form of "to be": its predicate ("permitted") can stand for the answer.
    :param cause: whether the question asks why.
    :param open_end: whether the question ends with a preposition ("what is it cast *from*"): a substance or a thing, no name.
    :param groups: the synonym groups of all its words.
    :param first: stem of the word right behind the asking words: "Which ingredient *gives* ...".
    :param negated: whether the question denies: "Which browser is *not* supported?".
    :param does: whether the question has its verb behind its subject, after "do" or "must".
    :param place: whether a place is asked for.
    :param plural: whether several values may be right ("which cities ...").
    :param stems: stems of all words of the question, stop words too.
    :param numbers: stems of the numbers that it writes as words ("in *one* loaf").
    :param light: stems of its words that say too little to be terms ("contain", "use").
    :param list_name: the list of words that answers a `LISTED` question.
    :param chunks: for Chinese: the pieces between particles, each with whether it is weak.
    """

    text: str
    language: str
    shape: Shape
    dimensions: frozenset[str] = frozenset()
    head: tuple[str, ...] = ()
    attribute: frozenset[str] = frozenset()
    copular: bool = False
    cause: bool = False
    groups: frozenset[str] = frozenset()
    first: str = ""
    negated: bool = False
    does: bool = False
    open_end: bool = False
    place: bool = False
    plural: bool = False
    terms: tuple[Term, ...] = ()
    stems: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    light: frozenset[str] = frozenset()
    list_name: str = ""
    chunks: tuple[str, ...] = ()

    @property
    def is_han(self) -> bool:
        """Whether terms are pieces of Chinese text instead of words."""
        return self.language == "zh"


def has_han(text: str) -> bool:
    """Whether a text holds Chinese characters."""
    return any(is_cjk(ch) for ch in text)
