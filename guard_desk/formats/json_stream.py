"""Values of a JSON array (or of several JSON texts in a row), one after another, without holding the whole file.

A value that is no JSON is told with its number and the reader goes on behind it, when it can find its end. When the
file stops in the middle, what came before has been given already. (ijson gives up the whole file on a lone surrogate,
on NaN, and on the first bad value; `json.JSONDecoder.raw_decode` on a moving window does not.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPACE = re.compile(r"[\s\ufeff]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},"]', re.DOTALL)
_RECORD_START = re.compile(r'[}"]\s*,\s*\{\s*"')
_CLOSES = {"]": "[", "}": "{"}
_LONGEST_REPAIR = 1 << 24
_NEAR_END = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One value, or why there is none.

    :param number: 1-based number in the file; None for what concerns the rest of the file.
    :param raw: the value as written.
    :param problem: why there is no value; "" when there is one.
    """

    number: int | None
    value: object = None
    raw: str = ""
    problem: str = ""


class _Window:
    """The part of the text that is held in memory."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self.text = ""
        self.at = 0
        self._pieces = pieces

    def more(self) -> bool:
        """Read at least as much again as is held: reading a long value stays linear."""
        kept = self.text[self.at :]
        parts, added = [kept], 0
        for piece in self._pieces:
            parts.append(piece)
            added += len(piece)
            if added >= len(kept):
                break
        if added:
            self.text, self.at = "".join(parts), 0
        return added > 0

    def peek(self) -> str:
        """The next character that is no white space; "" at the end."""
        while True:
            space = _SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""


def json_values(pieces: Iterator[str]) -> Iterator[Item]:
    """The elements of a JSON array, or the values of several JSON texts that follow each other."""
    window = _Window(pieces)
    in_array = window.peek() == "["
    if in_array:
        window.at += 1
    number = 0
    while True:
        sign = window.peek()
        if sign == ",":
            window.at += 1
            continue
        if sign == "]" and in_array:
            window.at += 1
            if window.peek():
                yield Item(number=None, problem="there is more text after the end of the JSON array; it was left out")
            return
        if not sign:
            if in_array:
                yield Item(number=None, problem=_cut(number))
            return
        number += 1
        item = _next(window, number)
        yield item
        if item.number is None:
            return


def _cut(number: int) -> str:
    return f"the JSON array ends too early (truncated) after record {number}; the records before the cut are kept"


def _next(window: _Window, number: int) -> Item:
    while True:
        try:
            value, end = _DECODER.raw_decode(window.text, window.at)
        except RecursionError:
            return _skipped(window, number, "nested too deeply for JSON")
        except json.JSONDecodeError as error:
            unfinished = error.msg.startswith("Unterminated string") or error.pos >= len(window.text) - _NEAR_END
            if unfinished and window.more():
                continue
            return _skipped(window, number, f"not valid JSON: {error.msg.removesuffix(' at')}", unfinished=unfinished)
        except ValueError as error:
            return _skipped(window, number, f"not valid JSON: {error}")
        bare = not isinstance(value, (dict, list, str))
        if bare and end >= len(window.text) - _NEAR_END and window.more():
            continue  # a number may go on in the next piece
        raw, window.at = window.text[window.at : end], end
        return Item(number=number, value=value, raw=raw)


_DECODER = json.JSONDecoder()


def _skipped(window: _Window, number: int, problem: str, *, unfinished: bool = False) -> Item:
    """Go behind a bad value, if its end can be found."""
    end = None if unfinished else _end_of_value(window)
    if end is None:
        return Item(number=None, problem=_cut(number - 1) if unfinished else f"record {number} is {problem}; the rest was left out")
    window.at = max(end, window.at + 1)  # a stray closing bracket ends where it begins
    return Item(number=number, problem=problem)


def _end_of_value(window: _Window) -> int | None:
    """Where the next comma or the array's end stands; None when it cannot be told."""
    while True:
        end = _end_in(window.text, window.at)
        if end is not None:
            return end
        if len(window.text) - window.at > _LONGEST_REPAIR or not window.more():
            break
    # The brackets or quotes do not add up: the next text that begins like a record of its own.
    following = _RECORD_START.search(window.text, window.at)
    return following.start() + 1 if following else None


def _end_in(text: str, start: int) -> int | None:
    """The end of the value that begins at `start`, by its brackets and strings. A bracket left open inside is let through."""
    opened: list[str] = []
    for token in _TOKEN.finditer(text, start):
        sign = token.group()
        if sign == '"':
            return None
        if sign in _CLOSES.values():
            opened.append(sign)
        elif sign in _CLOSES:
            if not opened:
                return token.start()
            if _CLOSES[sign] not in opened:
                return None
            while opened.pop() != _CLOSES[sign]:
                pass
        elif sign == "," and not opened:
            return token.start()
    return None
