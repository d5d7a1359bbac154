"""Fits the weights by which thinning reads prose, on the pools of `pools.py`.

    python packaging/thinning/fit_prose.py --pools POOLS [--n 600] [--finder] [--write]

Rows are the options of every document (`text/thinning/prose.py`): right when the words are the value that the document supports. A
quarter of the titles (`check.jsonl`; with `--finder` the finder's own test titles) is never fitted on; the figures printed are
theirs. `--write` puts the weights and the lowest probability that counts into `resources/thinning/prose.toml`.
"""

from __future__ import annotations

import argparse
import json
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from guard_desk import resources
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.progress import RunContext
from guard_desk.protocols import AnswerFinder
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.decision import Stance
from guard_desk.records.state import Models
from guard_desk.stages.extract import extract_passages
from guard_desk.text.answers import normalise_answer
from guard_desk.text.thinning.frame import frame_of
from guard_desk.text.thinning.passages import asked, nearness
from guard_desk.text.thinning.prose import FEATURES, Option, describe, options
from guard_desk.text.thinning.prose_weights import Weights
from guard_desk.text.thinning.reading import read_passage

_LEAST_OVERLAP = 0.6
_WRONG = 0.2
_KEPT = 0.95
_FLOOR = 0.03


@dataclass(frozen=True, slots=True)
class Rows:
    """The options of one document.

    :param right: by option: whether it is the value that the document supports.
    :param answers: whether the document supports any.
    """

    features: npt.NDArray[np.float64]
    right: npt.NDArray[np.bool_]
    answers: bool
    lang: str


def read(path: Path, n: int | None) -> Iterator[dict[str, Any]]:
    lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    random.Random(0).shuffle(lines)
    yield from (json.loads(line) for line in lines[:n])


def sides(folder: Path, n: int | None, *, held_out: bool) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The pools to fit and to check on.

    :param held_out: take English pools of the titles that the finder was calibrated and tested on, since on the others it is too sure.
    """
    if not held_out:
        return list(read(folder / "fit.jsonl", n)), list(read(folder / "check.jsonl", n))
    known = json.loads(resources.path("answers", "answers.json").read_text(encoding="utf-8"))
    every = [pool for name in ("fit", "check") for pool in read(folder / f"{name}.jsonl", None) if pool["lang"] == "en"]
    chosen = []
    for name in ("calibration_titles", "test_titles"):
        titles = {_title(title) for title in known[name]}
        chosen.append([pool for pool in every if _title(pool["title"]) in titles][:n])
    return chosen[0], chosen[1]


def _title(text: str) -> str:
    return text.replace("_", " ").casefold()


def rows_of(pool: dict[str, Any], finder: AnswerFinder | None) -> Iterator[Rows]:
    """The options of each document of a pool, described."""
    passages = tuple(Passage(id=f"d{i}", text=document["text"]) for i, document in enumerate(pool["documents"]))
    extracted = extract_passages(Query(text=pool["question"]), passages, load_analyzer(), RunContext(), finder=finder)
    frame = frame_of(pool["question"])
    question = asked(frame, passages, frame.language)
    near = [nearness(question, passage, facts, frame.language) for passage, facts in zip(passages, extracted.texts, strict=True)]
    best_own = max((max(n.own, default=0.0) for n in near), default=0.0)
    for i, document in enumerate(pool["documents"]):
        tied = extracted.relations[i] if extracted.relations else ()
        answers = [a for a in extracted.answers[i] if a.part == 0] if extracted.answers else []
        strict = [item.mention for item in read_passage(frame, passages[i], extracted.texts[i]) if not item.missing]
        stated = [mention for mention in strict if mention.stance is Stance.STATES]
        found = options(question, passages[i], extracted.texts[i], near[i], tied, answers, stated)
        marked = [option for option in found if option.found is not None]
        features = np.array([describe(question, near[i], option, marked, best_own) for option in found]).reshape(-1, len(FEATURES))
        right = np.array([_is_right(document, option, pool) for option in found], dtype=np.bool_)
        yield Rows(features, right, document["type"] != "noise", pool["lang"])


def _is_right(document: dict[str, Any], option: Option, pool: dict[str, Any]) -> bool:
    """The value itself, or words that share most characters with one of its mentions."""
    if document["type"] == "noise":
        return False
    words = option.span.of(document["text"])
    wanted = {normalise_answer(text) for text in ([document["answer"]] + (pool["accept"] if document["type"] == "correct" else []))}
    if normalise_answer(words) in wanted:
        return True
    start, answer = document["start"], document["answer"]
    gold = Span(start, start + len(answer))
    shared = min(gold.end, option.span.end) - max(gold.start, option.span.start)
    union = max(gold.end, option.span.end) - min(gold.start, option.span.start)
    return shared / union >= _LEAST_OVERLAP


def fit(rows: list[Rows]) -> Weights:
    """Logistic regression; the threshold balances values found against noise that is read as a value."""
    features = np.concatenate([row.features for row in rows])
    right = np.concatenate([row.right for row in rows])
    scale = features.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=0.1, max_iter=2000).fit(features / scale, right)
    weights = Weights(bias=float(model.intercept_[0]), weights=tuple(map(float, model.coef_[0] / scale)), least=0.0, unread=0.0)
    least = max(np.arange(0.02, 0.6, 0.01), key=lambda t: balance(rows, weights, float(t)))
    return replace(weights, least=round(float(least), 2), unread=round(unread(rows, weights), 3))


def unread(rows: list[Rows], weights: Weights) -> float:
    """The highest probability that so many of the documents that answer reach."""
    best = sorted((pick[1] for row in rows if row.answers and (pick := chosen(row, weights)) is not None), reverse=True)
    return max(_FLOOR, best[min(len(best) - 1, round(_KEPT * sum(row.answers for row in rows)))])


def chosen(row: Rows, weights: Weights) -> tuple[int, float] | None:
    if not len(row.features):
        return None
    scores = row.features @ np.array(weights.weights) + weights.bias
    best = int(np.argmax(scores))
    return best, float(1 / (1 + np.exp(-scores[best])))


def balance(rows: list[Rows], weights: Weights, least: float) -> float:
    """Right values found, less the noise that is read as a value, less a little for wrong words of a document that answers.

    Such a document stays in the prompt as a rival; one whose value is not read at all is lost.
    """
    total = 0.0
    for row in rows:
        best = chosen(row, weights)
        if best is not None and best[1] >= least:
            total += 1.0 if row.right[best[0]] else -_WRONG if row.answers else -1.0
    return total


def report(name: str, rows: list[Rows], weights: Weights) -> None:
    for lang in sorted({row.lang for row in rows}):
        mine = [row for row in rows if row.lang == lang]
        answering = [row for row in mine if row.answers]
        picks = [(row, chosen(row, weights)) for row in mine]
        kept = [(row, best[0]) for row, best in picks if best is not None and best[1] >= weights.least]
        right = sum(bool(row.right[best]) for row, best in kept)
        noise = [row for row in mine if not row.answers]
        quiet = len(noise) - sum(not row.answers for row, _ in kept)
        offered = sum(bool(row.right.any()) for row in answering)
        first = sum(bool(row.right[best[0]]) for row, best in picks if best is not None and row.answers)
        print(
            f"{name} {lang}: answering {len(answering)}, offered {offered / max(1, len(answering)):.3f}, best is right "
            f"{first / max(1, len(answering)):.3f}, read right {right / max(1, len(answering)):.3f}, "
            f"read wrong {sum(1 for row, b in kept if row.answers and not row.right[b]) / max(1, len(answering)):.3f}, "
            f"noise {len(noise)}, silent {quiet / max(1, len(noise)):.3f}"
        )


def write(name: str, weights: Weights) -> None:
    """Put one of the two tables into the resource."""
    path = resources.path("thinning", "prose.toml")
    tables = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    numbers = dict(zip(FEATURES, weights.weights, strict=True))
    tables[name] = {"bias": weights.bias, "least": weights.least, "unread": weights.unread, "weights": numbers}
    lines = ["# Weights by which thinning reads prose; made by packaging/thinning/fit_prose.py, not by hand."]
    for table, content in sorted(tables.items()):
        lines += ["", f"[{table}]", *(f"{key} = {content[key]:.4f}" for key in ("bias", "least", "unread")), "", f"[{table}.weights]"]
        lines += [f"{feature} = {value:.4f}" for feature, value in content["weights"].items()]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Fit, report, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pools", type=Path, required=True)
    parser.add_argument("--n", type=int)
    parser.add_argument("--finder", action="store_true", help="with the model that marks answers")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    finder = _finder() if options.finder else None
    fit_pools, check_pools = sides(options.pools, options.n, held_out=options.finder)
    fitted = [row for pool in fit_pools for row in rows_of(pool, finder)]
    checked = [row for pool in check_pools for row in rows_of(pool, finder)]
    weights = fit(fitted)
    for name, weight in zip(("bias", *FEATURES), (weights.bias, *weights.weights), strict=True):
        print(f"  {name:16} {weight:8.3f}")
    print("least", weights.least, "unread", weights.unread)
    report("fit  ", fitted, weights)
    report("check", checked, weights)
    if options.write:
        write("finder" if options.finder else "rules", weights)


def _finder() -> AnswerFinder:
    from guard_desk.models.answers import load_finder

    found = load_finder(Models())
    if found is None:
        raise SystemExit("The finder's weights are not in resources/answers.")
    return found


if __name__ == "__main__":
    main()
