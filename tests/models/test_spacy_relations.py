"""What spaCy's grammar ties together."""

from __future__ import annotations

import pytest

from guard_desk.errors import Cancelled
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.progress import RunContext
from guard_desk.records.evidence import RelationKind

TEXTS = (
    "Linus Voss, mayor of Harwick, was born in Brask. The bridge was built by Osmark in 1931.",
    "The novel, written by Mira Osei, won the Harwick prize. Torvik is not the capital.",
    "松岭水库建于1931年。",
    "",
)


@pytest.fixture(scope="module")
def tied() -> list[set[tuple[str, str, str, str, bool]]]:
    found = load_analyzer().relations(TEXTS, RunContext())
    return [
        {(r.kind.value, r.subject.of(text), r.value.of(text), r.predicate, r.negated) for r in relations}
        for text, relations in zip(TEXTS, found, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        (0, (RelationKind.APPOSITION, "mayor of Harwick", "Linus Voss", "", False)),
        (0, (RelationKind.VERB, "Linus Voss", "Brask", "bear", False)),
        (0, (RelationKind.VERB, "The bridge", "Osmark", "build", False)),
        (0, (RelationKind.VERB, "The bridge", "1931", "build", False)),
        (1, (RelationKind.VERB, "The novel", "Mira Osei", "write", False)),
        (1, (RelationKind.COPULA, "the capital", "Torvik", "", True)),
    ],
)
def test_relations(tied: list[set[tuple[str, str, str, str, bool]]], text: int, relation: tuple[str, str, str, str, bool]) -> None:
    assert relation in tied[text]


def test_texts_that_no_parser_reads_have_none(tied: list[set[tuple[str, str, str, str, bool]]]) -> None:
    assert tied[2] == tied[3] == set()


def test_spans_of_a_long_text_lie_in_the_whole_text() -> None:
    filler = "The yard was full of children who came to swim in the pond. " * 200
    text = filler + TEXTS[0]
    relations = load_analyzer().relations([text], RunContext())[0]
    assert ("The bridge", "Osmark") in {(r.subject.of(text), r.value.of(text)) for r in relations}


def test_cancel_stops_between_batches() -> None:
    ctx = RunContext()
    ctx.token.cancel()
    with pytest.raises(Cancelled):
        load_analyzer().relations(["Voss, mayor of Brask, left in May."], ctx)
