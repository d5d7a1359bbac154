"""The claims and corpora of the suite `scifact`, and what the stages make of each claim's pool."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from guard_desk import pipeline
from guard_desk.errors import InputError
from guard_desk.formats import load_corpus, make_corpus
from guard_desk.measure.ranking import recall_of
from guard_desk.measure.scifact_copies import MARK as _MARK
from guard_desk.measure.scifact_copies import exact_copies, hostile_copies, near_copies
from guard_desk.policy import Policy, RetrievePolicy, Strategy
from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer, Ranker, TokenCounter
from guard_desk.records.corpus import Corpus, Passage, Query
from guard_desk.records.evidence import Extracted, Filtered, ModelInfo, Retrieved, TextFacts, frozen_array
from guard_desk.stages.extract import extract
from guard_desk.stages.retrieve import retrieve

FOLDER, QRELS = "scifact/beir", "qrels/dev.tsv"
FIRST = 5
"""Of this many documents retrieved for a claim there are copies."""

Copies = Callable[[Passage], tuple[Passage, ...]]
CONDITIONS: Mapping[str, Copies | None] = {
    "natural": None,
    "exact copies": exact_copies,
    "near copies": near_copies,
    "hostile copies": hostile_copies,
}
HOSTILE = "hostile copies"
NEAR_KINDS = {1: "header and line breaks", 2: "other words", 3: "a sentence that leads in or out"}
"""What `near_copies` changes, by the number of the copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim with the ids of the abstracts that are relevant to it."""

    id: str
    query: Query
    relevant: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A copy in the pool beside its original.

    :param merged: whether a group holds both.
    """

    id: str
    merged: bool

    @property
    def kind(self) -> int:
        """Its number among the copies of its original."""
        return int(self.id.partition(_MARK)[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """What one strategy selected for a claim in one condition.

    :param recall: share of the relevant abstracts that are shown. A copy that says the same counts as its original, a hostile one does not.
    :param tokens: of the passages shown.
    """

    recall: float
    copies: tuple[Copy, ...]
    tokens: int


def load_claims(data: Path, n: int | None) -> tuple[Corpus, list[Claim]]:
    """The corpus and the judged claims of the dev part.

    :param n: so many claims, chosen by a hash of their ids; None = all.
    :raises InputError: when the set is not there.
    """
    folder = data / FOLDER
    if not (folder / QRELS).is_file():
        raise InputError(f"{FOLDER}/{QRELS} is not here.", path=data, remedy="Give with --data the folder that holds scifact.")
    loaded = load_corpus(folder)
    relevant: dict[str, set[str]] = {}
    with (folder / QRELS).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            if int(row["score"]) > 0:
                relevant.setdefault(row["query-id"], set()).add(row["corpus-id"])
    texts = dict(_queries(folder))
    claims = [Claim(id=claim, query=Query(text=texts[claim]), relevant=frozenset(found)) for claim, found in relevant.items()]
    claims.sort(key=lambda claim: hashlib.sha256(claim.id.encode()).digest())
    return loaded.corpus, claims[:n]


def _queries(folder: Path) -> Iterator[tuple[str, str]]:
    from guard_desk.measure.judge_rows import records

    for record in records(folder / "queries.jsonl"):
        yield str(record["_id"]), str(record["text"])


@dataclass(slots=True)
class RememberingAnalyzer:
    """Reads each text once: the same abstracts stand in the pools of many claims and in every condition."""

    analyzer: Analyzer
    known: dict[str, TextFacts] = field(default_factory=dict)

    @property
    def info(self) -> ModelInfo:
        """The analyzer's."""
        return self.analyzer.info

    def analyze(self, texts: Sequence[str], ctx: RunContext) -> tuple[TextFacts, ...]:
        """Facts of each text, aligned with `texts`."""
        missing = list(dict.fromkeys(text for text in texts if text not in self.known))
        self.known.update(zip(missing, self.analyzer.analyze(missing, ctx), strict=True))
        return tuple(self.known[text] for text in texts)


def original(passage_id: str) -> str:
    """The id of the passage that a copy was made of; of another passage its own."""
    return passage_id.partition(_MARK)[0]


def with_copies(corpus: Corpus, firsts: Mapping[str, Sequence[str]], copies: Copies) -> tuple[Corpus, dict[str, Filtered]]:
    """The corpus with copies of the first documents of every claim, and for each claim what of it is its own.

    One corpus serves all claims, so that it is indexed once; a claim sees the copies that were made for it and no others.

    :param firsts: by claim, the ids of the documents that copies are made of.
    """
    made: dict[str, tuple[Passage, ...]] = {}
    for ids in firsts.values():
        for passage_id in ids:
            if passage_id not in made:
                made[passage_id] = copies(corpus.get(passage_id))
    whole = make_corpus((*corpus.passages, *(copy for group in made.values() for copy in group)))
    base = np.arange(len(corpus), dtype=np.int64)
    filtered = {}
    for claim, ids in firsts.items():
        own = [whole.position(copy.id) for passage_id in ids for copy in made[passage_id]]
        kept = np.concatenate([base, np.array(sorted(own), dtype=np.int64)])
        frozen_array(kept)
        filtered[claim] = Filtered(kept=kept, total=len(whole))
    return whole, filtered


def everything(corpus: Corpus) -> Filtered:
    """All passages."""
    kept = np.arange(len(corpus), dtype=np.int64)
    frozen_array(kept)
    return Filtered(kept=kept, total=len(corpus))


def pool_of(corpus: Corpus, filtered: Filtered, claim: Claim, ranker: Ranker, policy: Policy, ctx: RunContext) -> Retrieved:
    """The pool of a claim, as a search retrieves it."""
    return retrieve(corpus, filtered, claim.query, ranker, RetrievePolicy(pool=max(policy.retrieve.pool, 8 * policy.assemble.k)), ctx)


def read_pool(retrieved: Retrieved, analyzer: Analyzer, ctx: RunContext) -> Extracted:
    """The facts of a pool."""
    return extract(retrieved, analyzer, ctx)


def select_all(
    claim: Claim, retrieved: Retrieved, extracted: Extracted, policy: Policy, counter: TokenCounter, *, hostile: bool
) -> dict[Strategy, Selected]:
    """What each strategy selects of a pool, through the stages that a search runs."""
    return {strategy: _selected(claim, retrieved, extracted, policy, counter, strategy, hostile=hostile) for strategy in Strategy}


def _selected(
    claim: Claim, retrieved: Retrieved, extracted: Extracted, policy: Policy, counter: TokenCounter, strategy: Strategy, *, hostile: bool
) -> Selected:
    chosen = replace(policy, assemble=replace(policy.assemble, strategy=strategy))
    decided = pipeline.select(retrieved, extracted, chosen, counter)
    shown = [block.passage_id for block in decided.prompt.blocks]
    home = {member: group.id for group in decided.grouped.groups for member in group.members}
    copies = [passage_id for passage_id in home if original(passage_id) != passage_id and original(passage_id) in home]
    return Selected(
        recall=recall_of(shown if hostile else [original(passage_id) for passage_id in shown], claim.relevant),
        copies=tuple(Copy(id=copy, merged=home[copy] == home[original(copy)]) for copy in copies),
        tokens=decided.prompt.passage_tokens,
    )
