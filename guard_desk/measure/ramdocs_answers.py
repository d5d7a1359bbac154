"""One generator, four choices of the evidence: all of it, BM25's best, a random choice, and what thinning keeps."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from guard_desk.measure.answers import contained, exact_match
from guard_desk.measure.conflict_path import quiet
from guard_desk.measure.paper_store import StoredGenerator
from guard_desk.measure.ramdocs_seen import Seen
from guard_desk.measure.shares import share
from guard_desk.measure.tables import Row
from guard_desk.models.bm25 import Bm25Index
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Query

METHODS = ("full", "bm25_k", "random_k", "thin")
"""k is as many documents as thinning keeps of the question."""

ANSWER_TOKENS = 32
"""Where an answer is cut: a value is asked for."""

_PROMPT = "Evidence:\n{documents}\n\nQuestion: {question}\nAnswer with the value only."


def answer_rows(seen: Sequence[Seen], generator: StoredGenerator, ctx: RunContext) -> list[Row]:
    """Exact match and containment of the answers, any gold; and what they took.

    :raises Cancelled: between pieces; what was answered is stored.
    """
    answered = [item for item in seen if item.case.answers]
    rows = []
    for method in METHODS:
        prompts = [prompt(item, chosen(item, method)) for item in answered]
        texts = ["".join(generator.generate(text, quiet(ctx))).strip() for text in ctx.track(prompts, f"answers, {method}", len(prompts))]
        stored = [found for text in prompts if (found := generator.stored(text)) is not None]
        tokens = float(np.mean([found.prompt_tokens + found.answer_tokens for found in stored])) if stored else 0.0
        pairs = [(text, item.case.gold) for text, item in zip(texts, answered, strict=True)]
        rows += [
            Row(name=f"answer {method}: exact match", figure=share(exact_match(*pair) for pair in pairs), note=generator.info.name),
            Row(name=f"answer {method}: contained", figure=share(contained(*pair) for pair in pairs)),
            Row(name=f"answer {method}: tokens", figure=tokens, unit="tokens", note="prompt and answer, mean"),
        ]
    return rows


def chosen(item: Seen, method: str) -> tuple[str, ...]:
    """The documents that a method shows, the best first where there is a best."""
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
    """The prompt, the same for all methods: these documents, and the value alone is asked for."""
    texts = {document.id: document.text for document in item.case.documents}
    return _PROMPT.format(documents="\n\n".join(texts[i] for i in ids), question=item.case.question)
