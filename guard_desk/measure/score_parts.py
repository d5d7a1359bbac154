"""What each candidate's score is made of, line by line, as a picture or a table can show it."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.records.decision import Candidate, LineScore
from guard_desk.records.trace import Trace
from guard_desk.text.thinning.sources import kind_of

_CAPS = {
    "source": "its source has counted already",
    "domain": "its site has counted already",
    "voice": "another line says it in the same words",
    "unknown tag": "its kind of source is not known",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One line of a candidate.

    :param kind: kind of its source, a field of `policy.Reliability`.
    :param candidate: the candidate's canonical form.
    """

    line: LineScore
    kind: str
    candidate: str
    value: str

    @property
    def why_capped(self) -> str:
        """Why it adds nothing, in words; "" when it counts."""
        return _CAPS.get(self.line.capped, self.line.capped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A candidate with its parts.

    :param added: lines that add, the most first; `taken`: lines that take away; `capped`: lines that do neither.
    :param leads: it is the clear winner.
    :param rival: one of its lines stands in the conflicting block because no winner is clear.
    """

    candidate: Candidate
    added: tuple[Part, ...]
    taken: tuple[Part, ...]
    capped: tuple[Part, ...]
    leads: bool
    rival: bool

    @property
    def lines(self) -> tuple[Part, ...]:
        """All lines: those that add, those that take, those that are capped."""
        return (*self.added, *self.taken, *self.capped)

    @property
    def gain(self) -> float:
        """Sum of what is added."""
        return sum(part.line.contribution for part in self.added)

    @property
    def loss(self) -> float:
        """Sum of what is taken, as a positive number."""
        return -sum(part.line.contribution for part in self.taken)


def score_parts(trace: Trace) -> tuple[Parts, ...]:
    """The candidates of a run with their parts, best first."""
    kinds = {passage.id: kind_of(passage.source_type)[0] for passage in trace.retrieved.passages}
    thinned = trace.thinned
    rivals = frozenset(thinned.rivals)
    return tuple(
        _parts(candidate, kinds, rivals, leads=number == 0 and thinned.leader == candidate.value)
        for number, candidate in enumerate(thinned.candidates)
    )


def _parts(candidate: Candidate, kinds: dict[str, str], rivals: frozenset[str], *, leads: bool) -> Parts:
    parts = [
        Part(line=line, kind=kinds.get(line.passage_id, "unknown"), candidate=candidate.canonical, value=candidate.value)
        for line in candidate.lines
    ]
    added = sorted((part for part in parts if part.line.contribution > 0), key=lambda part: -part.line.contribution)
    return Parts(
        candidate=candidate,
        added=tuple(added),
        taken=tuple(part for part in parts if part.line.contribution < 0),
        capped=tuple(part for part in parts if part.line.contribution == 0),
        leads=leads,
        rival=any(part.line.passage_id in rivals for part in added),
    )
