"""Complete linkage: two groups join at the similarity of their least similar pair, and only when every pair of theirs may merge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

Pair = tuple[int, int]
Join = tuple[float, int, int]


def joins(allowed: Mapping[Pair, float], order: Sequence[int]) -> Iterator[Join]:
    """The joins of a tree of groups, highest first within what is connected: (similarity of the least similar pair, position, position).

    :param allowed: pairs that may merge, the first position smaller, with their similarity.
    :param order: all positions; of equally similar pairs the one that is named first here joins first.
    """
    place = {position: number for number, position in enumerate(order)}
    for component in connected(allowed):
        yield from _tree(sorted(component, key=place.__getitem__), allowed)


def cut(size: int, tree: Iterable[Join], floor: float) -> list[list[int]]:
    """The groups under a floor, as positions below `size`; every position is in exactly one."""
    parent = list(range(size))
    for height, a, b in tree:
        if height >= floor:
            parent[_root(parent, b)] = _root(parent, a)
    members: dict[int, list[int]] = defaultdict(list)
    for position in range(size):
        members[_root(parent, position)].append(position)
    return list(members.values())


def connected(pairs: Iterable[Pair]) -> list[list[int]]:
    """Positions that pairs connect, each set once."""
    pairs = list(pairs)
    positions = sorted({position for pair in pairs for position in pair})
    number = {position: index for index, position in enumerate(positions)}
    parent = list(range(len(positions)))
    for i, j in pairs:
        parent[_root(parent, number[j])] = _root(parent, number[i])
    members: dict[int, list[int]] = defaultdict(list)
    for position in positions:
        members[_root(parent, number[position])].append(position)
    return list(members.values())


def _tree(positions: list[int], allowed: Mapping[Pair, float]) -> Iterator[Join]:
    if len(positions) == 2:
        yield allowed[min(positions), max(positions)], positions[0], positions[1]
        return
    number = {position: index for index, position in enumerate(positions)}
    links = np.full((len(positions), len(positions)), -np.inf)
    for i in positions:
        for j in positions:
            if i < j and (i, j) in allowed:
                links[number[i], number[j]] = links[number[j], number[i]] = allowed[i, j]
    while True:
        best = int(np.argmax(links))  # the first of equals
        a, b = divmod(best, len(positions))
        height = float(links[a, b])
        if height == -np.inf:
            return
        yield height, positions[a], positions[b]
        links[a] = np.minimum(links[a], links[b])
        links[:, a] = links[a]
        links[a, a] = links[b, :] = links[:, b] = -np.inf


def _root(parent: list[int], position: int) -> int:
    while parent[position] != position:
        parent[position] = parent[parent[position]]
        position = parent[position]
    return position
