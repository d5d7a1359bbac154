"""How alike two texts look, without a model."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from guard_desk.text.guards.units import Kind, Text
from guard_desk.text.languages import is_cjk
from guard_desk.text.normalize import fold_text

_LATIN_END = 0x250
# White space and punctuation of ASCII, which a surface leaves out.
_BARE = {code: None for code in range(128) if chr(code).isspace() or unicodedata.category(chr(code))[0] in "PZ"}


def shared_units(left: Text, right: Text, pairs: int) -> float:
    """Share of the units that have a partner, 0..1 (Dice); 1 for two texts without units."""
    total = sum(unit.kind is not Kind.PRONOUN for unit in (*left.units, *right.units))
    return 1.0 if not total else min(1.0, 2 * pairs / total)


def one_line(text: str) -> str:
    """The text with every run of white space as one space: equal for copies whose lines are broken at other places."""
    return " ".join(text.split())


@lru_cache(maxsize=4096)
def surface(text: str) -> str:
    """The folded text without spaces and punctuation: equal for copies that differ in layout and case alone."""
    if text.isascii():
        return text.translate(_BARE).lower()
    return "".join(ch for ch in fold_text(text) if unicodedata.category(ch)[0] not in "PZ")


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
    letters = [ch for ch in text if ch.isalpha()]
    other = sum(is_cjk(ch) or ord(ch) >= _LATIN_END for ch in letters)
    return 2 * other > len(letters)
