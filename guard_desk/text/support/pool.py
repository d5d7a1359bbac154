"""The passages as one index: which sentences share stems with a claim, which passages hold a value or a name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guard_desk.records.answer import EvidenceSpan
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.evidence import TextFacts, Value, ValueKind
from guard_desk.text.support.views import Unit, View, view

_MOST_ALIGNED = 24
_TITLE_WEIGHT = 0.35


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A sentence of the pool.

    :param passage: position of its passage; the question has the position -1.
    """

    passage: int
    view: View
    unit: Unit
    in_title: bool


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A value of the pool and the sentence that holds it."""

    value: Value
    place: Place


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sentence of the pool that shares words with a claim; `score` is the share of the claim's stems, 0..1."""

    place: Place
    score: float


class Pool:
    """All passages of one question, indexed once for one check.

    :param passages: in pool order.
    :param texts: facts of their texts, aligned.
    :param titles: facts of their titles, aligned; None without a title.
    """

    def __init__(self, passages: Sequence[Passage], texts: Sequence[TextFacts], titles: Sequence[TextFacts | None]) -> None:
        self.passages = tuple(passages)
        self.views = tuple(view(passage.text, facts) for passage, facts in zip(passages, texts, strict=True))
        self.titles = tuple(
            view(passage.title, facts) if passage.title and facts is not None else None
            for passage, facts in zip(passages, titles, strict=True)
        )
        self.places: list[Place] = list(self._all_places())
        self._postings: dict[str, list[int]] = defaultdict(list)
        self._held: dict[tuple[ValueKind, str], list[Held]] = defaultdict(list)
        self._by_number: dict[float, list[Held]] = defaultdict(list)
        self._aligned: dict[tuple[frozenset[str], int], tuple[Aligned, ...]] = {}
        self._around: dict[Unit, frozenset[str]] = {}
        for index, place in enumerate(self.places):
            self._add(index, place)

    def _all_places(self) -> Iterator[Place]:
        for position, (text, title) in enumerate(zip(self.views, self.titles, strict=True)):
            if title is not None:
                yield from (Place(position, title, unit, True) for unit in title.units)
            yield from (Place(position, text, unit, False) for unit in text.units)

    def _add(self, index: int, place: Place) -> None:
        for stem in place.unit.stems:
            self._postings[stem].append(index)
        for position in place.unit.values:
            held = Held(place.view.values[position], place)
            self._held[held.value.kind, held.value.canonical].append(held)
            if held.value.number is not None:
                self._by_number[held.value.number].append(held)

    def title_stems(self, passage: int) -> frozenset[str]:
        """Content stems of a passage's title."""
        title = self.titles[passage]
        return title.stems if title is not None else frozenset()

    def has_stem(self, stem: str) -> bool:
        """Whether any passage or title has a content word with this stem."""
        return stem in self._postings

    def equals(self, value: Value) -> tuple[Held, ...]:
        """Values of the pool with the same canonical form."""
        return tuple(self._held.get((value.kind, value.canonical), ()))

    def of_number(self, number: float) -> tuple[Held, ...]:
        """Values of the pool with the same magnitude in their canonical unit."""
        return tuple(self._by_number.get(number, ()))

    def aligned(self, stems: frozenset[str], most: int = _MOST_ALIGNED) -> tuple[Aligned, ...]:
        """Sentences that share stems with a claim, best first. A word of the title counts a little for every sentence of its passage."""
        key = (stems, most)
        if key not in self._aligned:
            self._aligned[key] = self._align(stems, most) if stems else ()
        return self._aligned[key]

    def _align(self, stems: frozenset[str], most: int) -> tuple[Aligned, ...]:
        shared: Counter[int] = Counter()
        for stem in stems:
            shared.update(self._postings.get(stem, ()))
        if not shared:
            return ()
        best = max(shared.values())
        close = [index for index, count in shared.items() if count >= 0.4 * best]
        scored = [(self._score(index, shared[index], stems), index) for index in close]
        scored.sort(key=lambda item: (-item[0], item[1]))
        return tuple(self._distinct(scored, most))

    def _distinct(self, scored: Sequence[tuple[float, int]], most: int) -> Iterator[Aligned]:
        """The best sentences, each wording of a passage once, so that repeated filler crowds nothing out."""
        seen: set[tuple[int, str]] = set()
        for score, index in scored:
            place = self.places[index]
            key = (place.passage, place.unit.span.of(place.view.text))
            if key not in seen:
                seen.add(key)
                yield Aligned(place, score)
            if len(seen) >= most:
                return

    def _score(self, index: int, count: int, stems: frozenset[str]) -> float:
        place = self.places[index]
        extra = 0 if place.in_title else len((self.title_stems(place.passage) & stems) - place.unit.stems)
        return (count + _TITLE_WEIGHT * extra) / len(stems)

    def around(self, place: Place) -> frozenset[str]:
        """Stems of the title and of the sentence before, which a reader still has in mind."""
        if place.unit not in self._around:
            stems = self.title_stems(place.passage) if place.passage >= 0 else frozenset()
            position = place.view.unit_at(place.unit.span)
            if position > 0 and not place.in_title:
                stems |= place.view.units[position - 1].bare
            self._around[place.unit] = stems
        return self._around[place.unit]

    def evidence(self, place: Place, span: Span | None = None) -> EvidenceSpan:
        """Words of a passage as evidence: a span of it, or the whole sentence."""
        chosen = span or place.unit.span
        return EvidenceSpan(
            passage_id=self.passages[place.passage].id,
            start=chosen.start,
            end=chosen.end,
            text=chosen.of(place.view.text),
            in_title=place.in_title,
        )
