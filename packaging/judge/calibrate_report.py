"""The figures of a calibration as Markdown, for the judge's card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import calibrate_fit as fit
import numpy as np
from calibrate_claims import RIGHT, Stances
from calibrate_fit import Floats, Rules, Votes

from guard_desk.measure.metrics import Figure, auroc_figure

if TYPE_CHECKING:
    from calibrate import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationRow:
    """One source of one question: AUROC of each part alone and of all together, and the vote at its threshold."""

    source: str
    positives: int
    parts: Mapping[str, Figure]
    f1: float
    recall: float
    passed: float

    @staticmethod
    def measured(found: Votes, source: str, scores: Mapping[str, Floats], threshold: float, rules: Rules) -> AblationRow:
        """:param scores: held-out answers by the name of the part; "all" is the finished vote."""
        rows = found.sources == source
        own = found.only(rows)
        final = scores["all"][rows]
        return AblationRow(
            source=source,
            positives=int(own.truth.sum()),
            parts={name: auroc_figure(list(values[rows]), list(own.truth), rounds=200) for name, values in scores.items()},
            f1=fit.weighted_f1(final > threshold, own.truth, fit.row_weights(own, rules)),
            recall=fit.recall_at(final, own.truth, 0.01),
            passed=float((final > threshold)[~own.truth].mean()),
        )


def figures(question: str, part: Part) -> str:
    """A heading, a table of the sources, and what all of them together say."""
    names = list(part.ablation[0].parts) if part.ablation else []
    head = ["source", "rows", "yes", *names, "F1", "recall at 1 % FP", "FP at threshold"]
    lines = [
        f"### {question}",
        "",
        f"Threshold {part.threshold:.2f}, undecided from {part.uncertain[0]:.2f} to {part.uncertain[1]:.2f}.",
        "",
    ]
    lines += ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    for row in part.ablation:
        cells = [row.source, str(row.parts["all"].n), str(row.positives), *(_figure(row.parts[name], name == "all") for name in names)]
        lines.append("| " + " | ".join([*cells, f"{row.f1:.2f}", f"{row.recall:.2f}", f"{row.passed:.2f}"]) + " |")
    if part.ablation:
        means = [f"{np.mean([row.parts[name].value for row in part.ablation]):.3f}" for name in names]
        lines.append("| mean | | | " + " | ".join(means) + " | | | |")
    weights = np.ones(len(part.scores)) / len(part.scores)
    errors = [fit.ece(part.scores, part.votes.truth, each) for each in (_balanced(part), weights)]
    lines += [
        "",
        f"Expected calibration error over all {len(part.scores)} rows {errors[0]:.3f} with sources and answers weighed as in the fit; "
        f"unweighed {errors[1]:.3f}.",
    ]
    return "\n".join(lines)


def claim_lines(stances: Stances) -> str:
    """The claim head's table."""
    lines = [
        "### claims",
        "",
        f"Temperature {stances.numbers['temperature']:.2f}. At {stances.numbers['least_certain']:.2f} and above, the likeliest stance is "
        f"right in {RIGHT:.0%} of the cases or more ({stances.right:.0%}); that decides {stances.decided:.0%} of them. "
        f"Expected calibration error {stances.ece:.3f}.",
    ]
    lines += ["", "| source | rows | accuracy | AUROC support | AUROC contradict |", "|---|--:|--:|--:|--:|"]
    for name, count, accuracy, support, contradict in stances.sources:
        shown = ["-" if figure is None else _figure(figure, True) for figure in (support, contradict)]
        lines.append(f"| {name} | {count} | {accuracy:.2f} | {shown[0]} | {shown[1]} |")
    return "\n".join(lines)


def _balanced(part: Part) -> Floats:
    return fit.row_weights(part.votes, Rules(prior={}, pulls={}, share=part.share))


def _figure(figure: Figure, interval: bool) -> str:
    return f"{figure.value:.3f} ({figure.low:.2f}-{figure.high:.2f})" if interval else f"{figure.value:.3f}"
