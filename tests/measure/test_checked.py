from __future__ import annotations

import pytest

from guard_desk.measure.checked import Verdict, carried_by, checked, claim_words, finding_words, let_through
from guard_desk.records.answer import Severity
from tests.ui.builders import trace


def test_a_wrong_answer_is_to_be_reviewed() -> None:
    found = checked(trace())
    assert found.verdict is Verdict.REVIEW
    assert "high" in found.counts
    assert found.sentences == "2 of 2 sentences checked"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Backups are kept for 7 days.", Verdict.PROCEED),
        ("The passages do not say.", Verdict.REFUSAL),
        ("", Verdict.NO_ANSWER),
        (None, Verdict.NO_ANSWER),
    ],
)
def test_every_state_of_an_answer_has_its_verdict(answer: str | None, verdict: Verdict) -> None:
    assert checked(trace(("Backups are kept for 7 days.",), answer=answer)).verdict is verdict


def test_an_edited_answer_is_not_judged_by_the_old_check() -> None:
    assert checked(trace(), edited=True).verdict is Verdict.EDITED


def test_words_name_kind_label_note_and_evidence() -> None:
    run = trace()
    finding = next(finding for finding in run.attributed.spans if finding.evidence)
    words = finding_words(finding)
    assert words.startswith(f"high · {finding.kind}")
    assert f"{finding.evidence[0].passage_id}: “{finding.evidence[0].text}”" in words
    assert claim_words(run.verified.claims[0]).splitlines()[1] == run.verified.claims[0].text


def test_what_a_passage_carries() -> None:
    answer = "Backups are kept for 7 days."
    run = trace(answer=answer)
    places = carried_by(run, "p1")
    assert "7 days" in [answer[start:end] for start, end in places]
    assert carried_by(run, "p5") == ()


def test_filters_by_severity_and_kind() -> None:
    findings = trace().attributed.spans
    kind = findings[0].kind
    assert let_through(findings) == (True,) * len(findings)
    assert let_through(findings, kind=str(kind)) == tuple(f.kind is kind for f in findings)
    assert let_through(findings, severity="low") == tuple(f.severity is Severity.LOW for f in findings)
