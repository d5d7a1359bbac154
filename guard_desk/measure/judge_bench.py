"""The suite `judge`: how good the four answers are, question by question and set by set, on sets that no judge was fitted on.

Each figure stands beside the legs of the ablation (rules, trained heads, cosine), trivial baselines (length, majority) and peers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from guard_desk import resources
from guard_desk.errors import InputError
from guard_desk.measure.judge_answers import Legs, legs_of, pool_of
from guard_desk.measure.judge_claims import claim_rows
from guard_desk.measure.judge_figures import RULES, Measured, language_rows, measured, part_rows, peer_rows, rows_of
from guard_desk.measure.judge_heads import claim_judge, heads_of
from guard_desk.measure.judge_injection_sets import POSITIONS
from guard_desk.measure.judge_marks import Found, mark_rows, worst_errors
from guard_desk.measure.judge_peers import PeerScores, nanoguard, published
from guard_desk.measure.judge_rows import PairRow, Source, limited
from guard_desk.measure.judge_sets import CLAIM_SETS, sources
from guard_desk.measure.tables import Row, Table
from guard_desk.models.judges import load_judge
from guard_desk.models.registry import load_encoder, load_ranker
from guard_desk.parts import answer_store, vector_store
from guard_desk.progress import RunContext
from guard_desk.protocols import Judge
from guard_desk.records.evidence import Question
from guard_desk.records.state import Models

LANGUAGES = ("zh", "de", "fr", "es")
CASE_FOLDERS = ("cases", "../cases")
_PART_WORDS = {"bipia": ("text", "code", *POSITIONS)}


def judge_bench(models: Models, data: Path, n: int | None, ctx: RunContext) -> Table:
    """Measure a judge.

    :param data: folder of the sets; those that are missing are named and left out. The written cases lie in it or beside it.
    :param n: most rows of each class of a source; None = each source's own limit.
    :raises InputError: when none of the sets is there.
    """
    taken, absent = _taken(data, n)
    if not taken:
        raise InputError("none of the sets that judges are measured on is here.", path=data, remedy="Give the folder of the sets.")
    home = resources.home()
    judges = _judges(models)
    rows = [row for _, part in taken for row in part]
    pool = pool_of(rows)
    ranker = load_ranker(models, pool.passages, store=vector_store(home))
    chosen = next(iter(judges.values()))
    heads = heads_of(chosen, models.device, home / "bench", ctx)
    legs = legs_of(rows, pool, ranker, judges, heads, answer_store(home), ctx)
    found = _measured(taken, legs, judges)
    peer = _peer(found, home, ctx)
    claims = claim_rows(claim_judge(chosen, models.device), load_encoder("minilm", models.device), data, CLAIM_SETS, n, ctx)
    marks = list(mark_rows(found))
    figures = [row for question in Question for row in _question_rows(question, found, peer)]
    details = [pair for one in _once([one for _, one in marks]) for pair in worst_errors(one)]
    return Table(suite="judge", rows=(*_head(judges), *figures, *claims, *(row for row, _ in marks), *absent), details=tuple(details))


def _taken(data: Path, n: int | None) -> tuple[list[tuple[Source, list[PairRow]]], list[Row]]:
    cases = next((folder for folder in CASE_FOLDERS if (data / folder).is_dir()), CASE_FOLDERS[0])
    taken, absent = [], []
    for source in sources(cases):
        missing = source.missing(data)
        if missing:
            absent.append(Row(name=f"{source.name}: not measured", figure=float("nan"), note=f"missing: {', '.join(missing)}"))
        else:
            taken.append((source, limited(source.read(data), source.most if n is None else n)))
    return taken, absent


def _judges(models: Models) -> dict[str, Judge]:
    """The judge that is measured and, where it is another one, the rules alone."""
    chosen = load_judge(models.judge, settings=models.judge_settings, device=models.device)
    rules = load_judge("features")
    return {RULES: chosen} if chosen.info.name == rules.info.name else {chosen.info.name: chosen, RULES: rules}


def _measured(taken: Sequence[tuple[Source, list[PairRow]]], legs: Legs, judges: dict[str, Judge]) -> Found:
    thresholds = {name: model.thresholds for name, model in judges.items()}
    found: dict[tuple[Question, str], Measured] = {}
    start = 0
    for source, rows in taken:
        places = np.arange(start, start + len(rows), dtype=np.int64)
        start += len(rows)
        for question in source.questions:
            one = measured(source, question, legs, places, thresholds)
            if one is not None and len(one.index):
                found[question, source.name] = one
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Peer:
    """A peer's scores by source; None when it is not installed."""

    given: PeerScores | None
    by_source: dict[str, npt.NDArray[np.float64]]


def _peer(found: Found, home: Path, ctx: RunContext) -> _Peer:
    asked = [one for (question, _), one in found.items() if question is Question.INJECTION]
    texts = [one.legs.rows[place].text for one in asked for place in one.index]
    given = nanoguard(texts, home / "bench", ctx)
    by_source, start = {}, 0
    for one in asked if given is not None else ():
        by_source[one.source.name] = given.scores[start : start + len(one.index)] if given is not None else np.zeros(0)
        start += len(one.index)
    return _Peer(given=given, by_source=by_source)


def _head(judges: dict[str, Judge]) -> Iterator[Row]:
    name, model = next(iter(judges.items()))
    limits = model.thresholds
    shown = f"relevant {limits.relevant_min}, evidence {limits.evidence_min}, contradicts {limits.contradicts_min}"
    note = f"revision {model.info.revision}; thresholds: {shown}, injection {limits.injection_max}. Intervals: bootstrap over clusters."
    yield Row(name=f"judge {name}", figure=float("nan"), note=note)


def _question_rows(question: Question, found: Found, peer: _Peer) -> Iterator[Row]:
    for one in [one for (asked, _), one in found.items() if asked is question]:
        yield from rows_of(one)
        yield from part_rows(one, _PART_WORDS.get(one.source.name, ()))
        if one.source.name.endswith("_dev"):
            yield from language_rows(one, LANGUAGES)
        if question is Question.INJECTION:
            yield from _peer_rows(one, peer)
        yield from _published_rows(one)


def _peer_rows(one: Measured, peer: _Peer) -> Iterator[Row]:
    if peer.given is None:
        name = f"{one.question}: {one.source.name}: AUROC, metatronnanoguard"
        yield Row(name=name, figure=float("nan"), note="not installed: pip install metatronnanoguard")
        return
    yield from peer_rows(one, peer.given.name, peer.by_source[one.source.name], peer.given.threshold)


def _published_rows(one: Measured) -> Iterator[Row]:
    for figure in published():
        if (figure.question, figure.source) == (one.question, one.source.name):
            name = f"{one.question}: {one.source.name}: published, {figure.peer}: {figure.metric}"
            yield Row(name=name, figure=figure.value, note=f"{figure.origin}; {figure.note}")


def _once(found: Sequence[Measured | None]) -> list[Measured]:
    """Each missed question and source once, in order."""
    return list({(one.question, one.source.name): one for one in found if one is not None}.values())
