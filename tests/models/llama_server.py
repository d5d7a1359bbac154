"""A real llama.cpp server with SmolLM2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.models.smollm2 import smollm2_file


@contextmanager
def llama_server(*, context_tokens: int, at_once: int = 1) -> Iterator[str]:
    """Its address on a free loopback port; the test is skipped where the model is not installed."""
    path = smollm2_file()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context_tokens
    params.n_parallel = at_once
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # several wait for each other on a busy machine
    params.n_gpu_layers = 0
    params.warmup = False
    params.verbosity = -1
    params.ui = False
    params.endpoint_metrics = True
    running = xllamacpp.Server(params)
    running.handle_metrics()  # a server that is freed before its loop has begun waits for ever
    yield str(running.listening_address)
    del running
