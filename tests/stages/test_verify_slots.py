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


@pytest.mark.parametrize(
    ("passage", "answer", "wrong"),
    [
        ("The captain is Ola Berg and the goalkeeper is Finn Dahl.", "The goalkeeper is Ola Berg.", "Ola Berg"),
        ("The novel was written by Eva Strand and translated by Leo Marsh.", "The novel was translated by Eva Strand.", "Eva Strand"),
        ("The blue line runs every 5 minutes and the red line every 12 minutes.", "The red line runs every 5 minutes.", "5 minutes"),
        ("Erwachsene zahlen 10 Euro und Kinder 4 Euro.", "Kinder zahlen 10 Euro.", "10 Euro"),
        ("Le bus part à 8 h et arrive à 9 h 30.", "Le bus arrive à 8 h.", "8 h"),
        ("Das Fahrrad steht im Keller.", "Das Fahrrad steht in der Garage.", "Garage"),
        ("La llave está en la cocina.", "La llave está en el garaje.", "garaje"),
    ],
)
def test_what_belongs_elsewhere_is_wrong_here(passage: str, answer: str, wrong: str) -> None:
    assert [finding.text for finding in check([passage], answer).spans] == [wrong]


def test_both_parties_may_change_places_in_the_passive() -> None:
    passage = "Ashdown Paper sued Lindqvist Pulp for breach of contract."
    assert check([passage], "Lindqvist Pulp was sued by Ashdown Paper for breach of contract.").action is Action.PROCEED


def test_but_not_denies_what_follows() -> None:
    assert check(["Dogs are allowed in the garden but not in the pool."], "Dogs are not allowed in the pool.").action is Action.PROCEED


def test_before_is_not_after() -> None:
    assert kinds(check(["Open the window before you light the stove."], "Open the window after you light the stove.")) == ["negation"]


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        ("Entry costs 6 euros.", "The entry fee is 8 euros.", "Entry costs 6 euros."),
        ("Der Eintritt kostet 9 Euro.", "Für den Eintritt zahlt man 11 Euro.", "Der Eintritt kostet 9 Euro."),
    ],
)
def test_words_for_a_price_do_not_hide_a_conflict(first: str, second: str, answer: str) -> None:
    assert kinds(check([first, second], answer)) == ["conflict"]


def test_a_ban_may_be_worded_in_two_ways_in_chinese() -> None:
    assert check(["图书馆内禁止吸烟。"], "不能，图书馆内不得吸烟。", "图书馆能吸烟吗？").action is Action.PROCEED


@pytest.mark.parametrize("phrase", ["Studies show that the", "As everyone knows, the"])
def test_a_vague_opening_makes_no_claim(phrase: str) -> None:
    assert kinds(check(["The trail is safe in summer."], f"{phrase} trail is safe in summer.", "Is the trail safe?")) == ["vague"]


def test_never_opposes_always_in_a_short_sentence() -> None:
    assert kinds(check(["Nunca se puede aparcar en la plaza."], "Siempre se puede aparcar en la plaza.")) == ["negation"]


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("The company was founded in 1998 in Oslo and moved to Bergen in 2004.", "The company moved from Oslo to Bergen in 2004."),
        ("Mona married Ivar in 1970 and they moved to Rana in 1975.", "In 1975, Mona and Ivar moved to Rana."),
        ("Sales in Spain fell by 2% and in Portugal by 6%.", "In Portugal, sales fell by 6%."),
        ("Ola Berg leads the team and Finn Dahl trains it.", "The team is trained by Finn Dahl and led by Ola Berg."),
    ],
)
def test_another_order_leaves_names_and_values_in_their_places(passage: str, answer: str) -> None:
    assert check([passage], answer).action is Action.PROCEED


def test_no_with_the_passages_own_words_denies_nothing_more() -> None:
    answer = "Nein, im Hof darf nicht geparkt werden."
    assert check(["Im Hof darf nicht geparkt werden."], answer, "Darf ich im Hof parken?").action is Action.PROCEED
