"""Kinds of answers that need a reader of their own: how often, why, whole codes; and lines that bear out a value in other words."""

from __future__ import annotations

import pytest

from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Stance
from guard_desk.text.analyze import analyze_text
from guard_desk.text.thinning.corroboration import corroborating
from guard_desk.text.thinning.coverage import view
from guard_desk.text.thinning.frame import frame_of
from guard_desk.text.thinning.mentions import Mention, text_key
from guard_desk.text.thinning.reading import read_passage
from guard_desk.text.thinning.rhythm import rhythms


def mentions(question: str, line: str) -> list[Mention]:
    found = read_passage(frame_of(question), Passage(id="x", text=line), analyze_text(line))
    return [item.mention for item in found if not item.missing]


def stated(question: str, line: str) -> list[str]:
    return [mention.text for mention in mentions(question, line) if mention.stance is Stance.STATES]


@pytest.mark.parametrize(
    ("text", "language", "spans", "canonical"),
    [
        ("It is cleaned twice a year.", "en", ["twice a year"], ["6 month"]),
        ("It is cleaned every six months.", "en", ["every six months"], ["6 month"]),
        ("It is cleaned three times a week.", "en", ["three times a week"], ["201600 s"]),
        ("It is cleaned every other day.", "en", ["every other day"], ["172800 s"]),
        ("It is cleaned monthly.", "en", ["monthly"], ["1 month"]),
        ("Es wird zweimal im Jahr gereinigt.", "de", ["zweimal im Jahr"], ["6 month"]),
        ("每周清洗两次。", "zh", ["每周清洗两"], ["302400 s"]),
    ],
)
def test_rhythms_are_the_time_between_two_occasions(text: str, language: str, spans: list[str], canonical: list[str]) -> None:
    facts = analyze_text(text)
    found = list(rhythms(view(text, facts.sentences[0], language), facts.values, language))
    assert [value.text for value in found] == spans
    assert [value.canonical for value in found] == canonical


@pytest.mark.parametrize(
    ("question", "line", "answers"),
    [
        ("How often is the filter replaced?", "The filter is replaced twice a year.", ["twice a year"]),
        ("Why was the Dunmallow mine closed?", "The Dunmallow mine was closed because of flooding on the lower levels.", ["flooding"]),
        ("What caused the fire at the Holm mill?", "A short circuit caused the fire at the Holm mill.", ["short circuit"]),
        ("What caused the fire at the Holm mill?", "The fire at the Holm mill was caused by a cigarette.", ["cigarette"]),
        ("为什么三号线停运？", "三号线因信号故障停运。", ["信号故障"]),
        (
            "What is the emergency number of the Kaldur rescue?",
            "The emergency number of the Kaldur rescue is 0140 770 99.",
            ["0140 770 99"],
        ),
        ("What is the grid reference of Tarn Hut?", "Tarn Hut, grid reference NK 4471 2093, sleeps twelve.", ["NK 4471 2093"]),
        (
            "What is the email address of the Kell library?",
            "The email address of the Kell library is info@kell.example.",
            ["info@kell.example"],
        ),
        ("How many kilocalories are in one Brannigan bar?", "One Brannigan bar has 124 kcal.", ["124 kcal"]),
        ("What is the fine for smoking in Pellworth?", "Smoking in Pellworth is fined with 40 pounds.", ["40 pounds"]),
        ("Are drones allowed in the Lyrefen park?", "It is forbidden to fly drones anywhere in the Lyrefen park.", ["forbidden"]),
        ("星槎号考察船的船长是谁？", "星槎号考察船由船长顾清澜指挥。", ["顾清澜"]),
        ("图书馆新馆是哪家事务所设计的？", "图书馆新馆由远岫建筑事务所设计。", ["远岫建筑事务所"]),
        ("三号线每隔几分钟发车？", "四号线每 9 分钟发车。", []),
        ("What share of the power of Norvale came from wind in 2025?", "In 2024 33 % of the power of Norvale came from wind.", []),
    ],
)
def test_answers(question: str, line: str, answers: list[str]) -> None:
    assert stated(question, line) == answers


def test_money_in_pounds_is_one_value_with_a_sign_or_without() -> None:
    question = "What is the fine for smoking in Pellworth?"
    values = [mentions(question, f"The fine for smoking in Pellworth is {text}.")[0].value for text in ("40 pounds", "£40")]
    assert values[0] is not None
    assert values[1] is not None
    assert values[0].canonical == values[1].canonical


def test_telephone_numbers_are_compared_without_their_spaces() -> None:
    assert text_key("0140 990 17") == text_key("0140-990-17") == "014099017"


@pytest.mark.parametrize(
    ("line", "denied"),
    [
        ("At 0.182 km the Brannoch mast is no giant, but it is tall.", []),
        ("The Brannoch mast is not 190 m tall.", ["190 m"]),
    ],
)
def test_no_with_a_noun_of_its_own_denies_no_value(line: str, denied: list[str]) -> None:
    found = mentions("How tall is the Brannoch mast?", line)
    assert [mention.text for mention in found if mention.stance is Stance.NEGATES] == denied


VARNISH = "How long must Hoyt's floor varnish dry before it can be walked on?"


@pytest.mark.parametrize(
    ("line", "borne_out"),
    [
        ("Hoyt's floor varnish was firm enough to walk on after one and a half days.", "one and a half days"),
        ("Hoyt's floor varnish was firm enough to walk on after two days.", None),
        ("Varnish was firm enough to walk on after 36 hours of drying.", None),
        ("Hoyt's floor varnish was not firm enough to walk on after 36 hours.", None),
    ],
)
def test_a_line_with_the_same_value_bears_it_out(line: str, borne_out: str | None) -> None:
    frame = frame_of(VARNISH)
    known = mentions(VARNISH, "Hoyt's floor varnish must dry for 36 hours before it can be walked on.")
    assert known
    found = corroborating(frame, Passage(id="x", text=line), analyze_text(line), known)
    assert (None if found is None else found.mention.text) == borne_out
