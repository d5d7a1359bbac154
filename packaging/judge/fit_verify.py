"""Fits how the rules of verification and the claim head decide together, and writes `resources/judge/verify.toml`.

    python packaging/judge/fit_verify.py --data ../shared/data [--seed 0] [--cache readings.pickle]

Reads RAGTruth's `train_sample_dev` alone, and of it only the half of the sources that the head was not trained on
(`generators/replies.py`); measuring sets are never read. The head is the shipped one, and the numbers name its weights: with other weights
the product leaves the head out until this has run again. Limits and figures rest on probabilities of folds that each sentence's source was
left out of. About three minutes on one core.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import pickle
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from feature_rows import read
from scipy.optimize import minimize
from sklearn.model_selection import GroupKFold

from guard_desk import resources
from guard_desk.measure.verify_rows import AnswerRow
from guard_desk.measure.verify_scores import marked_by, scored
from guard_desk.measure.verify_sets import TRAIN_SAMPLE, ragtruth
from guard_desk.models.judges.claims import load_claim_judge
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer, ClaimJudge
from guard_desk.records.answer import Finding, Kind, Label
from guard_desk.records.corpus import Span
from guard_desk.stages.verify import rule_statements, verify_answer
from guard_desk.text.support.claim_head import ClaimReading, claim_values, read_claims
from guard_desk.text.support.claim_states import Statement, carried_by_rules, has_shown
from guard_desk.text.support.findings import finding

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
FOLDS = 5
STRENGTH = 1.0  # the larger, the weaker the pull of the coefficients towards 0
# Values that speak for a sentence; all others speak against it.
SUPPORTING = frozenset({"support", "found_values"})
# A claim counts as supported where at most this share of those like it is not, and as contradicted where at least this share is.
MOST_WRONG = 0.04
LEAST_CONTRADICTED = 0.5
# What the rules find word for word is taken back only by a head that is right at least so often, shown on at least so many sentences.
LEAST_OVERRULED, FEWEST = 0.8, 8
NEVER = 0.995
NEAR = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of an answer.

    :param marked: whether people marked any of it; `conflict`: as something that the context says otherwise.
    :param reading: of the head; None where it was not asked.
    """

    statement: Statement
    reading: ClaimReading | None
    values: Mapping[str, float]
    marked: bool
    conflict: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer: its sentences, and the findings that belong to none of them (citations, quotes, replies)."""

    row: AnswerRow
    sentences: tuple[Sentence, ...]
    others: tuple[Finding, ...]
    rules: tuple[Finding, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="keep what rules and head said, for trying other numbers")
    parser.add_argument("--out", type=Path, default=resources.path("judge") / "verify.toml")
    options = parser.parse_args(arguments)
    judge = load_claim_judge("cpu")
    if options.cache and options.cache.is_file():
        # The user's own file, made by this script.
        answers = pickle.loads(options.cache.read_bytes())
    else:
        answers = read_answers(options.data, judge, RunContext())
        if options.cache:
            options.cache.write_bytes(pickle.dumps(answers))
    made = fit(answers, options.seed)
    digest = hashlib.sha256((options.data / TRAIN_SAMPLE).read_bytes()).hexdigest()
    options.out.write_text(toml(made, judge.info.weights, digest, options.seed), encoding="utf-8")
    print("\n".join(made.figures))


def read_answers(data: Path, judge: ClaimJudge, ctx: RunContext) -> list[Answer]:
    """Rules and head on every answer whose source was not trained on."""
    sys.path.insert(0, str(Path(__file__).parent / "generators"))
    from replies import trains

    conflicts = {
        str(response["id"]): [mark for mark in response["hallucination_labels"] if "Conflict" in mark["label_type"]]
        for source in read(data / TRAIN_SAMPLE)
        for response in source["responses"]
    }
    rows = [row for row in ragtruth(data / TRAIN_SAMPLE) if not trains(row.cluster)]
    analyzer = load_analyzer()
    answers = []
    for _, group in itertools.groupby(rows, key=lambda row: row.cluster):
        of_source = list(group)
        facts = analyzer.analyze([passage.text for passage in of_source[0].passages], ctx)
        answers += [_answer(row, facts, analyzer, judge, conflicts[row.id], ctx) for row in of_source]
        print(f"{len(answers)} of {len(rows)} answers", end="\r", file=sys.stderr)
    return answers


def _answer(
    row: AnswerRow, facts: Sequence[Any], analyzer: Analyzer, judge: ClaimJudge, conflicts: Sequence[Mapping[str, Any]], ctx: RunContext
) -> Answer:
    titles = [None] * len(row.passages)
    rules = verify_answer(row.query, row.passages, facts, titles, row.answer, analyzer, ctx).spans
    made = rule_statements(row.query, row.passages, facts, titles, row.answer, analyzer, ctx)
    if made is None:
        return Answer(row=row, sentences=(), others=rules, rules=rules)
    pool, statements = made
    sentences = []
    for statement, reading in zip(statements, read_claims(judge, pool, statements, ctx), strict=True):
        claim = statement.claim
        sentences.append(
            Sentence(
                # Views and pool are not kept: they are large, and the fit needs none of them.
                statement=replace(statement, aligned=statement.aligned[:1]),
                reading=reading,
                values={} if reading is None else claim_values(statement, reading),
                marked=any(span.start < claim.end and claim.start < span.end for span in row.spans),
                conflict=any(mark["start"] < claim.end and claim.start < mark["end"] for mark in conflicts),
            )
        )
    of_sentences = {item for sentence in sentences for item in sentence.statement.findings}
    return Answer(row=row, sentences=tuple(sentences), others=tuple(item for item in rules if item not in of_sentences), rules=rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The fitted numbers, and what they do on the left-out folds."""

    names: tuple[str, ...]
    weights: Floats
    bias: float
    report: float
    accept: float
    contradicted: float
    overrule: float
    figures: tuple[str, ...]


def fit(answers: Sequence[Answer], seed: int) -> Made:
    """Regression, then limits, on the left-out folds' probabilities."""
    asked = [(answer, sentence) for answer in answers for sentence in answer.sentences if sentence.reading is not None]
    names = tuple(asked[0][1].values)
    values = np.array([[sentence.values[name] for name in names] for _, sentence in asked])
    marked = np.array([sentence.marked for _, sentence in asked])
    groups = np.array([answer.row.cluster for answer, _ in asked])
    chances = left_out(values, marked, groups, names, seed)
    report = best_report(answers, chances)
    weights = regression(values, marked, names)
    sentences = [sentence for _, sentence in asked]
    return Made(
        names=names,
        weights=weights[:-1],
        bias=float(weights[-1]),
        report=report,
        accept=accept_limit(chances, marked, report),
        contradicted=contradicted_limit(sentences, chances, report),
        overrule=overrule_limit(sentences),
        figures=tuple(figures(answers, chances, report)),
    )


def left_out(values: Floats, marked: Flags, groups: npt.NDArray[Any], names: Sequence[str], seed: int) -> Floats:
    """For each sentence the probability by a regression that saw no sentence of its source."""
    chances = np.zeros(len(marked))
    for fitted, held in GroupKFold(FOLDS, shuffle=True, random_state=seed).split(values, marked, groups):
        chances[held] = _chances(values[held], regression(values[fitted], marked[fitted], names))
    return chances


def regression(values: Floats, marked: Flags, names: Sequence[str]) -> Floats:
    """Coefficients and bias of a logistic regression in which each value keeps the sign that it stands for.

    What few data say by chance cannot turn a value round: a contradiction never speaks for a sentence.
    """
    bounds = [(None, 0.0) if name in SUPPORTING else (0.0, None) for name in names]
    scale = values.std(axis=0) + 1e-9

    def loss(weights: Floats) -> float:
        scores = values @ (weights[:-1] / scale) + weights[-1]
        return float(np.logaddexp(0.0, np.where(marked, -scores, scores)).sum() + (weights[:-1] ** 2).sum() / (2 * STRENGTH))

    found = minimize(loss, np.zeros(values.shape[1] + 1), method="L-BFGS-B", bounds=[*bounds, (None, None)]).x
    return np.append(found[:-1] / scale, found[-1])


def _chances(values: Floats, weights: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-(values @ weights[:-1] + weights[-1])))
    return chances


def marks_at(answers: Sequence[Answer], chances: Floats, report: float) -> list[list[Finding]]:
    """The findings of every answer as the product would give them with this limit."""
    found, place = [], 0
    for answer in answers:
        own = list(answer.others)
        for sentence in answer.sentences:
            chance = None
            if sentence.reading is not None:
                chance, place = float(chances[place]), place + 1
            own += findings_at(sentence, chance, report)
        found.append(own)
    return found


def findings_at(sentence: Sentence, chance: float | None, report: float) -> list[Finding]:
    """What a sentence is reported for; see `ClaimHead`, whose overruling of the rules is left out here."""
    statement = sentence.statement
    if chance is None or (carried_by_rules(statement) and not has_shown(statement)):
        return list(statement.findings)
    if has_shown(statement):
        return [item for item in statement.findings if item.kind is not Kind.CLAIM or chance >= report]
    if chance < report:
        return []
    claim = statement.claim
    return list(statement.findings) or [_claim_finding(claim.start, claim.end, claim.text, chance)]


def _claim_finding(start: int, end: int, text: str, chance: float) -> Finding:
    made = finding(text, Span(0, len(text)), Kind.CLAIM, Label.UNSUPPORTED, confidence=chance)
    return replace(made, start=start, end=end)


def best_report(answers: Sequence[Answer], chances: Floats) -> float:
    """The highest limit, so the one with the fewest false alarms, that comes near the best F1 of answers; F1 of characters counts half."""
    limits = np.round(np.arange(0.1, 0.71, 0.01), 2)
    scores = [_score(answers, marks_at(answers, chances, float(limit))) for limit in limits]
    return float(limits[max(index for index, score in enumerate(scores) if score >= max(scores) - NEAR)])


def _score(answers: Sequence[Answer], found: Sequence[Sequence[Finding]]) -> float:
    answer_f1, span_f1 = f1_of(answers, found)
    return answer_f1 + 0.5 * span_f1


def f1_of(answers: Sequence[Answer], found: Sequence[Sequence[Finding]]) -> tuple[float, float]:
    """F1 of answers that hold anything wrong, and of characters."""
    result = scored([answer.row for answer in answers], [marked_by(own) for own in found])
    hits = float((result.wrong & result.flagged).sum())
    answer_f1 = 2 * hits / max(1.0, float(result.wrong.sum() + result.flagged.sum()))
    span_f1 = 2 * float(result.shared.sum()) / max(1.0, float(result.ours.sum() + result.theirs.sum()))
    return answer_f1, span_f1


def accept_limit(chances: Floats, marked: Flags, report: float) -> float:
    """The highest probability up to which at most `MOST_WRONG` of the sentences are marked."""
    for limit in np.round(np.arange(report - 0.01, 0.0, -0.01), 2):
        below = chances <= limit
        if below.any() and marked[below].mean() <= MOST_WRONG:
            return float(limit)
    return 0.0


def contradicted_limit(sentences: Sequence[Sentence], chances: Floats, report: float) -> float:
    """From which probability of contradiction on most of the reported sentences are conflicts, and not merely missing."""
    pairs = [
        (sentence.reading.contradict, sentence.conflict)
        for sentence, chance in zip(sentences, chances, strict=True)
        if chance >= report and sentence.marked and sentence.reading is not None and sentence.reading.contradict > sentence.reading.support
    ]
    return _limit(pairs, LEAST_CONTRADICTED, np.arange(0.3, 0.99, 0.01))


def overrule_limit(sentences: Sequence[Sentence]) -> float:
    """From which probability of contradiction on the head is right against rules that find all of a sentence."""
    carried = [sentence for sentence in sentences if carried_by_rules(sentence.statement)]
    pairs = [(sentence.reading.contradict, sentence.marked) for sentence in carried if sentence.reading is not None]
    return _limit(pairs, LEAST_OVERRULED, np.arange(0.6, 0.99, 0.01))


def _limit(pairs: Sequence[tuple[float, bool]], least: float, limits: Floats) -> float:
    for limit in limits:
        above = [right for value, right in pairs if value >= limit]
        if len(above) >= FEWEST and np.mean(above) >= least:
            return round(float(limit), 2)
    return NEVER


def figures(answers: Sequence[Answer], chances: Floats, report: float) -> list[str]:
    """Both F1 by task: the rules, and rules and head."""
    lines = [f"{'':10}{'n':>5} {'rules':>16} {'rules and head':>16}   F1 of answers / of characters; findings of kind claim: right, wrong"]
    found = marks_at(answers, chances, report)
    for task in ("all", *sorted({answer.row.group for answer in answers})):
        chosen = [index for index, answer in enumerate(answers) if task in ("all", answer.row.group)]
        own = [answers[index] for index in chosen]
        rules = f1_of(own, [answer.rules for answer in own])
        both = f1_of(own, [found[index] for index in chosen])
        counts = [claim_counts(own, marks) for marks in ([answer.rules for answer in own], [found[index] for index in chosen])]
        told = "; ".join(f"{right}, {wrong}" for right, wrong in counts)
        lines.append(f"{task:10}{len(own):5} {rules[0]:9.3f} /{rules[1]:.3f} {both[0]:9.3f} /{both[1]:.3f}   {told}")
    return lines


def claim_counts(answers: Sequence[Answer], found: Sequence[Sequence[Finding]]) -> tuple[int, int]:
    """How many findings of kind claim touch what people marked, and how many do not."""
    touching = [
        any(span.start < item.end and item.start < span.end for span in answer.row.spans)
        for answer, own in zip(answers, found, strict=True)
        for item in own
        if item.kind is Kind.CLAIM
    ]
    return sum(touching), len(touching) - sum(touching)


def toml(made: Made, weights: str, data: str, seed: int) -> str:
    """The file's text."""
    lines = [
        "# How rules and claim head decide together on the sentences of an answer, written by packaging/judge/fit_verify.py; do not edit.",
        "#",
        *(f"# {line}" for line in made.figures),
        "",
        "[made_from]",
        f'weights_sha256 = "{weights}"',
        f'data_sha256 = "{data}"',
        f"seed = {seed}",
        "",
        "[limits]",
        *(f"{name} = {getattr(made, name):.3f}" for name in ("report", "accept", "contradicted", "overrule")),
        "",
        "[unsupported]",
        *(f"{name} = {weight:.4f}" for name, weight in zip(made.names, made.weights, strict=True)),
        f"bias = {made.bias:.4f}",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
