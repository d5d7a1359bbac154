"""What the words of a language do when two passages are compared, from `resources/lang/<code>.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any

from guard_desk import lang
from guard_desk.records.decision import Guard
from guard_desk.text.phrases import PhraseTable
from guard_desk.text.words import Word, fold_word, words

# Operators that open a phrase or clause and move with it, by their name in the data.
_OPENING = frozenset(
    {
        "if",
        "unless",
        "except",
        "even_if",
        "regardless",
        "when",
        "during",
        "while",
        "or",
        "but",
        "until",
        "before",
        "after",
        "since",
        "without",
    }
)
# Operators that may stand elsewhere in their clause without changing it.
_FLOATING = frozenset({"negation", "modality"})


class Part(IntEnum):
    """What a phrase does. Where it could do several things, the first one counts."""

    FREE = 0
    OPENING = 1
    OPERATOR = 2
    COORDINATOR = 3
    SEQUENCE = 4
    LINK = 5
    PRONOUN = 6
    PERSON = 7
    HARMLESS = 8
    CONCEPT = 9


@dataclass(frozen=True, slots=True)
class Entry:
    """One reading of a phrase.

    :param key: its canonical name: equal keys mean the same.
    :param guard: the guard that a difference in it belongs to.
    :param floats: whether it may stand elsewhere in its clause.
    """

    part: Part
    key: str
    guard: Guard | None = None
    floats: bool = False


@dataclass(frozen=True)
class Lexicon:
    """The comparison data of one language."""

    language: str
    phrases: PhraseTable[tuple[Entry, ...]]
    contractions: Mapping[str, tuple[str, ...]]
    bounds_before: Mapping[tuple[str, ...], str]
    bounds_after: Mapping[tuple[str, ...], str]
    naming: Mapping[Guard, frozenset[str]]
    irregular: Mapping[str, str]
    sets: Mapping[str, frozenset[str]]
    derivations: tuple[str, ...]
    inflections: tuple[str, ...]
    free_endings: tuple[str, ...]
    progressive: tuple[str, ...]
    past_endings: tuple[str, ...]
    possessives: tuple[str, ...]
    negation_prefixes: tuple[str, ...]

    def has(self, name: str, folded: str) -> bool:
        """Whether a folded word stands in a list of the data ("passives", "past", ...)."""
        return folded in self.sets.get(name, frozenset())


_LISTS = (
    "open_links",
    "agents",
    "genitives",
    "passives",
    "objects",
    "relatives",
    "past",
    "present",
    "date_limits",
    "postposed",
    "determiners",
    "ongoing",
    "beginnings",
    "changed_by",
    "changed_to",
)
_PARTS = {
    "harmless": Part.HARMLESS,
    "persons": Part.PERSON,
    "pronouns": Part.PRONOUN,
    "links": Part.LINK,
    "coordinators": Part.COORDINATOR,
    "sequence": Part.SEQUENCE,
}


@cache
def lexicon(language: str) -> Lexicon:
    """The comparison data of a language; English where a language has no file.

    :param language: a code such as "en".
    """
    code = language if language in lang.codes() else "en"
    data: Mapping[str, Any] = lang.table(code).get("dedup", {})
    return Lexicon(
        language=code,
        phrases=PhraseTable(((phrase, entries) for phrase, entries in _entries(code, data) if _has_word(phrase)), code),
        contractions=_contractions(data),
        bounds_before=_bounds(code, data, after=False),
        bounds_after=_bounds(code, data, after=True),
        naming={Guard(name): frozenset(map(fold_word, listed)) for name, listed in data.get("naming", {}).items()},
        irregular={fold_word(form): lemma for lemma, forms in data.get("irregular", {}).items() for form in forms},
        sets={name: frozenset(map(fold_word, data.get(name, ()))) for name in _LISTS},
        derivations=tuple(sorted(data.get("derivations", ()), key=len, reverse=True)),
        inflections=tuple(sorted(data.get("inflections", ()), key=len, reverse=True)),
        free_endings=tuple(data.get("free_endings", ())),
        progressive=tuple(data.get("progressive", ())),
        past_endings=tuple(data.get("past_endings", ())),
        possessives=tuple(data.get("possessives", ())),
        negation_prefixes=tuple(data.get("negation_prefixes", ())),
    )


def _has_word(phrase: str) -> bool:
    """Signs such as "&" are no words: the units note them as punctuation."""
    return any(ch.isalnum() for ch in phrase)


def _entries(code: str, data: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    links = {phrase: group.split("|")[0] for group in data.get("same_links", ()) for phrase in group.split("|")}
    for name, part in _PARTS.items():
        for phrase in data.get(name, ()):
            yield phrase, (Entry(part, fold_word(links.get(phrase, phrase))),)
    for guard, concepts in data.get("operators", {}).items():
        for concept, phrases in concepts.items():
            for phrase in phrases:
                yield phrase, (_operator(guard, concept),)
    for concept, phrases in data.get("free", {}).items():
        for phrase in phrases:
            yield phrase, (Entry(Part.FREE, f"free:{concept}", Guard.QUANTIFIER),)
    for concept, phrases in data.get("free_dates", {}).items():
        for phrase in phrases:
            yield phrase, (Entry(Part.FREE, f"free:{concept}", Guard.DATE),)
    for name, phrases in data.get("bounds", {}).items():
        for phrase in phrases if name.removesuffix("_after") in ("least", "most") else ():
            yield phrase, (Entry(Part.OPERATOR, f"quantifier:bound_{name.removesuffix('_after')}", Guard.QUANTIFIER),)
    yield from _rewrites(data)
    yield from _synonyms(code)


def _operator(guard: str, concept: str) -> Entry:
    part = Part.OPENING if concept in _OPENING else Part.OPERATOR
    return Entry(part, f"{guard}:{concept}", Guard(guard), floats=guard in _FLOATING and part is Part.OPERATOR)


def _rewrites(data: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """Phrases that stand for several operators: "unable to" is can + not."""
    single = {
        phrase: _operator(guard, concept)
        for guard, concepts in data.get("operators", {}).items()
        for concept, phrases in concepts.items()
        for phrase in phrases
    }
    for phrase, target in data.get("rewrites", {}).items():
        found = tuple(single[word] for word in target.split() if word in single)
        if found and (" " in phrase or len(target.split()) == len(found)):
            yield phrase, found


def _synonyms(code: str) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    for number, group in enumerate(lang.entry(code, "synonyms.groups")):
        for phrase in group.split("|"):
            pieces = phrase.split()
            yield " ".join(_stemmed(piece, code) for piece in pieces), (Entry(Part.CONCEPT, f"synonym:{number}"),)


def _stemmed(piece: str, code: str) -> str:
    """A word of a synonym stands for all its forms; what is no single word stays as written."""
    return f"~{piece}" if code != "zh" and piece.isalpha() else piece


def _contractions(data: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    return {fold_word(word): tuple(target.split()) for word, target in data.get("rewrites", {}).items() if "'" in word and " " not in word}


def _bounds(code: str, data: Mapping[str, Any], *, after: bool) -> Mapping[tuple[str, ...], str]:
    found = {}
    for name, phrases in data.get("bounds", {}).items():
        if name.endswith("_after") is after:
            for phrase in phrases:
                found[tuple(word.folded for word in words(phrase, code))] = name.removesuffix("_after")
    return found


def longest_bound(table: Mapping[tuple[str, ...], str], run: Sequence[Word], *, at_end: bool) -> tuple[int, str]:
    """How many words of a run's end (or beginning) say a bound, and which; (0, "") when none do."""
    longest = max((len(phrase) for phrase in table), default=0)
    for size in range(min(longest, len(run)), 0, -1):
        piece = run[-size:] if at_end else run[:size]
        name = table.get(tuple(word.folded for word in piece))
        if name:
            return size, name
    return 0, ""
