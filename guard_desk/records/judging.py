"""How the four questions are put, and to whom: the settings of a judge. No keys: they are read when they are used."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How one question is put to a judge that reads it.

    :param text: the question as people read it.
    :param instruction: what such a judge is told to decide.
    :param yes: cases in which the answer is yes.
    :param no: cases in which it is no.
    :param hypothesis: what a classifier of entailment holds against the passage; "{query}" in it stands for the query's text. None =
        the shipped one. The question of contradiction has none: premises of the query are held against the passage.
    """

    text: str
    instruction: str
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    hypothesis: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """The four questions. Another wording is another question: stored answers to the former one stay, unused."""

    relevant: Wording
    evidence: Wording
    contradicts: Wording
    injection: Wording


class RemoteForm(StrEnum):
    """How a server of decision models is spoken to."""

    SYSTEMONE = "systemone"
    OPENROUTER = "openrouter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """One question answered by a classifier.

    :param question: relevant, evidence, contradicts or injection.
    :param source: a local folder, or "organisation/name" of the local hub cache.
    :param label: the label that means yes; None = read from the model's own label names.
    """

    question: str
    source: str
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """Settings of the judges that need some; those that a judge does not use are ignored and are not part of its cache keys.

    :param target: address of the server (systemone, llm) or path of the model file (gguf).
    :param model: the model's name on the server; None = the first one that the server lists.
    :param form: systemone only.
    :param concurrency: requests at one time, 1..64.
    :param timeout_s: seconds that one request may take.
    :param price_input: price of a million input tokens, in the user's currency; None = not known.
    :param price_output: price of a million output tokens.
    :param classifiers: cross-encoder only; a question without one is answered by `features`.
    :param wordings: None = the shipped ones.
    """

    target: str | None = None
    model: str | None = None
    form: RemoteForm = RemoteForm.SYSTEMONE
    concurrency: int = 4
    timeout_s: float = 60.0
    price_input: float | None = None
    price_output: float | None = None
    classifiers: tuple[Classifier, ...] = field(default_factory=tuple)
    wordings: Wordings | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What judging took, or is expected to take.

    :param requests: requests sent; retries count.
    :param cost: in the currency of the user's prices; None when no price is known.
    :param estimated: True before the run, or where the server did not count.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What judging a pool would take, before anything is sent.

    :param passages: passages of the pool.
    :param stored: passages whose answers are stored, so that they cost nothing.
    :param spent: None for a judge that costs nothing.
    """

    passages: int
    stored: int
    spent: Spent | None = None
