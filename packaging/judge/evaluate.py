"""Measures a checkpoint on the dev rows of the fit pile, beside cosine and length.

    python packaging/judge/evaluate.py --rows FOLDER --checkpoint FOLDER/checkpoint.pt [--json FILE] [--most 600]

AUROC of each question on each source, with bootstrap intervals. For the claims, support is set against the rest and contradiction against
the rest. Only `dev.jsonl` is read: held-out groups and schemas of the training sources, sources that are held out whole, and the sets of
the fit pile. The report-only sets are measured elsewhere, once, by the product's own benches.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from batches import collate, encode
from model import JudgeNet, load_base
from rows import CONTRADICT, NOT_SUPPORTED, QUESTIONS, SUPPORT, UNKNOWN, Row, read_rows
from transformers import PreTrainedTokenizerBase

from guard_desk.measure.metrics import Figure, auroc_figure
from guard_desk.models.registry import load_encoder
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage

Floats = npt.NDArray[np.float64]
LEAST = 20
TASKS = ("relevant", "evidence", "contradicts", "injection", "support", "contradiction")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure of one source. `majority` is the share of the larger class."""

    task: str
    source: str
    positives: int
    majority: float
    model: Figure
    cosine: Figure
    length: Figure


def truth(row: Row, task: str) -> int | None:
    """1 or 0 for a task; None when the row does not say."""
    if task == "support":
        return None if row.claim is None else int(row.claim == SUPPORT)
    if task == "contradiction":
        return None if row.claim in (None, NOT_SUPPORTED) else int(row.claim == CONTRADICT)
    label = row.label(task)
    return None if label == UNKNOWN else label


def predict(network: JudgeNet, rows: Sequence[Row], tokenizer: PreTrainedTokenizerBase, longest: int, batch: int = 64) -> dict[str, Floats]:
    """The probability of each task for each row."""
    coded = encode(rows, tokenizer, longest)
    order = sorted(range(len(coded)), key=lambda row: len(coded[row].ids))
    found = {task: np.zeros(len(rows)) for task in TASKS}
    network.eval()
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        part = collate([coded[row] for row in chosen])
        with torch.inference_mode():
            logits = network(part.ids, part.types, part.mask)
        claim = logits["claim"].float().softmax(1).numpy()
        for question in QUESTIONS[:4]:
            found[question][chosen] = torch.sigmoid(logits[question].float()).numpy()
        found["support"][chosen], found["contradiction"][chosen] = claim[:, SUPPORT], claim[:, CONTRADICT]
    return found


def cosines(rows: Sequence[Row], folder: Path | None = None) -> Floats:
    """The encoder's own similarity of query and passage; 0 where there is no query.

    :param folder: keeps the answer in a file named after the rows, since it is the same for every checkpoint.
    """
    digest = hashlib.sha256(json.dumps([(row.query, row.shown) for row in rows]).encode()).hexdigest()
    kept = folder / f"cosines-{digest[:16]}.npy" if folder else None
    if kept and kept.exists():
        return np.asarray(np.load(kept), dtype=np.float64)
    texts = sorted({text for row in rows if row.query for text in (row.query, row.shown)})
    passages = [Passage(id=str(number), text=text) for number, text in enumerate(texts)]
    vectors = dict(zip(texts, load_encoder("minilm", "cpu").encode_passages(passages, RunContext()), strict=True))
    found = np.array([float(vectors[row.query] @ vectors[row.shown]) if row.query else 0.0 for row in rows])
    if kept:
        np.save(kept, found)
    return found


def sample(rows: Sequence[Row], most: int, seed: int = 0) -> list[Row]:
    """At most `most` rows of each source, question and label, so that small sources stay whole."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault((family(row.source), *(str(row.label(question)) for question in QUESTIONS)), []).append(row)
    rng = random.Random(seed)
    return [row for _, found in sorted(groups.items()) for row in rng.sample(found, min(most, len(found)))]


def family(source: str) -> str:
    """The source under which a figure is given: generators over many documents count as one, held-out documents stand apart."""
    kind, _, document = source.partition("-")
    if kind in ("pairs", "heading", "inserted"):
        return f"{kind}, unseen documents" if document in ("pagerduty_incident", "tacofancy_recipes", "redis_doc") else kind
    return source


def lines(rows: Sequence[Row], scores: Mapping[str, Floats], similar: Floats, figure: Callable[..., Figure] = auroc_figure) -> list[Line]:
    """A figure for each task and source with enough rows of both classes, and for all sources together."""
    lengths = np.array([len(row.passage) for row in rows], dtype=np.float64)
    families = [family(row.source) for row in rows]
    found = []
    for task in TASKS:
        labels = [truth(row, task) for row in rows]
        for source in [*sorted(set(families)), "all"]:
            chosen = [index for index, label in enumerate(labels) if label is not None and source in (families[index], "all")]
            true = [bool(labels[index]) for index in chosen]
            if min(sum(true), len(true) - sum(true)) < LEAST:
                continue
            found.append(
                Line(
                    task=task,
                    source=source,
                    positives=sum(true),
                    majority=max(sum(true), len(true) - sum(true)) / len(true),
                    model=figure(list(scores[task][chosen]), true),
                    cosine=figure(list(similar[chosen]), true),
                    length=figure(list(lengths[chosen]), true),
                )
            )
    return found


def kinds(rows: Sequence[Row], scores: Mapping[str, Floats]) -> list[tuple[str, str, float, int]]:
    """The mean score of each kind of row that a task knows: shows which phenomenon is learned and which is not."""
    table: dict[tuple[str, str], list[float]] = {}
    for task in TASKS:
        for row, score in zip(rows, scores[task], strict=True):
            label = truth(row, task)
            if label is not None:
                table.setdefault((task, f"{family(row.source)}: {row.kind} = {label}"), []).append(float(score))
    return [(task, kind, sum(values) / len(values), len(values)) for (task, kind), values in sorted(table.items()) if len(values) >= LEAST]


def show(found: Sequence[Line]) -> str:
    """A table in Markdown."""
    head = "| task | source | model AUROC | cosine | length | positives | majority |\n|---|---|--:|--:|--:|--:|--:|"
    body = []
    for line in found:
        cells = (line.task, line.source, line.model, f"{line.cosine.value:.3f}", f"{line.length.value:.3f}", line.positives, line.majority)
        body.append("| " + " | ".join(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |")
    return "\n".join([head, *body])


def load_network(checkpoint: Path) -> tuple[JudgeNet, PreTrainedTokenizerBase, int, int]:
    """The network of a checkpoint, its tokenizer, the longest input, and the steps that were trained."""
    state = torch.load(checkpoint, weights_only=True)
    encoder, tokenizer = load_base()
    network = JudgeNet(encoder, state["plan"]["adapt"])
    network.load_trained(state["weights"])
    return network, tokenizer, state["plan"]["longest"], state["step"]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--most", type=int, default=600, help="rows of a source and label")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    network, tokenizer, longest, step = load_network(arguments.checkpoint)
    rows = sample(list(read_rows(arguments.rows / "dev.jsonl")), arguments.most)
    scores = predict(network, rows, tokenizer, longest)
    found = lines(rows, scores, cosines(rows, arguments.rows))
    print(f"step {step}, {len(rows)} rows\n{show(found)}")
    if arguments.json:
        values = {"step": step, "rows": len(rows), "figures": [asdict(line) for line in found], "kinds": kinds(rows, scores)}
        arguments.json.write_text(json.dumps(values, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
