"""The pairs of passages that de-duplication merged or kept apart, as a list can show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guard_desk.policy import Strategy
from guard_desk.records.corpus import Span
from guard_desk.records.decision import Group, MergeVerdict, Override, Refusal
from guard_desk.records.trace import Trace

_GROUPS_NOTHING = (Strategy.TOPK, Strategy.MMR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two passages beside each other.

    :param merged: whether they stand in one group.
    :param verdict: why they were kept apart; None when merged.
    :param by_hand: what a person said of this very pair: True = merge, False = keep apart; None = nothing.
    :param similarity: cosine; None when it is not known.
    """

    left_id: str
    right_id: str
    merged: bool
    verdict: MergeVerdict | None = None
    by_hand: bool | None = None
    similarity: float | None = None

    @property
    def reason(self) -> str:
        """Why the two stand as they do, in a few words: "number: 7 days / 30 days"."""
        if self.merged:
            return "merged by hand" if self.by_hand else "says the same"
        if self.by_hand is False:
            return "kept apart by hand"
        if self.verdict is None or self.verdict.guard is None:
            return "differs from others of the group" if self.verdict is not None else "not near enough"
        words = f"{self.verdict.left or '—'} / {self.verdict.right or '—'}"
        return f"{str(self.verdict.guard).replace('_', ' ')}: {words}"

    @property
    def headline(self) -> str:
        """The reason as a sentence starts it: "not merged: number: 7 days / 30 days"."""
        if self.merged:
            return self.reason if self.by_hand else f"merged: {self.reason}"
        return self.reason if self.by_hand is False else f"not merged: {self.reason}"

    def concerns(self, passage_id: str | None) -> bool:
        """Whether a passage is one of the two."""
        return passage_id in (self.left_id, self.right_id)

    def guarded(self) -> tuple[Span | None, Span | None]:
        """Where the guarded difference stands in both texts."""
        return (None, None) if self.verdict is None else (self.verdict.left_span, self.verdict.right_span)


@dataclass(frozen=True, slots=True, kw_only=True)
class NearPairs:
    """All that there is to look at.

    :param groups: groups of more than one with a pair (representative, member) for each other member.
    :param apart: near pairs kept apart, the most similar first, not more than were asked for; `refused`: how many there are.
    :param by_hand: pairs that a person spoke of.
    """

    groups: tuple[tuple[Group, tuple[Pair, ...]], ...]
    apart: tuple[Pair, ...]
    refused: int
    by_hand: tuple[Pair, ...]

    def __iter__(self) -> Iterator[Pair]:
        """Every pair, merged ones first."""
        for _, pairs in self.groups:
            yield from pairs
        yield from self.apart
        yield from self.by_hand


def near_pairs(trace: Trace, most: int = 300) -> NearPairs:
    """The pairs of a run.

    :param most: pairs kept apart that are given; a low floor makes more of them than anyone reads.
    """
    said = {frozenset((item.left_id, item.right_id)): item for item in trace.overrides}
    similarity = _Similarity(trace)
    groups = tuple(
        (group, tuple(_member(group, member, said, similarity) for member in group.members[1:]))
        for group in trace.grouped.groups
        if len(group.members) > 1
    )
    refusals = trace.grouped.refusals
    spoken = [item for item in refusals if frozenset((item.left_id, item.right_id)) in said] if said else []
    return NearPairs(
        groups=groups,
        apart=tuple(_refused(item, said) for item in refusals[:most]),
        refused=len(refusals),
        by_hand=tuple(_spoken(trace, [_refused(item, said) for item in spoken], similarity)),
    )


def why_nothing(trace: Trace) -> str:
    """Why there is nothing to look at."""
    strategy = trace.grouped.strategy
    if strategy in _GROUPS_NOTHING:
        return f"The strategy “{strategy}” merges nothing. Choose sieve or sieve_mmr to see groups."
    floor = trace.policy.dedup.similarity_floor
    return f"No two passages are {floor:g} similar or more. A lower similarity floor shows more pairs."


Said = dict[frozenset[str], Override]


def _word(said: Said, left: str, right: str) -> bool | None:
    found = said.get(frozenset((left, right)))
    return None if found is None else found.merge


def _member(group: Group, member: str, said: Said, similarity: _Similarity) -> Pair:
    return Pair(
        left_id=group.id,
        right_id=member,
        merged=True,
        by_hand=_word(said, group.id, member),
        similarity=similarity.of(group.id, member),
    )


def _refused(item: Refusal, said: Said) -> Pair:
    return Pair(
        left_id=item.left_id,
        right_id=item.right_id,
        merged=False,
        verdict=item.verdict,
        by_hand=_word(said, item.left_id, item.right_id),
        similarity=item.verdict.similarity,
    )


def _spoken(trace: Trace, apart: Sequence[Pair], similarity: _Similarity) -> Iterator[Pair]:
    """The pairs a person spoke of, as they stand now; those of passages that are not in the pool are left out."""
    home = {member: group.id for group in trace.grouped.groups for member in group.members}
    refused = {frozenset((pair.left_id, pair.right_id)): pair for pair in apart}
    for item in trace.overrides:
        if item.left_id not in home or item.right_id not in home:
            continue
        known = refused.get(frozenset((item.left_id, item.right_id)))
        yield known or Pair(
            left_id=item.left_id,
            right_id=item.right_id,
            merged=home[item.left_id] == home[item.right_id],
            by_hand=item.merge,
            similarity=similarity.of(item.left_id, item.right_id),
        )


class _Similarity:
    """Similarity of two passages by their ids."""

    def __init__(self, trace: Trace) -> None:
        self._places = {passage.id: at for at, passage in enumerate(trace.retrieved.passages)}
        self._matrix = trace.retrieved.pair_similarity

    def of(self, left: str, right: str) -> float | None:
        """The cosine; None where the matrix lacks the pair."""
        i, j = self._places.get(left, -1), self._places.get(right, -1)
        inside = 0 <= i < len(self._matrix) and 0 <= j < len(self._matrix)
        return float(self._matrix[i, j]) if inside else None
