"""Measures the answer finder on the articles and relations that were kept for it, by the product's own code.

    python packaging/judge/answer_evaluate.py --rows FOLDER --folder resources/answers [--speed]

Exact match and F1 as SQuAD counts them, over all rows with the calibrated threshold for "no answer", and over the answered ones with the
best span whatever its score; AUROC of the best score for "there is an answer"; expected calibration error of the scores. Intervals
are 95 %, by bootstrap over rows. Baselines: saying nothing, the longest typed value of the passage, its first name. `--speed` measures
fifty passages of a hundred words for one question beside one encoding of the same texts.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from answer_rows import AnswerRow, read_rows
from answer_truth import expected_calibration_error, is_right, scores

from guard_desk.measure.metrics import Figure, auroc_figure, mean
from guard_desk.models.answers.finder import EmbeddedFinder
from guard_desk.models.answers.network import DESCRIPTION, AnswerNetwork
from guard_desk.models.registry import load_encoder
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.evidence import AnswerSpan, ValueKind

SPEED_PASSAGES, SPEED_WORDS, SPEED_ROUNDS = 50, 100, 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row with what was found in it, best first."""

    row: AnswerRow
    found: tuple[AnswerSpan, ...]

    @property
    def best(self) -> str:
        """The words of the best span, "" without one."""
        return self.found[0].span.of(self.row.passage) if self.found else ""

    @property
    def score(self) -> float:
        """Its score, 0 without one."""
        return self.found[0].score if self.found else 0.0


def outcomes(finder: EmbeddedFinder, rows: Sequence[AnswerRow]) -> list[Outcome]:
    """What the product marks in each row."""
    found = []
    for row in rows:
        passage = Passage(id="row", title=row.title, text=row.passage)
        found.append(Outcome(row, finder.find([row.question], [passage], RunContext())[0]))
    return found


def families(rows: Sequence[AnswerRow]) -> Mapping[str, Callable[[AnswerRow], bool]]:
    """The groups of rows that get a line of their own."""
    sources = sorted({row.source for row in rows})
    lines: dict[str, Callable[[AnswerRow], bool]] = {
        source: (lambda row, source=source: row.source == source)
        for source in sources  # type: ignore[misc]
    }
    lines["English questions of people"] = lambda row: row.source in ("squad2", "xquad-en")
    lines["all"] = lambda _: True
    return lines


def line(name: str, some: Sequence[Outcome], least: float) -> str:
    """One row of the table."""
    answered = [outcome for outcome in some if outcome.row.answers]
    kept = [scores(outcome.best if outcome.score >= least else "", outcome.row) for outcome in some]
    forced = [scores(outcome.best, outcome.row) for outcome in answered]
    top = [outcome for outcome in answered if any(is_right(mark.span.start, mark.span.end, outcome.row) for mark in outcome.found)]
    cells = [
        f"{len(some)} ({len(answered)})",
        shown(mean([pair[0] for pair in kept])),
        shown(mean([pair[1] for pair in kept])),
        shown(mean([pair[0] for pair in forced])),
        shown(mean([pair[1] for pair in forced])),
        f"{len(top) / max(1, len(answered)):.3f}",
        shown(auroc_figure([outcome.score for outcome in some], [bool(outcome.row.answers) for outcome in some]))
        if 0 < len(answered) < len(some)
        else "-",
        f"{calibration_error(some):.3f}",
    ]
    return f"| {name} | " + " | ".join(cells) + " |"


def calibration_error(some: Sequence[Outcome]) -> float:
    """Of the scores of all spans that were given."""
    pairs = [(mark.score, is_right(mark.span.start, mark.span.end, outcome.row)) for outcome in some for mark in outcome.found]
    return expected_calibration_error([score for score, _ in pairs], [right for _, right in pairs]) if pairs else 0.0


def shown(figure: Figure) -> str:
    """A figure with its interval."""
    return f"{figure.value:.3f} ({figure.low:.2f}-{figure.high:.2f})"


def baselines(rows: Sequence[AnswerRow]) -> list[str]:
    """Lines of the rules that read no question."""
    facts = [part for row in rows for part in load_analyzer().analyze([row.passage], RunContext())]
    longest = [
        max((value.span.of(row.passage) for value in fact.values), key=len, default="") for row, fact in zip(rows, facts, strict=True)
    ]
    names = [
        next((value.span.of(row.passage) for value in fact.values if value.kind is ValueKind.ENTITY), "")
        for row, fact in zip(rows, facts, strict=True)
    ]
    found = []
    for name, given in (("always no answer", [""] * len(rows)), ("longest typed value", longest), ("first name", names)):
        pairs = [scores(answer, row) for answer, row in zip(given, rows, strict=True)]
        forced = [pair for pair, row in zip(pairs, rows, strict=True) if row.answers]
        values = [[pair[0] for pair in pairs], [pair[1] for pair in pairs], [pair[0] for pair in forced], [pair[1] for pair in forced]]
        found.append(f"| {name} | {len(rows)} ({len(forced)}) | " + " | ".join(shown(mean(part)) for part in values) + " | - | - | - |")
    return found


def speed(folder: Path, rows: Sequence[AnswerRow]) -> str:
    """Seconds of one question over a pool, and of one plain encoding of the same texts; medians, by turns."""
    words = " ".join(row.passage for row in rows if row.source in ("squad2", "xquad-en")).split()
    texts = [" ".join(words[at * SPEED_WORDS : (at + 1) * SPEED_WORDS]) for at in range(SPEED_PASSAGES)]
    passages = [Passage(id=str(number), text=text) for number, text in enumerate(texts)]
    encoder, network = load_encoder("minilm", "cpu"), AnswerNetwork(folder, "cpu")
    finding, encoding = [], []
    for number in range(SPEED_ROUNDS + 1):
        finder = EmbeddedFinder(network)
        for times, work in (
            (finding, lambda finder=finder: finder.find([rows[0].question], passages, RunContext())),
            (encoding, lambda: encoder.encode_passages(passages, RunContext())),
        ):
            began = time.perf_counter()
            work()
            if number:
                times.append(time.perf_counter() - began)
    first, second = statistics.median(finding), statistics.median(encoding)
    return f"{SPEED_PASSAGES} passages of {SPEED_WORDS} words: {first:.2f} s, one encoding {second:.2f} s, ratio {first / second:.2f}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--side", choices=("test", "calibration"), default="test")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--misses", type=int, default=0, help="how many wrong rows to show, chosen at random")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = list(read_rows(arguments.rows / f"{arguments.side}.jsonl"))
    if arguments.speed:
        print(speed(arguments.folder, rows))
        return
    least = json.loads((arguments.folder / DESCRIPTION).read_text(encoding="utf-8"))["calibration"]["least_score"]
    found = outcomes(EmbeddedFinder(AnswerNetwork(arguments.folder, "cpu")), rows)
    print(f"answers from score {least} on\n")
    print("| source | rows (answered) | EM | F1 | EM answered | F1 answered | right among the first three | AUROC answered | ECE |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, belongs in families(rows).items():
        print(line(name, [outcome for outcome in found if belongs(outcome.row)], least))
    print("\n".join(baselines([row for row in rows if row.source in ("squad2", "xquad-en")])))
    wrong = [outcome for outcome in found if scores(outcome.best if outcome.score >= least else "", outcome.row)[1] < 0.5]
    for outcome in random.Random(0).sample(wrong, min(len(wrong), arguments.misses)):
        truths = [outcome.row.passage[start:end] for start, end in outcome.row.answers]
        print(f"{outcome.row.source} {outcome.row.kind}: {outcome.row.question} | {truths} | {outcome.best!r} {outcome.score}")


if __name__ == "__main__":
    main()
