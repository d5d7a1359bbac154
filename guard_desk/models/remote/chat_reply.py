"""Replies of chat servers, whole or in pieces: what a model wrote, and what the server says about it. Nothing in a reply is trusted."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from guard_desk.errors import RemoteError
from guard_desk.models.remote.answers import Source, parse_json, server_text

DONE = "[DONE]"
# Reasons for an end that is none: the text was cut.
_CUT = frozenset({"length", "max_tokens", "content_filter", "abort", "cancelled"})
_COUNT_MOST = 10**12


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One piece of a reply; a whole reply is a piece too.

    :param text: what was written; "" in pieces that only tell something.
    :param thought: whether the model wrote for itself: a sign of life, and no part of the answer.
    :param ended: whether the server says that this is the end.
    :param speaks: whether it is a piece of an answer at all, also one without text.
    :param finished: False when the answer was cut there.
    :param prompt_tokens: as the server counts; None where it does not.
    """

    text: str = ""
    thought: bool = False
    ended: bool = False
    speaks: bool = False
    finished: bool = True
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


def read_piece(data: str, source: Source) -> Piece:
    """One event of a stream.

    :raises RemoteError: for an error that the server tells, with its status where it has one, and for what is no piece.
    """
    if data.strip() == DONE:
        return Piece(ended=True)
    try:
        value = parse_json(data.encode("utf-8", "replace"))
        if not isinstance(value, dict):
            raise ValueError("no object")
        raise_told(value, source)
        choice = _first(value.get("choices"))
        text, thought = _written(choice.get("delta"))
        if thought is None and not text:
            text, thought = _written(choice.get("message"))
    except ValueError as exc:
        raise no_answer(source, "a piece that is no JSON of an answer", data) from exc
    return _piece(value, choice, text, bool(thought))


def read_whole(value: Any, source: Source) -> Piece:
    """A reply that came in one piece.

    :raises RemoteError: for one without text.
    """
    if isinstance(value, dict):
        raise_told(value, source)
    choice = _first(value.get("choices") if isinstance(value, dict) else None)
    message = choice.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), str | list):
        if _thought(message):
            return _piece(value, choice, "", True)
        raise no_answer(source, "a reply without text", json.dumps(value))
    text, thought = _written(message)
    return _piece(value, choice, text, bool(thought))


def no_answer(source: Source, what: str, came: bytes | str) -> RemoteError:
    """A reply that cannot be used, with the beginning of what came."""
    return RemoteError(f"{source.place} sent {what} ({source.came(came)}).", remedy="Check the address and what kind of server it is.")


def raise_told(value: dict[str, Any], source: Source) -> None:
    """:raises RemoteError: when a reply of status 200 tells an error."""
    error = value.get("error")
    if not error:
        return
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else None
    told = json.dumps(value)
    said = server_text(told.encode(), source.secret) or source.came(told)
    raise RemoteError(f"{source.place} failed while it answered: {said}.", remedy="Run again later.", status=status)


def _piece(value: dict[str, Any], choice: dict[str, Any], text: str, thought: bool) -> Piece:
    reason = choice.get("finish_reason")
    usage = value.get("usage")
    return Piece(
        text=text,
        thought=thought,
        ended=isinstance(reason, str) and bool(reason),
        speaks=bool(choice),
        finished=not isinstance(reason, str) or reason.lower() not in _CUT,
        prompt_tokens=_count(usage, "prompt_tokens"),
        answer_tokens=_count(usage, "completion_tokens"),
    )


def _first(choices: Any) -> dict[str, Any]:
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}


def _written(part: Any) -> tuple[str, bool | None]:
    """The text of a delta or message, and whether the model thought; None where there is no such part.

    :raises ValueError: for a content that is no text.
    """
    if not isinstance(part, dict):
        return "", None
    content = part.get("content")
    if isinstance(content, list):
        # Some servers send parts: {"type": "text", "text": "..."}, and thoughts among them.
        texts = [entry.get("text") for entry in content if isinstance(entry, dict) and entry.get("type", "text") == "text"]
        content = "".join(text for text in texts if isinstance(text, str))
    if content is not None and not isinstance(content, str):
        raise ValueError("content that is no text")
    return content or "", _thought(part)


def _thought(part: Any) -> bool:
    return isinstance(part, dict) and any(isinstance(part.get(name), str) and part[name] for name in ("reasoning_content", "reasoning"))


def _count(usage: Any, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= _COUNT_MOST else None
