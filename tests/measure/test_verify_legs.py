from __future__ import annotations

import numpy as np
import pytest

from guard_desk.measure import verify_legs
from guard_desk.measure.verify_legs import Leg, Remembering
from guard_desk.measure.verify_rows import AnswerRow
from guard_desk.progress import RunContext
from guard_desk.protocols import Readers
from guard_desk.records.corpus import Passage, Query
from guard_desk.text.support import readers as stage_readers

from ..fakes import Calls, RulesAnalyzer
from ..readers import NUMBERS, ListedClaimJudge, WordDetector

ROW = AnswerRow(
    id="1",
    query=Query(text="What burns in the kiln?"),
    passages=(Passage(id="p1", text="The kiln burns birch logs all winter. It cools slowly over many days."),),
    answer="The kiln burns birch logs. Wandering goats admire the kiln chimney every evening.",
    cluster="a",
    wrong=True,
)


def judge() -> ListedClaimJudge:
    return ListedClaimJudge(pairs=[("birch", "birch", (0.98, 0.01, 0.01))])


def named(readers: Readers) -> dict[str, Leg]:
    return {leg.name: leg for leg in verify_legs._legs(RulesAnalyzer(Calls()), readers)}


def words(leg: Leg) -> list[str]:
    return [mark.span.of(ROW.answer) for mark in leg.marks(ROW, RunContext())]


def test_without_models_the_rules_stand_alone() -> None:
    assert list(named(Readers())) == ["rules"]


def test_the_head_alone_marks_sentences_that_it_does_not_support() -> None:
    legs = named(Readers(claim_judge=judge()))
    assert [text.split()[0] for text in words(legs["head alone"])] == ["Wandering"]


def test_rules_and_head_are_measured_where_numbers_were_fitted_for_the_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_legs, "claim_numbers", lambda: None)
    assert list(named(Readers(claim_judge=judge()))) == ["rules", "head alone"]
    for module in (verify_legs, stage_readers):
        monkeypatch.setattr(module, "claim_numbers", lambda: NUMBERS)
    legs = named(Readers(claim_judge=judge(), detector=WordDetector("chimney")))
    assert list(legs) == ["rules", "head alone", "rules + head", "detector alone", "rules + head + detector"]
    assert [text.split()[0] for text in words(legs["rules + head"])] == ["Wandering"]
    assert words(legs["detector alone"]) == ["chimney"]


def test_pairs_are_asked_once() -> None:
    asked = judge()
    remembering = Remembering(asked)
    first = remembering.stances(["a birch", "b"], ["birch", "c"], RunContext())
    again = remembering.stances(["b", "a birch", "b", "d"], ["c", "birch", "c", "c"], RunContext())
    assert asked.calls == [[("a birch", "birch"), ("b", "c")], [("d", "c")]]
    assert np.array_equal(again[[1, 0]], first)
    assert remembering.stances([], [], RunContext()).shape == (0, 3)
    assert remembering.info == asked.info
