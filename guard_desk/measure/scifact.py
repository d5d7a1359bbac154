"""The suite `scifact`: rankers by nDCG@10, and the six strategies by what they keep of the relevant abstracts under pressure.

Claims ask for abstracts that take a stand on them (SciFact, Wadden et al. 2020, doi 10.18653/v1/2020.emnlp-main.609); relevant are the
cited ones. Four conditions, the same on every run: the corpus as it is, with three exact copies of each of the first five documents
retrieved for a claim, with three near copies (`scifact_copies`), and with hostile copies that differ in one number or negation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from guard_desk import resources
from guard_desk.measure.metrics import Figure, mean, paired, proportion
from guard_desk.measure.ranking import ndcg_at, recall_of
from guard_desk.measure.scifact_pools import (
    CONDITIONS,
    FIRST,
    HOSTILE,
    NEAR_KINDS,
    Claim,
    RememberingAnalyzer,
    Selected,
    everything,
    load_claims,
    pool_of,
    read_pool,
    select_all,
    with_copies,
)
from guard_desk.measure.tables import Chart, ChartKind, Row, Series, Table
from guard_desk.models.registry import ENCODERS, load_ranker, token_counter
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.parts import vector_store
from guard_desk.policy import Policy, RetrievePolicy, Strategy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Corpus
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models
from guard_desk.stages.retrieve import retrieve

DEPTH = 10
# The table of the published tool: SciFact's 300 test claims with another encoder, so the order counts and not the height.
PUBLISHED: Mapping[str, Mapping[Strategy, float]] = {
    "natural": {
        Strategy.TOPK: 0.5550,
        Strategy.MMR: 0.5187,
        Strategy.NAIVE_DEDUP: 0.5575,
        Strategy.EXACT: 0.5550,
        Strategy.SIEVE: 0.5550,
    },
    "exact copies": {
        Strategy.TOPK: 0.4053,
        Strategy.MMR: 0.5121,
        Strategy.NAIVE_DEDUP: 0.5542,
        Strategy.EXACT: 0.5517,
        Strategy.SIEVE: 0.5517,
    },
}
_OTHERS = (Strategy.EXACT, Strategy.TOPK)
Outcome = Mapping[str, Sequence[Mapping[Strategy, Selected]]]
"""By condition, one entry a claim."""


def scifact(models: Models, data: Path | None, n: int | None, ctx: RunContext, *, policy: Policy | None = None) -> Table:
    """Measure rankers and strategies.

    :param models: its encoder ranks for the strategies; the four rankers are always compared.
    :param data: folder that holds `scifact/beir`.
    :param n: so many claims; None = all 153 of the dev part.
    :param ctx: told of the first encoding of corpus and copies, which takes minutes.
    """
    policy = policy or Policy()
    corpus, claims = load_claims(data or Path(), n)
    scores, infos = _rankings(models, corpus, claims, ctx)
    outcome = _outcome(models, corpus, claims, policy, ctx)
    rows = [*_ranking_rows(scores), *_strategy_rows(outcome, policy), *_merge_rows(outcome)]
    charts = (_ranking_chart(scores), _recall_chart(outcome, policy), _difference_chart(outcome), _merge_chart(outcome))
    return Table(suite="scifact", rows=tuple(rows), details=tuple(_lost(outcome, claims)), charts=charts, models=infos)


Scores = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""By ranker, nDCG@10 and recall@10 of each claim."""


def _rankings(models: Models, corpus: Corpus, claims: Sequence[Claim], ctx: RunContext) -> tuple[Scores, tuple[ModelInfo, ...]]:
    scores, infos = {}, []
    for name in dict.fromkeys((*ENCODERS, models.encoder)):
        ranker = load_ranker(replace(models, encoder=name), corpus.passages, store=vector_store(resources.home()))
        infos.append(ranker.info)
        filtered, gains, recalls = everything(corpus), [], []
        for claim in ctx.track(claims, f"rank with {name}", len(claims), unit="claims"):
            found = retrieve(corpus, filtered, claim.query, ranker, RetrievePolicy(pool=DEPTH), ctx)
            ranked = [hit.passage_id for hit in found.hits]
            gains.append(ndcg_at(ranked, claim.relevant, DEPTH))
            recalls.append(recall_of(ranked, claim.relevant))
        scores[name] = (gains, recalls)
    return scores, tuple(infos)


def _outcome(models: Models, corpus: Corpus, claims: Sequence[Claim], policy: Policy, ctx: RunContext) -> Outcome:
    analyzer, firsts = RememberingAnalyzer(load_analyzer()), _firsts(models, corpus, claims, policy, ctx)
    counter, outcome = token_counter(), {}
    for condition, copies in CONDITIONS.items():
        whole, filtered = (corpus, {}) if copies is None else with_copies(corpus, firsts, copies)
        ranker, every = load_ranker(models, whole.passages, store=vector_store(resources.home())), everything(whole)
        selected = []
        for claim in ctx.track(claims, condition, len(claims), unit="claims"):
            retrieved = pool_of(whole, filtered.get(claim.id, every), claim, ranker, policy, ctx)
            extracted = read_pool(retrieved, analyzer, ctx)
            selected.append(select_all(claim, retrieved, extracted, policy, counter, hostile=condition == HOSTILE))
        outcome[condition] = selected
    return outcome


def _firsts(models: Models, corpus: Corpus, claims: Sequence[Claim], policy: Policy, ctx: RunContext) -> dict[str, list[str]]:
    """By claim, the documents that copies are made of: the first ones retrieved."""
    ranker, every = load_ranker(models, corpus.passages, store=vector_store(resources.home())), everything(corpus)
    pools = {claim.id: pool_of(corpus, every, claim, ranker, policy, ctx) for claim in claims}
    return {claim: [hit.passage_id for hit in pool.hits[:FIRST]] for claim, pool in pools.items()}


def _ranking_rows(scores: Scores) -> Iterator[Row]:
    for name, (gains, recalls) in scores.items():
        yield Row(name=f"rankers: nDCG@{DEPTH}, {name}", figure=mean(gains))
        yield Row(name=f"rankers: recall@{DEPTH}, {name}", figure=mean(recalls))
    for other in [name for name in scores if name != "hybrid"]:
        figure = paired(scores["hybrid"][0], scores[other][0])
        yield Row(name=f"rankers: nDCG@{DEPTH}, hybrid - {other}", figure=figure, note="paired")


def _recalls(outcome: Outcome, condition: str, strategy: Strategy) -> list[float]:
    return [selected[strategy].recall for selected in outcome[condition]]


def _strategy_rows(outcome: Outcome, policy: Policy) -> Iterator[Row]:
    limits = f"{policy.assemble.k} passages, {policy.assemble.budget_tokens:,} tokens"
    for condition, selected in outcome.items():
        for strategy in Strategy:
            tokens = sum(one[strategy].tokens for one in selected) / max(1, len(selected))
            known = PUBLISHED.get(condition, {}).get(strategy)
            beside = f"; published {known:.4f} (300 test claims, another encoder)" if known is not None else ""
            name = f"{condition}: recall, {strategy}"
            yield Row(name=name, figure=mean(_recalls(outcome, condition, strategy)), note=f"{limits}; {tokens:.0f} tokens used{beside}")
        for other in _OTHERS:
            yield Row(name=f"{condition}: recall, sieve_mmr - {other}", figure=_difference(outcome, condition, other), note="paired")


def _difference(outcome: Outcome, condition: str, other: Strategy) -> Figure:
    return paired(_recalls(outcome, condition, Strategy.SIEVE_MMR), _recalls(outcome, condition, other))


def _merged(outcome: Outcome, condition: str, strategy: Strategy, kind: int | None = None) -> Figure:
    """Share of the copies that were merged with their original; of one kind of copy, or of all."""
    copies = [copy for selected in outcome[condition] for copy in selected[strategy].copies if kind in (None, copy.kind)]
    return proportion(sum(copy.merged for copy in copies), len(copies))


def _merge_rows(outcome: Outcome) -> Iterator[Row]:
    for condition in [name for name in outcome if name != "natural"]:
        different = len({copy.id for selected in outcome[condition] for copy in selected[Strategy.SIEVE].copies})
        note = f"merging is {'an error' if condition == HOSTILE else 'wanted'}; {different} different copies"
        for strategy in Strategy:
            yield Row(name=f"{condition}: merged, {strategy}", figure=_merged(outcome, condition, strategy), note=note)
    for kind, about in NEAR_KINDS.items():
        for strategy in (Strategy.NAIVE_DEDUP, Strategy.SIEVE):
            yield Row(name=f"near copies, {about}: merged, {strategy}", figure=_merged(outcome, "near copies", strategy, kind))


def _ranking_chart(scores: Scores) -> Chart:
    return Chart(
        title=f"nDCG@{DEPTH} of the rankers",
        kind=ChartKind.POINTS,
        series=(Series.of(f"nDCG@{DEPTH}", [(name, mean(gains)) for name, (gains, _) in scores.items()]),),
        note="Claims ask for abstracts; higher is better.",
    )


def _recall_chart(outcome: Outcome, policy: Policy) -> Chart:
    series = [
        Series.of(condition, [(str(strategy), mean(_recalls(outcome, condition, strategy))) for strategy in Strategy])
        for condition in outcome
    ]
    return Chart(
        title=f"Recall of the strategies at {policy.assemble.k} passages and {policy.assemble.budget_tokens:,} tokens",
        kind=ChartKind.BARS,
        series=tuple(series),
        note="A strategy that is blind to copies loses places to them. Under hostile copies only the true text counts.",
    )


def _difference_chart(outcome: Outcome) -> Chart:
    return Chart(
        title="Recall of sieve_mmr less that of others, on the same claims",
        kind=ChartKind.POINTS,
        series=tuple(Series.of(f"less {other}", [(name, _difference(outcome, name, other)) for name in outcome]) for other in _OTHERS),
        note="Right of zero: sieve_mmr finds more.",
    )


def _merge_chart(outcome: Outcome) -> Chart:
    conditions = [name for name in outcome if name != "natural"]
    return Chart(
        title="Copies merged with their original",
        kind=ChartKind.BARS,
        series=tuple(Series.of(name, [(str(strategy), _merged(outcome, name, strategy)) for strategy in Strategy]) for name in conditions),
        note="Exact and near copies should be merged, hostile ones (another number or negation) never.",
    )


def _lost(outcome: Outcome, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """Claims for which sieve_mmr finds less than exact does, and hostile copies that sieve merged."""
    for condition, selected in outcome.items():
        worse = [
            f"{claim.id} ({one[Strategy.SIEVE_MMR].recall:.2f} for {one[Strategy.EXACT].recall:.2f})"
            for claim, one in zip(claims, selected, strict=True)
            if one[Strategy.SIEVE_MMR].recall < one[Strategy.EXACT].recall
        ]
        if worse:
            yield f"{condition}: claims with less recall by sieve_mmr than by exact", ", ".join(worse)
    wrong = {copy.id for selected in outcome[HOSTILE] for copy in selected[Strategy.SIEVE].copies if copy.merged}
    if wrong:
        yield "hostile copies that sieve merged (document~number)", ", ".join(sorted(wrong))
