"""What checking one sentence gave, summed up as the state of a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from guard_desk.records.answer import Claim, ClaimState, EvidenceSpan, Finding, Kind, Label, Support
from guard_desk.records.corpus import Span
from guard_desk.text.support.claims import Cover, cover
from guard_desk.text.support.findings import finding
from guard_desk.text.support.polarity import opposes
from guard_desk.text.support.pool import Aligned, Place, Pool
from guard_desk.text.support.views import Unit, View

MOST_SUPPORT = 12
_CARRIES = 0.4
_ALIGNED = 0.8
_AS_WELL = 0.1


@dataclass(slots=True)
class Checked:
    """What checking one sentence gave so far; filled step by step by `statements`."""

    findings: list[Finding] = field(default_factory=list)
    supports: list[Support] = field(default_factory=list)
    wrong: bool = False
    known_values: int = 0
    open_values: set[Span] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence of an answer, as the rules see it.

    :param aligned: sentences of the pool that share words with it, the best first.
    :param cover: what the passages have of its words; None where there was nothing to compare (a refusal).
    :param known_values: how many of its values passages or question have, each at its own attribute.
    """

    unit: Unit
    claim: Claim
    findings: tuple[Finding, ...] = ()
    supports: tuple[Support, ...] = ()
    aligned: tuple[Aligned, ...] = ()
    cover: Cover | None = None
    known_values: int = 0


class Summary:
    """Sums up the sentences of one answer."""

    def __init__(self, pool: Pool, text: str, answer: View) -> None:
        self._pool = pool
        self._text = text
        self._answer = answer

    def statement(self, unit: Unit, span: Span, aligned: Sequence[Aligned], checked: Checked) -> Statement:
        """The statement with its state."""
        found = cover(self._answer, unit.stems, aligned, self._pool, frozenset())
        return Statement(
            unit=unit,
            claim=self._state(unit, span, aligned, checked, found),
            findings=tuple(checked.findings),
            supports=tuple(checked.supports),
            aligned=tuple(aligned),
            cover=found,
            known_values=checked.known_values,
        )

    def unchecked(self, unit: Unit, span: Span) -> Statement:
        """A sentence that states nothing of the passages."""
        return Statement(unit=unit, claim=self._claim(span, ClaimState.NOT_CHECKED, 1.0, []))

    def _state(self, unit: Unit, span: Span, aligned: Sequence[Aligned], checked: Checked, found: Cover) -> Claim:
        if checked.wrong:
            shown = [evidence for item in checked.findings for evidence in item.evidence]
            return self._claim(span, ClaimState.CONTRADICTED, max(item.confidence for item in checked.findings), shown)
        if not unit.stems and not unit.values:
            return self._claim(span, ClaimState.NOT_CHECKED, 1.0, [])
        agreeing = [item for item in aligned if not opposes(self._answer, unit, span, item.place)]
        evidence = self._carriers(agreeing) + [item for support in checked.supports for item in support.evidence]
        if any(item.kind is not Kind.CONFLICT for item in checked.findings):
            return self._claim(span, ClaimState.UNSUPPORTED, max(item.confidence for item in checked.findings), evidence)
        state = ClaimState.SUPPORTED if found.share >= 0.5 or checked.known_values else ClaimState.NOT_CHECKED
        return self._claim(span, state, found.share, evidence)

    def _carriers(self, aligned: Sequence[Aligned]) -> list[EvidenceSpan]:
        """The best sentence of each passage that carries a sentence of the answer about as well as the best one."""
        if not aligned or aligned[0].score < _CARRIES:
            return []
        best: dict[int, Place] = {}
        for item in aligned:
            if item.score >= aligned[0].score - _AS_WELL:
                best.setdefault(item.place.passage, item.place)
        return [self._pool.evidence(place) for place in best.values()][:MOST_SUPPORT]

    def _claim(self, span: Span, state: ClaimState, confidence: float, evidence: Sequence[EvidenceSpan]) -> Claim:
        return Claim(
            start=span.start,
            end=span.end,
            text=span.of(self._text),
            state=state,
            confidence=round(min(1.0, max(0.0, confidence)), 3),
            evidence=tuple(dict.fromkeys(evidence)),
        )


def carried_by_rules(statement: Statement) -> bool:
    """Whether the rules find all of a sentence in the passages: its values, names and words, most of them in one sentence."""
    found = statement.cover
    if found is None or statement.findings or found.unknown:
        return False
    return bool(statement.aligned) and statement.aligned[0].score >= _ALIGNED


def has_shown(statement: Statement) -> bool:
    """Whether the rules have shown something wrong that is more than a lack of words in common."""
    return any(item.kind is not Kind.CLAIM for item in statement.findings)


def reported(
    statement: Statement, text: str, state: ClaimState, confidence: float, note: str, *, evidence: Sequence[EvidenceSpan] = (), by: str
) -> Statement:
    """The statement as a finding of a model, over the whole sentence.

    :param text: the answer.
    :param state: contradicted or unsupported.
    """
    label = Label.CONTRADICTED if state is ClaimState.CONTRADICTED else Label.UNSUPPORTED
    span = Span(statement.claim.start, statement.claim.end)
    made = finding(text, span, Kind.CLAIM, label, confidence=confidence, evidence=evidence, note=note, by=by)
    shown = tuple(evidence) or statement.claim.evidence
    claim = replace(statement.claim, state=state, confidence=made.confidence, evidence=shown, by=by)
    return replace(statement, findings=(made,), claim=claim)


def cleared(statement: Statement, state: ClaimState, confidence: float, *, evidence: Sequence[EvidenceSpan] = (), by: str) -> Statement:
    """The statement without findings: what the rules missed in the passages a model has found there, or leaves open."""
    shown = tuple(dict.fromkeys((*statement.claim.evidence, *evidence)))
    claim = replace(statement.claim, state=state, confidence=round(confidence, 3), evidence=shown, by=by)
    return replace(statement, findings=(), claim=claim)
