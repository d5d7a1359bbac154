"""Which labels of a classifier mean yes to which question, read from the names in its own configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.records.evidence import Question

_ENTAILMENT = frozenset({"entailment", "entail", "entails", "entailed", "implies", "supports", "support", "supported", "e"})
_CONTRADICTION = frozenset({"contradiction", "contradict", "contradicts", "contradictory", "refutes", "refute", "refuted", "c"})
_NEUTRAL = frozenset({"neutral", "neither", "unrelated", "not enough info", "nei", "n"})
_NOT_ENTAILMENT = frozenset({"not entailment", "not entailed", "non entailment", "no entailment"})

_YES = frozenset({"yes", "true", "positive"})
_NO = frozenset({"no", "false", "negative"})
_YES_OF: Mapping[Question, frozenset[str]] = {
    Question.RELEVANT: _YES | {"relevant", "related", "on topic", "match"},
    Question.EVIDENCE: _YES | {"evidence", "answer", "answerable", "has answer", "sufficient", "supported", "relevant"},
    Question.CONTRADICTS: _YES | {"conflict", "conflicting", "contradiction", "contradicts", "contradictory", "refuted", "false premise"},
    Question.INJECTION: _YES
    | {"injection", "prompt injection", "injected", "jailbreak", "jailbreaking", "malicious", "attack", "unsafe", "harmful", "adversarial"},
}
_NO_OF: Mapping[Question, frozenset[str]] = {
    Question.RELEVANT: _NO | {"irrelevant", "unrelated", "off topic", "not relevant", "no match"},
    Question.EVIDENCE: _NO
    | {"no evidence", "no answer", "unanswerable", "insufficient", "unsupported", "not supported", "irrelevant", "not relevant"},
    Question.CONTRADICTS: _NO | {"no conflict", "consistent", "no contradiction", "neutral", "supported", "true premise"},
    Question.INJECTION: _NO
    | {"safe", "benign", "legit", "legitimate", "clean", "normal", "harmless", "no injection", "not injection", "no attack", "innocent"},
}
_UNNAMED = re.compile(r"(?:label|class)? ?(\d+)")


class ClassifierKind(StrEnum):
    """What a classifier was made for, by its labels."""

    NLI = "nli"
    RERANKER = "reranker"
    CLASSIFIER = "classifier"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMapping:
    """How a classifier's labels are read, for people and for the judge.

    :param source: the folder or hub name.
    :param kind: nli (entailment of a hypothesis), reranker (one number, through the sigmoid), or classifier.
    :param labels: all labels, in the order of the model's outputs.
    :param yes: for each question that it can answer, the labels that mean yes.
    :param assumed: the labels have no names, so that their meaning is a guess.
    :param independent: each label has a probability of its own; else they share one.
    """

    source: str
    kind: ClassifierKind
    labels: tuple[str, ...]
    yes: tuple[tuple[Question, tuple[str, ...]], ...]
    assumed: bool = False
    independent: bool = False

    def means_yes(self, question: Question) -> tuple[str, ...]:
        """The labels that mean yes; empty where it cannot answer."""
        return dict(self.yes).get(question, ())

    def sentence(self, question: Question) -> str:
        """How this question is answered, for people."""
        labels = self.means_yes(question)
        if not labels:
            return f"{self.source} cannot answer this: its labels are {_listed(self.labels)}."
        if self.kind is ClassifierKind.RERANKER:
            return f"{self.source} gives one score, read through the sigmoid."
        guess = " The labels have no names: that this one means yes is assumed." if self.assumed else ""
        return f"{self.source}: {' or '.join(labels)} means yes, of {_listed(self.labels)}.{guess}"


def read_mapping(config: Mapping[str, Any], source: str) -> LabelMapping:
    """The mapping of a `config.json`.

    :raises ModelError: when its label table cannot be read.
    """
    labels = labels_of(config, source)
    names = [_plain(label) for label in labels]
    kind = _kind(names)
    if kind is ClassifierKind.RERANKER:
        yes = {question: tuple(labels) for question in Question}
    elif kind is ClassifierKind.NLI:
        yes = _nli(labels, names)
    else:
        yes = {question: _named(labels, names, question) for question in Question}
    unnamed = kind is ClassifierKind.CLASSIFIER and all(_UNNAMED.fullmatch(name) for name in names)
    if unnamed and len(labels) == 2:
        second = tuple(label for label, name in zip(labels, names, strict=True) if _number(name) == 1)
        yes = dict.fromkeys(Question, second)
    return LabelMapping(
        source=source,
        kind=kind,
        labels=labels,
        yes=tuple((question, found) for question, found in yes.items() if found),
        assumed=unnamed,
        independent=config.get("problem_type") == "multi_label_classification",
    )


def yes_labels(mapping: LabelMapping, question: Question, label: str | None = None) -> tuple[int, ...]:
    """Positions of the outputs that mean yes.

    :param label: the user's own choice; capitals do not matter.
    :raises ModelError: for a label that the model does not have, or when none is known to mean yes.
    """
    if label is not None:
        chosen = tuple(position for position, name in enumerate(mapping.labels) if name.casefold() == label.strip().casefold())
        if not chosen:
            raise ModelError(f"{mapping.source} has no label {label!r}. Its labels are {_listed(mapping.labels)}.")
        return chosen
    found = mapping.means_yes(question)
    if not found:
        raise ModelError(
            f"Which label of {mapping.source} means yes to the question {question.value!r} is not known: its labels are "
            f"{_listed(mapping.labels)}. Name the label that means yes."
        )
    return tuple(position for position, name in enumerate(mapping.labels) if name in found)


def labels_of(config: Mapping[str, Any], source: str) -> tuple[str, ...]:
    """All labels in the order of the outputs. :raises ModelError: for a table that is none."""
    table = config.get("id2label")
    if table is None:
        count = config.get("num_labels", config.get("_num_labels", 2))
        return tuple(f"LABEL_{number}" for number in range(count if isinstance(count, int) and 0 < count < 1000 else 2))
    if not isinstance(table, Mapping) or not table:
        raise ModelError(f"The label table of {source} (id2label in config.json) is not a table.")
    try:
        numbered = {int(number): str(name) for number, name in table.items()}
    except (TypeError, ValueError) as exc:
        raise ModelError(f"The label table of {source} (id2label in config.json) has keys that are no numbers.") from exc
    if sorted(numbered) != list(range(len(numbered))):
        raise ModelError(f"The label table of {source} (id2label in config.json) does not number its labels from 0.")
    return tuple(numbered[number] for number in sorted(numbered))


def _kind(names: Sequence[str]) -> ClassifierKind:
    if len(names) == 1:
        return ClassifierKind.RERANKER
    nli = _ENTAILMENT | _CONTRADICTION | _NEUTRAL | _NOT_ENTAILMENT
    if all(name in nli for name in names) and any(name in _ENTAILMENT for name in names):
        return ClassifierKind.NLI
    return ClassifierKind.CLASSIFIER


def _nli(labels: Sequence[str], names: Sequence[str]) -> dict[Question, tuple[str, ...]]:
    entails = tuple(label for label, name in zip(labels, names, strict=True) if name in _ENTAILMENT)
    denies = tuple(label for label, name in zip(labels, names, strict=True) if name in _CONTRADICTION)
    return {Question.RELEVANT: entails, Question.EVIDENCE: entails, Question.CONTRADICTS: denies, Question.INJECTION: entails}


def _named(labels: Sequence[str], names: Sequence[str], question: Question) -> tuple[str, ...]:
    """The labels that mean yes; none unless every label is known, since a stranger might mean yes as well."""
    yes, no = _YES_OF[question], _NO_OF[question]
    if not all(name in yes or name in no for name in names) or not any(name in no for name in names):
        return ()
    return tuple(label for label, name in zip(labels, names, strict=True) if name in yes)


def _plain(label: str) -> str:
    """Lower case, camel case and underscores split: "NOT_ENTAILMENT", "notEntailment" and "not-entailment" are one."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label)
    return " ".join(re.sub(r"[\W_]+", " ", spaced).casefold().split())


def _number(name: str) -> int:
    found = _UNNAMED.fullmatch(name)
    return int(found[1]) if found else -1


def _listed(labels: Sequence[str]) -> str:
    """Names of a strange file, shortened."""
    shown = ", ".join(repr(label[:60]) for label in labels[:12])
    return shown + (f" and {len(labels) - 12} more" if len(labels) > 12 else "")
