"""Language data of verification, ready for use: folded phrases and compiled patterns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from guard_desk import lang

# One character for one character, so that spans keep their meaning.
_PLAIN = str.maketrans({**dict.fromkeys("\u2018\u2019\u02bc\u00b4`", "'"), **dict.fromkeys("\u00a0\u202f\u2009\u2007\u200b\ufeff\t", " ")})


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """The text with one apostrophe and one space, code point for code point."""
    return text.translate(_PLAIN)


@cache
def phrases(dotted: str, code: str | None = None) -> tuple[str, ...]:
    """Folded phrases of one language, or of all languages, the longest first.

    :param dotted: path of a list in the language files, e.g. "verify.citation_prefixes".
    """
    codes = lang.codes() if code is None else (code,)
    found = {plain(phrase).casefold() for one in codes if one in lang.codes() for phrase in lang.entry(one, dotted)}
    return tuple(sorted(found, key=lambda phrase: (-len(phrase), phrase)))


@cache
def phrase_set(dotted: str, codes: tuple[str, ...]) -> frozenset[str]:
    """Folded phrases of several languages as a set."""
    return frozenset(phrase for code in codes for phrase in phrases(dotted, code))


@cache
def aliases(code: str) -> tuple[frozenset[str], ...]:
    """Groups of names for one thing."""
    if code not in lang.codes():
        return ()
    return tuple(frozenset(plain(name).casefold() for name in group) for group in lang.entry(code, "verify.aliases"))


@cache
def patterns(dotted: str, code: str) -> tuple[re.Pattern[str], ...]:
    """Compiled patterns of one language, for `plain` text. In them a space stands for any white space."""
    if code not in lang.codes():
        return ()
    return tuple(re.compile(_spaced(source), re.IGNORECASE) for source in lang.entry(code, dotted))


def _spaced(source: str) -> str:
    return plain(source).replace(" ?", r"\s*").replace(" ", r"\s+")


def any_match(dotted: str, languages: Sequence[str], text: str) -> re.Match[str] | None:
    """The first match of any pattern of these languages in a text."""
    prepared = plain(text)
    for code in languages:
        for pattern in patterns(dotted, code):
            if match := pattern.search(prepared):
                return match
    return None


def starts_with(dotted: str, languages: Sequence[str], text: str) -> str:
    """The longest phrase that a text begins with, as a word of its own; "" when there is none."""
    folded = plain(text).casefold()
    for code in languages:
        for phrase in phrases(dotted, code):
            rest = folded[len(phrase) : len(phrase) + 1]
            if folded.startswith(phrase) and (not rest or not rest.isalnum() or not phrase[-1].isascii()):
                return phrase
    return ""
