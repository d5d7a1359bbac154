"""Groups of many texts: what `pool` gives for the passages of one question, for as many as a corpus has.

Copies are found by their words alone. Of the others only near pairs are looked at, found by blocks, and a text is read once, when it
first stands in a near pair. Groups follow complete linkage, as in a pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.evidence import TextFacts
from guard_desk.text.guards.linkage import Pair, cut, joins
from guard_desk.text.guards.metadata import metadata_verdict
from guard_desk.text.guards.near import Floats, near_by_letters, near_by_vectors
from guard_desk.text.guards.quick import Signature, agrees, refuses
from guard_desk.text.guards.similarity import is_other_script, one_line, surface, surface_head
from guard_desk.text.guards.verdict import facts_for_guards, may_merge

_CHECK_EVERY = 256


@dataclass(frozen=True, slots=True)
class TextGroups:
    """Groups of texts.

    :param groups: positions, each in exactly one group; groups by their first member, members ascending.
    :param apart: near pairs of positions that may not merge, with their similarity; of copies only the first is named.
    :param near: how many near pairs of different contents there were.
    """

    groups: tuple[tuple[int, ...], ...]
    apart: tuple[tuple[int, int, float], ...]
    near: int


def group_texts(passages: Sequence[Passage], vectors: Floats, floor: float, ctx: RunContext | None = None) -> TextGroups:
    """Group passages that say the same.

    :param vectors: unit vectors aligned with `passages`, float32 (n, d).
    :param floor: passages less alike are not merged, unless their texts are equal but for case, spaces and punctuation.
    :raises Cancelled: between blocks and pairs.
    """
    ctx = ctx or RunContext()
    copies = _copies(passages)
    first = [members[0] for members in copies]
    contents = [passages[position] for position in first]
    similar = _similarities([passage.text for passage in contents], vectors[first], floor, ctx)
    facts = _Facts(contents)
    allowed: dict[Pair, float] = {}
    apart: list[tuple[int, int, float]] = []
    for count, ((i, j), similarity) in enumerate(sorted(similar.items())):
        if count % _CHECK_EVERY == 0:
            ctx.check()
        if facts.may_merge(i, j):
            allowed[i, j] = similarity
        else:
            apart.append((first[i], first[j], similarity))
    order = sorted(range(len(contents)), key=lambda place: min(passages[position].id for position in copies[place]))
    groups = cut(len(contents), joins(allowed, order), floor)
    members = (tuple(sorted(position for place in group for position in copies[place])) for group in groups)
    return TextGroups(tuple(sorted(members)), tuple(apart), len(similar))


def _copies(passages: Sequence[Passage]) -> list[list[int]]:
    """Positions of passages that are equal but for their id, source and line breaks, in order of their first."""
    found: dict[tuple[object, ...], list[int]] = {}
    for position, passage in enumerate(passages):
        said = passage.version, passage.scope, passage.claim_key, passage.claim_value
        about = passage.title, passage.date, passage.source_type, passage.metadata
        found.setdefault((one_line(passage.text), said, about), []).append(position)
    return list(found.values())


def _similarities(texts: Sequence[str], vectors: Floats, floor: float, ctx: RunContext) -> dict[Pair, float]:
    """Near pairs with the similarity that a pool gives them: the higher of cosine and, in other scripts, overlap of letters; texts
    that differ in case and punctuation alone are as near as the nearest of them, and 1 to each other."""
    near: dict[Pair, float] = {}
    for i, j, similarity in near_by_vectors(vectors, floor, ctx):
        near[i, j] = similarity
    other = [place for place, text in enumerate(texts) if is_other_script(text)]
    if len(other) > 1 and floor > 0:
        for i, j, similarity in near_by_letters(texts, other, floor, ctx):
            near[i, j] = max(near.get((i, j), -1.0), similarity)
    _level(near, texts)
    return near


def _level(near: dict[Pair, float], texts: Sequence[str]) -> None:
    """Give texts of one surface the same neighbours."""
    families = [family for places in _alike(texts, range(len(texts)), surface_head) for family in _alike(texts, places, surface)]
    if not families:
        return
    home = {place: number for number, places in enumerate(families) for place in places}
    around: dict[int, dict[int, float]] = {}
    for (i, j), similarity in near.items():
        for mine, theirs in ((i, j), (j, i)):
            if mine in home:
                nearest = around.setdefault(home[mine], {})
                nearest[theirs] = max(nearest.get(theirs, -1.0), similarity)
    for number, nearest in around.items():
        for theirs, similarity in nearest.items():
            for mine in families[number]:
                for twin in families[home[theirs]] if theirs in home else (theirs,):
                    if mine != twin:
                        pair = (min(mine, twin), max(mine, twin))
                        near[pair] = max(near.get(pair, -1.0), similarity)
    for places in families:
        near.update(dict.fromkeys(_pairs(places), 1.0))


def _alike(texts: Sequence[str], places: Iterable[int], key: Callable[[str], str]) -> list[list[int]]:
    """Places of several texts with one key."""
    found: dict[str, list[int]] = {}
    for place in places:
        found.setdefault(key(texts[place]), []).append(place)
    return [members for members in found.values() if len(members) > 1]


def _pairs(places: Sequence[int]) -> Iterator[Pair]:
    return ((i, j) for number, i in enumerate(places) for j in places[number + 1 :])


class _Facts:
    """What is read of the texts, each once."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._facts: dict[int, TextFacts] = {}
        self._signatures: dict[int, Signature] = {}

    def may_merge(self, i: int, j: int) -> bool:
        a, b = self._signature(i), self._signature(j)
        if refuses(a, b):
            return False
        if agrees(a, b) and metadata_verdict(self._passages[i], self._passages[j]) is None:
            return True
        return may_merge(self._passages[i], self._passages[j], self._of(i), self._of(j))

    def _signature(self, place: int) -> Signature:
        found = self._signatures.get(place)
        if found is None:
            found = self._signatures[place] = Signature(self._passages[place].text)
        return found

    def _of(self, place: int) -> TextFacts:
        found = self._facts.get(place)
        if found is None:
            found = self._facts[place] = facts_for_guards(self._passages[place].text)
        return found


__all__ = ["TextGroups", "group_texts"]
