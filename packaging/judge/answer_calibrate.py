"""Fits temperature and offset of "no answer", so that a span's score is the probability that it is right, and the score from which on
answering is better than saying nothing.

    python packaging/judge/answer_calibrate.py --rows FOLDER --folder resources/answers

Reads `calibration.jsonl` alone, with the product's own code, and writes the numbers into `answers.json`. Questions of people count as much
as those made by rule, and passages that answer as much as those that do not, together: two thirds of SQuAD's rows here are questions
written to mislead, which pools seldom hold.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from answer_export import write_description
from answer_rows import AnswerRow, read_rows
from answer_truth import is_right, scores

from guard_desk.models.answers.network import DESCRIPTION, AnswerNetwork, WindowSpans
from guard_desk.models.answers.scoring import joined, window_marks
from guard_desk.models.judges.judge_windows import WindowCutter

TEMPERATURES = [round(0.6 + 0.1 * step, 1) for step in range(18)]
NULLS = [round(-2.0 + 0.2 * step, 1) for step in range(31)]
TOGETHER = 32
PEOPLE = ("squad2", "xquad")
_FLOOR = 1e-4


@dataclass(frozen=True, slots=True)
class Read:
    """What the network says of a row's windows."""

    row: AnswerRow
    windows: list[WindowSpans]


def read(network: AnswerNetwork, rows: Sequence[AnswerRow]) -> list[Read]:
    """All rows through the network."""
    cutter = WindowCutter(network.tokenizer, network.description.longest)
    found = []
    for start in range(0, len(rows), TOGETHER):
        part = rows[start : start + TOGETHER]
        cut = [cutter.placed(row.question, row.title, row.passage) for row in part]
        given = iter(network.spans([window for windows in cut for window in windows]))
        found += [Read(row, [next(given) for _ in windows]) for row, windows in zip(part, cut, strict=True)]
    return found


def weights(rows: Sequence[AnswerRow]) -> list[float]:
    """Of each row, so that questions of people and made ones weigh the same together, and so do answered and other rows of each."""
    cells = [(row.source.startswith(PEOPLE), bool(row.answers)) for row in rows]
    counts = Counter(cells)
    return [len(rows) / (len(counts) * counts[cell]) for cell in cells]


def loss(readings: Sequence[Read], weighed: Sequence[float], temperature: float, null: float) -> float:
    """Mean log loss of the best span's score. No span is too unlikely here: one that is right and left out would cost nothing."""
    total = 0.0
    for reading, weight in zip(readings, weighed, strict=True):
        marks = joined([window_marks(window, temperature, null) for window in reading.windows], least=0.0)
        score = min(1 - _FLOOR, max(_FLOOR, marks[0].score)) if marks else _FLOOR
        right = bool(marks) and is_right(marks[0].span.start, marks[0].span.end, reading.row)
        total -= weight * math.log(score if right else 1 - score)
    return total / sum(weighed)


def fit(readings: Sequence[Read]) -> tuple[float, float, float]:
    """(temperature, null, loss) of the lowest loss, one after the other until neither moves."""
    weighed = weights([reading.row for reading in readings])
    temperature, null, best = 1.0, 0.0, loss(readings, weighed, 1.0, 0.0)
    while True:
        before = best
        for value in TEMPERATURES:
            found = loss(readings, weighed, value, null)
            if found < best:
                temperature, best = value, found
        for value in NULLS:
            found = loss(readings, weighed, temperature, value)
            if found < best:
                null, best = value, found
        if best >= before:
            return temperature, null, best


def least_score(readings: Sequence[Read], temperature: float, null: float) -> float:
    """The score from which on an answer gives more F1 than none."""
    weighed = weights([reading.row for reading in readings])
    pairs = []
    for reading, weight in zip(readings, weighed, strict=True):
        marks = joined([window_marks(window, temperature, null) for window in reading.windows])
        given = marks[0].span.of(reading.row.passage) if marks else ""
        gain = scores(given, reading.row)[1] - scores("", reading.row)[1]
        pairs.append((marks[0].score if marks else 0.0, weight * gain))
    steps = [round(0.02 * step, 2) for step in range(1, 50)]
    return max(steps, key=lambda step: sum(gain for score, gain in pairs if score >= step))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = list(read_rows(arguments.rows / "calibration.jsonl"))
    network = AnswerNetwork(arguments.folder, "cpu")
    readings = read(network, rows)
    temperature, null, found = fit(readings)
    described = json.loads((arguments.folder / DESCRIPTION).read_text(encoding="utf-8"))
    described["calibration"] = {
        "temperature": temperature,
        "null": null,
        "least_score": least_score(readings, temperature, null),
        "rows": len(rows),
        "log_loss": round(found, 4),
        "log_loss_before": round(loss(readings, weights(rows), 1.0, 0.0), 4),
        "precision": network.precision,
    }
    write_description(arguments.folder, described)
    print(json.dumps(described["calibration"]))


if __name__ == "__main__":
    main()
