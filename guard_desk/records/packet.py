"""The evidence packet of a search: what stands before any judging."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.policy import Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem:
    """One passage (or merged group) of a packet.

    :param similarity: cosine with the question, -1..1.
    :param member_ids: all passages behind it, itself first; `expand` opens them.
    """

    id: str
    title: str | None
    text: str
    similarity: float
    sources: tuple[str, ...]
    member_ids: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketStats:
    """Counts of a packet."""

    considered: int
    pool: int
    merged: int
    selected: int
    tokens: int
    budget_tokens: int
    left_out_by_filter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePacket:
    """Evidence for a question, before any judging.

    :param conflicts: differing claims among the chosen passages, one sentence each.
    """

    question: str
    strategy: Strategy
    items: tuple[EvidenceItem, ...]
    conflicts: tuple[str, ...]
    stats: PacketStats
