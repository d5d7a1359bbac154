"""Runs a sequence classifier over texts of any length: in overlapping windows, to the end."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from guard_desk.errors import ModelError
from guard_desk.models import windows
from guard_desk.models.device import resolve_device
from guard_desk.models.head_folder import load_head
from guard_desk.models.judges.classifier_folder import ClassifierFolder
from guard_desk.models.judges.labels import ClassifierKind
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Floats
from guard_desk.text.normalize import speakable

# Classifiers are trained on at most about this many pieces, also where the architecture would take more.
LONGEST = 512
# A batch is what a large model on two cores reads in a few seconds, so that a cancel is felt.
BATCH_WINDOWS = 16
BATCH_PIECES = 2048
# Models whose positions begin behind the padding token: two of the table's rows hold no position.
_SHIFTED = ("roberta", "xlm-roberta", "camembert", "mpnet", "longformer")


# One classifier a question.
_KEPT = 4
_SHARED: OrderedDict[tuple[str, str, str, str], TextClassifier] = OrderedDict()
_SHARED_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What a classifier is asked about.

    :param text: the passage, cut into windows where it is long.
    :param other: the query or the hypothesis; None for classifiers of one text.
    :param text_first: whether the passage is the first of the two (the premise of an entailment).
    """

    text: str
    other: str | None = None
    text_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The answer for one pair.

    :param probability: of the labels that mean yes; the highest of all windows.
    :param window: where in the text that was.
    :param windows: how many there were.
    :param cut: whether the other text was too long and lost its end.
    """

    probability: float
    window: Span
    windows: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    """One window on its way to the model, and about how many pieces it has with the other text."""

    pair: int
    span: Span
    first: str
    second: str | None
    pieces: int


class TextClassifier:
    """A classifier that is loaded when the first text has to be read.

    :param folder: checked by `open_classifier`.
    :param device: auto, cpu, cuda, cuda:N or mps.
    """

    def __init__(self, folder: ClassifierFolder, device: str = "auto") -> None:
        self.folder = folder
        self._wanted = device
        self._model: Any = None
        self._tokenizer: Any = None
        self.device = device if device == "cpu" else ""
        # A fast tokenizer must not be called from two threads.
        self._lock = threading.RLock()

    def load(self) -> None:
        """Read the weights, once. :raises ModelError: when the library cannot load the folder."""
        with self._lock:
            if self._model is None:
                self.device = resolve_device(self._wanted)
                self._tokenizer, self._model = _load(self.folder, self.device)

    def score(self, pairs: Sequence[Pair], yes: Sequence[int], ctx: RunContext) -> list[Scored]:
        """One answer a pair, in order.

        :param yes: positions of the outputs that mean yes.
        :raises Cancelled: between batches.
        :raises ModelError: when the model fails or gives numbers that are not finite.
        """
        self.load()
        pieces, cut = self._pieces(pairs)
        best: dict[int, tuple[float, Span]] = {}
        for batch in _batches(pieces):
            ctx.check()
            with self._lock:
                probabilities = self._probabilities(batch, yes)
            for piece, probability in zip(batch, probabilities, strict=True):
                if piece.pair not in best or probability > best[piece.pair][0]:
                    best[piece.pair] = (float(probability), piece.span)
        counts = np.bincount([piece.pair for piece in pieces], minlength=len(pairs))
        return [
            Scored(probability=best[number][0], window=best[number][1], windows=int(counts[number]), cut=cut[number])
            for number in range(len(pairs))
        ]

    def _pieces(self, pairs: Sequence[Pair]) -> tuple[list[_Piece], list[bool]]:
        pieces, cuts = [], []
        for number, pair in enumerate(pairs):
            with self._lock:
                other, used, cut = self._shortened(pair.other)
                found = self._windows(pair.text, self._longest - used)
            cuts.append(cut)
            for window in found:
                text = pair.text[window.start : window.end]
                first, second = (text, other) if pair.text_first or other is None else (other, text)
                pieces.append(_Piece(number, Span(window.start, window.end), first, second, window.pieces + used))
        return pieces, cuts

    def _windows(self, text: str, capacity: int) -> list[windows.Window]:
        found = self._tokenize(text)
        return windows.cut(text, found["offset_mapping"], found.word_ids(0), capacity)

    def _shortened(self, other: str | None) -> tuple[str | None, int, bool]:
        """The other text, which takes at most half of a window; what it and the borders take; whether it was cut."""
        borders = int(self._tokenizer.num_special_tokens_to_add(pair=other is not None))
        if other is None:
            return None, borders, False
        found, most = self._tokenize(other), self._longest // 2
        count = len(found["input_ids"])
        if count <= most:
            return other, borders + count, False
        return other[: found["offset_mapping"][most - 1][1]], borders + most, True

    def _tokenize(self, text: str) -> Any:
        # Names of special tokens in a text are text: a passage cannot end its own part of the input.
        return self._tokenizer(
            speakable(text),
            add_special_tokens=False,
            split_special_tokens=True,
            truncation=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            verbose=False,
        )

    @property
    def _longest(self) -> int:
        return longest_input(self.folder.config, self._tokenizer.model_max_length)

    def _probabilities(self, batch: Sequence[_Piece], yes: Sequence[int]) -> Floats:
        import torch

        try:
            encoded = self._encoded(batch)
            with torch.inference_mode():
                logits = self._model(**encoded).logits.float().cpu().numpy()
        except (RuntimeError, IndexError, ValueError, TypeError) as exc:
            raise ModelError(f"The classifier {self.folder.source} failed on {self.device}: {exc}") from exc
        return _probability(logits, yes, self.folder)

    def _encoded(self, batch: Sequence[_Piece]) -> Any:
        second = [speakable(piece.second) for piece in batch if piece.second is not None]
        return self._tokenizer(
            [speakable(piece.first) for piece in batch],
            second or None,
            padding=True,
            truncation=True,
            max_length=self._longest,
            split_special_tokens=True,
            return_tensors="pt",
        ).to(self.device)


def shared_classifier(folder: ClassifierFolder, device: str = "auto") -> TextClassifier:
    """The classifier of these very files, whose weights stay loaded when other settings of a judge change."""
    key = (str(folder.path), folder.digest, folder.source, device)
    with _SHARED_LOCK:
        classifier = _SHARED.pop(key, None) or TextClassifier(folder, device)
        _SHARED[key] = classifier
        while len(_SHARED) > _KEPT:
            _SHARED.popitem(last=False)
        return classifier


def longest_input(config: Mapping[str, Any], tokenizer_longest: int) -> int:
    """Most pieces of an input: what tokenizer and architecture take, at most `LONGEST`."""
    positions = config.get("max_position_embeddings")
    allowed = [LONGEST, int(tokenizer_longest)]
    if isinstance(positions, int) and positions > 0:
        allowed.append(positions - 2 if config.get("model_type") in _SHIFTED else positions)
    return min(allowed)


def _probability(logits: Floats, yes: Sequence[int], folder: ClassifierFolder) -> Floats:
    if logits.ndim != 2 or logits.shape[1] != len(folder.mapping.labels):
        raise ModelError(f"{folder.source} gives {logits.shape[-1]} numbers for {len(folder.mapping.labels)} labels.")
    if not np.isfinite(logits).all():
        raise ModelError(f"The classifier {folder.source} gave numbers that are not finite. Try --device cpu.")
    if folder.mapping.kind is ClassifierKind.RERANKER or folder.mapping.independent:
        single = 1 / (1 + np.exp(-np.clip(logits[:, list(yes)], -30, 30)))
        return np.asarray(single.max(axis=1), dtype=np.float32)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray((powers / powers.sum(axis=1, keepdims=True))[:, list(yes)].sum(axis=1).clip(0, 1), dtype=np.float32)


def _batches(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Windows of about equal length together, short ones first; inputs of one text and of two apart."""
    waiting: list[_Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.second is not None, piece.pieces)):
        full = len(waiting) == BATCH_WINDOWS or (len(waiting) + 1) * piece.pieces > BATCH_PIECES
        if waiting and (full or (waiting[0].second is None) != (piece.second is None)):
            yield waiting
            waiting = []
        waiting.append(piece)
    if waiting:
        yield waiting


def _load(folder: ClassifierFolder, device: str) -> tuple[Any, Any]:
    tokenizer, model = load_head(
        folder.path, "AutoModelForSequenceClassification", device, what="classifier", harm="its answers would be random"
    )
    if not tokenizer.is_fast:
        raise ModelError(f"The tokenizer in {folder.path} gives no offsets, which windows need. Save it with tokenizer.json.")
    room = longest_input(folder.config, tokenizer.model_max_length) // 2 - tokenizer.num_special_tokens_to_add(pair=True)
    if room <= 2 * windows.OVERLAP:
        raise ModelError(f"The classifier in {folder.path} reads too few word pieces at once to read a query and a passage.")
    return tokenizer, model
