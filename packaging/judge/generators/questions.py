"""Questions with passages that answer, passages without their answer sentence, and passages of other articles.

Besides the question sets, the headings of documents serve as queries, and every form of query that is relevant to something gets
passages to which it is not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import feature_rows
from rows import Row
from sources import Paragraph

from guard_desk.text.sentences import sentences

OFF_TOPIC = 0.3  # share of off-topic passages that also count as "no evidence"
HEADING_FORMS = (
    "{section}", "{title}: {section}", "{section} in {title}", "What does {title} say about {section}?",
    "Tell me about {section} ({title})",
    "how does {section} work in {title}", "I need information on {section} of {title}.", "{title} {section}",
)  # fmt: skip


def reading_questions(rows: Sequence[dict[str, Any]], source: str, count: int, rng: random.Random) -> Iterator[Row]:
    """Windows that answer, the same without the answer, other sentences of the paragraph, and paragraphs of other articles."""
    language = source.partition("-")[2] or "en"
    for row in feature_rows.questions(rows, source, language, count, rng):
        if row.kind == "shared words" and rng.random() < 0.6:
            continue
        yield Row(
            query=row.query,
            title=row.title,
            passage=row.text,
            kind=row.kind,
            group=row.group,
            source=row.source,
            relevant=1 if row.kind == "blanked" else row.relevant,
            evidence=_evidence(row, rng),
            contradicts=row.contradicts if rng.random() < 0.25 else None,
        )


def _evidence(row: feature_rows.Row, rng: random.Random) -> int | None:
    """What does not answer is mostly on the topic, so that "off topic" does not become the whole of the question.

    A question that SQuAD 2 calls impossible has its nearest passage here, and that does not answer it.
    """
    if row.kind in ("other", "shared words"):
        return 0 if rng.random() < OFF_TOPIC else None
    return 0 if row.kind == "impossible" else row.evidence


def window_of(paragraph: Paragraph, rng: random.Random, longest: int = 450) -> str:
    """One to four neighbouring sentences, at most about `longest` characters."""
    spans = sentences(paragraph.text)
    if not spans:
        return paragraph.text[:longest]
    first = rng.randrange(len(spans))
    last = first
    while last + 1 < len(spans) and last - first < 3 and spans[last + 1].end - spans[first].start <= longest:
        last += 1
    return paragraph.text[spans[first].start : min(spans[last].end, spans[first].start + longest)]


def headings(paragraphs: Sequence[Paragraph], count: int, rng: random.Random) -> Iterator[Row]:
    """Headings, and the questions of MedQuAD, with a paragraph below them and one of another page."""
    pool = [paragraph for paragraph in paragraphs if paragraph.language == "en" and paragraph.section and not paragraph.prompt]
    for paragraph in rng.sample(pool, min(count, len(pool))):
        query = paragraph.question or rng.choice(HEADING_FORMS).format(title=paragraph.title, section=paragraph.section)
        same = [other for other in rng.sample(pool, min(40, len(pool))) if other.source == paragraph.source]
        strangers = [
            other for other in (rng.choice(same) if same and rng.random() < 0.5 else rng.choice(pool),) if other.title != paragraph.title
        ]
        yield _heading(query, paragraph, 1, "heading", rng)
        for stranger in strangers:
            yield _heading(query, stranger, 0, "other page", rng, group=paragraph.group)


def _heading(query: str, paragraph: Paragraph, relevant: int, kind: str, rng: random.Random, group: str | None = None) -> Row:
    return Row(
        query=query,
        title=paragraph.title if rng.random() < 0.3 else None,
        passage=window_of(paragraph, rng),
        kind=kind,
        group=group or paragraph.group,
        source=f"heading-{paragraph.source.removeprefix('plain_')}",
        relevant=relevant,
        evidence=0 if not relevant and rng.random() < OFF_TOPIC else None,
    )


def strangers(rows: Sequence[Row], share: float, rng: random.Random) -> Iterator[Row]:
    """For a share of the queries of every source and kind: a passage of another group, to which nothing applies."""
    forms: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.query and row.claim is None and (row.relevant == 1 or row.contradicts is not None) and row.evidence != 0:
            forms.setdefault((row.source, row.kind), []).append(row)
    passages = [row for row in rows if row.query and len(row.passage) > 40]
    for (source, _), found in sorted(forms.items()):
        near = [row for row in passages if row.source == source]
        for row in rng.sample(found, round(share * len(found))):
            other = rng.choice(near if rng.random() < 0.6 else passages)
            if other.group != row.group:
                labels: dict[str, Any] = {
                    "relevant": 0,
                    "evidence": 0 if rng.random() < OFF_TOPIC else None,
                    "contradicts": 0,
                    "claim": None,
                }
                yield replace(other, query=row.query, kind="stranger", group=row.group, source=source, **labels)
