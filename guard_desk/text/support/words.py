"""Words that verification alone needs, from `resources/support.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from guard_desk import resources


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    found: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(resources.path("support.toml").read_text(encoding="utf-8"))
    return found


@cache
def support_words(name: str, language: str) -> tuple[str, ...]:
    """A list of a language and of all languages, the longest word first."""
    words = (*_table().get(language, {}).get(name, ()), *_table()["any"].get(name, ()))
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


@cache
def postal_codes() -> Mapping[str, str]:
    """Folded name of a place -> its postal code, and the code -> the folded name."""
    pairs = [entry.split(" ", 1) for entry in _table()["any"]["postal_codes"]]
    return {name.casefold(): code for code, name in pairs} | {code: name.casefold() for code, name in pairs}


def names_medicine(folded: str, language: str) -> bool:
    """Whether a word is formed like the name of a medicine."""
    return len(folded) >= 7 and folded.endswith(support_words("medicine_endings", language))


def is_superlative(folded: str, language: str) -> bool:
    """Whether a word is the highest degree ("largest", "most")."""
    endings = support_words("superlative_endings", language)
    return folded in support_words("superlative_words", language) or (bool(endings) and len(folded) > 4 and folded.endswith(endings))
