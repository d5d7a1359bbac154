"""Words of a text with their exact places, folded forms, stems and whether they carry content.

Han and kana are written without spaces: each of their characters is a `Word` of its own (so words never overlap), and
`content_stems` joins neighbours into character bigrams, which is what overlap between Chinese texts is measured with.
Other scripts are split at white space and punctuation; stems come from the Snowball stemmers.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import snowballstemmer

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk

_STEMMERS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "ta": "tamil",
    "it": "italian",
    "pt": "portuguese",
    "ru": "russian",
}

# Python's \w leaves out the vowel signs of Indic scripts and combining accents; both belong to the word.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    "\u0e31-\u0e4e\u0eb1-\u0ebc\u102b-\u103e\u1dc0-\u1dff"
)
_HIDDEN = "\u00ad\u200b-\u200d\u2060\ufeff"
_CJK = "\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_LETTER = rf"(?:(?![{_CJK}])[\w{_MARKS}])"
_WORD = re.compile(
    rf"[0-9]+(?:[.,][0-9]+)+(?!{_LETTER})"  # 1,500 and 3.14 are one word
    rf"|[A-Za-z0-9_]++(?![\w{_MARKS}{_HIDDEN}'’ʼ])"  # what the next line gives for plain words, more quickly
    rf"|{_LETTER}(?:[{_HIDDEN}]*{_LETTER})*(?:['’ʼ]{_LETTER}+)*"
    rf"|[\u30a0-\u30ff]{{2,}}"  # a katakana loan word is one word
    rf"|[{_CJK}]"
)
_HIDDEN_CHARACTER = re.compile(rf"[{_HIDDEN}]")
_ELISION = re.compile(r"(?:l|d|j|m|t|s|n|c|qu|jusqu|lorsqu|puisqu|quoiqu)['’ʼ](?=\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """One word.

    :param folded: NFKC, casefold, straight apostrophe, without hidden characters.
    :param stem: folded, stemmed, Latin accents removed; equal for forms of one word.
    :param content: False for stop words (articles, pronouns, prepositions, auxiliaries, ...).
    """

    span: Span
    text: str
    folded: str
    stem: str
    content: bool


@lru_cache(maxsize=2048)
def words(text: str, language: str = "en") -> tuple[Word, ...]:
    """The words of a text in order; spans never overlap.

    :param language: code that chooses stemmer and stop words; an unknown code only folds.
    """
    grammar = _grammar_places(text, language)
    found = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        for first, last in _elided(match[0], start, end) if language == "fr" else ((start, end),):
            folded, stem, content = _forms(text[first:last], language)
            found.append(Word(Span(first, last), text[first:last], folded, stem, content and first not in grammar))
    return tuple(found)


def words_in(text: str, span: Span, language: str = "en") -> tuple[Word, ...]:
    """The words of a part of a text, with their places in the whole text."""
    tokens = words(text, language)
    first = bisect_left(tokens, span.start, key=_start)
    return tokens[first : bisect_left(tokens, span.end, key=_start)]


def _start(word: Word) -> int:
    return word.span.start


def _elided(word: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """French "n'est" is two words, "n'" and "est"."""
    elision = _ELISION.match(word)
    return ((start, start + elision.end()), (start + elision.end(), end)) if elision else ((start, end),)


@lru_cache(maxsize=4096)
def content_stems(text: str, language: str = "en") -> frozenset[str]:
    """Stems of the content words. For Han and kana: character bigrams inside runs of content characters, and single
    characters that stand alone.
    """
    return frozenset(content_sequence(words(text, language)))


def content_sequence(tokens: Sequence[Word]) -> tuple[str, ...]:
    """Stems of the content words in order; Han and kana as bigrams, as in `content_stems`."""
    stems: list[str] = []
    run: list[Word] = []
    for word in tokens:
        joined = word.content and len(word.text) == 1 and is_cjk(word.text)
        if run and not (joined and run[-1].span.end == word.span.start):
            stems += _bigrams(run)
            run = []
        if joined:
            run.append(word)
        elif word.content:
            stems.append(word.stem)
    return (*stems, *_bigrams(run)) if run else tuple(stems)


def _grammar_places(text: str, language: str) -> frozenset[int]:
    """Places that lie in a longer word of grammar of a language without spaces (\u5982\u679c, \u4ec0\u4e48)."""
    pattern = _grammar(language)
    if pattern is None:
        return frozenset()
    return frozenset(place for match in pattern.finditer(text) for place in range(match.start(), match.end()))


@cache
def _grammar(language: str) -> re.Pattern[str] | None:
    phrases = sorted(lang.entry(language, "stopwords.phrases"), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, phrases))) if phrases else None


@lru_cache(maxsize=65536)
def stem_word(folded: str, language: str) -> str:
    """The stem of one folded word."""
    stemmer = _stemmer(language)
    stemmed = stemmer.stemWord(folded) if stemmer is not None and not folded.isnumeric() else folded
    return _without_accents(stemmed)


@lru_cache(maxsize=65536)
def fold_word(text: str) -> str:
    """The folded form of one word."""
    plain = _HIDDEN_CHARACTER.sub("", text).replace("’", "'").replace("ʼ", "'")
    return plain.casefold() if plain.isascii() else unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold())


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, folded; empty for one without data."""
    return frozenset(fold_word(word) for word in lang.entry(language, "stopwords.words"))


def _bigrams(run: list[Word]) -> list[str]:
    if len(run) == 1:
        return [run[0].folded]
    return [left.folded + right.folded for left, right in pairwise(run)]


@lru_cache(maxsize=65536)
def _forms(text: str, language: str) -> tuple[str, str, bool]:
    folded = fold_word(text)
    content = text in lang.entry(language, "stopwords.spelled") or _is_content(folded, language)
    return folded, stem_word(folded, language), content


def _is_content(folded: str, language: str) -> bool:
    stops = stop_words(language)
    if folded in stops:
        return False
    return not (folded.endswith(("n't", "'")) or (folded.endswith("'s") and folded[:-2] in stops))


@cache
def _stemmer(language: str) -> Any:
    name = _STEMMERS.get(language)
    return snowballstemmer.stemmer(name) if name else None


def _without_accents(word: str) -> str:
    """Latin accents removed ("müller" -> "muller"); signs of other scripts stay, where they tell words apart."""
    if word.isascii():
        return word
    kept: list[str] = []
    for ch in unicodedata.normalize("NFD", word):
        if unicodedata.combining(ch) and kept and kept[-1].isascii():
            continue
        kept.append(ch)
    return unicodedata.normalize("NFC", "".join(kept))
