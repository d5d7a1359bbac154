"""Whether an answer is right: exact match and containment, as question answering sets are scored."""

from __future__ import annotations

from collections.abc import Sequence

from guard_desk.text.answers import normalise_answer, same_answer, states

__all__ = ["contained", "exact_match", "normalise_answer", "same_answer", "states"]


def exact_match(answer: str | None, golds: Sequence[str]) -> bool:
    """Whether the answer is one of the right ones, after normalising; a date or quantity may stand in another format.

    The measure is SQuAD's exact match (Rajpurkar et al. 2016, doi 10.18653/v1/D16-1264) over any of the golds.

    :param answer: None = no answer, which is never right.
    """
    return answer is not None and bool(normalise_answer(answer)) and any(same_answer(answer, gold) for gold in golds)


def contained(answer: str | None, golds: Sequence[str]) -> bool:
    """Whether the answer holds one of the right ones as whole words, or says the same value in another format.

    It is what sets with long answers use beside exact match. It does not look at denials: "not Rome" contains "Rome".
    """
    return answer is not None and any(states(answer, gold) for gold in golds)
