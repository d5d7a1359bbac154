from __future__ import annotations

import pytest

from guard_desk.measure.score_parts import score_parts
from guard_desk.pipeline import redecide
from guard_desk.records.decision import Stance
from tests.fakes import WordCounter
from tests.ui.evidence import disputed


def test_parts_make_up_the_score() -> None:
    run = disputed()
    parts = score_parts(run)
    assert [item.candidate for item in parts] == list(run.thinned.candidates)
    for item in parts:
        assert item.candidate.score == pytest.approx(max(0.0, item.gain - item.loss))
        assert sorted(part.line.passage_id for part in item.lines) == sorted(line.passage_id for line in item.candidate.lines)
        assert all(part.line.capped == "" for part in (*item.added, *item.taken))


def test_kinds_caps_and_denials_are_told_apart() -> None:
    best = score_parts(disputed())[0]
    assert best.leads
    assert best.candidate.value == "7 days"
    assert [(part.line.passage_id, part.kind) for part in best.added] == [("p0", "official")]
    assert [part.why_capped for part in best.capped] == ["another line says it in the same words"]
    other = next(item for item in score_parts(disputed()) if item.candidate.value == "30 days")
    assert [part.line.stance for part in other.taken] == [Stance.NEGATES]
    assert other.loss > 0


def test_no_leader_leads_nothing() -> None:
    run = disputed()
    policy = run.policy.with_values({"thin.contested_margin": 1.0, "thin.negation_penalty": 0.0})
    level = redecide(run, policy, WordCounter())
    assert level.thinned.leader is None
    assert not any(item.leads for item in score_parts(level))
    assert any(item.rival for item in score_parts(level))
