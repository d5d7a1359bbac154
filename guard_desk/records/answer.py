"""The answer, and what the passages say about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guard_desk.records.evidence import ModelInfo
from guard_desk.records.judging import Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One asking with the best few passages.

    :param passage_ids: the passages of this round's prompt, best first.
    :param text: the answer.
    :param same: whether the normalised answer is that of the round before; None for the first round.
    :param estimated: nobody told the counts of tokens: they are those of the app's own encoding.
    """

    passage_ids: tuple[str, ...]
    prompt_tokens: int
    answer_tokens: int
    text: str
    same: bool | None = None
    seconds: float = 0.0
    estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """An answer and where it comes from.

    :param text: None when there is no answer (generator "none" and nothing pasted, or `failure`).
    :param given: the user or the file gave it; no generator ran.
    :param prompt_tokens: tokens sent, by the generator's own tokenizer where it has one, all rounds together; 0 when given.
    :param answer_tokens: tokens received, all rounds together; 0 when given.
    :param finished: False when it was cut by the token limit.
    :param prompt_digest: sha256 of the prompt it was written from; "" when given. Another prompt makes the answer stale.
    :param rounds: the rounds it was asked in; empty when it was asked once.
    :param fallback: the rounds never agreed, and `text` is the leading value of the candidates.
    :param agreed: whether the last two rounds gave the same answer; without that `text` is the last one's or the leading value. None when
        there were no two.
    :param estimated: nobody told the counts of tokens, or not all: they are those of the app's own encoding.
    :param failure: why there is no answer although one was asked for: generator, cause and remedy; "" when there was no such thing. The
        rounds that were finished before are in `rounds`.
    """

    text: str | None
    generator: ModelInfo
    given: bool = False
    prompt_tokens: int = 0
    answer_tokens: int = 0
    finished: bool = True
    prompt_digest: str = ""
    rounds: tuple[Round, ...] = ()
    fallback: bool = False
    agreed: bool | None = None
    estimated: bool = False
    failure: str = ""


class Kind(StrEnum):
    """What a finding is about."""

    DATE = "date"
    TIME = "time"
    NUMBER = "number"
    UNIT = "unit"
    MONEY = "money"
    PERCENT = "percent"
    ENTITY = "entity"
    IDENTIFIER = "identifier"
    NEGATION = "negation"
    ROLE = "role"
    CLAIM = "claim"
    CITATION = "citation"
    CONFLICT = "conflict"
    VAGUE = "vague"
    OUTSIDE_PROMPT = "outside_prompt"
    INPUT_ERROR = "input_error"


class Label(StrEnum):
    """What the passages say of a span."""

    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    CONFLICT = "conflict"
    MISATTRIBUTED = "misattributed"
    VAGUE = "vague"
    OUTSIDE_PROMPT = "outside_prompt"


class Severity(StrEnum):
    """How much a finding matters. Confidence never lowers it."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Action(StrEnum):
    """What to do with the answer: review when any finding is high."""

    PROCEED = "proceed"
    REVIEW = "review"


class AnswerState(StrEnum):
    """What the answer is as a whole."""

    CHECKED = "checked"
    REFUSAL = "refusal"
    EMPTY = "empty"
    INPUT_ERROR = "input_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSpan:
    """Words of a passage. `in_title` says that the offsets point into its title."""

    passage_id: str
    start: int
    end: int
    text: str
    in_title: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A marked span of the answer.

    :param start: first code point in the answer; 0 for input errors.
    :param confidence: 0..1, shown; never lowers severity.
    :param evidence: words of passages that show it.
    :param note: plain words, with the value found instead ("passages say 7 days").
    :param by: the model that made it (`Verified.models`); "" for the rules.
    """

    start: int
    end: int
    text: str
    kind: Kind
    label: Label
    severity: Severity
    confidence: float
    evidence: tuple[EvidenceSpan, ...] = ()
    note: str = ""
    by: str = ""


class ClaimState(StrEnum):
    """What the passages say of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of the answer and the passages that carry it.

    :param by: the model that decided its state; "" for the rules.
    :param unread: the language model that was to read it and did not, and why ("NAME: cause and remedy"); "" when none failed.
    """

    start: int
    end: int
    text: str
    state: ClaimState
    confidence: float
    evidence: tuple[EvidenceSpan, ...] = ()
    by: str = ""
    unread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A value of the answer that passages state.

    :param evidence: where, one span for each passage that states it.
    """

    start: int
    end: int
    text: str
    evidence: tuple[EvidenceSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Findings by severity."""

    high: int = 0
    medium: int = 0
    low: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Findings of an answer, sorted by position, against the whole pool.

    :param spans: findings.
    :param claims: statements in order, with their support.
    :param supports: values of the answer with every passage that states them, in order.
    :param models: the models that read the answer beside the rules, with what came of it; empty for rules alone.
    :param spent: what the language model that was asked about each sentence took; None where none was asked.
    :param failure: why nothing was checked although there was to be something: a model failed, or the answer did not come; "" for all else.
    """

    action: Action
    spans: tuple[Finding, ...]
    claims: tuple[Claim, ...]
    counts: Counts
    state: AnswerState = AnswerState.CHECKED
    supports: tuple[Support, ...] = ()
    models: tuple[ModelInfo, ...] = ()
    spent: Spent | None = None
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributed:
    """The findings with those added whose only support lies outside the prompt.

    :param outside: findings of kind outside_prompt: supported only by passages that are not in the prompt.
    """

    action: Action
    spans: tuple[Finding, ...]
    outside: tuple[Finding, ...]
    counts: Counts
