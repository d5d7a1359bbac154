from __future__ import annotations

import pytest

from guard_desk.records.corpus import Passage
from guard_desk.text.analyze import analyze_text
from guard_desk.text.support.entities import Names
from guard_desk.text.support.pool import Pool
from guard_desk.text.support.views import view


def names(*texts: str, title: str | None = None, question: str = "") -> Names:
    passages = [Passage(id=f"p{number}", text=text, title=title) for number, text in enumerate(texts)]
    pool = Pool(passages, [analyze_text(text) for text in texts], [analyze_text(title) if title else None for _ in texts])
    return Names(pool, view(question, analyze_text(question)) if question else None)


@pytest.mark.parametrize(
    ("passage", "name"),
    [
        ("It is led by Petra Halloran.", "petra halloran"),
        ("It is led by PETRA HALLORAN.", "Petra Halloran"),
        ("Author: Halloran, Petra. Editor: Voss, Linus.", "Petra Halloran"),
        ("It is led by P. Halloran.", "Petra Halloran"),
        ("It is led by Petra Halloran.", "P. Halloran"),
        ("It is led by Dr. Petra Halloran.", "Petra Halloran"),
        ("It is led by Petra Halloran.", "Dr. Halloran"),
        ("It is led by Petra Halloran.", "Halloran"),
        ("It was designed by Zoë Müller-Brandt.", "Zoe Muller-Brandt"),
        ("La sede está en Logroño.", "Logroño"),
        ("The patent belongs to D'Arcy Marine.", "D’Arcy Marine"),
        ("Signed by Ingrid\nSolheim for us.", "Ingrid Solheim"),
        ("Signed by Ingrid Solheim.", "Ingrid\u202fSolheim"),
        ("The shareholders of Tarn Valley Dairy agreed.", "Tarn Valley Dairy's"),
        ("The Kestrel-7 valve failed.", "Kestrel-7 valves"),
        ("Run by the Harbour Safety Board (HSB).", "HSB"),
        ("Run by the Harbour Safety Board.", "HSB"),
        ("Run by the Harbour Safety Board.", "the Harbour Safety Board"),
        ("Stored in the United Kingdom.", "UK"),
        ("The bar is in Goleta, CA.", "California"),
        ("The bar is in Goleta, California.", "CA"),
        ("The mill is in Salem, OR.", "Oregon"),
        ("Stored in the U.K. only.", "United Kingdom"),
        ("Stored in the United Kingdom.", "U.K."),
        ("Audited by Fenwick & Sorrel.", "Fenwick and Sorrel"),
        ("采购申请由财务部的林若溪审批。", "林若溪"),
    ],
)
def test_one_name_in_other_forms(passage: str, name: str) -> None:
    found = names(passage).find(name)
    assert found
    assert found[0].place is not None


@pytest.mark.parametrize(
    ("passage", "name"),
    [
        ("The probe was calibrated.", "Rob"),
        ("The annual report is out.", "Ann"),
        ("Audited by Fenwick & Sorrel.", "Fenwick & Marlowe"),
        ("Audited by Fenwick & Sorrel with help from Marlowe.", "Fenwick & Marlowe"),
        ("It is led by Petra Halloran.", "Paula Halloran"),
        ("It is led by Petra Halloran.", "Petra Hallorane"),
        ("The congress takes place in Tarragona.", "Zaragoza"),
        ("采购申请由财务部的林若溪审批。", "林若曦"),
        ("Run by the Harbour Safety Board.", "HSA"),
        ("Bring it in or leave it to me.", "Oregon"),
        ("The bar is in Goleta, CA.", "Colorado"),
        ("Flights are covered by the Civil Airspace Order.", "Harbour Safety Act"),
    ],
)
def test_another_name(passage: str, name: str) -> None:
    assert not names(passage).find(name)


def test_a_name_in_the_title_counts_and_says_so() -> None:
    found = names("The app keeps both.", title="Corvid Sync: conflict handling").find("Corvid Sync")
    assert found[0].place is not None
    assert found[0].place.in_title


def test_a_name_of_the_question_is_known_but_no_evidence() -> None:
    found = names("The app keeps both.", question="What does Corvid Sync do?").find("Corvid Sync")
    assert [mention.place for mention in found] == [None]
