"""When two short answers are the same: in other spelling, or the same date or quantity in another format.

`normalise_answer` follows the rules of SQuAD's evaluation (Rajpurkar et al. 2016, SQuAD: 100,000+ Questions for Machine Comprehension
of Text, doi 10.18653/v1/D16-1264, its `evaluate-v1.1.py`): lower case, no punctuation, no articles, single spaces. It goes beyond them
where they would change a value or do not know a script:

- characters are folded first (NFKC, kinds of dashes and quotes, invisible ones), and punctuation of every script is left out;
- a mark between two digits stays, and so does a minus before one: "4.3" is not "43", and "-5" is not "5";
- an article goes only before another word: "vitamin A" is not "vitamin", and "The Who" is not nothing;
- Han and kana are written without spaces, so spaces between them go.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from string import punctuation

from guard_desk.records.evidence import Value
from guard_desk.text.languages import is_cjk
from guard_desk.text.normalize import fold_text
from guard_desk.text.polarity import find_cues
from guard_desk.text.scan import CJK
from guard_desk.text.values import Relation, compare, find_values
from guard_desk.text.words import words

_ARTICLE = re.compile(r"\b(?:a|an|the)\s+(?=\S)")
_CJK_SPACE = re.compile(rf"(?<=[{CJK}])\s+(?=[{CJK}])")
_KEPT_MARK = re.compile(r"(?<=\d)[.,:/-](?=\d)|(?<![^\s(])-(?=\.?\d)|(?<![\w.])\.(?=\d)")


@lru_cache(maxsize=4096)
def normalise_answer(text: str) -> str:
    """The form by which answers are compared; "" when there is nothing but punctuation.

    >>> normalise_answer("The  Eiffel-Tower.")
    'eiffeltower'
    """
    once = _normalised(text)
    # What is left out can bring an article or a mark to where the next pass takes it out too.
    while (again := _normalised(once)) != once and len(again) <= len(once):
        once = again
    return once


def _normalised(text: str) -> str:
    folded = fold_text(text)
    kept = {match.start() for match in _KEPT_MARK.finditer(folded)}
    bare = "".join(letter for place, letter in enumerate(folded) if place in kept or not _is_mark(letter))
    return _CJK_SPACE.sub("", " ".join(_ARTICLE.sub("", " ".join(bare.split())).split()))


def _is_mark(letter: str) -> bool:
    return letter in punctuation or unicodedata.category(letter)[0] == "P"


def same_answer(left: str, right: str) -> bool:
    """Whether two answers are the same: equal when normalised, or the same typed values with the same words around them.

    "7 days" and "one week" are the same, "7 days" and "up to 7 days" are not, nor "7 days in Rome" and "7 days in Oslo".
    """
    normal = normalise_answer(left)
    if normal == normalise_answer(right):
        return bool(normal) or left.strip() == right.strip()
    values, others = find_values(left), find_values(right)
    return bool(values) and same_values(values, others) and _beside(left, values) == _beside(right, others)


def states(answer: str, value: str) -> bool:
    """Whether an answer holds a value as whole words, or says the same one in another format. Denials are not looked at."""
    wanted, text = normalise_answer(value), normalise_answer(answer)
    if not wanted:
        return False
    start = "" if is_cjk(wanted[0]) else rf"(?<![^\W{CJK}])"
    end = "" if is_cjk(wanted[-1]) else rf"(?![^\W{CJK}])"
    return re.search(start + re.escape(wanted) + end, text) is not None or same_answer(answer, value) or _values_held(answer, value)


def _values_held(answer: str, wanted: str) -> bool:
    """Whether what is wanted is one value and nothing else, and the answer holds it."""
    values = find_values(wanted)
    if len(values) != 1 or normalise_answer(wanted) != normalise_answer(values[0].text):
        return False
    return any(compare(values[0], value) is Relation.EQUAL for value in find_values(answer))


def same_values(left: Sequence[Value], right: Sequence[Value]) -> bool:
    """Whether the values are the same one by one, whatever their format."""
    return len(left) == len(right) and all(compare(a, b) is Relation.EQUAL for a, b in zip(left, right, strict=True))


def _beside(text: str, values: Sequence[Value]) -> tuple[tuple[str, ...], frozenset[str]]:
    """What an answer says beside its values: stems in order, and cues ("not"). Articles and prepositions ("on 5 May") say nothing."""
    inside = [value.span for value in values]
    stems = tuple(word.stem for word in words(text) if word.content and not any(word.span.overlaps(span) for span in inside))
    return stems, frozenset(cue.meaning for cue in find_cues(text) if not any(cue.span.overlaps(span) for span in inside))
