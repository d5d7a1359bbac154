"""What a chat server is asked, and which part of it a server that knows less is asked without."""

from __future__ import annotations

import re
from typing import Any

from guard_desk.errors import RemoteError
from guard_desk.models.llama import defused

_REFUSING = frozenset({400, 422, 501})
# In the order in which they are looked for: what is left out when the server's words name it.
_PARTS = (
    ("max_tokens", re.compile(r"\bmax_(?:completion_)?tokens\b")),
    ("temperature", re.compile(r"\btemperature\b")),
    ("stream_options", re.compile(r"\bstream_options\b")),
    ("stream", re.compile(r"\bstream(?:ing)?\b", re.IGNORECASE)),
)
_TOO_LONG = re.compile(r"context[ _](?:length|size|window)|maximum context|prompt is too long|too many (?:input )?tokens", re.IGNORECASE)


def request_of(model: str, prompt: str, answer_tokens: int, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The body of a request.

    :param without: parts that the server has refused; without "max_tokens" the limit goes by its newer name.
    """
    body: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": defused(prompt)}]}
    body["max_completion_tokens" if "max_tokens" in without else "max_tokens"] = answer_tokens
    if "temperature" not in without:
        body["temperature"] = 0
    if "stream" not in without:
        body["stream"] = True
        if "stream_options" not in without:
            body["stream_options"] = {"include_usage": True}
    return body


def refused_part(error: RemoteError, without: frozenset[str]) -> str | None:
    """The part of the request that a server does not take, by its own words; None when it is something else."""
    if error.status not in _REFUSING or too_long(error):
        return None
    said = _said(error)
    return next((name for name, pattern in _PARTS if name not in without and pattern.search(said)), None)


def too_long(error: RemoteError) -> bool:
    """Whether a server finds the prompt too long for its model."""
    return error.status == 413 or (error.status in _REFUSING and _TOO_LONG.search(_said(error)) is not None)


def _said(error: RemoteError) -> str:
    """The server's own words; the address before them may hold any word."""
    return error.cause.partition("(HTTP ")[2]
