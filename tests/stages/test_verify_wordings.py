"""Duties, conditions, order, shares and medicines that an answer changes, and what it says in other words."""

from __future__ import annotations

import pytest

from guard_desk.progress import RunContext
from guard_desk.records.answer import Action, Kind, Label, Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.stages.verify import verify_answer
from guard_desk.text.analyze import analyze_text


def check(answer: str, *texts: str) -> Verified:
    passages = [Passage(id=f"p{number}", text=text) for number, text in enumerate(texts, 1)]
    facts = [analyze_text(text) for text in texts]
    return verify_answer(Query(text="?"), passages, facts, [None] * len(texts), answer, None, RunContext())


PHOTOS = "Visitors may take photographs in the hall."
TICKET = "Refunds are paid only if the ticket is returned within ten days."
RELAY = "Kenya finished second in the relay."
CITY = "It is the second largest city of the country."
FIFTH = "One in five pupils walks to school."


@pytest.mark.parametrize(
    ("passage", "answer", "kind"),
    [
        (PHOTOS, "Visitors must take photographs in the hall.", Kind.NEGATION),
        ("Staff need not wear a tie.", "Staff must not wear a tie.", Kind.NEGATION),
        ("Staff must not wear a tie.", "Staff need not wear a tie.", Kind.NEGATION),
        ("Besucher dürfen in der Halle fotografieren.", "Besucher müssen in der Halle fotografieren.", Kind.NEGATION),
        ("Les visiteurs peuvent prendre des photos.", "Les visiteurs doivent prendre des photos.", Kind.NEGATION),
        ("访客可以在大厅拍照。", "访客必须在大厅拍照。", Kind.NEGATION),
        (TICKET, "Refunds are paid even if the ticket is not returned within ten days.", Kind.NEGATION),
        ("You may enter if you have a badge.", "You may enter unless you have a badge.", Kind.NEGATION),
        ("Some members voted in May.", "All members voted in May.", Kind.NEGATION),
        ("Most trains stop at the border.", "Every train stops at the border.", Kind.NEGATION),
        ("Entry is free except on Mondays.", "Entry is free on Mondays.", Kind.NEGATION),
        (RELAY, "Kenya finished third in the relay.", Kind.NUMBER),
        (CITY, "It is the largest city of the country.", Kind.NUMBER),
        ("Das Team wurde zweiter in der Staffel.", "Das Team wurde dritter in der Staffel.", Kind.NUMBER),
        ("Mix resin and hardener at 4:1.", "Mix resin and hardener at 1:4.", Kind.NUMBER),
        (FIFTH, "25 percent of the pupils walk to school.", Kind.PERCENT),
        ("About 20% of pupils walk to school.", "One in six pupils walks to school.", Kind.NUMBER),
        ("Patients were given ibuprofen after surgery.", "Patients were given paracetamol after surgery.", Kind.ENTITY),
        ("Patients rested for two days after surgery.", "Patients received atorvastatin after surgery.", Kind.ENTITY),
    ],
)
def test_changed(passage: str, answer: str, kind: Kind) -> None:
    found = check(answer, passage)
    assert [item.kind for item in found.spans] == [kind]
    assert found.action is Action.REVIEW


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        (PHOTOS, "Visitors can take photographs in the hall."),
        ("Staff must wear a badge.", "Staff are required to wear a badge."),
        ("You may not enter unless you have a badge.", "You may enter if you have a badge."),
        ("Refunds are paid if the ticket is returned.", "Refunds are paid if the ticket is returned."),
        ("Although it rained, the match was played.", "The match was played although it rained."),
        ("All members voted in May.", "Each member voted in May."),
        ("All members voted in May.", "Some members voted in May."),
        ("Some members voted, and all guests left.", "Some members voted, and all guests left."),
        ("Entry is free except on Mondays.", "Except on Mondays, entry is free."),
        ("Entry is free except on Mondays.", "Entry is not free on Mondays."),
        (RELAY, "Kenya came second in the relay."),
        (CITY, "It is the second-largest city of the country."),
        (CITY, "It is the country's second largest city."),
        ("First, mix the flour. Second, add the eggs.", "Second, mix the flour. Third, add the eggs."),
        ("Mix resin and hardener at 4:1.", "Resin and hardener are mixed at 4 : 1."),
        ("The mix is two parts cement to one part sand.", "The mix is 2:1 cement to sand."),
        (FIFTH, "20 percent of the pupils walk to school."),
        ("About 20% of pupils walk to school.", "One in five pupils walks to school."),
        ("3 out of 4 members voted.", "75% of the members voted."),
        ("Patients were given ibuprofen after surgery.", "After surgery, ibuprofen was given to the patients."),
        ("Patients were given ibuprofen after surgery.", "Patients were given painkillers after surgery."),
        ("Open Monday to Sunday from 9:00 to 17:00.", "It is open seven days a week from 9:00 to 17:00."),
        ("A jury convicted a man of theft.", "Sure! Here is the summary within 93 words: A jury convicted a man of theft."),
        ("Anna earns 30 euros. Ben earns 40 euros.", "| name | pay |\n|---|---|\n| Anna | 30 euros |\n| Ben | 40 euros |"),
    ],
)
def test_the_same_in_other_words(passage: str, answer: str) -> None:
    assert check(answer, passage).spans == ()


def test_a_duty_that_another_passage_has_is_no_finding() -> None:
    assert check("Visitors must take photographs in the hall.", PHOTOS, "Visitors must take photographs in the hall.").spans == ()


def test_seven_days_need_seven_days() -> None:
    found = check("It is open seven days a week.", "It is open Monday to Friday.")
    assert ["seven days" in item.text for item in found.spans] == [True]


def test_opposite_words_of_two_passages_are_a_conflict() -> None:
    found = check("The pool is open in winter.", "The pool is open in winter.", "In winter the pool is closed.")
    (item,) = found.spans
    assert (item.kind, item.label) == (Kind.CONFLICT, Label.CONFLICT)
    assert [evidence.passage_id for evidence in item.evidence] == ["p1", "p2"]


def test_notes_say_what_stands_instead() -> None:
    (ordinal,) = check("Kenya finished third in the relay.", RELAY).spans
    assert ordinal.note == "passages say second here (p1)"
    (medicine,) = check("Patients were given paracetamol after surgery.", "Patients were given ibuprofen after surgery.").spans
    assert "ibuprofen" in medicine.note
    (duty,) = check("Visitors must take photographs in the hall.", PHOTOS).spans
    assert "may be" in duty.note


def test_the_wrong_sentence_at_the_end_of_four_hundred_words() -> None:
    line = "The garden has a path of white stones and a bench beside pond number {}."
    passage = " ".join(line.format(number) for number in range(1, 31))
    long = check(f"{passage} Backups are kept for nine days.", f"{passage} Backups are kept for seven days.")
    assert [item.text for item in long.spans] == ["nine days"]
