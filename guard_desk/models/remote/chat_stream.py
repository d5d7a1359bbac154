"""Reads a chat server's answer piece by piece, on another thread, so that a cancel is felt at once whatever the server does."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any

from guard_desk.errors import RemoteError
from guard_desk.models.background import handed_over
from guard_desk.models.remote.answers import RETRIED, parse_json, unreadable_error
from guard_desk.models.remote.chat_reply import DONE, Piece, read_piece, read_whole
from guard_desk.models.remote.client import Again, RemoteClient, timeout_error, within
from guard_desk.models.remote.events import event_data
from guard_desk.progress import CancelToken, RunContext

_HALF = re.compile("[\ud800-\udbff]$")


def chat_pieces(client: RemoteClient, path: str, body: Mapping[str, Any], ctx: RunContext) -> Generator[Piece, None, None]:
    """The pieces of an answer as they come. A server that answers in one piece, as one without streaming does, gives one.

    The request is sent again where that helps, but never after the model has begun to write. `client.timeout_s` is the longest silence,
    before the first words and between two; comments and empty pieces do not break it.

    :raises RemoteError: when there is no answer, or when it breaks off.
    :raises Cancelled: at once; the reading thread is left behind, and ends with the next bytes or at the longest silence.
    """
    reading = _Reading(f"{client.address}{path}", "" if client.key is None else client.key.value, client.timeout_s)

    def read(hand: Callable[[Piece], None], stop: CancelToken) -> None:
        reading.hand = hand
        client.exchange("POST", path, body, reader=reading, ctx=RunContext(token=stop))

    return handed_over(read, ctx, name="guard-desk-stream", idle=reading.check)


class _Reading:
    """One answer, between the thread that reads it and the one that waits for it.

    :param place: the address that is asked.
    :param secret: the key, so that a server which repeats it does not get it shown.
    :param silence_s: the longest one.
    """

    def __init__(self, place: str, secret: str, silence_s: float) -> None:
        self._place = place
        self._secret = secret
        self._silence_s = silence_s
        self._deadline = math.inf
        self._begun = False
        self.hand: Callable[[Piece], None] = lambda _: None

    def begin(self) -> None:
        """An attempt begins."""
        self._live()

    def may_repeat(self) -> bool:
        """Whether nothing was written yet. The wait before the next attempt is no silence of the server."""
        self._deadline = math.inf
        return not self._begun

    def read(self, headers: Mapping[str, str], pieces: Iterator[bytes]) -> None:
        """An answer in events, or in one piece of JSON: by what it begins with, since some servers name the wrong type."""
        start, kind = b"", headers.get("content-type", "")
        for piece in pieces:
            start += piece
            if start.strip():
                break
        first = start.lstrip()[:1]
        if first == b"<" or "html" in kind.lower():
            raise unreadable_error(start, kind, place=self._place)
        if first in (b"{", b"["):
            self._read_whole(within(chain((start,), pieces), self._silence_s), kind)
        else:
            self._read_events(chain((start,), pieces))

    def check(self) -> None:
        """Called on the waiting thread. :raises RemoteError: when the silence is too long."""
        if time.monotonic() > self._deadline:
            raise timeout_error(self._place, self._silence_s)

    def _read_whole(self, body: bytes, kind: str) -> None:
        try:
            value = parse_json(body)
        except ValueError as exc:
            raise unreadable_error(body, kind, place=self._place) from exc
        with _passing():
            piece = read_whole(value, place=self._place, secret=self._secret)
        self._hand(replace(piece, text=_whole_characters(piece.text)))

    def _read_events(self, pieces: Iterator[bytes]) -> None:
        ended, half = False, ""
        for data in self._events(pieces):
            with _passing():
                piece = read_piece(data, place=self._place, secret=self._secret)
            text = half + piece.text
            half = text[-1:] if _HALF.search(text) else ""
            self._hand(replace(piece, text=_whole_characters(text.removesuffix(half) if half else text)))
            ended |= piece.ended
            if data.strip() == DONE:
                break
        if not ended:
            raise Again(RemoteError(f"{self._place} broke its answer off before the end.", remedy="Run again."))

    def _events(self, pieces: Iterator[bytes]) -> Iterator[str]:
        try:
            yield from event_data(pieces)
        except ValueError as exc:
            raise RemoteError(f"{self._place} sent {exc}.", remedy="Check the address and what kind of server it is.") from exc

    def _hand(self, piece: Piece) -> None:
        if piece.text or piece.thought:
            self._begun = True
            self._live()
        self.hand(piece)

    def _live(self) -> None:
        self._deadline = time.monotonic() + self._silence_s


@contextmanager
def _passing() -> Iterator[None]:
    """An error that a server tells in an answer may pass, as one in a status does."""
    try:
        yield
    except RemoteError as error:
        if error.status in RETRIED:
            raise Again(error) from error
        raise


def _whole_characters(text: str) -> str:
    """JSON may name the halves of a character one by one, also in two pieces; a half without its other one is none."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
