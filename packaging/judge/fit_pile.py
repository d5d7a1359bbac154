"""Rows of the measuring sets that belong to the fit pile: for early stopping, calibration and thresholds, never for training.

SciFact `claims_train_dev`, FM2, HotpotQA distractors, RAGTruth `train_sample_dev` and CyberSecEval prompt injections, each whole.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from feature_rows import read
from generators.claims import premise_question
from generators.injections import insert
from generators.questions import window_of
from generators.replies import trains
from rows import CONTRADICT, NEUTRAL, SUPPORT, Row
from sources import Paragraph

from guard_desk.text.sentences import sentences

FILES = (
    "scifact/claims_train_dev.jsonl", "scifact/corpus.jsonl.gz", "fm2/dev.jsonl", "hotpot_distractor100/dev.jsonl",
    "ragtruth/train_sample_dev.jsonl", "cyberseceval_pi/dev.jsonl",
)  # fmt: skip
LONGEST = 450


def rows(data: Path, carriers: Sequence[Paragraph], seed: int) -> Iterator[Row]:
    """All rows.

    :param carriers: plain paragraphs of the dev side, into which CyberSecEval's attacks are put.
    """
    yield from _scifact(data, random.Random(f"{seed} scifact"))
    yield from _fm2(data, random.Random(f"{seed} fm2"))
    yield from _hotpot(data)
    yield from _ragtruth(data, random.Random(f"{seed} ragtruth"))
    yield from _cyberseceval(data, carriers, random.Random(f"{seed} cyberseceval"))


def file_hashes(data: Path) -> dict[str, str]:
    """sha256 of every file that is read."""
    return {name: hashlib.sha256((data / name).read_bytes()).hexdigest() for name in FILES}


def _scifact(data: Path, rng: random.Random) -> Iterator[Row]:
    """Claims before their rationale with its neighbours; cited abstracts without evidence leave the claim open."""
    abstracts = {str(row.get("doc_id", row.get("_id"))): row for row in read(data / "scifact/corpus.jsonl")}
    for row in read(data / "scifact/claims_train_dev.jsonl"):
        for document in row["cited_doc_ids"]:
            abstract = abstracts[str(document)]
            text = abstract.get("abstract") or abstract["text"]
            parts = text if isinstance(text, list) else [span.of(text) for span in sentences(text)]
            found = row["evidence"].get(str(document))
            label = {"SUPPORT": SUPPORT, "CONTRADICT": CONTRADICT}[found[0]["label"]] if found else NEUTRAL
            at = found[0]["sentences"][0] if found else rng.randrange(len(parts))
            at = min(at, len(parts) - 1)
            passage = " ".join(part.strip() for part in parts[max(0, at - rng.randint(0, 1)) : at + 2])
            yield Row(
                query=row["claim"],
                title=abstract["title"],
                passage=passage,
                kind="cited",
                group=f"scifact-{row['id']}",
                source="scifact",
                claim=label,
                evidence=int(found is not None),
            )


def _fm2(data: Path, rng: random.Random) -> Iterator[Row]:
    for row in read(data / "fm2/dev.jsonl"):
        text = " ".join(part["text"] for part in row["gold_evidence"])[:900]
        refuted = row["label"] == "REFUTES"
        shared: dict[str, Any] = {"passage": text, "group": f"fm2-{row['id']}", "source": "fm2", "title": row.get("wikipedia_page")}
        yield Row(query=row["text"], kind="claim", claim=CONTRADICT if refuted else SUPPORT, **shared)
        yield Row(query=premise_question(row["text"], rng), kind="premise", contradicts=int(refuted), **shared)


def _hotpot(data: Path) -> Iterator[Row]:
    """Supporting paragraphs are relevant, distractors share words by design; a supporting sentence is evidence, usually half of it."""
    for row in read(data / "hotpot_distractor100/dev.jsonl"):
        supporting = set(row["supporting_facts"]["title"])
        for title, parts in zip(row["context"]["title"], row["context"]["sentences"], strict=True):
            yield Row(
                query=row["question"],
                title=title,
                passage="".join(parts)[:900],
                kind="supporting" if title in supporting else "distractor",
                group=f"hotpot-{row['id']}",
                source="hotpot",
                relevant=int(title in supporting),
                evidence=int(title in supporting),
            )


def _ragtruth(data: Path, rng: random.Random) -> Iterator[Row]:
    """Questions with a paragraph found for them and one found for another question: natural search queries.

    Only of the sources whose answers train nothing; see `generators.replies`.
    """
    found = read(data / "ragtruth/train_sample_dev.jsonl")
    asked = [row for row in found if row["task_type"] == "QA" and not trains(row["source_key"])]
    for row in asked:
        for label, other in ((1, row), (0, rng.choice([other for other in asked if other is not row]))):
            parts = [part for part in str(other["context"]).split("\n\n") if len(part) > 60] or [str(other["context"])]
            yield Row(
                query=row["query"],
                passage=rng.choice(parts)[:LONGEST],
                kind="found" if label else "other",
                group=f"ragtruth-{row['source_key']}",
                source="ragtruth",
                relevant=label,
            )


def _cyberseceval(data: Path, carriers: Sequence[Paragraph], rng: random.Random) -> Iterator[Row]:
    """English attacks in documents; the twin has foreign text of like length in the same place, so that neither tells."""
    pool = [carrier for carrier in carriers if carrier.language == "en" and not carrier.prompt and len(carrier.text) > 80]
    for number, row in enumerate(read(data / "cyberseceval_pi/dev.jsonl")):
        attack = str(row["user_input"])
        if row["speaking_language"] != "English" or not 15 <= len(attack) <= LONGEST:
            continue
        carrier, other = rng.choice(pool), rng.choice(pool)
        window, place = window_of(carrier, rng, 300), ("start", "middle", "end")[number % 3]
        shared: dict[str, Any] = {"group": f"cyberseceval-{row['prompt_id']}", "source": "cyberseceval"}
        yield Row(passage=insert(window, attack, place, rng)[0], kind=place, injection=1, **shared)
        yield Row(passage=insert(window, window_of(other, rng, len(attack)), place, rng)[0], kind="other text", injection=0, **shared)
