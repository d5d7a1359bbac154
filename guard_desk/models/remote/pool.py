"""Work on other threads that a cancel leaves behind at once."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, wait
from typing import TypeVar

from guard_desk.progress import CancelToken, RunContext

Item = TypeVar("Item")
Result = TypeVar("Result")

POLL_S = 0.05
# Results that came before their turn wait unstored; no more of them than a batch of the stage "judge".
AHEAD_MOST = 64


def in_order(
    items: Sequence[Item], work: Callable[[Item, RunContext], Result], *, concurrency: int, ctx: RunContext
) -> Generator[Result, None, None]:
    """The result of each item, in order, as soon as it and those before it are finished.

    At most `concurrency` items are in work at one time, and no item is begun more than 4 x `concurrency` (64 at most) ahead of
    the one that is waited for. An exception of `work` is raised at its item's turn. When the caller stops (a cancel, an error,
    a closed generator) nothing further is begun and what is in work is left behind on daemon threads, its context cancelled.

    :param work: called on a worker thread with the item and a context that is cancelled with `ctx`.
    :raises Cancelled: at most `POLL_S` after the cancel.
    """
    stop = CancelToken()
    tasks: queue.SimpleQueue[tuple[Item, Future[Result]] | None] = queue.SimpleQueue()
    threads = max(1, min(concurrency, len(items)))
    worker_ctx = RunContext(token=stop)
    for number in range(threads):
        threading.Thread(target=_serve, args=(tasks, work, worker_ctx), name=f"remote-{number}", daemon=True).start()
    waiting: deque[Future[Result]] = deque()
    rest = iter(items)
    try:
        while True:
            _feed(rest, tasks, waiting, most=min(max(4 * concurrency, 1), max(AHEAD_MOST, concurrency)))
            if not waiting:
                return
            yield _awaited(waiting.popleft(), ctx)
    finally:
        stop.cancel()
        for _ in range(threads):
            tasks.put(None)


def run_cancellable(work: Callable[[RunContext], Result], ctx: RunContext) -> Result:
    """One piece of work on another thread. :raises Cancelled: at once, leaving it behind."""
    results = in_order((None,), lambda _, worker_ctx: work(worker_ctx), concurrency=1, ctx=ctx)
    try:
        return next(results)
    finally:
        results.close()


def _feed(
    rest: Iterator[Item],
    tasks: queue.SimpleQueue[tuple[Item, Future[Result]] | None],
    waiting: deque[Future[Result]],
    *,
    most: int,
) -> None:
    while len(waiting) < most:
        try:
            item = next(rest)
        except StopIteration:
            return
        future: Future[Result] = Future()
        waiting.append(future)
        tasks.put((item, future))


def _awaited(future: Future[Result], ctx: RunContext) -> Result:
    while not future.done():
        ctx.check()
        wait((future,), timeout=POLL_S)
    return future.result()


def _serve(
    tasks: queue.SimpleQueue[tuple[Item, Future[Result]] | None], work: Callable[[Item, RunContext], Result], ctx: RunContext
) -> None:
    while (task := tasks.get()) is not None and not ctx.token.cancelled:
        item, future = task
        try:
            result = work(item, ctx)
        except BaseException as exc:  # noqa: BLE001 - handed to the thread that waits for it
            future.set_exception(exc)
        else:
            future.set_result(result)
