"""Builds the rows that the judge is trained and held to.

    python packaging/judge/generate.py --data ../shared/data --out FOLDER [--seed 0] [--scale 1.0]

Writes `train.jsonl`, `dev.jsonl` (held-out groups, sources and schemas, and the other sets of the fit pile) and `manifest.json` with the
hashes of what was read and written. Report-only sets are never opened. The same seed gives the same files.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import fit_pile
import sources
from generators import cases, claims, injections, minimal_pairs, policies, questions, reading, replies, statements
from rows import Row, counts, write_rows


@dataclass(frozen=True, slots=True)
class Side:
    """What one side of the split holds."""

    claims: list[sources.Claim]
    paragraphs: list[sources.Paragraph]
    articles: list[sources.Paragraph]
    prompts: list[sources.Prompt]
    questions: dict[str, list[dict[str, object]]]
    dev: bool


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much each generator makes at scale 1. Claims and questions are used whole."""

    pairs_per_kind: int
    policies_per_schema: int
    injections: int
    headings: int
    cases: int
    roles: int
    answers: int


TRAIN = Sizes(pairs_per_kind=310, policies_per_schema=17, injections=16500, headings=2500, cases=60, roles=900, answers=3000)
DEV = Sizes(pairs_per_kind=60, policies_per_schema=25, injections=800, headings=400, cases=60, roles=150, answers=300)
# Shares of the questions of each source that are used whole, and that are used for windows that nearly answer.
SHARES = {"squad2": 0.4, "xquad-en": 0.4, "xquad-de": 0.25, "xquad-es": 0.25, "xquad-zh": 0.1, "cmrc2018-zh": 0.04}
NEAR_SHARES = {"squad2": 1.0, "xquad-en": 0.8, "xquad-de": 0.3, "xquad-es": 0.2, "xquad-zh": 0.1, "cmrc2018-zh": 0.05}


def load_sides(data: Path) -> tuple[Side, Side]:
    """The training side and the dev side of `../shared/data/train`."""
    found = (list(sources.claims(data)), list(sources.paragraphs(data)), list(sources.prompts(data)), sources.questions(data))
    articles = list(sources.articles(data))

    def side(dev: bool) -> Side:
        return Side(
            [claim for claim in found[0] if claim.dev == dev],
            [paragraph for paragraph in found[1] if paragraph.dev == dev],
            [article for article in articles if article.dev == dev],
            [prompt for prompt in found[2] if prompt.dev == dev],
            {name: sources.one_side(rows, dev) for name, rows in found[3].items()},
            dev,
        )

    return side(False), side(True)


def make_rows(side: Side, sizes: Sizes, scale: float, seed: int) -> list[Row]:
    """All rows of one side in a random order; each generator has its own random source, so that one does not move the others."""

    def number(count: int) -> int:
        return max(1, round(count * scale))

    def some(rng: random.Random) -> list[sources.Claim]:
        return rng.sample(side.claims, number(len(side.claims)))

    makers: dict[str, Callable[[random.Random], Iterator[Row]]] = {
        "claims": lambda rng: claims.claim_rows(some(rng), rng),
        "premises": lambda rng: claims.premise_rows(some(rng), 0.33, rng),
        "open": lambda rng: claims.open_rows(some(rng), 0.33, rng),
        "pairs": lambda rng: minimal_pairs.minimal_pairs(side.paragraphs, number(sizes.pairs_per_kind), rng),
        "article pairs": lambda rng: minimal_pairs.minimal_pairs(side.articles, number(sizes.pairs_per_kind), rng),
        "answers": lambda rng: statements.answers(side.paragraphs, number(sizes.answers), rng),
        "article answers": lambda rng: statements.answers(side.articles, number(sizes.answers), rng),
        "edited claims": lambda rng: statements.edited_claims(some(rng), 0.75, rng),
        "yes/no": lambda rng: reading.yes_no(some(rng), 0.5, rng),
        "cases": lambda rng: cases.cases(number(sizes.cases), side.dev, rng),
        "roles": lambda rng: cases.roles(number(sizes.roles), side.dev, rng),
        "policies": lambda rng: policies.policies(number(sizes.policies_per_schema), side.dev, rng),
        "headings": lambda rng: questions.headings(side.paragraphs, number(sizes.headings), rng),
        "injections": lambda rng: injections.injections(side.paragraphs, side.prompts, number(sizes.injections), side.dev, rng),
    }
    made = [row for name, maker in makers.items() for row in maker(random.Random(f"{seed} {name}"))]
    for name, rows in side.questions.items():
        made += questions.reading_questions(rows, name, number(round(len(rows) * SHARES[name])), random.Random(f"{seed} {name}"))
        made += reading.near_misses(rows, name, scale * NEAR_SHARES[name], random.Random(f"{seed} {name} near"))
    made += questions.strangers(made, 0.08, random.Random(f"{seed} strangers"))
    random.Random(f"{seed} order").shuffle(made)
    return made


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds train/ and the measuring sets")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size, for trials")
    arguments = parser.parse_args()
    train_side, dev_side = load_sides(arguments.data / "train")
    train = make_rows(train_side, TRAIN, arguments.scale, arguments.seed)
    dev = make_rows(dev_side, DEV, arguments.scale, arguments.seed)
    pile = list(fit_pile.rows(arguments.data, dev_side.paragraphs, arguments.seed))
    train += replies.reply_rows(arguments.data, False, random.Random(f"{arguments.seed} replies"))
    pile += replies.reply_rows(arguments.data, True, random.Random(f"{arguments.seed} replies"))
    random.Random(f"{arguments.seed} order of train").shuffle(train)
    sides = {"train": train, "dev": dev + pile}
    manifest = {
        "seed": arguments.seed,
        "scale": arguments.scale,
        "read": sources.file_hashes(arguments.data / "train") | fit_pile.file_hashes(arguments.data),
        "licences": sources.LICENCES,
        "held_sources": sorted(sources.HELD_SOURCES),
    } | {name: _written(arguments.out / f"{name}.jsonl", rows) for name, rows in sides.items()}
    (arguments.out / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _written(path: Path, rows: list[Row]) -> dict[str, object]:
    digest = write_rows(path, rows)
    print(path, len(rows), digest[:12])
    return {"rows": len(rows), "sha256": digest, "counts": counts(rows)}


if __name__ == "__main__":
    main()
