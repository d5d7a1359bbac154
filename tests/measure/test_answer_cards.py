"""The card beside marked words: both sides of a disagreement with source and date, a confidence that is never a certainty."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guard_desk.formats import make_corpus
from guard_desk.measure.answer_cards import AnswerCard, cards_at, claim_card, finding_card, plain_card
from guard_desk.measure.checked import checked, percent_words, reply_words, sure_words
from guard_desk.measure.checkers import checkers
from guard_desk.pipeline import run_path
from guard_desk.progress import RunContext
from guard_desk.records.answer import ClaimState, Finding, Label
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models
from guard_desk.records.trace import Trace
from tests.fakes import fake_parts
from tests.ui.builders import POLICY, trace

_LINES = (
    ("guide-1", "Backups of the plan are kept for 30 days.", "docs.example/backup", "2026-06"),
    ("sales-2", "Backups of the plan are kept for 45 days.", "blog.example/post", "2025-02"),
    ("keys-3", "Encryption keys are rotated every 90 days in Oslo.", "docs.example/keys", "2026-03"),
)


def _run(answer: str, question: str = "How long are backups of the plan kept?") -> Trace:
    pool = tuple(Passage(id=name, text=text, source=source, date=date) for name, text, source, date in _LINES)
    return run_path(make_corpus(pool), Query(text=question), POLICY, fake_parts(), RunContext(), answer=answer)


def _card(run: Trace, label: Label) -> tuple[AnswerCard, Finding]:
    finding = next(finding for finding in run.attributed.spans if finding.label is label)
    return finding_card(run, finding), finding


def test_both_sides_of_a_disagreement_stand_beside_each_other() -> None:
    card, _ = _card(_run("Backups of the plan are kept for 30 days."), Label.CONFLICT)
    assert card.side_by_side
    assert [(place.passage_id, place.source, place.dated) for place in card.places] == [
        ("guide-1", "docs.example/backup", "2026-06"),
        ("sales-2", "blog.example/post", "2025-02"),
    ]
    assert [place.role for place in card.places] == ["agrees with the answer", "says otherwise"]
    assert [place.words for place in card.places] == ["30 days", "45 days"]
    assert card.places[0].before == "Backups of the plan are kept for "


def test_a_wrong_citation_shows_the_cited_passage_and_the_better_one() -> None:
    card, finding = _card(_run("Encryption keys are rotated every 90 days in Oslo [sales-2]."), Label.MISATTRIBUTED)
    assert finding.text == "[sales-2]"
    assert [(place.passage_id, place.role) for place in card.places] == [("sales-2", "is cited here"), ("keys-3", "has the statement")]
    assert card.places[0].after.startswith("Backups of the plan")
    assert card.side_by_side


def test_a_contradiction_says_what_stands_there_instead() -> None:
    card, _ = _card(_run("Encryption keys are rotated every 60 days in Oslo."), Label.CONTRADICTED)
    assert card.note == "Passages say 90 days."
    assert card.weight == "high: the answer needs a review"
    assert [(place.role, place.words) for place in card.places] == [("says instead", "90 days")]
    assert not card.doubt


def test_what_only_a_model_doubts_is_told_as_such() -> None:
    run = trace()
    finding = replace(run.attributed.spans[0], by="embedded", evidence=())
    assert finding_card(run, finding).doubt == "Only the claim head doubts this: no rule shows it."
    claim = replace(run.verified.claims[0], by="organisation/model-x", state=ClaimState.SUPPORTED)
    assert claim_card(run, claim).doubt == "Model-x finds this in the passages; the rules alone do not."


@pytest.mark.parametrize(
    ("confidence", "words"), [(1.0, "over 95 %"), (0.8, "about 80 %"), (0.83, "about 85 %"), (0.0, "under 5 %"), (0.97, "about 95 %")]
)
def test_a_confidence_is_never_a_certainty(confidence: float, words: str) -> None:
    assert sure_words(confidence) == words
    assert "100" not in sure_words(confidence)


def test_a_narrow_column_says_the_same() -> None:
    assert [percent_words(value) for value in (1.0, 0.8, 0.0)] == [">95 %", "~80 %", "<5 %"]


def test_words_without_a_finding_have_the_card_of_their_claim() -> None:
    run = _run("Encryption keys are rotated every 90 days in Oslo.")
    (card,) = cards_at(run, 3)
    assert card.headline == "Supported"
    assert card.places[0].passage_id == "keys-3"
    assert "docs.example/keys · 2026-03" in plain_card([card])


def test_an_answer_of_yes_or_no_has_its_own_sentence() -> None:
    wrong = trace(question="Are backups kept in Oslo?", answer="Yes.")
    assert reply_words(wrong) == "A yes-or-no question: the answer says “Yes”, the passages say the opposite."
    assert checked(wrong).warns
    right = trace(question="Are backups kept for 30 days?", answer="No.")
    assert "no passage was found that says the opposite" in checked(right).note
    assert not checked(right).warns
    assert reply_words(trace()) == ""


def test_who_checked_is_told() -> None:
    run = trace()
    assert checkers(run, Models())[0] == "checked by rules alone"
    head = ModelInfo(name="embedded", revision="1", detail="The claim head of the embedded judge's network.")
    read = replace(run, verified=replace(run.verified, models=(head,)))
    assert checkers(read, Models())[0] == "checked by rules + claim head"
    unused = replace(head, detail="Not used: nothing was fitted for these weights.")
    words, tip = checkers(replace(run, verified=replace(run.verified, models=(unused,))), Models())
    assert words == "checked by rules alone"
    assert "Not used" in tip
    words, tip = checkers(read, Models(claim_model="llm:https://chat.example"))
    assert words.endswith("not yet by the language model")
    assert "press F5" in tip
