"""Encoders of the sentence-transformers library, from folders on this machine."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from guard_desk.errors import ModelError
from guard_desk.models import windows
from guard_desk.models.device import resolve_device
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Floats, Indices, ModelInfo
from guard_desk.text.normalize import speakable

logger = logging.getLogger("guard_desk.models")

# A batch takes at most about this long, so that cancel and progress feel immediate, and holds at most this many windows.
BATCH_SECONDS = 0.2
BATCH_ITEMS = 64

# Word pieces of the first batch, before the pace of this machine is known, and the fewest of any batch.
_FIRST_PIECES = 1024
_FEWEST_PIECES = 1024
# Batches whose best pace sets the size of the next one.
_PACES = 8
_TOKENIZE_AT_ONCE = 256


def passage_text(passage: Passage) -> str:
    """What is encoded of a passage: title and text."""
    return f"{passage.title} {passage.text}" if passage.title else passage.text


@dataclass(frozen=True, slots=True)
class _Piece:
    """A window on its way to the model: which text it belongs to, its words and its length."""

    position: int
    text: str
    pieces: int


class SentenceTransformerEncoder:
    """An encoder that is loaded when the first text has to be encoded.

    Texts longer than the model's length are encoded in windows (see `models.windows`) whose unit vectors are averaged.
    Float32 throughout; vectors differ by less than 1e-5 between batch sizes and by less than 1e-3 between devices.

    :param name: name for people and keys.
    :param folder: folder of a sentence-transformers model, already checked.
    :param digest: sha256 that changes with any file of the model.
    :param weights: sha256 of the weights alone.
    :param device: auto, cpu, cuda, cuda:N or mps.
    """

    def __init__(self, *, name: str, folder: Path, digest: str, weights: str, device: str = "auto", detail: str = "") -> None:
        self._name = name
        self._folder = folder
        self._revision = f"{digest[:16]}.{windows.VERSION}"
        self._weights = weights
        self._wanted = device
        self._detail = detail
        self._model: Any = None
        self._device = device if device == "cpu" else ""
        # One SentenceTransformer must not be called from two threads.
        self._lock = threading.RLock()

    @property
    def info(self) -> ModelInfo:
        """The device is "" while all vectors came from the store and the model was not needed."""
        return ModelInfo(name=self._name, revision=self._revision, weights=self._weights, device=self._device, detail=self._detail)

    @property
    def space(self) -> str:
        """Name of the vectors that this model and these windows give."""
        return f"{self._name}@{self._revision}"

    def load(self) -> Any:
        """The model, loaded once. Importing the library takes seconds.

        :raises ModelError: when the library cannot load the folder.
        """
        with self._lock:
            if self._model is None:
                self._device = resolve_device(self._wanted)
                self._model = _load(self._folder, self._device)
            return self._model

    def encode_batches(self, passages: Sequence[Passage], ctx: RunContext) -> Iterator[tuple[Indices, Floats]]:
        """Positions and unit vectors as they are finished, short passages first."""
        yield from self._encode([passage_text(passage) for passage in passages], "document", ctx)

    def encode_passages(self, passages: Sequence[Passage], ctx: RunContext) -> Floats:
        """Unit vectors, float32 (n, d)."""
        return _gather(self.encode_batches(passages, ctx), len(passages))

    def encode_query(self, query: Query) -> Floats:
        """Unit vector, float32 (d,)."""
        vector: Floats = _gather(self._encode([query.text], "query", RunContext()), 1)[0]
        return vector

    def _encode(self, texts: Sequence[str], kind: str, ctx: RunContext) -> Iterator[tuple[Indices, Floats]]:
        ctx.report("encode", 0, len(texts), unit="passages")
        texts = [speakable(text) for text in texts]
        with self._lock:
            model = self.load()
        pool = _Pool()
        order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
        pieces = self._cut(model, texts, order, kind, pool)
        done = 0
        for batch in _paced(pieces):
            ctx.check()
            with self._lock:
                vectors = _forward(model, [piece.text for piece in batch.pieces], kind)
            batch.finished()
            positions, finished = pool.add(batch.pieces, vectors)
            done += len(positions)
            if len(positions):
                yield positions, finished
            ctx.report("encode", done, len(texts), unit="passages")

    def _cut(self, model: Any, texts: Sequence[str], order: Sequence[int], kind: str, pool: _Pool) -> Iterator[_Piece]:
        capacity = _capacity(model, kind)
        for first in range(0, len(order), _TOKENIZE_AT_ONCE):
            positions = order[first : first + _TOKENIZE_AT_ONCE]
            chunk = [texts[position] for position in positions]
            with self._lock:
                found = _windows(model, chunk, capacity)
            for position, text, cuts in zip(positions, chunk, found, strict=True):
                pool.expect(position, len(cuts))
                for cut in cuts:
                    yield _Piece(position, text[cut.start : cut.end], cut.pieces)


class _Pool:
    """Sums the windows' vectors of each text until the last one is there."""

    def __init__(self) -> None:
        self._missing: dict[int, int] = {}
        self._sums: dict[int, Floats] = {}

    def expect(self, position: int, count: int) -> None:
        self._missing[position] = count

    def add(self, pieces: Sequence[_Piece], vectors: Floats) -> tuple[Indices, Floats]:
        positions, finished = [], []
        for piece, vector in zip(pieces, vectors, strict=True):
            position = piece.position
            total = self._sums.pop(position, None)
            total = vector if total is None else total + vector
            self._missing[position] -= 1
            if self._missing[position]:
                self._sums[position] = total
                continue
            del self._missing[position]
            positions.append(position)
            finished.append(total)
        stacked = np.array(finished, dtype=np.float32).reshape(len(finished), vectors.shape[1])
        return np.array(positions, dtype=np.int64), unit(stacked)


class _Batch:
    """Windows that go through the model together, and the clock that sets the size of the next ones."""

    def __init__(self, pieces: list[_Piece]) -> None:
        self.pieces = pieces
        self.seconds = 0.0
        self._started = time.perf_counter()

    @property
    def padded(self) -> int:
        return len(self.pieces) * max(piece.pieces for piece in self.pieces)

    def finished(self) -> None:
        self.seconds = time.perf_counter() - self._started


def _paced(pieces: Iterable[_Piece]) -> Iterator[_Batch]:
    """Batches sized by the measured pace; short windows come first, so each batch holds equal lengths."""
    limit, paces = float(_FIRST_PIECES), deque[float](maxlen=_PACES)
    waiting: list[_Piece] = []
    for piece in pieces:
        if waiting and (len(waiting) == BATCH_ITEMS or (len(waiting) + 1) * max(piece.pieces, waiting[-1].pieces) > limit):
            batch = _Batch(waiting)
            yield batch
            paces.append(batch.padded / max(batch.seconds, 1e-6))
            limit = _next_limit(limit, max(paces))
            waiting = []
        waiting.append(piece)
    if waiting:
        yield _Batch(waiting)


def _next_limit(limit: float, pace: float) -> float:
    """Pieces that fit into `BATCH_SECONDS`, at most twice as many as before.

    The pace is the best of the last batches: on a busy machine a batch can stall for a second whatever its size, and
    smaller batches would only stall more often.

    :param pace: pieces a second.
    """
    return min(max(pace * BATCH_SECONDS, _FEWEST_PIECES), limit * 2)


def _gather(batches: Iterable[tuple[Indices, Floats]], count: int) -> Floats:
    result: Floats | None = None
    for positions, vectors in batches:
        if result is None:
            result = np.empty((count, vectors.shape[1]), dtype=np.float32)
        result[positions] = vectors
    return np.empty((0, 0), dtype=np.float32) if result is None else result


def unit(vectors: npt.NDArray[np.float32]) -> Floats:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _load(folder: Path, device: str) -> Any:
    started = time.perf_counter()
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    try:
        model = SentenceTransformer(
            str(folder),
            device=device,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True},
        )
    except (OSError, ValueError, RuntimeError, KeyError, TypeError, ImportError) as exc:
        raise ModelError(f"The sentence-transformers model in {folder} cannot be loaded on {device}: {exc}") from exc
    model.eval()
    logger.info("Loaded %s on %s in %.1f s", folder, device, time.perf_counter() - started)
    return model


def _forward(model: Any, texts: list[str], kind: str) -> Floats:
    encode = model.encode_query if kind == "query" else model.encode_document
    try:
        vectors = encode(texts, batch_size=len(texts), show_progress_bar=False, convert_to_numpy=True, normalize_embeddings=True)
    except RuntimeError as exc:
        raise ModelError(f"Encoding failed on {model.device}: {exc}. Try --device cpu.") from exc
    result = np.asarray(vectors, dtype=np.float32)
    if not np.isfinite(result).all():
        raise ModelError(f"The encoder gave numbers that are not finite on {model.device}. Try --device cpu.")
    return result


def _capacity(model: Any, kind: str) -> int | None:
    """Most pieces of a window; None for models that read texts of any length or whose tokenizer gives no offsets."""
    longest = getattr(model, "max_seq_length", None)
    tokenizer: Any = getattr(model, "tokenizer", None)
    if not isinstance(longest, int) or longest > 1_000_000 or not getattr(tokenizer, "is_fast", False):
        return None
    prompt = (getattr(model, "prompts", None) or {}).get(kind) or ""
    used = tokenizer.num_special_tokens_to_add() + len(tokenizer.tokenize(prompt))
    capacity = longest - used
    return capacity if capacity > 2 * windows.OVERLAP else None


def _windows(model: Any, texts: list[str], capacity: int | None) -> list[list[windows.Window]]:
    if capacity is None:
        return [[windows.Window(0, len(text), max(1, len(text) // 4))] for text in texts]
    found = model.tokenizer(
        texts, add_special_tokens=False, truncation=False, return_offsets_mapping=True, return_attention_mask=False, verbose=False
    )
    return [
        windows.cut(text, offsets, found.word_ids(index), capacity)
        for index, (text, offsets) in enumerate(zip(texts, found["offset_mapping"], strict=True))
    ]
