from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.records.corpus import Corpus, Passage, Query
from guard_desk.stages.filter import filter_corpus

WORDS = st.none() | st.sampled_from(["1", "2", "2.0", "v2"])


def corpus(*fields: tuple[str | None, str | None]) -> Corpus:
    return Corpus(passages=tuple(Passage(id=str(i), text="x", version=version, scope=scope) for i, (version, scope) in enumerate(fields)))


def test_filters_are_exact_and_counted() -> None:
    filtered = filter_corpus(
        corpus(("2", "a"), ("2.0", "a"), (None, "a"), ("2", "b"), ("2", None)), Query(text="q", version="2", scope="a")
    )
    assert list(filtered.kept) == [0]
    assert filtered.summary == (
        "1 of 5 passages kept; left out: 1 without a version, 1 of another version, 1 without a scope, 1 of another scope"
    )


def test_without_filters_all_are_kept() -> None:
    filtered = filter_corpus(corpus((None, None), ("2", "a")), Query(text="q"))
    assert list(filtered.kept) == [0, 1]
    assert not filtered.kept.flags.writeable


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS)), WORDS, WORDS)
def test_each_passage_is_kept_or_counted_once(fields: list[tuple[str | None, str | None]], version: str | None, scope: str | None) -> None:
    filtered = filter_corpus(corpus(*fields), Query(text="q", version=version, scope=scope))
    left_out = filtered.version_missing + filtered.version_other + filtered.scope_missing + filtered.scope_other
    assert len(filtered.kept) + left_out == filtered.total == len(fields)
    assert list(filtered.kept) == [i for i, (v, s) in enumerate(fields) if version in (None, v) and scope in (None, s)]
