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
from guard_desk.models.remote.answers import RETRIED, Source, parse_json, unreadable_error
from guard_desk.models.remote.chat_reply import DONE, Piece, no_answer, read_piece, read_whole
from guard_desk.models.remote.client import Again, RemoteClient, timeout_error, within
from guard_desk.models.remote.events import event_data
from guard_desk.progress import CancelToken, RunContext

_HALF = re.compile("[\ud800-\udbff]$")
_BOM = b"\xef\xbb\xbf"
_FIELD = re.compile(rb"(?:data|event|id|retry)?:")
# So much of a beginning is waited for: of a web page enough to say which one, of events one line.
_PAGE_MOST, _LINE_MOST = 1024, 64


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

    def read(self, status: int, headers: Mapping[str, str], pieces: Iterator[bytes]) -> None:
        """An answer in events, or in one piece of JSON: by what it begins with, since some servers name the wrong type."""
        source = Source(place=self._place, secret=self._secret, status=status, kind=headers.get("content-type", ""))
        start = _start(pieces)
        head = start.removeprefix(_BOM).lstrip()
        if head[:1] == b"<" or "html" in source.kind.lower() or (head and head[:1] not in b"{[" and not _FIELD.match(head)):
            raise unreadable_error(start, source)
        if head[:1] in (b"{", b"["):
            self._read_whole(within(chain((start,), pieces), self._silence_s), source)
        else:
            self._read_events(chain((start,), pieces), source)

    def check(self) -> None:
        """Called on the waiting thread. :raises RemoteError: when the silence is too long."""
        if time.monotonic() > self._deadline:
            raise timeout_error(self._place, self._silence_s)

    def _read_whole(self, body: bytes, source: Source) -> None:
        try:
            value = parse_json(body)
        except ValueError as exc:
            raise unreadable_error(body, source) from exc
        with _passing():
            piece = read_whole(value, source)
        self._hand(replace(piece, text=_whole_characters(piece.text)))

    def _read_events(self, pieces: Iterator[bytes], source: Source) -> None:
        ended, speaks, half, first = False, False, "", ""
        for data in self._events(pieces, source):
            first = first or data
            with _passing():
                piece = read_piece(data, source)
            text = half + piece.text
            half = text[-1:] if _HALF.search(text) else ""
            self._hand(replace(piece, text=_whole_characters(text.removesuffix(half) if half else text)))
            ended |= piece.ended
            speaks |= piece.speaks
            if data.strip() == DONE:
                break
        if not ended:
            came = f" ({source.came(first)})" if first and not speaks else ""
            raise Again(RemoteError(f"{self._place} broke its answer off before the end{came}.", remedy="Run again."))
        if not speaks:
            raise no_answer(source, "a stream without an answer", first)

    @staticmethod
    def _events(pieces: Iterator[bytes], source: Source) -> Iterator[str]:
        seen = bytearray()
        try:
            yield from event_data(_noted(pieces, seen))
        except ValueError as exc:
            raise no_answer(source, str(exc), bytes(seen)) from exc

    def _hand(self, piece: Piece) -> None:
        if piece.text or piece.thought:
            self._begun = True
            self._live()
        self.hand(piece)

    def _live(self) -> None:
        self._deadline = time.monotonic() + self._silence_s


def _start(pieces: Iterator[bytes]) -> bytes:
    """As much of a reply as shows what it is."""
    start = b""
    for piece in pieces:
        start += piece
        head = start.removeprefix(_BOM).lstrip()
        if len(head) >= (_PAGE_MOST if head[:1] == b"<" else _LINE_MOST):
            break
        if head[:1] in (b"{", b"[") or (head[:1] != b"<" and (b"\n" in head or b"\r" in head)):
            break
    return start


def _noted(pieces: Iterator[bytes], seen: bytearray) -> Iterator[bytes]:
    """The pieces, with the beginning of them kept."""
    for piece in pieces:
        if len(seen) < _PAGE_MOST:
            seen += piece[:_PAGE_MOST]
        yield piece


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
