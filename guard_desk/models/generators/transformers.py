"""Writes answers on this machine: a causal or sequence-to-sequence model of the transformers library, from its folder."""

from __future__ import annotations

import copy
from collections.abc import Callable
from collections.abc import Generator as PythonGenerator
from contextlib import closing

from guard_desk.models.background import handed_over
from guard_desk.models.generators.transformers_model import TransformersModel
from guard_desk.models.head_folder import HeadFolder
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Usage
from guard_desk.records.evidence import ModelInfo

ANSWER_TOKENS = 512
# Raise it when the same folder would be asked in another way.
VERSION = "1"


class TransformersGenerator:
    """A model in a folder. Deterministic: it always writes the most probable token.

    :param folder: checked by `open_writer`.
    :param device: auto, cpu, cuda, cuda:N or mps.
    :param answer_tokens: most tokens of an answer.
    """

    def __init__(self, folder: HeadFolder, device: str = "auto", *, answer_tokens: int = ANSWER_TOKENS) -> None:
        self._folder = folder
        self._answer_tokens = answer_tokens
        self._model = TransformersModel(folder, device)

    @property
    def info(self) -> ModelInfo:
        """The device is "" until the model is loaded, where the machine decides it."""
        return ModelInfo(
            name=self._folder.source,
            revision=f"{self._folder.digest[:16]}-{VERSION}.a{self._answer_tokens}",
            weights=self._folder.weights,
            device=self._model.device,
            detail=f"Model folder {self._folder.path}.",
        )

    def limited(self, answer_tokens: int) -> TransformersGenerator:
        """The same loaded model with another limit of the answer's tokens."""
        other = copy.copy(self)
        other._answer_tokens = answer_tokens
        return other

    def load(self) -> None:
        """Read the weights, once. :raises ModelError: when the library cannot load the folder."""
        self._model.load()

    def generate(self, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Usage]:
        """The answer in pieces of whole characters.

        :returns: the usage, counted in the model's own tokens, as the generator's value.
        :raises ModelError: when the prompt is longer than the model reads, and when it cannot be loaded or fails.
        :raises Cancelled: at once; the model stops with the token that it is at, and the next answer waits for that.
        """
        finished = False

        def work(hand: Callable[[str | int], None], stop: CancelToken) -> None:
            nonlocal finished
            finished = self._model.write(prompt, self._answer_tokens, hand, stop)

        counts: list[int] = []
        with closing(handed_over(work, ctx, name="guard-desk-transformers")) as handed:
            for item in handed:
                if isinstance(item, str):
                    yield item
                    continue
                counts.append(item)
                ctx.report("read prompt", counts[0] if len(counts) > 1 else 0, counts[0], unit="tokens")
        return Usage(prompt_tokens=counts[0], answer_tokens=len(counts) - 1, finished=finished)
