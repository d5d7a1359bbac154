"""What came out for one question of RAMDocs: what was kept, which answers were read, and at which step an answer was lost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guard_desk.measure.answers import same_answer, states
from guard_desk.measure.ramdocs_sets import Case, Document
from guard_desk.records.decision import Candidate, Place, Prompt, Stance, Thinned

_IN_PROMPT = (Place.EVIDENCE, Place.CONFLICT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One question after thinning.

    :param kept: ids of the documents that thinning leaves, or that stand in the prompt (also as a copy of one that does).
    :param gone: for those that are gone before thinning or after it, where they ended ("excluded:evidence"); empty without a run.
    """

    case: Case
    thinned: Thinned
    kept: frozenset[str]
    gone: tuple[tuple[str, str], ...] = ()

    @property
    def top(self) -> Candidate | None:
        """The strongest candidate, clear winner or not."""
        return max(self.thinned.candidates, key=lambda candidate: candidate.score, default=None)

    def stating(self, document: Document) -> tuple[Candidate, ...]:
        """The candidates that a document states."""
        return tuple(candidate for candidate in self.thinned.candidates if document.id in stated_by(candidate))

    def read(self, answer: str) -> bool:
        """Whether a document that gives the answer states a candidate that is it."""
        return any(near(candidate.value, answer) for document in self.case.of_answer(answer) for candidate in self.stating(document))

    def is_kept(self, answer: str) -> bool:
        """Whether a document that gives the answer is kept."""
        return any(document.id in self.kept for document in self.case.of_answer(answer))


def of_thinned(case: Case, thinned: Thinned) -> Seen:
    """What thinning leaves; the rivals' lines are among it. Without a leader and rivals it takes nothing away."""
    gone = {drop.passage_id for drop in thinned.dropped}
    return Seen(case=case, thinned=thinned, kept=frozenset(document.id for document in case.documents if document.id not in gone))


def of_run(case: Case, thinned: Thinned, prompt: Prompt) -> Seen:
    """What stands in the prompt of a run."""
    inside = {place.passage_id for place in prompt.places if place.place in _IN_PROMPT}
    merged = {place.passage_id for place in prompt.places if place.place is Place.MERGED and place.into in inside}
    gone = tuple((place.passage_id, place.name) for place in prompt.places if place.passage_id not in inside | merged)
    return Seen(case=case, thinned=thinned, kept=frozenset(inside | merged), gone=gone)


def stated_by(candidate: Candidate) -> frozenset[str]:
    """The documents that state a candidate."""
    return frozenset(line.passage_id for line in candidate.lines if line.stance is Stance.STATES)


def near(value: str, answer: str) -> bool:
    """Whether a candidate is the answer, or one of the two holds the other ("Boston", "Boston, Massachusetts")."""
    return same_answer(value, answer) or states(value, answer) or states(answer, value)


class Cause(StrEnum):
    """At which step the documents of an answer were lost; the furthest that any of them came."""

    NOT_UNDERSTOOD = "no document gave a candidate: the question was not understood"
    ROUTED = "excluded before thinning"
    NO_CANDIDATE = "no candidate in its documents, though others gave some"
    OTHER_SPAN = "another value was read in its documents"
    DENIED = "its value was read as denied"
    MERGED = "joined with another value"
    NOT_LEADING = "read, but another value leads"
    CAPPED = "read and leading, but its lines were capped or over the most lines kept"
    OTHER = "in the prompt no more: merged, over k or over the budget"


_ORDER = tuple(Cause)


def lost_at(seen: Seen, answer: str) -> Cause:
    """Why no document of an answer was kept."""
    cause = max((_document_lost(seen, document) for document in seen.case.of_answer(answer)), key=_ORDER.index)
    return Cause.NOT_UNDERSTOOD if cause is Cause.NO_CANDIDATE and not seen.thinned.candidates else cause


def _document_lost(seen: Seen, document: Document) -> Cause:
    ended = dict(seen.gone).get(document.id, "")
    if ended.startswith((Place.EXCLUDED, Place.NOT_JUDGED)):
        return Cause.ROUTED
    if ended and ended != Place.CAPPED:
        return Cause.OTHER
    reading = read_as(seen, document)
    if reading is not None:
        return reading
    own = next(candidate for candidate in seen.stating(document) if near(candidate.value, document.answer))
    leading = own.value == seen.thinned.leader or bool(stated_by(own) & {*seen.thinned.rivals, *seen.thinned.support})
    return Cause.CAPPED if leading else Cause.NOT_LEADING


def read_as(seen: Seen, document: Document) -> Cause | None:
    """What went wrong in reading a document; None when its answer is a candidate of its own."""
    candidates = seen.stating(document)
    if not candidates:
        denied = any(line.passage_id == document.id for candidate in seen.thinned.candidates for line in candidate.lines)
        return Cause.DENIED if denied else Cause.NO_CANDIDATE
    own = [candidate for candidate in candidates if near(candidate.value, document.answer)]
    if own:
        return None
    return Cause.MERGED if any(_given_by_others(seen, document, candidate) for candidate in candidates) else Cause.OTHER_SPAN


def _given_by_others(seen: Seen, document: Document, candidate: Candidate) -> bool:
    """Whether a candidate is another answer of the question, given by documents of that answer too."""
    return any(
        near(candidate.value, answer) and any(other.id in stated_by(candidate) for other in seen.case.of_answer(answer))
        for answer in seen.case.answers
        if not same_answer(answer, document.answer)
    )


class Miss(StrEnum):
    """Why differing answers were not shown as a conflict."""

    NOT_UNDERSTOOD = "no document gave a candidate"
    NONE_READ = "none of the answers was read"
    ONE_READ = "only one of the answers was read"
    MERGED = "two answers were read as one value"
    NO_CLASH = "two answers were read, and taken for compatible"


def not_shown(seen: Seen) -> Miss:
    """Why a question whose documents differ has no conflict."""
    if not seen.thinned.candidates:
        return Miss.NOT_UNDERSTOOD
    read = [answer for answer in seen.case.answers if seen.read(answer)]
    if len(read) > 1:
        return Miss.NO_CLASH
    joined = any(read_as(seen, document) is Cause.MERGED for answer in seen.case.answers for document in seen.case.of_answer(answer))
    if joined:
        return Miss.MERGED
    return Miss.ONE_READ if read else Miss.NONE_READ


class Alarm(StrEnum):
    """Why documents that agree were shown as a conflict."""

    NOISE = "a noise document gave another value"
    OWN = "a document that gives the answer gave another value too, or instead"
    WORDS = "the answer in other words was taken for another value"
    DENIED = "a line was read as denying the answer"


def alarmed(seen: Seen) -> Alarm:
    """Why a question whose documents agree has a conflict."""
    answer = seen.case.answers[0] if seen.case.answers else ""
    strange = [candidate for candidate in seen.thinned.candidates if not near(candidate.value, answer)]
    noise = {document.id for document in seen.case.of_type("noise")}
    if not strange:
        same = len([candidate for candidate in seen.thinned.candidates if stated_by(candidate)])
        return Alarm.WORDS if same > 1 else Alarm.DENIED
    return Alarm.OWN if any(stated_by(candidate) - noise for candidate in strange) else Alarm.NOISE
