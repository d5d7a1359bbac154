"""Vectors of passages and queries: taken from the store, or encoded and stored batch by batch."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from guard_desk.errors import StoreError
from guard_desk.progress import RunContext
from guard_desk.protocols import Encoder, VectorSpace, VectorStore
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Floats, Indices


class PassageVectors:
    """What an encoder gives for passages and queries, each text encoded once.

    :param store: where vectors are kept across runs; None keeps them in memory.
    """

    def __init__(self, encoder: Encoder, store: VectorStore | None) -> None:
        self.encoder = encoder
        self._space: VectorSpace = MemorySpace() if store is None else store.space(encoder.space)

    def passages(self, passages: Sequence[Passage], ctx: RunContext) -> Floats:
        """Unit vectors, float32 (n, d).

        :raises Cancelled: between batches; finished ones are stored.
        """
        if not passages:
            return np.empty((0, 0), dtype=np.float32)
        keys = [passage_key(passage) for passage in passages]
        rows = self._space.find(keys)
        if (rows < 0).any():
            self._encode(passages, keys, rows, ctx)
            rows = self._space.find(keys)
        if (rows < 0).any():
            raise StoreError(
                f"{int((rows < 0).sum())} vectors could not be read back from the store; delete the vectors folder in GUARD_DESK_HOME."
            )
        return self._space.rows(rows)

    def query(self, query: Query) -> Floats:
        """Unit vector, float32 (d,)."""
        key = query_key(query)
        rows = self._space.find([key])
        if rows[0] >= 0:
            known: Floats = self._space.rows(rows)[0]
            return known
        vector = self.encoder.encode_query(query)
        self._space.append([key], vector[None, :])
        return vector

    def _encode(self, passages: Sequence[Passage], keys: Sequence[bytes], rows: Indices, ctx: RunContext) -> None:
        missing = {keys[position]: position for position in np.flatnonzero(rows < 0).tolist()}
        positions = list(missing.values())
        for done, vectors in self.encoder.encode_batches([passages[position] for position in positions], ctx):
            self._space.append([keys[positions[index]] for index in done.tolist()], vectors)


class MemorySpace:
    """Vectors that live as long as this process."""

    def __init__(self) -> None:
        self._rows: dict[bytes, int] = {}
        self._vectors: list[Floats] = []

    def find(self, keys: Sequence[bytes]) -> Indices:
        """Row of each key; -1 where it is not stored."""
        return np.fromiter((self._rows.get(key, -1) for key in keys), dtype=np.int64, count=len(keys))

    def rows(self, rows: Indices) -> Floats:
        """The vectors of these rows."""
        return np.stack([self._vectors[row] for row in rows])

    def append(self, keys: Sequence[bytes], vectors: Floats) -> None:
        """Keep these vectors."""
        for key, vector in zip(keys, vectors, strict=True):
            self._rows[key] = len(self._vectors)
            self._vectors.append(np.array(vector, dtype=np.float32))


def passage_key(passage: Passage) -> bytes:
    """sha256 of title and text; an added title is another key even where the joined words are the same."""
    title = "" if passage.title is None else passage.title
    return hashlib.sha256(f"passage:{len(title)}:{title}{passage.text}".encode("utf-8", "surrogatepass")).digest()


def query_key(query: Query) -> bytes:
    """sha256 of the query; never equal to a passage's."""
    return hashlib.sha256(f"query:{query.text}".encode("utf-8", "surrogatepass")).digest()
