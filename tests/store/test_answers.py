from __future__ import annotations

import logging
import multiprocessing
import os
import sqlite3
import threading
from pathlib import Path

import pytest

from guard_desk.errors import StoreError
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Answers, Judgement, Question, Reason
from guard_desk.store.answers import KEYS_A_QUERY, SqliteAnswerStore


def judgement(relevant: float = 0.5) -> Judgement:
    return Judgement(
        passage_id="p1",
        answers=Answers(relevant=relevant, evidence=0.25, contradicts=0.125, injection=0.0),
        judge="features",
        reasons=(
            Reason(question=Question.RELEVANT, rule="similarity", detail="Gleich: 相同", spans=(Span(1, 4),), query_spans=(Span(0, 2),)),
        ),
        uncertain=(Question.EVIDENCE,),
    )


def test_what_is_stored_comes_back_without_its_passage(tmp_path: Path) -> None:
    store = SqliteAnswerStore(tmp_path / "answers.sqlite")
    store.put([("k1", judgement())])
    (found,) = store.get(["k1", "k2"]).values()
    assert (found.passage_id, found.cached) == ("", True)
    assert (found.answers, found.reasons, found.uncertain) == (judgement().answers, judgement().reasons, judgement().uncertain)


def test_it_survives_closing_and_is_replaced_by_a_newer_answer(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.sqlite"
    first = SqliteAnswerStore(path)
    first.put([("k1", judgement(0.1)), ("k1", judgement(0.2))])
    first.close()
    store = SqliteAnswerStore(path)
    found = store.get(["k1"])["k1"].answers
    assert found is not None
    assert found.relevant == 0.2
    assert store.summary().answers == 1


def test_an_error_is_not_stored(tmp_path: Path) -> None:
    store = SqliteAnswerStore(tmp_path / "answers.sqlite")
    store.put([("k1", Judgement(passage_id="p1", answers=None, judge="features", error="broken"))])
    assert store.get(["k1"]) == {}


def test_many_keys_are_asked_in_parts(tmp_path: Path) -> None:
    store = SqliteAnswerStore(tmp_path / "answers.sqlite")
    keys = [f"k{number}" for number in range(KEYS_A_QUERY + 3)]
    store.put([(key, judgement()) for key in keys])
    assert set(store.get(keys)) == set(keys)


@pytest.mark.parametrize("damage", [b"this is no database" * 100, b""])
def test_a_damaged_file_is_moved_aside_and_not_lost(tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(damage)
    store = SqliteAnswerStore(path)
    with caplog.at_level(logging.WARNING, logger="guard_desk.store"):
        assert store.get(["k1"]) == {}
    store.put([("k1", judgement())])
    assert "k1" in store.get(["k1"])
    aside = store.summary().aside
    if damage:
        assert aside is not None
        assert aside.read_bytes() == damage
        assert "damaged" in caplog.text
    else:
        assert aside is None


def test_a_page_that_breaks_later_is_moved_aside_too(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    store = SqliteAnswerStore(path)
    store.put([(f"k{number}", judgement()) for number in range(500)])
    store.close()
    raw = bytearray(path.read_bytes())
    raw[4096:] = os.urandom(len(raw) - 4096)
    path.write_bytes(bytes(raw))
    again = SqliteAnswerStore(path)
    assert again.get(["k1"]) == {}
    again.put([("k1", judgement())])
    assert "k1" in again.get(["k1"])


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SqliteAnswerStore(tmp_path / "file" / "answers.sqlite")
    with pytest.raises(StoreError, match="GUARD_DESK_HOME"):
        store.put([("k1", judgement())])


def test_a_file_of_a_newer_format_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StoreError, match="newer"):
        SqliteAnswerStore(path).get(["k1"])


def _write_some(path: str, first: int, barrier: threading.Barrier) -> None:
    store = SqliteAnswerStore(path)
    barrier.wait(60)
    for number in range(first, first + 20):
        store.put([(f"k{number}", judgement())])


def test_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    writers = [context.Process(target=_write_some, args=(str(path), first, barrier)) for first in (0, 20, 40, 60)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert SqliteAnswerStore(path).summary().answers == 80
