"""The suite `dedup`: pairs that must stay apart and pairs that may merge, against plain cosine and semhash on the same vectors.

Cosine and semhash get the threshold that merges the same share of the pairs that say the same; what counts is how many of the others they
merge with them. Nothing is fitted on these sets; pairs made by rule say so in their name. Time is measured by `dedup_bench_speed`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from guard_desk import resources
from guard_desk.errors import InputError
from guard_desk.measure.dedup_bench_figures import (
    Bools,
    Curve,
    Scores,
    at_recall,
    counted,
    curve,
    rates,
    threshold_at,
    threshold_below,
    times_fewer,
)
from guard_desk.measure.dedup_bench_peer import SemHashGroups, semhash_version
from guard_desk.measure.dedup_bench_sets import LabelledPair, pair_sets, read_set
from guard_desk.measure.dedup_bench_speed import speed_table
from guard_desk.measure.metrics import Figure
from guard_desk.measure.tables import Chart, ChartKind, Point, Row, Series, Table
from guard_desk.models.passage_vectors import PassageVectors
from guard_desk.models.registry import load_encoder
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import MergeVerdict
from guard_desk.records.evidence import Floats, Indices
from guard_desk.records.state import Models
from guard_desk.store.vectors import VectorStore
from guard_desk.text.guards import bigram_similarity, merge_verdict
from guard_desk.text.guards.similarity import is_other_script

ALL = "all sets"
_CHECK_EVERY = 64
_SHOWN = 12
_QUOTED = 220


@dataclass(frozen=True, slots=True)
class Measured:
    """The pairs of a set with what was said of them.

    :param cosine: of each pair; `verdicts`: ours at the default floor.
    :param semhash: false and true merges at several thresholds, strictest first; None where semhash is not installed.
    """

    name: str
    pairs: tuple[LabelledPair, ...]
    cosine: Scores
    verdicts: tuple[MergeVerdict, ...]
    semhash: Curve | None

    @property
    def same(self) -> Bools:
        """Which pairs say the same."""
        return np.array([pair.same for pair in self.pairs], dtype=bool)

    @property
    def merged(self) -> Bools:
        """Which pairs we merge."""
        return np.array([verdict.merge for verdict in self.verdicts], dtype=bool)


def dedup_bench(models: Models, data: Path | None, n: int | None, ctx: RunContext) -> Table:
    """Measure.

    :param data: folder of the sets; those that are missing are named and left out.
    :param n: most pairs of a set, and no corpus of more than 1,000 texts; None = all, and 10,000 texts.
    :raises InputError: when none of the sets is there.
    :raises Cancelled: between pairs and batches.
    """
    here = [source for source in pair_sets() if data is not None and all((data / file).is_file() for file in source.files[:1])]
    if data is None or not here:
        raise InputError("none of the sets that de-duplication is measured on is here.", path=data, remedy="Give the folder with --data.")
    vectors = PassageVectors(load_encoder(models.encoder, models.device), VectorStore(resources.home() / "vectors"))
    found = [_measured(source.name, read_set(source, data, n), vectors, ctx) for source in here]
    if len(found) > 1:
        found.append(_together(found, vectors, ctx))
    rows = [row for part in found for row in _rows(part)]
    names = {source.name for source in here}
    missing = [source.name for source in pair_sets() if source.name not in names]
    rows += [Row(name=f"{name}: not measured", figure=float("nan"), note="its file is missing") for name in missing]
    timed = speed_table(vectors, data, (1_000,) if n is not None else (1_000, 10_000), ctx)
    details = [pair for part in found if part.name != ALL for pair in _details(part)]
    return Table(
        suite="dedup",
        rows=(*rows, *timed.rows),
        details=(*details, *timed.details),
        charts=(*(_chart(part) for part in found if _has_both(part)), *timed.charts),
    )


def _measured(name: str, pairs: Sequence[LabelledPair], vectors: PassageVectors, ctx: RunContext) -> Measured:
    texts, rows, ends = _vectors(pairs, vectors, ctx)
    cosine = np.einsum("ij,ij->i", rows[ends[:, 0]], rows[ends[:, 1]]).astype(np.float64)
    verdicts = tuple(_verdict(pair, score) for pair, score in ctx.track(list(zip(pairs, cosine.tolist(), strict=True)), name, unit="pairs"))
    merged = np.array([verdict.merge for verdict in verdicts], dtype=bool)
    return Measured(name, tuple(pairs), cosine, verdicts, _semhash_curve(pairs, texts, rows, ends, _thresholds(pairs, cosine, merged, 60)))


def _thresholds(pairs: Sequence[LabelledPair], cosine: Scores, merged: Bools, points: int) -> Scores:
    """Thresholds over the range of a similarity, more of them where it merges about as many true pairs as we do."""
    same = np.array([pair.same for pair in pairs], dtype=bool)
    ours = float(merged[same].mean()) if same.any() else 0.0
    close = [threshold_at(cosine, same, ours * part) for part in (0.96, 0.98, 1.0, 1.01, 1.02, 1.03, 1.05, 1.07, 1.1) if ours * part < 1]
    return np.unique(np.clip([*np.quantile(cosine, np.linspace(0, 1, points)), *close], 0.3, 1.0))


def _vectors(pairs: Sequence[LabelledPair], vectors: PassageVectors, ctx: RunContext) -> tuple[list[str], Floats, Indices]:
    """The texts of pairs, each once, their vectors, and for each pair the positions of its two texts."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.a, pair.b)))
    place = {text: number for number, text in enumerate(texts)}
    rows = vectors.passages([Passage(id="text", text=text) for text in texts], ctx)
    return texts, rows, np.array([(place[pair.a], place[pair.b]) for pair in pairs], dtype=np.int64)


def _verdict(pair: LabelledPair, cosine: float) -> MergeVerdict:
    """Ours, with the similarity that a pool gives the pair."""
    other = is_other_script(pair.a) and is_other_script(pair.b)
    similarity = max(cosine, bigram_similarity(pair.a, pair.b)) if other else cosine
    return merge_verdict(pair.a, pair.b, similarity=round(min(similarity, 1.0), 6))


def _semhash_curve(pairs: Sequence[LabelledPair], texts: Sequence[str], rows: Floats, ends: Indices, thresholds: Scores) -> Curve | None:
    """Pairs that stand in one group when all these texts are one corpus; None where semhash is not installed."""
    if not semhash_version():
        return None
    same = np.array([pair.same for pair in pairs], dtype=bool)
    true, false = [], []
    for homes in SemHashGroups(texts, rows).all_homes([float(threshold) for threshold in thresholds]):
        merged = homes[ends[:, 0]] == homes[ends[:, 1]]
        true.append(float(merged[same].mean()) if same.any() else float("nan"))
        false.append(float(merged[~same].mean()) if not same.all() else float("nan"))
    order = slice(None, None, -1)
    return Curve(tuple(map(float, thresholds[order])), tuple(true[order]), tuple(false[order]))


def _together(found: Sequence[Measured], vectors: PassageVectors, ctx: RunContext) -> Measured:
    """All sets as one, so that one threshold serves all of them."""
    pairs = tuple(pair for part in found for pair in part.pairs)
    cosine = np.concatenate([part.cosine for part in found])
    verdicts = tuple(verdict for part in found for verdict in part.verdicts)
    merged = np.array([verdict.merge for verdict in verdicts], dtype=bool)
    peer = _semhash_curve(pairs, *_vectors(pairs, vectors, ctx), _thresholds(pairs, cosine, merged, 20))
    return Measured(ALL, pairs, cosine, verdicts, peer)


def _has_both(part: Measured) -> bool:
    return bool(part.same.any() and not part.same.all())


def _rows(part: Measured) -> Iterator[Row]:
    same, merged = part.same, part.merged
    ours = rates(merged, same)
    if not same.all():
        yield Row(name=f"{part.name}: false merges", figure=ours.false, note="pairs that differ; merging everything: 1")
    yield Row(name=f"{part.name}: true merges", figure=ours.true, note="pairs that say the same; refusing everything: 0")
    if _has_both(part):
        yield from _beside_cosine(part, ours.true, ours.false)
        yield from _beside_semhash(part, ours.true, ours.false)
    yield from _by_kind(part)


def _beside_cosine(part: Measured, true: Figure, false: Figure) -> Iterator[Row]:
    name, same = part.name, part.same
    threshold = threshold_at(part.cosine, same, true.value)
    at_recall = rates(part.cosine >= threshold, same)
    yield Row(
        name=f"{name}: false merges of cosine", figure=at_recall.false, note=f"at {threshold:.4f}, true merges {at_recall.true.value:.3f}"
    )
    below = threshold_below(part.cosine, same, false.value)
    yield Row(name=f"{name}: true merges of cosine", figure=rates(part.cosine >= below, same).true, note="at our share of false merges")
    yield Row(
        name=f"{name}: cosine's false merges / ours",
        figure=times_fewer(part.merged, part.cosine, same),
        unit="x",
        note="at our share of true merges; aim 10; none of ours counts as half a pair",
    )


def _beside_semhash(part: Measured, true: Figure, false: Figure) -> Iterator[Row]:
    name = f"{part.name}: false merges of semhash"
    if part.semhash is None:
        yield Row(name=name, figure=float("nan"), note="semhash is not installed (pip install guard-desk[test])")
        return
    place = at_recall(part.semhash, true.value)
    if place is None:
        yield Row(name=name, figure=float("nan"), note=f"no threshold down to {part.semhash.thresholds[-1]:.2f} reaches our true merges")
        return
    found = part.semhash.false[place]
    at = f"at {part.semhash.thresholds[place]:.4f}, true merges {part.semhash.true[place]:.3f}"
    note = f"{semhash_version()}, {at}; all texts as one corpus"
    yield Row(name=name, figure=found, note=note)
    least = max(false.value, 0.5 / max(1, int((~part.same).sum())))
    yield Row(
        name=f"{part.name}: semhash's false merges / ours", figure=found / least, unit="x", note="at our share of true merges; aim 10"
    )


def _by_kind(part: Measured) -> Iterator[Row]:
    if part.name == ALL:
        return
    for kind in dict.fromkeys(pair.kind for pair in part.pairs if pair.made):
        chosen = np.array([pair.kind == kind for pair in part.pairs], dtype=bool)
        figure = rates(part.merged[chosen], part.same[chosen]).true
        yield Row(name=f"{part.name}: true merges, {kind}", figure=figure, note="made by rule")


def _details(part: Measured) -> Iterator[tuple[str, str]]:
    refused = [(pair, verdict) for pair, verdict in zip(part.pairs, part.verdicts, strict=True) if not verdict.merge]
    for same, what in ((False, "kept apart, rightly, by"), (True, "kept apart, though the same, by")):
        names = [str(verdict.guard or "floor of similarity") for pair, verdict in refused if pair.same is same]
        if names:
            yield f"{part.name}: {what}", counted(names)
    wrong = [pair for pair, verdict in zip(part.pairs, part.verdicts, strict=True) if verdict.merge and not pair.same]
    for pair in wrong[:_SHOWN]:
        yield f"{part.name}: merged, though they differ, {pair.id}", f"{pair.a[:_QUOTED]} | {pair.b[:_QUOTED]}"


def _chart(part: Measured) -> Chart:
    ours = rates(part.merged, part.same)
    cosine = curve(part.cosine, part.same)
    lines = [
        Series(name="Guard Desk", points=(Point.of("default floor", ours.false, x=ours.true.value),)),
        Series(name="cosine", points=_points(cosine)),
    ]
    if part.semhash is not None:
        lines.append(Series(name="semhash", points=_points(part.semhash)))
    note = (
        "Across: share of the pairs that say the same and were merged. Up: share of the pairs that differ and were merged, lower is better."
    )
    return Chart(title=f"{part.name}: false merges by true merges", kind=ChartKind.LINES, series=tuple(lines), note=note)


def _points(found: Curve) -> tuple[Point, ...]:
    steps = zip(found.thresholds, found.true, found.false, strict=True)
    return tuple(Point(label=f"{threshold:.3f}", value=false, x=true) for threshold, true, false in steps)


__all__ = ["ALL", "Measured", "dedup_bench"]
