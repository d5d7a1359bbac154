"""Pairs of passages that contradict each other for a question, and pairs that do not.

WikiContradict (Hou et al. 2024, arXiv 2406.13805): two passages of Wikipedia that contradict each other. In a third of its rows both
texts are the same: the contradiction stands inside one passage; they are measured apart. It has no pairs that agree; here they are each
passage beside itself in other words (by rule, no fact is touched) and beside a passage of another article.

ConflictQA (Xie et al. 2024, arXiv 2305.13300): yes/no questions with two evidence texts for each of the two answers; texts of opposite
answers contradict each other, the two of one answer do not. Many are written by a model.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from guard_desk.measure.judge_rows import Record, records
from guard_desk.records.corpus import Passage
from guard_desk.text.words import content_stems

WIKI_FILE = "wikicontradict/dev.jsonl"
CONFLICTQA_FILE = "conflictqa/dev.jsonl"
# Two passages that share so many of their content words may speak of the same subject.
_OTHER_ARTICLE = 0.2
_SAME_WORDS = (
    ("However,", "Nevertheless,"),
    ("however,", "nevertheless,"),
    ("located in", "situated in"),
    ("such as", "for example"),
    ("For example,", "For instance,"),
    ("for example,", "for instance,"),
    ("due to", "because of"),
    ("in order to", "to"),
    ("whereas", "while"),
    ("approximately", "roughly"),
    ("numerous", "a lot of"),
    ("began", "started"),
    ("usually", "as a rule"),
    ("often", "frequently"),
    ("also known as", "also called"),
    ("is not", "isn't"),
    ("are not", "aren't"),
    ("was not", "wasn't"),
    ("did not", "didn't"),
    ("does not", "doesn't"),
    ("consists of", "is made up of"),
    ("near", "close to"),
    ("entire", "whole"),
    ("throughout", "all over"),
    ("sometimes", "at times"),
)
_FRAMES = ("In short: {}", "To sum up: {}", "Here is what is known. {}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two passages and a question.

    :param conflict: whether they contradict each other.
    :param kind: what sort of pair it is.
    :param cluster: pairs with the same one are of one question.
    """

    question: str
    left: str
    right: str
    conflict: bool
    kind: str
    cluster: str

    @property
    def passages(self) -> tuple[Passage, Passage]:
        """Both as passages."""
        return Passage(id="left", text=self.left), Passage(id="right", text=self.right)


def wikicontradict_pairs(data: Path) -> Iterator[Pair]:
    """Contradicting pairs of each row, then those that agree; rows whose two texts are the same give one pair and no agreeing ones."""
    found = list(records(data / WIKI_FILE))
    order = list(range(len(found)))
    random.Random(0).shuffle(order)
    for number, row in enumerate(found):
        left, right, kind = str(row["context1"]), str(row["context2"]), str(row["contradiction_type"]).split()[0].lower()
        within = left.strip() == right.strip()
        yield _pair(row, left, right, conflict=True, kind=f"{kind}, in one passage" if within else kind)
        if within:
            continue
        for text in (left, right):
            yield _pair(row, text, reworded(text), conflict=False, kind="the same in other words")
        other = _other_article(found, order, number)
        if other is not None:
            yield _pair(row, left, str(other["context1"]), conflict=False, kind="another article")
            yield _pair(row, right, str(other["context2"]), conflict=False, kind="another article")


def _pair(row: Record, left: str, right: str, *, conflict: bool, kind: str) -> Pair:
    return Pair(question=row["question"], left=left, right=right, conflict=conflict, kind=kind, cluster=str(row["row"]))


def _other_article(found: Sequence[Record], order: Sequence[int], number: int) -> Record | None:
    """The next row of a fixed shuffle whose passages share few words with this one's passages and question."""
    own = content_stems(" ".join(str(found[number][name]) for name in ("context1", "context2", "question")))
    place = order.index(number)
    for other in (*order[place + 1 :], *order[:place]):
        stems = content_stems(f"{found[other]['context1']} {found[other]['context2']}")
        if stems and len(own & stems) < _OTHER_ARTICLE * min(len(own), len(stems)):
            return found[other]
    return None


def reworded(text: str) -> str:
    """The same passage with connecting words and contractions exchanged, or in a frame where it has none; no fact is touched."""
    changed = text
    for word, other in _SAME_WORDS:
        changed = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", other, changed)
    return changed if changed != text else _FRAMES[len(text) % len(_FRAMES)].format(text)


def conflictqa_pairs(data: Path) -> Iterator[Pair]:
    """Of each question two pairs of opposite sides and two of the same side."""
    for row in records(data / CONFLICTQA_FILE):
        own, other = (_evidence(row, side) for side in ("parametric", "counter"))
        for left, right in zip(own, other, strict=True):
            if left and right:
                yield _pair(row, left, right, conflict=True, kind="opposite sides")
        for texts in (own, other):
            if all(texts):
                yield _pair(row, *texts, conflict=False, kind="the same side")


def _evidence(row: Record, side: str) -> tuple[str, str]:
    """Both texts of a side; "" where one is missing."""
    first, second = (str(row.get(f"{side}_memory{ending}") or "").strip() for ending in ("", "_aligned_evidence"))
    return first, second
