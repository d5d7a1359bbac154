"""The first embedded judge: rules over the text and the encoder's cosine, weighed by small fitted regressions.

No network, no weights beyond a few dozen numbers in `resources/judge/features.toml`, a few milliseconds a pair. Each answer names its
reasons with their places. What it cannot do: it knows no synonyms beyond the language data and reads no implications.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from guard_desk.models.judges.pair_features import (
    CONTRADICTION,
    EVIDENCE,
    RELEVANCE,
    PairReading,
    contradiction_features,
    evidence_features,
    read_pair,
    relevance_features,
)
from guard_desk.models.judges.question_parts import decide, parts_material, reasons_by_part, several_parts
from guard_desk.models.judges.reasons import reasons_of
from guard_desk.models.judges.weights import FeatureWeights, Logistic, load_weights, weights_digest
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Answers, Judgement, ModelInfo, Question, limit_of
from guard_desk.records.judging import JudgeSettings

logger = logging.getLogger("guard_desk.models")

# Raise it when a rule in the code changes what the same input gives: stored answers are then asked anew.
RULES_VERSION = "4"
NAME = "features"


def load(settings: JudgeSettings, device: str) -> FeaturesJudge:  # noqa: ARG001 - the form of every judge's module
    """The judge; it has no settings and runs on the CPU."""
    return FeaturesJudge()


class FeaturesJudge:
    """Answers from the cosine, the overlap of words, kinds of values, premises and the scanner for injections."""

    similarity_digits = 3

    def __init__(self) -> None:
        self._weights = load_weights()
        check_names(self._weights)
        digest = weights_digest()
        self._info = ModelInfo(
            name=NAME,
            revision=f"{RULES_VERSION}-{digest[:16]}",
            weights=digest,
            device="cpu",
            detail="Rules over the text and the encoder's similarity, weighed by fitted regressions; each answer names its reasons.",
        )

    @property
    def info(self) -> ModelInfo:
        """Name and revision: a hash of weights, language data and rules."""
        return self._info

    @property
    def thresholds(self) -> Thresholds:
        """Fitted with the weights, on training data."""
        return self._weights.thresholds

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        """Query text, title and text: what the rules read, and its parts where it has several. The stage adds the rounded similarity."""
        return ("features", RULES_VERSION, query.text, passage.title or "", passage.text, *parts_material(query.text))

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        """One judgement a passage, in order. :raises Cancelled: between passages."""
        for passage, similarity in zip(passages, similarities, strict=True):
            ctx.check()
            try:
                yield self._judgement(query, passage, round(float(similarity), self.similarity_digits))
            except Exception as exc:
                # One odd text must not cost the others their answers; it stays "not judged".
                logger.exception("Passage %s could not be judged", passage.id)
                yield Judgement(passage_id=passage.id, answers=None, judge=NAME, error=f"{type(exc).__name__}: {exc}")

    def _judgement(self, query: Query, passage: Passage, similarity: float) -> Judgement:
        whole = read_pair(query.text, passage.text, passage.title, similarity)
        parts = several_parts(query.text)
        others = [read_pair(part.text, passage.text, passage.title, similarity, injection=whole.injection) for part in parts]
        pairs = [whole, *others]
        decided = decide([self._answers(pair) for pair in pairs])
        return Judgement(
            passage_id=passage.id,
            answers=decided.answers,
            judge=NAME,
            reasons=reasons_by_part(decided, [reasons_of(pair, passage) for pair in pairs], parts),
            uncertain=_uncertain(decided.answers, self.thresholds, self._weights.uncertain),
        )

    def _answers(self, pair: PairReading) -> Answers:
        weights = self._weights
        relevant = weights.relevance[pair.script].probability(relevance_features(pair))
        evidence = weights.evidence[pair.script].probability(evidence_features(pair))
        contradicts = weights.contradiction.probability(contradiction_features(pair)) if pair.premises else 0.02
        gate = min(1.0, relevant / weights.gate)
        return Answers(
            relevant=round(relevant, 4),
            evidence=round(evidence * gate, 4),
            contradicts=round(contradicts * gate, 4),
            injection=round(pair.injection.score, 4),
        )


def check_names(weights: FeatureWeights) -> None:
    """:raises ValueError: when the weights are for other features than the code computes."""
    expected: tuple[tuple[Logistic, tuple[str, ...]], ...] = (
        *((regression, RELEVANCE) for regression in weights.relevance.values()),
        *((regression, EVIDENCE) for regression in weights.evidence.values()),
        (weights.contradiction, CONTRADICTION),
    )
    for regression, names in expected:
        if regression.names != names:
            found = ", ".join(regression.names)
            raise ValueError(f"features.toml has weights for {found}; needed: {', '.join(names)}. Run packaging/judge/fit_features.py.")


def _uncertain(answers: Answers, thresholds: Thresholds, width: float) -> tuple[Question, ...]:
    """Questions whose answer lies close to the threshold."""
    return tuple(question for question in Question if abs(getattr(answers, question) - limit_of(question, thresholds)) < width)
