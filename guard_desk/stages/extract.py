"""Typed values, cues and facts of every pool passage, of its title and of the question, found once."""

from __future__ import annotations

from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer
from guard_desk.records.evidence import Extracted, Retrieved, TextFacts

STAGE = "extract"
BATCH_TEXTS = 64


def extract(retrieved: Retrieved, analyzer: Analyzer, ctx: RunContext) -> Extracted:
    """Facts of the pool in its order.

    :raises Cancelled: between batches of 64 texts.
    """
    passages = retrieved.passages
    titled = [index for index, passage in enumerate(passages) if passage.title]
    texts = [passage.text for passage in passages] + [passages[index].title or "" for index in titled] + [retrieved.query.text]
    found: list[TextFacts] = []
    ctx.report(STAGE, 0, len(texts), unit="texts")
    for start in range(0, len(texts), BATCH_TEXTS):
        found += analyzer.analyze(texts[start : start + BATCH_TEXTS], ctx)
        ctx.report(STAGE, len(found), len(texts), unit="texts")
    titles = dict(zip(titled, found[len(passages) : -1], strict=True))
    return Extracted(
        texts=tuple(found[: len(passages)]),
        titles=tuple(titles.get(index) for index in range(len(passages))),
        query=found[-1],
        analyzer=analyzer.info,
    )
