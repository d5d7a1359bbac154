"""The embedded judge's network in plain torch: the encoder with the trained additions merged in, and a small head a question.

The base is the encoder that the app has anyway; `resources/judge/judge.safetensors` holds what `packaging/judge/` trained on it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from guard_desk import resources
from guard_desk.errors import MissingModelError, ModelError, ModelHashError
from guard_desk.models.device import resolve_device
from guard_desk.models.embedded import catalogue, embedded_folder
from guard_desk.models.judges.precision import choose_precision

logger = logging.getLogger("guard_desk.models")

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

WEIGHTS = "judge.safetensors"
DESCRIPTION = "judge.json"
# Rows that go through together have one width, and it depends on the row alone: what a row gets never hangs on its neighbours' lengths.
STEP = 16
MOST_ROWS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What `judge.json` says of the weights.

    :param outputs: numbers that each head gives: 1 for a yes/no question, 3 for "claim".
    :param rank: of the merged additions; None when whole layers were trained.
    :param longest: most tokens of an input.
    :param weights: sha256 of the weights; `base_weights` of the base's.
    """

    base: str
    base_weights: str
    weights: str
    outputs: Mapping[str, int]
    head_width: int
    rank: int | None
    longest: int


@dataclass(frozen=True, slots=True)
class Input:
    """One row of token numbers. `second` is where the part after the first [SEP] begins; the row's length when there is none."""

    ids: tuple[int, ...]
    second: int


def judge_folder() -> Path:
    """Where the shipped weights are."""
    return resources.path("judge")


def describe(folder: Path) -> Description:
    """What the weights in a folder are; hashes checked.

    :raises MissingModelError: when a file is missing.
    :raises ModelHashError: when weights or base differ from those that are described.
    :raises ModelError: when the description cannot be read.
    """
    return read_description(folder / WEIGHTS, folder / DESCRIPTION, _described, model="embedded", what="a judge")


def _described(data: Mapping[str, Any]) -> Description:
    return Description(
        base=data["base"],
        base_weights=data["base_sha256"],
        weights=data["weights_sha256"],
        outputs=data["outputs"],
        head_width=data["head_width"],
        rank=data["rank"],
        longest=data["plan"]["longest"],
    )


class Described(Protocol):
    """What every description of trained weights says."""

    @property
    def base(self) -> str:
        """The base's name in the catalogue."""
        ...

    @property
    def base_weights(self) -> str:
        """The sha256 of the base's weights."""
        ...

    @property
    def weights(self) -> str:
        """The sha256 of the trained weights."""
        ...


_Found = TypeVar("_Found", bound=Described)


def read_description(weights: Path, description: Path, read: Callable[[Mapping[str, Any]], _Found], *, model: str, what: str) -> _Found:
    """What a description says of weights that lie beside it; hashes checked.

    :param read: makes the record of the JSON object; may raise KeyError, TypeError or ValueError.
    :param model: the model's name in errors; `what` it is, in words.
    :raises MissingModelError: when a file is missing.
    :raises ModelHashError: when weights or base differ from those that are described.
    :raises ModelError: when the description cannot be read.
    """
    for file in (weights, description):
        if not file.is_file():
            raise MissingModelError(model, command="pip install --force-reinstall guard-desk", detail=f"{file} is missing")
    try:
        found = read(json.loads(description.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as exc:
        raise ModelError(f"{description} is no description of {what}: {type(exc).__name__}: {exc}") from exc
    _check_hashes(weights, found.weights, found.base, found.base_weights)
    return found


def _check_hashes(weights: Path, expected: str, base: str, base_expected: str) -> None:
    """Whether weights are those that are described, and belong to the installed base.

    :raises ModelHashError: when one of them is not.
    """
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    if digest != expected:
        raise ModelHashError(f"{weights} has the sha256 {digest}; its description names {expected}. Export it again.")
    entry = catalogue().get(base)
    installed = entry["files"][entry["weights"]] if entry is not None else "none"
    if installed != base_expected:
        raise ModelHashError(f"{weights} was trained on {base} with the sha256 {base_expected}; installed is {installed}.")


class MergedNetwork(ABC):
    """A module made of a base and trained weights, on a device, loaded when the first row comes. One call at a time.

    :param name: for the log.
    :param base: the base's name in the catalogue.
    :param device: auto, cpu, cuda, cuda:N or mps.
    :param precision: "float32" or "bfloat16"; None = the fastest that the machine has.
    """

    def __init__(self, name: str, base: str, device: str = "auto", precision: str | None = None) -> None:
        self.device = resolve_device(device)
        self.precision, self.choice = choose_precision(self.device, precision)
        self._name, self._base = name, base
        self._module: Any = None
        self._lock = threading.RLock()

    @property
    def tokenizer(self) -> Any:
        """The base's tokenizer, of the library `tokenizers`."""
        return load_tokenizer(embedded_folder(self._base))

    def load(self) -> Any:
        """The torch module, made once."""
        with self._lock:
            if self._module is None:
                started = time.perf_counter()
                self._module = self._build(embedded_folder(self._base))
                took = time.perf_counter() - started
                logger.info("Loaded the %s's network as %s on %s in %.1f s", self._name, self.precision, self.device, took)
            return self._module

    @abstractmethod
    def _build(self, base: Path) -> Any:
        """The module with merged weights. :raises ModelError: when the weights do not fit the base."""


class JudgeNetwork(MergedNetwork):
    """The judge's network.

    :param folder: holds `judge.safetensors` and `judge.json`.
    :raises ModelError: and its kinds, when the weights cannot be used.
    """

    def __init__(self, folder: Path, device: str = "auto", precision: str | None = None) -> None:
        self.description = describe(folder)
        super().__init__("judge", self.description.base, device, precision)
        self._folder = folder

    def _build(self, base: Path) -> Any:
        return build(self.description, self._folder, base, self.device, self.precision)

    def logits(self, rows: Sequence[Input]) -> dict[str, Floats]:
        """Logits by question: float32 (n,), for "claim" (n, 3). Rows of any length up to the model's, in any order.

        :raises ModelError: when the device fails or gives numbers that are not finite.
        """
        sizes = self.description.outputs
        found: dict[str, Floats] = {name: np.zeros((len(rows), size), dtype=np.float32) for name, size in sizes.items()}
        with self._lock:
            module = self.load()
            for chosen in batches([len(row.ids) for row in rows]):
                values = _forward(module, [rows[index] for index in chosen], self.device)
                for name, part in values.items():
                    found[name][chosen] = part
        return {name: values[:, 0] if sizes[name] == 1 else values for name, values in found.items()}


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Positions of rows by width, the length rounded up to a multiple of `STEP`; at most `MOST_ROWS` together."""
    by_width: dict[int, list[int]] = {}
    for position, length in enumerate(lengths):
        by_width.setdefault(-(-length // STEP) * STEP, []).append(position)
    return [positions[at : at + MOST_ROWS] for _, positions in sorted(by_width.items()) for at in range(0, len(positions), MOST_ROWS)]


@cache
def load_tokenizer(folder: Path) -> Any:
    """A tokenizer without truncation and padding, which are done by hand."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def build(description: Description, folder: Path, base: Path, device: str, precision: str) -> Any:
    """The module with merged weights.

    :raises ModelError: when the weights do not fit the base.
    """
    from safetensors.torch import load_file

    from guard_desk.models.judges.network_module import build_module, merged

    try:
        config = json.loads((base / "config.json").read_text(encoding="utf-8"))
        state = merged(load_file(base / "model.safetensors"), load_file(folder / WEIGHTS))
        return build_module(config, state, description.outputs, description.head_width, device, precision)
    except (RuntimeError, KeyError, ValueError, OSError) as exc:
        raise ModelError(f"The judge's weights in {folder} cannot be loaded as {precision} on {device}: {exc}") from exc


def padded(rows: Sequence[Input]) -> tuple[Integers, Integers, Integers]:
    """Token numbers, token types and mask, int64 (rows, width), the width a multiple of `STEP`."""
    width = -(-max(len(row.ids) for row in rows) // STEP) * STEP
    ids = np.zeros((len(rows), width), dtype=np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for index, row in enumerate(rows):
        ids[index, : len(row.ids)] = row.ids
        types[index, row.second : len(row.ids)] = 1
        mask[index, : len(row.ids)] = 1
    return ids, types, mask


def _forward(module: Any, rows: Sequence[Input], device: str) -> dict[str, Floats]:
    import torch

    try:
        with torch.inference_mode():
            given = module(*(torch.from_numpy(part).to(device) for part in padded(rows)))
            found = {name: values.float().cpu().numpy() for name, values in given.items()}
    except RuntimeError as exc:
        raise ModelError(f"The judge's network failed on {device}: {exc}. Try --device cpu.") from exc
    if not all(np.isfinite(values).all() for values in found.values()):
        raise ModelError(f"The judge's network gave numbers that are not finite on {device}. Try --device cpu.")
    return found


@cache
def load_network(device: str = "auto") -> JudgeNetwork:
    """The shipped network, once a process and device."""
    return JudgeNetwork(judge_folder(), device)
