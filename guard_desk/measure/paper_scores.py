"""When an answer of the suite `paper` is right, and the figures of a method."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.measure.metrics import Figure, bootstrap, proportion
from guard_desk.measure.paper_methods import Answered
from guard_desk.measure.worlds import PaperCase
from guard_desk.measure.worlds.values import contains, tokens


def right(answer: str, case: PaperCase) -> bool:
    """The main figure: a spelling of the gold value stands in the answer as whole words, and no spelling of a wrong value does.

    Wrong values are those that lines state as the answer (rivals) and those of the same form that they state of something else (decoys):
    an answer that names several values leaves the choice to its reader.
    """
    said = tokens(answer)
    wrong = [spelling for value in (*case.rivals, *case.decoys) for spelling in value]
    return any(contains(said, tokens(one)) for one in case.accept) and not any(contains(said, tokens(one)) for one in wrong)


def exact(answer: str, case: PaperCase) -> bool:
    """The strict figure: the answer is a spelling of the gold value and nothing else."""
    return tokens(answer) in {tokens(one) for one in case.accept}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """An answer with its marks."""

    case: PaperCase
    answered: Answered
    right: bool
    exact: bool

    @classmethod
    def of(cls, case: PaperCase, answered: Answered) -> Scored:
        """Marked."""
        return cls(case=case, answered=answered, right=right(answered.text, case), exact=exact(answered.text, case))


def accuracy(scored: Sequence[Scored]) -> Figure:
    """Share of right answers, Wilson interval."""
    return proportion(sum(one.right for one in scored), len(scored))


def exactness(scored: Sequence[Scored]) -> Figure:
    """Share of exact answers, Wilson interval."""
    return proportion(sum(one.exact for one in scored), len(scored))


def mean_tokens(scored: Sequence[Scored]) -> Figure:
    """Mean of the tokens of prompt and answer, with a bootstrapped interval."""
    return _mean([one.answered.tokens for one in scored])


def tokens_per_right(scored: Sequence[Scored]) -> Figure:
    """TPC: all tokens over the number of right answers, with a bootstrapped interval; NaN when none is right."""
    counts = np.array([one.answered.tokens for one in scored], dtype=np.float64)
    hits = np.array([one.right for one in scored], dtype=np.float64)

    def ratio(index: npt.NDArray[np.int64]) -> float:
        correct = hits[index].sum()
        return float(counts[index].sum() / correct) if correct else math.nan

    return bootstrap(ratio, len(counts))


def difference(scored: Sequence[Scored], base: Sequence[Scored]) -> Figure:
    """Accuracy minus that of another method on the same questions, with an interval over questions (paired bootstrap)."""
    return _mean([int(one.right) - int(other.right) for one, other in zip(scored, base, strict=True)])


def mean_seconds(scored: Sequence[Scored]) -> float:
    """Mean seconds a question; NaN without questions."""
    return float(np.mean([one.answered.seconds for one in scored])) if scored else math.nan


def _mean(values: Sequence[int]) -> Figure:
    array = np.array(values, dtype=np.float64)
    return bootstrap(lambda index: float(array[index].mean()), len(array))
