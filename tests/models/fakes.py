"""Small deterministic models for tests."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from guard_desk.models.rankers import clipped, pair_cosines
from guard_desk.progress import RunContext
from guard_desk.protocols import Usage
from guard_desk.records import ModelInfo, Passage, Query
from guard_desk.records.evidence import Floats, Indices

DIMENSION = 64


def vector_of(text: str) -> Floats:
    """Bag of words, hashed: equal words give similar vectors."""
    vector = np.full(DIMENSION, 0.01, dtype=np.float32)
    for word in text.casefold().split():
        vector[zlib.crc32(word.encode("utf-8", "replace")) % DIMENSION] += 1
    return vector / np.linalg.norm(vector)


class BagEncoder:
    """Encodes two passages a batch and counts what it encodes."""

    def __init__(self, revision: str = "1") -> None:
        self.revision = revision
        self.encoded: list[str] = []

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(name="bag", revision=self.revision, device="cpu")

    @property
    def space(self) -> str:
        return f"bag@{self.revision}"

    def encode_batches(self, passages: Sequence[Passage], ctx: RunContext) -> Iterator[tuple[Indices, Floats]]:
        for start in range(0, len(passages), 2):
            ctx.check()
            batch = passages[start : start + 2]
            self.encoded += [passage.text for passage in batch]
            yield np.arange(start, start + len(batch)), np.stack([vector_of(passage.text) for passage in batch])

    def encode_passages(self, passages: Sequence[Passage], ctx: RunContext) -> Floats:
        return np.concatenate([vectors for _, vectors in self.encode_batches(passages, ctx)])

    def encode_query(self, query: Query) -> Floats:
        self.encoded.append(query.text)
        return vector_of(query.text)


class FixedRanker:
    """Ranks by scores that the test gives."""

    def __init__(self, scores: Sequence[float], vectors: Floats | None = None) -> None:
        self._scores = np.array(scores, dtype=np.float32)
        self._vectors = np.eye(len(scores), dtype=np.float32) if vectors is None else vectors

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(name="fixed", revision="1")

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        assert len(passages) == len(self._scores)

    def scores(self, query: Query, ctx: RunContext) -> Floats:
        return self._scores

    def similarities(self, query: Query, positions: Indices, ctx: RunContext) -> Floats:
        return clipped(self._scores[positions])

    def pair_similarities(self, positions: Indices, ctx: RunContext) -> Floats:
        return pair_cosines(self._vectors[positions])


class ScriptedGenerator:
    """Yields given pieces; with a usage, returns it at the end."""

    def __init__(self, *pieces: str, usage: Usage | None = None) -> None:
        self._pieces = pieces
        self._usage = usage

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(name="scripted", revision="1")

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        for piece in self._pieces:
            ctx.check()
            yield piece
        return self._usage
