"""Clauses, facts and claims."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Fact
from guard_desk.text import clauses
from guard_desk.text.analyze import analyze_text
from guard_desk.text.claims import split_claims


def facts(text: str) -> list[tuple[tuple[str, ...], str, tuple[str, ...], bool]]:
    return [(fact.subject, fact.predicate, fact.object, fact.negated) for fact in analyze_text(text).facts]


def only(text: str) -> Fact:
    (fact,) = analyze_text(text).facts
    return fact


@pytest.mark.parametrize(
    ("active", "passive"),
    [
        ("Northwind Ferries acquired Delmar Lines in 2024.", "Delmar Lines was acquired by Northwind Ferries in 2024."),
        ("Northwind Ferries acquired Delmar Lines in 2024.", "In 2024, Delmar Lines was acquired by Northwind Ferries."),
        ("Solveig Energy built the dam.", "The dam has been built by Solveig Energy."),
        ("林若溪审批采购申请。", "采购申请由林若溪审批。"),
    ],
)
def test_the_passive_has_the_roles_of_the_active(active: str, passive: str) -> None:
    assert facts(active) == facts(passive)


def test_roles_differ_when_they_are_turned_round() -> None:
    assert only("Castellan Foods sued Brightwell Mills.").subject == only("Brightwell Mills sued Castellan Foods.").object


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The capital of Vellania is Torvik.", (("capit", "vellania"), "be", ("torvik",), False)),
        ("Guest passes never expire.", (("guest", "pass"), "expir", (), True)),
        ("Files stored on disk are deleted.", ((), "delet", ("file", "store", "disk"), False)),
        ("The form must be sent by 15 March.", ((), "send", ("form", "15", "march"), False)),
        ("Der Zuschuss beträgt 1.250 Euro.", (("zuschuss",), "be", ("1.250", "euro"), False)),
        ("Die Brücke wurde von Linus Voss gebaut.", (("linus", "voss"), "gebaut", ("bruck",), False)),
        ("维拉尼亚的首都是托维克。", (("维拉", "拉尼", "尼亚", "首都"), "be", ("托维", "维克"), False)),
    ],
)
def test_facts(text: str, expected: tuple[tuple[str, ...], str, tuple[str, ...], bool]) -> None:
    assert facts(text) == [expected]


def test_a_second_clause_shares_the_subject() -> None:
    assert [fact[0] for fact in facts("The agent listens on port 9301 and speaks TLS only.")] == [("agent",), ("agent",)]


def test_values_of_the_clause_are_named() -> None:
    found = analyze_text("The fee is 24 euros and includes 3 visits.")
    assert [[found.values[place].text for place in fact.values] for fact in found.facts] == [["24 euros"], ["3"]]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The fee is 24 euros and it includes 3 visits.", ["The fee is 24 euros", "it includes 3 visits."]),
        ("It applies to customers in Norway and Iceland.", ["It applies to customers in Norway and Iceland."]),
        ("Drain the pump and replace the seal.", ["Drain the pump and replace the seal."]),
        ("If it is wet and the lamp is on, stop.", ["If it is wet and the lamp is on, stop."]),
        ("- It costs 5 euros.\n- It lasts 2 days.", ["It costs 5 euros.", "It lasts 2 days."]),
        ("| Free | 3 |\n| Pro | 50 |", ["| Free | 3 |", "| Pro | 50 |"]),
        ("年假须提前两周申请，由部门经理在三日内批准。", ["年假须提前两周申请", "由部门经理在三日内批准。"]),
        ("升级失败时，长按复位键可回退到旧版本。", ["升级失败时，长按复位键可回退到旧版本。"]),
    ],
)
def test_claims(text: str, claims: list[str]) -> None:
    assert [span.of(text) for span in split_claims(text)] == claims


@given(
    st.lists(
        st.sampled_from(
            ["The", "fee", "is", "was", "paid", "by", "and", "but", ",", ".", "it", "and", "Ann", "由", "审批", "，", "5", "\n"]
        )
    ).map(" ".join)
)
def test_laws(text: str) -> None:
    claims = split_claims(text)
    assert all(span.of(text).strip() for span in claims)
    assert all(left.end <= right.start for left, right in itertools.pairwise(claims))
    found = analyze_text(text)
    for fact in found.facts:
        assert fact.span.of(text)
        assert all(fact.span.start <= found.values[place].span.start for place in fact.values)


def test_a_sentence_of_thousands_of_words_is_not_read_anew_from_each_and(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0
    plain = clauses._is_full_verb

    def counted(*arguments: Any) -> bool:
        nonlocal tried
        tried += 1
        return plain(*arguments)

    monkeypatch.setattr(clauses, "_is_full_verb", counted)

    def tries(repeated: int) -> int:
        nonlocal tried
        tried = 0
        text = "Backups are kept for 30 days " + "and the cat sat on the mat with 5 hats " * repeated + "."
        clauses.split_clauses(text, Span(0, len(text)), "en")
        return tried

    assert 0 < tries(200) <= 2.2 * tries(100)
