"""Models of others that the benches run beside ours. Never part of a run.

`NanoGuard` is the package `metatronnanoguard`, a test dependency. It reads its tokenizer from a pickle in its own package, so it is loaded
only when a person who installed it asks for the bench.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from guard_desk.errors import MissingModelError
from guard_desk.models.embedded import embedded_folder, package_version

Floats = npt.NDArray[np.float64]
NANOGUARD = "metatronnanoguard"
RAGUARD = "raguard-py"
_NANOGUARD_BATCH = 16


def nanoguard_version() -> str:
    """The installed version; "" when it is not installed."""
    return package_version(NANOGUARD)


class NanoGuard:
    """The injection detector of PyPI's `metatronnanoguard` (16.8 million numbers, first 512 tokens of a text).

    :raises MissingModelError: when it is not installed.
    """

    def __init__(self) -> None:
        if not nanoguard_version():
            raise MissingModelError("nanoguard", command=f"pip install {NANOGUARD}", detail=f"the package {NANOGUARD} is not installed")
        self._model: Any = importlib.import_module("nanoguard").NanoGuard(device="cpu")
        self.threshold = float(self._model.threshold)

    def scores(self, texts: Sequence[str]) -> Iterator[float]:
        """The probability that a text is an injection, in order, as they are finished."""
        for start in range(0, len(texts), _NANOGUARD_BATCH):
            # Its tokenizer takes no lone surrogates.
            part = [text.encode("utf-8", "replace").decode("utf-8") for text in texts[start : start + _NANOGUARD_BATCH]]
            yield from (float(result.injection_score) for result in self._model.scan_batch(part))


def raguard_version() -> str:
    """The installed version; "" when it is not installed."""
    return package_version(RAGUARD)


class Raguard:
    """The answer check of PyPI's `raguard-py`: spaCy's names, dates and numbers of the answer looked up in the joined passages.

    It is given the same English pipeline that we have, by path.

    :raises MissingModelError: when it is not installed.
    """

    def __init__(self) -> None:
        if not raguard_version():
            raise MissingModelError("raguard", command=f"pip install {RAGUARD}", detail=f"the package {RAGUARD} is not installed")
        self._verify: Any = importlib.import_module("raguard").verify
        self._pipeline = str(embedded_folder("en_core_web_sm"))

    def verify(self, query: str, passages: Sequence[str], answer: str) -> int:
        """Check an answer. :returns: how many warnings there are."""
        return len(self._verify(query, list(passages), answer, lang=self._pipeline).warnings)


class PlainCrossEncoder:
    """One pass of the embedded encoder as a cross-encoder with one linear head, in float32, as `transformers` runs it.

    The head's numbers are random: what it answers means nothing, how long it takes is the yardstick.

    :param longest: pairs are cut to this many tokens.
    """

    def __init__(self, longest: int = 128) -> None:
        import torch
        from transformers import AutoTokenizer, BertModel

        folder: Path = embedded_folder("minilm")
        self._torch: Any = torch
        self._longest = longest
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        with _quiet():
            self._encoder: Any = BertModel.from_pretrained(folder, add_pooling_layer=False, dtype=torch.float32).eval()
        width = json.loads((folder / "config.json").read_text(encoding="utf-8"))["hidden_size"]
        torch.manual_seed(0)
        self._head: Any = torch.nn.Linear(width, 1).eval()

    def pieces(self, text: str) -> int:
        """Tokens of a text, without marks."""
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def scores(self, queries: Sequence[str], passages: Sequence[str], batch: int = 32) -> Floats:
        """One number a pair: (n,)."""
        found = []
        with self._torch.inference_mode():
            for start in range(0, len(queries), batch):
                coded = self._tokenizer(
                    list(queries[start : start + batch]),
                    list(passages[start : start + batch]),
                    truncation="longest_first",
                    max_length=self._longest,
                    padding=True,
                    return_tensors="pt",
                )
                hidden = self._encoder(**coded).last_hidden_state
                found.append(self._head(hidden[:, 0])[:, 0].numpy())
        return np.concatenate(found).astype(np.float64) if found else np.zeros(0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the library's report that the file also holds a pooling layer, and without its bar."""
    from transformers.utils import logging as transformers_logging

    former, bar = transformers_logging.get_verbosity(), transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(former)
        if bar:
            transformers_logging.enable_progress_bar()


@contextmanager
def torch_threads(count: int) -> Iterator[int]:
    """So many threads for torch, the former number afterwards."""
    import torch

    former = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield count
    finally:
        torch.set_num_threads(former)
