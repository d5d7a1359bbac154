"""Files of other tools are refused by name; our own are not taken for theirs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus

Make = Callable[[str, bytes | str], Path]
FOREIGN: dict[str, object] = {
    "Ragas": [{"user_input": "q", "retrieved_contexts": ["c"], "response": "a"}],
    "RAGTruth": [{"source_id": "s", "response": "r", "labels": []}],
    "LettuceDetect": [{"prompt": "p", "answer": "a", "labels": [], "split": "dev"}],
    "LangChain": [[{"lc": 1, "type": "constructor", "kwargs": {"page_content": "x"}}, 0.5]],
    "LlamaIndex": [{"node": {"id_": "n", "text": "x", "class_name": "TextNode"}, "score": 0.8}],
    "Haystack": [{"id": "h", "content": "x", "blob": None, "meta": {}}],
    "OpenInference": [{"name": "s", "context": {"span_id": "1"}, "attributes": {"openinference.span.kind": "RETRIEVER"}}],
    "RAGChecker": {"results": [{"query_id": "1", "query": "q", "retrieved_context": []}]},
    "promptfoo": {"evalId": "e", "results": {"results": []}},
    "DeepEval": [{"input": "q", "actualOutput": "a", "retrievalContext": ["c"]}],
}


@pytest.mark.parametrize("tool", FOREIGN)
@pytest.mark.parametrize("lines", [False, True])
def test_refused_by_name(make: Make, tool: str, lines: bool) -> None:
    data = FOREIGN[tool]
    if lines and isinstance(data, list) and isinstance(data[0], dict):
        path = make("a.jsonl", "".join(json.dumps(row) + "\n" for row in data * 3))
    else:
        path = make("a.json", json.dumps(data))
    with pytest.raises(CorpusError, match=f"{tool} file.*does not read that format yet.*JSON Lines"):
        load_corpus(path)


def test_a_table_of_another_tool(make: Make) -> None:
    with pytest.raises(CorpusError, match="Ragas"):
        load_corpus(make("a.csv", "question,answer,contexts\nq,a,\"['c']\"\n"))


@pytest.mark.parametrize(
    "record",
    [
        {"id": "a", "text": "x", "question": "q", "answer": "b"},
        {"id": "a", "text": "x", "metadata": {"page_content": "y", "input": "z", "class_name": "k"}},
        {"id": "a", "content": "x", "title": "t"},
        {"id": "a", "text": 'a text with "evalId": and {"lc": 1}'},
    ],
)
def test_own_records_are_read(make: Make, record: dict[str, object]) -> None:
    assert len(load_corpus(make("a.jsonl", json.dumps(record) + "\n")).corpus) == 1
    assert len(load_corpus(make("b.json", json.dumps([record]))).corpus) == 1
