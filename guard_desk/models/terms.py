"""Words for lexical rankers: folded, stemmed, without stop words; Han and kana by character bigrams."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from guard_desk.records.corpus import Passage
from guard_desk.text.languages import detect, is_cjk
from guard_desk.text.words import fold_word, stem_word, stop_words

# Part of the revision of lexical rankers: change it when the same text could give other terms.
VERSION = "t1"

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
# Marks (vowel signs, accents) belong to the word they follow; \w leaves them out.
_WORD = re.compile(r"[\w\u0300-\u036f\u0900-\u0dff\u0e31-\u0e4e\u200c\u200d]+")
_RUN = re.compile(rf"[{_CJK}]+|[^{_CJK}]+")
_LONG = 64
_SAMPLE = 64  # `detect` reads 4,000 characters


def terms(text: str, language: str) -> list[str]:
    """The terms of a text in order, repeats kept.

    :param language: code that chooses stemmer and stop words; use the same one for corpus and query.
    """
    found: list[str] = []
    for word in _WORD.findall(text):
        # Long runs (a Chinese clause, a hash) are not worth remembering.
        found.extend(_terms_of(word, language) if len(word) < _LONG else _split(word, language))
    return found


def corpus_language(texts: Sequence[str]) -> str:
    """The main language of a sample of texts: one stemmer for the whole corpus and its queries."""
    return detect("\n".join(text[:60] for text in texts))[0]


def sample(passages: Sequence[Passage], size: int = _SAMPLE) -> list[Passage]:
    """Up to `size` passages spread evenly over the whole list."""
    step = max(1, len(passages) // size)
    return list(passages[::step][:size])


@lru_cache(maxsize=1 << 17)
def _terms_of(word: str, language: str) -> tuple[str, ...]:
    return _split(word, language)


def _split(word: str, language: str) -> tuple[str, ...]:
    if word.isascii():
        return _stem(word, language)
    return tuple(term for run in _RUN.findall(word) for term in (_bigrams(run) if is_cjk(run[0]) else _stem(run, language)))


def _stem(word: str, language: str) -> tuple[str, ...]:
    folded = fold_word(word)
    if not folded or folded in stop_words(language):
        return ()
    return (stem_word(folded, language),) if len(word) < _LONG else (folded,)


def _bigrams(run: str) -> tuple[str, ...]:
    if len(run) == 1:
        return (run,)
    return tuple(run[index : index + 2] for index in range(len(run) - 1))
