"""When marked words are right: SQuAD's exact match and F1 of words, and what the score is a probability of."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

from answer_rows import AnswerRow

# Half of the words in common, both ways: these words answer, however much stands around them.
RIGHT_F1 = 0.5
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normal(text: str) -> str:
    """As the official SQuAD script does it: lower case, without punctuation, articles and extra spaces."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def word_f1(given: str, truth: str) -> float:
    """F1 of the words of two answers."""
    first, second = normal(given).split(), normal(truth).split()
    if not first or not second:
        return float(first == second)
    shared = sum((Counter(first) & Counter(second)).values())
    return 2 * shared / (len(first) + len(second))


def scores(given: str, row: AnswerRow) -> tuple[float, float]:
    """(exact match, F1) of an answer, "" for none, against the best of a row's answers."""
    truths = [row.passage[start:end] for start, end in row.answers]
    if not truths:
        return float(given == ""), float(given == "")
    if not given:
        return 0.0, 0.0
    return max(float(normal(given) == normal(truth)) for truth in truths), max(word_f1(given, truth) for truth in truths)


def is_right(start: int, end: int, row: AnswerRow) -> bool:
    """Whether words in a place answer: they touch a right place and share at least half of the words with it."""
    return any(
        start < stop and begin < end and word_f1(row.passage[start:end], row.passage[begin:stop]) >= RIGHT_F1 for begin, stop in row.answers
    )


def expected_calibration_error(probabilities: Sequence[float], truths: Sequence[bool], bins: int = 10) -> float:
    """Mean distance of probability and frequency over bins of equal width, weighed by how many fall into each."""
    total, error = len(probabilities), 0.0
    for number in range(bins):
        chosen = [at for at, value in enumerate(probabilities) if min(bins - 1, int(value * bins)) == number]
        if chosen:
            mean = sum(probabilities[at] for at in chosen) / len(chosen)
            error += len(chosen) / total * abs(mean - sum(truths[at] for at in chosen) / len(chosen))
    return error
