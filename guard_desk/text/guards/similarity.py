"""How alike two texts look, without a model."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

from guard_desk.text.guards.units import Kind, Text
from guard_desk.text.normalize import fold_text

# Characters that are looked at, and letters that are kept, for a head; what a cut changes lies behind these letters.
_HEAD, _LETTERS = 64, 8
# Everything below the phonetic letters.
_LATIN = re.compile("[\0-\u024f]+")
# A mark before an item of a list, or a dash between spaces; before a number it may be a minus.
_BULLET = re.compile(r"(?m)(?:^[ \t]*[-*•]|(?<=\s)[-•])[ \t]+(?=[^\W\d]|[\"'`(])")
_TYPOGRAPHIC = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "…": "..."})
# Chinese is written without spaces; a space there is a broken line.
_BESIDE_CHINESE = re.compile("(?<=[\u3001-\u303f\u4e00-\u9fff\uff00-\uffef]) (?=[\u3001-\u303f\u4e00-\u9fff\uff00-\uffef])")
_HAS_TYPOGRAPHIC = re.compile("[‘’“”–—\u00a0…]")
# Letters of German, French, Spanish and the like, common Chinese characters and punctuation: folding changes their case alone.
_SIMPLE = re.compile(
    "[\t\n\r\x20-\x7e\xa1\xa7\xab\xb7\xbb\xbf\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff"
    "\u2010-\u2015\u2018-\u201e\u2022\u2026\u3001-\u3003\u3008-\u3011\u4e00-\u9fff"
    "\uff01\uff05\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*"
)


def shared_units(left: Text, right: Text, pairs: int) -> float:
    """Share of the units that have a partner, 0..1 (Dice); 1 for two texts without units."""
    total = sum(unit.kind is not Kind.PRONOUN for unit in (*left.units, *right.units))
    return 1.0 if not total else min(1.0, 2 * pairs / total)


def one_line(text: str) -> str:
    """The text without what layout adds: equal for copies whose lines are broken at other places, whose sentences are items of a list,
    whose quotes and dashes are typographic or whose last full stop is lost."""
    if not text.isascii() and _HAS_TYPOGRAPHIC.search(text):
        text = text.translate(_TYPOGRAPHIC)
    if "- " in text or "* " in text or "• " in text:
        text = _BULLET.sub("", text)
    line = " ".join(text.split())
    if not line.isascii():
        line = _BESIDE_CHINESE.sub("", line)
    return line[:-1] if line[-1:] in (".", "。") and line[-2:-1].isalpha() else line


@lru_cache(maxsize=4096)
def surface(text: str) -> str:
    """The folded text without spaces and punctuation: equal for copies that differ in layout and case alone."""
    if text.isascii():
        return text.translate(_bare()).lower()
    if _SIMPLE.fullmatch(text):
        return text.translate(_bare()).casefold()
    return "".join(ch for ch in fold_text(text) if unicodedata.category(ch)[0] not in "PZ")


def surface_head(text: str) -> str:
    """The first letters of the surface, without looking at all of a long text; equal for texts whose surfaces are equal."""
    head = surface(text[:_HEAD])[:_LETTERS]
    return head if len(head) == _LETTERS else surface(text)[:_LETTERS]


@cache
def _bare() -> dict[int, None]:
    """White space and punctuation, which a surface leaves out, as `str.translate` takes it."""
    return {code: None for code in range(0x10000) if chr(code).isspace() or unicodedata.category(chr(code))[0] in "PZ"}


@lru_cache(maxsize=4096)
def bigrams(text: str) -> Counter[str]:
    """How often each pair of neighbouring characters stands in the surface of a text."""
    letters = surface(text)
    return Counter(letters[place : place + 2] for place in range(len(letters) - 1)) or Counter([letters])


def bigram_similarity(a: str, b: str) -> float:
    """Dice overlap of the character pairs, 0..1; 1 for equal texts."""
    left, right = bigrams(a), bigrams(b)
    return 2 * sum((left & right).values()) / (left.total() + right.total())


def is_other_script(text: str) -> bool:
    """Whether most letters are of another script than Latin: the embedded encoder knows English only."""
    if text.isascii():
        return False
    return 2 * _count_letters(_LATIN.sub("", text)) > _count_letters(text)


def _count_letters(text: str) -> int:
    return sum(map(str.isalpha, text))
