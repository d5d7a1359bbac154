"""Sentences of two facts, and names that the passages have elsewhere: exact findings, with and without the name finder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from guard_desk.pipeline import check_answer
from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer
from guard_desk.records.answer import Kind, Label, Verified
from guard_desk.records.corpus import Passage, Query
from tests.fakes import Calls, RulesAnalyzer

DATA = Path(__file__).parents[1] / "data" / "verify_more.jsonl"
ROWS = [json.loads(line) for line in DATA.read_bytes().split(b"\n") if line.strip()]
CASES = [row for row in ROWS if row["group"] in ("two_facts", "other_name")]
BRIDGE = "Who designed the Kestrel Bridge?"


def check(question: str, texts: Sequence[str], answer: str, analyzer: Analyzer | None = None) -> Verified:
    passages = [Passage(id=f"p{number}", text=text) for number, text in enumerate(texts, 1)]
    return check_answer(Query(text=question), passages, answer, analyzer or RulesAnalyzer(Calls()), RunContext())


def found(result: Verified) -> list[tuple[str, Kind, Label]]:
    return [(item.text, item.kind, item.label) for item in result.spans]


def of_case(case: dict[str, Any], analyzer: Analyzer) -> list[tuple[str, str]]:
    result = check(case["query"], [passage["text"] for passage in case["passages"]], case["answer"], analyzer)
    return [(item.text, str(item.kind)) for item in result.spans]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases_by_the_rules_alone(case: dict[str, Any]) -> None:
    assert of_case(case, RulesAnalyzer(Calls())) == [(span["text"], span["kind"]) for span in case["spans"]]


@pytest.mark.models
def test_cases_with_the_embedded_names() -> None:
    from guard_desk.models.spacy_analyzer import load_analyzer

    analyzer = load_analyzer()
    wrong = [case["id"] for case in CASES if of_case(case, analyzer) != [(span["text"], span["kind"]) for span in case["spans"]]]
    assert wrong == []


def test_a_value_that_a_passage_states_is_a_conflict_at_most_and_names_both_passages() -> None:
    texts = ["The Kestrel Bridge was opened on 14 June 1931.", "The Kestrel Bridge opened in 1938 and was designed by Tom Hale."]
    (item,) = check("", texts, "The Kestrel Bridge was opened on 14 June 1931 and designed by Tom Hale.").spans
    assert (item.kind, item.label, item.text) == (Kind.CONFLICT, Label.CONFLICT, "14 June 1931")
    assert [evidence.passage_id for evidence in item.evidence] == ["p1", "p2"]


def test_a_conflict_over_a_name_shows_both_names_and_a_wrong_name_the_right_one() -> None:
    texts = ["The Kestrel Bridge was designed by Ada Marlowe.", "The Kestrel Bridge was designed by Tom Hale."]
    (item,) = check(BRIDGE, texts, "The Kestrel Bridge was designed by Tom Hale.").spans
    assert item.note == "passages disagree: p2 says Tom Hale, p1 says Ada Marlowe"
    (wrong,) = check(BRIDGE, [texts[0], "The Alder mill was designed by Tom Hale."], "The Kestrel Bridge was designed by Tom Hale.").spans
    assert (wrong.kind, wrong.label, wrong.note) == (Kind.ENTITY, Label.CONTRADICTED, "passages say Ada Marlowe")


def test_a_conflict_over_a_chinese_name_shows_both_names() -> None:
    (item,) = check("望江楼是谁设计的？", ["望江楼由林若川设计。", "望江楼由周怀民设计。"], "望江楼由周怀民设计。").spans
    assert [evidence.text for evidence in item.evidence] == ["周怀民", "林若川"]
    assert item.note == "passages disagree: p2 says 周怀民, p1 says 林若川"


def test_dates_of_two_events_are_no_conflict_and_two_dates_of_one_event_are() -> None:
    answer = "The charter was signed on 4 July 1902 by Duke Alrik."
    assert found(check("", [answer, "The charter was revised on 9 May 1910 by Duke Alrik."], answer)) == []
    (item,) = check("", [answer, "The charter was signed on 9 May 1910 by Duke Alrik."], answer).spans
    assert (item.kind, item.text) == (Kind.CONFLICT, "4 July 1902")


def test_a_disagreement_that_the_answer_tells_is_no_silent_conflict() -> None:
    texts = ["The Kestrel Bridge was designed by Ada Marlowe.", "The Kestrel Bridge was designed by Tom Hale."]
    assert found(check(BRIDGE, texts, "The Kestrel Bridge was designed by Tom Hale, but sources disagree.")) == []


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        # A place is no designer.
        (("The Kestrel Bridge was designed in Oslo.", "The Kestrel Bridge was designed by Tom Hale."), "It was designed by Tom Hale."),
        # What somebody did not do names nobody.
        (
            ("The Kestrel Bridge was not designed by Ada Marlowe.", "The Kestrel Bridge was designed by Tom Hale."),
            "The Kestrel Bridge was designed by Tom Hale.",
        ),
        # "the bridge" may be this one.
        (
            ("The Kestrel Bridge was designed by Ada Marlowe.", "The bridge was drawn by Tom Hale. It crosses the Orle."),
            "The Kestrel Bridge was designed by Tom Hale.",
        ),
    ],
)
def test_names_are_left_alone_where_it_is_in_doubt(texts: tuple[str, ...], answer: str) -> None:
    assert found(check(BRIDGE, texts, answer)) == []
