"""De-duplication: passages that say the same become one group, shown once, with every source kept.

Groups are made by content alone, and any two members of a group may be merged with each other (complete linkage), so no
chain of small differences ever joins two texts that differ. What two passages say is compared once for a pool; the
floor of similarity only cuts the tree that the comparisons gave, so it moves freely in both directions.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from guard_desk.policy import DedupPolicy, Strategy
from guard_desk.progress import RunContext
from guard_desk.records.decision import Drop, Group, Grouped, MergeVerdict, Override, Refusal
from guard_desk.records.evidence import Extracted, Retrieved
from guard_desk.text.guards.by_hand import Pair, pairs_by_hand, regrouped
from guard_desk.text.guards.pool import Pairs

_STAGE = "dedup"
_KEPT_POOLS = 4
_pools: OrderedDict[tuple[int, int], Pairs] = OrderedDict()
_lock = threading.Lock()

Members = Sequence[int]


def dedup(
    retrieved: Retrieved,
    extracted: Extracted,
    policy: DedupPolicy | None = None,
    strategy: Strategy = Strategy.SIEVE_MMR,
    ctx: RunContext | None = None,
    *,
    overrides: Sequence[Override] = (),
) -> Grouped:
    """Put the pool's passages into groups.

    :param policy: the floor of similarity (cosine; for scripts that the encoder was not made for, the overlap of
        character pairs where that is higher).
    :param strategy: topk and mmr group nothing; naive_dedup groups by similarity alone; exact groups texts that are equal
        after white-space folding; sieve and sieve_mmr group what the guards let through.
    :param overrides: a person's word on pairs, over the guards'; nothing where nothing is grouped.
    :returns: each passage in exactly one group, groups and members in rank order; one drop for each merged passage that
        is not shown; near pairs that were kept apart, with the guard that did it.
    :raises Cancelled: while passages are being compared for the first time.
    """
    floor = (policy or DedupPolicy()).similarity_floor
    if strategy in (Strategy.SIEVE, Strategy.SIEVE_MMR):
        pairs = _pairs_of(retrieved, extracted)
        pairs.compare(floor, ctx or RunContext())
        groups, said = _by_hand(retrieved, pairs.groups(floor), overrides)
        return _grouped(retrieved, groups, _refusals(pairs, groups, floor, said), strategy, said)
    if strategy in (Strategy.TOPK, Strategy.MMR):
        return _grouped(retrieved, [(place,) for place in range(len(retrieved.passages))], (), strategy)
    groups, said = _by_hand(retrieved, _simple_groups(retrieved, strategy, floor), overrides)
    return _grouped(retrieved, groups, tuple(_kept_apart(retrieved, groups, said)), strategy, said)


def _by_hand(
    retrieved: Retrieved, groups: Iterable[Members], overrides: Sequence[Override]
) -> tuple[Sequence[Members], Mapping[Pair, bool]]:
    """The groups after a person's word, and the pairs that it is about."""
    said = pairs_by_hand([passage.id for passage in retrieved.passages], overrides) if overrides else {}
    return (regrouped(groups, said) if said else list(groups)), said


def _pairs_of(retrieved: Retrieved, extracted: Extracted) -> Pairs:
    """The comparisons of a pool; kept for the last few pools, so that a moved slider compares nothing again."""
    key = id(retrieved), id(extracted)
    with _lock:
        found = _pools.get(key)
        if found is None or found.retrieved is not retrieved or found.extracted is not extracted:
            found = Pairs(retrieved, extracted)
        _pools[key] = found
        _pools.move_to_end(key)
        while len(_pools) > _KEPT_POOLS:
            _pools.popitem(last=False)
    return found


def _simple_groups(retrieved: Retrieved, strategy: Strategy, floor: float) -> Iterable[Members]:
    if strategy is Strategy.EXACT:
        return _equal_texts(retrieved)
    return _by_vector(retrieved, floor)


def _equal_texts(retrieved: Retrieved) -> Iterable[Members]:
    groups: dict[str, list[int]] = defaultdict(list)
    for place, passage in enumerate(retrieved.passages):
        groups[" ".join(passage.text.split())].append(place)
    return groups.values()


def _by_vector(retrieved: Retrieved, floor: float) -> Iterable[Members]:
    """The plain recipe: in rank order, a passage joins the first kept one that it is similar enough to."""
    groups: dict[int, list[int]] = {}
    similarity = retrieved.pair_similarity
    for place in _ranked(retrieved, range(len(retrieved.passages))):
        near = next((kept for kept in groups if similarity[kept, place] >= floor), None)
        groups.setdefault(place if near is None else near, []).append(place)
    return groups.values()


def _ranked(retrieved: Retrieved, places: Iterable[int]) -> list[int]:
    return sorted(places, key=lambda place: (retrieved.hits[place].rank, retrieved.hits[place].passage_id))


def _grouped(
    retrieved: Retrieved,
    groups: Iterable[Members],
    refusals: tuple[Refusal, ...],
    strategy: Strategy,
    said: Mapping[Pair, bool] = MappingProxyType({}),
) -> Grouped:
    by_hand = {retrieved.passages[place].id for pair, merge in said.items() if merge for place in pair}
    ordered = [_ranked(retrieved, members) for members in groups]
    ordered.sort(key=lambda members: (retrieved.hits[members[0]].rank, retrieved.hits[members[0]].passage_id))
    made = tuple(_group(retrieved, members) for members in ordered)
    dropped = tuple(
        Drop(passage_id=member, stage=_STAGE, rule="merged", detail=_why(group, by_hand)) for group in made for member in group.members[1:]
    )
    return Grouped(groups=made, refusals=refusals, dropped=dropped, strategy=strategy)


def _why(group: Group, by_hand: Set[str]) -> str:
    if by_hand.isdisjoint(group.members):
        return f"Says the same as {group.id}, which is ranked higher."
    return f"Merged with {group.id}, which is ranked higher; a person joined passages of this group by hand."


def _group(retrieved: Retrieved, members: Members) -> Group:
    passages = [retrieved.passages[place] for place in members]
    return Group(
        id=passages[0].id,
        members=tuple(passage.id for passage in passages),
        member_sources=tuple(passage.source or "" for passage in passages),
    )


def _home(groups: Iterable[Members]) -> dict[int, int]:
    return {place: number for number, members in enumerate(groups) for place in members}


def _refusals(pairs: Pairs, groups: Iterable[Members], floor: float, said: Mapping[Pair, bool]) -> tuple[Refusal, ...]:
    """Near pairs that stand in different groups, the most similar first, then farther ones that a person keeps apart."""
    home = _home(groups)
    near = [(i, j, refusal) for i, j, refusal in pairs.apart(floor) if home[i] != home[j]]
    known = {(i, j) for i, j, _ in near} if said else set()
    return (
        *(refusal for _, _, refusal in near),
        *_kept_apart(pairs.retrieved, groups, {pair: merge for pair, merge in said.items() if pair not in known}),
    )


def _kept_apart(retrieved: Retrieved, groups: Iterable[Members], said: Mapping[Pair, bool]) -> Iterator[Refusal]:
    """Pairs that a person keeps apart, in the order of their ids, as refusals without a guard."""
    home = _home(groups) if said else {}
    for (i, j), merge in said.items():
        if not merge and home[i] != home[j]:
            left, right = sorted((retrieved.passages[i].id, retrieved.passages[j].id))
            verdict = MergeVerdict(merge=False, similarity=float(retrieved.pair_similarity[i, j]))
            yield Refusal(left_id=left, right_id=right, verdict=verdict)
