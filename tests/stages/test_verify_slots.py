"""Whose value it is, which noun stands in a place, and which words are opposites: the smallest inputs that once failed."""

from __future__ import annotations

import pytest

from guard_desk.records.answer import Action
from tests.stages.test_verify import check, kinds


@pytest.mark.parametrize(
    ("passage", "answer", "kind"),
    [
        ("The church was built in 1834 and restored in 1902.", "The church was built in 1902.", "date"),
        ("The strike began on 7 May 2026 and ended on 19 May 2026.", "The strike began on 19 May 2026.", "date"),
        ("The shift starts at 6:00 and ends at 14:00.", "The shift ends at 6:00.", "time"),
        ("Adults pay 12 euros, children 7 euros.", "Adults pay 7 euros, children 12 euros.", "money"),
    ],
)
def test_a_value_of_something_else_in_the_same_sentence_is_wrong(passage: str, answer: str, kind: str) -> None:
    assert kinds(check([passage], answer)) == [kind]


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("The chemist opens at 8 am and closes at 6:30 pm.", "The chemist is open from 08:00 to 18:30."),
        ("The strike began on 7 May 2026 and ended on 19 May 2026.", "The strike ended on 19 May 2026."),
        ("Adults pay 12 euros, children 7 euros.", "Children pay 7 euros, adults 12 euros."),
    ],
)
def test_a_value_in_its_own_place_is_right(passage: str, answer: str) -> None:
    assert check([passage], answer).action is Action.PROCEED


@pytest.mark.parametrize(
    ("passage", "answer", "wrong"),
    [
        ("The patient is allergic to penicillin.", "The patient is allergic to aspirin.", "aspirin"),
        ("The lid of the bin is yellow.", "The lid of the bin is blue.", "blue"),
        ("The lift is inspected by the fire brigade.", "The lift is inspected by the police.", "police"),
        ("药品存放在冷藏柜。", "药品存放在抽屉。", "抽屉"),
    ],
)
def test_another_noun_in_the_place_of_the_passages_noun_is_wrong(passage: str, answer: str, wrong: str) -> None:
    result = check([passage], answer)
    assert [(finding.text, str(finding.kind)) for finding in result.spans] == [(wrong, "entity")]


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("The clinic is funded by the World Health Organization.", "The clinic is funded by the WHO."),
        ("The fee was waived.", "The fee was cancelled."),  # a verb may be said in many ways
        ("The archive is next to the lift.", "The archive is next to the elevator."),
    ],
)
def test_another_word_for_the_same_thing_is_right(passage: str, answer: str) -> None:
    assert check([passage], answer).action is Action.PROCEED


def test_letters_tell_things_of_one_kind_apart() -> None:
    halls = ["Hall A has 200 seats.", "Hall B has 300 seats."]
    assert check(halls, "Hall A has 200 seats.").action is Action.PROCEED
    assert kinds(check(halls, "Hall A has 300 seats.")) == ["number"]


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("Prices fell in March.", "Prices rose in March."),
        ("Insurance is optional for members.", "Insurance is mandatory for members."),
        ("The policy excludes flood damage.", "The policy covers flood damage."),
    ],
)
def test_opposite_words_oppose_short_sentences(passage: str, answer: str) -> None:
    assert kinds(check([passage], answer)) == ["negation"]


def test_an_acronym_with_stops_is_a_name() -> None:
    assert check(["The firm is registered in the United States."], "The firm is registered in the U.S.").action is Action.PROCEED
    assert kinds(check(["The firm is registered in the U.S."], "The firm is registered in the U.K.")) == ["entity"]


def test_am_before_a_dash_is_no_identifier() -> None:
    assert check(["The counter is open from 9:00 to 17:00."], "The counter is open 9 am–5 pm.").action is Action.PROCEED
