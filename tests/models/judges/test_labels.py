from __future__ import annotations

import pytest

from guard_desk.errors import ModelError
from guard_desk.models.judges.labels import ClassifierKind, read_mapping, yes_labels
from guard_desk.records.evidence import Question


def mapping(*labels: str, **config: object):  # type: ignore[no-untyped-def]
    return read_mapping({"id2label": {str(number): label for number, label in enumerate(labels)}, **config}, "some/model")


@pytest.mark.parametrize(
    ("labels", "entails", "contradicts"),
    [
        (("entailment", "neutral", "contradiction"), 0, 2),
        (("CONTRADICTION", "ENTAILMENT", "NEUTRAL"), 1, 0),
        (("Contradiction", "Neutral", "Entails"), 2, 0),
        (("e", "n", "c"), 0, 2),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), 0, 1),
    ],
)
def test_entailment_in_any_order_and_spelling(labels: tuple[str, ...], entails: int, contradicts: int) -> None:
    found = mapping(*labels)
    assert found.kind is ClassifierKind.NLI
    assert yes_labels(found, Question.EVIDENCE) == (entails,)
    assert yes_labels(found, Question.RELEVANT) == (entails,)
    assert yes_labels(found, Question.CONTRADICTS) == (contradicts,)


def test_entailment_without_contradiction_cannot_answer_contradicts() -> None:
    found = mapping("entailment", "not_entailment")
    assert found.kind is ClassifierKind.NLI
    assert yes_labels(found, Question.EVIDENCE) == (0,)
    with pytest.raises(ModelError, match="'contradicts' is not known: its labels are 'entailment', 'not_entailment'"):
        yes_labels(found, Question.CONTRADICTS)


@pytest.mark.parametrize(
    ("labels", "yes"),
    [
        (("SAFE", "INJECTION"), (1,)),
        (("INJECTION", "SAFE"), (0,)),
        (("benign", "jailbreak"), (1,)),
        (("malicious", "benign"), (0,)),
        (("BENIGN", "INJECTION", "JAILBREAK"), (1, 2)),
        (("no_injection", "PromptInjection"), (1,)),
    ],
)
def test_injection_classifiers(labels: tuple[str, ...], yes: tuple[int, ...]) -> None:
    found = mapping(*labels)
    assert yes_labels(found, Question.INJECTION) == yes
    assert not found.assumed
    with pytest.raises(ModelError, match="'relevant' is not known"):
        yes_labels(found, Question.RELEVANT)


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1"), ("0", "1"), ("LABEL_0", "1")])
def test_labels_without_names_are_a_guess_that_is_told(labels: tuple[str, ...]) -> None:
    found = mapping(*labels)
    assert yes_labels(found, Question.INJECTION) == (1,)
    assert found.assumed
    assert "is assumed" in found.sentence(Question.INJECTION)


def test_a_configuration_without_a_table_has_two_labels_without_names() -> None:
    found = read_mapping({}, "some/model")
    assert found.labels == ("LABEL_0", "LABEL_1")
    assert found.assumed


def test_three_labels_without_names_are_not_guessed() -> None:
    found = mapping("LABEL_0", "LABEL_1", "LABEL_2")
    assert found.yes == ()
    with pytest.raises(ModelError, match=r"'LABEL_0', 'LABEL_1', 'LABEL_2'\. Name the label"):
        yes_labels(found, Question.CONTRADICTS)
    assert yes_labels(found, Question.CONTRADICTS, "label_2") == (2,)


def test_a_strange_label_beside_a_known_one_is_not_guessed() -> None:
    with pytest.raises(ModelError, match="'INJECTION', 'TOXIC'"):
        yes_labels(mapping("INJECTION", "TOXIC"), Question.INJECTION)


def test_a_chosen_label_must_exist() -> None:
    found = mapping("SAFE", "INJECTION")
    assert yes_labels(found, Question.INJECTION, "safe") == (0,)
    with pytest.raises(ModelError, match=r"has no label 'attack'\. Its labels are 'SAFE', 'INJECTION'"):
        yes_labels(found, Question.INJECTION, "attack")


def test_one_output_is_a_score() -> None:
    found = mapping("LABEL_0")
    assert found.kind is ClassifierKind.RERANKER
    assert yes_labels(found, Question.RELEVANT) == (0,)
    assert not found.assumed


@pytest.mark.parametrize("table", [[], "yes", {"a": "x"}, {"1": "x", "3": "y"}, {}])
def test_broken_tables_are_named(table: object) -> None:
    with pytest.raises(ModelError, match="label table of some/model"):
        read_mapping({"id2label": table}, "some/model")
