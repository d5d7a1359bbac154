"""What a word is by its form alone: its key, whether it may stand anywhere, what it leaves on the next word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from guard_desk.text.guards.lexicon import Lexicon, lexicon

# Lists of function words, and the marks that they leave on the next unit.
_AUXILIARIES = (
    ("passives", "be"),
    ("relatives", "which"),
    ("past", "past"),
    ("present", "present"),
    ("objects", "object"),
    ("ongoing", "ongoing"),
)


@dataclass(frozen=True, slots=True)
class Form:
    """A word's form.

    :param key: equal keys mean the same.
    :param free: an adverb, which may stand elsewhere in its clause.
    :param owned: an owner, of what follows.
    """

    key: str
    free: bool
    owned: bool


@lru_cache(maxsize=65536)
def form_of(language: str, folded: str, stem: str) -> Form:
    """The stem, with the ending that makes another word of it: "operator" is not "operation"."""
    lex = lexicon(language)
    free = any(len(folded) > len(ending) + 3 and folded.endswith(ending) for ending in lex.free_endings)
    return Form(_key_of(lex, folded, stem), free, folded.endswith(lex.possessives))


def _key_of(lex: Lexicon, folded: str, stem: str) -> str:
    if folded in lex.irregular:
        return stem
    ending = folded[_shared(folded, stem) :]
    bare = next((ending.removesuffix(form) for form in lex.inflections if ending.endswith(form)), ending)
    derived = next((suffix for suffix in lex.derivations if suffix in (ending, bare)), "")
    return f"{stem}/{derived}" if derived else stem


@lru_cache(maxsize=16384)
def auxiliaries(language: str, folded: str) -> frozenset[str]:
    """The marks that a function word leaves on the next unit."""
    lex = lexicon(language)
    return frozenset(mark for name, mark in _AUXILIARIES if lex.has(name, folded))


def _shared(left: str, right: str) -> int:
    """Length of the common beginning."""
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count
