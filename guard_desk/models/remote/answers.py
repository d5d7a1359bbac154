"""Replies of servers: JSON or a plain sentence about what went wrong. Their text is untrusted and shown shortened, as plain text."""

from __future__ import annotations

import email.utils
import json
import math
import re
import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from guard_desk.errors import RemoteError

SHOWN_MOST = 240
# Of a reply that is none so much is shown.
CAME_MOST = 80
DEPTH_MOST = 4
RETRIED = frozenset({429, 502, 503, 504, 529})

_CAUSES = {
    400: "did not understand the request",
    401: "refused the key",
    402: "reports that there is no credit left",
    403: "refused access",
    404: "has nothing at this address, or does not know the model",
    405: "has nothing at this address",
    413: "finds the text too long",
    422: "refused the content of the request",
    429: "gets too many requests",
    500: "failed",
    501: "cannot do this: the model is no decision model, or the server does not offer it",
    502: "cannot be reached behind its gateway",
    503: "is not available",
    504: "did not answer its gateway in time",
    529: "is overloaded",
}
_REMEDIES = {
    400: "Check the model's name and the kind of server.",
    402: "Add credit to your account there; answers that were given are kept.",
    404: "Check the address, the kind of server and the model's name.",
    405: "Check the address and the kind of server.",
    413: "Split the passage, or choose a model with a longer context.",
    429: "Use fewer requests at one time, or run again later; answers that were given are kept.",
    501: "Choose another model or another kind of server.",
}
_MARKUP = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)|<[^>]*(?:>|$)", re.DOTALL | re.IGNORECASE)
# So much of a reply is looked at for what to show of it; a web page begins with much that nobody sees.
_LOOKED_AT = 4096
_LEAST_KEY = 4
# These say nothing of one passage: the next request would meet the same.
_REPEATING = frozenset({401, 402, 403, 404, 405, 501})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a reply comes from, for errors about it.

    :param place: the address that was asked.
    :param secret: the key, so that a server which repeats it does not get it shown.
    :param status: of the reply.
    :param kind: its content type as the server names it.
    """

    place: str
    secret: str = ""
    status: int = 200
    kind: str = ""

    def came(self, body: bytes | str) -> str:
        """What came, for people: "HTTP 200, text/plain: “hello”"."""
        kind = plain(_keyless(self.kind, self.secret), CAME_MOST) or "no content type"
        shown = _visible(body, self.secret)
        return f"HTTP {self.status}, {kind}: {f'“{shown}”' if shown else 'nothing that can be seen'}"


def parse_json(body: bytes) -> Any:
    """The value of a JSON text; NaN and infinities become None: they are no JSON, and no probability.

    :raises ValueError: for anything else.
    """
    try:
        return json.loads(body.decode("utf-8"), parse_constant=lambda _: None)
    except RecursionError as exc:
        raise ValueError("nested too deeply") from exc


def status_error(status: int, body: bytes, *, place: str, key_remedy: str, secret: str, wait_s: float | None) -> RemoteError:
    """What an HTTP status means.

    :param place: the address that was asked.
    :param key_remedy: how to set a key for this host.
    :param secret: the key, so that a server which repeats it does not get it shown.
    :param wait_s: what the server's retry-after asks for.
    """
    what = _CAUSES.get(status, "failed" if status >= 500 else "refused the request")
    said = server_text(body, secret)
    cause = f"{place} {what} (HTTP {status}{f': {said}' if said else ''})."
    remedy = key_remedy if status in (401, 403) else _REMEDIES.get(status, "Run again later; answers that were given are kept.")
    if wait_s is not None and status in RETRIED:
        remedy = f"It asks to wait {wait_s:.0f} s. {remedy}"
    return RemoteError(cause, remedy=remedy, status=status, repeats=status in _REPEATING)


def redirect_error(status: int, location: str, *, place: str) -> RemoteError:
    """A redirect is not followed: the key and the passage belong to the address that the user gave."""
    target = plain(location, 120)
    cause = f"{place} sends on to {target or 'another address'} (HTTP {status}); Guard Desk does not follow with your texts and key."
    return RemoteError(cause, remedy="If you trust that address, set it as the server.", status=status, repeats=True)


def unreadable_error(body: bytes, source: Source) -> RemoteError:
    """A reply of status 2xx that is not JSON, with the beginning of what came."""
    page = "html" in source.kind.lower() or body.lstrip()[:1] == b"<"
    cause = f"{source.place} answered {'a web page' if page else 'something that is not JSON'} ({source.came(body)})."
    return RemoteError(cause, remedy="Check the address and the kind of server.", status=source.status, repeats=page)


def server_text(body: bytes, secret: str = "") -> str:
    """The message in an error's body: `detail` (list or object), `error`, `message`, or the text itself; "" for a web page."""
    if body.lstrip()[:1] == b"<":
        return ""
    try:
        said = _message(parse_json(body))
    except ValueError:
        said = body[: 4 * SHOWN_MOST].decode("utf-8", "replace")
    return plain(_keyless(said, secret), SHOWN_MOST)


def _keyless(text: str, secret: str) -> str:
    """Text without the key, nor the first part of one that was cut at its end."""
    if len(secret) < _LEAST_KEY:
        return text
    text = text.replace(secret, "[key]")
    cut = next((size for size in range(len(secret) - 1, _LEAST_KEY - 1, -1) if text.endswith(secret[:size])), 0)
    return f"{text[:-cut]}[key]" if cut else text


def _visible(body: bytes | str, secret: str) -> str:
    """The first characters that somebody would see; of a web page those between its tags, where there are any."""
    text = body[:_LOOKED_AT].decode("utf-8", "replace") if isinstance(body, bytes) else body[:_LOOKED_AT]
    text = _keyless(text, secret)
    if text.lstrip()[:1] == "<":
        text = _MARKUP.sub(" ", text) if _MARKUP.sub("", text).strip() else text
    return plain(text, CAME_MOST)


def plain(text: str, most: int) -> str:
    """Text without control and direction characters, on one line, shortened."""
    clean = "".join(" " if char.isspace() else char for char in text[: 8 * most] if char.isspace() or unicodedata.category(char)[0] != "C")
    line = " ".join(clean.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def read_models(data: Any) -> tuple[str, ...]:
    """Names of models in a list of either kind: {"models": [{"name"}]} or {"data": [{"id"}]}; those that are none are left out."""
    if not isinstance(data, dict):
        return ()
    entries: list[Any] = next((data[name] for name in ("models", "data") if isinstance(data.get(name), list)), [])
    names = (_model_name(entry) for entry in entries)
    return tuple(dict.fromkeys(name for name in names if name))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `retry-after-ms` or `retry-after` (seconds or a date) asks to wait; None without a usable one."""
    exact, coarse = _number(headers.get("retry-after-ms")), headers.get("retry-after")
    if exact is not None:
        return exact / 1000
    seconds = _number(coarse)
    if seconds is not None or coarse is None:
        return seconds
    try:
        return max(0.0, email.utils.parsedate_to_datetime(coarse).timestamp() - time.time())
    except (ValueError, OverflowError, OSError):
        return None


def _model_name(entry: Any) -> str:
    name = entry.get("name") or entry.get("id") if isinstance(entry, dict) else entry
    # A name that would have to be changed to be shown cannot be asked for either.
    return name if isinstance(name, str) and 0 < len(name) <= 200 and plain(name, 200) == name else ""


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _message(data: Any, depth: int = 0) -> str:
    """A validation list holds the refused input too: only its place and message are taken, never the passage."""
    if isinstance(data, str):
        return data
    if isinstance(data, list):
        return "; ".join(filter(None, (_message(entry, depth + 1) for entry in data[:5]))) if depth < DEPTH_MOST else ""
    if not isinstance(data, dict) or depth > DEPTH_MOST:
        return ""
    if isinstance(data.get("msg"), str):
        place = data.get("loc")
        path = ".".join(str(step) for step in place[:8]) if isinstance(place, list) else ""
        return f"{path}: {data['msg']}" if path else data["msg"]
    for name in ("detail", "error", "message"):
        if said := _message(data.get(name), depth + 1):
            return said
    return ""
