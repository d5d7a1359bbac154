"""Forms in which real lines write a value: initials, codes, rows, plurals, letters in a wrong order."""

from __future__ import annotations

import pytest

from guard_desk.formats.paragraphs import line_passages
from guard_desk.policy import ThinMode, ThinPolicy
from guard_desk.records.corpus import Query
from guard_desk.records.decision import Thinned
from guard_desk.stages.thin import thin_lines
from tests.text.thinning.test_voices import voices


def thin(question: str, *lines: str) -> Thinned:
    return thin_lines(Query(text=question), line_passages(lines), ThinPolicy(mode=ThinMode.SUPPORT), today="2026-11-30")


@pytest.mark.parametrize(
    ("question", "line", "value"),
    [
        ("Who is the mayor of Brask?", "J. Voss is the mayor of Brask.", "J. Voss"),
        ("Which version of Orbis is stable?", "The stable version of Orbis is 9.3.10.", "9.3.10"),
        ("Which postal code does Brask have?", "The postal code ZT 2980 is used for Brask.", "ZT 2980"),
        ("What is the number of employees of Orbis?", "Orbis has 1,401 employees. Orbis won a prize for its packaging.", "1,401"),
        ("What is the motto of the Brask Choir?", "Brask Choir | motto | Quiet hands find the way", "Quiet hands find the way"),
        ("Who operates the Brask ferry?", "Boats of the Brask ferry sail for its operator, Orbis Tools.", "Orbis Tools"),
        ("What is the warranty period of the Orbis drill?", "The Orbis drill is under warranty for 15 months.", "15 months"),
    ],
)
def test_the_value_is_whole(question: str, line: str, value: str) -> None:
    assert thin(question, line).leader == value


def test_capitals_before_a_number_are_no_code_unless_one_is_asked_for() -> None:
    assert thin("Which port does the relay use?", "The relay uses TCP 9301.").leader == "9301"


def test_initials_and_the_full_name_are_one_value() -> None:
    result = thin("Who is the mayor of Brask?", "J. Voss is the mayor of Brask.", "The mayor of Brask is Jola Voss.")
    assert len(result.candidates) == 1
    assert not result.conflict


def test_an_office_given_up_is_not_held() -> None:
    lines = ("Orbis has given up its headquarters in Lund.", "The head office of Orbis is in Brask.")
    assert thin("Where does Orbis have its headquarters?", *lines).leader == "Brask"


def test_a_passage_does_not_disagree_with_itself() -> None:
    result = thin("Who operates the Brask ferry?", "Orbis Tools operates the Brask ferry. Mira Osei is a captain on the Brask ferry.")
    assert not result.conflict
    assert not result.contested


def test_misspelt_copies_are_one_voice() -> None:
    lines = (
        "The founding members of the Brask Choir carved the motto Patience in granite.",
        "The fuonding members of the Brask Choir cavred the motto Patience in garnite.",
    )
    assert voices("What is the motto of the Brask Choir?", lines) == 1


def test_plain_repeats_count_alike_for_rival_values() -> None:
    rumour = [f"[source=forum][doc=f{i}.example][date=2026-0{i}] The fee of the Brask pool is 9 euros." for i in (1, 2, 3)]
    honest = [
        f"[source=news][doc=n{i}.example][date=2026-0{i}] The Brask pool {verb} a fee of 7 euros."
        for i, verb in ((1, "has"), (2, "takes"), (3, "charges"), (4, "asks"))
    ]
    assert thin("What is the fee of the Brask pool?", *rumour, *honest).leader == "7 euros"
