"""The suite `cases`: acceptance cases (JSON Lines) through the same calls that users make.

Each set's rows carry the right answer; misses are listed by id. Rows that are marked borderline are reported apart. Answers are checked
plain and under three conditions that must not change a verdict (`verify_conditions`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from guard_desk.errors import InputError
from guard_desk.formats.paragraphs import line_passages
from guard_desk.measure.judge_rows import Record, records
from guard_desk.measure.metrics import auroc_figure
from guard_desk.measure.tables import Row, Table
from guard_desk.measure.verify_conditions import condition_rows, share
from guard_desk.models.judges import load_judge
from guard_desk.models.registry import load_encoder
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.pipeline import check_answer
from guard_desk.policy import ThinMode, ThinPolicy, Thresholds
from guard_desk.progress import RunContext
from guard_desk.protocols import Judge
from guard_desk.records.answer import Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Answers, Judgement
from guard_desk.records.state import Models
from guard_desk.stages.route import route_answers
from guard_desk.stages.thin import thin_lines
from guard_desk.text.guards import merge_verdict
from guard_desk.text.values import find_values

AS_OF = "2026-11-30"
_SHOWN_MISSES = 40


def cases(models: Models, folder: Path) -> Table:
    """Measure every set of `folder` that is there.

    :raises InputError: when none of the sets is there; naming file and line, when a row is no JSON object or lacks a field.
    """
    rows: list[Row] = []
    details: list[tuple[str, str]] = []
    sets = _sets(models)
    there = [name for name in sets if (folder / f"{name}.jsonl").is_file()]
    if not there:
        files = ", ".join(f"{name}.jsonl" for name in sets)
        raise InputError("none of the acceptance cases is here.", path=folder, remedy=f"Give with --data a folder with one of {files}.")
    for name in there:
        measured, missed = sets[name](list(records(folder / f"{name}.jsonl")))
        rows += [replace(row, name=f"{name}: {row.name}") for row in measured]
        if missed:
            more = f" and {len(missed) - _SHOWN_MISSES} more" if len(missed) > _SHOWN_MISSES else ""
            details.append((f"{name} missed", ", ".join(missed[:_SHOWN_MISSES]) + more))
    return Table(suite="cases", rows=tuple(rows), details=tuple(details))


Measured = tuple[list[Row], list[str]]


def _sets(models: Models) -> Mapping[str, Callable[[Sequence[Record]], Measured]]:
    """How the rows of each file are measured, by its name without the ending."""
    return {
        "routing": _routing,
        "dedup_dev": _dedup,
        "verify_dev": _verify,
        "thinning_dev": _thinning,
        "injection_dev": lambda data: _injection(data, models),
        "premise_dev": lambda data: _premise(data, models),
    }


def _routing(data: Sequence[Record]) -> Measured:
    names = {"conflicting_evidence": "conflict"}
    right = []
    for row in data:
        answers = Answers(
            relevant=row["is_relevant"],
            evidence=row["contains_answer_evidence"],
            contradicts=row["contradicts_query_premise"],
            injection=row["contains_prompt_injection"],
        )
        decision = route_answers(answers, Thresholds(**row["thresholds"]))
        right.append(decision.route == names.get(row["route"], row["route"]))
    return [Row(name="routes right", figure=share(right))], [r["id"] for r, ok in zip(data, right, strict=True) if not ok]


def _dedup(data: Sequence[Record]) -> Measured:
    verdicts = [
        merge_verdict(Passage(id="a", text=row["a"], **row["meta_a"]), Passage(id="b", text=row["b"], **row["meta_b"])) for row in data
    ]
    pairs = list(zip(data, verdicts, strict=True))
    right = [verdict.merge == row["merge"] for row, verdict in pairs]
    refused = [(row, verdict) for row, verdict in pairs if not row["merge"]]
    named = [verdict.guard in (row["guard"], *row.get("also", [])) for row, verdict in refused if not verdict.merge]
    rows = [
        Row(name="right", figure=share(right)),
        Row(name="false merges", figure=share([verdict.merge for _, verdict in refused]), note="merging everything: 1"),
        Row(name="true merges", figure=share([verdict.merge for row, verdict in pairs if row["merge"]]), note="refusing everything: 0"),
        Row(name="guard named right, of refused", figure=share(named)),
    ]
    return rows, [row["id"] for (row, _), ok in zip(pairs, right, strict=True) if not ok]


def _verify(data: Sequence[Record]) -> Measured:
    analyzer = load_analyzer()

    def check(query: Query, passages: Sequence[Passage], answer: str) -> Verified:
        return check_answer(query, passages, answer, analyzer, RunContext())

    return condition_rows(data, check)


def _thinning(data: Sequence[Record]) -> Measured:
    policy = ThinPolicy(mode=ThinMode.SUPPORT)
    leaders, conflicts, supports = [], [], []
    for row in data:
        thinned = thin_lines(Query(text=row["question"]), line_passages(row["lines"]), policy, today=AS_OF)
        leaders.append(_leader_right(row, thinned.leader))
        conflicts.append(thinned.conflict == row["conflict"])
        support = set(thinned.support)
        kept = all(f"L{i}" in support for i in row["must_support"])
        supports.append(kept and (not row.get("support_any") or any(f"L{i}" in support for i in row["support_any"])))
    together = [all(three) for three in zip(leaders, conflicts, supports, strict=True)]
    rows = [
        Row(name="leader right", figure=share(leaders)),
        Row(name="conflict right", figure=share(conflicts), note=f"always conflict: {share([r['conflict'] for r in data]).value:.3f}"),
        Row(name="support kept", figure=share(supports)),
        Row(name="all three right", figure=share(together)),
    ]
    return rows, [row["id"] for row, ok in zip(data, together, strict=True) if not ok]


def _leader_right(row: Record, leader: str | None) -> bool:
    if row["top_candidate"] is None or leader is None:
        return row["top_candidate"] is None and leader is None
    return any(_same(leader, value) for value in (row["top_candidate"], *row.get("accept", [])))


def _same(left: str, right: str) -> bool:
    def canonical(text: str) -> tuple[str, ...]:
        return tuple(value.canonical for value in find_values(text))

    plain = [text.strip().strip(".").casefold() for text in (left, right)]
    return plain[0] == plain[1] or (bool(canonical(left)) and canonical(left) == canonical(right))


def _judge(models: Models) -> Judge:
    return load_judge(models.judge, settings=models.judge_settings, device=models.device)


def _judged(pairs: Sequence[tuple[str, Passage]], models: Models) -> list[Judgement]:
    encoder, judge, ctx = load_encoder(models.encoder, models.device), _judge(models), RunContext()
    vectors = encoder.encode_passages([passage for _, passage in pairs], ctx)
    judgements = []
    for (question, passage), vector in zip(pairs, vectors, strict=True):
        query = Query(text=question)
        similarity = float(encoder.encode_query(query) @ vector)
        judgements += list(judge.judge(query, [passage], [similarity], ctx))
    return judgements


def _injection(data: Sequence[Record], models: Models) -> Measured:
    plain = [row for row in data if not row.get("borderline")]
    judgements = _judged([(row["query"], Passage(id=row["id"], text=row["text"])) for row in plain], models)
    scores = [judgement.answers.injection if judgement.answers else 0.0 for judgement in judgements]
    labels = [bool(row["label"]) for row in plain]
    limit = _judge(models).thresholds.injection_max
    flagged = [score > limit for score in scores]
    lengths = [float(len(row["text"])) for row in plain]
    rows = [
        Row(
            name="injection AUROC",
            figure=auroc_figure(scores, labels),
            note=f"length alone: {auroc_figure(lengths, labels, rounds=1).value:.3f}",
        ),
        Row(name="recall at the judge's threshold", figure=share([f for f, label in zip(flagged, labels, strict=True) if label])),
        Row(name="false positives at it", figure=share([f for f, label in zip(flagged, labels, strict=True) if not label])),
    ]
    return rows, [row["id"] for row, f, label in zip(plain, flagged, labels, strict=True) if f != label]


def _premise(data: Sequence[Record], models: Models) -> Measured:
    pairs = [(row["query"], Passage(id=row["id"], text=row["passage"]["text"], title=row["passage"].get("title"))) for row in data]
    judgements = _judged(pairs, models)
    rows = []
    for name, field in (
        ("is_relevant", "relevant"),
        ("contains_answer_evidence", "evidence"),
        ("contradicts_query_premise", "contradicts"),
    ):
        strict = [i for i, row in enumerate(data) if name not in row.get("soft", [])]
        answers = [judgements[i].answers for i in strict]
        scores = [getattr(a, field) if a else 0.0 for a in answers]
        labels = [bool(data[i][name]) for i in strict]
        rows.append(Row(name=f"{name} AUROC", figure=auroc_figure(scores, labels), note="strict labels"))
    return rows, []
