from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.text.answers import normalise_answer, same_answer


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The Eiffel Tower.", "eiffel tower"),
        ("  a   cat and THE dog ", "cat and dog"),
        ("vitamin A", "vitamin a"),
        ("The", "the"),
        ("4.3", "4.3"),
        ("1,000.", "1,000"),
        ("(-5 °C)", "-5 °c"),
        ("-.5", "-.5"),
        ("-.", ""),
        ("\uff32\uff2f\uff2d\uff25\uff01", "rome"),
        ("北 京。", "北京"),
        ("《红楼梦》", "红楼梦"),
        ("“Rome”", "rome"),
        ("...", ""),
        ("", ""),
    ],
)
def test_normalised_form(text: str, normal: str) -> None:
    assert normalise_answer(text) == normal


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("7 days", "one week"),
        ("七天", "168 hours"),
        ("on 5 March 2021", "2021-03-05"),
        ("1990", "in 1990"),
        ("1,000", "1000"),
        ("98 km", "98 kilometres"),
        ("$5 million", "5,000,000 dollars"),
        ("Ahmed Hussen.", "ahmed hussen"),
    ],
)
def test_the_same_in_another_format(left: str, right: str) -> None:
    assert same_answer(left, right)
    assert same_answer(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("7 days", "8 days"),
        ("4.3", "43"),
        ("-5", "5"),
        ("not 5", "5"),
        ("never in 1990", "1990"),
        ("up to 7 days", "7 days"),
        ("7 days in Rome", "7 days in Oslo"),
        ("460 employees", "460 visitors"),
        ("$5", "€5"),
        ("2021", "5 March 2021"),
        ("Yes", "No"),
        ("Group A", "Group B"),
        ("", "Rome"),
    ],
)
def test_another_answer(left: str, right: str) -> None:
    assert not same_answer(left, right)
    assert not same_answer(right, left)


def test_a_mark_between_letter_and_accent_does_not_come_back() -> None:
    once = normalise_answer("N.3A!\u0301")
    assert normalise_answer(once) == once


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise_answer(text)
    assert normalise_answer(once) == once


@given(st.text(max_size=40))
def test_every_answer_is_the_same_as_itself(text: str) -> None:
    assert same_answer(text, text)
