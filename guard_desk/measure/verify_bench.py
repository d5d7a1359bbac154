"""The suite `verify`: how well findings fit what people marked as wrong, set by set, leg by leg, beside published figures.

What counts as a mark is said in `verify_scores`; how the sets are read, in `verify_sets`. Intervals are bootstrapped over whole sources.
The acceptance cases belong to the suite `cases`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from guard_desk.errors import InputError
from guard_desk.measure import verify_scores
from guard_desk.measure.tables import Row, Table
from guard_desk.measure.verify_figures import Measured, answer_rows, balance_rows, measured, span_rows, word_rows
from guard_desk.measure.verify_legs import Leg
from guard_desk.measure.verify_peers import ALL, published_rows
from guard_desk.measure.verify_rows import AnswerRow, AnswerSet, sampled
from guard_desk.measure.verify_scores import Marked, scored
from guard_desk.measure.verify_sets import RAGTRUTH, SUMMEDITS, TRAIN_SAMPLE, UHGEVAL, WICE, ragtruth, sets
from guard_desk.progress import RunContext

_WORST = 5
_QUOTED = 300


def verify_bench(legs: Sequence[Leg], data: Path, n: int | None, ctx: RunContext) -> Table:
    """Measure.

    :param data: folder of the sets; those that are missing are named and left out.
    :param n: most answers of a set; None = each set's own limit.
    :raises InputError: when none of the sets is there.
    :raises Cancelled: between answers.
    """
    here = [source for source in sets() if (data / source.file).is_file()]
    if not here:
        raise InputError("none of the sets that verification is measured on is here.", path=data, remedy="Give the folder of the sets.")
    rows: list[Row] = [Row(name=f"leg {leg.name}", figure=float("nan"), note=leg.about) for leg in legs]
    details: list[tuple[str, str]] = []
    for source in sets():
        if source not in here:
            rows.append(Row(name=f"{source.name}: not measured", figure=float("nan"), note=f"missing: {source.file}"))
            continue
        found = _measured(source, legs, data, n, ctx)
        rows += _figures(found, data)
        details += [pair for leg in legs for pair in _worst(found, leg.name)]
    return Table(suite="verify", rows=tuple(rows), details=tuple(details))


def _measured(source: AnswerSet, legs: Sequence[Leg], data: Path, n: int | None, ctx: RunContext) -> Measured:
    rows = sampled(list(source.read(data / source.file)), source.most if n is None else n)
    marks: dict[str, list[tuple[Marked, ...]]] = {leg.name: [] for leg in legs}
    for row in ctx.track(rows, source.name, len(rows), unit="answers"):
        # All legs of one answer together: its passages are read once.
        for leg in legs:
            marks[leg.name].append(leg.marks(row, ctx))
    return measured(source, rows, marks)


def _figures(found: Measured, data: Path) -> Iterator[Row]:
    longest = _longest(data / TRAIN_SAMPLE) if found.source.name == RAGTRUTH else None
    for group in _groups(found):
        part = found if group == ALL else measured(found.source, found.rows, found.marks, group)
        yield from _of_group(part, longest)
        yield from published_rows(found.source.name, group)


def _groups(found: Measured) -> list[str]:
    if found.source.name not in (RAGTRUTH, SUMMEDITS):
        return [ALL]
    return [ALL, *dict.fromkeys(row.group for row in found.rows)]


def _of_group(part: Measured, longest: float | None) -> Iterator[Row]:
    name = part.source.name
    if name == RAGTRUTH:
        yield from answer_rows(part, longest)
        yield from span_rows(part)
    if name == WICE:
        yield from word_rows(part, "token")
    if name == UHGEVAL:
        # Every answer of this set has a wrong keyword, so that calling whole answers wrong is no task.
        yield from word_rows(part, "keyword")
    if name == SUMMEDITS:
        yield from balance_rows(part)


def _longest(file: Path) -> float | None:
    """The length above which calling an answer wrong gives the best F1 on RAGTruth's training sample; None without that file."""
    if not file.is_file():
        return None
    found = list(ragtruth(file))
    lengths = np.array([len(row.answer) for row in found], dtype=np.float64)
    wrong = np.array([row.wrong for row in found], dtype=bool)
    limits = np.unique(np.percentile(lengths, np.arange(0, 100)))
    return float(max(limits, key=lambda limit: verify_scores.f1(lengths > limit, wrong)))


def _worst(found: Measured, leg: str) -> Iterator[tuple[str, str]]:
    """The ten worst errors: right answers with the surest marks, and wrong ones of which the most characters were missed."""
    marks = found.marks[leg]
    score = scored(found.rows, marks)
    places = range(len(found.rows))
    alarms = sorted((at for at in places if score.flagged[at] and not score.wrong[at]), key=lambda at: -score.confidence[at])
    missed = sorted((at for at in places if score.wrong[at] and not score.touched[at]), key=lambda at: -score.theirs[at])
    for at in alarms[:_WORST]:
        surest = max(marks[at], key=lambda one: one.confidence)
        text = f"{_about(found.rows[at])}: marked {_quoted(surest.span.of(found.rows[at].answer))} ({surest.confidence:.2f})"
        yield f"{found.source.name}, {leg}: false alarm", text
    for at in missed[:_WORST]:
        row = found.rows[at]
        yield f"{found.source.name}, {leg}: missed", f"{_about(row)}: {'; '.join(_quoted(span.of(row.answer)) for span in row.spans[:3])}"


def _about(row: AnswerRow) -> str:
    return f"{row.id} {row.group}".strip()


def _quoted(text: str) -> str:
    plain = " ".join(text.split())
    return f"'{plain[:_QUOTED]}{'...' if len(plain) > _QUOTED else ''}'"
