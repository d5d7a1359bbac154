"""Values from running text: with and without relations, and with the spans of a model."""

from __future__ import annotations

import pytest

from guard_desk.policy import ThinMode, ThinPolicy
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Thinned
from guard_desk.records.evidence import AnswerSpan, Relation, RelationKind
from guard_desk.stages.thin import score
from guard_desk.text.analyze import analyze_text
from guard_desk.text.thinning.frame import frame_of
from guard_desk.text.thinning.passages import asked, closeness, keys_of, nearness
from guard_desk.text.thinning.prose import FEATURES, describe, options
from guard_desk.text.thinning.prose_weights import load_weights
from guard_desk.text.thinning.statements import Pool, read_statements

SUPPORT = ThinPolicy(mode=ThinMode.SUPPORT)
BRIDGE = (
    "The Alder bridge crosses the river Tame below the old mill. Work on it took four years and cost many lives. "
    "It was finished in 1931 after a flood had torn away the first two piers, and the county has looked after it ever since."
)
OTHER = (
    "The mill at Brask is known for its wheel of oak. A school and two shops stand beside it, and in summer the yard is full of "
    "children who come to swim in the pond. The owner sells flour and bread at the gate on Saturdays."
)
WHY = "Why do people come to the yard of the mill at Brask in summer?"
WHEN = "When was the Alder bridge finished?"


def thinned(question: str, texts: list[str], marked: dict[int, tuple[str, float]] | None = None) -> Thinned:
    passages = tuple(Passage(id=f"p{i}", text=text) for i, text in enumerate(texts))
    answers = tuple(_spans(text, (marked or {}).get(i)) for i, text in enumerate(texts)) if marked is not None else ()
    pool = Pool(passages=passages, facts=tuple(analyze_text(text) for text in texts), answers=answers)
    return score(read_statements(question, pool), SUPPORT, today="2026-11-30")


def _spans(text: str, found: tuple[str, float] | None) -> tuple[AnswerSpan, ...]:
    if found is None:
        return ()
    start = text.index(found[0])
    return (AnswerSpan(span=Span(start, start + len(found[0])), score=found[1]),)


def test_a_pronoun_carries_the_subject_on() -> None:
    result = thinned(WHEN, [BRIDGE, OTHER])
    assert result.leader == "1931"
    assert [line.passage_id for line in result.candidates[0].lines] == ["p0"]
    line = result.candidates[0].lines[0]
    assert line.span is not None
    assert line.span.of(BRIDGE) == "1931"


def test_what_is_less_sure_counts_less() -> None:
    sure, unsure = (thinned(WHY, [OTHER], {0: ("to swim in the pond", p)}).candidates[0].score for p in (0.95, 0.6))
    assert 0 < unsure < sure < 0.15


def test_passages_about_something_else_state_nothing() -> None:
    assert thinned(WHEN, [OTHER]).candidates == ()
    assert thinned("Who owns the patent on the Kestrel valve?", [BRIDGE, OTHER]).leader is None


def test_a_model_s_span_is_a_candidate_whatever_its_kind() -> None:
    assert thinned(WHY, [OTHER], {}).leader != "to swim in the pond"
    result = thinned(WHY, [BRIDGE, OTHER], {1: ("to swim in the pond", 0.95)})
    assert result.leader == "to swim in the pond"
    assert result.support == ("p1",)


def test_a_model_that_sees_no_answer_outweighs_what_stands_near() -> None:
    doubted = thinned(WHEN, [BRIDGE], {0: ("four years", 0.02)}).candidates
    assert not doubted or doubted[0].score < thinned(WHEN, [BRIDGE], {0: ("1931", 0.9)}).candidates[0].score


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "Llamas are kept in the mountains for their wool. A grown llama can carry a load of thirty kilograms over long distances, and "
            "herders have used this since early times.",
            "yes",
        ),
        (
            "Llamas are kept in the mountains for their wool. Their backs are weak, and a llama cannot carry a load of more than a few "
            "kilograms over long distances without harm, as herders know.",
            "no",
        ),
        (
            "No, they are kept for their wool alone. Herders use mules when there is a load to carry over a pass, never llamas.",
            "no",
        ),
    ],
)
def test_yes_or_no_from_running_text(text: str, value: str) -> None:
    assert thinned("Can a llama carry a load over long distances?", [text]).leader == value


def test_yes_and_no_are_a_conflict() -> None:
    texts = [
        "A grown llama can carry a load over long distances, and herders in the high mountains have used this since early times for trade.",
        "A llama cannot carry a load over long distances, because its back is weak; herders in the high mountains use mules for trade.",
    ]
    result = thinned("Can a llama carry a load over long distances?", [f"They are kept for wool and for meat. {text}" for text in texts])
    assert {candidate.value for candidate in result.candidates} == {"yes", "no"}
    assert result.conflict


def test_different_answers_of_namesakes_stay_side_by_side() -> None:
    texts = [
        "Georgia is a country at the Black Sea. Its capital is Tbilisi, where a third of the people live. Its second city is Kutaisi.",
        "The state of Georgia in the United States lies north of Florida. Atlanta, the capital of the state, has a large airport.",
    ]
    result = thinned("What is the capital of Georgia?", texts, {0: ("Tbilisi", 0.9), 1: ("Atlanta", 0.6)})
    assert {candidate.value for candidate in result.candidates} == {"Tbilisi", "Atlanta"}
    assert result.conflict
    assert set(result.support) == {"p0", "p1"}


def test_relations_make_options() -> None:
    text = "Linus Voss, mayor of Harwick, opened the fair."
    passage = Passage(id="a", text=text)
    frame = frame_of("Who is the mayor of Harwick?")
    question = asked(frame, [passage], "en")
    near = nearness(question, passage, analyze_text(text), "en")
    tie = Relation(kind=RelationKind.APPOSITION, subject=Span(12, 28), value=Span(0, 10))
    with_tie = {option.span.of(text): option for option in options(question, passage, analyze_text(text), near, [tie], [])}
    assert with_tie["Linus Voss"].related is not None
    assert with_tie["Linus Voss"].related[0] is RelationKind.APPOSITION
    assert with_tie["Linus Voss"].related[1] == pytest.approx(1.0)
    assert len(describe(question, near, with_tie["Linus Voss"], [], 1.0)) == len(FEATURES)
    without = {option.span.of(text): option for option in options(question, passage, analyze_text(text), near, [], [])}
    assert without["Linus Voss"].related is None


def test_what_only_repeats_the_question_is_no_option() -> None:
    text = "The mayor of Harwick spoke."
    passage = Passage(id="a", text=text)
    question = asked(frame_of("Who is the mayor of Harwick?"), [passage], "en")
    near = nearness(question, passage, analyze_text(text), "en")
    assert options(question, passage, analyze_text(text), near, [], []) == ()


def test_keys_of_chinese_are_pairs() -> None:
    read = keys_of("望江楼建于1931年。", "zh")
    assert "望江" in read.keys
    assert "江楼" in read.keys


def test_irregular_forms_and_synonyms_stand_for_a_key() -> None:
    passage = Passage(id="a", text="The bridge was built by Osmark.")
    question = asked(frame_of("Who did build the bridge?"), [passage], "en")
    assert question.meaning["built"] == "build"
    near = nearness(question, passage, analyze_text(passage.text), "en")
    assert near.own[0] == pytest.approx(1.0)
    close, _ = closeness(question, near, near.read.positions(Span(24, 30)))
    assert 0.5 < close <= 1.0


@pytest.mark.parametrize("name", ["rules", "finder"])
def test_there_is_a_weight_for_each_number(name: str) -> None:
    weights = load_weights(name, FEATURES)
    assert len(weights.weights) == len(FEATURES)
    assert 0 < weights.least < 1
