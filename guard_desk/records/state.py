"""What a person can change: one frozen record, so that undo is simply the record before."""

from __future__ import annotations

from dataclasses import dataclass, field

from guard_desk.policy import Policy
from guard_desk.records.corpus import Labels, Query
from guard_desk.records.decision import Override
from guard_desk.records.judging import JudgeSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Which models a run uses; part of cache keys, never of the policy.

    :param encoder: minilm, tfidf, bm25, hybrid, "folder:PATH", a path, or "organisation/name" of the local hub cache.
    :param judge: embedded, features, recorded, systemone, gguf, llm or cross-encoder. "NAME:TARGET" sets `judge_settings.target` too,
        e.g. "gguf:model.gguf".
    :param generator: None or "none" (an answer is given), "recorded", "local", a fetched model's name, the path of a GGUF file, a causal or
        sequence-to-sequence model as "transformers:FOLDER" or "transformers:organisation/name" of the local hub cache (or one of them
        alone), or a server as "openai:ADDRESS" or "openai:MODEL@ADDRESS"; `models.generators.host_of` says where prompts go then.
    :param device: auto, cpu, cuda, cuda:N or mps.
    :param detector: a token classifier that marks unsupported words of the answer: a folder, or "organisation/name" of the local hub
        cache; None = none.
    :param claim_model: a language model that is asked about each sentence of the answer: "local", a fetched model's name, the path of a
        GGUF file, "transformers:FOLDER", "openai:ADDRESS" or "openai:MODEL@ADDRESS" ("llm:" means the same); None = none.
    """

    encoder: str = "minilm"
    judge: str = "embedded"
    generator: str | None = None
    device: str = "auto"
    judge_settings: JudgeSettings = field(default_factory=JudgeSettings)
    detector: str | None = None
    claim_model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLabels:
    """The labels a person gave for one question, by its text."""

    question: str
    labels: Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything a person can change.

    :param answer: the answer that the person gave or edited; None = what the generator writes.
    :param baseline: the pinned policy that changes are compared with; None = the policy of the last run.
    :param overrides: pairs that the person merged or keeps apart, the oldest first.
    :param baseline_overrides: those in force when the baseline was pinned.
    """

    corpus_path: str | None = None
    query: Query = field(default_factory=lambda: Query(text=""))
    policy: Policy = field(default_factory=Policy)
    baseline: Policy | None = None
    models: Models = field(default_factory=Models)
    labels: tuple[QueryLabels, ...] = ()
    overrides: tuple[Override, ...] = ()
    baseline_overrides: tuple[Override, ...] = ()
    answer: str | None = None
