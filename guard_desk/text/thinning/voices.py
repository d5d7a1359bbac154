"""Who says the same thing in nearly the same words: one voice.

Copies of a claim are told by their wording, not by their tags: the sentence around the value, without fillers and
hedges, has the same content words, or holds the whole shorter sentence word by word. Different verbs or a different
sentence make different voices, so independent statements of one value still add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk
from guard_desk.text.thinning.coverage import SentenceView
from guard_desk.text.words import Word

VALUE = "\x00"
"""Stands for the value in a wording, so that "7 days" and "one week" are the same words."""

_SAME_BAG = 0.8
_CONTAINED = 0.9


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence without what copies change.

    :param sequence: folded words in order, fillers left out, the value replaced by `VALUE`.
    :param bag: stems of the content words among them (for Chinese: character bigrams), without the value.
    """

    sequence: tuple[str, ...]
    bag: frozenset[str]


def wording(sentence: SentenceView, core: frozenset[int], value: Span | None, language: str) -> Wording:
    """The wording of a sentence.

    :param core: positions of the words in the segments that hold the value or words of the question; what stands in
        other segments ("..., shame!", "as everyone knows, ...") is decoration.
    """
    fillers = sentence.positions(language, "fillers")
    kept: list[Word | None] = []
    for index, word in enumerate(sentence.tokens):
        if value is not None and word.span.overlaps(value):
            if not kept or kept[-1] is not None:
                kept.append(None)
        elif index in core and index not in fillers:
            kept.append(word)
    sequence = tuple(VALUE if word is None else word.folded for word in kept)
    return Wording(sequence, _bag(kept))


def _bag(kept: Sequence[Word | None]) -> frozenset[str]:
    stems: set[str] = set()
    for index, word in enumerate(kept):
        if word is None or not word.content:
            continue
        if not is_cjk(word.text[0]):
            stems.add(word.stem)
            continue
        following = kept[index + 1] if index + 1 < len(kept) else None
        if following is not None and is_cjk(following.text[0]):
            stems.add(word.folded + following.folded)
    return frozenset(stems)


def same_voice(a: Wording, b: Wording) -> bool:
    """Whether two wordings of one value are near."""
    if a == b:
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


def number_voices(wordings: Sequence[Wording]) -> tuple[int, ...]:
    """A number for each wording; near ones (also by way of others) share it. Independent of order but for the numbers."""
    numbers = list(range(len(wordings)))
    for i, wording_i in enumerate(wordings):
        for j in range(i):
            if numbers[i] != numbers[j] and same_voice(wording_i, wordings[j]):
                old, new = numbers[i], numbers[j]
                numbers = [new if number == old else number for number in numbers]
    return tuple(numbers)
