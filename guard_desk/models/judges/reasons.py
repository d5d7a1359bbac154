"""Why the judge "features" answered as it did, in plain sentences with places in the passage and in the query."""

from __future__ import annotations

from collections.abc import Iterator

from guard_desk.models.judges.pair_features import PairReading
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.evidence import Question, Reason

MOST_CHECKS = 3
MOST_SPANS = 12
LEAST_STRENGTH = 0.25
_CHECK_NAMES = {
    "quantity": "quantity differs",
    "date": "date differs",
    "denial": "denied",
    "opposite": "opposite",
    "exclusive": "excluded",
    "entity": "another name",
    "order": "roles exchanged",
}


def reasons_of(pair: PairReading, passage: Passage) -> tuple[Reason, ...]:
    """The reasons of all four answers."""
    return (*_relevance(pair), *_evidence(pair), *_contradiction(pair), *_injection(pair, passage))


def _relevance(pair: PairReading) -> Iterator[Reason]:
    shared = pair.question.keys & pair.passage.keys
    places = tuple(place for sentence in pair.passage.sentences for key, place in sentence.order if key in shared)[:MOST_SPANS]
    yield Reason(
        question=Question.RELEVANT,
        rule="similarity",
        detail=f"Similarity {pair.similarity:.2f}; {len(shared)} of the question's {len(pair.question.keys)} content words occur.",
        spans=places,
    )
    if pair.verdict.other_scope:
        yield Reason(question=Question.RELEVANT, rule="other scope", detail="The passage names others than the question does.")


def _evidence(pair: PairReading) -> Iterator[Reason]:
    mark, asked = pair.mark, ", ".join(sorted(pair.question.asked - {"thing"})) or pair.question.form
    if mark.group and mark.found:
        yield Reason(
            question=Question.EVIDENCE,
            rule="states what is asked",
            detail=f"States something of the asked kind ({asked}).",
            spans=mark.spans[:MOST_SPANS],
        )
    elif mark.group:
        yield Reason(
            question=Question.EVIDENCE,
            rule="lacks what is asked",
            detail=f"Nothing of the asked kind ({asked}) is stated.",
            spans=mark.spans[:1],
        )
    elif mark.spans:
        yield Reason(
            question=Question.EVIDENCE,
            rule="closest sentence",
            detail="The sentence that is closest to the question.",
            spans=mark.spans[:1],
        )


def _contradiction(pair: PairReading) -> Iterator[Reason]:
    if not pair.premises:
        yield Reason(question=Question.CONTRADICTS, rule="no premise", detail="An open yes/no question takes nothing for granted.")
        return
    told: set[str] = set()
    for check in pair.verdict.found:
        if check.strength >= LEAST_STRENGTH and check.check not in told and len(told) < MOST_CHECKS:
            told.add(check.check)
            yield Reason(
                question=Question.CONTRADICTS,
                rule=_CHECK_NAMES[check.check],
                detail=check.detail,
                spans=check.spans[:MOST_SPANS],
                query_spans=check.query_spans,
            )
    if not told and pair.verdict.agreement >= 0.5:
        yield Reason(question=Question.CONTRADICTS, rule="agrees", detail="The passage restates what the question takes for granted.")


def _injection(pair: PairReading, passage: Passage) -> Iterator[Reason]:
    # The scan read title and text in one; places in the title cannot be shown.
    shift = len(passage.title) + 1 if passage.title else 0
    for finding in pair.injection.findings:
        if finding.score < LEAST_STRENGTH:
            continue
        span = Span(max(0, finding.span.start - shift), max(0, finding.span.end - shift))
        how = "" if finding.form == "plain" else f", written as {finding.form}"
        note = f" ({finding.note})" if finding.note else ""
        yield Reason(
            question=Question.INJECTION,
            rule=finding.rule,
            detail=f"The passage {finding.rule}{how}{note}.",
            spans=(span,) if span.end > span.start else (),
        )
