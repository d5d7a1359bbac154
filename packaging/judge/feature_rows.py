"""Labelled (query, passage) pairs for fitting the judge "features", made from training data only.

Every row has three labels; None where the data does not say. Evidence is learnt within the topic: relevance is a question of its
own. Rows of one `group` (article, page) stay on one side of a split.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guard_desk.text.question_reading import keys_of
from guard_desk.text.sentences import sentences

WINDOW_SENTENCES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One pair. `kind` says how it was made, e.g. "answer", "cut", "impossible", "other"."""

    query: str
    title: str | None
    text: str
    relevant: int | None
    evidence: int | None
    contradicts: int | None
    source: str
    kind: str
    group: str


def read(path: Path) -> list[dict[str, Any]]:
    """Rows of a JSON Lines file, gzipped or not, without those that share text with a measuring set."""
    file = path if path.is_file() else path.with_name(path.name + ".gz")
    raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    rows = [json.loads(line) for line in raw.split(b"\n") if line.strip()]
    return [row for row in rows if not row.get("dev_overlap")]


def build(data: Path, seed: int) -> list[Row]:
    """All rows, in a fixed order for a seed.

    :param data: the folder that holds `train/`, `hotpot_distractor100/` and `fm2/`.
    """
    rng = random.Random(seed)
    rows: list[Row] = []
    rows += questions(read(data / "train/squad2_halfdev/data.jsonl"), "squad2", "en", 600, rng)
    xquad = read(data / "train/xquad/data.jsonl")
    for language, count in (("en", 150), ("de", 150), ("es", 150), ("zh", 150)):
        rows += questions([row for row in xquad if row["lang"] == language], f"xquad-{language}", language, count, rng)
    rows += questions(read(data / "train/cmrc2018_zh/data.jsonl"), "cmrc2018", "zh", 150, rng)
    rows += _hotpot(read(data / "hotpot_distractor100/dev.jsonl"), rng)
    rows += _claims(read(data / "train/fever/data.jsonl"), "fever", 1400, rng)
    rows += _pairs(read(data / "train/cf_snli/data.jsonl"), "cf_snli", 600, rng)
    rows += _pairs(read(data / "train/breaking_nli/data.jsonl"), "breaking_nli", 400, rng)
    rows += _pairs(read(data / "train/negnli/data.jsonl"), "negnli", 300, rng)
    rows += _fm2(read(data / "fm2/dev.jsonl"), 400, rng)
    for name in ("redis_doc", "prometheus_docs", "18f_handbook", "kubernetes_community", "medquad", "opensource_guide"):
        plain = [row for row in read(data / f"train/plain_{name}/data.jsonl") if row["lang"] == "en"]
        rows += _denials(plain, f"plain-{name}", 80, rng)
    return rows


def questions(rows: Sequence[dict[str, Any]], source: str, language: str, count: int, rng: random.Random) -> Iterator[Row]:
    """Each question with a window that answers it, the same without the answer, and paragraphs of other articles.

    Questions that nothing answers (SQuAD 2) keep only their label of relevance: their passages differ from answers in one word's meaning.
    """
    paragraphs = [
        Paragraph(context, title, keys_of(context, language)) for context, title in sorted({(row["context"], row["title"]) for row in rows})
    ]
    for row in rng.sample(list(rows), min(count, len(rows))):
        answers = row["answers"] or row.get("plausible_answers") or []
        if not answers:
            continue
        shared = {"query": row["question"], "source": source, "group": row["title"]}
        title = row["title"].replace("_", " ") if rng.random() < 0.5 else None
        answer = answers[0]
        window, without, blanked = _windows(row["context"], answer["start"], answer["start"] + len(answer["text"]), rng)
        possible = not row.get("is_impossible")
        yield Row(
            **shared,
            title=title,
            text=window,
            relevant=1,
            evidence=1 if possible else None,
            contradicts=0 if possible else None,
            kind="answer" if possible else "impossible",
        )
        if possible and blanked:
            yield Row(**shared, title=title, text=blanked, relevant=None, evidence=0, contradicts=0, kind="blanked")
        if without:
            yield Row(**shared, title=title, text=without, relevant=None, evidence=0, contradicts=0, kind="cut")
        for kind, other in _others(row, paragraphs, keys_of(row["question"], language), rng):
            at = rng.randrange(len(other.context))
            text, _, _ = _windows(other.context, at, at, rng)
            yield Row(
                **shared,
                title=other.title.replace("_", " ") if title else None,
                text=text,
                relevant=0,
                evidence=None,
                contradicts=0,
                kind=kind,
            )


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of an article, with its content words."""

    context: str
    title: str
    keys: frozenset[str]


def _others(
    row: dict[str, Any], paragraphs: Sequence[Paragraph], wanted: frozenset[str], rng: random.Random
) -> Iterator[tuple[str, Paragraph]]:
    """A random paragraph of another article, and the two that share most words with the question: same words, other subject."""
    strangers = [paragraph for paragraph in paragraphs if paragraph.title != row["title"]]
    if not strangers:
        return
    yield "other", rng.choice(strangers)
    ranked = sorted(strangers, key=lambda stranger: len(wanted & stranger.keys), reverse=True)
    for stranger in ranked[:2]:
        yield "shared words", stranger


def _windows(context: str, start: int, end: int, rng: random.Random) -> tuple[str, str, str]:
    """One to three sentences around a position; up to three of the others; the first without the words at the position."""
    spans = sentences(context)
    at = next((index for index, span in enumerate(spans) if span.start <= start < span.end), 0)
    size = rng.choice((1, 2, WINDOW_SENTENCES))
    first = max(0, min(at - rng.randrange(size), len(spans) - size))
    window = spans[first : first + size]
    others = [span for index, span in enumerate(spans) if index != at]
    begin = rng.randrange(max(1, len(others) - size + 1)) if others else 0
    rest = others[begin : begin + size]
    inside = window[0].start <= start and end <= window[-1].end
    blanked = context[window[0].start : start].rstrip() + " " + context[end : window[-1].end].lstrip() if inside and end > start else ""
    return context[window[0].start : window[-1].end], " ".join(span.of(context) for span in rest), blanked


def _hotpot(rows: Sequence[dict[str, Any]], rng: random.Random) -> Iterator[Row]:
    """Supporting paragraphs are relevant; distractors share words with the question by design and are not."""
    for row in rows:
        supporting = set(row["supporting_facts"]["title"])
        for title, parts in zip(row["context"]["title"], row["context"]["sentences"], strict=True):
            if title in supporting:
                yield Row(
                    query=row["question"],
                    title=title,
                    text="".join(parts),
                    relevant=1,
                    evidence=None,
                    contradicts=None,
                    source="hotpot",
                    kind="supporting",
                    group=row["id"],
                )
        distractors = [
            (title, parts)
            for title, parts in zip(row["context"]["title"], row["context"]["sentences"], strict=True)
            if title not in supporting
        ]
        for title, parts in rng.sample(distractors, min(6, len(distractors))):
            yield Row(
                query=row["question"],
                title=title,
                text="".join(parts),
                relevant=0,
                evidence=None,
                contradicts=None,
                source="hotpot",
                kind="distractor",
                group=row["id"],
            )


_PREMISE_FORMS = (
    "Since {claim}, what follows from it?",
    "{Claim}; why is that?",
    "Given that {claim}, who noticed it first?",
    "Why is it that {claim}?",
    "{Claim}. How did it come to this?",
)


def as_question(claim: str, rng: random.Random) -> str:
    bare = claim.strip().rstrip(".!")
    lowered = (
        bare
        if bare[:2].isupper() or (bare.split(" ")[0].istitle() and len(bare.split(" ")) > 1 and bare.split(" ")[1][:1].isupper())
        else bare[0].lower() + bare[1:]
    )
    return rng.choice(_PREMISE_FORMS).format(claim=lowered, Claim=bare)


_VERB = re.compile(r"(?<=\s)(is|are|was|were|can|will|should|must|may|has been|have been)(?= [a-z])")
_DENIED = re.compile(r"\b(?:not|never|no|n't|none|nothing|without|cannot|only|unless|except)\b", re.IGNORECASE)


def _denials(rows: Sequence[dict[str, Any]], source: str, count: int, rng: random.Random) -> Iterator[Row]:
    """Sentences of documents as premises: against themselves, with a "not", and against another denial of the document."""
    plain: list[tuple[dict[str, Any], str, re.Match[str]]] = []
    denying: dict[str, list[str]] = {}
    for row in rows:
        for span in sentences(row["text"]):
            sentence = span.of(row["text"])
            verb = _VERB.search(sentence)
            if _DENIED.search(sentence):
                denying.setdefault(row["doc"], []).append(sentence)
            elif verb is not None and 40 < len(sentence) < 160 and sentence.endswith(".") and "?" not in sentence:
                plain.append((row, sentence, verb))
    for row, sentence, verb in rng.sample(plain, min(count, len(plain))):
        shared = {
            "query": as_question(sentence, rng),
            "relevant": None,
            "evidence": None,
            "source": source,
            "group": row["doc"],
            "title": None,
        }
        negation = rng.choice(("not", "not", "never"))
        denied = sentence[: verb.end()] + f" {negation}" + sentence[verb.end() :]
        yield Row(**shared, text=denied, contradicts=1, kind="denied")
        yield Row(**shared, text=sentence, contradicts=0, kind="restated")
        others = denying.get(row["doc"], [])
        if others:
            yield Row(**shared, text=rng.choice(others), contradicts=0, kind="another denial")


def _claims(rows: Sequence[dict[str, Any]], source: str, count: int, rng: random.Random) -> Iterator[Row]:
    """Claims as premises of questions, with the evidence that supports or refutes them."""
    for row in rng.sample(list(rows), min(count, len(rows))):
        refuted = row["label"] == "refute"
        yield Row(
            query=as_question(row["claim"], rng),
            title=row["page"],
            text=row["evidence"],
            relevant=None,
            evidence=None,
            contradicts=int(refuted),
            source=source,
            kind="refuted" if refuted else "supported",
            group=str(row["page"] or row["group"]),
        )


def _pairs(rows: Sequence[dict[str, Any]], source: str, count: int, rng: random.Random) -> Iterator[Row]:
    """Minimal pairs as premises: contradiction against entailment and neutral, balanced."""
    contradicting = [row for row in rows if row["label"] == "contradiction"]
    others = [row for row in rows if row["label"] != "contradiction"]
    for chosen, label in ((contradicting, 1), (others, 0)):
        for row in rng.sample(chosen, min(count // 2, len(chosen))):
            yield Row(
                query=as_question(row["hypothesis"], rng),
                title=None,
                text=row["premise"],
                relevant=None,
                evidence=None,
                contradicts=label,
                source=source,
                kind=row["label"],
                group=str(row.get("group", row["id"])),
            )


def _fm2(rows: Sequence[dict[str, Any]], count: int, rng: random.Random) -> Iterator[Row]:
    for row in rng.sample(list(rows), min(count, len(rows))):
        text = " ".join(part["text"] for part in row["gold_evidence"])
        yield Row(
            query=as_question(row["text"], rng),
            title=row.get("wikipedia_page"),
            text=text,
            relevant=None,
            evidence=None,
            contradicts=int(row["label"] == "REFUTES"),
            source="fm2",
            kind=row["label"],
            group=str(row.get("wikipedia_page", row["id"])),
        )
