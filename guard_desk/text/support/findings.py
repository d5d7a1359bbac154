"""Findings: made, merged where they overlap, sorted, counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from guard_desk.records.answer import Action, Counts, EvidenceSpan, Finding, Kind, Label, Severity
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import ValueKind

_MEDIUM = frozenset({Kind.VAGUE})
_LOW = frozenset({Kind.OUTSIDE_PROMPT})
_VALUE_KINDS = frozenset({Kind.DATE, Kind.TIME, Kind.NUMBER, Kind.UNIT, Kind.MONEY, Kind.PERCENT, Kind.ENTITY, Kind.IDENTIFIER})
# Where two findings overlap the earlier kind of this list stands: what is shown to be wrong before what is merely not found.
_PRECEDENCE = (
    Kind.INPUT_ERROR,
    Kind.CITATION,
    Kind.NEGATION,
    Kind.ROLE,
    Kind.CONFLICT,
    Kind.CLAIM,
    Kind.MONEY,
    Kind.PERCENT,
    Kind.UNIT,
    Kind.DATE,
    Kind.TIME,
    Kind.NUMBER,
    Kind.IDENTIFIER,
    Kind.ENTITY,
    Kind.VAGUE,
    Kind.OUTSIDE_PROMPT,
)
_RANK = {kind: rank for rank, kind in enumerate(_PRECEDENCE)}
# Findings are compared with those that touch the same stretch of the answer.
_BLOCK = 256
_LABEL_RANK = {
    Label.CONTRADICTED: 0,
    Label.MISATTRIBUTED: 1,
    Label.CONFLICT: 2,
    Label.UNSUPPORTED: 3,
    Label.VAGUE: 4,
    Label.OUTSIDE_PROMPT: 5,
}


def severity_of(kind: Kind) -> Severity:
    """The severity of a kind, as the contracts name it."""
    if kind in _LOW:
        return Severity.LOW
    return Severity.MEDIUM if kind in _MEDIUM else Severity.HIGH


def kind_of(value_kind: ValueKind) -> Kind:
    """The kind of finding that a wrong value of this kind gives."""
    return Kind(str(value_kind))


def finding(
    answer: str,
    span: Span,
    kind: Kind,
    label: Label,
    *,
    confidence: float,
    evidence: Sequence[EvidenceSpan] = (),
    note: str = "",
    by: str = "",
) -> Finding:
    """A finding whose text is cut from the answer by its span."""
    return Finding(
        start=span.start,
        end=span.end,
        text=span.of(answer),
        kind=kind,
        label=label,
        severity=severity_of(kind),
        confidence=round(min(1.0, max(0.0, confidence)), 3),
        evidence=tuple(evidence),
        note=note,
        by=by,
    )


def input_error(note: str) -> Finding:
    """A finding that says what was wrong with the input; it points at nothing."""
    return finding("", Span(0, 0), Kind.INPUT_ERROR, Label.UNSUPPORTED, confidence=1.0, note=note)


def merged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings sorted by position, of which no two of equal weight overlap.

    A shown contradiction inside an unsupported clause stays and replaces it; a value that is merely not found is
    part of the clause around it.
    """
    kept: list[Finding] = []
    near: dict[int, list[Finding]] = defaultdict(list)
    for candidate in sorted(findings, key=_weight):
        blocks = range(candidate.start // _BLOCK, max(candidate.end - 1, candidate.start) // _BLOCK + 1)
        if not any(_covers(stronger, candidate) for block in blocks for stronger in near.get(block, ())):
            kept.append(candidate)
            for block in blocks:
                near[block].append(candidate)
    return tuple(sorted(kept, key=_position))


def _weight(item: Finding) -> tuple[int, int, int, int, int, str]:
    shown_value = item.kind in _VALUE_KINDS and item.label is Label.CONTRADICTED
    return (
        0 if shown_value else 1,
        _LABEL_RANK[item.label] if item.kind is not Kind.CLAIM else 2,
        _RANK[item.kind],
        item.start - item.end,
        item.start,
        item.note,
    )


def _covers(stronger: Finding, weaker: Finding) -> bool:
    if stronger.start >= weaker.end or weaker.start >= stronger.end:
        return False
    # A vague phrase and the clause it introduces are two findings; so are a citation and the clause it closes.
    apart = {Kind.VAGUE, Kind.CITATION, Kind.OUTSIDE_PROMPT}
    return not ((stronger.kind in apart) != (weaker.kind in apart) and stronger.kind is not weaker.kind)


def _position(item: Finding) -> tuple[int, int, int, str]:
    return (item.start, item.end, _RANK[item.kind], item.note)


def counted(findings: Iterable[Finding]) -> Counts:
    """Findings by severity."""
    by_severity = [item.severity for item in findings]
    return Counts(high=by_severity.count(Severity.HIGH), medium=by_severity.count(Severity.MEDIUM), low=by_severity.count(Severity.LOW))


def action_of(counts: Counts) -> Action:
    """Review when any finding is high."""
    return Action.REVIEW if counts.high else Action.PROCEED
