from __future__ import annotations

import threading
import time

import pytest

from guard_desk.errors import Cancelled
from guard_desk.models.remote.pool import AHEAD_MOST, in_order, run_cancellable
from guard_desk.progress import CancelToken, RunContext


def test_results_come_in_order_and_at_most_so_many_are_in_work() -> None:
    lock, busy, busiest = threading.Lock(), 0, 0

    def work(item: int, ctx: RunContext) -> int:
        nonlocal busy, busiest
        with lock:
            busy += 1
            busiest = max(busiest, busy)
        time.sleep(0.002 * (item % 3))
        with lock:
            busy -= 1
        return item * item

    assert list(in_order(range(40), work, concurrency=3, ctx=RunContext())) == [item * item for item in range(40)]
    assert 1 < busiest <= 3


def test_nothing_to_do_gives_nothing() -> None:
    assert list(in_order((), lambda item, ctx: item, concurrency=4, ctx=RunContext())) == []


def test_a_slow_first_item_holds_back_a_bounded_number() -> None:
    release, begun = threading.Event(), []

    def work(item: int, ctx: RunContext) -> int:
        begun.append(item)
        if item == 0:
            release.wait(30)
        return item

    token = CancelToken()
    results = in_order(range(1000), work, concurrency=32, ctx=RunContext(token=token))
    threading.Timer(0.3, token.cancel).start()
    with pytest.raises(Cancelled):
        next(results)
    release.set()
    assert len(begun) <= AHEAD_MOST


def test_a_cancel_ends_the_wait_and_the_workers_sleep() -> None:
    token, woken = CancelToken(), threading.Event()

    def work(item: int, ctx: RunContext) -> None:
        if ctx.token.wait(60):
            woken.set()

    threading.Timer(0.05, token.cancel).start()
    with pytest.raises(Cancelled):
        list(in_order(range(3), work, concurrency=2, ctx=RunContext(token=token)))
    assert woken.wait(10)


def test_what_is_finished_when_a_cancel_comes_is_still_given() -> None:
    token, finished = CancelToken(), threading.Event()

    def work(item: int, ctx: RunContext) -> int:
        if item == 3:
            finished.set()
            ctx.token.wait(60)
        return item

    results = in_order(range(9), work, concurrency=1, ctx=RunContext(token=token))
    assert next(results) == 0
    assert finished.wait(10)
    token.cancel()
    assert [next(results), next(results)] == [1, 2]
    with pytest.raises(Cancelled):
        next(results)


def test_an_error_is_raised_at_its_turn_and_ends_the_work() -> None:
    begun = []

    def work(item: int, ctx: RunContext) -> int:
        begun.append(item)
        if item == 2:
            raise KeyError("broken")
        return item

    results = in_order(range(100), work, concurrency=1, ctx=RunContext())
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(KeyError, match="broken"):
        next(results)
    assert len(begun) <= 8


def test_one_piece_of_work_is_left_behind_by_a_cancel() -> None:
    token, release = CancelToken(), threading.Event()
    threading.Timer(0.05, token.cancel).start()
    with pytest.raises(Cancelled):
        run_cancellable(lambda ctx: release.wait(60), RunContext(token=token))
    release.set()
    assert run_cancellable(lambda ctx: 7, RunContext()) == 7


def test_worker_threads_end() -> None:
    before = set(threading.enumerate())
    list(in_order(range(10), lambda item, ctx: item, concurrency=4, ctx=RunContext()))
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()
