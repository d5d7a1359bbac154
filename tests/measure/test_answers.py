from __future__ import annotations

import pytest

from guard_desk.measure.answers import contained, exact_match


def test_exact_match_is_of_any_gold() -> None:
    assert exact_match("the Rome.", ["Oslo", "Rome"])
    assert exact_match("one week", ["7 days"])
    assert not exact_match("Rome, Italy", ["Rome"])


def test_no_answer_is_never_right() -> None:
    assert not exact_match(None, ["Rome"])
    assert not exact_match("", [""])
    assert not exact_match("!", ["?"])
    assert not contained(None, ["Rome"])
    assert not contained("Rome", [""])


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("The capital is Rome.", "rome"),
        ("It opened on 5 March 2021 with a parade.", "2021-03-05"),
        ("You have 168 hours to answer.", "one week"),
        ("首都是北京。", "北京"),
        ("火葬场于1962年启用。", "1962年"),
        ("他用iPhone拍照", "iPhone"),
    ],
)
def test_contained(answer: str, gold: str) -> None:
    assert contained(answer, [gold])


@pytest.mark.parametrize(("answer", "gold"), [("Romeo and Juliet", "Rome"), ("1905", "19"), ("It took 8 days.", "one week")])
def test_not_contained(answer: str, gold: str) -> None:
    assert not contained(answer, [gold])
