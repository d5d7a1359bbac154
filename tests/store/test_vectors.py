from __future__ import annotations

import hashlib
import logging
import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from guard_desk.errors import StoreError
from guard_desk.store.vectors import KEY_BYTES, VectorSpace, VectorStore


def keys(*names: object) -> list[bytes]:
    return [hashlib.sha256(str(name).encode()).digest() for name in names]


def vectors(count: int, dimension: int = 8, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def files(folder: Path, name: str) -> Path:
    return next(folder.rglob(name))


def test_what_is_appended_is_found_again_by_another_store(tmp_path: Path) -> None:
    values = vectors(3)
    VectorStore(tmp_path).space("minilm@1").append(keys("a", "b", "c"), values)
    space = VectorStore(tmp_path).space("minilm@1")
    rows = space.find(keys("c", "x", "a"))
    assert rows.tolist() == [2, -1, 0]
    np.testing.assert_array_equal(space.rows(rows[[0, 2]]), values[[2, 0]])


def test_another_revision_is_another_space(tmp_path: Path) -> None:
    store = VectorStore(tmp_path)
    store.space("minilm@1").append(keys("a"), vectors(1))
    assert store.space("minilm@2").find(keys("a")).tolist() == [-1]


@pytest.mark.parametrize(("name", "lost"), [("keys.bin", 5), ("vectors.f32", 3), ("vectors.f32", 40)])
def test_a_cut_tail_is_ignored_and_written_over(tmp_path: Path, name: str, lost: int) -> None:
    values = vectors(4)
    VectorStore(tmp_path).space("s").append(keys(0, 1, 2, 3), values)
    file = files(tmp_path, name)
    file.write_bytes(file.read_bytes()[:-lost])
    space = VectorStore(tmp_path).space("s")
    found = space.find(keys(0, 1, 2, 3))
    left = int((found >= 0).sum())
    assert left < 4
    assert found[:left].tolist() == list(range(left))
    space.append(keys("new"), vectors(1, seed=9))
    again = VectorStore(tmp_path).space("s")
    rows = again.find(keys(0, "new"))
    np.testing.assert_array_equal(again.rows(rows), np.concatenate([values[:1], vectors(1, seed=9)]))


def test_damaged_vectors_are_not_found(tmp_path: Path) -> None:
    VectorStore(tmp_path).space("s").append(keys(0, 1), vectors(2))
    file = files(tmp_path, "vectors.f32")
    file.write_bytes(bytes(32) + file.read_bytes()[32:])
    assert VectorStore(tmp_path).space("s").find(keys(0, 1)).tolist() == [-1, 1]


def test_an_unreadable_space_is_put_aside_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    VectorStore(tmp_path).space("s").append(keys(0), vectors(1))
    files(tmp_path, "meta.json").write_text("{", encoding="utf-8")
    with caplog.at_level(logging.WARNING, logger="guard_desk.store"):
        space = VectorStore(tmp_path).space("s")
    assert "made again" in caplog.text
    assert space.find(keys(0)).tolist() == [-1]
    space.append(keys(0), vectors(1))
    assert space.find(keys(0)).tolist() == [0]
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_vectors_must_fit(tmp_path: Path) -> None:
    space = VectorStore(tmp_path).space("s")
    with pytest.raises(StoreError, match="each vector needs one"):
        space.append(keys("a", "b"), vectors(1))
    space.append(keys("a"), vectors(1))
    with pytest.raises(StoreError, match="vectors of 8 numbers, not 4"):
        space.append(keys("b"), vectors(1, 4))


def test_a_folder_that_cannot_be_made_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="GUARD_DESK_HOME"):
        VectorStore(tmp_path / "file").space("s")


def test_rows_of_another_reader_appear(tmp_path: Path) -> None:
    reader, writer = VectorStore(tmp_path).space("s"), VectorStore(tmp_path).space("s")
    assert reader.find(keys("a")).tolist() == [-1]
    writer.append(keys("a"), vectors(1))
    assert reader.find(keys("a")).tolist() == [0]
    writer.append(keys("b"), vectors(1))
    assert reader.find(keys("a", "b")).tolist() == [0, 1]


def _append_many(folder: str, worker: int) -> None:
    space = VectorSpace(Path(folder), "s")
    for number in range(20):
        space.append(keys(f"{worker}-{number}"), vectors(1, seed=worker * 100 + number))


def test_two_processes_append_without_losing_a_row(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_many, args=(str(tmp_path / "s"), worker)) for worker in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    space = VectorSpace(tmp_path / "s", "s")
    for worker in range(2):
        for number in range(20):
            rows = space.find(keys(f"{worker}-{number}"))
            np.testing.assert_array_equal(space.rows(rows), vectors(1, seed=worker * 100 + number))
    assert len(space) == 40
    assert (tmp_path / "s" / "keys.bin").stat().st_size == 40 * KEY_BYTES
