"""A loopback server that answers by a script, and notes what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[["Handler", int], None]


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Any
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def reply(self, status: int, body: bytes | object = b"{}", **headers: str) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content_type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        asked = Asked(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(raw) if raw else None)
        with self.server.lock:
            self.server.asked.append(asked)
            number = len(self.server.asked)
            self.server.busy += 1
            self.server.busiest = max(self.server.busiest, self.server.busy)
        try:
            type(self).script(self, number)
        except OSError:
            self.close_connection = True
        finally:
            with self.server.lock:
                self.server.busy -= 1


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), type("Scripted", (Handler,), {"script": staticmethod(script)}))
        self.asked: list[Asked] = []
        self.busy = self.busiest = 0
        self.lock = threading.Lock()
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is part of the tests."""


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """A server whose handler calls `script(handler, number of the request)`; `released` is set at the end, for those that wait."""
    server = Server(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def in_turn(*replies: tuple[int, object] | tuple[int, object, dict[str, str]]) -> Script:
    """One reply a request; the last one again and again."""

    def script(handler: Handler, number: int) -> None:
        chosen: Sequence[Any] = replies[min(number, len(replies)) - 1]
        handler.reply(chosen[0], chosen[1], **(chosen[2] if len(chosen) > 2 else {}))

    return script
