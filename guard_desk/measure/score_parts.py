"""What each candidate's score is made of, line by line, as a picture or a table can show it."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.records.corpus import Passage
from guard_desk.records.decision import ROUTES, Candidate, LineScore, Route
from guard_desk.records.trace import Trace
from guard_desk.text.thinning.sources import kind_of

_CAPS = {
    "source": "its source has counted already",
    "domain": "its site has counted already",
    "voice": "another line says it in the same words",
    "unknown tag": "its kind of source is not known",
}

ADVICE = "Lower the evidence threshold, look at the passages that were left out, or ask in other words."
_AROUND = 40
"""Letters of a passage that are quoted on each side of a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One line of a candidate.

    :param kind: kind of its source, a field of `policy.Reliability`.
    :param candidate: the candidate's canonical form.
    :param asked: position of the part of the question that it answers.
    :param quote: the value in the passage with what stands around it, "kept for ‹7 days› on"; "" for one of its metadata.
    """

    line: LineScore
    kind: str
    candidate: str
    value: str
    asked: int = 0
    quote: str = ""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One thing that the question asks, with the values that answer it, best first.

    :param words: its words in the question.
    :param leader: the clear winner; None when there is none.
    :param contested: no winner is clear though there are values.
    :param conflict: two lines give values that cannot both be right, or one denies another.
    """

    words: str
    leader: str | None
    contested: bool
    conflict: bool
    candidates: tuple[Parts, ...]


def asked_parts(trace: Trace) -> tuple[Asked, ...]:
    """What the question asks, in its order, at least one: each with its candidates; empty where no line answers it."""
    thinned, question = trace.thinned, trace.query.text
    found = score_parts(trace)
    if not thinned.parts:
        return (Asked(words=question, leader=thinned.leader, contested=thinned.contested, conflict=thinned.conflict, candidates=found),)
    return tuple(
        Asked(
            words=part.span.of(question).strip(),
            leader=part.leader,
            contested=part.contested,
            conflict=part.conflict,
            candidates=tuple(parts for parts in found if parts.candidate.part == at),
        )
        for at, part in enumerate(thinned.parts)
    )


def score_parts(trace: Trace) -> tuple[Parts, ...]:
    """The candidates of a run with their parts: by part of the question, within one best first."""
    passages = {passage.id: passage for passage in trace.retrieved.passages}
    thinned = trace.thinned
    rivals = frozenset(thinned.rivals)
    leaders = {at: part.leader for at, part in enumerate(thinned.parts)} or {0: thinned.leader}
    led: set[int] = set()
    made = []
    for candidate in thinned.candidates:
        leads = candidate.part not in led and leaders.get(candidate.part) == candidate.value
        led.add(candidate.part)
        made.append(_parts(candidate, passages, rivals, leads=leads))
    return tuple(made)


def _parts(candidate: Candidate, passages: dict[str, Passage], rivals: frozenset[str], *, leads: bool) -> Parts:
    parts = [_part(line, candidate, passages.get(line.passage_id)) for line in candidate.lines]
    added = sorted((part for part in parts if part.line.contribution > 0), key=lambda part: -part.line.contribution)
    return Parts(
        candidate=candidate,
        added=tuple(added),
        taken=tuple(part for part in parts if part.line.contribution < 0),
        capped=tuple(part for part in parts if part.line.contribution == 0),
        leads=leads,
        rival=any(part.line.passage_id in rivals for part in added),
    )


def _part(line: LineScore, candidate: Candidate, passage: Passage | None) -> Part:
    return Part(
        line=line,
        kind=kind_of(passage.source_type)[0] if passage is not None else "unknown",
        candidate=candidate.canonical,
        value=candidate.value,
        asked=candidate.part,
        quote=_quote(line, passage.text) if passage is not None else "",
    )


def _quote(line: LineScore, text: str) -> str:
    """The words of the line with their surroundings, in one line."""
    if line.span is None or not line.span.of(text):
        return ""
    start, end = line.span.start, line.span.end
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    lead, tail = "…" if start > _AROUND else "", "…" if end + _AROUND < len(text) else ""
    return " ".join(f"{lead}{before}‹{line.span.of(text)}›{after}{tail}".split())


def unanswered(trace: Trace) -> tuple[str, str]:
    """Why there is no candidate, and what can be done: a title and a sentence."""
    if not (trace.routed.routes != ROUTES.index(Route.EXCLUDE)).any():
        return (
            "No passage was taken in",
            "Every passage of the pool was left out or not judged, so no line can answer. Lower a threshold of the rule board, or look at "
            "what was left out in the passages table.",
        )
    return "No line answers this question", f"The passages that were taken in give no value for what is asked. {ADVICE}"
