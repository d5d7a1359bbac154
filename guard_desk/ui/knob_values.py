"""What a knob is worth in a view, and what it was worth at the start. No Qt in here."""

from __future__ import annotations

from typing import Any

from guard_desk.policy import Thresholds, knob_at
from guard_desk.ui.view import View


def judges_own(view: View) -> Thresholds:
    """The thresholds of the run's judge; the recipe's before the first run."""
    return view.trace.judged.thresholds if view.trace is not None else Thresholds()


def value_in_force(view: View, path: str) -> Any:
    """The value of a knob: the policy's, or the judge's own threshold.

    :raises PolicyError: for an unknown knob.
    """
    return start_value(view, path) if is_judges_own(view, path) else view.state.policy.value(path)


def start_value(view: View, path: str) -> Any:
    """The value that a knob goes back to: its default, or the judge's own threshold."""
    if path.startswith("thresholds."):
        return getattr(judges_own(view), path.split(".")[1])
    return knob_at(path).default


def is_judges_own(view: View, path: str) -> bool:
    """Whether a threshold is left to the judge."""
    return path.startswith("thresholds.") and view.state.policy.thresholds is None


def waits_for_a_run(view: View, path: str) -> bool:
    """Whether a knob was moved that only the next run can follow."""
    return path.startswith("retrieve.") and view.trace is not None and "retrieve" in view.trace.stale


def waits_for_an_answer(view: View) -> bool:
    """Whether how an answer is asked for was changed since the one that is there was written."""
    trace = view.trace
    return trace is not None and bool(trace.generated.prompt_digest) and "generate" in trace.stale
