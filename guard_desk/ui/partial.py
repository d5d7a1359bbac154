"""What a run on its way has given so far."""

from __future__ import annotations

from guard_desk.records.answer import Generated, Round
from guard_desk.records.corpus import Query
from guard_desk.records.evidence import Judged, Judgement, Retrieved
from guard_desk.records.judging import Spent
from guard_desk.records.trace import Trace


class Partial:
    """Partial results of one run, for the panels that can already show them.

    :param query: what was asked.

    `stopped` is the whole run without its answer, of one that was stopped while the answer was written.
    """

    def __init__(self, query: Query | None = None) -> None:
        self.query = query
        self.retrieved: Retrieved | None = None
        self.judgements: list[Judgement] = []
        self.answer: str | None = None
        self.rounds: tuple[Round, ...] = ()
        self.spent: Spent | None = None
        self.stopped: Trace | None = None

    def take(self, partial: object) -> None:
        """Keep what panels can already show."""
        if isinstance(partial, Retrieved):
            self.retrieved = partial
        elif isinstance(partial, Generated):
            self.answer, self.rounds = partial.text, partial.rounds
        elif isinstance(partial, Trace):
            self.stopped = partial
        elif isinstance(partial, Judged):
            self.spent = partial.spent
        elif isinstance(partial, Spent):
            self.spent = partial
        elif isinstance(partial, tuple) and partial and isinstance(partial[0], Judgement):
            self.judgements += partial
