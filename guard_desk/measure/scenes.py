"""The suite `scenes`: what each strategy keeps of the facts that a question needs.

Twelve scenes say the same in several ways, so that one fact can fill every place; twelve hold passages that are nearly the same and
differ in something that matters, so that merging loses a fact. They are data in `resources/bench/scenes.toml`, frozen before the first run.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from guard_desk import pipeline, resources
from guard_desk.formats import make_corpus
from guard_desk.measure.metrics import Figure, bootstrap
from guard_desk.measure.tables import Chart, ChartKind, Row, Series, Table
from guard_desk.models.registry import load_ranker, token_counter
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.parts import vector_store
from guard_desk.policy import Policy, RetrievePolicy, Strategy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models
from guard_desk.stages.extract import extract
from guard_desk.stages.filter import filter_corpus
from guard_desk.stages.retrieve import retrieve

KINDS = ("synonyms", "differences")
PLACES = 4
"""Passages shown: fixed before the first run. No scene needs more facts than that."""
# The published tool's own twelve scenes of each kind; other texts and another encoder.
PUBLISHED: Mapping[str, Mapping[Strategy, float]] = {
    "synonyms": {Strategy.TOPK: 0.6944, Strategy.SIEVE: 0.8056, Strategy.MMR: 0.8611},
    "differences": {Strategy.NAIVE_DEDUP: 0.75, Strategy.SIEVE: 1.0},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A question with passages and the facts that it needs.

    :param facts: (fact, ids of the passages that carry it).
    """

    id: str
    kind: str
    lang: str
    question: str
    passages: tuple[Passage, ...]
    facts: tuple[tuple[str, frozenset[str]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a strategy showed of a scene.

    :param missing: the facts that no shown passage carries.
    """

    scene: Scene
    shown: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def facts(self) -> int:
        """Facts that are kept."""
        return len(self.scene.facts) - len(self.missing)


def scenes(models: Models, data: Path | None, n: int | None, ctx: RunContext, *, policy: Policy | None = None) -> Table:
    """Measure every strategy on every scene.

    :param data: not needed; the scenes are shipped. `n` is not read either.
    :param policy: None = the default with `PLACES`.
    """
    del data, n
    policy = policy or Policy().with_value("assemble.k", PLACES)
    kept: dict[Strategy, list[Kept]] = {strategy: [] for strategy in Strategy}
    infos: list[ModelInfo] = []
    every = load_scenes()
    for scene in ctx.track(every, "scenes", len(every), unit="scenes"):
        info, found = show(scene, models, policy, ctx)
        infos += [info] if info not in infos else []
        for strategy, one in found.items():
            kept[strategy].append(one)
    rows = (*_rows(kept, policy), *_language_rows(kept))
    return Table(suite="scenes", rows=rows, details=tuple(_missing(kept)), charts=(_chart(kept, policy),), models=tuple(infos))


@cache
def load_scenes() -> tuple[Scene, ...]:
    """The shipped scenes, in the order of the file."""
    data = tomllib.loads(resources.path("bench", "scenes.toml").read_text(encoding="utf-8"))
    return tuple(_scene(record) for record in data["scene"])


def _scene(record: Mapping[str, object]) -> Scene:
    texts, facts = record["passages"], record["facts"]
    assert isinstance(texts, dict)
    assert isinstance(facts, dict)
    return Scene(
        id=str(record["id"]),
        kind=str(record["kind"]),
        lang=str(record["lang"]),
        question=str(record["question"]),
        passages=tuple(Passage(id=passage_id, text=text) for passage_id, text in texts.items()),
        facts=tuple((fact, frozenset(ids)) for fact, ids in facts.items()),
    )


def show(scene: Scene, models: Models, policy: Policy, ctx: RunContext) -> tuple[ModelInfo, dict[Strategy, Kept]]:
    """What each strategy shows of a scene, and the ranker. A fact that stands only in a merged passage is not shown."""
    corpus, query = make_corpus(scene.passages), Query(text=scene.question)
    ranker = load_ranker(models, corpus.passages, store=vector_store(resources.home()))
    pool = RetrievePolicy(pool=len(scene.passages))
    retrieved = retrieve(corpus, filter_corpus(corpus, query), query, ranker, pool, ctx)
    extracted = extract(retrieved, load_analyzer(), ctx)
    found = {}
    for strategy in Strategy:
        chosen = replace(policy, assemble=replace(policy.assemble, strategy=strategy))
        prompt = pipeline.select(retrieved, extracted, chosen, token_counter(), ctx).prompt
        shown = tuple(block.passage_id for block in prompt.blocks)
        missing = tuple(fact for fact, carriers in scene.facts if carriers.isdisjoint(shown))
        found[strategy] = Kept(scene=scene, shown=shown, missing=missing)
    return ranker.info, found


def coverage(kept: Sequence[Kept]) -> Figure:
    """Share of all facts that are kept, with a bootstrap interval over scenes; n is the number of facts."""
    facts = [len(one.scene.facts) for one in kept]
    hits = [one.facts for one in kept]
    drawn = bootstrap(lambda index: sum(hits[i] for i in index) / sum(facts[i] for i in index), len(kept), rounds=2000)
    return replace(drawn, n=sum(facts))


def less(kept: Sequence[Kept], other: Sequence[Kept]) -> Figure:
    """Coverage less that of another strategy on the same scenes, with a bootstrap interval over scenes."""
    facts = [len(one.scene.facts) for one in kept]
    apart = [mine.facts - theirs.facts for mine, theirs in zip(kept, other, strict=True)]
    drawn = bootstrap(lambda index: sum(apart[i] for i in index) / sum(facts[i] for i in index), len(kept), rounds=2000)
    return replace(drawn, n=sum(facts))


def _of(kept: Sequence[Kept], kind: str, lang: str | None = None) -> list[Kept]:
    return [one for one in kept if one.scene.kind == kind and lang in (None, one.scene.lang)]


def _rows(kept: Mapping[Strategy, Sequence[Kept]], policy: Policy) -> Iterator[Row]:
    for kind in KINDS:
        for strategy in Strategy:
            known = PUBLISHED[kind].get(strategy)
            beside = f"; published on scenes of its own: {known:.4f}" if known is not None else ""
            note = f"{len(_of(kept[strategy], kind))} scenes, {policy.assemble.k} passages{beside}"
            yield Row(name=f"{kind}: facts kept, {strategy}", figure=coverage(_of(kept[strategy], kind)), note=note)
        for other in (Strategy.TOPK, Strategy.NAIVE_DEDUP, Strategy.MMR):
            figure = less(_of(kept[Strategy.SIEVE_MMR], kind), _of(kept[other], kind))
            yield Row(name=f"{kind}: facts kept, sieve_mmr - {other}", figure=figure, note="paired")


def _language_rows(kept: Mapping[Strategy, Sequence[Kept]]) -> Iterator[Row]:
    for kind in KINDS:
        for lang in sorted({one.scene.lang for one in kept[Strategy.TOPK]}):
            for strategy in Strategy:
                yield Row(name=f"{kind} {lang}: facts kept, {strategy}", figure=coverage(_of(kept[strategy], kind, lang)))


def _missing(kept: Mapping[Strategy, Sequence[Kept]]) -> Iterator[tuple[str, str]]:
    for strategy, found in kept.items():
        lost = [f"{one.scene.id}: {fact}" for one in found for fact in one.missing]
        if lost:
            yield f"{strategy} misses", "; ".join(lost)


def _chart(kept: Mapping[Strategy, Sequence[Kept]], policy: Policy) -> Chart:
    ours = [Series.of(kind, [(str(name), coverage(_of(found, kind))) for name, found in kept.items()]) for kind in KINDS]
    return Chart(
        title=f"Facts kept at {policy.assemble.k} passages",
        kind=ChartKind.BARS,
        series=tuple(ours),
        note="Synonyms punish blindness to repetition, differences punish merging; higher is better.",
    )
