"""How the network's heads, the encoder's cosine and the symbolic checks vote on the four questions.

Each question has a small regression over named votes; the same functions give the votes to the fit and to the product. Two things are not
left to the regressions: a premise check that finds something, and an order that the scanner is sure of, may carry an answer alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from guard_desk.models.judges.calibration import Calibration
from guard_desk.models.judges.pair_features import (
    CONTRADICTION,
    PairReading,
    contradiction_features,
    evidence_features,
    relevance_features,
)
from guard_desk.models.judges.pair_reader import HeadReading
from guard_desk.models.judges.weights import FeatureWeights
from guard_desk.records.evidence import Answers

# Change it when the same readings would give other answers.
VERSION = "2"

RELEVANT_VOTES = ("cosine", "cover", "name_cover", "other_scope", "head")
EVIDENCE_VOTES = ("cosine", "rules", "missing", "head")
CONTRADICTS_VOTES = (*CONTRADICTION, "no_premise", "head")
INJECTION_VOTES = ("scanner", "strong", "damped", "head")
HEAD_VOTES = ("head",)
RULES_VOTES = ("rules",)

LEAST_CHECK = 0.25
# Checks that are right in four of five dev rows where they are this sure: they may carry the answer against the head.
CERTAIN_CHECKS = ("quantity", "date", "opposite", "denial")
CERTAIN_CHECK = 0.8
STRONG_SCAN = 0.5
_LIMIT = 6.0
_NO_PREMISE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """A pair as the rules and as the network read it."""

    pair: PairReading
    heads: HeadReading


def language_of(readings: Readings) -> str:
    """Which calibration of relevance and evidence fits: "en", "latin", or "" where the network cannot read the texts."""
    if readings.heads.relevant is None:
        return ""
    return "en" if readings.pair.question.language == "en" else "latin"


def relevant_votes(readings: Readings) -> tuple[float, ...]:
    """Values of `RELEVANT_VOTES`."""
    similarity, cover, name_cover, _, _, other_scope = relevance_features(readings.pair)
    return (similarity, cover, name_cover, other_scope, _head(readings, "relevant"))


def evidence_votes(readings: Readings, weights: FeatureWeights) -> tuple[float, ...]:
    """Values of `EVIDENCE_VOTES`; "rules" is the logit of the judge "features", "missing" whether nothing of the asked kind is stated."""
    mark = readings.pair.mark
    rules = weights.evidence[readings.pair.script].probability(evidence_features(readings.pair))
    missing = float(mark.group in ("amount", "name", "way") and mark.found == 0.0)
    return (readings.pair.similarity, logit(rules), missing, _head(readings, "evidence"))


def contradicts_votes(readings: Readings) -> tuple[float, ...]:
    """Values of `CONTRADICTS_VOTES`."""
    return (*contradiction_features(readings.pair), float(not readings.pair.premises), _head(readings, "contradicts"))


def injection_votes(readings: Readings) -> tuple[float, ...]:
    """Values of `INJECTION_VOTES`; "damped": all that the scanner finds is quoted, described, a log line or spoken to people."""
    findings = readings.pair.injection.findings
    score = readings.pair.injection.score
    damped = float(bool(findings) and all(finding.note for finding in findings))
    return (score, float(score >= STRONG_SCAN), damped, _head(readings, "injection"))


def certain_injection(pair: PairReading) -> float:
    """The best score of what is written so that people do not see it; 0 without any."""
    hidden = (finding.score for finding in pair.injection.findings if finding.form != "plain" and not finding.note)
    return max((score for score in hidden if score >= STRONG_SCAN), default=0.0)


def rules_contradict(pair: PairReading, weights: FeatureWeights) -> float:
    """What the judge "features" says of the premise, before it looks at relevance."""
    return weights.contradiction.probability(contradiction_features(pair)) if pair.premises else _NO_PREMISE


def check_found(pair: PairReading) -> bool:
    """Whether a premise check found something worth telling."""
    return any(check.strength >= LEAST_CHECK for check in pair.verdict.found)


def check_is_certain(pair: PairReading) -> bool:
    """Whether a premise check is so sure that it may carry the answer alone: not where the passage speaks of something else."""
    return not pair.verdict.other_scope and any(pair.verdict.strength(check) >= CERTAIN_CHECK for check in CERTAIN_CHECKS)


def answers_of(readings: Readings, numbers: Calibration, weights: FeatureWeights) -> Answers:
    """The four answers, rounded to four digits."""
    relevant = _relevant(readings, numbers, weights)
    return Answers(
        relevant=round(relevant, 4),
        evidence=round(_evidence(readings, numbers, weights, relevant), 4),
        contradicts=round(contradiction(readings, numbers, weights), 4),
        injection=round(injection(readings, numbers, weights), 4),
    )


def _relevant(readings: Readings, numbers: Calibration, weights: FeatureWeights) -> float:
    language = language_of(readings)
    if not language:
        alone = weights.relevance[readings.pair.script].probability(relevance_features(readings.pair))
        return moved(alone, weights.thresholds.relevant_min, numbers.thresholds.relevant_min)
    return numbers.relevant[language].probability(relevant_votes(readings))


def _evidence(readings: Readings, numbers: Calibration, weights: FeatureWeights, relevant: float) -> float:
    """Below half the threshold of relevance, a passage states nothing of the subject."""
    language = language_of(readings)
    if language:
        found = numbers.evidence[language].probability(evidence_votes(readings, weights))
    else:
        alone = weights.evidence[readings.pair.script].probability(evidence_features(readings.pair))
        found = moved(alone, weights.thresholds.evidence_min, numbers.thresholds.evidence_min)
    return found * min(1.0, relevant / (numbers.thresholds.relevant_min / 2))


def contradiction(readings: Readings, numbers: Calibration, weights: FeatureWeights) -> float:
    """All votes together; at least what certain checks say alone, and where none found anything at most what the head says alone."""
    pair, head = readings.pair, _head(readings, "contradicts")
    rules = rules_contradict(pair, weights)
    if readings.heads.contradicts is None:
        gate = weights.relevance[pair.script].probability(relevance_features(pair)) / weights.gate
        return moved(rules * min(1.0, gate), weights.thresholds.contradicts_min, numbers.thresholds.contradicts_min)
    together = numbers.contradicts.probability(contradicts_votes(readings))
    if not check_found(pair):
        return min(together, numbers.contradicts_head.probability((head,)))
    alone = numbers.contradicts_rules.probability((logit(rules),)) if check_is_certain(pair) else 0.0
    return max(together, alone)


def injection(readings: Readings, numbers: Calibration, weights: FeatureWeights) -> float:
    """All votes together, and at least what is hidden or encoded, and what the scanner alone would stop."""
    score, limit = readings.pair.injection.score, weights.thresholds.injection_max
    alone = moved(score, limit, numbers.thresholds.injection_max)
    if readings.heads.injection is None:
        return alone
    carried = alone if score >= limit else 0.0
    return max(numbers.injection.probability(injection_votes(readings)), certain_injection(readings.pair), carried)


def moved(probability: float, threshold: float, own: float) -> float:
    """A probability of another judge, shifted so that its threshold comes to lie on ours; 0 stays 0."""
    if probability <= 0.0:
        return 0.0
    total = logit(probability) - logit(threshold) + logit(own)
    return 1.0 / (1.0 + math.exp(-total))


def logit(probability: float) -> float:
    """log(p / (1 - p)), within +-6."""
    bounded = min(1 - 1e-6, max(1e-6, probability))
    return max(-_LIMIT, min(_LIMIT, math.log(bounded / (1 - bounded))))


def _head(readings: Readings, question: str) -> float:
    found = getattr(readings.heads, question)
    return 0.0 if found is None else float(found.logit)
