"""Corpora as large as one likes for measuring time: real paragraphs, a sixth of them seen before in one form or another."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from guard_desk.measure.dedup_bench_rewrites import CHANGING, KEEPING, seed_of

# Share of the corpus that each form of repetition makes up: copies, other layout, other numerals or lines of the site, and texts with one
# fact changed, which no tool should merge.
SHARES = (("copy", 0.06), ("layout", 0.04), ("format", 0.02), ("changed", 0.04))
_FORMS = {"layout": ("spaces", "list_marks", "signs", "case"), "format": ("number_format", "header", "footer"), "changed": tuple(CHANGING)}
_REWRITES = {**KEEPING, **CHANGING}
PARAGRAPHS = "train/plain_*/data.jsonl*"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts in a mixed order.

    :param twins: pairs of positions, the repeated text and its source, with the form of the repetition.
    """

    texts: tuple[str, ...]
    twins: tuple[tuple[int, int, str], ...]


def corpus(data: Path, size: int) -> Corpus | None:
    """A corpus of that many texts, always the same; None when the data has too few paragraphs.

    :param data: the folder of the sets; the paragraphs are in `train/plain_*` (documentation, guides, tickets, recipes, ...).
    """
    texts = sorted(set(_paragraphs(data)), key=lambda text: seed_of("corpus", text))
    repeated = {form: round(size * share) for form, share in SHARES}
    plain = size - sum(repeated.values())
    if len(texts) < plain:
        return None
    entries: list[tuple[str, int, str]] = [(text, -1, "") for text in texts[:plain]]
    for form, count in repeated.items():
        entries += _repetitions(texts[:plain], form, count)
    order = sorted(range(len(entries)), key=lambda place: seed_of("order", str(place)))
    position = {place: number for number, place in enumerate(order)}
    twins = tuple((position[place], position[entries[place][1]], entries[place][2]) for place in range(plain, len(entries)))
    return Corpus(tuple(entries[place][0] for place in order), twins)


def _repetitions(texts: list[str], form: str, count: int) -> list[tuple[str, int, str]]:
    found: list[tuple[str, int, str]] = []
    for place in sorted(range(len(texts)), key=lambda place: seed_of(form, str(place))):
        if len(found) == count:
            break
        text = texts[place]
        changed = text if form == "copy" else _changed(text, form)
        if changed is not None:
            found.append((changed, place, form))
    return found


def _changed(text: str, form: str) -> str | None:
    forms = _FORMS[form]
    seed = seed_of(form, text)
    return next((changed for step in range(len(forms)) if (changed := _REWRITES[forms[(seed + step) % len(forms)]](text, seed))), None)


def _paragraphs(data: Path) -> Iterator[str]:
    for file in sorted(data.glob(PARAGRAPHS)):
        with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as stream:
            for line in stream:
                if line.strip():
                    yield json.loads(line)["text"]
