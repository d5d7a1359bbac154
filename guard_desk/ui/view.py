"""What every panel is shown: one frozen picture of the desk. Panels read it and never ask anyone else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from guard_desk.measure.compare import Ledger
from guard_desk.progress import Progress
from guard_desk.records.answer import Round
from guard_desk.records.corpus import Labels, LoadResult, Span
from guard_desk.records.evidence import Judgement, Retrieved
from guard_desk.records.judging import Spent
from guard_desk.records.state import State
from guard_desk.records.trace import Trace
from guard_desk.ui.theme import Theme


class Phase(StrEnum):
    """Where the desk stands; every panel has a designed picture for each."""

    EMPTY = "empty"  # no corpus
    LOADING = "loading"  # a corpus is being read
    READY = "ready"  # a corpus, nothing run yet
    RUNNING = "running"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The one selection: a set of passage ids (in the order chosen) and the primary one.

    :param span: start of the chosen finding in the answer; None = none.
    :param words: the words of the primary passage that were meant, of a line that states a value; None = the passage as a whole.
    """

    ids: tuple[str, ...] = ()
    primary: str | None = None
    span: int | None = None
    words: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The whole desk at one moment.

    :param trace: the run under the policy in force; None before the first.
    :param baseline: the same run under the pinned policy; None before the first.
    :param ledger: what changed against the baseline.
    :param retrieved: the pool while a run is on its way (partial result).
    :param partial_judgements: judgements of the run on its way, in pool order so far.
    :param partial_spent: what judging has taken in the run on its way, or in the last one that was stopped.
    :param partial_answer: text of the answer being written, also of one that was stopped.
    :param partial_rounds: the rounds that were finished so far.
    :param progress: of the work under way; None when nothing runs.
    :param stage: name of the stage under way; "" when nothing runs.
    :param message: cause and remedy when FAILED.
    :param stored_at: when the session file was last written, in seconds since the epoch; None = never.
    """

    phase: Phase
    theme: Theme
    state: State
    loaded: LoadResult | None = None
    trace: Trace | None = None
    baseline: Trace | None = None
    ledger: Ledger | None = None
    labels: Mapping[str, Labels] = field(default_factory=lambda: MappingProxyType({}))
    selection: Selection = Selection()
    retrieved: Retrieved | None = None
    partial_judgements: tuple[Judgement, ...] = ()
    partial_spent: Spent | None = None
    partial_answer: str | None = None
    partial_rounds: tuple[Round, ...] = ()
    progress: Progress | None = None
    stage: str = ""
    message: str = ""
    stored_at: float | None = None
