"""The models that read an answer beside the rules, one after the other: what each adds, and what it is said to have done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from guard_desk.progress import RunContext
from guard_desk.protocols import Readers, SpanDetector
from guard_desk.records.answer import Claim, ClaimState, Finding, Kind, Label
from guard_desk.records.corpus import Query, Span
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.judging import Spent
from guard_desk.text.support.claim_head import ClaimHead
from guard_desk.text.support.claim_numbers import claim_numbers
from guard_desk.text.support.claim_pass import ClaimPass
from guard_desk.text.support.claim_states import Statement
from guard_desk.text.support.findings import finding
from guard_desk.text.support.pool import Pool
from guard_desk.text.support.regions import Regions, inside, trimmed

_NO_NUMBERS = "Not used: nothing was fitted for these weights (packaging/judge/fit_verify.py); the rules stand alone."


def read_statements(
    readers: Readers, pool: Pool, query: Query, answer: str, statements: Sequence[Statement], ctx: RunContext
) -> tuple[list[Statement], tuple[ModelInfo, ...], Spent | None]:
    """The statements after claim judge and language model, which models took part, and what the language model took.

    :raises Cancelled: between passes.
    """
    settled, models = list(statements), []
    spent: Spent | None = None
    judge = readers.claim_judge
    if judge is not None:
        numbers = claim_numbers()
        if numbers is None or numbers.weights != judge.info.weights:
            models.append(replace(judge.info, detail=_NO_NUMBERS))
        else:
            settled = ClaimHead(judge, numbers, pool, answer).settled(settled, ctx)
            models.append(judge.info)
    if readers.claim_model is not None:
        settled, passed = ClaimPass(readers.claim_model, pool, query.text, answer).settled(settled, ctx)
        models.append(passed.model)
        spent = passed.spent
    return settled, tuple(models), spent


def detected(
    detector: SpanDetector, pool: Pool, query: Query, answer: str, regions: Regions, findings: Sequence[Finding], ctx: RunContext
) -> list[Finding]:
    """What a detector marks beyond the findings that are there; words inside code and marks of form are left out.

    :raises Cancelled: between two inputs.
    :raises ModelError: when it fails.
    """
    known = [Span(item.start, item.end) for item in findings if item.kind is not Kind.VAGUE]
    made = []
    for span, confidence in detector.detect(query, pool.passages, answer, ctx):
        for piece in _without(span, known):
            words = trimmed(answer, piece)
            if words.start < words.end and any(map(str.isalnum, words.of(answer))) and not inside(words, regions.code):
                name = detector.info.name
                note = f"{name} marks these words as not supported"
                made.append(finding(answer, words, Kind.CLAIM, Label.UNSUPPORTED, confidence=confidence, note=note, by=name))
    return made


def marked(claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Claim]:
    """The claims; those that a detector's finding touches are unsupported."""
    return [_marked(claim, [item for item in findings if item.start < claim.end and claim.start < item.end]) for claim in claims]


def _marked(claim: Claim, findings: Sequence[Finding]) -> Claim:
    if not findings or claim.state in (ClaimState.CONTRADICTED, ClaimState.UNSUPPORTED):
        return claim
    surest = max(findings, key=lambda item: item.confidence)
    return replace(claim, state=ClaimState.UNSUPPORTED, confidence=surest.confidence, by=surest.by)


def _without(span: Span, others: Sequence[Span]) -> list[Span]:
    """What is left of a span between others."""
    borders = [
        (span.start, span.start),
        *sorted((other.start, other.end) for other in others if other.overlaps(span)),
        (span.end, span.end),
    ]
    left = [Span(max(before[1], span.start), min(after[0], span.end)) for before, after in pairwise(borders)]
    return [piece for piece in left if piece.start < piece.end]
