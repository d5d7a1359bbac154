"""The only file that knows threads: four lanes, jobs with an id and a cancel token, results as frozen records.

models  one inference thread; a new job supersedes only its own kind, so re-checking an answer never cancels judging
policy  latest wins
files   reading and writing
network short questions of a dialog to a server; they wait for nothing else

Late results are dropped by id. Receivers connect `@Slot` methods, never lambdas.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count

from PySide6.QtCore import QObject, Signal, Slot

from guard_desk.errors import Cancelled, GuardDeskError
from guard_desk.progress import CancelToken, Progress, RunContext

logger = logging.getLogger("guard_desk.ui")

Work = Callable[[RunContext], object]

# A worker reports at most this often within a stage; its window would do nothing else than listen.
PACE_S = 0.05


class Lane(StrEnum):
    """Where a job runs."""

    MODELS = "models"
    POLICY = "policy"
    FILES = "files"
    NETWORK = "network"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of background work.

    :param kind: what it does ("run", "recheck", "decide", "load"); a newer job of a kind supersedes the older.
    """

    id: int
    lane: Lane
    kind: str
    token: CancelToken = field(default_factory=CancelToken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a job ended: a result, an error, or cancelled (both None)."""

    job: Job
    result: object = None
    error: Exception | None = None
    cancelled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Progress of a job, or a partial result (then `progress` is None)."""

    job: Job
    progress: Progress | None = None
    partial: object = None


class Runner(QObject):
    """Runs jobs and hands their results to the window's thread."""

    started = Signal(object)
    """Job"""
    reported = Signal(object)
    """Report; only of jobs that are still wanted"""
    ended = Signal(object)
    """Outcome; only of jobs that are still wanted"""

    _from_worker = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids = count(1)
        self._lanes = {lane: ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"guard-desk-{lane}") for lane in Lane}
        self._wanted: dict[str, Job] = {}
        self._from_worker.connect(self._receive)

    def submit(self, lane: Lane, kind: str, work: Work) -> Job:
        """Start `work`; the older job of the same kind is cancelled and its results are dropped."""
        self.cancel(kind)
        job = Job(id=next(self._ids), lane=lane, kind=kind)
        self._wanted[kind] = job
        self.started.emit(job)
        self._lanes[lane].submit(self._work, job, work)
        return job

    def cancel(self, kind: str) -> bool:
        """Ask the job of a kind to stop; it still reports that it was cancelled. :returns: whether there was one."""
        job = self._wanted.get(kind)
        if job is None:
            return False
        job.token.cancel()
        return True

    def drop(self, kind: str) -> None:
        """Ask the job of a kind to stop and hear no more of it: what it was working on is gone."""
        if self.cancel(kind):
            del self._wanted[kind]

    def drop_all(self, prefix: str, *, but: str = "") -> None:
        """Drop the jobs whose kind begins so, except one."""
        for kind in [kind for kind in self._wanted if kind.startswith(prefix) and kind != but]:
            self.drop(kind)

    def running(self, kind: str) -> bool:
        """Whether a job of this kind is under way or waiting."""
        return kind in self._wanted

    def shutdown(self) -> None:
        """Cancel everything and wait for the threads."""
        for job in self._wanted.values():
            job.token.cancel()
        self._wanted.clear()
        for lane in self._lanes.values():
            lane.shutdown(wait=True, cancel_futures=True)

    def _work(self, job: Job, work: Work) -> None:
        ctx = RunContext(
            token=job.token,
            on_progress=_Paced(lambda progress: self._from_worker.emit(Report(job=job, progress=progress))),
            on_partial=lambda partial: self._from_worker.emit(Report(job=job, partial=partial)),
        )
        self._from_worker.emit(_outcome(job, work, ctx))

    @Slot(object)
    def _receive(self, message: Report | Outcome) -> None:
        """In the window's thread: pass on what is still wanted."""
        if self._wanted.get(message.job.kind) is not message.job:
            return
        if isinstance(message, Report):
            self.reported.emit(message)
            return
        del self._wanted[message.job.kind]
        self.ended.emit(message)


class _Paced:
    """Passes progress on at a pace that a person can follow; a new stage and the end of one always."""

    def __init__(self, tell: Callable[[Progress], object]) -> None:
        self._tell = tell
        self._stage, self._at = "", 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.stage == self._stage and progress.done != progress.total and now - self._at < PACE_S:
            return
        self._stage, self._at = progress.stage, now
        self._tell(progress)


def _outcome(job: Job, work: Work, ctx: RunContext) -> Outcome:
    try:
        ctx.check()
        return Outcome(job=job, result=work(ctx))
    except Cancelled:
        return Outcome(job=job, cancelled=True)
    except GuardDeskError as exc:
        return Outcome(job=job, error=exc)
    except Exception as exc:
        logger.exception("job %s failed", job.kind)
        return Outcome(job=job, error=exc)
