"""Evidence lines with tags: `[source=official][doc=example.com/page][date=2025-09] text`.

Tags are optional and stand at the start of the line. The reader is tolerant, because such lines are written by hand:
nested brackets in a value, a tag that is never closed, empty values, doubled brackets, spaces between tags, capitals.
What is odd is told in `notes`, never raised. A bracket that is no tag ("[note] ...") belongs to the text, and so
does everything after it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN = "[［【"
_CLOSE = "]］】"
_SKIPPED = " \t\u00a0\u3000\ufeff\u200b"
_KEY = re.compile(r"\s*([^\W\d][\w-]*)\s*[=＝]\s*")
_KNOWN = ("source", "doc", "date")
_LONGEST_VALUE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedLine:
    """One evidence line taken apart.

    :param source: value of the source tag as written; None when missing or empty.
    :param other: further (name, value) tags in order; names in lower case.
    :param text: the line without tags and outer white space; "" when nothing is left.
    :param text_start: where `text` starts in the line.
    :param notes: what was odd, e.g. "empty tag source", "unclosed tag doc".
    """

    source: str | None
    doc: str | None
    date: str | None
    other: tuple[tuple[str, str], ...]
    text: str
    text_start: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tag:
    name: str
    value: str
    end: int
    closed: bool
    spaced: bool


def parse_tagged_line(line: str) -> TaggedLine:
    """Take one evidence line apart.

    :param line: one line, with or without its line end.
    """
    tags = _kept(_leading_tags(line))
    notes: list[str] = []
    known: dict[str, str | None] = {}
    other: list[tuple[str, str]] = []
    for tag in tags:
        if not tag.closed:
            notes.append(f"unclosed tag {tag.name}")
        if not tag.value:
            notes.append(f"empty tag {tag.name}")
        if tag.name not in _KNOWN:
            other.append((tag.name, tag.value))
        elif known.get(tag.name) is not None:
            notes.append(f"repeated tag {tag.name}")
            other.append((tag.name, tag.value))
        else:
            known[tag.name] = tag.value or None
    start = _skip_space(line, tags[-1].end if tags else 0)
    return TaggedLine(
        source=known.get("source"),
        doc=known.get("doc"),
        date=known.get("date"),
        other=tuple(other),
        text=line[start:].rstrip(),
        text_start=start,
        notes=tuple(notes),
    )


def _leading_tags(line: str) -> list[_Tag]:
    tags: list[_Tag] = []
    at = 0
    while True:
        start = _skip_space(line, at)
        tag = _tag_at(line, start, spaced=start > at)
        if tag is None:
            return tags
        tags.append(tag)
        at = tag.end


def _kept(tags: list[_Tag]) -> list[_Tag]:
    """Without a tail that may be text: "[timeout=30] is the default" is no tag unless a known tag stands beside it."""
    last_known = max((index for index, tag in enumerate(tags) if tag.name in _KNOWN), default=-1)
    if last_known < 0:
        return []
    end = last_known + 1
    while end < len(tags) and not tags[end].spaced:
        end += 1
    return tags[:end]


def _skip_space(line: str, at: int) -> int:
    while at < len(line) and (line[at] in _SKIPPED or line[at].isspace()):
        at += 1
    return at


def _tag_at(line: str, start: int, *, spaced: bool) -> _Tag | None:
    brackets = 0
    while start + brackets < len(line) and line[start + brackets] in _OPEN:
        brackets += 1
    key = _KEY.match(line, start + brackets) if brackets else None
    if key is None:
        return None
    value, end, closed = _value_at(line, key.end())
    extra = brackets - 1
    while closed and extra and end < len(line) and line[end] in _CLOSE:
        end, extra = end + 1, extra - 1
    return _Tag(name=key[1].lower(), value=value.strip(), end=end, closed=closed, spaced=spaced)


def _value_at(line: str, start: int) -> tuple[str, int, bool]:
    """The value, where its tag ends, and whether the tag is closed. Brackets inside a value nest."""
    depth = 1
    for at in range(start, min(len(line), start + _LONGEST_VALUE)):
        depth += (line[at] in _OPEN) - (line[at] in _CLOSE)
        if depth == 0:
            return line[start:at], at + 1, True
    return _unclosed_value(line, start)


def _unclosed_value(line: str, start: int) -> tuple[str, int, bool]:
    """A tag that is never closed ends at the first white space, or where the next tag begins."""
    at = start
    while at < len(line) and not line[at].isspace():
        if line[at] in _CLOSE and (at + 1 == len(line) or line[at + 1] in _OPEN or line[at + 1].isspace()):
            value = line[start:at]
            return value + line[at] if any(mark in value for mark in _OPEN) else value, at + 1, False
        at += 1
    return line[start:at], at, False
