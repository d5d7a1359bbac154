"""Sentences that say "the passages do not tell": a state of their own, neither right nor wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guard_desk.text.support.language import any_match, patterns, phrase_set, plain

_WORD = re.compile(r"[\w\u0b80-\u0bff]+")
_LONGEST = 400


def is_refusal(sentence: str, languages: Sequence[str]) -> bool:
    """Whether a sentence says that there is not enough information to answer.

    A sure phrase suffices; a phrase like "does not say" counts only beside a word for the sources ("the passages").
    """
    if len(sentence) > _LONGEST:
        return False
    if any_match("verify.refusal_strong", languages, sentence):
        return True
    return names_sources(sentence, languages) and any_match("verify.refusal_weak", languages, sentence) is not None


def names_sources(sentence: str, languages: Sequence[str]) -> bool:
    """Whether a sentence speaks of the sources themselves ("the supplied passages")."""
    folded = plain(sentence).casefold()
    sources = phrase_set("verify.sources", tuple(languages))
    if any(word in sources for word in _WORD.findall(folded)):
        return True
    return any(source in folded for source in sources if not source.isascii() or " " in source)


def has_refusal_patterns(code: str) -> bool:
    """Whether a language has data to know a refusal by."""
    return bool(patterns("verify.refusal_strong", code))
