from __future__ import annotations

from dataclasses import replace

import pytest

from guard_desk.measure.card import MarkKind, card, chosen_evidence, compared, flip_words, partial_card, score, support_marks, text_marks
from guard_desk.measure.explain import StepState
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Override
from guard_desk.records.evidence import Question, Reason
from tests.ui.builders import POLICY, trace


def heads(found: object) -> list[str]:
    return [line.head for section in found.sections for line in section.lines]  # type: ignore[attr-defined]


def test_a_hostile_passage_stops_at_the_first_rule() -> None:
    found = card(trace(), "p0")
    assert found is not None
    assert [step.state for step in found.steps] == [StepState.STOPPED, *[StepState.NOT_REACHED] * 3]
    assert found.outcome == "Injection decides: exclude"
    assert compared(found.steps[0]) == ".90 > .60"
    assert flip_words(found.flips[0]) == "injection limit .60 → .90: include"


def test_a_passage_that_no_rule_took_in_says_so() -> None:
    found = card(trace(), "p8")
    assert found is not None
    assert found.outcome == "No rule took it in: exclude"
    assert {step.state for step in found.steps} == {StepState.PASSED}


def test_merged_and_kept_apart_are_told_with_what_a_person_may_say_against_it() -> None:
    run = trace()
    merged = card(run, "p2")
    assert merged is not None
    line = next(line for section in merged.sections for line in section.lines if line.head == "merged")
    assert line.passage_ids == ("p1",)
    assert line.override == Override(left_id="p2", right_id="p1", merge=False)
    near = trace(policy=POLICY.with_value("dedup.similarity_floor", 0.4))
    apart = card(near, near.grouped.refusals[0].left_id)
    assert apart is not None
    assert "kept apart" in heads(apart)


def test_a_passage_that_was_not_judged_has_no_rules_but_a_cause() -> None:
    found = card(trace(), "p6")
    assert found is not None
    assert found.steps == ()
    assert found.problem == "Not judged: the text says so."


def test_a_passage_outside_the_pool_is_shown_all_the_same() -> None:
    found = card(trace(), "x", Passage(id="x", text="other"))
    assert found is not None
    assert found.hit is None
    assert found.problem.startswith("Not in the pool")
    assert card(trace(), "x") is None


def test_while_the_run_is_on_its_way_judged_and_waiting_differ() -> None:
    run = trace()
    ids = [hit.passage_id for hit in run.retrieved.hits]
    first, last = (partial_card(run.retrieved, run.judged.judgements[:1], ids[at]) for at in (0, -1))
    assert first is not None
    assert last is not None
    assert first.problem.startswith("Judged;")
    assert last.problem.startswith("Not judged yet")


def test_reasons_carry_the_words_they_rest_on() -> None:
    run = trace()
    reason = Reason(question=Question.INJECTION, rule="order", detail="It gives an order.", spans=(Span(0, 6),))
    at = next(i for i, hit in enumerate(run.retrieved.hits) if hit.passage_id == "p0")
    judgements = list(run.judged.judgements)
    judgements[at] = replace(judgements[at], reasons=(reason,), uncertain=(Question.INJECTION,))
    changed = replace(run, judged=replace(run.judged, judgements=tuple(judgements)))
    found = card(changed, "p0")
    assert found is not None
    assert found.sections[-1].title == "Why injection .90 ≈ uncertain"
    line = found.sections[-1].lines[0]
    assert (line.leg, line.text, line.spans) == ("check", "It gives an order.", (Span(0, 6),))
    assert text_marks(changed, "p0")[0].kind is MarkKind.INSTRUCTION


def test_numbers_and_orders_of_the_text_are_marked() -> None:
    run = trace()
    kinds = {mark.kind for mark in text_marks(run, "p0")}
    assert kinds == {MarkKind.INSTRUCTION, MarkKind.NUMBER}
    text = next(p.text for p in run.retrieved.passages if p.id == "p1")
    assert [mark.span.of(text) for mark in text_marks(run, "p1")] == ["7 days"]


def test_the_words_behind_a_finding_are_found() -> None:
    run = trace()
    finding = next(finding for finding in run.attributed.spans if finding.evidence)
    evidence = chosen_evidence(run, finding.start)
    marks = support_marks(evidence, evidence[0].passage_id)
    text = next(p.text for p in run.retrieved.passages if p.id == evidence[0].passage_id)
    assert marks[0].span.of(text) == evidence[0].text
    assert chosen_evidence(run, None) == ()


@pytest.mark.parametrize(
    ("value", "other", "text"),
    [(0.55, None, ".55"), (1.0, None, "1.00"), (0.5504, 0.55, ".5504"), (0.551, 0.55, ".551"), (0.0, None, ".00")],
)
def test_scores_are_short_and_never_look_equal_when_they_are_not(value: float, other: float | None, text: str) -> None:
    assert score(value, other) == text
