"""The passages as table rows: a pool or a whole corpus, with whatever a run has given so far. Columns, not objects.

100,000 passages must open, sort and filter at once, so a row is made only when it is looked at, keys to sort by are numpy
columns made once, and the words to search in are folded piece by piece.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt

from guard_desk.measure.compare import right_route
from guard_desk.measure.doubts import is_uncertain
from guard_desk.measure.ladder import ORDER, place_codes
from guard_desk.policy import Thresholds
from guard_desk.records.corpus import Labels, Passage
from guard_desk.records.decision import Place, Placement, Route
from guard_desk.records.evidence import Hit, Indices, Judgement, Retrieved
from guard_desk.records.trace import Trace

Floats64 = npt.NDArray[np.float64]
SLICE_ROWS = 512
"""Rows searched between two looks at the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRow:
    """One passage and all that is known about it.

    :param hit: None outside the pool.
    :param placement: None outside the pool and before the run has decided.
    :param judgement: None outside the pool and while it waits for the judge.
    :param folded: members of its group that stand under it (0 for all others).
    :param member: whether it stands under its group's representative.
    """

    passage: Passage
    hit: Hit | None = None
    placement: Placement | None = None
    judgement: Judgement | None = None
    labels: Labels | None = None
    thresholds: Thresholds | None = None
    folded: int = 0
    member: bool = False


class PassageTexts:
    """What follows from the passages alone, made once: positions, keys to sort by, folded words to search in."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self._keys: dict[str, Floats64] = {}
        self._folded: list[str | None] = [None] * len(passages)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Position of a passage by its id."""
        return {passage.id: at for at, passage in enumerate(self.passages)}

    def keys(self, name: str, text: Callable[[Passage], str | None]) -> Floats64:
        """Places in alphabetical order, folded; equal texts share one, NaN where there is none."""
        if name not in self._keys:
            self._keys[name] = _text_keys([text(passage) for passage in self.passages])
        return self._keys[name]

    def words(self, at: int) -> str:
        """Folded id, title, text and source of a passage."""
        folded = self._folded[at]
        if folded is None:
            passage = self.passages[at]
            folded = "\n".join((passage.id, passage.title or "", passage.source or "", passage.text)).casefold()
            self._folded[at] = folded
        return folded


def _text_keys(texts: Sequence[str | None]) -> Floats64:
    folded = [text.casefold() if text else "" for text in texts]
    order = sorted(range(len(folded)), key=folded.__getitem__)
    ranked = [folded[at] for at in order]
    keys = np.empty(len(folded), dtype=np.float64)
    keys[order] = np.cumsum([0, *(left != right for left, right in pairwise(ranked))][: len(order)])
    keys[[not text for text in folded]] = np.nan
    return keys


class PassageRows(Sequence[PassageRow]):
    """Rows over passages.

    :param texts: of the passages shown, in their own order.
    :param retrieved: the pool; None before a run.
    :param places: in pool order; None before the run has decided.
    :param judgements: by passage id.
    :param labels: by passage id.
    :param thresholds: in force.
    """

    def __init__(
        self,
        texts: PassageTexts,
        *,
        retrieved: Retrieved | None = None,
        places: Sequence[Placement] | None = None,
        judgements: Sequence[Judgement] = (),
        labels: Mapping[str, Labels] | None = None,
        thresholds: Thresholds | None = None,
    ) -> None:
        self.texts = texts
        self.retrieved = retrieved
        self.places = places
        self.labels = labels or {}
        self.thresholds = thresholds
        self._judgements = judgements
        self._latest: tuple[int, PassageRow] | None = None

    def differs(self, other: PassageRows, at: int) -> bool:
        """Whether another state of the same passages shows something else in a row, thresholds aside."""
        one, two = self._row(at), other._row(at)
        return any(
            getattr(one, name) is not getattr(two, name) and getattr(one, name) != getattr(two, name)
            for name in ("placement", "judgement", "labels", "hit", "folded", "member")
        )

    def __len__(self) -> int:
        return len(self.texts.passages)

    @overload
    def __getitem__(self, at: int) -> PassageRow: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[PassageRow]: ...

    def __getitem__(self, at: int | slice) -> PassageRow | Sequence[PassageRow]:
        if isinstance(at, slice):
            return [self[position] for position in range(*at.indices(len(self)))]
        if self._latest is None or self._latest[0] != at:
            # A table asks for each cell of a row in turn.
            self._latest = (at, self._row(at))
        return self._latest[1]

    def _row(self, at: int) -> PassageRow:
        passage, pool = self.texts.passages[at], int(self.pool_at[at])
        labels = self.labels.get(passage.id)
        if pool < 0 or self.retrieved is None:
            return PassageRow(passage=passage, labels=labels)
        return PassageRow(
            passage=passage,
            hit=self.retrieved.hits[pool],
            placement=self.places[pool] if self.places is not None else None,
            judgement=self.by_id.get(passage.id),
            labels=labels,
            thresholds=self.thresholds,
            folded=int(self._group_sizes[at]),
            member=bool(self.heads[at] != at),
        )

    def position(self, passage_id: str) -> int | None:
        """The position of a passage; None when it is not among the rows."""
        return self.texts.positions.get(passage_id)

    # Columns

    @cached_property
    def by_id(self) -> Mapping[str, Judgement]:
        """Judgements by passage id."""
        return {judgement.passage_id: judgement for judgement in self._judgements}

    @cached_property
    def pool_at(self) -> Indices:
        """int64 (n,): position in the pool; -1 outside."""
        if self.retrieved is None:
            return np.full(len(self), -1, dtype=np.int64)
        if self.texts.passages is self.retrieved.passages:
            return np.arange(len(self))
        found = np.full(len(self), -1, dtype=np.int64)
        for pool, hit in enumerate(self.retrieved.hits):
            at = self.texts.positions.get(hit.passage_id)
            if at is not None:
                found[at] = pool
        return found

    def spread(self, values: Floats64) -> Floats64:
        """A column over the pool as one over the rows; NaN outside the pool."""
        return np.append(values, np.nan)[self.pool_at]

    @cached_property
    def ranks(self) -> Floats64:
        """Rank; NaN outside the pool."""
        return self.spread(np.array([hit.rank for hit in self.retrieved.hits], dtype=np.float64)) if self.retrieved else self.nothing

    @property
    def nothing(self) -> Floats64:
        """A column without values."""
        return np.full(len(self), np.nan)

    @cached_property
    def similarities(self) -> Floats64:
        """Similarity; NaN outside the pool."""
        hits = self.retrieved.hits if self.retrieved else ()
        return self.spread(np.array([hit.similarity for hit in hits], dtype=np.float64)) if hits else self.nothing

    def answers(self, name: str) -> Floats64:
        """One of the four answers; NaN where there is none."""
        if self.retrieved is None:
            return self.nothing
        found = [self.by_id.get(hit.passage_id) for hit in self.retrieved.hits]
        values = [getattr(j.answers, name) if j is not None and j.answers is not None else np.nan for j in found]
        return self.spread(np.array(values, dtype=np.float64))

    @cached_property
    def place_codes(self) -> Floats64:
        """Position of the place in `measure.ladder.ORDER`; NaN where there is none."""
        if self.places is None:
            return self.nothing
        return self.spread(place_codes(self.places).astype(np.float64))

    @property
    def tokens(self) -> Floats64:
        """Tokens of the block; NaN where they were not counted."""
        if self.places is None:
            return self.nothing
        return self.spread(np.array([placement.tokens or np.nan for placement in self.places], dtype=np.float64))

    def label_keys(self) -> Floats64:
        """By what the label says; NaN where nothing."""
        keys = self.nothing
        words = {i: word for i, labels in self.labels.items() if (word := label_word(labels))}
        codes = {word: code for code, word in enumerate(sorted(set(words.values())))}
        for passage_id, word in words.items():
            at = self.position(passage_id)
            if at is not None:
                keys[at] = codes[word]
        return keys

    # Groups

    @cached_property
    def heads(self) -> Indices:
        """int64 (n,): the row of the group's representative for merged members; else the row itself."""
        heads = np.arange(len(self))
        if self.places is None:
            return heads
        for placement in self.places:
            if placement.place is Place.MERGED:
                member, head = self.position(placement.passage_id), self.position(placement.into)
                if member is not None and head is not None:
                    heads[member] = head
        return heads

    @cached_property
    def _group_sizes(self) -> Indices:
        sizes = np.bincount(self.heads, minlength=len(self)) - 1
        return np.where(self.heads == np.arange(len(self)), sizes, 0)

    @cached_property
    def own_order(self) -> Indices:
        """By rank, members right under their representative; what is outside the pool follows in file order."""
        place = np.nan_to_num(self.ranks, nan=np.inf)
        member = self.heads != np.arange(len(self))
        order: Indices = np.lexsort((place, member, place[self.heads]))
        return order

    def place_names(self) -> Mapping[str, int]:
        """How many rows have each place, in the order of the ladder; "" counts those without one."""
        codes = self.place_codes
        found = {name: int((codes == code).sum()) for code, name in enumerate(ORDER)}
        found[""] = int(np.isnan(codes).sum())
        return {name: count for name, count in found.items() if count}

    def uncertain(self) -> npt.NDArray[np.bool_]:
        """Which rows have an uncertain answer."""
        return np.array([is_uncertain(self.by_id.get(passage.id)) for passage in self.texts.passages], dtype=np.bool_)

    def in_places(self, names: frozenset[str]) -> npt.NDArray[np.bool_]:
        """Which rows have one of these places."""
        wanted = [code for code, name in enumerate(ORDER) if name in names]
        mask: npt.NDArray[np.bool_] = np.isin(self.place_codes, wanted)
        return mask | np.isnan(self.place_codes) if "" in names else mask


def pool_rows(trace: Trace, texts: PassageTexts, labels: Mapping[str, Labels]) -> PassageRows:
    """Rows of a finished run.

    :param texts: of the pool, or of the whole corpus.
    """
    return PassageRows(
        texts,
        retrieved=trace.retrieved,
        places=trace.prompt.places,
        judgements=trace.judged.judgements,
        labels=labels,
        thresholds=trace.routed.thresholds,
    )


def label_word(labels: Labels | None) -> str:
    """What a person said of a passage, in a word; "" when nothing."""
    if labels is None:
        return ""
    if labels.injection:
        return "injection"
    if labels.contradicts:
        return "denies premise"
    if labels.evidence:
        return "evidence"
    if labels.relevant is False:
        return "off topic"
    if labels.evidence is False:
        return "no evidence"
    return "on topic" if labels.relevant else ("" if labels.grade is None else f"grade {labels.grade:g}")


_ROUTES = {Place.EVIDENCE: Route.INCLUDE, Place.CONFLICT: Route.CONFLICT, Place.EXCLUDED: Route.EXCLUDE}


def label_agrees(row: PassageRow) -> bool | None:
    """Whether the place is the one that the label asks for; None where that cannot be told."""
    right = right_route(row.labels) if row.labels is not None else None
    if right is None or row.placement is None or row.placement.place not in _ROUTES:
        return None
    return _ROUTES[row.placement.place] is right


class WordSearch:
    """Finds the rows that hold every word, in slices, so that nothing has to wait for it.

    :param text: plain words; each must occur, whatever its case.
    """

    def __init__(self, texts: PassageTexts, text: str) -> None:
        self._texts = texts
        self._words = text.casefold().split()
        self._at = 0
        self.mask = np.zeros(len(texts.passages), dtype=np.bool_)

    def advance(self, seconds: float) -> bool:
        """Search on for about so long. :returns: whether all rows are done."""
        until = time.perf_counter() + seconds
        count = len(self.mask)
        while self._at < count:
            end = min(count, self._at + SLICE_ROWS)
            for at in range(self._at, end):
                words = self._texts.words(at)
                self.mask[at] = all(word in words for word in self._words)
            self._at = end
            if time.perf_counter() > until:
                break
        return self._at >= count
