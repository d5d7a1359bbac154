"""Question, passage and no answer: windows of the same article that answer and that do not, and questions about another subject."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from rows import Row
from sources import Claim

from generators.claims import premise_question
from guard_desk.text.sentences import sentences

LONGEST = 520
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+){0,2}(?=[ ,.;?'])")
_YES_NO = re.compile(
    r"^(?P<subject>[A-Z][^,.]{2,60}?) (?P<verb>is|are|was|were|has|have|had|can|could|will|would|must|should) (?P<rest>[^.]{4,120})\.?$"
)


def near_misses(rows: Sequence[dict[str, Any]], source: str, share: float, rng: random.Random) -> Iterator[Row]:
    """For a share of the questions: windows with the answer, the same ones without its sentence, and neighbours on the same page."""
    by_title: dict[str, list[str]] = {}
    for row in rows:
        found = by_title.setdefault(row["title"], [])
        if row["context"] not in found:
            found.append(row["context"])
    names = sorted({name for row in rows for name in _NAME.findall(row["question"])})
    for row in rng.sample(list(rows), round(share * len(rows))):
        yield from _near_miss(row, by_title[row["title"]], names, source, rng)


def _near_miss(row: dict[str, Any], contexts: Sequence[str], names: Sequence[str], source: str, rng: random.Random) -> Iterator[Row]:
    answers = row["answers"] or row.get("plausible_answers") or []
    if not answers:
        return
    shared: dict[str, Any] = {"query": row["question"], "source": source, "group": row["title"]}
    shared["title"] = row["title"].replace("_", " ") if rng.random() < 0.4 else None
    window, without = _window(row["context"], answers[0]["start"], rng)
    if row.get("is_impossible"):
        yield Row(**shared, passage=window, kind="impossible", relevant=1, evidence=0)
        return
    answer = answers[0]["text"]
    # Questions that take nothing for granted teach little about premises: most of their rows do not say.
    some = 0 if rng.random() < 0.25 else None
    yield Row(**shared, passage=window, kind="answer", relevant=1, evidence=1, contradicts=some)
    if rng.random() < 0.5:
        again = _window(row["context"], answers[0]["start"], rng)[0]
        yield Row(**shared, passage=again, kind="answer", relevant=1, evidence=1)
    if len(without) > 40 and answer not in without:
        yield Row(**shared, passage=without, kind="answer taken out", relevant=1, evidence=0, contradicts=some)
    other = rng.choice(contexts)
    if answer.lower() not in other.lower():
        yield Row(**shared, passage=_window(other, rng.randrange(len(other)), rng)[0], kind="same page", evidence=0, contradicts=some)
    swapped = _other_subject(row["question"], window, names, rng)
    if swapped:
        yield Row(**{**shared, "query": swapped}, passage=window, kind="other subject", evidence=0, contradicts=0)


def _window(context: str, at: int, rng: random.Random) -> tuple[str, str]:
    """Two to four sentences around a position, and the same without the sentence at the position."""
    spans = sentences(context)
    hit = next((index for index, span in enumerate(spans) if span.start <= at < span.end), len(spans) - 1)
    size = rng.choice((1, 2, 2, 3, 3, 4))
    first = max(0, min(hit - rng.randrange(size), len(spans) - size))
    chosen = list(range(first, min(len(spans), first + size)))
    while len(chosen) > 1 and spans[chosen[-1]].end - spans[chosen[0]].start > LONGEST:
        chosen.pop(0 if chosen[0] != hit else -1)
    # The removed sentence is made up for by another one, so that length does not tell.
    rest = [index for index in chosen if index != hit]
    for extra in (chosen[-1] + 1, chosen[0] - 1):
        if len(rest) < len(chosen) and 0 <= extra < len(spans):
            rest.append(extra)
    text, without = (" ".join(spans[index].of(context) for index in part) for part in (chosen, sorted(rest)))
    return text, without


def _other_subject(question: str, window: str, names: Sequence[str], rng: random.Random) -> str:
    """The question about another name, where its own name stands in the window; "" when it has none."""
    found = [name for name in _NAME.findall(question) if name in window]
    if not found:
        return ""
    name = rng.choice(found)
    others = [
        other for other in rng.sample(list(names), min(12, len(names))) if other not in window and other.count(" ") == name.count(" ")
    ]
    return question.replace(name, others[0]) if others else ""


def yes_no(claims: Sequence[Claim], share: float, rng: random.Random) -> Iterator[Row]:
    """Claims as questions for yes or no: what supports and what refutes both answer, a text on something near does not."""
    pool = [claim for claim in claims if claim.source == "fever" and _YES_NO.match(claim.claim)]
    index = _by_word(pool)
    for claim in rng.sample(pool, round(share * len(pool))):
        match = _YES_NO.match(claim.claim)
        assert match is not None
        asked = f"{match['verb'].capitalize()} {match['subject']} {match['rest']}?"
        shared: dict[str, Any] = {"group": claim.group, "source": "fever"}
        title = claim.page.replace("_", " ") if claim.page and rng.random() < 0.4 else None
        yield Row(**shared, query=asked, passage=claim.text[:LONGEST], title=title, kind="yes/no", relevant=1, evidence=1, contradicts=0)
        stranger = _namesake(claim, match["subject"], index, rng)
        if stranger is not None:
            plain = rng.random() < 0.8
            query = asked if plain else premise_question(claim.claim, rng)
            # The form of the question must not tell that nothing answers it.
            evidence, text = 0 if plain else None, stranger.text[:LONGEST]
            yield Row(**shared, query=query, passage=text, kind="namesake", relevant=0, evidence=evidence, contradicts=0)


def _by_word(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Claims by the capitalised words of their texts."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        for word in sorted(set(re.findall(r"\b[A-Z][a-z]{3,}\b", claim.text))):
            found.setdefault(word, []).append(claim)
    return found


def _namesake(claim: Claim, subject: str, index: dict[str, list[Claim]], rng: random.Random) -> Claim | None:
    """A text of another page that shares a word of the subject's name, and not the whole name."""
    words = re.findall(r"\b[A-Z][a-z]{3,}\b", subject)
    pool = index.get(rng.choice(words), []) if words else []
    for other in rng.sample(pool, min(6, len(pool))):
        if subject not in other.text and other.page != claim.page and other.group != claim.group:
            return other
    return None
