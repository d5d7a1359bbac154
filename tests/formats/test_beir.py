from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus
from guard_desk.records.corpus import Format, Labels

Make = Callable[[str, bytes | str], Path]
CORPUS = '{"_id":"c1","title":"Owl","text":"It hunts."}\n{"_id":"c2","title":"","text":"Gulls."}\n'
QUERIES = '{"_id":"q1","text":"Who hunts?"}\n{"_id":"q2","text":"Who follows?"}\n'


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("header", ["query-id\tcorpus-id\tscore\n", ""])
def test_judgements_become_labels(make: Make, tmp_path: Path, packed: bool, header: str) -> None:
    for name, data in (("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES), ("qrels/test.tsv", header + "q1\tc1\t2\nq1\tc2\t0\n")):
        make(f"set/{name}.gz" if packed else f"set/{name}", gzip.compress(data.encode()) if packed else data)
    result = load_corpus(tmp_path / "set")
    assert result.format is Format.BEIR
    assert [(p.id, p.title) for p in result.corpus.passages] == [("c1", "Owl"), ("c2", None)]
    assert [(query.id, query.query.text) for query in result.queries] == [("q1", "Who hunts?"), ("q2", "Who follows?")]
    assert result.queries[0].labels == (
        Labels(passage_id="c1", relevant=True, grade=2.0),
        Labels(passage_id="c2", relevant=False, grade=0.0),
    )
    assert result.skipped == ()


def test_rows_that_fit_nothing_are_listed(make: Make, tmp_path: Path) -> None:
    make("set/corpus.jsonl", CORPUS)
    make("set/queries.jsonl", QUERIES + '{"_id":"q1","text":"again"}\n{"_id":"q3"}\n')
    make("set/qrels/a.tsv", "q1\tc1\t1\nq1\tc9\t1\nq9\tc1\t1\nq2\tc1\tmany\nq2\tc1\nq1\tc1\t0\n")
    make("set/qrels/b.tsv", "q1 0 c1 0\nq2 0 c2 1\n")
    result = load_corpus(tmp_path / "set")
    assert [(Path(item.path).name, item.line) for item in result.skipped] == [
        ("queries.jsonl", 3),
        ("queries.jsonl", 4),
        *(("a.tsv", line) for line in (2, 3, 4, 5, 6)),
    ]
    assert [[(label.passage_id, label.grade) for label in query.labels] for query in result.queries] == [[("c1", 1.0)], [("c2", 1.0)]]


def test_the_questions_alone_are_no_corpus(make: Make) -> None:
    make("set/corpus.jsonl", CORPUS)
    with pytest.raises(CorpusError, match=r"questions of a BEIR folder.*Open the folder"):
        load_corpus(make("set/queries.jsonl", QUERIES))


def test_without_questions_the_passages_are_read(make: Make) -> None:
    path = make("set/corpus.jsonl", CORPUS)
    result = load_corpus(path.parent)
    assert (len(result.corpus), len(result.queries), len(result.skipped)) == (2, 0, 1)
