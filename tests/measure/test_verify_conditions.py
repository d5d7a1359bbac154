from __future__ import annotations

from collections.abc import Sequence

import pytest

from guard_desk.measure.verify_conditions import (
    CONDITIONS,
    FILLER_CHARACTERS,
    LONG_ANSWER_WORDS,
    ROCKET,
    case_of,
    condition_rows,
    filler,
)
from guard_desk.pipeline import check_answer
from guard_desk.progress import RunContext
from guard_desk.records.answer import Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.text.words import words

from ..fakes import Calls, RulesAnalyzer

CASES = [
    {
        "id": "c1",
        "lang": "en",
        "query": "How long are kilns fired?",
        "passages": [{"id": "p1", "text": "Kilns are fired for 9 hours."}, {"id": "p2", "text": "They burn birch."}],
        "answer": "Kilns are fired for 7 hours.",
        "action": "review",
        "spans": [{"start": 20, "end": 27, "kind": "number"}],
    },
    {
        "id": "c2",
        "lang": "zh",
        "query": "面包店几点开门？",
        "passages": [{"id": "p1", "text": "面包店七点开门。"}],
        "answer": "面包店七点开门。",
        "action": "proceed",
        "spans": [],
    },
]


def check(query: Query, passages: Sequence[Passage], answer: str) -> Verified:
    return check_answer(query, passages, answer, RulesAnalyzer(Calls()), RunContext())


@pytest.mark.parametrize("name", list(CONDITIONS))
def test_the_wrong_words_stay_the_same_words(name: str) -> None:
    for row in CASES:
        case = CONDITIONS[name](case_of(row))
        assert case.answer.endswith(row["answer"])
        assert [case.answer[start:end] for start, end, _ in case.spans] == [row["answer"][s["start"] : s["end"]] for s in row["spans"]]


def test_what_each_condition_adds() -> None:
    case = case_of(CASES[0])
    assert CONDITIONS["behind U+1F680 and CRLF"](case).answer == ROCKET + case.answer
    first, padding, second = CONDITIONS["50 KB between the passages"](case).passages
    assert (first.id, second.id) == ("p1", "p2")
    assert len(padding.text) > FILLER_CHARACTERS - 2
    at_end = CONDITIONS["at the end of a 400-word answer"](case)
    known = at_end.passages[-1].text
    assert at_end.answer == f"{known}\n\n{case.answer}"
    assert LONG_ANSWER_WORDS <= len(words(known, "en")) < LONG_ANSWER_WORDS + 20


@pytest.mark.parametrize("language", ["en", "zh", "de", "fr", "es", "ta"])
def test_filler_has_no_numbers_and_is_the_same_every_time(language: str) -> None:
    text = filler(language, 3000, seed=5)
    assert text == filler(language, 3000, seed=5) != filler(language, 3000, seed=6)
    assert not any(ch.isdigit() for ch in text)


def test_all_conditions_are_measured() -> None:
    rows, missed = condition_rows(CASES, check)
    found = {row.name: getattr(row.figure, "value", row.figure) for row in rows}
    assert missed == []
    for name in ("", *(f"{name}: " for name in CONDITIONS if name != "plain")):
        assert found[f"{name}actions right"] == found[f"{name}span F1 (overlap)"] == 1


def test_wrong_actions_are_listed_under_their_condition() -> None:
    wrong = [{**CASES[0], "action": "proceed"}]
    _, missed = condition_rows(wrong, check)
    assert missed == ["c1", *(f"[{name}] c1" for name in CONDITIONS if name != "plain")]
