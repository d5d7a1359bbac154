from __future__ import annotations

import pytest

from guard_desk.measure import scenes as suite
from guard_desk.measure.scenes import KINDS, PLACES, Kept, Scene, coverage, less, load_scenes, show
from guard_desk.policy import Policy, Strategy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.state import Models


def scene(**changes: object) -> Scene:
    values: dict[str, object] = {
        "id": "pumps",
        "kind": "differences",
        "lang": "en",
        "question": "How long is the warranty of the pumps?",
        "passages": tuple(
            Passage(id=name, text=text)
            for name, text in (
                ("a1", "The warranty of the pump K10 is 2 years."),
                ("a2", "The warranty of the pump K10 is  2 years."),
                ("b1", "The warranty of the pump K20 is 3 years."),
                ("d1", "Canteens serve soup at noon."),
            )
        ),
        "facts": (("2 years", frozenset({"a1", "a2"})), ("3 years", frozenset({"b1"}))),
    }
    return Scene(**(values | changes))  # type: ignore[arg-type]


def test_the_shipped_scenes_are_whole() -> None:
    found = load_scenes()
    assert {kind: sum(one.kind == kind for one in found) for kind in KINDS} == {"synonyms": 12, "differences": 12}
    for kind in KINDS:
        assert sum(one.kind == kind and one.lang == "zh" for one in found) >= 4
    for one in found:
        ids = [passage.id for passage in one.passages]
        assert 8 <= len(ids) <= 14, one.id
        assert len({passage.text for passage in one.passages}) == len(ids), one.id
        assert 3 <= len(one.facts) <= PLACES, one.id
        carriers = [passage_id for _, group in one.facts for passage_id in group]
        assert set(carriers) < set(ids), one.id
        assert len(carriers) == len(set(carriers)), f"{one.id}: a passage carries one fact"
    assert len({one.id for one in found}) == 24


@pytest.mark.models
def test_merging_a_difference_loses_a_fact_and_merging_a_repeat_frees_a_place() -> None:
    policy = Policy().with_values({"assemble.k": 2, "dedup.similarity_floor": 0.3})
    _, found = show(scene(), Models(encoder="tfidf"), policy, RunContext())
    assert len(found[Strategy.NAIVE_DEDUP].missing) == 1
    assert found[Strategy.TOPK].missing == ("3 years",)
    assert found[Strategy.SIEVE].missing == ()
    assert found[Strategy.SIEVE].facts == 2
    assert len(found[Strategy.TOPK].shown) == 2


def kept(*missing: int, kind: str = "synonyms") -> list[Kept]:
    one = scene(kind=kind)
    names = [fact for fact, _ in one.facts]
    return [Kept(scene=one, shown=(), missing=tuple(names[:lost])) for lost in missing]


def test_coverage_is_over_facts_and_its_interval_over_scenes() -> None:
    figure = coverage(kept(0, 1, 2, 0))
    assert figure.value == pytest.approx(5 / 8)
    assert figure.n == 8
    assert figure.low < figure.value < figure.high
    assert coverage(kept(0, 0)).low == 1


def test_a_difference_is_taken_scene_by_scene() -> None:
    assert less(kept(0, 0, 0), kept(1, 1, 1)).low == pytest.approx(0.5)
    assert less(kept(0, 1), kept(0, 1)).high == 0


def test_published_figures_stand_beside_those_of_their_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {row.name: row for row in suite._rows({strategy: [*kept(0), *kept(0, kind="differences")] for strategy in Strategy}, Policy())}
    assert "0.6944" in rows["synonyms: facts kept, topk"].note
    assert "0.7500" in rows["differences: facts kept, naive_dedup"].note
    assert "published" not in rows["synonyms: facts kept, exact"].note
