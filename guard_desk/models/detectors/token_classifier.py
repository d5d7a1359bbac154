"""Marks the words of an answer that the passages do not support, by a token classifier of the lettucedetect kind.

The input is the pair (prompt with the passages, answer); each word piece of the answer gets a probability of being unsupported. Passages
that are longer than one input go through in several; a word is supported when one of them supports it, so its probability is the lowest.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from guard_desk.errors import ModelError
from guard_desk.models import windows
from guard_desk.models.detectors.token_folder import TokenFolder, wordings
from guard_desk.models.device import resolve_device
from guard_desk.models.head_folder import load_head
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.evidence import Floats, ModelInfo
from guard_desk.text.normalize import speakable

# Classifiers of this kind are trained on about this many pieces, also where the architecture would take more.
LONGEST = 4096
UNSUPPORTED = 0.5
# Raise it when the same classifier would be asked or read differently.
VERSION = "1"
# Models whose positions begin behind the padding token: two of the table's rows hold no position.
_SHIFTED = ("roberta", "xlm-roberta", "camembert", "mpnet", "longformer")
_LEAST_ROOM = 2 * windows.OVERLAP + 8
_LINE_PIECES = 8  # what "passage 12: " and the line end take


@dataclass(frozen=True, slots=True)
class _Line:
    """A passage, or a piece of a long one, and how many word pieces it has."""

    text: str
    pieces: int


class TokenDetector:
    """Spans that a token classifier marks. The model is loaded when the first answer has to be read.

    :param folder: checked by `open_token_classifier`.
    :param device: auto, cpu, cuda, cuda:N or mps.
    """

    def __init__(self, folder: TokenFolder, device: str = "auto") -> None:
        self._folder = folder
        self._wanted = device
        self._device = device if device == "cpu" else ""
        self._model: Any = None
        self._tokenizer: Any = None
        # A fast tokenizer must not be called from two threads.
        self._lock = threading.RLock()

    @property
    def info(self) -> ModelInfo:
        """The device is "" until the model is loaded, where the machine decides it."""
        return ModelInfo(
            name=self._folder.source,
            revision=f"{self._folder.digest[:16]}-{VERSION}",
            weights=self._folder.weights,
            device=self._device,
            detail=f"Marks unsupported words. Model folder {self._folder.path}.",
        )

    def load(self) -> None:
        """Read the weights, once. :raises ModelError: when the library cannot load the folder."""
        with self._lock:
            if self._model is None:
                self._device = resolve_device(self._wanted)
                self._tokenizer, self._model = _load(self._folder, self._device)

    def detect(self, query: Query, passages: Sequence[Passage], answer: str, ctx: RunContext) -> tuple[tuple[Span, float], ...]:
        """Spans with the probability that the passages do not support them, sorted; joined where only white space lies between.

        :raises Cancelled: between two inputs.
        :raises ModelError: when the model fails or gives numbers that are not finite.
        """
        if not answer.strip():
            return ()
        self.load()
        with self._lock:
            lowest = self._lowest(query.text, passages, answer, ctx)
        marked = [
            (span, float(value)) for span, value in sorted(lowest.items(), key=_position) if value >= UNSUPPORTED and span.start < span.end
        ]
        return _joined(answer, marked)

    def _lowest(self, question: str, passages: Sequence[Passage], answer: str, ctx: RunContext) -> Mapping[Span, float]:
        """For each word piece of the answer the lowest probability of all inputs."""
        lowest: dict[Span, float] = {}
        for part in self._parts(answer):
            words = part.of(answer)
            prompts = list(self._prompts(question, passages, self._count(words)))
            for number, prompt in enumerate(prompts):
                ctx.report("detector", number, len(prompts), unit="inputs")
                for place, value in self._read(prompt, words):
                    span = Span(place.start + part.start, place.end + part.start)
                    lowest[span] = min(value, lowest.get(span, 1.0))
        return lowest

    def _parts(self, answer: str) -> list[Span]:
        """The answer, in parts that leave half of an input for the passages."""
        found = self._tokenize(answer)
        cut = windows.cut(answer, found["offset_mapping"], found.word_ids(0), self.longest // 2)
        # Neighbours share some words; the second one begins where the first one ends.
        borders = [0, *(window.end for window in cut)]
        return [Span(start, end) for start, end in pairwise(borders) if start < end]

    def _prompts(self, question: str, passages: Sequence[Passage], answer_pieces: int) -> Iterator[str]:
        """Prompts that together hold every passage to its end."""
        room = self.longest - answer_pieces - int(self._tokenizer.num_special_tokens_to_add(pair=True))
        question = self._shortened(question, room // 4)
        room = max(_LEAST_ROOM, room - self._count(_prompt(question, [])))
        waiting: list[str] = []
        taken = 0
        for line in self._lines(passages, room - _LINE_PIECES):
            if waiting and taken + line.pieces + _LINE_PIECES > room:
                yield _prompt(question, waiting)
                waiting, taken = [], 0
            waiting.append(line.text)
            taken += line.pieces + _LINE_PIECES
        yield _prompt(question, waiting)

    def _lines(self, passages: Sequence[Passage], most: int) -> Iterator[_Line]:
        for passage in passages:
            text = f"{passage.title}\n{passage.text}" if passage.title else passage.text
            found = self._tokenize(text)
            for window in windows.cut(text, found["offset_mapping"], found.word_ids(0), most):
                yield _Line(text[window.start : window.end], window.pieces)

    def _shortened(self, text: str, most: int) -> str:
        offsets = self._tokenize(text)["offset_mapping"]
        return text if len(offsets) <= most else text[: offsets[most - 1][1]]

    def _count(self, text: str) -> int:
        return len(self._tokenize(text)["input_ids"])

    def _tokenize(self, text: str) -> Any:
        # Names of special tokens in a text are text: a passage cannot end its own part of the input.
        return self._tokenizer(
            speakable(text),
            add_special_tokens=False,
            split_special_tokens=True,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )

    def _read(self, prompt: str, answer: str) -> Iterator[tuple[Span, float]]:
        """The probability of being unsupported for each word piece of an answer beside one prompt."""
        import torch

        try:
            encoded = self._tokenizer(
                speakable(prompt),
                speakable(answer),
                truncation="only_first",
                max_length=self.longest,
                split_special_tokens=True,
                return_offsets_mapping=True,
                return_tensors="pt",
            )
            offsets, owners = encoded.pop("offset_mapping")[0].tolist(), encoded.sequence_ids(0)
            with torch.inference_mode():
                logits = self._model(**encoded.to(self._device)).logits[0].float().cpu().numpy()
        except (RuntimeError, IndexError, ValueError, TypeError) as exc:
            raise ModelError(f"The detector {self._folder.source} failed on {self._device}: {exc}") from exc
        unsupported = self._unsupported(logits)
        for (start, end), owner, value in zip(offsets, owners, unsupported, strict=True):
            if owner == 1:
                yield Span(start, end), float(value)

    def _unsupported(self, logits: Floats) -> Floats:
        if logits.ndim != 2 or logits.shape[1] != len(self._folder.labels):
            raise ModelError(f"{self._folder.source} gives {logits.shape[-1]} numbers for {len(self._folder.labels)} labels.")
        if not np.isfinite(logits).all():
            raise ModelError(f"The detector {self._folder.source} gave numbers that are not finite. Try --device cpu.")
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        supported = (powers / powers.sum(axis=1, keepdims=True))[:, list(self._folder.supported)].sum(axis=1)
        return np.asarray(np.clip(1.0 - supported, 0.0, 1.0), dtype=np.float32)

    @property
    def longest(self) -> int:
        """Most word pieces of an input: what tokenizer and architecture take, at most `LONGEST`."""
        positions = self._folder.config.get("max_position_embeddings")
        allowed = [LONGEST, int(self._tokenizer.model_max_length)]
        if isinstance(positions, int) and positions > 0:
            allowed.append(positions - 2 if self._folder.config.get("model_type") in _SHIFTED else positions)
        return min(allowed)


def _prompt(question: str, texts: Sequence[str]) -> str:
    words = wordings()
    if not question.strip():
        return str(words["summary"]).replace("{passages}", "\n".join(texts))
    lines = [str(words["passage"]).replace("{number}", str(number)).replace("{text}", text) for number, text in enumerate(texts, 1)]
    # The passages go in last: what they hold is never taken for a place of the prompt.
    asked = str(words["question"]).replace("{count}", str(len(texts)))
    before, after = asked.split("{passages}")
    return before.replace("{question}", question) + "\n".join(lines) + after


def _joined(answer: str, marked: Sequence[tuple[Span, float]]) -> tuple[tuple[Span, float], ...]:
    """Neighbouring word pieces as one span, with the highest of their probabilities; white space at the borders left out."""
    spans: list[tuple[Span, float]] = []
    for span, value in marked:
        if spans and not answer[spans[-1][0].end : span.start].strip():
            before, highest = spans[-1]
            spans[-1] = (Span(before.start, max(before.end, span.end)), max(highest, value))
        else:
            spans.append((span, value))
    bare = [(_bare(answer, span), value) for span, value in spans]
    return tuple((span, value) for span, value in bare if span.start < span.end)


def _position(item: tuple[Span, float]) -> tuple[int, int]:
    return item[0].start, item[0].end


def _bare(answer: str, span: Span) -> Span:
    words = span.of(answer)
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, max(start, span.start + len(words.rstrip())))


def _load(folder: TokenFolder, device: str) -> tuple[Any, Any]:
    tokenizer, model = load_head(folder.path, "AutoModelForTokenClassification", device, what="detector", harm="its marks would be random")
    if not tokenizer.is_fast:
        raise ModelError(f"The tokenizer in {folder.path} gives no offsets, which marks need. Save it with tokenizer.json.")
    return tokenizer, model
