"""jevcompat's mock of a decision server, with a pause before each answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer

from jevcompat import mock


@contextmanager
def deciding(*faults: str, key: str | None = None, busy_every: int = 0, pause_s: float = 0.0) -> Iterator[DecisionServer]:
    """A mock server on a free port. `config.requests` counts the questions it was asked."""
    config = mock.MockConfig(key=key, faults=frozenset(faults), busy_every=busy_every)
    server = DecisionServer(config, pause_s)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class DecisionServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, config: mock.MockConfig, pause_s: float) -> None:
        super().__init__(("127.0.0.1", 0), type("Paused", (_Paused,), {"cfg": config}))
        self.config = config
        self.pause_s = pause_s

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """Clients that hang up are part of the tests."""

    def wait_for(self, requests: int) -> None:
        """Until so many questions were asked."""
        while self.config.requests < requests:
            time.sleep(0.005)


class _Paused(mock.Handler):
    server: DecisionServer

    def do_POST(self) -> None:  # noqa: N802 - the base class's name
        time.sleep(self.server.pause_s)
        super().do_POST()
