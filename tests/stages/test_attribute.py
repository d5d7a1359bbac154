from __future__ import annotations

from dataclasses import replace

from guard_desk.progress import RunContext
from guard_desk.records.answer import Action, Kind, Label, Severity, Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import Place, Placement, Prompt
from guard_desk.stages.attribute import attribute
from guard_desk.stages.verify import verify_answer
from guard_desk.text.analyze import analyze_text


def check(texts: dict[str, str], answer: str) -> Verified:
    passages = [Passage(id=name, text=text) for name, text in texts.items()]
    facts = [analyze_text(text) for text in texts.values()]
    return verify_answer(Query(text="?"), passages, facts, [None] * len(passages), answer, None, RunContext())


def prompt(**places: Placement | Place) -> Prompt:
    made = tuple(place if isinstance(place, Placement) else Placement(passage_id=name, place=place) for name, place in places.items())
    return Prompt(text="", blocks=(), places=made, tokens=0, passage_tokens=0, budget_tokens=3000, encoding="test")


def test_nothing_is_added_when_the_support_is_inside() -> None:
    verified = check({"a": "Leave is 12 days."}, "Leave is 12 days.")
    result = attribute(verified, prompt(a=Place.EVIDENCE))
    assert (result.action, result.outside, result.spans) == (Action.PROCEED, (), ())


def test_support_outside_the_prompt_is_named_with_its_place() -> None:
    verified = check({"a": "Leave is 12 days.", "b": "The office is in Lund."}, "Leave is 12 days.")
    result = attribute(verified, prompt(a=Placement(passage_id="a", place=Place.EXCLUDED, rule="relevant"), b=Place.EVIDENCE))
    (finding,) = result.outside
    assert (finding.text, finding.kind, finding.label, finding.severity) == (
        "Leave is 12 days",
        Kind.OUTSIDE_PROMPT,
        Label.OUTSIDE_PROMPT,
        Severity.LOW,
    )
    assert finding.note == "supported only outside the prompt: a (excluded by the rule relevant)"
    assert (result.action, result.counts.low) == (Action.PROCEED, 1)


def test_one_supporting_passage_inside_is_enough() -> None:
    verified = check({"a": "Leave is 12 days.", "b": "Leave is 12 days for all."}, "Leave is 12 days.")
    assert attribute(verified, prompt(a=Place.OVER_K, b=Place.EVIDENCE)).outside == ()
    assert len(attribute(verified, prompt(a=Place.OVER_K, b=Place.OVER_BUDGET)).outside) == 1


def test_a_merged_passage_counts_with_its_representative() -> None:
    verified = check({"a": "Leave is 12 days.", "b": "The office is in Lund."}, "Leave is 12 days.")
    merged = Placement(passage_id="a", place=Place.MERGED, into="b")
    assert attribute(verified, prompt(a=merged, b=Place.EVIDENCE)).outside == ()
    assert len(attribute(verified, prompt(a=merged, b=Place.OVER_K)).outside) == 1


def test_a_value_from_outside_in_a_sentence_from_inside() -> None:
    verified = check(
        {"a": "The coastal unit is led by Dagny Moe.", "b": "The coastal unit is based in Brekkevik."},
        "The coastal unit is led by Dagny Moe and based in Brekkevik.",
    )
    result = attribute(verified, prompt(a=Place.EVIDENCE, b=Place.CAPPED))
    assert [finding.text for finding in result.outside] == ["Brekkevik"]


def test_high_findings_keep_their_place_and_action() -> None:
    verified = check({"a": "Leave is 12 days.", "b": "The office is in Lund."}, "Leave is 14 days. The office is in Lund.")
    result = attribute(verified, prompt(a=Place.EVIDENCE, b=Place.BELOW_FLOOR))
    assert [finding.kind for finding in result.spans] == [Kind.NUMBER, Kind.OUTSIDE_PROMPT]
    assert (result.action, result.counts.high, result.counts.low) == (Action.REVIEW, 1, 1)


def test_a_conflict_with_hostile_passages_alone_is_none() -> None:
    texts = {"a": "Annual leave is 12 days.", "b": "Annual leave is 90 days."}
    verified = check(texts, "Annual leave is 12 days.")
    assert [finding.label for finding in verified.spans] == [Label.CONFLICT]
    hostile = Placement(passage_id="b", place=Place.EXCLUDED, rule="injection")
    assert attribute(verified, prompt(a=Place.EVIDENCE, b=hostile)).action is Action.PROCEED
    off_topic = replace(hostile, rule="relevant")
    assert attribute(verified, prompt(a=Place.EVIDENCE, b=off_topic)).action is Action.REVIEW


def test_an_answer_that_only_a_hostile_passage_supports_stays_in_conflict() -> None:
    texts = {"a": "Annual leave is 12 days.", "b": "Annual leave is 90 days."}
    hostile = Placement(passage_id="b", place=Place.EXCLUDED, rule="injection")
    result = attribute(check(texts, "Annual leave is 90 days."), prompt(a=Place.EVIDENCE, b=hostile))
    assert Label.CONFLICT in [finding.label for finding in result.spans]
    assert result.action is Action.REVIEW


def test_it_is_pure() -> None:
    verified = check({"a": "Leave is 12 days."}, "Leave is 12 days.")
    shown = prompt(a=Place.OVER_K)
    assert attribute(verified, shown) == attribute(verified, replace(shown))
