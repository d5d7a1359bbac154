"""The extract stage with a tiny analyzer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from guard_desk.errors import Cancelled
from guard_desk.progress import Progress, RunContext
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.evidence import AnswerSpan, ModelInfo, Relation, RelationKind, TextFacts
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


class GrammarAnalyzer(RuleAnalyzer):
    """Ties the first word of each text to its last one; counts the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def relations(self, texts: Sequence[str], ctx: RunContext) -> tuple[tuple[Relation, ...], ...]:
        ctx.check()
        self.read += texts
        return tuple(
            (Relation(kind=RelationKind.COPULA, subject=Span(0, text.index(" ")), value=Span(text.rindex(" ") + 1, len(text) - 1)),)
            for text in texts
        )


def test_grammar_is_read_where_the_question_s_words_stand() -> None:
    text = "Nobody came. Brask has a mayor called Voss. It rained all day."
    analyzer = GrammarAnalyzer()
    found = extract(retrieved(passages(text, "Nothing else."), question="Who is the mayor of Brask?"), analyzer, RunContext())
    assert analyzer.read == ["Brask has a mayor called Voss."]
    assert [(r.subject.of(text), r.value.of(text)) for r in found.relations[0]] == [("Brask", "Voss")]
    assert found.relations[1] == ()


def test_an_analyzer_without_grammar_gives_no_relations() -> None:
    assert extract(retrieved(passages("a")), RuleAnalyzer(), RunContext()).relations == ()


class FirstWordFinder:
    """Marks the first word of each passage for every part."""

    info = ModelInfo(name="first", revision="1")

    def __init__(self) -> None:
        self.questions: list[str] = []

    def find(self, questions: Sequence[str], passages: Sequence[Passage], ctx: RunContext) -> tuple[tuple[AnswerSpan, ...], ...]:
        self.questions += questions
        spans = [Span(0, len(passage.text.split()[0])) for passage in passages]
        return tuple(tuple(AnswerSpan(span=span, score=0.9, part=part) for part in range(len(questions))) for span in spans)


def test_a_finder_is_asked_each_part_as_a_question_of_its_own() -> None:
    finder = FirstWordFinder()
    question = "When was the Alder bridge built, and who paid for it?"
    found = extract(retrieved(passages("Voss paid."), question=question), RuleAnalyzer(), RunContext(), finder=finder)
    assert finder.questions == ["When was the Alder bridge built?", "who paid for the Alder bridge?"]
    assert [answer.part for answer in found.answers[0]] == [0, 1]
    assert found.finder == finder.info
