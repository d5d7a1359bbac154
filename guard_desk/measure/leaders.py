"""What leads among the candidate values, in words: of a question of several parts, what leads in each."""

from __future__ import annotations

from guard_desk.records.decision import Part, Thinned
from guard_desk.records.trace import Trace

_LONGEST = 40


def leader_words(trace: Trace) -> str:
    """One phrase, or one for each part of the question, as "leader 30 days (clear)"; not made safe for a terminal."""
    thinned = trace.thinned
    if len(thinned.parts) > 1:
        asked = trace.query.text
        return "; ".join(f"“{_cut(part.span.of(asked))}”: {_of_part(thinned, at, part)}" for at, part in enumerate(thinned.parts))
    return _lead(thinned.leader, contested=thinned.contested)


def _of_part(thinned: Thinned, at: int, part: Part) -> str:
    return _lead(part.leader, contested=part.contested) if thinned.of_part(at) else "no line answers it"


def _lead(leader: str | None, *, contested: bool) -> str:
    """A value may lead and be contested: sources of equal standing disagree with it."""
    if leader is None:
        return "no clear leader (contested)" if contested else "no leader"
    return f"leader {_cut(leader)} ({'contested' if contested else 'clear'})"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
