from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.measure.passage_rows import PassageRows, PassageTexts, WordSearch, label_agrees, label_word, pool_rows
from guard_desk.records.corpus import Labels, Passage
from guard_desk.records.trace import Trace
from tests.ui import builders


@pytest.fixture(scope="module")
def run() -> Trace:
    return builders.trace()


def of(texts: list[str]) -> PassageTexts:
    return PassageTexts(tuple(Passage(id=f"p{at}", text=text) for at, text in enumerate(texts)))


def test_rows_of_a_pool_know_all_a_run_gave(run: Trace) -> None:
    rows = pool_rows(run, PassageTexts(run.retrieved.passages), {})
    row = rows[rows.position("p0") or 0]
    assert row.hit is not None
    assert row.placement is not None
    assert (row.passage.id, row.hit.rank, row.placement.name) == ("p0", 6, "excluded:injection")
    assert rows.place_names()["conflict"] == 3
    assert rows.in_places(frozenset(("conflict",))).sum() == 3


def test_rows_of_a_corpus_leave_blank_what_is_outside_the_pool() -> None:
    run = builders.trace(policy=builders.POLICY.with_value("retrieve.pool", 4))
    corpus = builders.corpus()
    rows = pool_rows(run, PassageTexts(corpus.passages), {})
    assert np.isnan(rows.ranks).sum() == 6
    assert [int(rank) for rank in rows.ranks[rows.own_order[:4]]] == [1, 2, 3, 4]
    outside = rows[int(rows.own_order[-1])]
    assert (outside.hit, outside.placement, outside.judgement) == (None, None, None)
    assert rows.in_places(frozenset(("",))).sum() == 6


def test_members_follow_their_representative(run: Trace) -> None:
    rows = pool_rows(run, PassageTexts(run.retrieved.passages), {})
    ordered = [rows[int(at)] for at in rows.own_order]
    assert [(row.passage.id, row.folded, row.member) for row in ordered[:3]] == [("p1", 1, False), ("p2", 0, True), ("p4", 0, False)]


@given(st.lists(st.one_of(st.text(max_size=6), st.text("ab\0", min_size=22, max_size=27)), max_size=12))
def test_keys_order_texts_as_folding_does(values: list[str]) -> None:
    texts = of(["x"] * len(values))
    keys = texts.keys("any", lambda passage: values[int(passage.id[1:])])
    for i, left in enumerate(values):
        for j, right in enumerate(values):
            if left and right:
                assert (keys[i] < keys[j]) == (left.casefold() < right.casefold())
    assert [bool(np.isnan(key)) for key in keys] == [not value for value in values]


@given(st.lists(st.text("abİß 7天", max_size=8), max_size=30), st.text("abİß 7天", max_size=5))
def test_a_search_in_slices_finds_what_a_plain_one_finds(values: list[str], words: str) -> None:
    texts = of(values)
    search = WordSearch(texts, words)
    while not search.advance(0.0):
        pass
    wanted = [all(word in f"p{at}\n\n\n{text}".casefold() for word in words.casefold().split()) for at, text in enumerate(values)]
    assert search.mask.tolist() == wanted


def test_a_slice_ends_when_its_time_is_over() -> None:
    search = WordSearch(of(["text"] * 2000), "text")
    assert not search.advance(0.0)
    assert 0 < search.mask.sum() < 2000


def test_words_of_labels(run: Trace) -> None:
    def words(**answers: bool | float) -> str:
        return label_word(Labels(passage_id="p", **answers))  # type: ignore[arg-type]

    assert words(injection=True, relevant=False) == "injection"
    assert words(contradicts=True, evidence=True) == "denies premise"
    assert [words(evidence=True), words(relevant=False), words(evidence=False)] == ["evidence", "off topic", "no evidence"]
    assert [words(relevant=True), words(grade=2.0), words(), label_word(None)] == ["on topic", "grade 2", "", ""]


def test_a_label_agrees_with_its_place(run: Trace) -> None:
    labels = {
        "p0": Labels(passage_id="p0", injection=True),
        "p5": Labels(passage_id="p5", evidence=True),
        "p2": Labels(passage_id="p2", evidence=True),
    }
    rows = pool_rows(run, PassageTexts(run.retrieved.passages), labels)
    assert [label_agrees(rows[rows.position(i) or 0]) for i in ("p0", "p5", "p2", "p9")] == [True, False, None, None]


def test_no_passages_are_no_trouble() -> None:
    rows = PassageRows(PassageTexts(()))
    assert (len(rows), rows.own_order.tolist(), rows.place_names()) == (0, [], {})
    assert WordSearch(rows.texts, "x").advance(0.0)
