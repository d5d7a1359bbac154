"""How near a passage, its sentences and their words stand to a question: what reading prose starts from.

Everything is counted in *keys*: stems of content words, for Chinese pairs of characters. A key of the question weighs more
the fewer passages of the pool have it, because what all of them say tells none from another.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from guard_desk import lang
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.evidence import TextFacts
from guard_desk.text.languages import is_cjk
from guard_desk.text.thinning.frame import Frame
from guard_desk.text.thinning.language import hits, phrase_groups
from guard_desk.text.words import Word, stem_word, words

_REACH = 6.0
# Words farther away than this are worth less than a hundred-thousandth.
_FARTHEST = math.ceil(12 * _REACH)


@dataclass(frozen=True, slots=True)
class Keys:
    """The words of a text and the key that each begins; "" for words that carry none."""

    tokens: tuple[Word, ...]
    keys: tuple[str, ...]

    def positions(self, span: Span) -> range:
        """Positions of the words that overlap a span."""
        first = bisect_left(self.tokens, span.start, key=_end)
        last = first
        while last < len(self.tokens) and self.tokens[last].span.start < span.end:
            last += 1
        return range(first, last)


def _end(word: Word) -> int:
    return word.span.end - 1


@lru_cache(maxsize=1024)
def keys_of(text: str, language: str) -> Keys:
    """The keys of a text."""
    tokens = words(text, language)
    found = [_key(word) for word in tokens]
    for index, (word, following) in enumerate(pairwise(tokens)):
        if word.span.end == following.span.start and is_cjk(word.text[0]) and is_cjk(following.text[0]):
            found[index] = word.folded + following.folded
    return Keys(tokens, tuple(found))


def _key(word: Word) -> str:
    return word.stem if word.content and not (len(word.text) == 1 and is_cjk(word.text)) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The keys of a question and what they weigh in a pool.

    :param weights: by key, together 1.
    :param meaning: the question's key for each word that stands for it: itself and its synonyms.
    :param names: keys of names and identifiers.
    :param attribute: keys that name the asked property.
    """

    frame: Frame
    weights: dict[str, float]
    meaning: dict[str, str]
    names: frozenset[str]
    attribute: frozenset[str]


def asked(frame: Frame, passages: Sequence[Passage], language: str) -> Asked:
    """A question's keys, weighed by how many passages of the pool have them."""
    keys = _question_keys(frame, language)
    meaning = _meanings(frame, keys, language)
    counts = dict.fromkeys(keys, 0)
    for passage in passages:
        for key in {meaning[key] for key in _all_keys(passage, language) if key in meaning}:
            counts[key] += 1
    raw = {key: math.log(1.0 + (len(passages) + 1.0) / (count + 0.5)) for key, count in counts.items()}
    total = sum(raw.values()) or 1.0
    names = frozenset(term.stem for term in frame.terms if term.key)
    return Asked(
        frame=frame,
        weights={key: weight / total for key, weight in raw.items()},
        meaning=meaning,
        names=names,
        attribute=frozenset(frame.attribute) & frozenset(keys),
    )


def _all_keys(passage: Passage, language: str) -> Iterable[str]:
    own = keys_of(passage.text, language).keys
    return own if passage.title is None else (*own, *keys_of(passage.title, language).keys)


def _question_keys(frame: Frame, language: str) -> list[str]:
    """Without the asking words ("how long")."""
    read = keys_of(frame.text, language)
    asking = {position for hit in hits(phrase_groups(language, "ask"), frame.text, read.tokens) for position in hit.words}
    return list(dict.fromkeys(key for position, key in enumerate(read.keys) if key and position not in asking))


def _meanings(frame: Frame, keys: Sequence[str], language: str) -> dict[str, str]:
    meaning = {key: key for key in keys}
    read = keys_of(frame.text, language)
    for hit in hits(phrase_groups(language, "synonyms"), frame.text, read.tokens):
        own = next((read.keys[position] for position in hit.words if read.keys[position] in meaning), None)
        for group in hit.meanings if own is not None else ():
            for word in _synonyms(language, group):
                meaning.setdefault(word, own or "")
    for token in read.tokens:
        if token.stem in keys:
            for form in _forms(language).get(token.folded, ()):
                meaning.setdefault(form, token.stem)
    return meaning


@lru_cache(maxsize=8)
def _forms(language: str) -> dict[str, tuple[str, ...]]:
    """Keys of the other forms of each irregular verb: of "written" those of "write" and "wrote"."""
    bases = dict(entry.split("=", 1) for entry in lang.entry(language, "facts.irregular") if "=" in entry)
    families: dict[str, list[str]] = {}
    for form, base in bases.items():
        families.setdefault(base, [base]).append(form)
    return {form: tuple(stem_word(other, language) for other in family) for family in families.values() for form in family}


@lru_cache(maxsize=512)
def _synonyms(language: str, group: str) -> tuple[str, ...]:
    """Keys of the words of a synonym group; phrases of several words are left out."""
    phrases: Iterable[str] = dict(lang.entry(language, "thinning.synonyms")).get(group, ())
    plain = [phrase.removeprefix("~") for phrase in phrases]
    if language == "zh":
        return tuple(phrase[:2] for phrase in plain if len(phrase) > 1)
    return tuple(stem_word(phrase, language) for phrase in plain if phrase.isalpha())


def speaking_sentences(frames: Sequence[Frame], passage: Passage, facts: TextFacts) -> tuple[Span, ...]:
    """The sentences of a passage that have a key of one of the questions: those whose grammar can tie a value to it."""
    language = frames[0].language
    meant = {key for frame in frames for key in _meanings(frame, _question_keys(frame, language), language)}
    read = keys_of(passage.text, language)
    return tuple(span for span in facts.sentences if any(read.keys[place] in meant for place in read.positions(span)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """A passage beside a question.

    :param own: by sentence: weight of the question's keys that it has.
    :param window: the same with the sentences beside it.
    :param whole: of the whole passage with its title.
    :param names: share of the question's names that the passage has; 1 when the question has none.
    :param places: positions of the words that stand for a key of the question, with that key.
    """

    read: Keys
    sentences: tuple[Span, ...]
    own: tuple[float, ...]
    window: tuple[float, ...]
    whole: float
    names: float
    places: tuple[tuple[int, str], ...]

    def sentence_of(self, span: Span) -> int:
        """Number of the sentence that a span begins in."""
        return next((i for i, sentence in enumerate(self.sentences) if span.start < sentence.end), len(self.sentences) - 1)


def nearness(question: Asked, passage: Passage, facts: TextFacts, language: str) -> Nearness:
    """How near a passage stands to a question."""
    read = keys_of(passage.text, language)
    sentences = facts.sentences or (Span(0, len(passage.text)),)
    places = tuple((i, question.meaning[key]) for i, key in enumerate(read.keys) if key in question.meaning)
    met: list[set[str]] = [set() for _ in sentences]
    number = 0
    for position, key in places:
        while number + 1 < len(sentences) and read.tokens[position].span.start >= sentences[number].end:
            number += 1
        met[number].add(key)
    title = (
        set() if passage.title is None else {question.meaning[k] for k in keys_of(passage.title, language).keys if k in question.meaning}
    )
    everything = title.union(*met)
    return Nearness(
        read=read,
        sentences=sentences,
        own=tuple(_weight(question, keys) for keys in met),
        window=tuple(_weight(question, title.union(*met[max(0, i - 1) : i + 2])) for i in range(len(met))),
        whole=_weight(question, everything),
        names=len(question.names & everything) / len(question.names) if question.names else 1.0,
        places=places,
    )


def _weight(question: Asked, keys: Iterable[str]) -> float:
    return sum(question.weights[key] for key in keys)


def closeness(question: Asked, near: Nearness, positions: range) -> tuple[float, float]:
    """How close the question's keys stand to some words: all keys by weight, and the asked property alone; both 0..1."""
    if not positions:
        return 0.0, 0.0
    best: dict[str, float] = {}
    first = bisect_left(near.places, (positions.start - _FARTHEST, ""))
    last = bisect_left(near.places, (positions.stop + _FARTHEST, ""))
    for place, key in near.places[first:last]:
        distance = max(positions.start - place, place - positions.stop + 1, 0)
        if distance:
            best[key] = max(best.get(key, 0.0), math.exp(-distance / _REACH))
    attribute = max((value for key, value in best.items() if key in question.attribute), default=0.0)
    return sum(question.weights[key] * value for key, value in best.items()), attribute
