"""Work that hands out its results one by one on a thread of its own, which a cancel leaves behind at once."""

from __future__ import annotations

import atexit
import queue
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar

from guard_desk.progress import CancelToken, RunContext

Item = TypeVar("Item")
Work = Callable[[Callable[[Item], None], CancelToken], None]

POLL_S = 0.05
# So long the end of the process waits for a library that is inside of its own code: interrupted there it would abort the process.
EXIT_S = 10.0


@dataclass(frozen=True, slots=True)
class _Handed(Generic[Item]):
    """A result, or the end with its error."""

    item: Item | None = None
    end: bool = False
    error: BaseException | None = None


def handed_over(
    work: Work[Item], ctx: RunContext, *, name: str, idle: Callable[[], None] | None = None, leave_s: float = 0.0
) -> Generator[Item, None, None]:
    """What `work` hands over, as it comes. What it raises is raised here.

    When the caller stops (a cancel, an error, a closed generator) the work's token is set, and the thread is left behind.

    :param work: called on a daemon thread with a function that hands over, and a token that tells it to stop.
    :param name: of the thread.
    :param idle: called each `POLL_S` while nothing comes; may raise.
    :param leave_s: how long the caller waits for the thread before it leaves it behind; more than 0 for work that the end of the process
        must not interrupt.
    :raises Cancelled: at most `POLL_S` after the cancel.
    """
    handed: queue.SimpleQueue[_Handed[Item]] = queue.SimpleQueue()
    stop = CancelToken()
    thread = threading.Thread(target=_run, args=(work, handed, stop), name=name, daemon=True)
    thread.start()
    try:
        while True:
            ctx.check()
            try:
                next_one = handed.get(timeout=POLL_S)
            except queue.Empty:
                if idle is not None:
                    idle()
                continue
            if next_one.error is not None:
                raise next_one.error
            if next_one.end:
                return
            yield next_one.item  # type: ignore[misc]  # None only where the item is None
    finally:
        stop.cancel()
        thread.join(timeout=leave_s)
        if leave_s and thread.is_alive():
            atexit.register(thread.join, EXIT_S)


def _run(work: Work[Item], handed: queue.SimpleQueue[_Handed[Item]], stop: CancelToken) -> None:
    try:
        work(lambda item: handed.put(_Handed(item)), stop)
    except BaseException as exc:  # noqa: BLE001 - handed to the thread that waits for it
        handed.put(_Handed(end=True, error=exc))
    else:
        handed.put(_Handed(end=True))
