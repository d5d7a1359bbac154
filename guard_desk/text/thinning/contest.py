"""Who leads among scored candidates, who contests it, and which lines a prompt needs to show both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.policy import ThinPolicy
from guard_desk.records.decision import Part, Stance
from guard_desk.text.thinning.scoring import Scored, Scorer
from guard_desk.text.thinning.statements import Statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One part of the question, decided.

    :param stated: its candidates, best first.
    :param rivals: passage ids of the best lines of those that contest; all contenders' when nobody leads, else those against the leader.
    :param support: passage ids of the lines that the prompt needs, strongest first.
    """

    part: Part
    stated: tuple[Scored, ...]
    rivals: tuple[str, ...]
    support: tuple[str, ...]


def decide(scored: Sequence[Scored], scorer: Scorer, active: Sequence[bool]) -> Verdict:
    """The leader of a part, or those among whom there is none.

    :param active: which passages count.
    """
    statements, policy = scorer.statements, scorer.policy
    stated = sorted(scored, key=lambda item: (-item.candidate.score, item.candidate.canonical))
    contenders = _contenders(stated, statements, policy)
    leads = bool(stated) and not contenders and stated[0].candidate.score > 0
    beside = [item for item in _equals(stated, policy) if item not in contenders]
    against = [*contenders, *(item for item in beside if _clash(stated[0], item, statements))]
    return Verdict(
        part=Part(
            span=statements.span,
            leader=stated[0].candidate.value if leads else None,
            contested=bool(contenders),
            conflict=_conflict(stated, statements),
        ),
        stated=tuple(stated),
        rivals=tuple(dict.fromkeys(_best_line(item) for item in against)),
        support=_support(contenders or stated[: int(leads)], beside, _unread(stated, scorer, active)),
    )


def _clash(a: Scored, b: Scored, statements: Statements) -> bool:
    """Whether two values cannot both be right, and each has a passage of its own: no passage disagrees with itself."""
    apart = bool(a.stating - b.stating) and bool(b.stating - a.stating)
    return apart and (min(a.number, b.number), max(a.number, b.number)) in statements.clashing


def _conflict(stated: Sequence[Scored], statements: Statements) -> bool:
    """Whether two passages give values that cannot both be right, or one denies what another states."""
    for index, left in enumerate(stated):
        if left.denying - left.stating or (left.denying and len(left.stating) > 1):
            return True
        if any(_clash(left, right, statements) for right in stated[index + 1 :]):
            return True
    return False


def _contenders(stated: Sequence[Scored], statements: Statements, policy: ThinPolicy) -> list[Scored]:
    """The candidates among which no winner is clear, the best first; empty when one is."""
    if len(stated) < 2 or stated[0].candidate.score <= 0:
        return []
    first = stated[0]
    rivals = [other for other in stated[1:] if _clash(first, other, statements) and _close(first, other, policy)]
    return [first, *rivals] if rivals else []


def _close(first: Scored, other: Scored, policy: ThinPolicy) -> bool:
    """Scores within the margin, or the same number of best lines of equal rank and month on both sides."""
    if other.candidate.score <= 0:
        return False
    if first.candidate.score - other.candidate.score < policy.contested_margin * first.candidate.score:
        return True
    denied = any(line.contribution < 0 for item in (first, other) for line in item.candidate.lines)
    return not denied and bool(first.standing[1]) and first.standing == other.standing


def _equals(stated: Sequence[Scored], policy: ThinPolicy) -> list[Scored]:
    """Values that are behind by number alone: a line of theirs stands as high as the first one's best.

    Namesakes give such values ("the capital of Georgia"), and so do passages of which nothing is known but their words, and questions
    that several values answer. The prompt shows them all, because a count alone does not make them wrong.
    """
    if not stated or stated[0].candidate.score <= 0:
        return []
    floor = (1.0 - policy.contested_margin) * _standing_weight(stated[0])
    return [item for item in stated[1:] if item.candidate.score > 0 and _standing_weight(item) >= floor and not _is_denied(item)]


def _standing_weight(item: Scored) -> float:
    """Rank and age of the best counted line, whatever it says."""
    return max((line.reliability * line.recency for line in item.candidate.lines if line.contribution > 0), default=0.0)


def _is_denied(item: Scored) -> bool:
    return any(line.contribution < 0 for line in item.candidate.lines)


def _best_line(item: Scored) -> str:
    return next(line.passage_id for line in item.candidate.lines if line.stance is Stance.STATES)


def _support(leading: Sequence[Scored], beside: Sequence[Scored], unread: Sequence[str]) -> tuple[str, ...]:
    """Lines kept: of those that lead in turn, strongest first, the best of each value that stands beside them, what may answer too."""
    if not leading:
        return ()
    return tuple(dict.fromkeys((*in_turn([item.support for item in leading]), *(_best_line(item) for item in beside), *unread)))


def _unread(stated: Sequence[Scored], scorer: Scorer, active: Sequence[bool]) -> list[str]:
    """Running text that may answer, in words that nobody can name for sure, and stands as high as the first value's best line."""
    if not stated:
        return []
    floor = (1.0 - scorer.policy.contested_margin) * _standing_weight(stated[0])
    ids = scorer.statements.passage_ids
    return [ids[i] for i in sorted(scorer.statements.unread) if active[i] and scorer.standing(i) >= floor]


def in_turn(ranked: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The first of each list, then the second of each, ..., each id once."""
    longest = max(map(len, ranked), default=0)
    return tuple(dict.fromkeys(ids[place] for place in range(longest) for ids in ranked if place < len(ids)))
