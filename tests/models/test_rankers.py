from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from guard_desk.errors import Cancelled, InputError
from guard_desk.models.bm25 import Bm25Ranker
from guard_desk.models.hybrid import HybridRanker, K, reciprocal_ranks
from guard_desk.models.rankers import DenseRanker, GivenRanker
from guard_desk.models.terms import terms
from guard_desk.models.tfidf import TfidfRanker
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Ranker
from guard_desk.records import Passage, Query
from guard_desk.store.vectors import VectorStore
from tests.builders import passages
from tests.models.fakes import BagEncoder, vector_of

TEXTS = (
    "Backups are kept for seven days.",
    "The cat sleeps on the sofa.",
    "Restore a backup with the restore command.",
    "備份保留七天。",
    "",
)
MAKERS: dict[str, Callable[[], Ranker]] = {
    "dense": lambda: DenseRanker(BagEncoder()),
    "bm25": lambda: Bm25Ranker(BagEncoder()),
    "hybrid": lambda: HybridRanker(BagEncoder()),
    "tfidf": TfidfRanker,
}


@pytest.mark.parametrize("name", MAKERS)
def test_every_ranker_keeps_the_contract(name: str) -> None:
    ranker, ctx, query = MAKERS[name](), RunContext(), Query(text="Backups are kept for how many days?")
    pool = passages(*TEXTS)
    ranker.index(pool, ctx)
    scores = ranker.scores(query, ctx)
    assert scores.shape == (5,)
    assert scores.dtype == np.float32
    assert scores.argmax() == 0
    positions = np.array([3, 0], dtype=np.int64)
    similarities = ranker.similarities(query, positions, ctx)
    assert similarities.shape == (2,)
    assert (np.abs(similarities) <= 1).all()
    pairs = ranker.pair_similarities(np.array([0, 2, 4]), ctx)
    assert pairs.dtype == np.float32
    np.testing.assert_array_equal(pairs, pairs.T)
    np.testing.assert_array_equal(np.diag(pairs), 1)
    assert ranker.info.revision


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("texts", [("",), ("the of and",), ("?!",), ("only one",)])
def test_corpora_without_words_are_ranked_too(name: str, texts: tuple[str, ...]) -> None:
    ranker, ctx = MAKERS[name](), RunContext()
    ranker.index(passages(*texts), ctx)
    for question in ("", "anything", "\ud83d"):
        assert np.isfinite(ranker.scores(Query(text=question), ctx)).all()
    assert ranker.pair_similarities(np.array([0]), ctx).tolist() == [[1.0]]


@pytest.mark.parametrize("name", MAKERS)
def test_cancel_stops_indexing(name: str) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        MAKERS[name]().index(passages(*TEXTS), RunContext(token=token))


def test_chinese_is_found_by_character_pairs() -> None:
    pool = passages("备份保留七天。", "猫在沙发上睡觉。", "七个苹果在桌上。")
    for name in ("bm25", "tfidf"):
        ranker = MAKERS[name]()
        ranker.index(pool, RunContext())
        assert ranker.scores(Query(text="备份保留多久？"), RunContext()).argmax() == 0


def test_terms_fold_stem_and_drop_stop_words() -> None:
    assert terms("The Backups were kept", "en") == [*terms("backups", "en"), "kept"]
    assert terms("保留七天", "zh") == ["保留", "留七", "七天"]
    assert terms("தமிழ் நாடு", "xx") == ["தமிழ்", "நாடு"]


def test_fusion_adds_reciprocal_ranks_and_ignores_missing_words() -> None:
    scores = np.array([3.0, 0.0, 5.0, 3.0], dtype=np.float32)
    expected = [1 / (K + 2), 0, 1 / (K + 1), 1 / (K + 2)]
    np.testing.assert_allclose(reciprocal_ranks(scores, only_above=0), expected, rtol=1e-6)


def test_one_changed_passage_is_encoded_once(tmp_path: Path) -> None:
    pool = passages("one", "two", "three", "two")
    first = BagEncoder()
    DenseRanker(first, VectorStore(tmp_path)).index(pool, RunContext())
    assert sorted(first.encoded) == ["one", "three", "two"]
    second = BagEncoder()
    ranker = DenseRanker(second, VectorStore(tmp_path))
    ranker.index((*pool[:1], Passage(id="p2", text="deux"), *pool[2:]), RunContext())
    assert second.encoded == ["deux"]
    np.testing.assert_allclose(ranker.scores(Query(text="deux"), RunContext())[1], 1, atol=1e-6)


def test_another_revision_encodes_again(tmp_path: Path) -> None:
    DenseRanker(BagEncoder("1"), VectorStore(tmp_path)).index(passages("one"), RunContext())
    newer = BagEncoder("2")
    DenseRanker(newer, VectorStore(tmp_path)).index(passages("one"), RunContext())
    assert newer.encoded == ["one"]


def test_cancel_keeps_finished_batches(tmp_path: Path) -> None:
    token = CancelToken()

    class Stopping(BagEncoder):
        def encode_batches(self, passages, ctx):  # type: ignore[no-untyped-def]
            for number, batch in enumerate(super().encode_batches(passages, ctx)):
                if number == 1:
                    token.cancel()
                yield batch

    pool = passages("a", "b", "c", "d", "e", "f")
    with pytest.raises(Cancelled):
        DenseRanker(Stopping(), VectorStore(tmp_path)).index(pool, RunContext(token=token))
    rest = BagEncoder()
    DenseRanker(rest, VectorStore(tmp_path)).index(pool, RunContext())
    assert rest.encoded == ["e", "f"]


def test_a_known_question_needs_no_model(tmp_path: Path) -> None:
    for count in (2, 0):
        encoder = BagEncoder()
        ranker = DenseRanker(encoder, VectorStore(tmp_path))
        ranker.index(passages("one"), RunContext())
        ranker.scores(Query(text="one?"), RunContext())
        assert len(encoder.encoded) == count


def test_bm25_encodes_the_pool_only() -> None:
    encoder = BagEncoder()
    ranker = Bm25Ranker(encoder)
    ranker.index(passages("alpha beta", "gamma", "delta"), RunContext())
    ranker.scores(Query(text="beta"), RunContext())
    assert encoder.encoded == []
    ranker.similarities(Query(text="beta"), np.array([0]), RunContext())
    assert encoder.encoded == ["alpha beta", "beta"]


def test_given_vectors_are_normalised() -> None:
    rows = np.stack([vector_of("one") * 7, vector_of("two") * 0.5])
    ranker = GivenRanker(rows, vector_of("two") * 3)
    ranker.index(passages("one", "two"), RunContext())
    np.testing.assert_allclose(ranker.scores(Query(text="?"), RunContext())[1], 1, atol=1e-6)


@pytest.mark.parametrize(
    ("vectors", "query", "said"),
    [
        ([[1, 2]], [1, 2, 3], "vectors have 2 numbers, query_vector has 3"),
        ([1, 2], [1, 2], r"shape must be \(passages, dimension\)"),
        ([[1, float("nan")]], [1, 2], "not finite"),
        ([[1, 2]], [0, 0], "zeros"),
        ([[1e300, 1]], [1, 2], "not finite"),
        ([["a", "b"]], [1, 2], "cannot be read as numbers"),
    ],
)
def test_vectors_that_cannot_be_used_are_named(vectors: object, query: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        GivenRanker(vectors, query)  # type: ignore[arg-type]


def test_each_passage_needs_a_vector() -> None:
    with pytest.raises(InputError, match="1 vectors came with 2 passages"):
        GivenRanker([[1.0, 2.0]], [1.0, 2.0]).index(passages("a", "b"), RunContext())
