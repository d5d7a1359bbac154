"""Minimal pairs on real sentences: claim and passage differ in one thing, or only in form.

A sentence S and its edited form S' stand on both sides, so that neither the claim alone nor the passage alone tells the label. The
passage keeps the neighbours of the sentence; a passage without the sentence leaves the claim open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from feature_rows import as_question
from rows import CONTRADICT, NEUTRAL, SUPPORT, Row
from sources import Paragraph

from generators.edits import KEEPING, changing, names_of
from guard_desk.text.sentences import sentences

SHORTEST, LONGEST = 40, 190
NEIGHBOURS = 2


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence with the text before and after it in its paragraph."""

    sentence: str
    before: str
    after: str
    paragraph: Paragraph

    def passage(self, sentence: str) -> str:
        """The passage with another sentence in the place."""
        return " ".join(part for part in (self.before, sentence, self.after) if part)


def placed_sentences(paragraphs: Sequence[Paragraph], rng: random.Random) -> list[Placed]:
    """The English sentences that can stand alone as claims."""
    found = []
    for paragraph in paragraphs:
        if paragraph.language != "en" or paragraph.prompt:
            continue
        spans = sentences(paragraph.text)
        for index, span in enumerate(spans):
            sentence = span.of(paragraph.text)
            if SHORTEST <= len(sentence) <= LONGEST and sentence[0].isupper() and sentence.endswith(".") and "?" not in sentence:
                first, last = max(0, index - rng.randint(0, NEIGHBOURS)), min(len(spans), index + 1 + rng.randint(0, NEIGHBOURS))
                before = paragraph.text[spans[first].start : span.start].strip()
                after = paragraph.text[span.end : spans[last - 1].end].strip()
                found.append(Placed(sentence, before, after, paragraph))
    return found


def minimal_pairs(paragraphs: Sequence[Paragraph], per_kind: int, rng: random.Random) -> Iterator[Row]:
    """Up to `per_kind` edited sentences of each kind, with all their rows."""
    pool = placed_sentences(paragraphs, rng)
    names = sorted({name for place in pool for name in names_of(place.sentence)})
    for kind, rule in changing(names).items():
        rng.shuffle(pool)
        made = 0
        for place in pool:
            edit = rule(place.sentence, rng)
            if edit is not None and edit.text != place.sentence:
                yield from _changed(place, edit.text, kind, rng)
                made += 1
            if made == per_kind:
                break
    for kind, rule in KEEPING.items():
        rng.shuffle(pool)
        made = 0
        for place in pool:
            edit = rule(place.sentence, rng)
            if edit is not None and edit.text != place.sentence:
                yield from _kept(place, edit.text, kind, rng)
                made += 1
            if made == per_kind:
                break


def _changed(place: Placed, edited: str, kind: str, rng: random.Random) -> Iterator[Row]:
    """Claim S or S' against passage S or S': two of four rows agree, two do not; then the premise form and the open one."""
    original = place.sentence
    both = [(original, original), (original, edited), (edited, original), (edited, edited)]
    picked = rng.choice((0, 1))
    # One row that agrees and one that does not, with the same claim or with the same passage.
    for claim, text in (both[0], both[1 + picked]) if rng.random() < 0.5 else (both[3], both[1 + picked]):
        yield _row(place, claim, text, kind, claim=SUPPORT if claim == text else CONTRADICT)
    asked = rng.choice((original, edited))
    yield _row(place, as_question(asked, rng), asked, kind, contradicts=0)
    yield _row(place, as_question(asked, rng), edited if asked == original else original, kind, contradicts=1)
    rest = " ".join(part for part in (place.before, place.after) if part)
    if len(rest) > SHORTEST and rng.random() < 0.5:
        asked = rng.choice((original, edited))
        yield Row(query=asked, passage=rest, kind=f"{kind} left out", claim=NEUTRAL, **_names(place))
        yield Row(query=as_question(asked, rng), passage=rest, kind=f"{kind} left out", contradicts=0, **_names(place))


def _kept(place: Placed, edited: str, kind: str, rng: random.Random) -> Iterator[Row]:
    claim, text = (place.sentence, edited) if rng.random() < 0.5 else (edited, place.sentence)
    yield _row(place, claim, text, kind, claim=SUPPORT)
    yield _row(place, as_question(claim, rng), text, kind, contradicts=0)


def _row(place: Placed, query: str, text: str, kind: str, claim: int | None = None, contradicts: int | None = None) -> Row:
    return Row(query=query, passage=place.passage(text), kind=kind, claim=claim, contradicts=contradicts, **_names(place))


def _names(place: Placed) -> dict[str, Any]:
    return {"group": place.paragraph.group, "source": f"pairs-{place.paragraph.source.removeprefix('plain_')}"}
