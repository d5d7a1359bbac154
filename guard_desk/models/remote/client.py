"""A small client for JSON over HTTP: retries, waits that a cancel ends at once, errors that say what to do."""

from __future__ import annotations

import json
import logging
import random
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.remote.address import Address
from guard_desk.models.remote.answers import RETRIED, Source, parse_json, redirect_error, retry_after, status_error, unreadable_error
from guard_desk.models.remote.keys import Key, find_key, key_remedy
from guard_desk.models.remote.pool import run_cancellable
from guard_desk.progress import RunContext
from guard_desk.version import __version__

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger("guard_desk.models")

Result = TypeVar("Result")
Read = TypeVar("Read", covariant=True)

CONNECT_MOST_S = 10.0
BRIEF_MOST_S = 20.0
BODY_MOST = 8 * 1024 * 1024
CONNECTIONS_MOST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """When a request is sent again.

    :param attempts: requests in all.
    :param first_wait_s: before the second one; doubled each time up to `longest_wait_s`, less up to a quarter by chance.
    :param retry_after_most_s: a server that asks for a longer wait than this is not waited for: the request fails.
    """

    attempts: int = 4
    first_wait_s: float = 0.5
    longest_wait_s: float = 8.0
    retry_after_most_s: float = 60.0

    def wait_s(self, attempt: int) -> float:
        """Seconds before the attempt after this one (1-based)."""
        longest: float = min(self.first_wait_s * 2.0 ** (attempt - 1), self.longest_wait_s)
        return longest * random.uniform(0.75, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A usable reply.

    :param data: the JSON value; what it holds is not checked.
    :param attempts: requests that it took.
    """

    data: Any
    attempts: int = 1


@dataclass(slots=True, kw_only=True)
class RemoteClient:
    """Speaks to one server. `send` may be called from several threads at one time.

    The proxies and certificates of the environment are used as httpx does, but no proxy on the way to this machine.
    Redirects are never followed.

    :param key: sent as a bearer key; None sends none.
    :param timeout_s: seconds that one attempt may take in all.
    :param headers: further headers of each request.
    """

    address: Address
    key: Key | None = field(default=None, repr=False)
    timeout_s: float = 60.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    _http: httpx.Client | None = field(default=None, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _closed: bool = False
    _pause_until: float = 0.0
    _sent: int = 0

    def __post_init__(self) -> None:
        if self.key is not None and not self.address.encrypted and not self.address.loopback:
            raise InputError(
                f"{self.address} is not encrypted: your key would travel readable by others.",
                remedy="Use https://, a tunnel to localhost, or take away the key for this server.",
            )

    def request(self, method: str, path: str, body: Any = None, *, ctx: RunContext) -> Reply:
        """`send` on another thread, so that a cancel ends it at once."""
        return run_cancellable(lambda worker_ctx: self.send(method, path, body, ctx=worker_ctx), ctx)

    def send(self, method: str, path: str, body: Any = None, *, ctx: RunContext) -> Reply:
        """Send a request, again where that helps; a cancel is seen in waits and between pieces of the reply.

        :param path: added to the address, with a leading slash.
        :param body: sent as JSON; None sends none.
        :raises RemoteError: when there is no usable reply; it counts the attempts.
        :raises Cancelled: between attempts and during waits.
        """
        data, attempts = self.exchange(method, path, body, reader=self._json_reader(path), ctx=ctx)
        return Reply(data=data, attempts=attempts)

    def _json_reader(self, path: str) -> _JsonReader:
        return _JsonReader(f"{self.address}{path}", "" if self.key is None else self.key.value, self.timeout_s)

    def exchange(self, method: str, path: str, body: Any, *, reader: Reader[Result], ctx: RunContext) -> tuple[Result, int]:
        """`send` for a reply that `reader` reads while it comes in. :returns: what it read, and the requests that it took."""
        content = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        attempt = 0
        while True:
            attempt += 1
            self._pause(ctx)
            reader.begin()
            try:
                return self._attempt(method, path, content, reader, ctx), attempt
            except Again as again:
                wait_s = self._next_wait(again, attempt) if reader.may_repeat() else None
                if wait_s is None:
                    again.error.attempts = attempt
                    raise again.error from again.__cause__
                logger.info("%s; trying again in %.1f s", again.error.cause, wait_s)
                self._sleep(wait_s, ctx)
            except RemoteError as error:
                error.attempts = attempt
                raise

    @property
    def sent(self) -> int:
        """Requests that were begun so far, those that failed or were left behind included."""
        return self._sent

    def close(self) -> None:
        """Close the connections; later requests fail."""
        with self._lock:
            self._closed = True
            http, self._http = self._http, None
        if http is not None:
            http.close()

    def __enter__(self) -> RemoteClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _attempt(self, method: str, path: str, content: bytes | None, reader: Reader[Result], ctx: RunContext) -> Result:
        import httpx

        place = f"{self.address}{path}"
        try:
            with self._client().stream(method, place, content=content, headers=self._headers(content)) as response:
                pieces = self._pieces(response, place, ctx)
                if not 200 <= response.status_code < 300:
                    raise self._refused(response.status_code, response.headers, within(pieces, self.timeout_s), place)
                return reader.read(response.status_code, response.headers, pieces)
        except httpx.TimeoutException as exc:
            late = not isinstance(exc, httpx.ConnectTimeout)
            raise timeout_error(place, self.timeout_s) if late else Again(self._unreachable(place, exc)) from exc
        except httpx.TransportError as exc:
            raise Again(self._unreachable(place, exc)) from exc
        except (httpx.InvalidURL, httpx.DecodingError, UnicodeError) as exc:
            raise RemoteError(f"{place} cannot be spoken to ({type(exc).__name__}).", remedy="Check the address.", repeats=True) from exc

    @staticmethod
    def _pieces(response: httpx.Response, place: str, ctx: RunContext) -> Iterator[bytes]:
        """The body as it comes in, up to `BODY_MOST`."""
        size = 0
        for piece in response.iter_bytes():
            ctx.check()
            size += len(piece)
            if size > BODY_MOST:
                raise RemoteError(f"{place} answered more than {BODY_MOST >> 20} MiB.", remedy="Check the address.", repeats=True)
            yield piece

    def _client(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._closed:
                raise RemoteError(f"The connection to {self.address} was closed.")
            if self._http is None:
                self._http = httpx.Client(
                    timeout=httpx.Timeout(self.timeout_s, connect=min(CONNECT_MOST_S, self.timeout_s)),
                    limits=httpx.Limits(max_connections=CONNECTIONS_MOST, max_keepalive_connections=CONNECTIONS_MOST),
                    follow_redirects=False,
                    mounts=self._direct(),
                )
            self._sent += 1
            return self._http

    def _direct(self) -> dict[str, None]:
        """This machine is never asked through a proxy: the proxy would read the key, and mean itself by "localhost"."""
        name = f"[{self.address.host}]" if ":" in self.address.host else self.address.host
        return {f"all://{name}": None} if self.address.loopback else {}

    def _headers(self, content: bytes | None) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": f"guard-desk/{__version__}", **self.headers}
        if content is not None:
            headers["Content-Type"] = "application/json"
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key.value}"
        return headers

    def _refused(self, status: int, headers: Mapping[str, str], body: bytes, place: str) -> Exception:
        if 300 <= status < 400:
            return redirect_error(status, headers.get("location", ""), place=place)
        wait_s = retry_after(headers)
        error = status_error(
            status,
            body,
            place=place,
            key_remedy=key_remedy(self.address.host, self.key),
            secret="" if self.key is None else self.key.value,
            wait_s=wait_s,
        )
        return Again(error, wait_s) if status in RETRIED else error

    def _unreachable(self, place: str, exc: Exception) -> RemoteError:
        import httpx

        if isinstance(exc, (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)):
            return RemoteError(f"{place} broke the connection off ({type(exc).__name__}).", remedy="Run again later.")
        remedy = "Check the address, that the server runs, and your network or proxy."
        return RemoteError(f"{place} cannot be reached ({type(exc).__name__}).", remedy=remedy, repeats=True)

    def _next_wait(self, again: Again, attempt: int) -> float | None:
        """Seconds until the next attempt; None when there is none."""
        if again.wait_s is not None and again.wait_s > self.retry.retry_after_most_s:
            # Waiting less would be answered in the same way, for every other request too.
            again.error.repeats = True
            return None
        if attempt >= self.retry.attempts:
            return None
        wait_s = self.retry.wait_s(attempt) if again.wait_s is None else again.wait_s
        if again.wait_s is not None:
            self._pause_until = max(self._pause_until, time.monotonic() + wait_s)
        return wait_s

    def _pause(self, ctx: RunContext) -> None:
        """A server that asked one request to wait is not pressed by the others."""
        self._sleep(self._pause_until - time.monotonic(), ctx)

    @staticmethod
    def _sleep(seconds: float, ctx: RunContext) -> None:
        ctx.check()
        if seconds > 0 and ctx.token.wait(seconds):
            ctx.check()


def brief_client(address: Address, timeout_s: float) -> RemoteClient:
    """A client for a question that somebody waits for: at most `BRIEF_MOST_S` an attempt, two attempts.

    :raises InputError: for a key that is none, or would travel unencrypted.
    """
    return RemoteClient(address=address, key=find_key(address.host), timeout_s=min(timeout_s, BRIEF_MOST_S), retry=RetryPolicy(attempts=2))


def within(pieces: Iterator[bytes], seconds: float) -> bytes:
    """A whole body. :raises httpx.ReadTimeout: when it comes too slowly."""
    import httpx

    deadline = time.monotonic() + seconds
    body = bytearray()
    for piece in pieces:
        body += piece
        if time.monotonic() > deadline:
            raise httpx.ReadTimeout("the reply came too slowly")
    return bytes(body)


def timeout_error(place: str, seconds: float) -> RemoteError:
    """A server that said nothing for so long."""
    cause = f"{place} did not answer within {seconds:g} s."
    return RemoteError(cause, remedy="Give it more time, use fewer requests at one time, or choose a faster model.")


class Reader(Protocol[Read]):
    """Reads one reply while it comes in."""

    def begin(self) -> None:
        """Called before each attempt."""
        ...

    def read(self, status: int, headers: Mapping[str, str], pieces: Iterator[bytes]) -> Read:
        """The reply of a status 2xx.

        :raises Again: for a failure that may pass.
        :raises RemoteError: for a reply that cannot be used.
        """
        ...

    def may_repeat(self) -> bool:
        """Whether the request may be sent again. Called after an attempt that failed."""
        ...


class _JsonReader:
    """Reads a JSON value of at most `BODY_MOST` bytes.

    :param place: the address that was asked.
    :param secret: the key, which no error shows.
    :param timeout_s: for all of it.
    """

    def __init__(self, place: str, secret: str, timeout_s: float) -> None:
        self._place = place
        self._secret = secret
        self._timeout_s = timeout_s
        self._deadline = 0.0

    def begin(self) -> None:
        self._deadline = time.monotonic() + self._timeout_s

    def read(self, status: int, headers: Mapping[str, str], pieces: Iterator[bytes]) -> Any:
        body = within(pieces, self._deadline - time.monotonic())
        try:
            return parse_json(body)
        except ValueError as exc:
            source = Source(place=self._place, secret=self._secret, status=status, kind=headers.get("content-type", ""))
            raise unreadable_error(body, source) from exc

    def may_repeat(self) -> bool:
        return True


class Again(Exception):  # noqa: N818 - it never leaves `RemoteClient.exchange`
    """A failure that may pass.

    :param wait_s: what the server asks for.
    """

    def __init__(self, error: RemoteError, wait_s: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait_s = wait_s
