"""Phrases of the language data, matched on words: longest first, each word used once.

The small phrase language is described at the head of every `resources/lang/<code>.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from guard_desk.records.corpus import Span
from guard_desk.text.words import Word, fold_word, stem_word, words

T = TypeVar("T")

# Most words that "..." stands for; Chinese words are single characters, so more of them.
_GAP = 5
_GAP_CJK = 16
_STOPS = frozenset(".!?。！？;；\n|")
_HYPHENS = frozenset("-\u2010\u2011")
# Word forms whose patterns are remembered.
_KNOWN_WORDS = 50_000
_CLAUSE_START = "<start> "
_COMMAS = frozenset(",，、:：")


class _How(Enum):
    WORD = "word"
    STEM = "stem"
    EXACT = "exact"
    ENDING = "ending"
    NUMBER = "number"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class _Part:
    how: _How
    text: str = ""
    after_hyphen: bool = False
    after_point: bool = False

    def fits(self, word: Word) -> bool:
        if self.how is _How.WORD:
            return word.folded == self.text
        if self.how is _How.STEM:
            return word.stem == self.text
        if self.how is _How.EXACT:
            return word.text == self.text
        if self.how is _How.ENDING:
            return len(word.folded) > len(self.text) and word.folded.endswith(self.text)
        return word.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class Match(Generic[T]):
    """A phrase found in a text.

    :param span: from the first to the last word.
    :param used: positions of the words that the phrase itself holds (not those of a gap).
    """

    span: Span
    used: tuple[int, ...]
    meanings: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class _Pattern(Generic[T]):
    """A phrase, cut into parts.

    :param second: the folded word that has to follow the first directly; "" where anything else may.
    """

    parts: tuple[_Part, ...]
    clause_start: bool
    weight: tuple[int, int, int]
    meanings: tuple[T, ...]
    second: str


class PhraseTable(Generic[T]):
    """All phrases of one language with what they mean.

    :param phrases: (phrase, meaning) pairs; a phrase may come several times; None means that it only uses up its words.
    """

    def __init__(self, phrases: Iterable[tuple[str, T | None]], language: str) -> None:
        self._language = language
        self._gap = _GAP_CJK if language in ("zh", "ja") else _GAP
        merged: dict[tuple[tuple[_Part, ...], bool], list[T]] = {}
        for phrase, meaning in phrases:
            parts = self._parse(phrase.removeprefix(_CLAUSE_START))
            meanings = merged.setdefault((parts, phrase.startswith(_CLAUSE_START)), [])
            if meaning is not None and meaning not in meanings:
                meanings.append(meaning)
        self._first: dict[tuple[_How, str], list[_Pattern[T]]] = {}
        for (parts, clause_start), meanings in merged.items():
            literal = [part for part in parts if part.how is not _How.GAP]
            weight = (len(literal), sum(len(part.text) for part in literal), len(literal) - len(parts))
            second = parts[1].text if len(parts) > 1 and parts[1].how is _How.WORD else ""
            self._first.setdefault((parts[0].how, parts[0].text), []).append(_Pattern(parts, clause_start, weight, tuple(meanings), second))
        self._known: dict[str, tuple[_Pattern[T], ...]] = {}
        self._endings = tuple(text for how, text in self._first if how is _How.ENDING)

    def find(self, text: str, tokens: Sequence[Word] | None = None) -> Iterator[Match[T]]:
        """The phrases of a text, left to right; no word is used twice."""
        tokens = words(text, self._language) if tokens is None else tokens
        used: set[int] = set()
        for position, word in enumerate(tokens):
            if position in used:
                continue
            match = self._longest(text, tokens, position, word, used)
            if match is not None:
                used.update(match.used)
                yield match

    def _longest(self, text: str, tokens: Sequence[Word], position: int, word: Word, used: set[int]) -> Match[T] | None:
        following = tokens[position + 1].folded if position + 1 < len(tokens) else ""
        for pattern in self._candidates(word):
            # Most phrases fail here, at their second word.
            if pattern.second and pattern.second != following:
                continue
            if pattern.clause_start and not _begins_clause(text, word.span.start):
                continue
            places = self._places(text, tokens, position, pattern.parts, used)
            if places is not None:
                return Match(Span(word.span.start, tokens[places[-1]].span.end), places, pattern.meanings)
        return None

    def _candidates(self, word: Word) -> tuple[_Pattern[T], ...]:
        """The patterns that may begin with a word, longest first."""
        known = self._known.get(word.text)
        if known is None:
            found = [pattern for key in self._keys(word) for pattern in self._first.get(key, ())]
            known = tuple(sorted(found, key=lambda pattern: pattern.weight, reverse=True))
            if len(self._known) < _KNOWN_WORDS:
                self._known[word.text] = known
        return known

    def _keys(self, word: Word) -> Iterator[tuple[_How, str]]:
        yield _How.WORD, word.folded
        yield _How.STEM, word.stem
        yield _How.EXACT, word.text
        if word.text[0].isdigit():
            yield _How.NUMBER, ""
        for ending in self._endings:
            if len(word.folded) > len(ending) and word.folded.endswith(ending):
                yield _How.ENDING, ending

    def _places(self, text: str, tokens: Sequence[Word], position: int, parts: tuple[_Part, ...], used: set[int]) -> tuple[int, ...] | None:
        """Positions of the words that a pattern takes when it begins at `position`; None when it does not fit."""
        places = [position]
        gap = False
        for part in parts[1:]:
            if part.how is _How.GAP:
                gap = True
                continue
            reach = self._gap + 1 if gap else 1
            found = self._next(text, tokens, places[-1], reach, part, used)
            if found is None:
                return None
            places.append(found)
            gap = False
        return tuple(places)

    def _next(self, text: str, tokens: Sequence[Word], last: int, reach: int, part: _Part, used: set[int]) -> int | None:
        for place in range(last + 1, min(last + 1 + reach, len(tokens))):
            between = text[tokens[place - 1].span.end : tokens[place].span.start]
            if between and not _joins(between, commas=reach > 1 and self._gap == _GAP_CJK, point=part.how is _How.NUMBER):
                return None
            if (part.after_hyphen and between not in _HYPHENS) or (part.after_point and "." not in between):
                return None
            if place not in used and part.fits(tokens[place]):
                return place
        return None

    def _parse(self, phrase: str) -> tuple[_Part, ...]:
        parts: list[_Part] = []
        before = ""
        for piece in phrase.replace("...", " ... ").split():
            parts.extend(self._part(piece, before))
            before = piece
        return tuple(parts)

    def _part(self, piece: str, before: str) -> Iterator[_Part]:
        if piece == "...":
            yield _Part(_How.GAP)
        elif piece == "<num>":
            yield _Part(_How.NUMBER, after_point=before.endswith(".") and before != "...")
        elif piece[0] == "^":
            yield _Part(_How.EXACT, piece[1:])
        elif piece[0] == "*":
            yield _Part(_How.ENDING, fold_word(piece[1:]))
        elif piece[-1] in "'’":
            yield _Part(_How.WORD, fold_word(piece))
        elif piece[0] == "~":
            yield _Part(_How.STEM, stem_word(fold_word(piece[1:]), self._language))
        else:
            for word in words(piece, self._language):
                yield _Part(_How.WORD, word.folded, after_hyphen=piece[word.span.start - 1] == "-" if word.span.start else False)


def _begins_clause(text: str, position: int) -> bool:
    before = text[:position].rstrip("\"'\u201c\u201e\u00ab\u300c\u00bf\u00a1 ([*_")
    return not before or before[-1] in _STOPS or before[-1] in _COMMAS


def _joins(between: str, *, commas: bool, point: bool) -> bool:
    """Whether what stands between two words lets a phrase go on: white space and quotes.

    :param commas: whether commas and brackets may stand there (in a gap of a Chinese phrase).
    :param point: whether a full stop may ("No. 5").
    """
    if "\n\n" in between or (any(ch in _STOPS and ch != "\n" for ch in between) and not (point and between.strip() == ".")):
        return False
    return commas or not any(ch in _COMMAS or ch in "()（）[]" for ch in between)
