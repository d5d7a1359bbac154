"""The trained network of the answer finder: its files, and what it says of rows of tokens.

The base is the encoder that the app has anyway; `resources/answers/` holds what `packaging/judge/` trained on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from guard_desk import resources
from guard_desk.errors import ModelError
from guard_desk.models.answers.edges import Edges
from guard_desk.models.judges.judge_windows import PlacedWindow
from guard_desk.models.judges.network import Floats, Integers, MergedNetwork, batches, padded, read_description

WEIGHTS = "weights.safetensors"
DESCRIPTION = "answers.json"
# Spans of a row that share the probability; what lies behind them is far below a thousandth.
SPANS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDescription:
    """What `answers.json` says of the weights.

    :param weights: sha256 of the weights; `base_weights` of the base's.
    :param longest: most tokens of an input.
    :param temperature: logits are divided by it; `null` is then added to that of "no answer".
    """

    base: str
    base_weights: str
    weights: str
    longest: int
    temperature: float
    null: float


@dataclass(frozen=True, slots=True)
class WindowSpans:
    """The best spans of one row: code points of the passage's text (n, 2), and their logits (n,), best first; the logit of "no answer"."""

    places: npt.NDArray[np.int64]
    logits: Floats
    null: float


def answers_folder() -> Path:
    """Where the shipped weights are."""
    return resources.path("answers")


def describe(folder: Path) -> AnswerDescription:
    """What the weights in a folder are; hashes checked.

    :raises MissingModelError: when a file is missing.
    :raises ModelHashError: when weights or base differ from those that are described.
    :raises ModelError: when the description cannot be read.
    """
    return read_description(folder / WEIGHTS, folder / DESCRIPTION, _described, model="answers", what="a finder of answers")


def _described(data: Mapping[str, Any]) -> AnswerDescription:
    return AnswerDescription(
        base=data["base"],
        base_weights=data["base_sha256"],
        weights=data["weights_sha256"],
        longest=int(data["plan"]["longest"]),
        temperature=float(data["calibration"]["temperature"]),
        null=float(data["calibration"]["null"]),
    )


class AnswerNetwork(MergedNetwork):
    """The network on a device.

    :param folder: holds `weights.safetensors` and `answers.json`.
    :raises ModelError: and its kinds, when the weights cannot be used.
    """

    def __init__(self, folder: Path, device: str = "auto", precision: str | None = None) -> None:
        self.description = describe(folder)
        super().__init__("answer finder", self.description.base, device, precision)
        self._folder = folder
        self._edges: Edges | None = None

    def _build(self, base: Path) -> Any:
        from safetensors.torch import load_file

        from guard_desk.models.answers.module import build_answer_module
        from guard_desk.models.judges.network_module import merged

        try:
            config = json.loads((base / "config.json").read_text(encoding="utf-8"))
            state = merged(load_file(base / "model.safetensors"), load_file(self._folder / WEIGHTS))
            return build_answer_module(config, state, self.device, self.precision)
        except (RuntimeError, KeyError, ValueError, OSError) as exc:
            raise ModelError(
                f"The weights of the answer finder in {self._folder} cannot be loaded as {self.precision} on {self.device}: {exc}"
            ) from exc

    def spans(self, windows: Sequence[PlacedWindow]) -> list[WindowSpans]:
        """The best spans of each window. Windows of any length up to the model's, in any order.

        :raises ModelError: when the device fails or gives numbers that are not finite.
        """
        found: dict[int, WindowSpans] = {}
        with self._lock:
            self.load()
            for chosen in batches([len(window.window.row.ids) for window in windows]):
                found |= dict(zip(chosen, self._forward([windows[index] for index in chosen]), strict=True))
        return [found[index] for index in range(len(windows))]

    def _forward(self, windows: Sequence[PlacedWindow]) -> list[WindowSpans]:
        import torch

        ids, types, mask = padded([window.window.row for window in windows])
        first, last = self._masks(windows, ids)
        try:
            with torch.inference_mode():
                given = self._module(*(torch.from_numpy(part).to(self.device) for part in (ids, types, mask, first, last)), SPANS)
                logits, places, null = (part.cpu().numpy() for part in given)
        except RuntimeError as exc:
            raise ModelError(f"The network of the answer finder failed on {self.device}: {exc}. Try --device cpu.") from exc
        if not (np.isfinite(logits).all() and np.isfinite(null).all()):
            raise ModelError(f"The network of the answer finder gave numbers that are not finite on {self.device}. Try --device cpu.")
        width = ids.shape[1]
        return [_placed(window, logits[row], places[row], float(null[row]), width) for row, window in enumerate(windows)]

    def _masks(self, windows: Sequence[PlacedWindow], ids: Integers) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        if self._edges is None:
            self._edges = Edges(self.tokenizer)
        first, last = np.zeros(ids.shape, dtype=np.bool_), np.zeros(ids.shape, dtype=np.bool_)
        for index, window in enumerate(windows):
            length = len(window.window.row.ids)
            first[index, :length], last[index, :length] = self._edges.masks(window.window.row.ids, window.first)
        return first, last


def _placed(window: PlacedWindow, logits: Floats, places: Integers, null: float, width: int) -> WindowSpans:
    """Token places as code points; places that no answer may have are left out."""
    offsets = np.asarray(window.offsets, dtype=np.int64).reshape(-1, 2)
    first, last = np.divmod(places, width)
    kept = (logits > -1e3) & (first >= window.first) & (last < window.first + len(offsets))
    starts, ends = offsets[first[kept] - window.first, 0], offsets[last[kept] - window.first, 1]
    return WindowSpans(np.stack([starts, ends], axis=1), logits[kept].astype(np.float32), null)


@cache
def load_network(device: str = "auto") -> AnswerNetwork:
    """The shipped network, once a process and device."""
    return AnswerNetwork(answers_folder(), device)
