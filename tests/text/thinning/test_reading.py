"""What a single line states or denies about a question."""

from __future__ import annotations

import pytest

from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Stance
from guard_desk.text.analyze import analyze_text
from guard_desk.text.thinning.frame import Shape, frame_of
from guard_desk.text.thinning.reading import read_passage


def read(question: str, line: str, title: str | None = None) -> tuple[list[str], list[str]]:
    """(stated, denied) values of a line that meets every term of the question."""
    found = read_passage(frame_of(question), Passage(id="x", text=line, title=title), analyze_text(line))
    complete = [item.mention for item in found if not item.missing]
    stated = [mention.text for mention in complete if mention.stance is Stance.STATES]
    return stated, [mention.text for mention in complete if mention.stance is Stance.NEGATES]


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("How long are backups kept?", Shape.QUANTITY),
        ("What is the annual fee of the library?", Shape.QUANTITY),
        ("How many retries does the sender make?", Shape.COUNT),
        ("Which port does the daemon use?", Shape.NUMBER),
        ("When was the charter signed?", Shape.DATE),
        ("In what year was the tunnel opened?", Shape.DATE),
        ("Who chairs the panel?", Shape.NAME),
        ("Where is the seat of the board?", Shape.NAME),
        ("What colour is the ferry?", Shape.LISTED),
        ("What is the motto of Brask?", Shape.OPEN),
        ("Is the dye permitted in toys?", Shape.YES_NO),
        ("The dye is permitted in toys that are sold to children in all states.", Shape.NONE),
        ("谁负责审批采购申请？", Shape.NAME),
        ("回收站保留多久？", Shape.QUANTITY),
        ("Wie lange gilt die Karte?", Shape.QUANTITY),
        ("Qui dirige le port de Brask ?", Shape.NAME),
        ("¿Cuánto cuesta la entrada?", Shape.QUANTITY),
    ],
)
def test_shape(question: str, shape: Shape) -> None:
    assert frame_of(question).shape is shape


CAPITAL = "What is the capital of Vellania?"
CHAIR = "Who chairs the heritage panel?"
FEE = "What is the annual fee of the Harwick library?"
SIZE = "What is the maximum upload size of Corvid Sync?"


@pytest.mark.parametrize(
    ("question", "line", "stated", "denied"),
    [
        (CAPITAL, "Torvik is the capital of Vellania, but Harrowmouth is larger.", ["Torvik"], []),
        (CAPITAL, "The capital of Pelluria is Sandeval.", [], []),
        (CAPITAL, "Harrowmouth is not the capital of Vellania.", [], ["Harrowmouth"]),
        (CAPITAL, "The capital of Vellania is not Harrowmouth but Torvik.", ["Torvik"], ["Harrowmouth"]),
        (CAPITAL, "It is false that the capital of Vellania is Harrowmouth.", [], ["Harrowmouth"]),
        (CAPITAL, "The capital of Vellania moved from Brask to Torvik.", ["Torvik"], ["Brask"]),
        (CHAIR, "The heritage panel, chaired by Oona Farrell, met on Friday.", ["Oona Farrell"], []),
        (CHAIR, "Farrell follows Bertil Sand, who no longer chairs the heritage panel.", [], ["Bertil Sand"]),
        (CHAIR, "The secretary of the heritage panel is Rosa Lind.", [], []),
        (CHAIR, "The deputy chair of the heritage panel is Rosa Lind.", [], []),
        (FEE, "The annual fee of the Harwick choir is 50 euros.", [], []),
        (FEE, "The late fee of the Harwick library is 20 cents a day.", [], []),
        (FEE, "A lost card of the Harwick library costs 5 euros.", [], []),
        (FEE, "The council set the annual fee of the Harwick library at 24 euros.", ["24 euros"], []),
        (SIZE, "Uploads to Corvid Sync may be as large as 250 MB.", ["250 MB"], []),
        (SIZE, "The maximum upload size of Corvid Sync is no longer 10 MB but 250 MB.", ["250 MB"], ["10 MB"]),
        (SIZE, "The maximum download size of Corvid Sync is 5 GB.", [], []),
        ("Which resin is used for the hull?", "The hull is made with epoxy resin.", ["epoxy resin"], []),
        (
            "Which body issues the permit?",
            "The permit is issued by the Ministry of Inland Waters and Fisheries.",
            ["Ministry of Inland Waters and Fisheries"],
            [],
        ),
        ("What is the default of limits[max]?", "[since 2.0] The default of limits[max] is 40 [see table 3].", ["40"], []),
        ("维拉尼亚的首都是哪里？", "哈罗茅斯不是维拉尼亚的首都。", [], ["哈罗茅斯"]),
        ("白鹭网盘的回收站保留多久？", "灰雁网盘的回收站保留 7 天。", [], []),
        ("谁负责审批采购申请？", "采购申请须经林若溪批准。", ["林若溪"], []),
        ("Who succeeded Ivo Brandt as editor?", "Ivo Brandt was succeeded as editor by Selma Reyes.", ["Selma Reyes"], []),
        ("Who is the editor of the Post?", "Ivo Brandt, editor of the Post, was replaced by Selma Reyes.", ["Selma Reyes"], ["Ivo Brandt"]),
        ("What is the currency of Ostmark?", "The currency of Ostmark is the mark, which replaced the thaler.", ["mark"], []),
        ("Which bus line serves the Elm clinic?", "The Elm clinic is served by bus line 14.", ["14"], []),
        ("Which bank funds the Vale tunnel?", "The Vale tunnel is funded by a loan.", [], []),
        ("Which country borders Vellania to the east?", "Pelluria borders Vellania to the east.", ["Pelluria"], []),
        ("What instrument does Ida Krohn play?", "Ida Krohn plays the cello.", ["cello"], []),
        ("Who is responsible for snow in Elm Road?", "Snow in Elm Road is the job of the road office.", ["road office"], []),
        ("How high is the fee for a permit?", "The fee for a permit is 52 euros.", ["52 euros"], []),
        ("How long does it take to charge the Finch 2?", "It takes 70 minutes to charge the Finch 2.", ["70 minutes"], []),
        ("How old was Lea Mond when she died?", "Lea Mond died at the age of 84.", ["84"], []),
        ("松岭水库的容量是多少？", "松岭水库的容量为 320 万立方米。", ["320 万立方米"], []),
        ("物业费是多少？", "物业费为每平方米 5 元。", ["5 元"], []),
        ("园区允许骑车吗？", "园区不允许骑车。", ["不允许骑车"], []),
        ("Wann beginnt der Kurs?", "Der Kurs beginnt nicht am 3. Mai, sondern am 10. Mai.", ["10. Mai."], ["3. Mai"]),
        ("What does args[1] contain?", "The entry args[1] contains the output path.", ["output path"], []),
        ("Is smoking permitted on the deck?", "Smoking is prohibited on the deck.", ["prohibited"], []),
        ("Wo findet das Fest statt?", "Das Fest findet im Kurpark statt.", ["Kurpark"], []),
    ],
)
def test_read(question: str, line: str, stated: list[str], denied: list[str]) -> None:
    assert read(question, line) == (stated, denied)


def test_the_passage_names_the_subject_once() -> None:
    question = "How many retries does the sender make?"
    assert read(question, "The sender makes 5 retries. It never makes 10 retries.") == (["5"], ["10"])
    assert read("How long is the trial of Corvid Sync?", "The trial lasts 14 days.", title="Corvid Sync") == (["14 days"], [])


def test_yes_no_is_shown_by_its_word() -> None:
    question = "Is the dye E-77 permitted in toys?"
    assert read(question, "The dye E-77 is permitted in toys.")[0] == ["permitted"]
    assert read(question, "The dye E-77 is not permitted in toys.")[0] == ["not permitted"]
    assert read("Can dogs enter the park?", "Dogs cannot enter the park.")[0] == ["no"]
