"""What the model stages give: hits, answers, typed values and facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from guard_desk.policy import Thresholds
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.judging import Spent

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]


Scalar = TypeVar("Scalar", bound=np.generic)


def frozen_array(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """The same array, made read-only: records share their columns."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """Which model gave a result; part of the trace and of cache keys.

    :param name: the name the user chose, e.g. "minilm".
    :param revision: changes whenever the same input could give another output.
    :param weights: sha256 of the weights; "" where there are none.
    :param device: "cpu", "cuda:0", "mps", or "" where it does not apply.
    :param detail: one plain sentence for people (why it was chosen, what it does).
    """

    name: str
    revision: str
    weights: str = ""
    device: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    """Positions (int64, ascending) of the passages that passed the exact filters, and counts of the others."""

    kept: Indices
    total: int
    version_missing: int = 0
    version_other: int = 0
    scope_missing: int = 0
    scope_other: int = 0

    @property
    def summary(self) -> str:
        """One sentence: how many are kept and why the others are left out."""
        parts = [
            f"{count} {words}"
            for count, words in (
                (self.version_missing, "without a version"),
                (self.version_other, "of another version"),
                (self.scope_missing, "without a scope"),
                (self.scope_other, "of another scope"),
            )
            if count
        ]
        return f"{len(self.kept)} of {self.total} passages kept" + (f"; left out: {', '.join(parts)}" if parts else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One retrieved passage.

    :param rank: 1-based rank of retrieval, never renumbered.
    :param score: the ranker's own score (BM25, fused, cosine).
    :param similarity: cosine of the dense encoder, -1..1; de-duplication, MMR and the judge use this one.
    """

    passage_id: str
    rank: int
    score: float
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """The pool in rank order.

    :param passages: aligned with `hits`.
    :param pair_similarity: float32 (n, n), cosine between the pool's passages, read-only.
    :param considered: passages that the ranker looked at.
    """

    query: Query
    hits: tuple[Hit, ...]
    passages: tuple[Passage, ...]
    pair_similarity: Floats
    encoder: ModelInfo
    considered: int


class Question(StrEnum):
    """The four yes/no questions asked of every (query, passage)."""

    RELEVANT = "relevant"
    EVIDENCE = "evidence"
    CONTRADICTS = "contradicts"
    INJECTION = "injection"


THRESHOLD_NAMES: Mapping[Question, str] = {
    Question.RELEVANT: "relevant_min",
    Question.EVIDENCE: "evidence_min",
    Question.CONTRADICTS: "contradicts_min",
    Question.INJECTION: "injection_max",
}
"""The field of `Thresholds` that each question's answer is held against."""


def limit_of(question: Question, thresholds: Thresholds) -> float:
    """The threshold (0..1) that a question's answer is held against."""
    limit: float = getattr(thresholds, THRESHOLD_NAMES[question])
    return limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The four answers as probabilities 0..1."""

    relevant: float
    evidence: float
    contradicts: float
    injection: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a judge answered as it did.

    :param rule: short name of the check, e.g. "similarity", "quantity differs", "hidden order".
    :param detail: one plain sentence.
    :param spans: where in the passage text.
    :param query_spans: where in the query.
    """

    question: Question
    rule: str
    detail: str
    spans: tuple[Span, ...] = ()
    query_spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A judge's answers for one passage. `answers` is None when judging it failed: "not judged", never 0.0.

    :param cached: whether the answers came from the store.
    :param uncertain: questions whose answer lies in the judge's uncertain band.
    :param error: why there are no answers.
    """

    passage_id: str
    answers: Answers | None
    judge: str
    cached: bool = False
    reasons: tuple[Reason, ...] = ()
    uncertain: tuple[Question, ...] = ()
    error: str | None = None


_NOT_JUDGED = (float("nan"),) * 4


def _row(answers: Answers | None) -> tuple[float, float, float, float]:
    if answers is None:
        return _NOT_JUDGED
    return (answers.relevant, answers.evidence, answers.contradicts, answers.injection)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One judgement a pool passage, in pool order, and the judge's own thresholds.

    :param spent: what a judge with a price took for the answers that were not stored; None for the others.
    """

    judgements: tuple[Judgement, ...]
    judge: ModelInfo
    thresholds: Thresholds
    spent: Spent | None = None
    scores: npt.NDArray[np.float64] = field(init=False, repr=False, compare=False)
    """(n, 4): relevant, evidence, contradicts, injection; NaN where not judged. Made once, for the route stage."""

    passage_ids: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The pool's ids, in order."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "passage_ids", tuple(judgement.passage_id for judgement in self.judgements))
        rows = [_row(judgement.answers) for judgement in self.judgements]
        object.__setattr__(self, "scores", frozen_array(np.array(rows, dtype=np.float64).reshape(-1, 4)))


class ValueKind(StrEnum):
    """Kinds of typed values in text."""

    DATE = "date"
    TIME = "time"
    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    ENTITY = "entity"
    IDENTIFIER = "identifier"


class Bound(StrEnum):
    """How a quantity limits: "at most 6" is MOST, "above 500" is MORE_THAN, "about 3" is ABOUT."""

    EXACT = "exact"
    MOST = "most"
    LEAST = "least"
    MORE_THAN = "more_than"
    LESS_THAN = "less_than"
    ABOUT = "about"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A typed value found in a text.

    :param span: the words of the value with its measuring unit ("45 days"), without a counted noun ("460" of "460 employees").
    :param canonical: equal for equal values whatever their format: "604800 s" for "7 days", "one week", "七天";
        "2026-06-01", "2026-06", "--06-01" (no year); "21:10"; "1250000 EUR"; "12 %"; an entity's folded name.
    :param number: magnitude in the canonical unit; None where it has none.
    :param high: upper end of a range; None for a single value.
    :param unit: canonical unit ("s", "m", "B", "EUR", "%"); "" for a bare number.
    :param dimension: what the unit measures ("time", "length", "data", "money", "percent"); "" for a bare number.
    :param noun: folded noun that is counted or measured ("employee" in "460 employees"); "" when none is known.
    :param label: the entity label of the analyzer, or the identifier's kind (version, code, path, flag, email, url).
    :param written: a quantity before conversion, number and unit ("85 ft" for "85 feet"); "" where there is none.
    """

    kind: ValueKind
    span: Span
    text: str
    canonical: str
    number: float | None = None
    high: float | None = None
    unit: str = ""
    dimension: str = ""
    bound: Bound = Bound.EXACT
    noun: str = ""
    label: str = ""
    written: str = ""


class CueKind(StrEnum):
    """Words that change what a sentence says without being a value."""

    NEGATION = "negation"
    MODALITY = "modality"
    CONDITION = "condition"
    QUANTIFIER = "quantifier"
    DIRECTION = "direction"
    COMPARISON = "comparison"
    STATUS = "status"
    HEDGE = "hedge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A cue word or phrase.

    :param meaning: canonical meaning within its kind: modality "must" / "may" / "cannot" / "should"; condition "if" /
        "unless" / "only_if"; quantifier "all" / "some" / "none" / "most"; direction "up" / "down"; status "active" / "ended".
    """

    kind: CueKind
    span: Span
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A simple statement of one clause: who or what, does or is, what.

    :param subject: content words (folded, stemmed) before the predicate; "" where unknown.
    :param predicate: folded, stemmed head verb; "" where unknown.
    :param object: content words after the predicate.
    :param negated: whether the clause denies it.
    :param span: the clause in the passage.
    :param values: positions in `PassageFacts.values` that lie in the clause.
    """

    subject: tuple[str, ...]
    predicate: str
    object: tuple[str, ...]
    negated: bool
    span: Span
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFacts:
    """All that is known of one text; spans point into it.

    :param languages: language codes, the main one first.
    :param sentences: sentence spans in order.
    """

    languages: tuple[str, ...]
    sentences: tuple[Span, ...]
    values: tuple[Value, ...]
    cues: tuple[Cue, ...]
    facts: tuple[Fact, ...]


class RelationKind(StrEnum):
    """How grammar joins a subject and a value."""

    COPULA = "copula"
    APPOSITION = "apposition"
    VERB = "verb"
    POSSESSION = "possession"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A value that grammar ties to a subject: "Linus Voss, mayor of Harwick", "the mayor is Linus Voss".

    :param subject: words of the subject, with what belongs to it.
    :param value: words of the value, with what belongs to it.
    :param predicate: lemma of the verb for `VERB`; "" else.
    :param negated: whether the clause denies it.
    """

    kind: RelationKind
    subject: Span
    value: Span
    predicate: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSpan:
    """Words of a passage that may answer a part of the question, by a model that reads both.

    :param part: position of the part of the question.
    :param score: 0..1, the model's probability that these words answer; what is missing to 1 is shared by other words and by "no answer".
    """

    span: Span
    score: float
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """Facts of each pool passage, in pool order: of its text, and of its title (None without one).

    :param relations: what grammar ties together in each text; empty where no parser reads the language.
    :param answers: words of each text that a model takes for an answer, the best first; empty without such a model.
    :param finder: that model; None without one.
    """

    texts: tuple[TextFacts, ...]
    titles: tuple[TextFacts | None, ...]
    query: TextFacts
    analyzer: ModelInfo
    relations: tuple[tuple[Relation, ...], ...] = ()
    answers: tuple[tuple[AnswerSpan, ...], ...] = ()
    finder: ModelInfo | None = None
