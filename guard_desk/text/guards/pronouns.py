"""Pronouns put back into words: "Before you restart the node, drain it." is "Drain the node before you restart it." """

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from guard_desk.text.guards.matching import Matching
from guard_desk.text.guards.units import Kind, Text

# Longer texts have too many words that a pronoun could stand for; so do more pronouns.
_LONGEST = 40
_MOST_PRONOUNS = 2


def readings(left: Text, right: Text, matching: Matching) -> Iterator[tuple[Text, Text]]:
    """The two texts with their pronouns read as a word that both of them name; nothing when that cannot help.

    :param matching: of the texts as they are.
    """
    counts = len(left.pronouns), len(right.pronouns)
    if not any(counts) or max(counts) > _MOST_PRONOUNS or max(len(left.units), len(right.units)) > _LONGEST:
        return
    if any(
        text.units[place].kind is not Kind.WORD for text, places in ((left, matching.left), (right, matching.right)) for place in places
    ):
        return
    leftover = {left.units[i].key for i in matching.left} | {right.units[j].key for j in matching.right}
    named = _named(left) & _named(right)
    if leftover:
        named &= leftover
    for key in sorted(named):
        yield _read(left, key), _read(right, key)


def _named(text: Text) -> set[str]:
    return {unit.key for unit in text.units if unit.kind is Kind.WORD}


def _read(text: Text, key: str) -> Text:
    """The text with every pronoun replaced by the word with this key."""
    source = next(unit for unit in text.units if unit.key == key)
    units = tuple(
        replace(unit, kind=Kind.WORD, key=key, others=source.others) if unit.kind is Kind.PRONOUN else unit for unit in text.units
    )
    return replace(text, units=units, pronouns=())
