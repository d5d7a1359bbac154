from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.errors import InputError
from guard_desk.formats import corpus_digest, load_corpus, make_corpus, safe_cell, save_case, save_passages
from guard_desk.records.corpus import Labels, LoadedQuery, Passage, Query, RecordedAnswers


def joined_halves(text: str) -> str:
    """Two halves that follow each other are one character in JSON."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


ANY = st.text(st.characters(exclude_categories=[]), max_size=20).map(joined_halves)
SHORT = st.none() | ANY.map(lambda text: text.strip() or None)
NAMED = ANY.filter(lambda text: bool(text) and not text.isspace())
IDS = st.text(st.characters(exclude_categories=["Cc", "Zl", "Zp"]), max_size=8).map(joined_halves).map(str.strip).filter(bool)
PASSAGES = st.lists(
    st.builds(
        Passage,
        id=IDS,
        text=NAMED,
        title=SHORT,
        source=SHORT,
        source_type=SHORT,
        date=SHORT,
        version=SHORT,
        scope=SHORT,
        claim_key=SHORT,
        claim_value=SHORT,
        metadata=st.lists(st.tuples(ANY, NAMED), max_size=3).map(tuple),
    ),
    min_size=1,
    max_size=5,
    unique_by=lambda passage: passage.id,
)


@settings(deadline=None)
@given(PASSAGES)
def test_any_passages_read_back_equal(passages: list[Passage]) -> None:
    with TemporaryDirectory() as folder:
        for name in ("a.jsonl", "a.jsonl.gz"):
            save_passages(Path(folder) / name, passages)
            result = load_corpus(Path(folder) / name)
            assert result.corpus.passages == tuple(passages)
            assert (result.skipped, result.renamed) == ((), ())
            assert result.corpus.digest == corpus_digest(passages)


@settings(deadline=None)
@given(PASSAGES, st.lists(SHORT, min_size=1, max_size=3))
def test_any_case_reads_back_equal(passages: list[Passage], answers: list[str | None]) -> None:
    first = passages[0].id
    queries = tuple(
        LoadedQuery(
            query=Query(text=f"Question {number}?", version="2" if number else None),
            id=f"q{number}",
            answer=answer,
            references=("yes",),
            labels=(Labels(passage_id=first, relevant=True, injection=False, grade=2.0),),
            recorded=(RecordedAnswers(passage_id=first, relevant=0.5, evidence=0.25, contradicts=0.0, injection=1.0, judge="m"),),
        )
        for number, answer in enumerate(answers)
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.guarddesk.json"
        save_case(path, passages, queries, name="demo", description="text")
        result = load_corpus(path)
    assert result.corpus.passages == tuple(passages)
    assert result.queries == queries
    assert result.skipped == ()


@settings(deadline=None)
@given(st.lists(st.builds(Passage, id=ANY, text=NAMED), max_size=6))
def test_passages_made_in_code_get_unique_ids(passages: list[Passage]) -> None:
    assert len(make_corpus(passages)) == len(passages)


@settings(deadline=None)
@given(ANY)
def test_a_cell_is_never_a_formula(text: str) -> None:
    assert not safe_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    safe_cell(text).encode("utf-8")


def test_a_line_holds_no_line_end_of_any_kind(tmp_path: Path) -> None:
    save_passages(tmp_path / "a.jsonl", [Passage(id="a", text="x\u2028y\u2029z\u0085\n")])
    assert len((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    save_passages(path, [Passage(id="a", text="x")])
    before = path.read_bytes()

    def failing() -> object:
        yield Passage(id="b", text="y")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        save_passages(path, failing())  # type: ignore[arg-type]
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir() if item.is_file()] == ["a.jsonl"]
    with pytest.raises(InputError, match="cannot be written"):
        save_passages(tmp_path / "missing" / "a.jsonl", [])
