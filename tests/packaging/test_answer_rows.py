import random
from typing import Any

import pytest
from answer_rows import CALIBRATION_TITLES, TEST_TITLES, AnswerRow, read_rows, side_of_group, side_of_title, write_rows
from answer_truth import expected_calibration_error, is_right, scores
from generators import cloze, worlds
from generators.answer_windows import Reading, window_around
from generators.asking import ask

CONTEXT = (
    "The mill was built in 1904. Ada Moss designed it. It stands by the river. The owner sold it to a bank. "
    "The bank closed the mill after a flood. Today it is a museum."
)


def question(**changes: Any) -> dict[str, Any]:
    given = {
        "question": "Who designed the mill?",
        "context": CONTEXT,
        "answers": [{"text": "Ada Moss", "start": 28}, {"text": "Ada Moss", "start": 28}],
        "is_impossible": False,
        "title": "Mill",
    }
    return given | changes


def others() -> list[dict[str, Any]]:
    return [
        question(),
        question(context="A mill grinds grain. Water turns its wheel.", answers=[{"text": "Water", "start": 21}]),
        question(title="Harbour", context="The harbour is deep. Ships come in at noon.", answers=[{"text": "noon", "start": 38}]),
    ]


def test_windows_hold_the_answer_at_its_place():
    reading = Reading(others(), "made", random.Random(0))
    made = [row for _ in range(20) for row in reading.rows(question(), 3)]
    for row in made:
        assert [row.passage[start:end] for start, end in row.answers] == (["Ada Moss"] if row.kind == "window" else [])
        assert row.kind == "window" or "ada moss" not in row.passage.casefold()
    assert {row.kind for row in made} == {"window", "without", "other paragraph", "other article"}
    assert len({row.passage for row in made if row.kind == "window"}) > 2


def test_an_impossible_question_keeps_the_words_that_seem_to_answer():
    row = question(is_impossible=True, answers=[], plausible_answers=[{"text": "a bank", "start": CONTEXT.index("a bank")}])
    for made in Reading(others(), "made", random.Random(0)).rows(row, 4):
        assert made.answers == ()
        assert "a bank" in made.passage


@pytest.mark.parametrize("seed", range(5))
def test_a_window_is_a_part_of_its_text(seed):
    window = window_around(CONTEXT, 28, 36, 20, random.Random(seed))
    assert CONTEXT[window.start : window.start + len(window.text)] == window.text
    assert window.start <= 28
    assert window.start + len(window.text) >= 36


def test_worlds_answer_only_where_they_tell():
    for side in ("train", "test"):
        rows = list(worlds.worlds(400, side, random.Random(1)))
        assert rows == list(worlds.worlds(400, side, random.Random(1)))
        assert {row.kind for row in rows} == {"told", "silent", "denied", "other subject"}
        for row in rows:
            assert len(row.answers) == (row.kind == "told")
            assert all(0 <= start < end <= len(row.passage) for start, end in row.answers)


def test_relations_that_are_held_out_are_asked_on_their_side_alone():
    held = {name: worlds.Writer(name, random.Random(0)).names for name in ("train", "calibration", "test")}
    assert not set(held["train"]) & (set(held["calibration"]) | set(held["test"]))
    assert not set(held["calibration"]) & set(held["test"])


def test_sides_share_no_article():
    assert not CALIBRATION_TITLES & TEST_TITLES
    assert side_of_title("Harvard_University") == "test"
    assert {side_of_group(f"g{number}") for number in range(200)} == {"train", "calibration", "test"}


def test_rows_come_back_as_they_were(tmp_path):
    rows = [
        AnswerRow(question="q", passage="ä 😀", answers=((0, 1), (2, 3)), kind="k", group="g", source="s"),
        *worlds.worlds(3, "train", random.Random(0)),
    ]
    digest = write_rows(tmp_path / "rows.jsonl", rows)
    assert list(read_rows(tmp_path / "rows.jsonl")) == rows
    assert digest == write_rows(tmp_path / "again.jsonl", rows)


def test_right_answers_are_those_in_the_right_place():
    row = AnswerRow(
        question="q", passage="In 1904 the old mill burnt; the mill was rebuilt.", answers=((8, 20),), kind="k", group="g", source="s"
    )
    assert scores("The old mill.", row) == (1.0, 1.0)
    assert scores("mill", row) == (0.0, pytest.approx(2 / 3))
    assert scores("", row) == (0.0, 0.0)
    assert is_right(12, 20, row)
    assert not is_right(28, 36, row)
    silent = AnswerRow(question="q", passage="Rain.", answers=(), kind="k", group="g", source="s")
    assert scores("", silent) == (1.0, 1.0)
    assert scores("Rain", silent) == (0.0, 0.0)


def test_calibration_error_is_the_distance_of_score_and_frequency():
    assert expected_calibration_error([0.25] * 4, [True, False, False, False]) == pytest.approx(0.0)
    assert expected_calibration_error([0.9, 0.9], [False, False]) == pytest.approx(0.9)


@pytest.fixture(scope="module")
def parser() -> Any:
    from answer_generate import load_parser

    return load_parser()


@pytest.mark.models
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Ada Moss wrote the novel in 1961.", ("write the novel?", "1961")),
        ("The bridge was designed by Ada Moss.", ("was the bridge designed by?", "Ada Moss")),
        ("Ada Moss was born in London.", ("was Ada Moss born?", "London")),
        ("Tom Hanks is an American actor.", ("What nationality is Tom Hanks?", "American")),
    ],
)
def test_statements_become_questions(parser, statement, expected):
    found = [(asked.question, asked.answer) for asked in ask(parser(statement), random.Random(0))]
    assert any(question.endswith(expected[0]) and answer == expected[1] for question, answer in found), found


@pytest.mark.models
def test_denied_statements_and_statements_about_it_are_not_asked(parser):
    assert list(ask(parser("Ada Moss did not write the novel in 1961."), random.Random(0))) == []
    assert list(ask(parser("It was built in 1961."), random.Random(0))) == []


@pytest.mark.models
def test_claims_meet_the_words_of_their_evidence(parser):
    told = [
        cloze.Told("Ada Moss wrote the novel in 1961.", "The novel, published in 1961, is by Ada Moss.", "Ada Moss", f"g{number}", "fever")
        for number in range(20)
    ]
    made = list(cloze.Cloze(told, random.Random(0)).rows(parser.pipe([item.statement for item in told]), 0.5))
    assert made
    for row in made:
        assert all(row.passage[start:end] in ("1961", "Ada Moss") for start, end in row.answers)
