"""Builds the rows that the answer finder is trained, calibrated and tested on.

    python packaging/judge/answer_generate.py --data ../shared/data --out FOLDER [--seed 0]

Writes `train.jsonl`, `calibration.jsonl`, `test.jsonl` and `manifest.json` with the hashes of what was read and written. Only
`train/` of the data is opened, and rows that share text with a measuring set are left out. The same seed gives the same files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sources
from answer_rows import SIDES, AnswerRow, counts, side_of_title, write_rows
from generators import cloze, worlds
from generators.answer_windows import Reading

from guard_desk.models.embedded import embedded_folder

READ = ("squad2_halfdev", "xquad", "fever")
LANGUAGES = ("en", "de", "es")
# Windows of each question that is answered.
CROPS = {"squad2": 4, "xquad-en": 4, "xquad-de": 2, "xquad-es": 2}
WORLDS = {"train": 9000, "calibration": 400, "test": 600}
MOST_CLOZE = {"train": 100_000, "calibration": 600, "test": 600}


def reading_rows(data: Path, side: str, seed: int) -> Iterator[AnswerRow]:
    """The questions of people: cropped for training, whole paragraphs for the other sides."""
    found = sources.questions(data)
    seen: set[tuple[str, str]] = set()
    for source in ("squad2", *(f"xquad-{language}" for language in LANGUAGES)):
        rows = [row for row in found[source] if side_of_title(row["title"]) == side]
        reading = Reading(rows, source, random.Random(f"{seed} {source} {side}"))
        for row in rows:
            # A part of XQuAD's English questions is SQuAD's.
            if (row["question"], row["context"]) not in seen:
                seen.add((row["question"], row["context"]))
                yield from reading.rows(row, CROPS[source]) if side == "train" else reading.whole(row)


def cloze_rows(data: Path, side: str, seed: int, parser: Any) -> Iterator[AnswerRow]:
    """Questions made of claims and of sentences of articles."""
    for name, told in (
        ("fever", cloze.fever(sources.claims(data), side)),
        ("article", cloze.article_sentences(sources.articles(data), side)),
    ):
        docs = parser.pipe([item.statement for item in told], batch_size=64)
        made = list(cloze.Cloze(told, random.Random(f"{seed} {name} {side}")).rows(docs, 0.5))
        yield from random.Random(f"{seed} {name} {side} some").sample(made, min(len(made), MOST_CLOZE[side]))


def load_parser() -> Any:
    """The English pipeline that the app has anyway, with its parser."""
    import spacy

    return spacy.util.load_model_from_path(embedded_folder("en_core_web_sm"))


def make(data: Path, side: str, seed: int, parser: Any) -> list[AnswerRow]:
    """All rows of one side; those to train on in a random order."""
    made = [
        *reading_rows(data, side, seed),
        *cloze_rows(data, side, seed, parser),
        *worlds.worlds(WORLDS[side], side, random.Random(f"{seed} worlds {side}")),
    ]
    if side == "train":
        random.Random(f"{seed} order").shuffle(made)
    return made


def file_hashes(data: Path) -> dict[str, str]:
    """sha256 of every file that is read."""
    files = sorted(file for name in READ for file in (data / name).glob("data.jsonl*"))
    return {str(file.relative_to(data)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def manifest(data: Path, seed: int, written: dict[str, tuple[str, Sequence[AnswerRow]]]) -> dict[str, Any]:
    """What the rows are and what they were made of."""
    return {
        "seed": seed,
        "read": file_hashes(data),
        "licences": {name: sources.LICENCES[name] for name in READ},
    } | {side: {"rows": len(rows), "sha256": digest, "counts": counts(rows)} for side, (digest, rows) in written.items()}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds train/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    english = load_parser()
    written = {}
    for side in SIDES:
        rows = make(arguments.data / "train", side, arguments.seed, english)
        written[side] = (write_rows(arguments.out / f"{side}.jsonl", rows), rows)
        print(side, len(rows), written[side][0][:12])
    described = manifest(arguments.data / "train", arguments.seed, written)
    (arguments.out / "manifest.json").write_text(json.dumps(described, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
