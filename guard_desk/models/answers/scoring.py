"""From logits of spans to a few spans with probabilities.

All spans of a window and "no answer" share one softmax. Spans that overlap say the same in more or fewer words ("1998", "in 1998"), so
the best of them gets their probability together: that these words answer, not that they end where they should.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from guard_desk.models.answers.network import WindowSpans
from guard_desk.records.corpus import Span

MOST_SPANS = 3
LEAST = 0.02
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Marked:
    """Words of a text and the probability that they answer."""

    span: Span
    score: float


def window_marks(window: WindowSpans, temperature: float, null: float, most: int = MOST_SPANS) -> list[Marked]:
    """The best spans of a window that do not overlap, each with the probability of all that overlap it and no better one.

    :param null: added to the logit of "no answer", after the division by the temperature.
    """
    logits = np.append(window.logits.astype(np.float64) / temperature, window.null / temperature + null)
    powers = np.exp(logits - logits.max())
    shares = (powers / powers.sum())[:-1]
    left = np.ones(len(shares), dtype=np.bool_)
    starts, ends = window.places[:, 0], window.places[:, 1]
    found: list[Marked] = []
    while left.any() and len(found) < most:
        best = int(np.argmax(np.where(left, shares, -1.0)))
        touching = left & (starts < ends[best]) & (starts[best] < ends)
        found.append(Marked(Span(int(starts[best]), int(ends[best])), float(shares[touching].sum())))
        left &= ~touching
    return found


def joined(windows: Sequence[Sequence[Marked]], most: int = MOST_SPANS, least: float = LEAST) -> tuple[Marked, ...]:
    """The best spans over the windows of a passage, best first; of overlapping ones the better one. Together at most 1.

    :param least: spans with a lower score are left out.
    """
    ordered = sorted((mark for marks in windows for mark in marks), key=lambda mark: (-mark.score, mark.span.start, mark.span.end))
    kept: list[Marked] = []
    for mark in ordered:
        if len(kept) < most and mark.score >= least and not any(mark.span.overlaps(other.span) for other in kept):
            kept.append(mark)
    total = max(1.0, math.fsum(mark.score for mark in kept))
    return tuple(Marked(mark.span, round(mark.score / total, DIGITS)) for mark in kept)
