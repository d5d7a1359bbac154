"""The parts of the passages that come nearest to a claim: what a claim judge is shown beside it.

A part is the sentence that shares most words with the claim, with the sentences around it for as long as they fit. It is found from the
sentence and not from its place in the passage, so that what else the passage holds changes little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.support.pool import Aligned, Place, Pool
from guard_desk.text.support.views import Unit

# The length that the shipped judge was trained with; a part and its claim then fill one row of it.
LONGEST = 380


@dataclass(frozen=True, slots=True)
class ClaimWindow:
    """A part of a passage.

    :param place: the sentence that it was found by.
    :param span: in the text of the passage, or in its title for a place in the title.
    :param text: the title, where there is one, and the words of the span.
    """

    place: Place
    span: Span
    text: str


def nearest_windows(
    pool: Pool, stems: frozenset[str], aligned: Sequence[Aligned], most: int, *, least: float = 0.0
) -> tuple[ClaimWindow, ...]:
    """At most `most` parts, the nearest first; none of them holds the sentence that another one was found by.

    :param stems: content stems of the claim.
    :param aligned: sentences that share words with it, the best first.
    :param least: sentences that share less of the claim than this are left out, but for the nearest of all.
    """
    found: list[ClaimWindow] = []
    for place, core, shared in _cores(stems, aligned):
        if found and shared < least:
            break
        if any(other.place.view is place.view and other.span.start <= core.start and core.end <= other.span.end for other in found):
            continue
        span = _grown(place, core)
        found.append(ClaimWindow(place, span, _shown(pool, place, span)))
        if len(found) == most:
            break
    return tuple(found)


def _cores(stems: frozenset[str], aligned: Sequence[Aligned]) -> Iterator[tuple[Place, Span, float]]:
    """Sentences by the share of the claim's words that they have; a long one in pieces, each counted for itself."""
    scored: list[tuple[float, int, Place, Span]] = []
    for item in aligned:
        place = item.place
        if place.unit.span.end - place.unit.span.start <= LONGEST:
            scored.append((-item.score, len(scored), place, place.unit.span))
            continue
        for span, held in _pieces(place.unit):
            scored.append((-len(held & stems) / max(1, len(stems)), len(scored), place, span))
    for shared, _, place, span in sorted(scored, key=lambda item: item[:2]):
        yield place, span, -shared


def _pieces(unit: Unit) -> Iterator[tuple[Span, frozenset[str]]]:
    """Overlapping pieces of a long sentence that begin at content words, each with its stems."""
    starts = [place for _, place in unit.order]
    begin, first = unit.span.start, 0
    while True:
        end = min(unit.span.end, begin + LONGEST)
        held = frozenset(stem for stem, place in unit.order[first:] if begin <= place < end)
        yield Span(begin, end), held
        following = next((index for index in range(first, len(starts)) if starts[index] >= begin + LONGEST // 2), len(starts))
        if end == unit.span.end or following == len(starts):
            return
        begin, first = starts[following], following


def _grown(place: Place, core: Span) -> Span:
    """The piece with the sentences behind and before it, in turn, while all of them fit."""
    if core != place.unit.span:
        return core
    units = place.view.units
    first = last = place.view.unit_at(place.unit.span)
    grows = True
    while grows:
        grows = False
        if last + 1 < len(units) and units[last + 1].span.end - units[first].span.start <= LONGEST:
            last, grows = last + 1, True
        if first > 0 and units[last].span.end - units[first - 1].span.start <= LONGEST:
            first, grows = first - 1, True
    return Span(units[first].span.start, units[last].span.end)


def _shown(pool: Pool, place: Place, span: Span) -> str:
    text = " ".join(span.of(place.view.text).split())
    passage = pool.passages[place.passage]
    if place.in_title:
        return f"{text}. {' '.join(passage.text[:LONGEST].split())}"
    return f"{' '.join(passage.title.split())}. {text}" if passage.title else text
