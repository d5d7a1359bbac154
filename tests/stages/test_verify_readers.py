"""Models that read an answer beside the rules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.errors import Cancelled
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Readers
from guard_desk.records.answer import Action, ClaimState, Finding, Kind, Label, Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.stages.verify import verify_answer
from guard_desk.text.analyze import analyze_text
from guard_desk.text.support import readers as reading
from guard_desk.text.support.claim_head import WINDOWS
from tests.readers import NUMBERS, ListedClaimJudge, WordDetector

SURE = (0.99, 0.004, 0.006)
AGAINST = (0.001, 0.99, 0.009)
TEXTS = (
    "Loans have to be given back before the library shuts. Whoever is late pays two euros.",
    "The reading room on the first floor is open to visitors.",
)
REWORDED = "Readers must return borrowed volumes ahead of closing time."
FILLER = "Boats rested at the pier while music drifted over quiet fields and nobody hurried. " * 600


@pytest.fixture(autouse=True)
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "claim_numbers", lambda: NUMBERS)


def check(
    answer: str, readers: Readers | None = None, texts: Sequence[str] = TEXTS, title: str | None = None, ctx: RunContext | None = None
) -> Verified:
    passages = [Passage(id=f"p{number}", text=text, title=title) for number, text in enumerate(texts)]
    titles = [None if title is None else analyze_text(title)] * len(passages)
    facts = [analyze_text(text) for text in texts]
    return verify_answer(Query(text="?"), passages, facts, titles, answer, None, ctx or RunContext(), readers=readers)


def with_judge(*pairs: tuple[str, str, tuple[float, float, float]]) -> Readers:
    return Readers(claim_judge=ListedClaimJudge(pairs))


def test_what_the_rules_miss_the_judge_finds_in_other_words() -> None:
    answer = "Borrowed volumes go back to the library ahead of closing time, or readers owe money."
    assert {item.kind for item in check(answer).spans} == {Kind.CLAIM}
    found = check(answer, with_judge(("Borrowed", "Loans have to be", SURE)))
    assert found.spans == ()
    (claim,) = found.claims
    assert (claim.state, claim.by) == (ClaimState.SUPPORTED, "listed")
    assert claim.evidence[-1].text == "Loans have to be given back before the library shuts."
    assert claim.confidence < 1.0


def test_a_claim_without_support_and_value_is_reported_with_its_confidence() -> None:
    answer = "The library shuts early because visitors complained."
    assert check(answer).action is Action.PROCEED
    found = check(answer, with_judge())
    (item,) = found.spans
    assert (item.kind, item.label, item.text, item.by) == (Kind.CLAIM, Label.UNSUPPORTED, answer[:-1], "listed")
    assert NUMBERS.report <= item.confidence < 1.0
    assert item.note
    assert found.claims[0].state is ClaimState.UNSUPPORTED


def test_a_contradiction_shows_the_sentence() -> None:
    answer = "Nobody is charged for bringing a loan back late to the library."
    found = check(answer, with_judge(("Nobody", "Whoever is late", AGAINST)))
    (item,) = found.spans
    assert (item.kind, item.label, item.by) == (Kind.CLAIM, Label.CONTRADICTED, "listed")
    assert "library" in item.evidence[0].text or "late" in item.evidence[0].text
    assert item.evidence[0].passage_id == "p0"
    assert "p0" in item.note


def test_between_both_limits_nothing_is_said() -> None:
    answer = "The library shuts early because visitors complained."
    found = check(answer, with_judge(("complained", "", (0.02, 0.01, 0.97))))
    assert found.spans == ()
    assert found.claims[0].state is ClaimState.NOT_CHECKED
    assert found.claims[0].by == "listed"


def test_a_value_that_a_rule_has_shown_to_be_wrong_stays_wrong() -> None:
    answer = "Whoever is late pays three euros."
    rules = check(answer)
    found = check(answer, with_judge(("late", "", SURE)))
    assert [item.kind for item in found.spans] == [Kind.MONEY]
    assert found.spans == rules.spans
    assert found.claims == rules.claims


def test_what_stands_word_for_word_is_taken_back_only_by_a_very_sure_judge() -> None:
    answer = "Loans have to be given back before the library shuts."
    rules = check(answer)
    assert rules.claims[0].state is ClaimState.SUPPORTED
    assert check(answer, with_judge()).spans == ()
    assert check(answer, with_judge(("Loans", "", (0.02, 0.97, 0.01)))).claims == rules.claims
    (item,) = check(answer, with_judge(("Loans", "", AGAINST))).spans
    assert item.label is Label.CONTRADICTED


def test_a_judge_that_does_not_read_a_text_changes_nothing() -> None:
    answer = "Borrowed volumes go back to the library ahead of closing time, or readers owe money."
    unread = ListedClaimJudge(otherwise=(0.0, 0.0, 1.0))
    assert check(answer, Readers(claim_judge=unread)).spans == check(answer).spans


def test_the_whole_answer_is_one_call_of_bounded_size() -> None:
    judge = ListedClaimJudge()
    answer = " ".join(f"The library shuts early on day {number} since visitors complained." for number in range(40))
    texts = [f"The library shuts early on day {number}. Visitors came in crowds and left." for number in range(60)]
    found = check(answer, Readers(claim_judge=judge), texts)
    assert len(judge.calls) == 1
    assert 40 <= len(judge.calls[0]) <= WINDOWS * len(found.claims)
    assert all(len(part) < 800 for _, part in judge.calls[0])


def test_numbers_for_other_weights_leave_the_rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = "The library shuts early because visitors complained."
    judge = ListedClaimJudge()
    for numbers in (None, NUMBERS.__class__(**{**{name: getattr(NUMBERS, name) for name in NUMBERS.__slots__}, "weights": "other"})):
        monkeypatch.setattr(reading, "claim_numbers", lambda numbers=numbers: numbers)
        found = check(answer, Readers(claim_judge=judge))
        assert (found.spans, found.claims) == (check(answer).spans, check(answer).claims)
        assert [(model.name, model.detail.partition(":")[0]) for model in found.models] == [("listed", "Not used")]
    assert judge.calls == []


def test_filler_between_the_passages_changes_no_verdict() -> None:
    answer = f"{REWORDED} The library shuts early because visitors complained. Nobody is charged for bringing a loan back late."
    pairs = (("volumes", "Loans have to be", SURE), ("Nobody", "Whoever is late", AGAINST))
    plain = check(answer, with_judge(*pairs))
    among = check(answer, with_judge(*pairs), (TEXTS[0], FILLER, TEXTS[1]))
    assert [(item.start, item.kind, item.label, item.confidence) for item in plain.spans] == [
        (item.start, item.kind, item.label, item.confidence) for item in among.spans
    ]
    assert [(claim.state, claim.confidence) for claim in plain.claims] == [(claim.state, claim.confidence) for claim in among.claims]


def test_filler_that_shares_a_word_is_not_asked_about() -> None:
    judge = ListedClaimJudge()
    answer = "The library may lend old seals again after cleaning them."
    texts = ("The library replaces the seal.", "An old heron stands at the pier. Nobody hurries.", "The fields were old and quiet.")
    check(answer, Readers(claim_judge=judge), texts)
    assert [part for _, part in judge.calls[0]] == ["The library replaces the seal."]


def test_a_title_goes_before_each_part() -> None:
    judge = ListedClaimJudge()
    check("The library shuts early.", Readers(claim_judge=judge), title="House rules")
    assert all(part.startswith("House rules. ") for _, part in judge.calls[0])


def test_text_behind_the_first_thousand_words_is_read() -> None:
    judge = ListedClaimJudge()
    check("Amber lanterns glow underwater.", Readers(claim_judge=judge), (FILLER + " Amber lanterns glow beneath the water. " + FILLER,))
    assert any("lanterns glow beneath" in part for _, part in judge.calls[0])


def test_one_very_long_sentence_is_shown_where_it_fits() -> None:
    judge = ListedClaimJudge()
    long = ", ".join(["boats and piers and quiet fields"] * 60 + ["amber lanterns glow beneath the water"] + ["music and fields"] * 60)
    check("Amber lanterns glow underwater.", Readers(claim_judge=judge), (long,))
    assert "lanterns glow beneath" in judge.calls[0][0][1]


def test_it_can_be_cancelled() -> None:
    token = CancelToken()

    class Cancelling(ListedClaimJudge):
        def stances(self, claims, passages, ctx):  # type: ignore[no-untyped-def]
            token.cancel()
            return super().stances(claims, passages, ctx)

    with pytest.raises(Cancelled):
        check("The library shuts early.", Readers(claim_judge=Cancelling()), ctx=RunContext(token=token))


CHANCES = st.floats(0.0, 1.0)
PIECES = ["The library shuts early.", "\n", "7 days", "Ann", "|", "- ", "“late”", "\U0001f680", "不会", "[p9]", "```"]


@settings(max_examples=60, deadline=None)
@given(
    answer=st.text(max_size=120) | st.lists(st.sampled_from(PIECES)).map(" ".join),
    passages=st.lists(st.text(max_size=120) | st.sampled_from(TEXTS), min_size=1, max_size=4),
    stance=st.tuples(CHANCES, CHANCES, CHANCES),
    words=st.lists(st.text(min_size=1, max_size=6), max_size=3),
)
def test_any_text_with_any_reader(answer: str, passages: list[str], stance: tuple[float, float, float], words: list[str]) -> None:
    readers = Readers(claim_judge=ListedClaimJudge(otherwise=stance), detector=WordDetector(*words))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "claim_numbers", lambda: NUMBERS)
        found = check(answer, readers, passages)
        assert check(answer, readers, passages) == found
    assert [item.start for item in found.spans] == sorted(item.start for item in found.spans)
    for item in (*found.spans, *found.claims):
        assert 0.0 <= item.confidence <= 1.0
        if not (isinstance(item, Finding) and item.kind is Kind.INPUT_ERROR):
            assert answer[item.start : item.end] == item.text
        for evidence in item.evidence:
            assert passages[int(evidence.passage_id[1:])][evidence.start : evidence.end] == evidence.text


# A detector


def test_a_detectors_words_are_claims_of_its_own() -> None:
    answer = "\U0001f680\r\nLoans have to be given back before the library shuts."
    found = check(answer, Readers(detector=WordDetector("before the library")))
    (item,) = found.spans
    assert (item.text, item.kind, item.label, item.by, item.confidence) == (
        "before the library",
        Kind.CLAIM,
        Label.UNSUPPORTED,
        "marker",
        0.8,
    )
    assert answer[item.start : item.end] == item.text
    assert [model.name for model in found.models] == ["marker"]
    assert (found.claims[-1].state, found.claims[-1].by) == (ClaimState.UNSUPPORTED, "marker")


def test_what_the_rules_have_found_is_not_swallowed() -> None:
    answer = "Whoever is late pays three euros."
    found = check(answer, Readers(detector=WordDetector("late pays three euros")))
    assert [(item.text, item.kind, item.by) for item in found.spans] == [
        ("late pays", Kind.CLAIM, "marker"),
        ("three euros", Kind.MONEY, ""),
    ]
    assert found.claims[0].state is ClaimState.CONTRADICTED


def test_marks_of_form_are_no_words() -> None:
    assert check("Loans have to be given back before the library shuts.", Readers(detector=WordDetector("."))).spans == ()


def test_without_readers_no_model_is_named() -> None:
    found = check(REWORDED)
    assert found.models == ()
    assert {item.by for item in found.spans} | {claim.by for claim in found.claims} <= {""}
