"""How long grouping takes when the vectors are there: ours, which reads the texts of near pairs too, and semhash's on the same vectors.

Rounds alternate; the first one, in which language data and libraries are loaded, is not counted. Before each round everything that is
remembered of a text is forgotten. The medians of wall time and of processor time are given, and the ratio in one run; on a busy machine
the processor time says more. Numpy is limited by OMP_NUM_THREADS, semhash's index takes every core.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from guard_desk.measure.dedup_bench_corpora import PARAGRAPHS, SHARES, Corpus, corpus
from guard_desk.measure.dedup_bench_figures import threshold_at
from guard_desk.measure.dedup_bench_peer import Homes, SemHashGroups, semhash_version
from guard_desk.measure.metrics import proportion
from guard_desk.measure.tables import Chart, ChartKind, Point, Row, Series, Table
from guard_desk.models.passage_vectors import PassageVectors
from guard_desk.policy import DedupPolicy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.text.guards import group_texts

_ROUNDS = 5
# Memories of single words and of the language data are larger, or have no limit; those of whole texts hold at most so many.
_TEXTS_KEPT = 8192
_CHANGED = "changed"

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of one tool on one corpus, medians over the rounds."""

    wall_s: float
    processor_s: float


def speed_table(vectors: PassageVectors, data: Path, sizes: Sequence[int], ctx: RunContext) -> Table:
    """Time and quality on corpora of real paragraphs of which a sixth repeats another."""
    rows: list[Row] = []
    timed: list[tuple[int, Timed, Timed | None]] = []
    for size in sizes:
        texts = corpus(data, size)
        if texts is None:
            rows.append(Row(name=f"{size:,} texts: not measured", figure=float("nan"), note=f"too few paragraphs in {PARAGRAPHS}"))
            continue
        given = vectors.passages([Passage(id="text", text=text) for text in texts.texts], ctx)
        found, ours, theirs = _one(texts, given, ctx)
        rows += [*found, *_time_rows(size, ours, theirs)]
        timed.append((size, ours, theirs))
    return Table(suite="dedup speed", rows=tuple(rows), charts=tuple(_charts(timed)))


def _one(texts: Corpus, vectors: Floats, ctx: RunContext) -> tuple[list[Row], Timed, Timed | None]:
    passages = [Passage(id=f"t{number:06d}", text=text) for number, text in enumerate(texts.texts)]
    floor = DedupPolicy().similarity_floor
    homes = _homes(group_texts(passages, vectors, floor, ctx).groups, len(passages))
    rows = list(_quality("", texts, homes))
    work: list[Callable[[], object]] = [lambda: group_texts(passages, vectors, floor, ctx)]
    if semhash_version():
        threshold = _threshold(texts, vectors, homes)
        rows += _quality(f"semhash at {threshold:.4f}", texts, SemHashGroups(texts.texts, vectors).homes(threshold))
        work.append(lambda: SemHashGroups(texts.texts, vectors).homes(threshold))
    found = _timed(work)
    return rows, found[0], found[1] if len(found) > 1 else None


def _homes(groups: Sequence[Sequence[int]], size: int) -> Homes:
    homes = np.arange(size)
    for group in groups:
        homes[list(group)] = group[0]
    return homes


def _threshold(texts: Corpus, vectors: Floats, ours: Homes) -> float:
    """The threshold at which cosine alone merges as many of the repeated texts as we do."""
    ends = np.array([(a, b) for a, b, _ in texts.twins])
    same = np.array([form != _CHANGED for _, _, form in texts.twins])
    cosine = np.einsum("ij,ij->i", vectors[ends[:, 0]], vectors[ends[:, 1]]).astype(np.float64)
    merged = ours[ends[:, 0]] == ours[ends[:, 1]]
    return min(threshold_at(cosine, same, float(merged[same].mean())), 1.0)


def _quality(who: str, texts: Corpus, homes: Homes) -> Iterator[Row]:
    for form, _ in SHARES:
        merged = [bool(homes[a] == homes[b]) for a, b, kind in texts.twins if kind == form]
        what = "false merges, one fact changed" if form == _CHANGED else f"true merges, {form}"
        name = f"{len(texts.texts):,} texts: {what}" + (f", {who}" if who else "")
        yield Row(name=name, figure=proportion(sum(merged), len(merged)), note="made by rule")


def _timed(work: Sequence[Callable[[], object]]) -> list[Timed]:
    seconds: list[list[tuple[float, float]]] = [[] for _ in work]
    gc.collect()
    gc.freeze()  # what the suite holds so far is no work of either tool
    for _ in range(_ROUNDS + 1):
        for number, task in enumerate(work):
            forget_texts()
            wall, processor = time.perf_counter(), time.process_time()
            task()
            seconds[number].append((time.perf_counter() - wall, time.process_time() - processor))
    gc.unfreeze()
    return [
        Timed(statistics.median(wall for wall, _ in found[1:]), statistics.median(spent for _, spent in found[1:])) for found in seconds
    ]


def forget_texts() -> None:
    """Empty the memories of whole texts in the rules, so that a round reads them anew."""
    for name, module in list(sys.modules.items()):
        if name.startswith("guard_desk.text"):
            for found in vars(module).values():
                parameters = getattr(found, "cache_parameters", None)
                limit = parameters()["maxsize"] if parameters is not None else None
                if limit is not None and limit <= _TEXTS_KEPT:
                    found.cache_clear()


def _time_rows(size: int, ours: Timed, theirs: Timed | None) -> Iterator[Row]:
    note = f"median of {_ROUNDS} rounds, vectors given; reads the texts of near pairs"
    yield Row(name=f"{size:,} texts: wall time", figure=ours.wall_s, unit="s", note=note)
    yield Row(name=f"{size:,} texts: processor time", figure=ours.processor_s, unit="s")
    if theirs is None:
        yield Row(
            name=f"{size:,} texts: time of semhash", figure=float("nan"), note="semhash is not installed (pip install guard-desk[test])"
        )
        return
    yield Row(name=f"{size:,} texts: wall time of semhash", figure=theirs.wall_s, unit="s", note=f"{semhash_version()}, same vectors")
    yield Row(name=f"{size:,} texts: processor time of semhash", figure=theirs.processor_s, unit="s")
    yield Row(name=f"{size:,} texts: wall time / semhash's", figure=ours.wall_s / theirs.wall_s, unit="x", note="aim: at most 1")
    ratio = ours.processor_s / max(theirs.processor_s, 1e-9)
    yield Row(name=f"{size:,} texts: processor time / semhash's", figure=ratio, unit="x", note="aim: at most 1")


def _charts(timed: Sequence[tuple[int, Timed, Timed | None]]) -> Iterator[Chart]:
    for what, title in (("wall_s", "wall time"), ("processor_s", "processor time")):
        series = [Series(name="Guard Desk", points=tuple(Point.of(f"{size:,} texts", getattr(ours, what)) for size, ours, _ in timed))]
        if timed and all(theirs is not None for _, _, theirs in timed):
            points = tuple(Point.of(f"{size:,} texts", getattr(theirs, what)) for size, _, theirs in timed)
            series.append(Series(name="semhash", points=points))
        if timed:
            note = "Grouping when the vectors are there; lower is better."
            yield Chart(title=f"De-duplication: {title}", kind=ChartKind.BARS, series=tuple(series), unit="s", note=note)


__all__ = ["Timed", "forget_texts", "speed_table"]
