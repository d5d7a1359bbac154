"""Assemble: which passages the model sees, within k and the token budget, and where every other one ended.

Conflict lines are placed first, then accepted ones; k and budget cover both. A passage that does not fit is skipped
whole. MMR is Carbonell and Goldstein 1998 (doi 10.1145/290941.291025); on groups, with no penalty between passages
that must not be merged, since their likeness hides a difference that matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from guard_desk.policy import AssemblePolicy, Strategy
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Block, Group, Grouped, Place, Placement, Prompt, Route, Routed, Rule, Thinned
from guard_desk.records.evidence import Retrieved
from guard_desk.text import prompt_blocks

_BY_MMR = frozenset({Strategy.MMR, Strategy.SIEVE_MMR})


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
        self.must_differ = frozenset(
            pair for refusal in grouped.refusals for pair in ((refusal.left_id, refusal.right_id), (refusal.right_id, refusal.left_id))
        )

    def passage(self, passage_id: str) -> Passage:
        return self.retrieved.passages[self.position[passage_id]]

    def similarity(self, passage_id: str) -> float:
        return self.retrieved.hits[self.position[passage_id]].similarity

    def pair(self, left: str, right: str) -> float:
        return float(self.retrieved.pair_similarity[self.position[left], self.position[right]])

    def route(self, passage_id: str) -> Route:
        return self.routed.decision(self.position[passage_id]).route

    def thinned_out(self, group: Group) -> bool:
        return all(member in self.thin_drops for member in group.members)

    def selectable(self) -> tuple[list[Group], list[Group]]:
        """Groups for the conflicting and for the accepted block, in rank order."""
        conflicting: list[Group] = []
        accepted: list[Group] = []
        for group in self.groups:
            route = self.route(group.id)
            if route is Route.EXCLUDE or self.thinned_out(group):
                continue
            is_rival = any(member in self.rivals for member in group.members)
            (conflicting if route is Route.CONFLICT or is_rival else accepted).append(group)
        return conflicting, accepted


@dataclass(slots=True)
class _Chosen:
    group: Group
    place: Place
    notes: tuple[str, ...]


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
        waiting = [group for group in groups if not self._below_floor(group)]
        while waiting:
            group = waiting.pop(self._next(waiting))
            self._place(group, place)

    def _below_floor(self, group: Group) -> bool:
        similarity, floor = self.table.similarity(group.id), self.policy.similarity_floor
        if similarity >= floor:
            return False
        detail = f"similarity {similarity:.3f} is below the floor {floor:.2f}"
        self.left_out[group.id] = Placement(passage_id=group.id, place=Place.BELOW_FLOOR, detail=detail)
        return True

    def _next(self, waiting: Sequence[Group]) -> int:
        if self.policy.strategy not in _BY_MMR or not self.chosen:
            return 0 if self.policy.strategy not in _BY_MMR else self._best([self.table.similarity(group.id) for group in waiting])
        weight = self.policy.mmr_lambda
        return self._best([weight * self.table.similarity(g.id) - (1 - weight) * self._likeness(g) for g in waiting])

    @staticmethod
    def _best(scores: Sequence[float]) -> int:
        return max(range(len(scores)), key=lambda index: (scores[index], -index))

    def _likeness(self, group: Group) -> float:
        spared = self.policy.strategy is Strategy.SIEVE_MMR
        pairs = [
            self.table.pair(group.id, other.group.id)
            for other in self.chosen
            if not (spared and (group.id, other.group.id) in self.table.must_differ)
        ]
        return max(pairs, default=0.0)

    def _place(self, group: Group, place: Place) -> None:
        notes = self._notes(group, place)
        size = self.counter.count(_block_text(self.table, group, self.table.position, notes))
        if len(self.chosen) >= self.policy.k:
            detail = f"{self.policy.k} places are taken"
            self.left_out[group.id] = Placement(passage_id=group.id, place=Place.OVER_K, detail=detail, tokens=size)
        elif self.tokens + size > self.policy.budget_tokens:
            detail = f"{size} tokens do not fit: {self.tokens} of {self.policy.budget_tokens} are taken"
            self.left_out[group.id] = Placement(passage_id=group.id, place=Place.OVER_BUDGET, detail=detail, tokens=size)
        else:
            self.chosen.append(_Chosen(group, place, notes))
            self.tokens += size

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
    return tuple(placed.get(hit.passage_id) or _outside(table, hit.passage_id) for hit in table.retrieved.hits)


def _outside(table: _Table, passage_id: str) -> Placement:
    """The place of a passage that never stood for selection."""
    decision = table.routed.decision(table.position[passage_id])
    if decision.rule is Rule.NOT_JUDGED:
        return Placement(passage_id=passage_id, place=Place.NOT_JUDGED, detail="the judge gave no answers for it")
    if decision.route is Route.EXCLUDE:
        detail = f"{decision.rule} {decision.value:.2f}, threshold {decision.threshold:.2f}"
        return Placement(passage_id=passage_id, place=Place.EXCLUDED, rule=str(decision.rule), detail=detail)
    group = table.group_of[passage_id]
    if group.id != passage_id:
        return Placement(passage_id=passage_id, place=Place.MERGED, detail=f"says the same as {group.id}", into=group.id)
    drop = table.thin_drops[passage_id]
    return Placement(passage_id=passage_id, place=Place.CAPPED, rule=drop.rule, detail=drop.detail)
