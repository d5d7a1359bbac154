"""Thresholds belong to one judge: what is to be said when they meet another one's answers."""

from __future__ import annotations

from guard_desk.models.judges import answering_name
from guard_desk.policy import Policy, Thresholds
from guard_desk.records.evidence import Judged, ModelInfo
from guard_desk.records.state import Models


def threshold_warning(policy: Policy, judged: Judged) -> str | None:
    """What is wrong with this policy's thresholds for these answers, in plain sentences; None when nothing is.

    Thresholds that equal the judge's own need no warning, whoever set them.
    """
    if policy.thresholds is None or policy.thresholds == judged.thresholds:
        return None
    judge = judged.judge.name
    if policy.thresholds_for == judge:
        return None
    if policy.thresholds_for is not None:
        return f"These thresholds were set for the judge {policy.thresholds_for}; {_scale(judge)}"
    if policy.thresholds == Thresholds():
        return f"These thresholds are the published recipe's; {_scale(judge)}"
    return f"It is not known for which judge these thresholds were set; {_scale(judge)}"


def judge_warning(made_by: ModelInfo, models: Models) -> str | None:
    """What is to be said of a run that another judge made than the one that is chosen now; None for the same one."""
    chosen = answering_name(models.judge)
    if made_by.name == chosen:
        return None
    return (
        f"This run was judged by {made_by.name}; the judge {chosen} is chosen now, and its answers have another scale. "
        f"Thresholds set on this run do not carry over. Run again to judge with {chosen}."
    )


def _scale(judge: str) -> str:
    return f"the answers of {judge} have another scale, so passages may be routed wrongly. Reset to the thresholds of {judge}."
