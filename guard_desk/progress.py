"""Progress and cancel for long work, without Qt.

A stage calls `ctx.check()` between batches and `ctx.report(...)` or `ctx.track(...)` as it goes;
whoever started the work decides what happens with the reports and when to cancel.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from guard_desk.errors import Cancelled

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far one piece of work has come.

    :param stage: name of the stage or task, e.g. "judge".
    :param done: items finished.
    :param total: items in all; None while unknown.
    :param unit: what is counted, plural ("passages", "bytes").
    :param elapsed_s: seconds since the work began.
    """

    stage: str
    done: int
    total: int | None = None
    unit: str = "items"
    elapsed_s: float = 0.0

    @property
    def fraction(self) -> float | None:
        """Share done, 0..1; None while the total is unknown."""
        return None if not self.total else min(1.0, self.done / self.total)

    @property
    def remaining_s(self) -> float | None:
        """Seconds left at the pace so far; None while it cannot be told."""
        fraction = self.fraction
        if not fraction or self.elapsed_s < 0.5:
            return None
        return self.elapsed_s * (1 - fraction) / fraction


class CancelToken:
    """A flag that one thread sets and another looks at."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep, but wake at once on a cancel. :returns: whether it was cancelled."""
        return self._event.wait(seconds)


def _ignore(_: object) -> None:
    return None


@dataclass(slots=True, kw_only=True)
class RunContext:
    """What a stage is given to report progress, hand out partial results and notice a cancel.

    :param on_progress: called with each `Progress`.
    :param on_partial: called with partial frozen results (finished judgements, text written so far).
    """

    token: CancelToken = field(default_factory=CancelToken)
    on_progress: Callable[[Progress], None] = _ignore
    on_partial: Callable[[object], None] = _ignore
    _started: dict[str, float] = field(default_factory=dict, repr=False)

    def check(self) -> None:
        """:raises Cancelled: when the token is set."""
        if self.token.cancelled:
            raise Cancelled

    def report(self, stage: str, done: int, total: int | None = None, *, unit: str = "items") -> None:
        """Report progress and look at the token."""
        self.check()
        now = time.monotonic()
        started = self._started.setdefault(stage, now)
        self.on_progress(Progress(stage=stage, done=done, total=total, unit=unit, elapsed_s=now - started))

    def partial(self, result: object) -> None:
        """Hand out a finished part of a result."""
        self.on_partial(result)

    def track(self, items: Iterable[T], stage: str, total: int | None = None, *, unit: str = "items") -> Iterator[T]:
        """Yield `items`, reporting after each one.

        :raises Cancelled: when the token is set.
        """
        done = 0
        self.report(stage, done, total, unit=unit)
        for item in items:
            yield item
            done += 1
            self.report(stage, done, total, unit=unit)
