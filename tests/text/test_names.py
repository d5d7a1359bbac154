"""Proper names by rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.text.entities import Found, clean_entities
from guard_desk.text.names import find_names, merge


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("The permit is issued by the Ministry of Inland Waters and Fisheries.", "en", ["Ministry of Inland Waters and Fisheries"]),
        ("Castellan Foods and Brightwell Mills settled.", "en", ["Castellan Foods", "Brightwell Mills"]),
        ("The accounts were audited by Fenwick & Sorrel.", "en", ["Fenwick & Sorrel"]),
        ("Zoë Müller-Brandt met Ingrid van der Meer.", "en", ["Zoë Müller-Brandt", "Ingrid van der Meer"]),
        ("The patent belongs to D’Arcy Marine.", "en", ["D’Arcy Marine"]),
        ("Restart Corvid Sync now.", "en", ["Corvid Sync"]),
        ("Weight of the Orbis 300: 2.8 kg.", "en", ["Orbis 300"]),
        ("In Harwick 212 beds are free.", "en", ["Harwick"]),
        ("It closes on Friday, 3 May 2027.", "en", []),
        ("Parents give notice.", "en", []),
        ("Torvik has trams. We like Torvik.", "en", ["Torvik", "Torvik"]),
        ("Set OPS_TOKEN in /etc/Harwick and send E1042 at 5 GB.", "en", []),
        ("The HSB answers.", "en", ["HSB"]),
        ("ROTATE THE SIGNING KEY EVERY DAY", "en", []),
        ("signed by Ingrid\nSolheim today", "en", ["Ingrid\nSolheim"]),
        ("Zuständig ist das Bauamt der Stadt Lünebach.", "de", ["Bauamt", "Stadt Lünebach"]),
        ("Die Frist beträgt drei Monate.", "de", []),
        ("La filial de Perú presentó el informe.", "es", ["Perú"]),
        ("采购申请由财务部的林若溪审批。", "zh", ["林若溪"]),
        ("听说白鹭网盘的文件保留三十天", "zh", ["白鹭网盘"]),
        ("周末打烊", "zh", []),
    ],
)
def test_names(text: str, language: str, names: list[str]) -> None:
    assert [span.of(text) for span, _ in find_names(text, language)] == names


def test_the_longer_of_two_stays_with_the_models_label() -> None:
    rule, model = (Span(0, 16), "NAME"), (Span(0, 7), "ORG")
    assert merge([rule], [model]) == ((Span(0, 16), "ORG"),)
    assert merge([], [model]) == (model,)


def test_model_entities_are_tidied() -> None:
    text = "The Harbour Board's report of 2026 names Rob. Churn fell for module net."
    found = [
        Found(Span(0, 19), "ORG"),
        Found(Span(30, 34), "DATE"),
        Found(Span(41, 44), "PER"),
        Found(Span(46, 51), "ORG"),
        Found(Span(61, 67), "ORG"),
    ]
    assert [(span.of(text), label) for span, label in clean_entities(text, found)] == [("Harbour Board", "ORG"), ("Rob", "PERSON")]


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from(["Ann", "of", "the", " ", ". ", "& ", "Bank", "7", "-", "林", "审批", "é"])).map("".join)
)
def test_laws(text: str) -> None:
    for code in lang.codes():
        names = find_names(text, code)
        assert all(0 <= span.start < span.end <= len(text) for span, _ in names)
        ordered = sorted(span.start for span, _ in names)
        assert len(set(ordered)) == len(ordered)
