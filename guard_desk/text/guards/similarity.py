"""How alike two texts look, without a model."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from guard_desk.text.guards.units import Kind, Text
from guard_desk.text.normalize import fold_text


def shared_units(left: Text, right: Text, pairs: int) -> float:
    """Share of the units that have a partner, 0..1 (Dice); 1 for two texts without units."""
    total = sum(unit.kind is not Kind.PRONOUN for unit in (*left.units, *right.units))
    return 1.0 if not total else min(1.0, 2 * pairs / total)


@lru_cache(maxsize=4096)
def surface(text: str) -> str:
    """The folded text without spaces and punctuation: equal for copies that differ in layout and case alone."""
    return "".join(ch for ch in fold_text(text) if unicodedata.category(ch)[0] not in "PZ")


@lru_cache(maxsize=4096)
def _bigrams(text: str) -> Counter[str]:
    letters = surface(text)
    return Counter(letters[place : place + 2] for place in range(len(letters) - 1)) or Counter([letters])


def bigram_similarity(a: str, b: str) -> float:
    """Dice overlap of the character pairs, 0..1; 1 for equal texts."""
    left, right = _bigrams(a), _bigrams(b)
    return 2 * sum((left & right).values()) / (left.total() + right.total())
