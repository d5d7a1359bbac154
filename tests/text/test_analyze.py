"""Everything of one text in one call."""

from __future__ import annotations

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import CueKind, ValueKind
from guard_desk.text.analyze import analyze_text


def test_all_parts_come_together() -> None:
    text = "Northwind Ferries acquired Delmar Lines on 3 May 2024 for $2 million. It never paid."
    found = analyze_text(text)
    assert found.languages == ("en",)
    assert len(found.sentences) == 2
    assert {value.kind for value in found.values} == {ValueKind.DATE, ValueKind.MONEY, ValueKind.ENTITY}
    assert [cue.meaning for cue in found.cues if cue.kind is CueKind.NEGATION] == ["not"]
    assert found.facts[0].predicate == "acquir"
    for value in found.values:
        assert value.span.of(text) == value.text


def test_entities_of_a_model_are_added() -> None:
    text = "Churn fell in harwick."
    assert [value.label for value in analyze_text(text, entities=[(Span(14, 21), "GPE")]).values] == ["GPE"]


def test_a_language_without_data_is_read_like_english() -> None:
    assert analyze_text("Привет, 5 раз.").languages == ("en",)


def test_an_empty_text_has_nothing() -> None:
    found = analyze_text("")
    assert not (found.sentences)
    assert not (found.values)
    assert not (found.cues)
    assert not (found.facts)
