"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): the data of each event, from the bytes of a reply.

The parser is our own: forty lines, and unlike those of the packages it has a bound for a line that never ends, and cuts lines before it
decodes them, so that no character is halved and U+2028 inside of JSON is no line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LINE_MOST = 1 << 20

_LINE_END = re.compile(rb"\r\n|\n|\r")


def event_data(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event as soon as it is complete. Comments and other fields are left out, and so is an event that was cut off.

    :raises ValueError: for a line of more than `LINE_MOST` bytes.
    """
    data: list[str] = []
    for line in _lines(pieces):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
            continue
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" ").decode("utf-8", "replace"))


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Complete lines without their ends."""
    rest, begun = b"", False
    for piece in pieces:
        rest += piece
        if len(rest) > LINE_MOST and not _LINE_END.search(rest):
            raise ValueError("a line without end")
        if not begun:
            if rest in (b"", b"\xef", b"\xef\xbb"):
                continue
            rest, begun = rest.removeprefix(b"\xef\xbb\xbf"), True
        # A carriage return at the end may be half of a line end.
        held = rest[-1:] if rest.endswith(b"\r") else b""
        *lines, rest = _LINE_END.split(rest[: len(rest) - len(held)])
        rest += held
        yield from lines
    if rest.endswith(b"\r"):
        yield rest[:-1]
