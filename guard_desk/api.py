"""The library: every call of the public API, over the same engine that the command line and the window use.

Query arguments take `str` or `Query`; passages take `Passage` or `str`. Every call that needs models takes
`models=None` (the defaults); models are loaded once a process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from guard_desk import pipeline
from guard_desk.errors import InputError, ModelError
from guard_desk.formats import load_corpus, make_corpus
from guard_desk.formats.paragraphs import line_passages
from guard_desk.formats.trace import load_trace, save_trace
from guard_desk.measure import asking
from guard_desk.measure.judge_comparison import JudgeComparison
from guard_desk.models import judges as judges_by_name
from guard_desk.models.answers import load_finder
from guard_desk.models.judges import load_judge
from guard_desk.models.readers import load_readers
from guard_desk.models.registry import load_generator, load_ranker, token_counter
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.parts import load_parts
from guard_desk.policy import Policy, RetrievePolicy, Strategy, ThinMode, ThinPolicy, Thresholds
from guard_desk.progress import RunContext
from guard_desk.protocols import Judge
from guard_desk.records.answer import Verified
from guard_desk.records.corpus import Corpus, Labels, LoadedQuery, Passage, Query, RecordedAnswers
from guard_desk.records.decision import Decision, MergeVerdict, Override, Thinned
from guard_desk.records.evidence import Answers, Judgement, Retrieved
from guard_desk.records.judging import Estimate
from guard_desk.records.packet import EvidenceItem, EvidencePacket, PacketStats
from guard_desk.records.state import Models
from guard_desk.records.trace import Trace
from guard_desk.stages import thin as thin_stage
from guard_desk.stages import verify as verify_stage
from guard_desk.stages.extract import extract, extract_passages
from guard_desk.stages.filter import filter_corpus
from guard_desk.stages.judge import judge as judge_pool
from guard_desk.stages.retrieve import retrieve
from guard_desk.stages.route import route_answers
from guard_desk.text import guards

Text = str | Query | LoadedQuery
PassageLike = Passage | str

# The language whose pipeline ships with Guard Desk; a pipeline for another one is the caller's choice.
_OWN_LANGUAGE = "en"
_OPTIONAL_FIELDS = ("title", "source", "source_type", "date", "version", "scope", "claim_key", "claim_value")

__all__ = [
    "EvidenceItem",
    "EvidencePacket",
    "Models",
    "PacketStats",
    "build_thin_prompt",
    "compare_judges",
    "estimate",
    "expand",
    "judge",
    "load_corpus",
    "load_trace",
    "merge_verdict",
    "recheck",
    "redecide",
    "route",
    "run",
    "save_trace",
    "search",
    "thin",
    "verify",
    "write_answer",
]


def run(
    corpus: Corpus | Sequence[PassageLike],
    query: Text,
    *,
    policy: Policy | None = None,
    models: Models | None = None,
    answer: str | None = None,
    vectors: npt.ArrayLike | None = None,
    query_vector: npt.ArrayLike | None = None,
    overrides: Sequence[Override] = (),
    ctx: RunContext | None = None,
) -> Trace:
    """The whole path for one question.

    :param query: a `LoadedQuery` brings its answer and its recorded judgements along.
    :param answer: an answer to check; then no generator runs.
    :param vectors: the caller's own vectors, (n, d), one a passage in corpus order; needs `query_vector` (d,) too.
    :param overrides: pairs of passages to merge or to keep apart, over the guards'.
    :raises InputError: for input that cannot be used, naming what and why.
    :raises MissingModelError: naming the command that installs what is missing.
    """
    corpus = _corpus(corpus)
    loaded, models = _loaded(query), models or Models()
    if answer is not None and not isinstance(answer, str):
        raise InputError(f"the answer is a {type(answer).__name__}, not text.")
    if answer is None and models.generator in (None, "none", "recorded"):
        answer = loaded.answer
    parts = load_parts(models, corpus, recorded=loaded.recorded, vectors=vectors, query_vector=query_vector)
    return pipeline.run_path(corpus, loaded.query, policy or Policy(), parts, ctx or RunContext(), answer=answer, overrides=overrides)


def estimate(
    corpus: Corpus | Sequence[PassageLike],
    query: Text,
    *,
    policy: Policy | None = None,
    models: Models | None = None,
    ctx: RunContext | None = None,
) -> Estimate:
    """What judging this question's pool would take; retrieves it, and sends nothing to the judge.

    :raises InputError: for input that cannot be used, naming what and why.
    :raises MissingModelError: naming the command that installs what is missing.
    """
    return asking.estimate(_corpus(corpus), _loaded(query), policy or Policy(), models or Models(), ctx or RunContext())


def compare_judges(
    corpus: Corpus | Sequence[PassageLike],
    query: Text,
    *,
    judges: Sequence[Models | str],
    policy: Policy | None = None,
    labels: Sequence[Labels] | None = None,
    ctx: RunContext | None = None,
) -> JudgeComparison:
    """Ask several judges about one question's pool. It is retrieved once, and stored answers are not asked again.

    :param query: a `LoadedQuery` brings its labels, and its recorded judgements for the judge "recorded".
    :param judges: two or more names, or `Models` with the same encoder.
    :param labels: None = those of the query, where it has any.
    :raises InputError: for fewer than two judges, the same one twice, or different encoders.
    :raises Cancelled: between batches; finished answers are kept.
    """
    chosen = [Models(judge=judge) if isinstance(judge, str) else judge for judge in judges]
    return asking.compare(_corpus(corpus), _loaded(query), chosen, policy or Policy(), labels, ctx or RunContext())


def _loaded(query: Text) -> LoadedQuery:
    return query if isinstance(query, LoadedQuery) else LoadedQuery(query=_query(query))


def redecide(trace: Trace, policy: Policy) -> Trace:
    """The same run under another policy, from stored answers; no model is loaded."""
    return pipeline.redecide(trace, policy, token_counter(trace.prompt.encoding))


def judge(query: Text, passages: Sequence[PassageLike], *, models: Models | None = None) -> tuple[Judgement, ...]:
    """Four answers for each passage, aligned with `passages`; `answers` None when judging one failed."""
    models, ctx = models or Models(), RunContext()
    pool = _passages(passages)
    retrieved = _pool(_query(query), pool, models, ctx)
    return judge_pool(retrieved, _judge(models), None, ctx).judgements


def thresholds_of(models: Models) -> Thresholds:
    """The own thresholds of the judge that these models name."""
    return _judge(models).thresholds


def _judge(models: Models, recorded: Sequence[RecordedAnswers] = ()) -> Judge:
    return load_judge(models.judge, settings=models.judge_settings, recorded=recorded, device=models.device)


def route(judgement: Judgement | Answers, thresholds: Thresholds | None = None) -> Decision:
    """The route of one passage.

    :param thresholds: None = those of the judge that gave the judgement; for plain `Answers` the recipe's.
    """
    if isinstance(judgement, Answers):
        return route_answers(judgement, thresholds or Thresholds())
    return route_answers(judgement.answers, thresholds or judges_by_name.thresholds_of(judgement.judge))


def merge_verdict(a: PassageLike, b: PassageLike) -> MergeVerdict:
    """Whether two passages say the same; else the guard that refused and both differing spans."""
    left, right = _passages([a, b], prefix="p")
    return guards.merge_verdict(left, right)


def thin(
    question: Text, lines_or_passages: Sequence[PassageLike], *, policy: ThinPolicy | Policy | None = None, models: Models | None = None
) -> Thinned:
    """Candidate values for a question from evidence lines (tags optional) or passages.

    :param lines_or_passages: line i of a list has id `L{i}`, 0-based.
    :param policy: its mode is `support` unless another is given.
    :param models: `Models(judge="features")` means the rules alone; others bring the model that marks answers.
    """
    query, passages = _query(question), line_passages(_items(lines_or_passages))
    finder = load_finder(models or Models())
    extracted = extract_passages(query, passages, load_analyzer(), RunContext(), finder=finder)
    return thin_stage.thin_extracted(query, passages, extracted, _thin_policy(policy), today=_today())


def build_thin_prompt(
    question: Text, lines: Sequence[PassageLike], *, policy: ThinPolicy | Policy | None = None, models: Models | None = None
) -> dict[str, object]:
    """A short prompt from the leader's strongest lines: `prompt`, `candidate`, `support`, `tokens`."""
    chosen = replace(_thin_policy(policy), mode=ThinMode.SUPPORT)
    thinned = thin(question, lines, policy=chosen, models=models)
    return thin_stage.build_thin_prompt(_query(question), line_passages(_items(lines)), thinned, chosen, token_counter())


def verify(query: Text, passages: Sequence[PassageLike], answer: str, *, lang: str = "en", models: Models | None = None) -> Verified:
    """What the passages do not support in an answer.

    :param lang: a language code, an installed spaCy package, or the path of a spaCy model.
    :param models: which models read the answer beside the rules; `Models(judge="features")` means the rules alone.
    :returns: findings sorted by position; bad input gives an `input_error` finding (start = end = 0), it never raises.
    :raises ModelError: only when an embedded model is missing or damaged, or the named detector or language model cannot be used.
    """
    readers = load_readers(models or Models())
    try:
        asked, pool = (Query(text="") if query == "" else _query(query)), _passages(passages, prefix="p")
        if not isinstance(lang, str):
            raise InputError(f"lang is a {type(lang).__name__}, not text.")
        return pipeline.check_answer(asked, pool, answer, load_analyzer(lang), RunContext(), readers=readers)
    except InputError as exc:
        return verify_stage.failed(str(exc))
    except ModelError as exc:
        if lang == _OWN_LANGUAGE:
            raise
        return verify_stage.failed(str(exc))


def recheck(trace: Trace, answer: str, ctx: RunContext | None = None, *, models: Models | None = None) -> Trace:
    """The same run with another answer, checked against its pool by the same models as in a run."""
    return pipeline.recheck(trace, answer, load_analyzer(), ctx or RunContext(), readers=load_readers(models or Models()))


def write_answer(trace: Trace, ctx: RunContext | None = None, *, models: Models) -> Trace:
    """The same run with an answer that the generator of these models writes anew from its prompt. Nothing above is asked again.

    :raises InputError: when no generator is chosen.
    :raises MissingModelError: naming the command that installs what is missing.
    """
    generator = load_generator(models)
    if generator is None:
        raise InputError("no generator is chosen.", remedy="Choose one that writes the answer.")
    return pipeline.write_answer(trace, generator, load_analyzer(), token_counter(), ctx or RunContext(), readers=load_readers(models))


def search(
    corpus: Corpus | Sequence[PassageLike],
    query: Text,
    *,
    strategy: Strategy | str = Strategy.SIEVE_MMR,
    k: int = 6,
    budget_tokens: int = 3000,
    version: str | None = None,
    scope: str | None = None,
    vectors: npt.ArrayLike | None = None,
    query_vector: npt.ArrayLike | None = None,
    models: Models | None = None,
    ctx: RunContext | None = None,
) -> EvidencePacket:
    """Retrieve, de-duplicate and select within k and budget, without judging.

    :param version: keep only passages of exactly this version; one without a version is left out. Same for `scope`.
    :raises PolicyError: for a strategy, k or budget that is not allowed.
    """
    corpus, asked, ctx = _corpus(corpus), _query(query), ctx or RunContext()
    asked = _query(replace(asked, version=version or asked.version, scope=scope or asked.scope))
    policy = Policy().with_values({"assemble.strategy": strategy, "assemble.k": k, "assemble.budget_tokens": budget_tokens})
    ranker = load_parts(models or Models(), corpus, vectors=vectors, query_vector=query_vector).ranker
    filtered = filter_corpus(corpus, asked)
    # Copies take places of the pool, so it holds more than k passages by a good margin.
    pool = RetrievePolicy(pool=min(1000, max(50, 8 * policy.assemble.k)))
    retrieved = retrieve(corpus, filtered, asked, ranker, pool, ctx)
    decided = pipeline.select(retrieved, extract(retrieved, load_analyzer(), ctx), policy, token_counter(), ctx)
    prompt = decided.prompt
    hits = {hit.passage_id: hit for hit in retrieved.hits}
    items = tuple(
        EvidenceItem(
            id=block.passage_id,
            title=corpus.get(block.passage_id).title,
            text=corpus.get(block.passage_id).text,
            similarity=hits[block.passage_id].similarity,
            sources=block.sources or tuple(s for s in [corpus.get(block.passage_id).source] if s),
            member_ids=block.member_ids,
            tokens=block.tokens,
        )
        for block in prompt.blocks
    )
    return EvidencePacket(
        question=asked.text,
        strategy=policy.assemble.strategy,
        items=items,
        conflicts=tuple(f"[{block.passage_id}] {note}" for block in prompt.blocks for note in block.notes),
        stats=PacketStats(
            considered=retrieved.considered,
            pool=len(retrieved.hits),
            merged=len(decided.grouped.dropped),
            selected=len(items),
            tokens=prompt.passage_tokens,
            budget_tokens=policy.assemble.budget_tokens,
            left_out_by_filter=filtered.total - len(filtered.kept),
        ),
    )


def expand(corpus: Corpus | Sequence[PassageLike], ids: Sequence[str]) -> tuple[Passage, ...]:
    """The passages behind ids (of a packet's items, or their members), in the order asked.

    :raises InputError: naming an unknown id.
    """
    corpus = _corpus(corpus)
    if isinstance(ids, str):
        raise InputError("ids must be a list of ids, not one text.")
    try:
        return tuple(corpus.get(passage_id) for passage_id in ids)
    except KeyError as exc:
        raise InputError(f"There is no passage {exc.args[0]!r} in this corpus.", remedy="Ids are those of search and run.") from exc


def _pool(query: Query, passages: tuple[Passage, ...], models: Models, ctx: RunContext) -> Retrieved:
    """These passages as a pool, all of them, in the given order."""
    corpus = make_corpus(passages)
    retrieved = retrieve(
        corpus,
        filter_corpus(corpus, replace(query, version=None, scope=None)),
        query,
        load_ranker(models, corpus.passages),
        RetrievePolicy(pool=max(1, len(passages))),
        ctx,
    )
    order = np.argsort([corpus.position(hit.passage_id) for hit in retrieved.hits])
    return replace(
        retrieved,
        hits=tuple(retrieved.hits[i] for i in order),
        passages=tuple(retrieved.passages[i] for i in order),
        pair_similarity=retrieved.pair_similarity[np.ix_(order, order)],
    )


def _corpus(corpus: Corpus | Sequence[PassageLike]) -> Corpus:
    return corpus if isinstance(corpus, Corpus) else make_corpus(_passages(corpus))


def _passages(items: Sequence[PassageLike], *, prefix: str = "L") -> tuple[Passage, ...]:
    return tuple(Passage(id=f"{prefix}{i}", text=item) if isinstance(item, str) else item for i, item in enumerate(_items(items)))


def _items(items: Sequence[PassageLike]) -> tuple[PassageLike, ...]:
    """:raises InputError: for anything but passages and texts, naming the first."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise InputError(f"passages must be a list of passages or texts, not one {type(items).__name__}.")
    found = tuple(items)
    for position, item in enumerate(found):
        if not isinstance(item, Passage | str):
            raise InputError(f"passage {position} is a {type(item).__name__}.", remedy="Give a Passage or a text.")
        if isinstance(item, Passage):
            _check_fields(item, position)
    return found


def _check_fields(passage: Passage, position: int) -> None:
    for name in ("id", "text", *_OPTIONAL_FIELDS):
        value = getattr(passage, name)
        if not isinstance(value, str) and not (value is None and name in _OPTIONAL_FIELDS):
            raise InputError(f"passage {position}: {name} is a {type(value).__name__}, not text.")


def _query(query: Text) -> Query:
    asked = Query(text=query) if isinstance(query, str) else query.query if isinstance(query, LoadedQuery) else query
    if not isinstance(asked, Query) or not isinstance(asked.text, str):
        raise InputError("the question is no text.", remedy="Give a text or a Query.")
    for name, value in (("version", asked.version), ("scope", asked.scope)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{name} = {value!r} is a {type(value).__name__}, not text.", remedy=f"Write {name}={str(value)!r}.")
    if not asked.text.strip():
        raise InputError("the question is empty.", remedy="Ask something.")
    return asked


def _thin_policy(policy: ThinPolicy | Policy | None) -> ThinPolicy:
    if policy is None:
        return Policy().with_value("thin.mode", "support").thin
    return policy.thin if isinstance(policy, Policy) else policy


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
