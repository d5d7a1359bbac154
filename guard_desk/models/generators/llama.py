"""Writes answers on this machine: a GGUF model through xllamacpp, in this process."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping
from collections.abc import Generator as PythonGenerator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.models.background import handed_over
from guard_desk.models.llama import defused, start_model
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Usage
from guard_desk.records.evidence import ModelInfo

# SmolLM2 was trained on 8,192 tokens; larger models read no more than this here, to keep memory small.
CONTEXT_TOKENS = 8192
ANSWER_TOKENS = 512

# Prompt tokens that are read between two looks at the cancel flag.
_BATCH_TOKENS = 128
# The reader does not wait longer than this for a library that is busy with a batch; the library stops after it.
_STOP_SECONDS = 0.5
_SEED = 0


class LlamaGenerator:
    """A local chat model. Deterministic: temperature 0 and a fixed seed.

    :param name: name for people.
    :param path: the GGUF file, already checked.
    :param weights: its sha256.
    :param device: "cpu" keeps all layers off the GPU; anything else lets the library decide.
    :param answer_tokens: most tokens of an answer.
    """

    def __init__(
        self, *, name: str, path: Path, weights: str, device: str = "auto", answer_tokens: int = ANSWER_TOKENS, detail: str = ""
    ) -> None:
        self._name = name
        self._weights = weights
        self._answer_tokens = answer_tokens
        self._detail = detail
        self._model = _Model(path, device)

    @property
    def info(self) -> ModelInfo:
        """The device is "" until the model is loaded."""
        revision = f"{self._weights[:16]}.c{CONTEXT_TOKENS}.a{self._answer_tokens}"
        return ModelInfo(name=self._name, revision=revision, weights=self._weights, device=self._model.device, detail=self._detail)

    def limited(self, answer_tokens: int) -> LlamaGenerator:
        """The same loaded model with another limit of the answer's tokens."""
        other = copy.copy(self)
        other._answer_tokens = answer_tokens
        return other

    def load(self) -> Any:
        """The model, loaded once. :raises ModelError: when the file is no model that this version can run."""
        return self._model.load()

    def generate(self, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Usage]:
        """The answer in pieces.

        :returns: the usage, as the generator's value.
        :raises ModelError: when the prompt is longer than the context.
        :raises Cancelled: within a fraction of a second, also while the prompt is being read.
        """
        ctx.check()
        work = partial(_answer, self.load(), self._request(prompt))
        finished, usage = True, Usage(prompt_tokens=0, answer_tokens=0)
        with closing(handed_over(work, ctx, name="guard-desk-generate", leave_s=_STOP_SECONDS)) as chunks:
            for chunk in chunks:
                self._raise_error(chunk)
                _report(chunk, ctx)
                for choice in chunk.get("choices") or ():
                    finished = finished and choice.get("finish_reason") != "length"
                    piece = choice.get("delta", {}).get("content")
                    if piece:
                        yield piece
                if chunk.get("usage"):
                    usage = _usage(chunk["usage"], finished)
        return usage

    def _request(self, prompt: str) -> dict[str, Any]:
        return {
            "messages": [{"role": "user", "content": defused(prompt)}],
            "max_tokens": self._answer_tokens,
            "temperature": 0,
            "seed": _SEED,
            "cache_prompt": False,  # a reused cache may change the last digits, and so the answer
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
            # Models that think before they answer would spend the limit on it.
            "chat_template_kwargs": {"enable_thinking": False},
        }

    def _raise_error(self, chunk: Mapping[str, Any]) -> None:
        error = chunk.get("error")
        if not error:
            return
        if error.get("type") == "exceed_context_size_error":
            raise ModelError(
                f"The prompt has {error.get('n_prompt_tokens', 0):,} tokens of the model {self._name!r}, which reads at most "
                f"{error.get('n_ctx', CONTEXT_TOKENS):,}. Lower assemble.budget_tokens or assemble.k."
            )
        raise ModelError(f"The model {self._name!r} failed: {error.get('message', error)}")


class _Model:
    """The loaded file, shared by generators that differ in their limits only."""

    def __init__(self, path: Path, wanted: str) -> None:
        self.device = ""
        self.server: Any = None
        self._path = path
        self._wanted = wanted
        self._lock = threading.Lock()

    def load(self) -> Any:
        with self._lock:
            if self.server is None:
                self.device, self.server = start_model(
                    self._path, self._wanted, context_tokens=CONTEXT_TOKENS, batch_tokens=_BATCH_TOKENS, what="a GGUF chat model"
                )
            return self.server


def _answer(server: Any, request: dict[str, Any], hand: Callable[[Mapping[str, Any]], None], stop: CancelToken) -> None:
    """The chunks of one answer, by the library's callback."""

    def receive(chunk: Any) -> bool:
        # True stops the library. A failed request comes as a list.
        for part in chunk if isinstance(chunk, list) else [chunk]:
            hand(part)
        return stop.cancelled

    try:
        server.handle_chat_completions(request, receive)
    except Exception as exc:
        raise ModelError(f"The local model failed: {exc}") from exc


def _report(chunk: Mapping[str, Any], ctx: RunContext) -> None:
    progress = chunk.get("prompt_progress")
    if progress:
        ctx.report("read prompt", int(progress["processed"]), int(progress["total"]), unit="tokens")


def _usage(usage: Mapping[str, Any], finished: bool) -> Usage:
    return Usage(prompt_tokens=int(usage["prompt_tokens"]), answer_tokens=int(usage["completion_tokens"]), finished=finished)
