"""The extract stage with a tiny analyzer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from guard_desk.errors import Cancelled
from guard_desk.progress import Progress, RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.evidence import ModelInfo, TextFacts
from guard_desk.stages.extract import extract
from guard_desk.text.analyze import analyze_text
from tests.builders import passages, retrieved


class RuleAnalyzer:
    """The rules alone; counts what it is asked."""

    info = ModelInfo(name="rules", revision="1")

    def __init__(self) -> None:
        self.asked: list[int] = []

    def analyze(self, texts: Sequence[str], ctx: RunContext) -> tuple[TextFacts, ...]:
        ctx.check()
        self.asked.append(len(texts))
        return tuple(analyze_text(text) for text in texts)


def test_texts_titles_and_query_are_aligned() -> None:
    pool = (
        Passage(id="a", text="It lasts 5 days.", title="Trial of 14 days"),
        Passage(id="b", text="Nothing."),
        Passage(id="c", text="9 GB", title="Size"),
    )
    found = extract(retrieved(pool, question="How long, in 2026?"), RuleAnalyzer(), RunContext())
    assert [len(facts.values) for facts in found.texts] == [1, 0, 1]
    assert [title is not None for title in found.titles] == [True, False, True]
    assert found.titles[0] is not None
    assert found.titles[0].values[0].text == "14 days"
    assert found.query.values[0].text == "2026"
    assert found.analyzer.name == "rules"


def test_batches_report_progress() -> None:
    steps: list[Progress] = []
    analyzer = RuleAnalyzer()
    extract(retrieved(passages(*["text"] * 130)), analyzer, RunContext(on_progress=steps.append))
    assert analyzer.asked == [64, 64, 3]
    assert [step.done for step in steps] == [0, 64, 128, 131]
    assert steps[-1].total == 131


def test_an_empty_pool_has_only_the_query() -> None:
    found = extract(retrieved(()), RuleAnalyzer(), RunContext())
    assert found.texts == found.titles == ()


def test_cancel_stops_between_batches() -> None:
    ctx = RunContext()
    ctx.token.cancel()
    with pytest.raises(Cancelled):
        extract(retrieved(passages("a")), RuleAnalyzer(), ctx)
