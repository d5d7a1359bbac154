from __future__ import annotations

import pytest

from guard_desk.text.evidence_marks import mark_evidence
from guard_desk.text.passage_reading import read_passage
from guard_desk.text.premise import premises
from guard_desk.text.premise_checks import PremiseVerdict, check_premises
from guard_desk.text.question_reading import read_question


def verdict(question: str, text: str, title: str | None = None) -> PremiseVerdict:
    reading = read_question(question)
    return check_premises(reading, premises(question), read_passage(text, title, reading.language))


@pytest.mark.parametrize(
    ("question", "form", "asked"),
    [
        ("Why is the gate closed?", "reason", None),
        ("How do I open the gate?", "manner", None),
        ("Does the gate open on Sundays?", "boolean", None),
        ("When was the gate built?", "open", "date"),
        ("How much does the ticket cost?", "open", "money"),
        ("How long are logs kept?", "open", "duration"),
        ("Who designed the gate?", "open", "person"),
        ("What is the penalty for late delivery?", "open", "money"),
        ("试用账号能导出数据吗？", "boolean", None),
        ("展览为什么在周一开放？", "reason", None),
        ("Warum ist das Tor geschlossen?", "reason", None),
        ("¿Por qué está cerrado el museo?", "reason", None),
    ],
)
def test_form_and_asked_kind(question: str, form: str, asked: str | None) -> None:
    reading = read_question(question)
    assert reading.form == form
    assert asked is None or asked in reading.asked


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("Since the trial lasts 60 days, when do I pay?", ["the trial lasts 60 days"]),
        ("Guest passes expire after 90 days; how do I extend one?", ["Guest passes expire after 90 days"]),
        ("The bridge was opened in 1931. Who cut the ribbon?", ["The bridge was opened in 1931"]),
        ("How do I migrate now that the v1 endpoint has been removed?", ["the v1 endpoint has been removed"]),
        ("年假有二十天，怎么分三次休完？", ["年假有二十天"]),
        ("Why is the tunnel closed?", []),
    ],
)
def test_stated_premises(question: str, stated: list[str]) -> None:
    assert [premise.span.of(question) for premise in premises(question) if premise.stated] == stated


def test_an_open_yes_no_question_takes_nothing_for_granted() -> None:
    assert premises("Do guest passes ever expire?") == ()
    assert [premise.stated for premise in premises("Given that the error is 5%, should I average?")] == [True]


@pytest.mark.parametrize(
    ("check", "question", "text"),
    [
        ("quantity", "Since the trial of Corvid Sync lasts 60 days, when do I pay?", "The trial of Corvid Sync lasts 14 days."),
        ("quantity", "Why is the shaft of the mine 85 metres deep?", "The shaft of the mine is 85 feet deep."),
        (
            "date",
            "Why was the Aldport tunnel opened in 1994?",
            "Work on the Aldport tunnel began in 1994. It was opened to traffic in 2001.",
        ),
        ("denial", "Guest passes expire after 90 days; how do I extend one?", "Guest passes never expire."),
        ("denial", "Where do I find the dark mode switch in Lumen Vault 4?", "Lumen Vault 4 has no dark mode."),
        ("opposite", "Why is the north tunnel still closed?", "The north tunnel was reopened to all traffic on Monday."),
        ("opposite", "Why are none of the trains on line 8 accessible?", "All trains on line 8 have had ramps since 2022."),
        ("entity", "Why did Petra Halloran design the Saltmarsh bridge?", "The Saltmarsh bridge was designed by Linus Voss."),
        ("order", "Why did the tenant have to compensate the landlord?", "In this case the landlord had to compensate the tenant."),
        ("quantity", "Warum beträgt die Kündigungsfrist sechs Monate?", "Die Kündigungsfrist beträgt drei Monate."),
        ("quantity", "Who sings the second verse of the anthem?", "The anthem has a single verse, sung by all."),
        ("denial", "Since no bus stops at the clinic, how do I get there?", "All buses of line 3 stop at the clinic."),
        ("denial", "How much nickel is in the coin alloy?", "The coin alloy is made of copper and zinc only."),
        ("denial", "怎么修改系统自动生成的密码？", "系统不会自动生成密码，用户须自行设置。"),
        ("opposite", "Why is the office shut on Fridays?", "The office is open on Fridays from 8 to 12 and is shut on Sundays."),
        ("entity", "Warum hat Kurt Ebel das Museum gegründet?", "Das Museum wurde 1954 von Helene Brandis gegründet."),
        ("entity", "Why is Low Marsh the seat of the water office?", "The seat of the water office is Kestrel Bay."),
        ("opposite", "Why is the Finch 2 heavier than the Heron?", "The Heron is heavier than the Finch 2."),
        ("order", "Why did the tenant compensate the landlord?", "The tenant was compensated by the landlord."),
    ],
)
def test_what_denies_a_premise(check: str, question: str, text: str) -> None:
    found = verdict(question, text)
    assert found.strength(check) >= 0.5
    for item in found.found:
        assert all(0 <= span.start < span.end <= len(text) for span in item.spans)
        assert all(0 <= span.start < span.end <= len(question) for span in item.query_spans)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("The trial ends after two weeks. What happens then?", "After the 14-day trial, projects are locked."),
        ("Access keys expire after 90 days; how do I renew one?", "Access keys expire after 90 days. Press Renew."),
        ("Why is shipping free for my 120-euro order?", "Orders above 80 euros ship free of charge."),
        (
            "How do I run the job during maintenance with --force?",
            "Jobs do not run during maintenance unless they are started with --force.",
        ),
        ("Why doesn't the sensor work below freezing?", "Below 0 °C the sensor gives no reading."),
        ("Why was the farm limited to seven turbines?", "Only seven turbines were allowed because an eagle nests there."),
        ("Do guest passes ever expire?", "Guest passes never expire."),
        ("Why is the office shut on Sundays?", "The office is shut on Sundays because mail is not sorted then."),
        ("Why is the office shut on Sundays?", "The office is open on Fridays from 8 to 12."),
        ("Why does the Kell branch open at 7?", "The Tessen branch opens early."),
        ("Why was the tenant sued by the landlord?", "The landlord sued the tenant over the rent."),
        ("How do members enter the club?", "The club admits members only. They enter by the garden."),
    ],
)
def test_what_agrees_with_a_premise(question: str, text: str) -> None:
    assert all(item.strength < 0.5 for item in verdict(question, text).found)


@pytest.mark.parametrize(
    ("question", "title", "text"),
    [
        (
            "How is the 30-day limit of the Boreas workspace changed?",
            "Atlas workspace limits",
            "In the Atlas workspace the limit is 7 days.",
        ),
        ("Why does the Lisbon office close at 16:00?", "Porto office", "The Porto office is open until 18:00."),
        ("How did revenue reach 9 million in 2026?", "Results for 2024", "In 2024 the company reported revenue of 5 million."),
    ],
)
def test_another_scope_is_noticed(question: str, title: str, text: str) -> None:
    assert verdict(question, text, title).other_scope


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("How long are audit logs kept?", "Audit logs are kept for 90 days.", 1.0),
        ("How long are audit logs kept?", "Audit logs can be searched by user and action.", 0.0),
        ("Who audited Rowanfield Trust?", "Rowanfield Trust was audited by Castell & Moor.", 1.0),
        ("Who audited Rowanfield Trust?", "The accounts of Rowanfield Trust were audited.", 0.0),
        ("Why did the fair move?", "The fair moved because the square was being paved.", 1.0),
        ("Why did the fair move?", "The fair moved to the harbour.", 0.0),
        ("How do I renew a key?", "Press Renew next to the key and copy the new value.", 1.0),
        ("What does the ticket cost?", "The ticket costs 4.90 euros.", 1.0),
        ("What does the ticket cost?", "The ticket is sold at the desk.", 0.0),
    ],
)
def test_whether_the_asked_kind_is_stated(question: str, text: str, found: float) -> None:
    reading = read_question(question)
    mark = mark_evidence(reading, read_passage(text, None, reading.language))
    assert mark.found == found


def test_a_question_for_a_way_asks_for_no_measure() -> None:
    assert read_question("Share links expire after 30 days, so how do I extend that window?").asked == frozenset()
    assert "percent" in read_question("What is the share of paper?").asked
