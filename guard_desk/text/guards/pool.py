"""What the passages of one pool say compared with each other, once, and the tree of groups that follows."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import MergeVerdict, Refusal
from guard_desk.records.evidence import Extracted, Retrieved
from guard_desk.text.guards.linkage import Join, cut, joins
from guard_desk.text.guards.similarity import bigram_similarity, is_other_script, surface
from guard_desk.text.guards.verdict import Comparison, compare_texts, mirrored

# Pairs less similar than this are compared only when the floor goes lower still.
_FIRST_BOUND = 0.7
_CHECK_EVERY = 256


class Pairs:
    """The pairs of one pool: similarities, verdicts by content, and the groups for any floor.

    Merging follows complete linkage: two groups join at the similarity of their least similar pair, and only when every
    pair of theirs may merge. A floor cuts that tree, so a higher floor only ever splits groups.
    """

    def __init__(self, retrieved: Retrieved, extracted: Extracted) -> None:
        self.retrieved = retrieved
        self.extracted = extracted
        self.similarity = _similarities(retrieved)
        self._compared: dict[tuple[int, int], Comparison] = {}
        contents: dict[Passage, int] = {}
        self._content = [contents.setdefault(replace(passage, id="", source=None), len(contents)) for passage in retrieved.passages]
        self._by_content: dict[tuple[int, int], Comparison] = {}
        self._bound = 2.0
        self._joins: list[Join] = []
        self._refusals: list[tuple[int, int, Refusal]] = []
        self._heights: list[float] = []
        self._order = sorted(range(len(retrieved.passages)), key=lambda place: retrieved.passages[place].id)

    def compare(self, floor: float, ctx: RunContext) -> None:
        """Compare all pairs that a floor of at least `floor` can merge; nothing when that is done already.

        :raises Cancelled: between pairs; what is compared is kept.
        """
        if floor >= self._bound:
            return
        bound = min(floor, _FIRST_BOUND)
        for count, (i, j) in enumerate(self.near(bound)):
            if count % _CHECK_EVERY == 0:
                ctx.check()
            self._comparison(i, j)
        self._joins = list(self._linkage(bound))
        self._refusals = sorted(
            (self._refusal(i, j) for i, j in self.near(bound)),
            key=lambda pair: (-self.similarity[pair[0], pair[1]], pair[2].left_id, pair[2].right_id),
        )
        self._heights = [-float(self.similarity[i, j]) for i, j, _ in self._refusals]
        self._bound = bound

    def near(self, floor: float) -> list[tuple[int, int]]:
        """Pairs of positions at least that similar, the first smaller than the second."""
        firsts, seconds = np.nonzero(np.triu(self.similarity >= floor, 1))
        return list(zip(firsts.tolist(), seconds.tolist(), strict=True))

    def apart(self, floor: float) -> list[tuple[int, int, Refusal]]:
        """Pairs at least that similar with what is said when they are kept apart, the most similar first."""
        end = bisect.bisect_right(self._heights, -floor)
        return self._refusals[:end]

    def _refusal(self, i: int, j: int) -> tuple[int, int, Refusal]:
        """A pair that could merge alone, but not with all of the other's group, is refused without a guard."""
        first, second = (i, j) if self.retrieved.passages[i].id < self.retrieved.passages[j].id else (j, i)
        similarity = float(self.similarity[i, j])
        verdict = self._compared[i, j].verdict
        if verdict.merge:
            verdict = MergeVerdict(merge=False, similarity=similarity)
        else:
            verdict = replace(verdict if first == i else mirrored(verdict), similarity=similarity)
        ids = self.retrieved.passages[first].id, self.retrieved.passages[second].id
        return i, j, Refusal(left_id=ids[0], right_id=ids[1], verdict=verdict)

    def groups(self, floor: float) -> list[list[int]]:
        """The groups under a floor, as positions; every passage is in exactly one."""
        return cut(len(self.retrieved.passages), self._joins, floor)

    def _comparison(self, i: int, j: int) -> Comparison:
        found = self._compared.get((i, j))
        if found is None:
            key = self._content[i], self._content[j]
            found = self._by_content.get(key)
            if found is None:
                texts = self.extracted.texts
                found = compare_texts(self.retrieved.passages[i], self.retrieved.passages[j], texts[i], texts[j])
                self._by_content[key] = found
            self._compared[i, j] = found
        return found

    def _linkage(self, bound: float) -> Iterator[Join]:
        allowed = {pair: float(self.similarity[pair]) for pair in self.near(bound) if self._compared[pair].verdict.merge}
        return joins(allowed, self._order)


def _similarities(retrieved: Retrieved) -> npt.NDArray[np.float64]:
    """Pair similarities: the encoder's cosine; between texts in other than Latin script also the overlap of character
    pairs, where it is higher, since the embedded encoder is an English model; 1 for texts that differ in layout and case alone."""
    cosine = np.asarray(retrieved.pair_similarity, dtype=np.float64)
    similarity = np.minimum(np.maximum(cosine, cosine.T), 1.0).round(6).astype(np.float64)
    texts = [passage.text for passage in retrieved.passages]
    other = [place for place, text in enumerate(texts) if is_other_script(text)]
    for place, i in enumerate(other):
        for j in other[place + 1 :]:
            overlap = bigram_similarity(texts[i], texts[j])
            similarity[i, j] = similarity[j, i] = max(float(similarity[i, j]), overlap)
    equal: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        equal[surface(text)].append(place)
    for places in equal.values():
        if len(places) > 1:
            # What is near one of them is as near to the others, whose words are the same.
            nearest = similarity[places].max(axis=0)
            similarity[places] = nearest
            similarity[:, places] = nearest[:, None]
            similarity[np.ix_(places, places)] = 1.0
    return similarity
