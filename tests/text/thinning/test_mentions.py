"""When two values are the same, and when one only says less."""

from __future__ import annotations

import pytest

from guard_desk.records.corpus import Span
from guard_desk.records.decision import Stance
from guard_desk.text.thinning.mentions import Mention, compatible, group, same, text_key
from guard_desk.text.values import find_values


def mention(text: str, *, loose: bool = False, language: str = "en") -> Mention:
    values = find_values(text, (language,))
    value = values[0] if len(values) == 1 and values[0].text == text else None
    return Mention(span=None, text=text, stance=Stance.STATES, sentence=Span(0, 1), value=value, key=text_key(text), loose=loose)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("7 days", "one week"),
        ("168 hours", "one week"),
        ("1 March 2027", "2027-03-01"),
        ("Dr Ines Tarr", "Ines Tarr"),
        ("Ines K. Tarr", "Ines Tarr"),
        ("Fenwick & Sorrel", "Fenwick and Sorrel"),
        ("the United States", "USA"),
    ],
)
def test_same(left: str, right: str) -> None:
    assert same(mention(left), mention(right))


def test_a_week_is_seven_days_in_chinese_too() -> None:
    assert same(mention("七天", language="zh"), mention("one week"))


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Voss", "Linus Voss"),
        ("June 2001", "12 June 2001"),
        ("WHO", "World Health Organization"),
        ("Harwick", "Harwick, Osmark"),
        ("Bluewake", "Bluewake Lines"),
        ("Abu al-Qasim", "Abu al-Qasim al-Zahrawi"),
    ],
)
def test_one_says_less(short: str, long: str) -> None:
    assert compatible(mention(short), mention(long))
    assert compatible(mention(long), mention(short))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Linus Voss", "Linus Moor"),
        ("7 days", "8 days"),
        ("Salt and wind", "Salt, wind and patience"),
        ("Slow roads", "Slow roads, good company"),
    ],
)
def test_different(left: str, right: str) -> None:
    assert not same(mention(left), mention(right))
    assert not compatible(mention(left), mention(right))


def test_words_inside_of_others_are_one_value_in_running_text_alone() -> None:
    short, long = "the strike of the miners", "coal and the strike of the miners in May"
    assert not compatible(mention(short), mention(long))
    assert compatible(mention(short, loose=True), mention(long, loose=True))
    assert not compatible(mention("strike", loose=True), mention("strikes and walkouts", loose=True))


def test_a_short_form_that_fits_two_values_stays_alone() -> None:
    voss = [mention(text) for text in ("Linus Voss", "Marta Voss", "Voss")]
    assert len(group(voss)) == 3
    assert len(group([voss[0], voss[2]])) == 1
