"""GGUF models in this process, through xllamacpp: how they are started, and what their tokenizers would obey in a text."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError

# Signs that templates use as borders. In a passage they are only text, but the tokenizer would obey them.
_BORDERS = re.compile(
    r"<\|(?=\w+\|>)|<(?=/?s>|(?:start|end)_of_turn>|bos>|eos>|mask>|pad>|unk>)|\[(?=/?INST\]|CLS\]|SEP\]|MASK\]|PAD\]|UNK\])"
)


def defused(text: str) -> str:
    """Borders inside a text broken by a space, so that no passage can end the user's turn or open a system turn."""
    return _BORDERS.sub(lambda match: match[0][0] + " " + match[0][1:], text)


def start_model(path: Path, wanted: str, *, context_tokens: int, batch_tokens: int, what: str) -> tuple[str, Any]:
    """A model with the library around it.

    :param wanted: "cpu" keeps all layers off the GPU; anything else lets the library decide.
    :param batch_tokens: read between two looks at the cancel flag; models that read both ways take no longer input.
    :param what: what the file must be, for people.
    :returns: the device that is used, and an `xllamacpp.Server`.
    :raises ModelError: when the file is no model that this version can run.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = batch_tokens
    params.ctx_shift = False
    params.cache_ram_mib = 0
    params.cache_prompt = False  # a reused cache may change the last digits, and so the answer
    params.warmup = False
    params.verbosity = -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
    if wanted == "cpu":
        params.n_gpu_layers = 0
    # The library also listens on a loopback port; nobody else may use it.
    params.ui = False
    params.api_keys = [secrets.token_hex(32)]
    params.endpoint_metrics = True
    try:
        server = xllamacpp.Server(params)
    except Exception as exc:
        raise ModelError(f"The model file {path} cannot be loaded: {str(exc).rstrip(' .')}. It must be {what}.") from exc
    # xllamacpp 2026.10 waits for ever when a server is freed before its loop has begun; an answer of the loop shows that it has.
    server.handle_metrics()
    return ("cpu" if wanted == "cpu" else _device(xllamacpp.get_device_info())), server


def _device(devices: Any) -> str:
    """The name of the first device that is no CPU; "cpu" without one."""
    names = [str(device.get("name", "")) for device in devices]
    others = [name for name in names if name and not name.upper().startswith(("CPU", "BLAS", "ACCEL"))]
    return others[0].lower() if others else "cpu"


def _threads() -> int:
    """As many as this process may use, at most 8; OMP_NUM_THREADS limits them as it does for the other libraries.

    They wait for each other at every layer: on a busy machine more of them are slower by far than one.
    """
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return max(1, min(affinity, 8, int(asked) if asked.isascii() and asked.isdecimal() and int(asked) > 0 else 8))
