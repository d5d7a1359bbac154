"""A run that is cancelled or killed loses at most one batch, and the next one asks only for the rest."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from guard_desk.errors import Cancelled
from guard_desk.models.judges.systemone import SystemOneJudge, load
from guard_desk.progress import CancelToken, RunContext
from guard_desk.records.judging import JudgeSettings
from guard_desk.stages.judge import BATCH_ITEMS, judge, pair_key
from guard_desk.store.answers import SqliteAnswerStore
from tests.builders import passages, retrieved
from tests.models.judges.decision_server import DecisionServer, deciding

COUNT = 240
CONCURRENCY = 4
POOL = retrieved(passages(*(f"Passage number {number}." for number in range(COUNT))))
RUN = """
import sys
from pathlib import Path
from tests.models.judges.test_systemone_runs import CONCURRENCY, POOL, SqliteAnswerStore, judge, load, JudgeSettings, RunContext
settings = JudgeSettings(target=sys.argv[1], model="mock", concurrency=CONCURRENCY)
judge(POOL, load(settings, "auto"), SqliteAnswerStore(Path(sys.argv[2])), RunContext())
"""


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GUARD_DESK_API_KEY", raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


def judge_of(server: DecisionServer) -> SystemOneJudge:
    return load(JudgeSettings(target=server.url, model="mock", concurrency=CONCURRENCY), "auto")


def stored_of(model: SystemOneJudge, store: SqliteAnswerStore) -> int:
    return len(store.get([pair_key(model, POOL.query, passage, 0.0) for passage in POOL.passages]))


def finish(server: DecisionServer, path: Path, *, asked_before: int) -> None:
    """Run again on the same store and see that only the rest is asked."""
    model, store = judge_of(server), SqliteAnswerStore(path)
    stored = stored_of(model, store)
    # What was in flight reached the server, but no answer came back.
    assert asked_before - CONCURRENCY - BATCH_ITEMS <= stored <= asked_before
    assert stored > 0
    server.pause_s = 0.0
    result = judge(POOL, model, store, RunContext())
    assert server.config.requests - asked_before == COUNT - stored == model.spent.requests
    assert all(judgement.answers is not None for judgement in result.judgements)
    assert sum(judgement.cached for judgement in result.judgements) == stored
    again = judge(POOL, model, store, RunContext())
    assert again.spent is None
    assert server.config.requests - asked_before == COUNT - stored


def test_a_cancel_in_mid_run_loses_at_most_a_batch(tmp_path: Path) -> None:
    path, token = tmp_path / "answers.sqlite", CancelToken()
    with deciding(pause_s=0.02) as server:
        watcher = threading.Thread(target=lambda: (server.wait_for(100), token.cancel()))
        watcher.start()
        model = judge_of(server)
        with pytest.raises(Cancelled):
            judge(POOL, model, SqliteAnswerStore(path), RunContext(token=token))
        watcher.join()
        assert model.spent.requests < COUNT
        assert model.spent.estimated
        finish_after_rest(server, path)


def test_a_killed_process_in_mid_run_loses_at_most_a_batch(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with deciding(pause_s=0.02) as server:
        process = subprocess.Popen([sys.executable, "-c", RUN, server.url, str(path)], cwd=Path(__file__).parents[3])
        try:
            server.wait_for(100)
        finally:
            process.kill()
            process.wait()
        finish_after_rest(server, path)


def finish_after_rest(server: DecisionServer, path: Path) -> None:
    """`finish`, once the requests that were left behind have reached the server."""
    before = -1
    while before != server.config.requests:
        before = server.config.requests
        threading.Event().wait(0.2)
    finish(server, path, asked_before=before)


def test_renamed_passages_are_not_asked_again(tmp_path: Path) -> None:
    store = SqliteAnswerStore(tmp_path / "answers.sqlite")
    with deciding() as server:
        model = judge_of(server)
        first = judge(retrieved(passages("One.", "Two.")), model, store, RunContext())
        second = judge(retrieved(passages("Two.", "One.")), model, store, RunContext())
        assert server.config.requests == 2
    assert [j.answers for j in second.judgements] == [j.answers for j in first.judgements][::-1]


def test_passages_that_failed_are_asked_again(tmp_path: Path) -> None:
    store = SqliteAnswerStore(tmp_path / "answers.sqlite")
    pool = retrieved(passages("One.", "Two."))
    with deciding("boolean-type") as server:
        model = judge_of(server)
        assert all(j.answers is None for j in judge(pool, model, store, RunContext()).judgements)
        judge(pool, model, store, RunContext())
        assert server.config.requests == 4
