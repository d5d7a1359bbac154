"""The suite `speed`: each time beside a named peer in the same run, so that a slow machine does not look like a slow program."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from guard_desk import pipeline, resources
from guard_desk.formats import load_corpus, make_corpus
from guard_desk.measure.memory import peak_bytes, resident_bytes
from guard_desk.measure.tables import Row, Table
from guard_desk.models.registry import load_encoder, load_ranker
from guard_desk.parts import load_parts, vector_store
from guard_desk.policy import DedupPolicy, Policy, RetrievePolicy, Strategy, Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Corpus, Passage, Query
from guard_desk.records.decision import Group, Grouped
from guard_desk.records.evidence import Answers, Judged, Judgement, ModelInfo
from guard_desk.records.state import Models
from guard_desk.stages.dedup import dedup
from guard_desk.stages.extract import extract
from guard_desk.stages.filter import filter_corpus
from guard_desk.stages.retrieve import retrieve
from guard_desk.stages.route import route

REROUTED, REGROUPED, ENCODED, MANY = 10_000, 100, 400, 100_000


def speed(models: Models, data: Path | None, repeats: int, ctx: RunContext) -> Table:
    """Measure.

    :param data: folder with a BEIR corpus to reopen (SciFact in `scifact/beir`); without it that row is not measured.
    :param repeats: runs of each short measurement; the median is reported.
    :param ctx: told of the first encoding of the corpus to reopen, which takes minutes.
    """
    rows = [*_reroute(repeats), *_regroup(models, repeats), *_encode(models), *_reopen(models, data, ctx), *_demo(models), *_memory()]
    return Table(suite="speed", rows=tuple(rows))


def _median_s(work: Callable[[], object], repeats: int) -> float:
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _reroute(repeats: int) -> list[Row]:
    rng = np.random.default_rng(0)
    ids = [f"p{i}" for i in range(REROUTED)]
    columns = rng.random((REROUTED, 4))
    answers = [Answers(relevant=r, evidence=e, contradicts=c, injection=i) for r, e, c, i in columns.tolist()]
    judged = Judged(
        judgements=tuple(Judgement(passage_id=p, answers=a, judge="bench") for p, a in zip(ids, answers, strict=True)),
        judge=ModelInfo(name="bench", revision="1"),
        thresholds=Thresholds(),
    )
    groups = tuple(Group(id=p, members=(p,), member_sources=("",)) for p in ids)
    grouped = Grouped(groups=groups, refusals=(), dropped=(), strategy=Strategy.SIEVE_MMR)
    limits = Thresholds(evidence_min=0.5)
    ours = _median_s(lambda: route(judged, grouped, limits), repeats)
    loop = _median_s(lambda: [_plain_rule(a, limits) for a in answers], repeats)
    return [
        Row(name="re-route 10,000 passages", figure=ours * 1000, unit="ms"),
        Row(name="  ratio to a plain Python loop over the rule", figure=ours / loop, unit="x", note=f"loop {loop * 1000:.2f} ms"),
    ]


def _plain_rule(answers: Answers, limits: Thresholds) -> str:
    """The rule as one would write it by hand: the peer of `route`."""
    if answers.injection > limits.injection_max:
        return "exclude"
    if answers.contradicts > limits.contradicts_min:
        return "conflict"
    if answers.relevant < limits.relevant_min:
        return "exclude"
    return "include" if answers.evidence > limits.evidence_min else "exclude"


def _demo_corpus() -> Corpus:
    return load_corpus(resources.path("demo", "harbourlight.guarddesk.json")).corpus


def _regroup(models: Models, repeats: int) -> list[Row]:
    passages = _demo_corpus().passages
    copies = tuple(replace(p, id=f"{p.id}-{n}") for n in range(2) for p in passages)[:REGROUPED]
    corpus, ctx = make_corpus(copies), RunContext()
    query = Query(text="How long are deleted files kept?")
    parts = load_parts(models, corpus)
    found = retrieve(corpus, filter_corpus(corpus, query), query, parts.ranker, RetrievePolicy(pool=REGROUPED), ctx)
    facts = extract(found, parts.analyzer, ctx)
    start = time.perf_counter()
    dedup(found, facts, DedupPolicy(), Strategy.SIEVE)
    first = time.perf_counter() - start
    floors = iter(np.linspace(0.5, 0.99, repeats + 1))
    again = _median_s(lambda: dedup(found, facts, DedupPolicy(similarity_floor=float(next(floors))), Strategy.SIEVE), repeats)
    return [
        Row(name="regroup 100 passages, floor moved", figure=again * 1000, unit="ms"),
        Row(name="  first grouping of the pool", figure=first * 1000, unit="ms"),
    ]


def _encode(models: Models) -> list[Row]:
    encoder = load_encoder("minilm", models.device)
    texts = [p.text for p in _demo_corpus().passages]
    passages = [Passage(id=str(i), text=f"{i}. {texts[i % len(texts)]}") for i in range(ENCODED)]
    plain = encoder.load()  # type: ignore[attr-defined]
    bodies = [p.text for p in passages]
    encoder.encode_passages(passages[:64], RunContext())
    ours = _median_s(lambda: encoder.encode_passages(passages, RunContext()), 3)
    theirs = _median_s(lambda: plain.encode(bodies, normalize_embeddings=True, show_progress_bar=False), 3)
    return [
        Row(name="encode passages (minilm)", figure=ENCODED / ours, unit="passages/s", note=encoder.info.device),
        Row(
            name="  time as a ratio to SentenceTransformer.encode",
            figure=ours / theirs,
            unit="x",
            note=f"{ENCODED / theirs:.0f} passages/s",
        ),
    ]


def _reopen(models: Models, data: Path | None, ctx: RunContext) -> list[Row]:
    name = "reopen SciFact with its vectors stored"
    folder = None if data is None else data / "scifact" / "beir"
    if folder is None or not folder.is_dir():
        return [Row(name=name, figure=float("nan"), unit="s", note="needs --data with scifact/beir")]

    def load_and_index() -> tuple[float, float]:
        start = time.perf_counter()
        corpus = load_corpus(folder).corpus
        loaded = time.perf_counter()
        ranker = load_ranker(models, corpus.passages, store=vector_store(resources.home()))
        ranker.index(corpus.passages, ctx)
        return loaded - start, time.perf_counter() - loaded

    load_and_index()
    load_s, index_s = load_and_index()
    return [Row(name=name, figure=load_s + index_s, unit="s", note=f"load {load_s:.2f} s, vectors {index_s:.2f} s")]


def _demo(models: Models) -> list[Row]:
    case = load_corpus(resources.path("demo", "harbourlight.guarddesk.json"))
    question = case.queries[0]
    parts = load_parts(models, case.corpus)
    start = time.perf_counter()
    trace = pipeline.run_path(case.corpus, question.query, Policy(), replace(parts, store=None), RunContext(), answer=question.answer)
    whole = time.perf_counter() - start
    again = _median_s(lambda: pipeline.redecide(trace, Policy().with_value("thresholds.evidence_min", 0.3), parts.counter), 5)
    stages = ", ".join(f"{timing.stage} {timing.seconds * 1000:.0f}" for timing in trace.timings)
    return [
        Row(name="whole path on the demo, models loaded, nothing judged before", figure=whole, unit="s", note=f"ms: {stages}"),
        Row(name="  decide again, no model", figure=again * 1000, unit="ms"),
    ]


def _memory() -> list[Row]:
    line = "Reading {n} of the meter in hall {hall} was taken by the night shift and is {value} litres; the next is due after the holidays."
    with TemporaryDirectory() as folder:
        file = Path(folder) / "many.jsonl"
        with file.open("w", encoding="utf-8") as stream:
            for n in range(MANY):
                stream.write(f'{{"id": "k{n}", "text": "{line.format(n=n, hall=n % 17, value=n * 7 % 1000)}"}}\n')
        size, before = file.stat().st_size, resident_bytes()
        corpus = load_corpus(file).corpus
        filtered = filter_corpus(corpus, Query(text="Which reading?", version="2"))
        grown = peak_bytes() - before
    note = f"file {size / 2**20:.0f} MiB, {len(filtered.kept)} kept by a filter that none passes"
    return [Row(name=f"memory with {MANY:,} passages", figure=max(0, grown) / 2**20, unit="MiB", note=note)]
