"""The spine: the stages in order, and what a change makes stale.

`run_path` runs everything once. `redecide` runs only the policy stages on stored results: no model is called, so it is
what a moving slider uses. Only the answer can become stale; it is marked, never written anew behind the user's back.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from guard_desk.errors import ModelError
from guard_desk.policy import AnswerMode, Policy, Thresholds
from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer, AnswerFinder, AnswerStore, Generator, Judge, Ranker, Readers, TokenCounter
from guard_desk.records.answer import Action, AnswerState, Counts, Generated, Verified
from guard_desk.records.corpus import Corpus, Passage, Query
from guard_desk.records.decision import Grouped, Override, Prompt, Routed, Thinned
from guard_desk.records.evidence import Extracted, Filtered, Judged, ModelInfo, Retrieved
from guard_desk.records.trace import Timing, Trace
from guard_desk.stages.assemble import assemble
from guard_desk.stages.attribute import attribute
from guard_desk.stages.dedup import dedup
from guard_desk.stages.extract import extract
from guard_desk.stages.filter import filter_corpus
from guard_desk.stages.generate import NO_GENERATOR, Stopped, best_first, generate
from guard_desk.stages.judge import judge
from guard_desk.stages.retrieve import retrieve
from guard_desk.stages.route import accept_all, route
from guard_desk.stages.thin import thin
from guard_desk.stages.verify import failed, verify_answer
from guard_desk.text.thinning.statements import pool_of, read_statements
from guard_desk.version import __version__

MODEL_STAGES = ("retrieve", "judge", "extract", "generate", "verify")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The loaded models and stores that a run uses.

    :param finder: marks the words of passages that answer the question; None = candidates come from the rules alone.
    :param readers: the models that read the answer beside the rules.
    """

    ranker: Ranker
    judge: Judge
    analyzer: Analyzer
    counter: TokenCounter
    finder: AnswerFinder | None = None
    generator: Generator | None = None
    store: AnswerStore | None = None
    readers: Readers = field(default_factory=Readers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What the policy stages made of stored model results."""

    grouped: Grouped
    routed: Routed
    thinned: Thinned
    prompt: Prompt


@dataclass(slots=True)
class _Clock:
    """Wall seconds a stage, in order."""

    timings: list[Timing] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings.append(Timing(stage=name, seconds=time.perf_counter() - start))


def run_path(
    corpus: Corpus,
    query: Query,
    policy: Policy,
    parts: Parts,
    ctx: RunContext,
    *,
    answer: str | None = None,
    overrides: Sequence[Override] = (),
) -> Trace:
    """The whole path for one question. Each stage's result is handed to `ctx.partial` as soon as it is there.

    A generator that fails costs the answer alone, and a model that reads the answer the check alone: the trace says why
    (`Generated.failure`, `Verified.failure`). After a cancel while it writes, the trace
    without an answer is handed to `ctx.partial`.

    :param answer: an answer that is given; then no generator runs.
    :param overrides: pairs of passages that a person merged or keeps apart.
    :raises Cancelled: between batches; finished judgements and vectors are kept in their stores.
    """
    clock = _Clock()
    before = _before_the_answer(corpus, query, policy, parts, ctx, clock, tuple(overrides))
    return _answered(before, parts.generator, parts.analyzer, parts.counter, parts.readers, ctx, clock, answer)


def write_answer(
    trace: Trace, generator: Generator, analyzer: Analyzer, counter: TokenCounter, ctx: RunContext, *, readers: Readers | None = None
) -> Trace:
    """The same run with an answer that is written anew from its prompt, and checked. Nothing above the answer is asked again.

    :param readers: models that read the answer too; None for the rules alone.
    :raises Cancelled: as in `run_path`.
    """
    clock = _Clock([timing for timing in trace.timings if timing.stage not in ("generate", "verify", "attribute")])
    asked_before = (trace.generated.generator, *trace.verified.models)
    before = replace(
        trace,
        models=tuple(model for model in trace.models if model not in asked_before),
        stale=tuple(stage for stage in trace.stale if stage != "generate"),
    )
    return _answered(before, generator, analyzer, counter, readers or Readers(), ctx, clock, None)


def _answered(
    before: Trace,
    generator: Generator | None,
    analyzer: Analyzer,
    counter: TokenCounter,
    readers: Readers,
    ctx: RunContext,
    clock: _Clock,
    given: str | None,
) -> Trace:
    """The whole run, from its prompt on."""
    try:
        with clock.stage("generate"):
            generated = _answer(before, generator, counter, ctx, given)
    except Stopped as stop:
        ctx.partial(_with_answer_checked(before, stop.generated, _unchecked(stop.generated), clock))
        raise
    ctx.partial(generated)
    with clock.stage("verify"):
        verified = _verify(generated, before.retrieved, before.extracted, analyzer, readers, ctx)
    return _with_answer_checked(before, generated, verified, clock)


def _before_the_answer(
    corpus: Corpus, query: Query, policy: Policy, parts: Parts, ctx: RunContext, clock: _Clock, overrides: tuple[Override, ...]
) -> Trace:
    """The run up to the prompt, as a trace without an answer."""
    created = datetime.now(UTC).isoformat(timespec="seconds")
    filtered, retrieved, judged, extracted = _model_stages(corpus, query, policy, parts, ctx, clock)
    decided = decide(retrieved, judged, extracted, policy, parts.counter, today=created[:10], clock=clock, overrides=overrides)
    ctx.partial(decided)
    nothing = Generated(text=None, generator=NO_GENERATOR)
    unchecked = _unchecked(nothing)
    return Trace(
        query=query,
        policy=policy,
        corpus_path=corpus.path,
        corpus_digest=corpus.digest,
        filtered=filtered,
        retrieved=retrieved,
        judged=judged,
        extracted=extracted,
        grouped=decided.grouped,
        routed=decided.routed,
        thinned=decided.thinned,
        prompt=decided.prompt,
        generated=nothing,
        verified=unchecked,
        attributed=attribute(unchecked, decided.prompt),
        models=(retrieved.encoder, judged.judge, extracted.analyzer, *((extracted.finder,) if extracted.finder else ())),
        timings=(),
        created=created,
        version=__version__,
        overrides=overrides,
    )


def _with_answer_checked(before: Trace, generated: Generated, verified: Verified, clock: _Clock) -> Trace:
    """The whole run."""
    with clock.stage("attribute"):
        attributed = attribute(verified, before.prompt)
    return replace(
        before,
        generated=generated,
        verified=verified,
        attributed=attributed,
        models=(*before.models, generated.generator, *verified.models),
        timings=tuple(clock.timings),
    )


def _answer(before: Trace, generator: Generator | None, counter: TokenCounter, ctx: RunContext, given: str | None) -> Generated:
    """The answer, with the mark of what it was written from."""
    prompt, thinned, policy = before.prompt, before.thinned, before.policy
    written = generate(prompt, generator, ctx, query=before.query, thinned=thinned, policy=policy.generate, counter=counter, given=given)
    return written if written.given or written.failure else replace(written, prompt_digest=_digest(prompt, thinned, policy))


def _model_stages(
    corpus: Corpus, query: Query, policy: Policy, parts: Parts, ctx: RunContext, clock: _Clock
) -> tuple[Filtered, Retrieved, Judged, Extracted]:
    with clock.stage("filter"):
        filtered = filter_corpus(corpus, query)
    ctx.partial(filtered)
    with clock.stage("retrieve"):
        retrieved = retrieve(corpus, filtered, query, parts.ranker, policy.retrieve, ctx)
    ctx.partial(retrieved)
    with clock.stage("judge"):
        judged = judge(retrieved, parts.judge, parts.store, ctx)
    ctx.partial(judged)
    with clock.stage("extract"):
        extracted = extract(retrieved, parts.analyzer, ctx, finder=parts.finder)
        ctx.check()
        # What the passages state is read while the run is told to be at work, so that the first move of a slider of `thin` finds it.
        read_statements(query.text, pool_of(retrieved.passages, extracted))
    ctx.partial(extracted)
    return filtered, retrieved, judged, extracted


def thresholds_in_force(policy: Policy, judged: Judged) -> Thresholds:
    """The policy's thresholds, or else the judge's own."""
    return policy.thresholds or judged.thresholds


def decide(
    retrieved: Retrieved,
    judged: Judged,
    extracted: Extracted,
    policy: Policy,
    counter: TokenCounter,
    *,
    today: str,
    clock: _Clock | None = None,
    grouped: Grouped | None = None,
    overrides: Sequence[Override] = (),
) -> Decided:
    """The policy stages: pure functions of what is stored, in milliseconds.

    :param today: the run date, YYYY-MM-DD; evidence dated later counts as undated.
    :param grouped: groups that still hold, so that a threshold's slider does not group again.
    :param overrides: pairs of passages that a person merged or keeps apart.
    """
    clock = clock or _Clock()
    with clock.stage("dedup"):
        grouped = grouped or dedup(retrieved, extracted, policy.dedup, policy.assemble.strategy, overrides=overrides)
    with clock.stage("route"):
        routed = route(judged, grouped, thresholds_in_force(policy, judged))
    with clock.stage("thin"):
        thinned = thin(routed, retrieved, extracted, policy.thin, today=today)
    with clock.stage("assemble"):
        prompt = assemble(thinned, retrieved, grouped, routed, policy.assemble, counter)
    return Decided(grouped=grouped, routed=routed, thinned=thinned, prompt=prompt)


def select(retrieved: Retrieved, extracted: Extracted, policy: Policy, counter: TokenCounter, ctx: RunContext | None = None) -> Decided:
    """Group and assemble a pool that nobody judged: every passage is accepted and nothing is thinned.

    :param policy: its `dedup` and `assemble` count.
    :raises Cancelled: while passages are being compared.
    """
    grouped = dedup(retrieved, extracted, policy.dedup, policy.assemble.strategy, ctx)
    routed = accept_all(grouped, [hit.passage_id for hit in retrieved.hits])
    thinned = Thinned(candidates=(), leader=None, contested=False, conflict=False, support=(), dropped=())
    prompt = assemble(thinned, retrieved, grouped, routed, policy.assemble, counter)
    return Decided(grouped=grouped, routed=routed, thinned=thinned, prompt=prompt)


def redecide(trace: Trace, policy: Policy, counter: TokenCounter, *, overrides: Sequence[Override] | None = None) -> Trace:
    """The same run under another policy, from stored results alone. No model is called.

    :param overrides: pairs that a person merged or keeps apart; None = those of the run.
    :returns: a trace whose `stale` names what would come out differently if it ran again: "retrieve" when the pool's
        size changed, "generate" when the answer was written from another prompt.
    """
    said = trace.overrides if overrides is None else tuple(overrides)
    same_policy = policy.dedup == trace.policy.dedup and policy.assemble.strategy == trace.policy.assemble.strategy
    decided = decide(
        trace.retrieved,
        trace.judged,
        trace.extracted,
        policy,
        counter,
        today=trace.created[:10],
        grouped=trace.grouped if same_policy and said == trace.overrides else None,
        overrides=said,
    )
    return replace(
        trace,
        policy=policy,
        overrides=said,
        grouped=decided.grouped,
        routed=decided.routed,
        thinned=decided.thinned,
        prompt=decided.prompt,
        attributed=attribute(trace.verified, decided.prompt),
        stale=_stale(trace, policy, decided.prompt, decided.thinned),
    )


def recheck(trace: Trace, answer: str, analyzer: Analyzer, ctx: RunContext, *, readers: Readers | None = None) -> Trace:
    """The same run with another answer, given by the user.

    :param readers: models that read the answer too; None for the rules alone.
    :raises Cancelled: between batches.
    """
    generated = Generated(text=answer, generator=trace.generated.generator, given=True)
    verified = _verify(generated, trace.retrieved, trace.extracted, analyzer, readers or Readers(), ctx)
    return replace(
        trace,
        generated=generated,
        verified=verified,
        attributed=attribute(verified, trace.prompt),
        models=_with_readers(trace, verified),
        stale=tuple(s for s in trace.stale if s != "generate"),
    )


def _with_readers(trace: Trace, verified: Verified) -> tuple[ModelInfo, ...]:
    """The models of a run, with those that read this answer in place of those that read the one before."""
    return (*(model for model in trace.models if model not in trace.verified.models), *verified.models)


def with_answer(trace: Trace, checked: Trace) -> Trace:
    """A run with the answer of another trace of the same pool, as it was checked there. No model is called."""
    told = replace(trace, generated=checked.generated, verified=checked.verified, models=_with_readers(trace, checked.verified))
    return replace(told, attributed=attribute(told.verified, told.prompt), stale=_stale(told, told.policy, told.prompt, told.thinned))


def check_answer(
    query: Query,
    passages: Sequence[Passage],
    answer: str,
    analyzer: Analyzer,
    ctx: RunContext,
    *,
    languages: Sequence[str] | None = None,
    readers: Readers | None = None,
) -> Verified:
    """Verify an answer against passages outside a run.

    :param readers: models that read the answer too; None for the rules alone.
    """
    titled = [index for index, passage in enumerate(passages) if passage.title]
    texts = analyzer.analyze([passage.text for passage in passages], ctx)
    titles = dict(zip(titled, analyzer.analyze([passages[index].title or "" for index in titled], ctx), strict=True))
    aligned = [titles.get(index) for index in range(len(passages))]
    return verify_answer(query, passages, texts, aligned, answer, analyzer, ctx, languages=languages, readers=readers)


def _verify(
    generated: Generated, retrieved: Retrieved, extracted: Extracted, analyzer: Analyzer, readers: Readers, ctx: RunContext
) -> Verified:
    """Check the answer against the whole pool; no answer and a model that fails are states of their own, not errors."""
    if generated.text is None:
        return _unchecked(generated)
    pool, titles = retrieved.passages, extracted.titles
    try:
        return verify_answer(retrieved.query, pool, extracted.texts, titles, generated.text, analyzer, ctx, readers=readers)
    except ModelError as exc:
        # What was judged and written is worth more than the check that failed.
        return replace(failed(f"nothing was checked: {exc}"), failure=f"A model that reads the answer failed: {exc}")


def _unchecked(generated: Generated) -> Verified:
    """Where there is no answer nothing is checked; one that was asked for and did not come is a finding, so that nobody proceeds."""
    if generated.failure:
        nothing = failed(f"nothing was checked: there is no answer. {generated.failure}", AnswerState.EMPTY)
        return replace(nothing, failure=f"There is no answer. {generated.failure}")
    return Verified(action=Action.PROCEED, spans=(), claims=(), counts=Counts(), state=AnswerState.EMPTY)


def _stale(trace: Trace, policy: Policy, prompt: Prompt, thinned: Thinned) -> tuple[str, ...]:
    written_from = trace.generated.prompt_digest
    stale = []
    if min(policy.retrieve.pool, trace.retrieved.considered) != len(trace.retrieved.hits):
        stale.append("retrieve")
    if written_from and written_from != _digest(prompt, thinned, policy):
        stale.append("generate")
    return tuple(stale)


def _digest(prompt: Prompt, thinned: Thinned, policy: Policy) -> str:
    """Of all that an answer is written from: the prompt, and in rounds also their order, number and last word."""
    told = [prompt.text]
    if policy.generate.mode is not AnswerMode.ONCE:
        told += [policy.generate.mode, str(policy.generate.max_rounds), *best_first(prompt, thinned)]
    if policy.generate.mode is AnswerMode.ROUNDS_OR_LEADER:
        told.append(thinned.leader or "")
    return hashlib.sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()
