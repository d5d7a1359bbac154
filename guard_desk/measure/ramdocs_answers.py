"""One generator, four choices of the evidence: all of it, BM25's best, a random choice, and what thinning supports."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from guard_desk.measure.answers import contained, exact_match
from guard_desk.measure.conflict_path import quiet
from guard_desk.measure.ramdocs_seen import Seen
from guard_desk.measure.shares import share
from guard_desk.measure.tables import Row
from guard_desk.models.bm25 import Bm25Index
from guard_desk.models.registry import token_counter
from guard_desk.progress import RunContext
from guard_desk.protocols import Generator
from guard_desk.records.corpus import Query
from guard_desk.text import prompt_blocks

METHODS = ("full", "bm25_k", "random_k", "thin")
"""k is as many documents as thinning keeps of the question."""


def answer_rows(seen: Sequence[Seen], generator: Generator, ctx: RunContext) -> list[Row]:
    """Exact match and containment of the answers, and how long the prompts were."""
    answered = [item for item in seen if item.case.answers]
    rows = []
    for method in METHODS:
        prompts = [prompt(item, chosen(item, method)) for item in answered]
        texts = ["".join(generator.generate(text, quiet(ctx))).strip() for text in ctx.track(prompts, f"answers, {method}", len(prompts))]
        tokens = float(np.mean([token_counter().count(text) for text in prompts])) if prompts else 0.0
        pairs = [(text, item.case.gold) for text, item in zip(texts, answered, strict=True)]
        rows += [
            Row(name=f"answer {method}: exact match", figure=share(exact_match(*pair) for pair in pairs), note=generator.info.name),
            Row(name=f"answer {method}: contained", figure=share(contained(*pair) for pair in pairs)),
            Row(name=f"answer {method}: tokens of the prompt", figure=tokens, unit="tokens", note="mean"),
        ]
    return rows


def chosen(item: Seen, method: str) -> tuple[str, ...]:
    """The documents that a method shows, in their order or the best first."""
    ids = [document.id for document in item.case.documents]
    if method == "thin":
        return item.thinned.support or tuple(i for i in ids if i in item.kept)
    if method == "random_k":
        random.Random(f"0/{item.case.id}").shuffle(ids)
    elif method == "bm25_k":
        ids = _by_bm25(item)
    return tuple(ids if method == "full" else ids[: len(item.kept)])


def _by_bm25(item: Seen) -> list[str]:
    index = Bm25Index()
    index.index(item.case.passages, RunContext())
    scores = index.scores(Query(text=item.case.question))
    return [item.case.documents[place].id for place in np.argsort(-scores, kind="stable")]


def prompt(item: Seen, ids: Sequence[str]) -> str:
    """The product's prompt with these documents; what rivals say stands in the conflicting block, as it does in a run."""
    by_id = {passage.id: passage for passage in item.case.passages}
    blocks = {i: prompt_blocks.block(by_id[i], ids=ids, sources=(), notes=()) for i in ids}
    rivals = frozenset(item.thinned.rivals) if set(ids) == set(item.thinned.support) else frozenset()
    text, _, _ = prompt_blocks.fill(
        item.case.question, [blocks[i] for i in ids if i not in rivals], [blocks[i] for i in ids if i in rivals]
    )
    return text
