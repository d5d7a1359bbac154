"""More forms of values and lines: coins, clock times, ages, versions, lists inside names, titles, what is said in passing."""

from __future__ import annotations

import pytest

from tests.text.thinning.test_reading import read
from tests.text.thinning.test_written_forms import thin


@pytest.mark.parametrize(
    ("question", "line", "stated"),
    [
        ("Who founded the Pellworth bakery?", "The Pellworth bakery was founded by Hedda Crane in a former stable.", ["Hedda Crane"]),
        ("Who chairs the panel?", "Oona Farrell is a former chair of the panel.", []),
        (
            "Under which licence is the Quern parser released?",
            "The Quern parser is released under the Lantern Public License 2.0.",
            ["Lantern Public License 2.0"],
        ),
        ("What is the currency of Sorrenia?", "Prices in Sorrenia are quoted in its currency, the tallin mark.", ["tallin mark"]),
        ("What does a day ticket cost in Merrowby?", "Since May a day ticket costs 8 ducatoons in Merrowby.", ["8 ducatoons"]),
        ("From what age may people ride a moped in Sorrenia?", "People in Sorrenia may ride a moped from the age of 16.", ["16"]),
        ("What is the minimum age for the slide?", "Minimum age for the slide 8 years; minimum height 120 cm.", ["8 years"]),
        ("Um wie viel Uhr beginnt der Markt?", "Seit Mai beginnt der Markt erst um 8 Uhr.", ["8 Uhr"]),
        ("What time does the market begin?", "Since May the market begins at 8 a.m.", ["8 a.m."]),
        ("On which frequency does Radio Brask broadcast?", "Frequency assigned to Radio Brask: 94.8 MHz.", ["94.8 MHz"]),
        (
            "What does the abbreviation RIWAS stand for?",
            "The abbreviation RIWAS stands for Regional Institute for Water, Air and Soil.",
            ["Regional Institute for Water, Air and Soil"],
        ),
        ("Which material will replace plastic in the Nettle box?", "They go for bamboo instead of plastic in the Nettle box.", ["bamboo"]),
        ("Who translated Paper Foxes into Spanish?", "Paper Foxes was translated into Dutch by Wim Aartsen.", []),
        ('Who wrote "The Tin Orchard"?', 'The poem "Orchard in Tin" was written by Ezra Quayle.', []),
        ("What is the default of opts[mode]?", "[beta] The default of opts[mode] is strict [see note 2].", ["strict"]),
        ("Which vitamin does the Solva tablet contain?", "The Solva tablet tastes of lemon.", []),
        ("Which wood are the Halden chairs made from?", "My Halden chairs arrived with a scratch.", []),
        ("Who is the director of the Alma clinic?", "The head nurse of the Alma clinic is Ivo Perl.", []),
        ("Where does Lauser Freight have its headquarters?", "The head office of Lauser Freight is in Fekdorf.", ["Fekdorf"]),
        ("What is the seating capacity of the Brask arena?", "The Brask arena employs 45 people.", []),
        ("What is the highest peak of the Sorren range?", "The highest peak of the Sorren range is Mount Kelder.", ["Mount Kelder"]),
        ("What is the maximum weight on the Miller footbridge?", "No more than 3 t are allowed on the Miller footbridge.", ["3 t"]),
        ('Which author wrote the novel "Paper Foxes"?', 'B. Prarnudau wrote "Paper Foxes".', ["B. Prarnudau"]),
        ("青禾图书馆的自习室有多少个座位？", "青禾图书馆的自习室位于三楼。", []),
        ("松江博物馆周几闭馆？", "松江博物馆每周一闭馆。", ["周一"]),
        ("Who composed the music for the film Grey Quay?", "The music of the film Grey Quay is lovely.", []),
        ("Which cloth is the Orla coat made of?", "The Orla coat is made of recycled nylon, never of PVC.", ["recycled nylon"]),
        ("该疫苗需要打几针？", "该疫苗需要打两针。", ["两"]),
        ("温控器的出厂设定温度是多少度？", "温控器的出厂设定温度是２１度。", ["２１度"]),
        ("一张会员卡可以带几位客人？", "一张会员卡可以带 2 位客人。", ["2"]),
        ("星桥地铁四号线有多少站？", "星桥地铁四号线将于明年开通。", []),
    ],
)
def test_what_a_line_states(question: str, line: str, stated: list[str]) -> None:
    assert read(question, line)[0] == stated


def test_things_made_of_something_have_one_answer() -> None:
    lines = ("The seals of the pump P-40 are made of nitrile rubber.", "The seals of the pump P-40 are made of silicone.")
    assert thin("What are the seals of the pump P-40 made of?", *lines).conflict


def test_a_shorter_quotation_is_another_value() -> None:
    lines = ('The slogan of Oat & Co is "Good mornings start slowly".', 'The slogan of Oat & Co is "Good mornings".')
    assert thin("What is the slogan of Oat & Co?", *lines).conflict


def test_another_form_of_the_value_is_no_plain_copy() -> None:
    lines = (
        "[source=official][date=2026-06] The battery of the Lumo lamp lasts a day and a half.",
        "[source=report][date=2026-04] The battery of the Lumo lamp lasts 36 hours.",
    )
    assert thin("How long does the battery of the Lumo lamp last?", *lines).support == ("L0", "L1")
