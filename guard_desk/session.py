"""The one owner of state: what the person changed, the loaded corpus, the last run.

The state is one frozen record (`records.state.State`), so a change is the record before and the record after, and undo
is the record before. Observers are told what changed; each change is appended to the session file.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import cattrs

from guard_desk import pipeline
from guard_desk.errors import StoreError, TraceError
from guard_desk.formats.trace import dump_trace, parse_trace
from guard_desk.measure.portability import threshold_mark
from guard_desk.models.generators import keyless_generator
from guard_desk.models.judges.settings import keyless_name, without_secrets
from guard_desk.models.readers import keyless_claim_model
from guard_desk.policy import Policy, Thresholds, knob_at
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import LoadResult
from guard_desk.records.state import State
from guard_desk.records.trace import Trace
from guard_desk.store.sessions import SessionFile

logger = logging.getLogger("guard_desk.session")


class Event(StrEnum):
    """What an observer is told."""

    STATE = "state"
    CORPUS = "corpus"
    TRACE = "trace"
    UNSTORED = "unstored"  # the session file cannot be written any more; `Session.trouble` says why


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A reversible change of the state.

    :param text: its name, as undo shows it ("relevance floor .45 -> .52").
    :param merge_key: changes with the same key in a row may be taken for one (a drag); "" = never.
    """

    text: str
    before: State
    after: State
    merge_key: str = ""


Observer = Callable[[Event], None]


class Session:
    """State, corpus and last run. Used from one thread (the window's); work in other threads gets frozen records."""

    def __init__(self, file: SessionFile | None = None) -> None:
        self.state = State()
        self.loaded: LoadResult | None = None
        self.trace: Trace | None = None
        self.run: Trace | None = None
        """The run as it ended: before any knob moved since and with the answer that was written for it."""
        self.stored_at: float | None = None
        """When something was last written to the session file, in seconds since the epoch."""
        self.trouble: StoreError | None = None
        self._file = file
        self._observers: list[Observer] = []

    def observe(self, observer: Observer) -> Callable[[], None]:
        """Call `observer` after each change. :returns: a function that ends it."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    def _tell(self, event: Event) -> None:
        for observer in tuple(self._observers):
            observer(event)

    def change(self, text: str, *, merge_key: str = "", **fields: Any) -> Change:
        """A change of some fields of the state, not yet applied."""
        return Change(text=text, before=self.state, after=replace(self.state, **fields), merge_key=merge_key)

    def knob_change(self, path: str, value: Any) -> Change:
        """A change of one knob, named with its old and new value.

        :raises PolicyError: for an unknown knob or a value out of range.
        """
        old = self.effective(path)
        policy = self.state.policy.with_value(path, value, base=self.judge_thresholds, judge=self.judge_mark)
        text = f"{path.rsplit('.', 1)[-1].replace('_', ' ')} {_short(old)} -> {_short(policy.value(path))}"
        return self.change(text, merge_key=f"knob:{path}", policy=policy)

    def apply(self, change: Change) -> None:
        """Do a change."""
        self._set(change.after, change.text)

    def revert(self, change: Change) -> None:
        """Undo a change."""
        self._set(change.before, f"undo {change.text}")

    def _set(self, state: State, text: str) -> None:
        self.state = state
        self._store(lambda file: file.add_change(text, dump_state(state)))
        self._tell(Event.STATE)

    def _store(self, write: Callable[[SessionFile], None]) -> None:
        """Write to the session file. One that cannot be written is told once and left alone: work goes on without it."""
        if self._file is None:
            return
        try:
            write(self._file)
        except StoreError as exc:
            logger.warning("%s", exc)
            self._file, self.trouble, self.stored_at = None, exc, None
            self._tell(Event.UNSTORED)
        else:
            self.stored_at = time.time()

    @property
    def judge_thresholds(self) -> Thresholds:
        """The thresholds of the judge of the last run; the recipe's before the first."""
        return self.trace.judged.thresholds if self.trace else Thresholds()

    @property
    def judge_mark(self) -> str | None:
        """What a policy notes of the judge of the last run; None before the first."""
        return threshold_mark(self.trace.judged.judge) if self.trace else None

    def effective(self, path: str) -> Any:
        """The value in force of a knob: the policy's, or the judge's own threshold.

        :raises PolicyError: for an unknown knob.
        """
        knob_at(path)
        policy = self.state.policy
        if path.startswith("thresholds.") and policy.thresholds is None:
            return getattr(self.judge_thresholds, path.split(".")[1])
        return policy.value(path)

    def set_corpus(self, loaded: LoadResult | None) -> None:
        """A corpus was loaded (or closed); the last run no longer fits."""
        self.loaded = loaded
        if self.run is not None:
            self._store(lambda file: file.add_trace(""))
        self.trace = self.run = None
        self._tell(Event.CORPUS)

    def set_run(self, trace: Trace) -> None:
        """A run finished: keep it, and store it once."""
        self.trace = self.run = trace
        self._store(lambda file: file.add_trace(dump_trace(trace)))
        self._tell(Event.TRACE)

    def set_decided(self, trace: Trace) -> None:
        """The same run under another policy, or with another answer; not stored, since the state tells it."""
        self.trace = trace
        self._tell(Event.TRACE)

    def redecided(self, counter: TokenCounter, policy: Policy | None = None) -> Trace | None:
        """The last run under the policy in force (or another), from stored results; None before the first run."""
        if self.trace is None:
            return None
        return pipeline.redecide(self.trace, policy or self.state.policy, counter, overrides=self.state.overrides)

    def save(self, path: Path | str) -> None:
        """Write the session to a file of the person's choice.

        :raises StoreError: when it cannot be written.
        """
        if self._file is not None:
            self._file.copy_to(path)
            return
        file = SessionFile(path)
        file.add_change("save", dump_state(self.state))
        if self.run is not None:
            file.add_trace(dump_trace(self.run))
        file.close()


def restore(file: SessionFile) -> tuple[State, Trace | None]:
    """The state and the last run of a session file.

    :raises TraceError: when they cannot be read.
    """
    stored = file.last_change()
    trace = file.last_trace()
    state = State() if stored is None else parse_state(stored.state, file.path)
    return state, parse_trace(trace) if trace else None


def dump_state(state: State) -> str:
    """The state as one JSON line. What could be a key in the address of a server is left out."""
    settings = without_secrets(state.models.judge_settings)
    models = replace(
        state.models,
        judge=keyless_name(state.models.judge),
        judge_settings=settings,
        generator=keyless_generator(state.models.generator),
        claim_model=keyless_claim_model(state.models.claim_model),
    )
    return json.dumps(cattrs.unstructure(replace(state, models=models)))


def parse_state(text: str, path: Path | str) -> State:
    """A state from its JSON.

    :raises TraceError: when it is damaged.
    """
    try:
        return cattrs.structure(json.loads(text), State)
    except Exception as exc:
        raise TraceError("the state of this session is damaged.", path=path, remedy="Start a new session.") from exc


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}".replace("0.", ".", 1) if 0 < value < 1 else f"{value:.6g}"
    return "none" if value is None else str(value)
