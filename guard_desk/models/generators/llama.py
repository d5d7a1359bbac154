"""Writes answers on this machine: a GGUF model through xllamacpp, in this process."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator as PythonGenerator
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.models.llama import defused, start_model
from guard_desk.progress import RunContext
from guard_desk.protocols import Usage
from guard_desk.records.evidence import ModelInfo

# SmolLM2 was trained on 8,192 tokens; larger models read no more than this here, to keep memory small.
CONTEXT_TOKENS = 8192
ANSWER_TOKENS = 512

# Prompt tokens that are read between two looks at the cancel flag.
_BATCH_TOKENS = 128
_POLL_SECONDS = 0.05
# The reader does not wait longer than this for a library that is busy with a batch; the library stops after it.
_STOP_SECONDS = 0.5
_SEED = 0


@dataclass(frozen=True, slots=True)
class _End:
    """Why the stream stopped: an error, or the usage it reported."""

    error: Exception | None = None


class LlamaGenerator:
    """A local chat model. Deterministic: temperature 0 and a fixed seed.

    :param name: name for people.
    :param path: the GGUF file, already checked.
    :param weights: its sha256.
    :param device: "cpu" keeps all layers off the GPU; anything else lets the library decide.
    """

    def __init__(
        self, *, name: str, path: Path, weights: str, device: str = "auto", answer_tokens: int = ANSWER_TOKENS, detail: str = ""
    ) -> None:
        self._name = name
        self._path = path
        self._weights = weights
        self._wanted = device
        self._answer_tokens = answer_tokens
        self._detail = detail
        self._server: Any = None
        self._device = ""
        self._load_lock = threading.Lock()

    @property
    def info(self) -> ModelInfo:
        """The device is "" until the model is loaded."""
        revision = f"{self._weights[:16]}.c{CONTEXT_TOKENS}.a{self._answer_tokens}"
        return ModelInfo(name=self._name, revision=revision, weights=self._weights, device=self._device, detail=self._detail)

    def load(self) -> Any:
        """The model, loaded once. :raises ModelError: when the file is no model that this version can run."""
        with self._load_lock:
            if self._server is None:
                self._device, self._server = start_model(
                    self._path, self._wanted, context_tokens=CONTEXT_TOKENS, batch_tokens=_BATCH_TOKENS, what="a GGUF chat model"
                )
            return self._server

    def generate(self, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Usage]:
        """The answer in pieces.

        :returns: the usage, as the generator's value.
        :raises ModelError: when the prompt is longer than the context.
        :raises Cancelled: within a fraction of a second, also while the prompt is being read.
        """
        ctx.check()
        stream = _Stream(self.load(), self._request(prompt))
        finished, usage = True, Usage(prompt_tokens=0, answer_tokens=0)
        try:
            for chunk in stream.chunks(ctx):
                self._raise_error(chunk)
                _report(chunk, ctx)
                for choice in chunk.get("choices") or ():
                    finished = finished and choice.get("finish_reason") != "length"
                    piece = choice.get("delta", {}).get("content")
                    if piece:
                        yield piece
                if chunk.get("usage"):
                    usage = _usage(chunk["usage"], finished)
        finally:
            stream.stop()
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


class _Stream:
    """Turns the library's callback into an iterator that can be stopped at any moment."""

    def __init__(self, server: Any, request: dict[str, Any]) -> None:
        self._queue: queue.SimpleQueue[Mapping[str, Any] | _End] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(server, request), name="guard-desk-generate", daemon=True)
        self._thread.start()

    def chunks(self, ctx: RunContext) -> PythonGenerator[Mapping[str, Any], None, None]:
        while True:
            ctx.check()
            try:
                item = self._queue.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                continue
            if isinstance(item, _End):
                if item.error is not None:
                    raise ModelError(f"The local model failed: {item.error}") from item.error
                return
            yield item

    def stop(self) -> None:
        """Ask the library to stop at its next chunk, and wait for it a moment."""
        self._stopped.set()
        self._thread.join(timeout=_STOP_SECONDS)

    def _run(self, server: Any, request: dict[str, Any]) -> None:
        try:
            server.handle_chat_completions(request, self._receive)
        except Exception as exc:  # noqa: BLE001 - handed to the reading thread, which raises it
            self._queue.put(_End(exc))
        else:
            self._queue.put(_End())

    def _receive(self, chunk: Any) -> bool:
        """Called by the library; True stops it. A failed request comes as a list."""
        for part in chunk if isinstance(chunk, list) else [chunk]:
            self._queue.put(part)
        return self._stopped.is_set()


def _report(chunk: Mapping[str, Any], ctx: RunContext) -> None:
    progress = chunk.get("prompt_progress")
    if progress:
        ctx.report("read prompt", int(progress["processed"]), int(progress["total"]), unit="tokens")


def _usage(usage: Mapping[str, Any], finished: bool) -> Usage:
    return Usage(prompt_tokens=int(usage["prompt_tokens"]), answer_tokens=int(usage["completion_tokens"]), finished=finished)
