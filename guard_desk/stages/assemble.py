"""Assemble: which passages the model sees, within k and the token budget, and where every other one ended.

Conflict lines are placed first, then accepted ones; k and budget cover both. A passage that does not fit is skipped
whole. MMR is Carbonell and Goldstein 1998 (doi 10.1145/290941.291025); `mmr` is that recipe. `sieve_mmr` is MMR on groups, and
asks for repetition, not for another topic: likeness counts only between near passages, and not between those that must not be
merged because a value, a name, a condition ... differs, since their likeness hides that difference. A near passage that only
says more than the other one does repeat it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from guard_desk.policy import AssemblePolicy, DedupPolicy, Strategy
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import ROUTES, RULES, Block, Group, Grouped, Guard, Place, Placement, Prompt, Route, Routed, Rule, Thinned
from guard_desk.records.evidence import Floats, Retrieved
from guard_desk.text import prompt_blocks

_BY_MMR = frozenset({Strategy.MMR, Strategy.SIEVE_MMR})
# Passages less alike share a topic; passages that answer one question do. Taking their likeness for repetition, as plain MMR does, costs
# .05 of the recall of the plain ranking on SciFact's 649 training claims (6 passages); counted from here on it costs nothing.
_NEAR = DedupPolicy().similarity_floor


def assemble(
    thinned: Thinned, retrieved: Retrieved, grouped: Grouped, routed: Routed, policy: AssemblePolicy, counter: TokenCounter
) -> Prompt:
    """Select, place and write.

    :param thinned: what thinning drops, and the rivals that stand in the conflicting block.
    :returns: the prompt with one placement for each pool passage.
    """
    table = _Table(retrieved, grouped, routed, thinned)
    choice = _Choice(table, policy, counter)
    conflicting, accepted = table.selectable()
    choice.take(conflicting, Place.CONFLICT)
    choice.take(accepted, Place.EVIDENCE)
    return _write(table, choice, policy, counter)


class _Table:
    """The pool by id, and what the earlier stages said of it."""

    def __init__(self, retrieved: Retrieved, grouped: Grouped, routed: Routed, thinned: Thinned) -> None:
        self.retrieved = retrieved
        self.routed = routed
        self.groups = routed.groups
        self.position = {hit.passage_id: index for index, hit in enumerate(retrieved.hits)}
        self.group_of = {member: group for group in routed.groups for member in group.members}
        self.thin_drops = {drop.passage_id: drop for drop in thinned.dropped}
        self.rivals = frozenset(thinned.rivals)
        self.apart = _pairs_by_id(grouped)

    def passage(self, passage_id: str) -> Passage:
        return self.retrieved.passages[self.position[passage_id]]

    def similarity(self, passage_id: str) -> float:
        return self.retrieved.hits[self.position[passage_id]].similarity

    def pairs(self, passage_id: str) -> Floats:
        row: Floats = self.retrieved.pair_similarity[self.position[passage_id]]
        return row

    def route(self, passage_id: str) -> Route:
        return ROUTES[int(self.routed.routes[self.position[passage_id]])]

    def thinned_out(self, group: Group) -> bool:
        return bool(self.thin_drops) and all(member in self.thin_drops for member in group.members)

    def selectable(self) -> tuple[list[Group], list[Group]]:
        """Groups for the conflicting and for the accepted block, in rank order."""
        conflicting: list[Group] = []
        accepted: list[Group] = []
        for group in self.groups:
            route = self.route(group.id)
            if route is Route.EXCLUDE or self.thinned_out(group):
                continue
            is_rival = bool(self.rivals) and any(member in self.rivals for member in group.members)
            (conflicting if route is Route.CONFLICT or is_rival else accepted).append(group)
        return conflicting, accepted


@dataclass(slots=True)
class _Chosen:
    group: Group
    place: Place
    notes: tuple[str, ...]


class _Waiting:
    """Groups that wait for a place, in columns, so that ten thousand of them cost little."""

    def __init__(self, table: _Table, groups: Sequence[Group], policy: AssemblePolicy) -> None:
        self._table, self._groups, self._policy = table, groups, policy
        self._place = {group.id: place for place, group in enumerate(groups)}
        self._positions = np.array([table.position[group.id] for group in groups], dtype=np.int64)
        self._similarity = np.array([table.similarity(group.id) for group in groups], dtype=np.float64)
        self._likeness = np.full(len(groups), -np.inf)
        self._open = np.ones(len(groups), dtype=bool)

    def __bool__(self) -> bool:
        return bool(self._open.any())

    def next(self, *, first: bool) -> Group:
        """Take the next one: the best by MMR, else the first in rank order. Ties go to the better rank."""
        index = int(np.argmax(np.where(self._open, self._scores(first=first), -np.inf)))
        self._open[index] = False
        return self._groups[index]

    def _scores(self, *, first: bool) -> npt.NDArray[np.float64]:
        if self._policy.strategy not in _BY_MMR:
            return -np.arange(len(self._groups), dtype=np.float64)
        if first:
            return self._similarity
        weight = self._policy.mmr_lambda
        return weight * self._similarity - (1 - weight) * np.where(np.isinf(self._likeness), 0.0, self._likeness)

    def chosen(self, group: Group) -> None:
        """A group got its place: those like it are worth less, but not those that it must not be merged with."""
        if self._policy.strategy not in _BY_MMR:
            return
        pairs = self._table.pairs(group.id)[self._positions].astype(np.float64)
        if self._policy.strategy is Strategy.SIEVE_MMR:
            pairs = self._repetition(group.id, pairs)
        np.maximum(self._likeness, pairs, out=self._likeness)

    def _repetition(self, group_id: str, pairs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The likeness that is repetition; minus infinity elsewhere."""
        counted = np.where(pairs >= _NEAR, pairs, -np.inf)
        for other, repeats in self._table.apart.get(group_id, {}).items():
            place = self._place.get(other)
            if place is not None:
                counted[place] = pairs[place] if repeats else -np.inf
        return counted

    def rest(self) -> Iterator[Group]:
        """Those that got no turn."""
        return (self._groups[int(index)] for index in np.flatnonzero(self._open))


@dataclass(slots=True)
class _Choice:
    """Greedy selection under k and the budget."""

    table: _Table
    policy: AssemblePolicy
    counter: TokenCounter
    chosen: list[_Chosen] = field(default_factory=list)
    left_out: dict[str, Placement] = field(default_factory=dict)
    tokens: int = 0

    def take(self, groups: Sequence[Group], place: Place) -> None:
        """Choose from these groups, given in rank order, until k or the budget says stop."""
        waiting = _Waiting(self.table, [group for group in groups if not self._below_floor(group)], self.policy)
        for other in self.chosen:
            waiting.chosen(other.group)
        while waiting and len(self.chosen) < self.policy.k:
            group = waiting.next(first=not self.chosen)
            if self._fits(group, place):
                waiting.chosen(group)
        detail = f"{self.policy.k} places are taken"
        for group in waiting.rest():
            self.left_out[group.id] = Placement(passage_id=group.id, place=Place.OVER_K, detail=detail)

    def _below_floor(self, group: Group) -> bool:
        similarity, floor = self.table.similarity(group.id), self.policy.similarity_floor
        if similarity >= floor:
            return False
        detail = f"similarity {similarity:.3f} is below the floor {floor:.2f}"
        self.left_out[group.id] = Placement(passage_id=group.id, place=Place.BELOW_FLOOR, detail=detail)
        return True

    def _fits(self, group: Group, place: Place) -> bool:
        notes = self._notes(group, place)
        size = self.counter.count(_block_text(self.table, group, self.table.position, notes))
        if self.tokens + size > self.policy.budget_tokens:
            detail = f"{size} tokens do not fit: {self.tokens} of {self.policy.budget_tokens} are taken"
            self.left_out[group.id] = Placement(passage_id=group.id, place=Place.OVER_BUDGET, detail=detail, tokens=size)
            return False
        self.chosen.append(_Chosen(group, place, notes))
        self.tokens += size
        return True

    def _notes(self, group: Group, place: Place) -> tuple[str, ...]:
        """One note for each chosen passage that claims another value for the same thing, and for a rival value."""
        mine = self.table.passage(group.id)
        notes = []
        for other in self.chosen:
            theirs = self.table.passage(other.group.id)
            if mine.claim_key and mine.claim_key == theirs.claim_key and mine.claim_value != theirs.claim_value:
                notes.append(f"{mine.claim_key} is {mine.claim_value} here, but {theirs.claim_value} in [{theirs.id}].")
        if place is Place.CONFLICT and self.table.route(group.id) is Route.INCLUDE:
            notes.append("states another value than other accepted passages.")
        return tuple(notes)


def _pairs_by_id(grouped: Grouped) -> dict[str, dict[str, bool]]:
    """The pairs that were kept apart: by id, those it must not be merged with, and whether it repeats them nevertheless (added words)."""
    found: dict[str, dict[str, bool]] = {}
    for refusal in grouped.refusals:
        repeats = refusal.verdict.guard is Guard.ADDED_FACT
        found.setdefault(refusal.left_id, {})[refusal.right_id] = repeats
        found.setdefault(refusal.right_id, {})[refusal.left_id] = repeats
    return found


def _block_text(table: _Table, group: Group, ids: Sequence[str] | dict[str, int], notes: Sequence[str]) -> str:
    sources = group.sources if len(group.members) > 1 else ()
    return prompt_blocks.block(table.passage(group.id), ids=ids, sources=sources, notes=notes)


def _write(table: _Table, choice: _Choice, policy: AssemblePolicy, counter: TokenCounter) -> Prompt:
    ids = [chosen.group.id for chosen in choice.chosen]
    texts = [_block_text(table, chosen.group, ids, chosen.notes) for chosen in choice.chosen]
    accepted = [i for i, chosen in enumerate(choice.chosen) if chosen.place is Place.EVIDENCE]
    conflicting = [i for i, chosen in enumerate(choice.chosen) if chosen.place is Place.CONFLICT]
    text, accepted_at, conflicting_at = prompt_blocks.fill(
        table.retrieved.query.text, [texts[i] for i in accepted], [texts[i] for i in conflicting]
    )
    blocks: list[Block] = []
    for order, start in ((accepted, accepted_at), (conflicting, conflicting_at)):
        for index in order:
            blocks.append(_block(choice.chosen[index], texts[index], start, counter))
            start += len(texts[index]) + 2
    return Prompt(
        text=text,
        blocks=tuple(blocks),
        places=_places(table, choice, blocks),
        tokens=counter.count(text),
        passage_tokens=sum(block.tokens for block in blocks),
        budget_tokens=policy.budget_tokens,
        encoding=counter.encoding,
    )


def _block(chosen: _Chosen, text: str, start: int, counter: TokenCounter) -> Block:
    group = chosen.group
    return Block(
        passage_id=group.id,
        place=chosen.place,
        text=text,
        span=Span(start, start + len(text)),
        tokens=counter.count(text),
        member_ids=group.members,
        sources=group.sources if len(group.members) > 1 else (),
        notes=chosen.notes,
    )


def _places(table: _Table, choice: _Choice, blocks: Sequence[Block]) -> tuple[Placement, ...]:
    placed = {block.passage_id: Placement(passage_id=block.passage_id, place=block.place, tokens=block.tokens) for block in blocks}
    placed |= choice.left_out
    placed |= _excluded(table.routed)
    return tuple(placed.get(hit.passage_id) or _outside(table, hit.passage_id) for hit in table.retrieved.hits)


def _excluded(routed: Routed) -> dict[str, Placement]:
    """What rules left out: most of a large pool, hence from whole columns."""
    at = np.flatnonzero((routed.routes == ROUTES.index(Route.EXCLUDE)) & (routed.rules != RULES.index(Rule.NOT_JUDGED)))
    rules = [str(RULES[rule]) for rule in routed.rules[at].tolist()]
    columns = zip(at.tolist(), rules, routed.values[at].tolist(), routed.limits[at].tolist(), strict=True)
    return {
        (passage_id := routed.passage_ids[position]): Placement(
            passage_id=passage_id, place=Place.EXCLUDED, rule=rule, detail=f"{rule} {value:.2f}, threshold {limit:.2f}"
        )
        for position, rule, value, limit in columns
    }


def _outside(table: _Table, passage_id: str) -> Placement:
    """The place of a passage that never stood for selection."""
    decision = table.routed.decision(table.position[passage_id])
    if decision.rule is Rule.NOT_JUDGED:
        return Placement(passage_id=passage_id, place=Place.NOT_JUDGED, detail="the judge gave no answers for it")
    group = table.group_of[passage_id]
    if group.id != passage_id:
        return Placement(passage_id=passage_id, place=Place.MERGED, detail=f"says the same as {group.id}", into=group.id)
    drop = table.thin_drops[passage_id]
    return Placement(passage_id=passage_id, place=Place.CAPPED, rule=drop.rule, detail=drop.detail)
