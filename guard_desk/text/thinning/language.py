"""The language data of thinning, read once: word lists and phrase tables of the sections [thinning...]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from guard_desk import lang
from guard_desk.text.languages import DEFAULT
from guard_desk.text.phrases import PhraseTable
from guard_desk.text.words import Word, stem_word


@cache
def with_section(languages: tuple[str, ...]) -> str:
    """The first of the languages that has thinning data; English when none has."""
    return next((code for code in languages if code in lang.codes() and lang.entry(code, "thinning", None)), DEFAULT)


@cache
def listed(language: str, name: str) -> tuple[str, ...]:
    """A list of the section, as written."""
    return tuple(lang.entry(language, f"thinning.{name}"))


@cache
def phrase_list(language: str, name: str) -> PhraseTable[str]:
    """A list of the section as a phrase table; every phrase means `name`."""
    return PhraseTable(((form, name) for phrase in listed(language, name) for form in _with_forms(phrase, language)), language)


@cache
def phrase_groups(language: str, name: str) -> PhraseTable[str]:
    """A table "meaning -> phrases" of the section; a phrase means its key."""
    groups: Mapping[str, Iterable[str]] = dict(lang.entry(language, f"thinning.{name}"))
    pairs = ((form, key) for key, phrases in groups.items() for phrase in phrases for form in _with_forms(phrase, language))
    return PhraseTable(pairs, language)


def _with_forms(phrase: str, language: str) -> tuple[str, ...]:
    """A phrase, with the irregular forms of the verb that it is: "lent" for "~lend"."""
    return (phrase, *(_forms_of(language).get(phrase[1:], ()) if phrase.startswith("~") else ()))


@cache
def _forms_of(language: str) -> Mapping[str, tuple[str, ...]]:
    """Verb -> its irregular forms."""
    forms: dict[str, tuple[str, ...]] = {}
    for entry in lang.entry(language, "facts.irregular", None) or ():
        form, _, base = entry.partition("=")
        if base:
            forms[base] = (*forms.get(base, ()), form)
    return forms


@cache
def _irregular(language: str) -> Mapping[str, str]:
    """Irregular form -> stem of the verb: "came" -> "come"."""
    entries = lang.entry(language, "facts.irregular", None) or ()
    pairs = (entry.split("=", 1) for entry in entries if "=" in entry)
    return {form: stem_word(base, language) for form, base in pairs}


def base_stem(word: Word, language: str) -> str:
    """The stem of a word, of the verb itself for its irregular forms."""
    return _irregular(language).get(word.folded, word.stem)


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found at some words of a text.

    :param words: positions of the words it uses.
    """

    words: tuple[int, ...]
    meanings: tuple[str, ...]

    @property
    def first(self) -> int:
        """Position of its first word."""
        return self.words[0]

    @property
    def last(self) -> int:
        """Position of its last word."""
        return self.words[-1]


def hits(table: PhraseTable[str], text: str, tokens: tuple[Word, ...]) -> tuple[Hit, ...]:
    """The phrases of a table in a text, in order."""
    return tuple(Hit(match.used, match.meanings) for match in table.find(text, tokens))


def list_hits(language: str, name: str, text: str, tokens: tuple[Word, ...]) -> tuple[Hit, ...]:
    """Where the phrases of a list stand."""
    return hits(phrase_list(language, name), text, tokens)


def list_positions(language: str, name: str, text: str, tokens: tuple[Word, ...]) -> frozenset[int]:
    """Positions of all words that belong to a phrase of a list."""
    return frozenset(position for hit in list_hits(language, name, text, tokens) for position in hit.words)
