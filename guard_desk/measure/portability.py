"""Thresholds belong to one judge: what is to be said when they meet another one's answers."""

from __future__ import annotations

from guard_desk.models.judges import WITHOUT_SETTINGS
from guard_desk.policy import Policy, Thresholds
from guard_desk.records.evidence import Judged, ModelInfo
from guard_desk.records.state import Models


def threshold_mark(judge: ModelInfo) -> str:
    """What a policy notes of the judge that its thresholds were set for.

    Our own judges go by their name: their next version keeps the scale, or ships other thresholds. Of the others each model has a
    scale of its own, so the revision stands behind the name: "gguf 1-3fa9c0d1e2b47788.c8192".
    """
    return judge.name if judge.name in WITHOUT_SETTINGS else f"{judge.name} {judge.revision}"


def threshold_warning(policy: Policy, judged: Judged) -> str | None:
    """What is wrong with this policy's thresholds for these answers, in plain sentences; None when nothing is.

    Thresholds that equal the judge's own need no warning, whoever set them. A judge's bare name, as people write it into a policy,
    stands for each of its models.
    """
    if policy.thresholds is None or policy.thresholds == judged.thresholds:
        return None
    judge, made_for = judged.judge.name, policy.thresholds_for
    if made_for in (judge, threshold_mark(judged.judge)):
        return None
    if made_for is not None and made_for.partition(" ")[0] == judge:
        return f"These thresholds were set for another model of this judge, {made_for}; {_scale(threshold_mark(judged.judge))}"
    if made_for is not None:
        return f"These thresholds were set for the judge {made_for}; {_scale(judge)}"
    if policy.thresholds == Thresholds():
        return f"These thresholds are the published recipe's; {_scale(judge)}"
    return f"It is not known for which judge these thresholds were set; {_scale(judge)}"


def policy_warning(policy: Policy, models: Models) -> str | None:
    """Before the first run: what is to be said of thresholds that were set for another judge than the one that is chosen; None = nothing.

    Which model of a judge will answer is only known from its answers, so here the judge's name counts alone.
    """
    made_for, chosen = policy.thresholds_for, models.judge.partition(":")[0]
    if policy.thresholds is None or made_for is None or made_for.partition(" ")[0] == chosen:
        return None
    return f"The policy's thresholds were set for the judge {made_for}, but {chosen} is chosen."


def judge_warning(made_by: ModelInfo, models: Models) -> str | None:
    """What is to be said of a run that another judge made than the one that is chosen now; None for the same one."""
    chosen = models.judge.partition(":")[0]
    if made_by.name == chosen:
        return None
    return (
        f"This run was judged by {made_by.name}; the judge {chosen} is chosen now, and its answers have another scale. "
        f"Thresholds set on this run do not carry over. Run again to judge with {chosen}."
    )


def _scale(judge: str) -> str:
    return f"the answers of {judge} have another scale, so passages may be routed wrongly. Reset to the thresholds of {judge}."
