"""Pools to fit thinning on: labels that hold, and the same pools every time."""

import gzip
import json
from pathlib import Path

import asked
import pools
import pytest

from guard_desk.text.answers import states

_CITIES = ("Orrest", "Harwick", "Lunden", "Pellam", "Quarne", "Sildow", "Tarvin", "Umbry")


def _row(number: int, question: str, context: str, answer: str, title: str) -> dict[str, object]:
    answers = [{"text": answer, "start": context.index(answer)}] if answer else []
    return {
        "id": f"{title}-{number}",
        "question": question,
        "context": context,
        "answers": answers,
        "is_impossible": not answer,
        "lang": "en",
        "group": title,
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = []
    for number, city in enumerate(_CITIES):
        text = (
            f"The mill of {city} was built in {1700 + number}. It burned down in winter and rose again. "
            f"Its first miller was Ada {city}son. The river beside it is {20 + number} km long."
        )
        title = f"Mill_{number // 2}"
        rows += [
            _row(0 + 10 * number, f"When was the mill of {city} built?", text, str(1700 + number), title),
            _row(1 + 10 * number, f"Who was the first miller of {city}?", text, f"Ada {city}son", title),
            _row(2 + 10 * number, f"How long is the river at {city}?", text, f"{20 + number} km", title),
            _row(3 + 10 * number, f"Who sold the mill of {city}?", text, "", title),
            {**_row(4 + 10 * number, f"Who overlaps at {city}?", text, f"Ada {city}son", title), "dev_overlap": True},
        ]
    for source in asked.SOURCES:
        (tmp_path / "train" / source).mkdir(parents=True)
        with gzip.open(tmp_path / "train" / source / "data.jsonl.gz", "wt", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
    return tmp_path


def test_labels_hold(data: Path) -> None:
    made = list(pools.pools(data))
    assert len(made) > 15
    assert {pool.kind for pool in made} >= {"agree", "differ", "outvoted"}
    for pool in made:
        assert pool.documents
        assert "overlaps" not in pool.question
        for document in pool.documents:
            held = [value for value in (*pool.gold_answers, *pool.wrong_answers) if states(document.text, value)]
            assert held == ([] if document.type == "noise" else [document.answer]), (pool, document)
            if document.start is not None:
                assert document.text[document.start :].casefold().startswith(document.answer.casefold())
        assert pool.conflict == bool(pool.wrong_answers)


def test_a_wrong_value_is_of_the_kind_of_the_right_one(data: Path) -> None:
    for pool in pools.pools(data):
        for value in pool.wrong_answers:
            assert value.isdigit() == pool.gold_answers[0].isdigit()
            assert value.endswith("km") == pool.gold_answers[0].endswith("km")


def test_wrong_documents_outnumber_the_right_one_where_the_kind_says_so(data: Path) -> None:
    outvoted = [pool for pool in pools.pools(data) if pool.kind == "outvoted"]
    assert outvoted
    assert all(sum(d.type == "correct" for d in pool.documents) == 1 for pool in outvoted)


def test_pools_are_the_same_every_time_and_a_title_is_on_one_side(data: Path) -> None:
    first = list(pools.pools(data))
    assert first == list(pools.pools(data))
    assert first[:3] == list(pools.pools(data, n=3))
    sides = {pool.title: {other.held for other in first if other.title == pool.title} for pool in first}
    assert all(len(held) == 1 for held in sides.values())


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many bees are there?", "how many"),
        ("In which year was it built?", "which"),
        ("多少人参加？", "多少"),
        ("他在哪一年出生？", "哪一年"),
        ("Name it.", ""),
    ],
)
def test_question_word(question: str, word: str) -> None:
    assert asked.question_word(question) == word
