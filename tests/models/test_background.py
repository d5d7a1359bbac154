"""Work on a thread of its own: what is left behind, and what the end of the process waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from guard_desk.models import background
from guard_desk.models.background import handed_over
from guard_desk.progress import CancelToken, RunContext


@pytest.mark.parametrize("leave_s", [0.0, 0.01])
def test_the_end_of_the_process_waits_for_work_that_it_must_not_interrupt(leave_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[tuple[object, ...]] = []
    monkeypatch.setattr(background.atexit, "register", lambda *call: waited.append(call))
    go_on = threading.Event()

    def work(hand: Callable[[str], None], stop: CancelToken) -> None:
        hand("some")
        go_on.wait(20)  # a library that looks at no flag while it is busy

    with closing(handed_over(work, RunContext(), name="guard-desk-test", leave_s=leave_s)) as pieces:
        assert next(pieces) == "some"
    assert len(waited) == (1 if leave_s else 0)
    go_on.set()
    for join, *seconds in waited:
        join(*seconds)


def test_work_that_stops_in_time_is_waited_for_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[tuple[object, ...]] = []
    monkeypatch.setattr(background.atexit, "register", lambda *call: waited.append(call))

    def work(hand: Callable[[str], None], stop: CancelToken) -> None:
        hand("some")
        stop.wait(20)

    with closing(handed_over(work, RunContext(), name="guard-desk-test", leave_s=10.0)) as pieces:
        assert next(pieces) == "some"
    assert waited == []
