"""A person's word on pairs of passages: it stands over the guards', and over nothing but the pair it names.

"Keep apart" takes a pair out of one group; "merge" joins exactly the two groups that the pair stands in. Where the two kinds
meet, pairs that are kept apart stay apart and pairs that are merged stay together, as far as both can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from guard_desk.records.decision import Override

Pair = tuple[int, int]


def pairs_by_hand(ids: Sequence[str], overrides: Iterable[Override]) -> dict[Pair, bool]:
    """The pairs of a pool that a person spoke of, as positions, the first smaller: True = merge, False = keep apart.

    Of two words on one pair the later holds; pairs that are not in the pool, or name one passage twice, are left out.
    """
    position = {passage_id: place for place, passage_id in enumerate(ids)}
    said: dict[Pair, bool] = {}
    for override in overrides:
        first, second = sorted((position.get(override.left_id, -1), position.get(override.right_id, -1)))
        if 0 <= first < second:
            said.pop((first, second), None)
            said[first, second] = override.merge
    return said


def regrouped(groups: Iterable[Sequence[int]], said: Mapping[Pair, bool]) -> list[list[int]]:
    """The groups after a person's word; every position stays in exactly one.

    Groups are parted first, then what is left of them is joined.
    """
    joined = [pair for pair, merge in said.items() if merge]
    apart = {pair for pair, merge in said.items() if not merge}
    before = [part for group in groups for part in _parts(group, (), apart, dict.fromkeys(group, 0))]
    home = {place: number for number, group in enumerate(before) for place in group}
    after: list[list[int]] = []
    for numbers in _connected(range(len(before)), [(home[i], home[j]) for i, j in joined]):
        union = [place for number in numbers for place in before[number]]
        after += _parts(union, joined, apart, home)
    return after


def _connected(items: Iterable[int], pairs: Iterable[Pair]) -> list[list[int]]:
    """Items in the sets that the pairs connect, each set and the list in the items' order."""
    sets = {item: [item] for item in items}
    for i, j in pairs:
        if sets[i] is not sets[j]:
            merged = sorted(sets[i] + sets[j])
            sets.update(dict.fromkeys(merged, merged))
    return list({id(found): found for found in sets.values()}.values())


def _parts(union: Sequence[int], joined: Sequence[Pair], apart: set[Pair], home: Mapping[int, int]) -> list[list[int]]:
    """Passages in parts that hold no pair kept apart; they join only those that content or a person's word put them with."""
    if not _clash(union, union, apart):
        return [list(union)]
    parts: list[list[int]] = []
    for atom in _atoms(union, joined, apart):
        for part in parts:
            if _related(atom, part, home) and not _clash(atom, part, apart):
                part += atom
                break
        else:
            parts.append(atom)
    return parts


def _atoms(union: Sequence[int], joined: Sequence[Pair], apart: set[Pair]) -> Iterator[list[int]]:
    """Passages that a person merged, as one; then the others, in rank order. An earlier word goes before a later one."""
    inside = set(union)
    kept: list[Pair] = []
    for pair in joined:
        if inside.issuperset(pair) and not any(_clash(atom, atom, apart) for atom in _connected(union, [*kept, pair])):
            kept.append(pair)
    atoms = _connected(sorted(union), kept)
    return iter(sorted(atoms, key=lambda atom: (len(atom) == 1, atom[0])))


def _related(atom: Sequence[int], part: Sequence[int], home: Mapping[int, int]) -> bool:
    return not {home[place] for place in atom}.isdisjoint(home[place] for place in part)


def _clash(left: Sequence[int], right: Sequence[int], apart: set[Pair]) -> bool:
    """Whether a pair kept apart stands between the two."""
    ours, theirs = set(left), set(right)
    return any((i in ours and j in theirs) or (i in theirs and j in ours) for i, j in apart)
