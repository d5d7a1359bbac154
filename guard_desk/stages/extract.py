"""Typed values, cues and facts of every pool passage, of its title and of the question, and the words that may answer; found once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer, AnswerFinder, RelationReader
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.evidence import Extracted, Relation, Retrieved, TextFacts
from guard_desk.text.thinning.frame import frame_of
from guard_desk.text.thinning.parts import asked_parts
from guard_desk.text.thinning.passages import speaking_sentences

STAGE = "extract"
BATCH_TEXTS = 64


def extract(retrieved: Retrieved, analyzer: Analyzer, ctx: RunContext, *, finder: AnswerFinder | None = None) -> Extracted:
    """Facts of the pool in its order.

    :param finder: marks the words that answer the question; None = candidates come from the rules alone.
    :raises Cancelled: between batches of 64 texts.
    """
    return extract_passages(retrieved.query, retrieved.passages, analyzer, ctx, finder=finder)


def extract_passages(
    query: Query, passages: Sequence[Passage], analyzer: Analyzer, ctx: RunContext, *, finder: AnswerFinder | None = None
) -> Extracted:
    """The same for passages outside of a run.

    :raises Cancelled: between batches of 64 texts.
    """
    titled = [index for index, passage in enumerate(passages) if passage.title]
    texts = [passage.text for passage in passages] + [passages[index].title or "" for index in titled] + [query.text]
    found: list[TextFacts] = []
    ctx.report(STAGE, 0, len(texts), unit="texts")
    for start in range(0, len(texts), BATCH_TEXTS):
        found += analyzer.analyze(texts[start : start + BATCH_TEXTS], ctx)
        ctx.report(STAGE, len(found), len(texts), unit="texts")
    titles = dict(zip(titled, found[len(passages) : -1], strict=True))
    asked = [part.text for part in asked_parts(query.text)]
    return Extracted(
        texts=tuple(found[: len(passages)]),
        titles=tuple(titles.get(index) for index in range(len(passages))),
        query=found[-1],
        analyzer=analyzer.info,
        relations=_relations(analyzer, asked, passages, found, ctx),
        answers=finder.find(asked, passages, ctx) if finder is not None else (),
        finder=finder.info if finder is not None else None,
    )


def _relations(
    analyzer: Analyzer, questions: Sequence[str], passages: Sequence[Passage], facts: Sequence[TextFacts], ctx: RunContext
) -> tuple[tuple[Relation, ...], ...]:
    """What grammar ties together in the sentences that have words of the question; nothing where the analyzer has no grammar."""
    if not isinstance(analyzer, RelationReader):
        return ()
    frames = [frame_of(question) for question in questions]
    spans = [(i, span) for i in range(len(passages)) for span in speaking_sentences(frames, passages[i], facts[i])]
    found: list[list[Relation]] = [[] for _ in passages]
    for start in range(0, len(spans), BATCH_TEXTS):
        batch = spans[start : start + BATCH_TEXTS]
        tied = analyzer.relations([span.of(passages[i].text) for i, span in batch], ctx)
        for (i, span), relations in zip(batch, tied, strict=True):
            found[i] += (_moved(relation, span.start) for relation in relations)
    return tuple(map(tuple, found))


def _moved(relation: Relation, by: int) -> Relation:
    """A relation of a sentence, in offsets of the passage."""
    subject, value = (Span(span.start + by, span.end + by) for span in (relation.subject, relation.value))
    return replace(relation, subject=subject, value=value)
