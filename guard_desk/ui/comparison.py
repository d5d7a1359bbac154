"""What a run is compared with: the same run under the pinned policy, and what differs. Each is made once."""

from __future__ import annotations

from collections.abc import Mapping

from guard_desk import pipeline
from guard_desk.measure.compare import Ledger, ledger
from guard_desk.models.registry import token_counter
from guard_desk.policy import Policy
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import Labels
from guard_desk.records.decision import Override
from guard_desk.records.evidence import Judged
from guard_desk.records.state import State
from guard_desk.records.trace import Trace

Wanted = tuple[Policy, tuple[Override, ...]]
"""A policy and the merges by hand that belong to it."""


class Comparison:
    """Baseline and ledger of the run in force, kept until something that they depend on changes."""

    def __init__(self) -> None:
        self._counters: dict[str, TokenCounter] = {}
        self._baseline: tuple[Judged | None, Wanted | None, Trace | None] = (None, None, None)
        self._ledger: tuple[Trace | None, Trace | None, Mapping[str, Labels], Ledger | None] = (None, None, {}, None)

    def counter(self, trace: Trace) -> TokenCounter:
        """The token counter of a run. Kept here, because asking for it waits while models are loaded in another thread."""
        encoding = trace.prompt.encoding
        if encoding not in self._counters:
            self._counters[encoding] = token_counter(encoding)
        return self._counters[encoding]

    def prepare(self, trace: Trace) -> None:
        """Decide a run from a file once, in a worker: what is read for it is kept, and the first slider finds it there."""
        pipeline.redecide(trace, trace.policy, self.counter(trace))

    @staticmethod
    def wanted(state: State, run: Trace | None) -> Wanted | None:
        """What changes are compared with: what was pinned, else what the last run had."""
        if state.baseline is not None:
            return state.baseline, state.baseline_overrides
        return None if run is None else (run.policy, run.overrides)

    def baseline(self, trace: Trace | None, wanted: Wanted | None) -> Trace | None:
        """The run under what it is compared with."""
        if trace is None or wanted is None:
            return None
        known_for, known_wanted, known = self._baseline
        if known is not None and known_for is trace.judged and known_wanted == wanted:
            return known
        if (trace.policy, trace.overrides) == wanted:
            made = trace
        else:
            made = pipeline.redecide(trace, wanted[0], self.counter(trace), overrides=wanted[1])
        self._baseline = (trace.judged, wanted, made)
        return made

    def ledger(self, baseline: Trace | None, trace: Trace | None, labels: Mapping[str, Labels]) -> Ledger | None:
        """What differs between the two."""
        if trace is None or baseline is None:
            return None
        if self._ledger[0] is not trace or self._ledger[1] is not baseline or self._ledger[2] != labels:
            self._ledger = (trace, baseline, labels, ledger(baseline, trace, labels))
        return self._ledger[3]
