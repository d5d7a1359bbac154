"""Cues: synonyms share a meaning, opposites differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import CueKind
from guard_desk.text.languages import detect
from guard_desk.text.polarity import antonyms, find_cues, negated_at

CASES = Path(__file__).parents[1] / "data" / "dedup_dev.jsonl"
CUE_GUARDS = {"negation", "modality", "condition", "quantifier", "direction", "comparison", "status"}


def meanings(text: str, *languages: str) -> set[str]:
    return {f"{cue.kind}:{cue.meaning}" for cue in find_cues(text, languages or ("en",))}


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("It isn't ready", "en", {"negation:not"}),
        ("It is ready", "en", set()),
        ("They never do that", "en", {"negation:not"}),
        ("a non-resistant, unpainted wall", "en", {"negation:not"}),
        ("unlock the unique unit until noon", "en", {"direction:enable", "condition:until"}),
        ("You must not enter", "en", {"negation:not", "modality:cannot"}),
        ("Entering is prohibited", "en", {"negation:not", "modality:cannot"}),
        ("You may enter", "en", {"modality:may"}),
        ("It started in May 2026, on 3 May", "en", {"direction:start"}),
        ("Not only managers", "en", set()),
        ("no fewer than 12 characters", "en", {"quantifier:at_least"}),
        ("at least 12 characters", "en", {"quantifier:at_least"}),
        ("up to 12 characters", "en", {"quantifier:at_most"}),
        ("It runs unless it rains", "en", {"condition:unless"}),
        ("only to owners", "en", {"condition:only_if", "quantifier:only"}),
        ("Once the pump stops, call", "en", {"direction:after", "direction:stop"}),
        ("Apply it once a day", "en", set()),
        ("When was it built?", "en", set()),
        ("Open it when it rains", "en", {"condition:when"}),
        ("Prices exceed the plan", "en", {"comparison:more"}),
        ("larger than the plan", "en", {"comparison:more"}),
        ("The tunnel will be closed", "en", {"status:future", "status:closed"}),
        ("if I recall, it works", "en", {"hedge:hedge"}),
        ("If it rains, do not go", "en", {"condition:if", "negation:not"}),
        ("If it is not closed", "en", {"condition:unless", "status:closed"}),
        ("See No. 5 below the line", "en", {"comparison:less"}),
        ("free of charge", "en", {"status:mandatory_free"}),
        ("不可以", "zh", {"negation:not", "modality:cannot"}),
        ("不仅如此，无论何时", "zh", {"condition:even_if"}),
        ("未通过", "zh", {"negation:not", "status:rejected"}),
        ("至少三名", "zh", {"quantifier:at_least"}),
        ("只有会员才可入场", "zh", {"condition:only_if", "quantifier:only", "modality:may"}),
        ("会议、分别、特别、非常、未来", "zh", set()),
        ("甲比乙高", "zh", {"comparison:more"}),
        ("升级之前，请先备份", "zh", {"direction:up", "direction:before"}),
        ("Das ist nicht erlaubt", "de", {"negation:not", "modality:cannot"}),
        ("There is no 30-day window", "en", {"negation:not"}),
        ("as in rule No. 30", "en", set()),
        ("kein Anspruch", "de", {"negation:not"}),
        ("Die Prüfung findet am Montag statt", "de", set()),
        ("Ce n'est pas possible", "fr", {"negation:not", "modality:cannot"}),
        ("Il ne reste que trois places", "fr", {"condition:only_if", "quantifier:only"}),
        ("Il ne fume jamais", "fr", {"negation:not"}),
        ("No se admiten perros", "es", {"negation:not", "modality:cannot"}),
        ("sin cuota", "es", {"negation:not"}),
        ("கிளைகள் எதுவும் இல்லை", "ta", {"negation:not", "quantifier:none"}),
    ],
)
def test_meanings(text: str, language: str, expected: set[str]) -> None:
    assert meanings(text, language) == expected


@pytest.mark.parametrize("row", [json.loads(line) for line in CASES.read_bytes().split(b"\n") if line], ids=lambda row: row["id"])
def test_opposites_differ_and_copies_do_not(row: dict[str, str]) -> None:
    a, b = (meanings(row[side], *detect(row[side])) for side in "ab")
    if row["guard"] in CUE_GUARDS and row["id"] != "dd-103":  # dd-103 only turns the two sides round: that is a matter of roles
        assert a != b
    if row["kind"] in ("surface", "number_format", "unit_equal", "date_format", "word_order"):
        assert a == b


def test_places_are_exact() -> None:
    text = "Do “not” enter; it can’t be opened."
    assert [cue.span.of(text) for cue in find_cues(text) if cue.kind is CueKind.NEGATION] == ["not", "can’t"]


def test_an_even_number_of_negations_cancels() -> None:
    text = "It is not unavailable."
    assert not negated_at(find_cues(text), Span(0, len(text)))
    assert negated_at(find_cues("It is not here."), Span(0, 15))


def test_a_second_language_adds_its_cues() -> None:
    cues = find_cues("不得进入。Do not enter.", ("zh", "en"))
    assert [cue.meaning for cue in cues if cue.kind is CueKind.NEGATION] == ["not", "not"]


def test_antonyms_are_symmetric() -> None:
    for code in lang.codes():
        opposites = antonyms(code)
        assert opposites
        assert all(word in opposites[other] for word, others in opposites.items() for other in others)
    assert "close" in antonyms("en")["open"]


OPPOSED = [
    ("modality", "must", "may"),
    ("modality", "may", "cannot"),
    ("modality", "must", "should"),
    ("condition", "if", "unless"),
    ("quantifier", "all", "some"),
    ("quantifier", "at_least", "at_most"),
    ("direction", "up", "down"),
    ("direction", "before", "after"),
    ("direction", "include", "exclude"),
    ("direction", "enable", "disable"),
    ("comparison", "more", "less"),
    ("status", "active", "ended"),
    ("status", "open", "closed"),
    ("status", "mandatory_free", "paid"),
]


@pytest.mark.parametrize("code", ["de", "en", "es", "fr", "ta", "zh"])
@pytest.mark.parametrize(("kind", "left", "right"), OPPOSED)
def test_no_phrase_means_both(code: str, kind: str, left: str, right: str) -> None:
    assert not set(lang.entry(code, f"{kind}.{left}")) & set(lang.entry(code, f"{kind}.{right}"))


@given(st.text(max_size=100), st.lists(st.sampled_from(lang.codes()), min_size=1, max_size=3, unique=True))
def test_laws(text: str, languages: list[str]) -> None:
    cues = find_cues(text, languages)
    assert all(0 <= cue.span.start < cue.span.end <= len(text) for cue in cues)
    assert list(cues) == sorted(cues, key=lambda cue: (cue.span.start, cue.span.end, cue.kind, cue.meaning))
