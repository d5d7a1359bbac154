"""Readers of answers for tests: a claim judge by word lists, a detector by a word, numbers by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.evidence import ModelInfo
from guard_desk.text.support.claim_numbers import ClaimNumbers

WEIGHTS = "w" * 64
# Support and contradiction alone decide: sure support gives .05, neither .5, sure contradiction about .95.
NUMBERS = ClaimNumbers(weights=WEIGHTS, unsupported={"support": -0.43}, bias=-2.97, report=0.4, accept=0.2, contradicted=0.6, overrule=0.98)


@dataclass
class ListedClaimJudge:
    """Stances of pairs whose claim and passage hold listed words; neutral otherwise.

    :param pairs: words of the claim, words of the passage, and the three probabilities.
    """

    pairs: Sequence[tuple[str, str, tuple[float, float, float]]] = ()
    otherwise: tuple[float, float, float] = (0.001, 0.001, 0.998)
    calls: list[list[tuple[str, str]]] = field(default_factory=list)
    info = ModelInfo(name="listed", revision="1", weights=WEIGHTS)

    def stances(self, claims: Sequence[str], passages: Sequence[str], ctx: RunContext) -> npt.NDArray[np.float32]:
        ctx.check()
        self.calls.append(list(zip(claims, passages, strict=True)))
        return np.array([self._stance(claim, passage) for claim, passage in self.calls[-1]], dtype=np.float32).reshape(-1, 3)

    def _stance(self, claim: str, passage: str) -> tuple[float, float, float]:
        return next((stance for mine, theirs, stance in self.pairs if mine in claim and theirs in passage), self.otherwise)


class WordDetector:
    """Marks a word wherever it stands in the answer."""

    info = ModelInfo(name="marker", revision="1")

    def __init__(self, *words: str) -> None:
        self._words = words

    def detect(self, query: Query, passages: Sequence[Passage], answer: str, ctx: RunContext) -> tuple[tuple[Span, float], ...]:
        ctx.check()
        places = [(answer.find(word), word) for word in self._words]
        return tuple((Span(place, place + len(word)), 0.8) for place, word in sorted(places) if place >= 0)
