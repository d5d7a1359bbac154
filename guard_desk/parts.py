"""Puts the loaded models and the stores together for a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy.typing as npt

from guard_desk import resources
from guard_desk.models.answers import load_finder
from guard_desk.models.judges import load_judge
from guard_desk.models.readers import load_readers
from guard_desk.models.registry import load_generator, load_ranker, token_counter
from guard_desk.models.spacy_analyzer import load_analyzer
from guard_desk.pipeline import Parts
from guard_desk.records.corpus import Corpus, RecordedAnswers
from guard_desk.records.state import Models
from guard_desk.store.answers import SqliteAnswerStore
from guard_desk.store.vectors import VectorStore


def load_parts(
    models: Models,
    corpus: Corpus,
    *,
    recorded: Sequence[RecordedAnswers] = (),
    vectors: npt.ArrayLike | None = None,
    query_vector: npt.ArrayLike | None = None,
) -> Parts:
    """Everything a run needs; each model is loaded once a process.

    :param recorded: answers of a case file, for the judge "recorded".
    :param vectors: the caller's own, one a passage; needs `query_vector` too.
    :raises MissingModelError: naming the command that installs what is missing.
    """
    home = resources.home()
    return Parts(
        ranker=load_ranker(models, corpus.passages, store=vector_store(home), vectors=vectors, query_vector=query_vector),
        judge=load_judge(models.judge, settings=models.judge_settings, recorded=recorded, device=models.device),
        analyzer=load_analyzer(),
        counter=token_counter(),
        finder=load_finder(models),
        generator=load_generator(models),
        store=answer_store(home),
        readers=load_readers(models),
    )


@cache
def vector_store(home: Path) -> VectorStore:
    """The store of vectors, opened once."""
    return VectorStore(home / "vectors")


@cache
def answer_store(home: Path) -> SqliteAnswerStore:
    """The store of answers, opened once."""
    return SqliteAnswerStore(home / "answers.sqlite")
