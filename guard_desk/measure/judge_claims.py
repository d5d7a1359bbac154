"""Support, contradict, neutral for (claim, passage): the figures of the claim judge, beside the encoder's cosine and the majority."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from guard_desk.measure.judge_metrics import Resampled, area
from guard_desk.measure.judge_rows import PairRow, Source, limited
from guard_desk.measure.tables import Row
from guard_desk.progress import RunContext
from guard_desk.protocols import ClaimJudge, Encoder
from guard_desk.records.corpus import Passage

Floats = npt.NDArray[np.float64]
STANCES = ("support", "contradict", "neutral")
_AT_ONCE = 64


def claim_rows(model: ClaimJudge | None, encoder: Encoder, data: Path, sets: Sequence[Source], n: int | None, ctx: RunContext) -> list[Row]:
    """Figures of each claim set that is there.

    :param model: None = there is no claim judge.
    :param n: most rows of a stance; None = each set's own limit.
    :raises Cancelled: between batches.
    """
    found: list[Row] = []
    for source in sets:
        missing = source.missing(data)
        if model is None or missing:
            why = f"missing: {', '.join(missing)}" if missing else "this judge takes no claims"
            found.append(Row(name=f"claim: {source.name}: not measured", figure=float("nan"), note=why))
            continue
        rows = limited(source.read(data), source.most if n is None else n)
        found += _figures(source, rows, _stances(model, rows, ctx), _cosines(encoder, rows, ctx))
    return found


def _stances(model: ClaimJudge, rows: Sequence[PairRow], ctx: RunContext) -> Floats:
    """Probabilities of `STANCES`: (n, 3)."""
    found = np.zeros((len(rows), len(STANCES)))
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        found[start : start + len(part)] = model.stances([row.query for row in part], [row.text for row in part], ctx)
        ctx.report("claims", start + len(part), len(rows), unit="pairs")
    return found


def _cosines(encoder: Encoder, rows: Sequence[PairRow], ctx: RunContext) -> Floats:
    claims, passages = (
        encoder.encode_passages([Passage(id=str(number), text=text) for number, text in enumerate(texts)], ctx)
        for texts in ([row.query for row in rows], [row.text for row in rows])
    )
    return np.asarray(np.einsum("nd,nd->n", claims, passages), dtype=np.float64)


def _figures(source: Source, rows: Sequence[PairRow], given: Floats, cosines: Floats) -> Iterator[Row]:
    truth = np.array([STANCES.index(row.part) for row in rows], dtype=np.int64)
    drawn = Resampled([row.cluster for row in rows])
    counts = [int((truth == number).sum()) for number in range(len(STANCES))]
    shown = ", ".join(f"{count} {stance}" for count, stance in zip(counts, STANCES, strict=True) if count)
    for number, stance in enumerate(STANCES[:2]):
        labels, scores = truth == number, given[:, number]
        trivial = area(cosines, labels)
        note = f"{source.about}; {shown}; cosine {max(trivial, 1 - trivial):.3f}"
        figure = drawn.figure(lambda index, labels=labels, scores=scores: area(scores[index], labels[index]))  # type: ignore[misc]
        yield Row(name=f"claim: {source.name}: AUROC, {stance} against the rest", figure=figure, note=note)
    # Where a set has no neutral rows, the choice is between the other two.
    known = given if counts[2] else given[:, :2]
    right = known.argmax(axis=1) == truth
    note = f"the likeliest stance; majority {max(counts) / max(1, len(rows)):.3f}"
    yield Row(name=f"claim: {source.name}: right", figure=drawn.figure(lambda index: float(right[index].mean())), note=note)
