"""Which unit of one text is which unit of the other, and what is left over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from guard_desk.text.guards.units import Kind, Text, Unit
from guard_desk.text.values import Relation, compare

# Keys of leftovers that grammar may explain.
DUTY, BEFORE = "modality:must", "direction:before"
EXPLAINED = frozenset({DUTY, BEFORE})
# A middle of at most this many units is one local edit.
_SMALL = 2


@dataclass(frozen=True)
class Matching:
    """Pairs of equal units, as positions, and the units that have no partner."""

    pairs: tuple[tuple[int, int], ...]
    left: tuple[int, ...]
    right: tuple[int, ...]


def match(left: Sequence[Unit], right: Sequence[Unit]) -> Matching:
    """Pair equal units: first along the longest common runs, then the others in order, then by synonym and spelling."""
    a = [position for position, unit in enumerate(left) if unit.kind is not Kind.PRONOUN]
    b = [position for position, unit in enumerate(right) if unit.kind is not Kind.PRONOUN]
    pairs = [(a[place], b[other]) for place, other in _common([left[i].key for i in a], [right[j].key for j in b])]
    _pair_rest(left, right, a, b, pairs)
    taken_left, taken_right = {i for i, _ in pairs}, {j for _, j in pairs}
    rest_left = [i for i in a if i not in taken_left]
    rest_right = [j for j in b if j not in taken_right]
    return _by_meaning(left, right, pairs, rest_left, rest_right)


def _common(a: list[str], b: list[str]) -> Iterator[tuple[int, int]]:
    """Places of equal keys along the longest common runs; a difference in one small place is found from both ends."""
    start, end = 0, min(len(a), len(b))
    while start < end and a[start] == b[start]:
        start += 1
    tail = 0
    while tail < end - start and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    if max(len(a), len(b)) - start - tail > _SMALL:
        start = tail = 0
    yield from ((place, place) for place in range(start))
    if start < len(a) - tail and start < len(b) - tail:
        matcher = SequenceMatcher(None, a[start : len(a) - tail], b[start : len(b) - tail], autojunk=False)
        for block in matcher.get_matching_blocks():
            yield from ((start + block.a + offset, start + block.b + offset) for offset in range(block.size))
    yield from ((len(a) - place, len(b) - place) for place in range(tail, 0, -1))


def _pair_rest(left: Sequence[Unit], right: Sequence[Unit], a: list[int], b: list[int], pairs: list[tuple[int, int]]) -> None:
    """Pair equal keys that lie outside the longest common runs, in order."""
    taken_left, taken_right = {i for i, _ in pairs}, {j for _, j in pairs}
    waiting: dict[str, list[int]] = defaultdict(list)
    for j in reversed(b):
        if j not in taken_right:
            waiting[right[j].key].append(j)
    pairs.extend((i, waiting[left[i].key].pop()) for i in a if i not in taken_left and waiting.get(left[i].key))


def _by_meaning(
    left: Sequence[Unit], right: Sequence[Unit], pairs: list[tuple[int, int]], rest_left: list[int], rest_right: list[int]
) -> Matching:
    for i in list(rest_left):
        for j in rest_right:
            if same(left[i], right[j]):
                pairs.append((i, j))
                rest_left.remove(i)
                rest_right.remove(j)
                break
    _join(left, right, pairs, rest_left, rest_right)
    _join_swapped(left, right, pairs, rest_left, rest_right)
    return Matching(tuple(sorted(pairs)), tuple(rest_left), tuple(rest_right))


def cannot_match(left: Text, right: Text) -> bool:
    """Whether a value, or a word that operates on others, is sure to be left over: quicker than `match`, and never more.

    `match` pairs equal keys as often as both texts have them; of the others a value finds a partner only in an equal value. What is left
    over in this way no grammar explains, but for duty and sequence (`explain`), and no reading of pronouns (`pronouns`).
    """
    rest_left = [left.by_key[key] for key in left.keys - right.keys]
    rest_right = [right.by_key[key] for key in right.keys - left.keys]
    if _may_join(rest_left, rest_right) or _may_join(rest_right, rest_left):
        return False
    return any(
        _is_firm(unit) and not any(same(unit, other) for other in others)
        for units, others in ((rest_left, rest_right), (rest_right, rest_left))
        for unit in units
    )


def _may_join(parts: Sequence[Unit], wholes: Sequence[Unit]) -> bool:
    """Whether a unit on one side is written as two on the other."""
    heads = {unit.folded for unit in parts}
    return any(
        whole.folded.startswith(head) and whole.folded[len(head) :] in heads for whole in wholes for head in heads if head != whole.folded
    )


def _is_firm(unit: Unit) -> bool:
    return unit.value is not None or (unit.kind is not Kind.WORD and not unit.others and unit.key not in EXPLAINED)


def same(a: Unit, b: Unit) -> bool:
    """Whether two units with different keys mean the same: a shared synonym class, or equal values."""
    if a.value is not None and b.value is not None:
        return a.bound == b.bound and compare(a.value, b.value) is Relation.EQUAL
    return bool(a.others) and not a.others.isdisjoint(b.others)


def _join(left: Sequence[Unit], right: Sequence[Unit], pairs: list[tuple[int, int]], rest_left: list[int], rest_right: list[int]) -> None:
    """Two words of the left written as one on the right ("sign on", "signon")."""
    for i, k in zip(list(rest_left), list(rest_left)[1:], strict=False):
        joined = left[i].folded + left[k].folded
        partner = next((j for j in rest_right if k == i + 1 and right[j].folded == joined), None)
        if partner is not None and i in rest_left and k in rest_left:
            pairs.append((i, partner))
            rest_left.remove(i)
            rest_left.remove(k)
            rest_right.remove(partner)


def _join_swapped(
    left: Sequence[Unit], right: Sequence[Unit], pairs: list[tuple[int, int]], rest_left: list[int], rest_right: list[int]
) -> None:
    swapped: list[tuple[int, int]] = []
    _join(right, left, swapped, rest_right, rest_left)
    pairs.extend((i, j) for j, i in swapped)
