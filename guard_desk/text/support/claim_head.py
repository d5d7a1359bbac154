"""A claim judge beside the rules: what it says of the sentences of an answer, and what both together make of them.

Cost: at most `WINDOWS` pairs of a sentence and a part of a passage for each sentence, all of an answer in one call. Each sentence is read
for itself, so that no other sentence and no other passage changes what comes of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from guard_desk.progress import RunContext
from guard_desk.protocols import ClaimJudge
from guard_desk.records.answer import ClaimState, Kind
from guard_desk.text.support import notes
from guard_desk.text.support.claim_numbers import ClaimNumbers, highest, log_odds
from guard_desk.text.support.claim_states import Statement, carried_by_rules, cleared, has_shown, reported
from guard_desk.text.support.claim_windows import ClaimWindow, nearest_windows
from guard_desk.text.support.pool import Pool

WINDOWS = 3
# A part that shares less of the claim is about something else: without this, filler that happens to share a word would count as support.
LEAST_SHARED = 0.34
# Shorter ones are headings, replies and bare values; the judge was trained on sentences.
_FEWEST_STEMS = 2
_SHORTEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReading:
    """What a claim judge says of one sentence.

    :param support: the highest probability of support of all parts, and `supporting` the part.
    :param contradict: the highest probability of contradiction, and `contradicting` the part.
    """

    support: float
    contradict: float
    supporting: ClaimWindow
    contradicting: ClaimWindow


class ClaimHead:
    """Reads the sentences of one answer and settles them.

    :param text: the answer as it was given.
    """

    def __init__(self, judge: ClaimJudge, numbers: ClaimNumbers, pool: Pool, text: str) -> None:
        self._judge = judge
        self._numbers = numbers
        self._pool = pool
        self._text = text

    def settled(self, statements: Sequence[Statement], ctx: RunContext) -> list[Statement]:
        """The statements with what the judge adds, takes away, or leaves open.

        :raises Cancelled: between passes through the model.
        """
        readings = read_claims(self._judge, self._pool, statements, ctx)
        return [
            statement if reading is None else self._settle(statement, reading)
            for statement, reading in zip(statements, readings, strict=True)
        ]

    def _settle(self, statement: Statement, reading: ClaimReading) -> Statement:
        numbers, name = self._numbers, self._judge.info.name
        unsupported = numbers.probability(claim_values(statement, reading))
        if has_shown(statement):
            # The sentence around what a rule has shown is marked only where nothing of it is in the passages.
            kept = [item for item in statement.findings if item.kind is not Kind.CLAIM or unsupported >= numbers.report]
            return replace(statement, findings=tuple(kept))
        if carried_by_rules(statement):
            return self._contradicted(statement, reading) if reading.contradict >= numbers.overrule else statement
        if unsupported >= numbers.report:
            if reading.contradict >= max(numbers.contradicted, reading.support):
                return self._contradicted(statement, reading)
            return self._unsupported(statement, unsupported)
        if unsupported <= numbers.accept:
            evidence = [self._pool.evidence(reading.supporting.place)]
            return cleared(statement, ClaimState.SUPPORTED, 1 - unsupported, evidence=evidence, by=name)
        return cleared(statement, ClaimState.NOT_CHECKED, 1 - unsupported, by=name)

    def _contradicted(self, statement: Statement, reading: ClaimReading) -> Statement:
        evidence = self._pool.evidence(reading.contradicting.place)
        note = notes.otherwise(evidence.passage_id, evidence.text)
        return reported(
            statement, self._text, ClaimState.CONTRADICTED, reading.contradict, note, evidence=[evidence], by=self._judge.info.name
        )

    def _unsupported(self, statement: Statement, unsupported: float) -> Statement:
        """The clauses that the rules found nothing of, where there are some, else the whole sentence."""
        name = self._judge.info.name
        if not statement.findings:
            note = "the passages do not seem to say this"
            return reported(statement, self._text, ClaimState.UNSUPPORTED, unsupported, note, by=name)
        confidence = round(unsupported, 3)
        claim = replace(statement.claim, state=ClaimState.UNSUPPORTED, confidence=confidence, by=name)
        return replace(statement, findings=tuple(replace(item, confidence=confidence, by=name) for item in statement.findings), claim=claim)


def read_claims(judge: ClaimJudge, pool: Pool, statements: Sequence[Statement], ctx: RunContext) -> list[ClaimReading | None]:
    """What a judge says of the statements, in one call; None for those that it was not asked about or does not read."""
    windows = [_windows(pool, statement) for statement in statements]
    texts = [" ".join(statement.claim.text.split()) for statement in statements]
    claims = [text for text, shown in zip(texts, windows, strict=True) for _ in shown]
    parts = [window.text for shown in windows for window in shown]
    stances = judge.stances(claims, parts, ctx) if claims else ()
    readings: list[ClaimReading | None] = []
    place = 0
    for shown in windows:
        support = [float(row[0]) for row in stances[place : place + len(shown)]]
        contradict = [float(row[1]) for row in stances[place : place + len(shown)]]
        place += len(shown)
        readings.append(_reading(shown, support, contradict))
    return readings


def _windows(pool: Pool, statement: Statement) -> tuple[ClaimWindow, ...]:
    unit = statement.unit
    if statement.cover is None or len(unit.bare) < _FEWEST_STEMS or len(statement.claim.text) < _SHORTEST:
        return ()
    return nearest_windows(pool, unit.bare, statement.aligned, WINDOWS, least=LEAST_SHARED)


def _reading(windows: Sequence[ClaimWindow], support: Sequence[float], contradict: Sequence[float]) -> ClaimReading | None:
    # A judge that does not read a script is exactly neutral.
    if not windows or not (any(support) or any(contradict)):
        return None
    best, worst = highest(support), highest(contradict)
    return ClaimReading(support=support[best], contradict=contradict[worst], supporting=windows[best], contradicting=windows[worst])


def claim_values(statement: Statement, reading: ClaimReading) -> Mapping[str, float]:
    """What the regression is fed, by name. Read by the product and by the script that fits it."""
    cover = statement.cover
    assert cover is not None
    return {
        "support": log_odds(reading.support),
        "contradict": log_odds(reading.contradict),
        "missing": 1.0 - cover.share,
        "unknown": min(8.0, float(len(cover.unknown))),
        "apart": 1.0 - (statement.aligned[0].score if statement.aligned else 0.0),
        "invented": float(any(item.kind is Kind.CLAIM for item in statement.findings)),
        "found_values": float(min(3, statement.known_values)),
        "open_values": float(min(3, sum(item.kind is not Kind.CLAIM for item in statement.findings))),
    }
