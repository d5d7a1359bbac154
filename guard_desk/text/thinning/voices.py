"""Who says the same thing in nearly the same words: one voice.

Copies of a claim are told by their wording, not by their tags. Fillers, hedges and lead-ins do not count, and synonyms of the language
data are one word. Two statements of a value are one voice when the sentences around it have the same content words, when one
holds the whole other word by word, or when both are *bare*: they say the value and what was asked, and nothing of their own. A bare
statement shows no knowledge that the other has not, however its words are turned; of four or more, one word of their own makes no
difference. A sentence that tells something besides makes a voice of its own, so independent statements of one value still add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk
from guard_desk.text.thinning.coverage import SentenceView
from guard_desk.text.thinning.frame import Frame
from guard_desk.text.thinning.language import listed

VALUE = "\x00"
"""Stands for the value in a wording, so that "7 days" and "one week" are the same words."""

_SAME_BAG = 0.8
_CONTAINED = 0.9
# Where so many statements have at most one word of their own ("Acme was *set* up by Voss"), they are repeats, not witnesses.
_REPEATS = 4
_MISSPELT_FROM = 4


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence without what copies change.

    :param sequence: folded words in order, fillers left out, the value replaced by `VALUE`.
    :param bag: stems of the content words among them (for Chinese: character bigrams), without the value; synonyms are one word.
    :param own: what of them the question does not ask with, without words that say little.
    """

    sequence: tuple[str, ...]
    bag: frozenset[str]
    own: frozenset[str]


def wording(sentence: SentenceView, core: frozenset[int], value: Span | None, frame: Frame) -> Wording:
    """The wording of a sentence.

    :param core: positions of the words in the segments that hold the value or words of the question; what stands in
        other segments ("..., shame!", "as everyone knows, ...") is decoration.
    """
    fillers = sentence.positions(frame.language, "fillers")
    kept: list[int | None] = []
    for index, word in enumerate(sentence.tokens):
        if value is not None and word.span.overlaps(value):
            if not kept or kept[-1] is not None:
                kept.append(None)
        elif index in core and index not in fillers:
            kept.append(index)
    sequence = tuple(VALUE if index is None else sentence.tokens[index].folded for index in kept)
    if frame.is_han:
        return Wording(sequence, *_han_bags(sentence, kept, frame))
    return Wording(sequence, *_bags(sentence, kept, frame))


def _bags(sentence: SentenceView, kept: Sequence[int | None], frame: Frame) -> tuple[frozenset[str], frozenset[str]]:
    meaning = {position: group for group, positions in sorted(sentence.groups.items()) for position in positions}
    weak = sentence.positions(frame.language, "weak")
    asked = {_spelling(word) for word in frame.stems | {group for term in frame.terms for group in term.groups}}
    bag, own = set(), set()
    for index in kept:
        if index is None or not sentence.tokens[index].content:
            continue
        stem = sentence.tokens[index].stem
        word = _spelling(meaning.get(index, stem))
        bag.add(word)
        if index not in weak and word not in asked and _spelling(stem) not in asked:
            own.add(word)
    return frozenset(bag), frozenset(own)


@lru_cache(maxsize=8192)
def _spelling(word: str) -> str:
    """The form of a word that letters in a wrong order ("wroks") do not change."""
    return word[0] + "".join(sorted(word[1:])) if len(word) >= _MISSPELT_FROM and word.isalpha() else word


def _han_bags(sentence: SentenceView, kept: Sequence[int | None], frame: Frame) -> tuple[frozenset[str], frozenset[str]]:
    light = set(frame.text) | _light_characters()
    bag, own = set(), set()
    for index, following in pairwise((*kept, None)):
        if index is None or not sentence.tokens[index].content:
            continue
        word = sentence.tokens[index]
        if not is_cjk(word.text[0]):
            bag.add(word.stem)
            own.update({word.stem} - frame.stems)
        elif following is not None and is_cjk(sentence.tokens[following].text[0]):
            pair = word.folded + sentence.tokens[following].folded
            bag.add(pair)
            own.update({pair} if not light & set(pair) else ())
    return frozenset(bag), frozenset(own)


@cache
def _light_characters() -> frozenset[str]:
    """Characters of words that say little: particles, words around a value, fillers."""
    names = ("particles", "weak", "generic", "copula", "before_value", "after_value", "fillers")
    return frozenset(ch for name in names for word in listed("zh", name) for ch in word)


def same_voice(a: Wording, b: Wording) -> bool:
    """Whether two wordings of one value are near."""
    if a == b or not (a.own or b.own):
        return True
    union = len(a.bag | b.bag)
    shared = len(a.bag & b.bag)
    if union and shared / union >= _SAME_BAG:
        return True
    shorter, longer = sorted((a, b), key=lambda w: len(w.sequence))
    if not shorter.bag or len(shorter.bag & longer.bag) < _CONTAINED * len(shorter.bag):
        return False
    return _common(shorter.sequence, longer.sequence) >= _CONTAINED * len(shorter.sequence)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for left in a:
        diagonal = 0
        for index, right in enumerate(b, 1):
            above = row[index]
            row[index] = diagonal + 1 if left == right else max(above, row[index - 1])
            diagonal = above
    return row[-1]


def are_repeats(wordings: Sequence[Wording]) -> bool:
    """Whether so many wordings of one value have next to nothing of their own that such lines are repeats, not witnesses."""
    return sum(len(wording.own) <= 1 for wording in wordings) >= _REPEATS


def number_voices(wordings: Sequence[Wording], *, repeats: bool | None = None) -> tuple[int, ...]:
    """A number for each wording; near ones (also by way of others) share it. Independent of order but for the numbers.

    :param repeats: whether wordings with next to nothing of their own are one voice; None = when these alone are many. Rival values
        need one answer: else four honest lines would count once and three of a rumour thrice.
    """
    numbers = list(range(len(wordings)))
    together = are_repeats(wordings) if repeats is None else repeats
    many = frozenset(i for i, wording in enumerate(wordings) if len(wording.own) <= 1) if together else frozenset()
    for i, wording_i in enumerate(wordings):
        for j in range(i):
            if numbers[i] != numbers[j] and ((i in many and j in many) or same_voice(wording_i, wordings[j])):
                old, new = numbers[i], numbers[j]
                numbers = [new if number == old else number for number in numbers]
    return tuple(numbers)
