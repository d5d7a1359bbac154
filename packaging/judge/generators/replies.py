"""Sentences of generated answers with the part of their context that comes nearest: what the claim head is asked about in the app.

From RAGTruth's `train_sample_dev` (people marked what the context does not say). Half of its sources train, the other half stays in the
fit pile for calibration and thresholds; see `trains`.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from feature_rows import read
from rows import CONTRADICT, NEUTRAL, SUPPORT, Row

from guard_desk.text.sentences import sentences
from guard_desk.text.words import content_stems

FILE = "ragtruth/train_sample_dev.jsonl"
WINDOW, STRIDE = 380, 190
SHORTEST = 20
SUPPORTED_SHARE = 0.45  # nine in ten sentences are supported; some of them are enough


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a context."""

    text: str
    stems: frozenset[str]


def trains(source_key: str) -> bool:
    """Whether a source of RAGTruth is trained on: half of them, fixed by their names."""
    return int(hashlib.sha256(f"replies {source_key}".encode()).hexdigest()[:8], 16) % 2 == 0


def reply_rows(data: Path, dev: bool, rng: random.Random) -> Iterator[Row]:
    """Sentences of the sources of one side.

    :param data: the folder that holds `ragtruth/`.
    """
    for source in read(data / FILE):
        if trains(source["source_key"]) != dev:
            windows = split(str(source["context"]).replace("\\n", " "))
            for response in source["responses"]:
                yield from _sentences(source, response, windows, dev, rng)


def split(context: str) -> list[Window]:
    """Overlapping windows that end at spaces."""
    found, start = [], 0
    while start < len(context):
        end = min(len(context), start + WINDOW)
        stop = context.rfind(" ", start + STRIDE, end) if end < len(context) else end
        text = context[start : stop if stop > 0 else end].strip()
        if text:
            found.append(Window(text, content_stems(text, "en")))
        if end == len(context):
            break
        start = max(start + 1, context.find(" ", start + STRIDE) + 1)
    return found


def _sentences(source: dict[str, Any], response: dict[str, Any], windows: Sequence[Window], dev: bool, rng: random.Random) -> Iterator[Row]:
    for span in sentences(response["output"]):
        text = span.of(response["output"]).strip()
        marks = [mark for mark in response["hallucination_labels"] if mark["start"] < span.end and mark["end"] > span.start]
        if len(text) < SHORTEST or not windows or (not marks and not dev and rng.random() > SUPPORTED_SHARE):
            continue
        conflict = any("Conflict" in mark["label_type"] for mark in marks)
        stems = content_stems(text, "en")
        ranked = sorted(windows, key=lambda window: len(window.stems & stems), reverse=True)
        # An invented sentence is invented beside every part of the context; a true one may lean on the nearest part only.
        for window in ranked[: 2 if marks and not dev else 1]:
            yield Row(
                query=text,
                passage=window.text,
                kind="conflict" if conflict else "invented" if marks else "supported",
                group=f"ragtruth-{source['source_key']}",
                source=f"replies-{source['task_type'].lower()}",
                claim=CONTRADICT if conflict else NEUTRAL if marks else SUPPORT,
            )
