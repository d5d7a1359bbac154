from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus
from guard_desk.records.corpus import Format, Labels, RecordedAnswers

Make = Callable[[str, bytes | str], Path]
BY_HAND = """// a bug
{
  "name": "demo", "description": "…", "question": "How long?", "answer": "", "version": "2",
  "passages": ["Seven days.", {"id": "b", "text": "Nine
days.", /* note */},],
  "labels": {"b": {"relevant": "yes", "evidence": false, "injection": "unknown"}, "p1": true, "zz": true},
  "judgements": {"judge": "m1", "answers": [
    {"id": "b", "is_relevant": 0.9, "contains_answer_evidence": 1, "contradicts_query_premise": 0, "contains_prompt_injection": 0.1},
    {"id": "p1", "relevant": 2, "evidence": 0, "contradicts": 0, "injection": 0}]},
}
"""


def test_a_case_written_by_hand(make: Make) -> None:
    result = load_corpus(make("a.guarddesk.json", BY_HAND))
    query = result.queries[0]
    assert result.format is Format.CASE
    assert [(p.id, p.text) for p in result.corpus.passages] == [("p1", "Seven days."), ("b", "Nine\ndays.")]
    assert (query.query.text, query.query.version, query.answer) == ("How long?", "2", "")
    assert query.labels == (Labels(passage_id="b", relevant=True, evidence=False), Labels(passage_id="p1", relevant=True))
    assert query.recorded == (RecordedAnswers(passage_id="b", relevant=0.9, evidence=1.0, contradicts=0.0, injection=0.1, judge="m1"),)
    assert ["zz" in item.reason or "between 0 and 1" in item.reason for item in result.skipped] == [True, True]


def test_several_questions(make: Make) -> None:
    data = '{"passages": ["one"], "questions": [{"question": "A?", "answer": "x"}, "B?", {"question": {"text": "C?", "scope": "s"}}, 4]}'
    result = load_corpus(make("a.json", data))
    assert [(q.query.text, q.query.scope, q.answer) for q in result.queries] == [("A?", None, "x"), ("B?", None, None), ("C?", "s", None)]
    assert [item.line for item in result.skipped] == [4]


def test_a_case_without_question_is_a_corpus(make: Make) -> None:
    assert load_corpus(make("a.json", '{"passages": [{"id": "a", "text": "x"}]}')).queries == ()


def test_a_slip_names_line_and_column(make: Make) -> None:
    with pytest.raises(CorpusError, match=r"line 2: .*column 25.*comma"):
        load_corpus(make("a.guarddesk.json", '{"question": "Q?",\n "passages": [{"id":"a" "text":"x"}]}'))


@pytest.mark.parametrize(
    ("data", "words"),
    [('{"question": "q"}', "no list of passages"), ("[1]", "a case file is a JSON object"), ("[" * 9999, "nested too deeply")],
)
def test_what_is_no_case_says_so(make: Make, data: str, words: str) -> None:
    with pytest.raises(CorpusError, match=words):
        load_corpus(make("a.guarddesk.json", data))
