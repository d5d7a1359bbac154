"""Vectors on disk: appended batch by batch, read through a memory map, shared by processes.

Each encoder has a folder of its own: `meta.json` (its name and dimension), `keys.bin` (32 bytes a row) and `vectors.f32`
(little-endian float32, d a row). A batch is written vectors first, keys second; the shorter file says how many rows there
are, so a write that was cut leaves the rows before it whole and the next write goes over the rest.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
from filelock import FileLock

from guard_desk.errors import StoreError

logger = logging.getLogger("guard_desk.store")

KEY_BYTES = 32
_FORMAT = 1
# A stored vector has length 1; rows that a power cut left full of zeros, or damaged ones, do not.
_LENGTH_TOLERANCE = 1e-3

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]


class VectorStore:
    """The vectors of all encoders under one folder.

    :param folder: made when it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spaces: dict[str, VectorSpace] = {}
        self._lock = threading.Lock()

    def space(self, name: str) -> VectorSpace:
        """The vectors of one encoder. :raises StoreError: when the folder cannot be used."""
        with self._lock:
            if name not in self._spaces:
                digest = hashlib.sha256(name.encode()).hexdigest()[:32]
                self._spaces[name] = VectorSpace(self._folder / digest, name)
            return self._spaces[name]


class VectorSpace:
    """The vectors of one encoder.

    :param folder: its own folder.
    :param name: what decides a vector: encoder, revision, windowing.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._lock = threading.RLock()
        self._rows: dict[bytes, int] = {}
        self._count = 0
        self._vectors: Floats | None = None
        with _guard(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._dimension = self._read_meta()

    def find(self, keys: Sequence[bytes]) -> Indices:
        """Row of each key, int64 (n,); -1 where it is not stored or its vector is damaged."""
        with self._lock:
            self._refresh()
            rows = np.fromiter((self._rows.get(key, -1) for key in keys), dtype=np.int64, count=len(keys))
            found = rows >= 0
            if found.any():
                damaged = rows[found][~self._sound(rows[found])]
                rows[np.isin(rows, damaged)] = -1
            return rows

    def rows(self, rows: Indices) -> Floats:
        """A copy of the vectors of these rows, float32 (n, d)."""
        with self._lock:
            self._refresh()
            if self._vectors is None:
                return np.empty((0, self._dimension or 0), dtype=np.float32)
            return np.asarray(self._vectors[rows], dtype=np.float32)

    def append(self, keys: Sequence[bytes], vectors: Floats) -> None:
        """Store finished vectors; they outlive a crash of this process.

        :param vectors: unit vectors, float32 (n, d).
        :raises StoreError: when they do not fit, or cannot be written.
        """
        if not len(keys):
            return
        if len(keys) != len(vectors) or any(len(key) != KEY_BYTES for key in keys):
            raise StoreError(f"{len(vectors)} vectors came with {len(keys)} keys of {KEY_BYTES} bytes; each vector needs one.")
        with self._lock, _guard(self._folder), FileLock(self._folder / "lock"):
            self._settle_dimension(vectors.shape[1])
            count = self._stored()
            _write_at(self._folder / "vectors.f32", count * vectors.shape[1] * 4, np.ascontiguousarray(vectors, dtype="<f4").tobytes())
            _write_at(self._folder / "keys.bin", count * KEY_BYTES, b"".join(keys))

    def __len__(self) -> int:
        return self._stored()

    def _settle_dimension(self, dimension: int) -> None:
        """Written by the first batch of all processes, so it is read again under the lock."""
        self._dimension = self._dimension or self._read_meta()
        if self._dimension is None:
            meta = {"format": _FORMAT, "space": self._name, "dimension": dimension}
            (self._folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
            self._dimension = dimension
        if self._dimension != dimension:
            raise StoreError(
                f"{self._folder} holds vectors of {self._dimension} numbers, not {dimension}. Delete this folder; it is only a cache."
            )

    def _read_meta(self) -> int | None:
        """The dimension; None for a new folder. What cannot be understood is put aside, never deleted."""
        file = self._folder / "meta.json"
        if not file.is_file():
            if any((self._folder / name).exists() for name in ("keys.bin", "vectors.f32")):
                self._put_aside("it has no meta.json")
            return None
        try:
            meta = json.loads(file.read_text(encoding="utf-8"))
            dimension = int(meta["dimension"])
            if meta["format"] == _FORMAT and meta["space"] == self._name and dimension > 0:
                return dimension
            reason = f"it was written as {meta!r}"
        except (ValueError, KeyError, TypeError) as exc:
            reason = f"meta.json cannot be read ({exc})"
        self._put_aside(reason)
        return None

    def _put_aside(self, reason: str) -> None:
        target = self._folder.with_name(f"{self._folder.name}.damaged-{time.time_ns()}")
        logger.warning("The stored vectors in %s cannot be used: %s. They are moved to %s and made again.", self._folder, reason, target)
        self._folder.rename(target)
        self._folder.mkdir()

    def _stored(self) -> int:
        """Whole rows on disk."""
        if not self._dimension:
            return 0
        return min(_size(self._folder / "keys.bin") // KEY_BYTES, _size(self._folder / "vectors.f32") // (4 * self._dimension))

    def _refresh(self) -> None:
        """Take in the rows that this or another process has added since."""
        with _guard(self._folder):
            self._dimension = self._dimension or self._read_meta()
            count = self._stored()
            if count == self._count:
                return
            if count < self._count:  # someone cleared the cache
                self._rows, self._count = {}, 0
            with (self._folder / "keys.bin").open("rb") as stream:
                stream.seek(self._count * KEY_BYTES)
                data = stream.read((count - self._count) * KEY_BYTES)
            for row in range(self._count, count):
                start = (row - self._count) * KEY_BYTES
                self._rows[data[start : start + KEY_BYTES]] = row
            self._vectors = np.memmap(self._folder / "vectors.f32", dtype="<f4", mode="r", shape=(count, self._dimension or 0))
            self._count = count

    def _sound(self, rows: Indices) -> npt.NDArray[np.bool_]:
        assert self._vectors is not None  # rows exist, so the map does
        vectors = self._vectors[rows]
        lengths = np.einsum("ij,ij->i", vectors, vectors)
        return np.asarray(np.abs(lengths - 1) <= _LENGTH_TOLERANCE)


@contextmanager
def _guard(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise StoreError(
            f"The vectors in {folder} cannot be read or written: {exc}. Set GUARD_DESK_HOME to a folder you may write to."
        ) from exc


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _write_at(file: Path, offset: int, data: bytes) -> None:
    with file.open("r+b" if file.exists() else "w+b") as stream:
        stream.seek(offset)
        stream.write(data)
