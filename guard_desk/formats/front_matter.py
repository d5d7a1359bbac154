"""The block of fields at the top of a Markdown file, in YAML (`---`) or TOML (`+++`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from guard_desk.formats.fields import plan

_CLOSING = {"---": ("---", "..."), "+++": ("+++",)}
_LONGEST = 400
_MOST_PAIRS = 200
_DEEPEST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What the fields say of every passage of the file. All of them are metadata too."""

    title: str | None = None
    source_type: str | None = None
    date: str | None = None
    version: str | None = None
    scope: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()


def split_front_matter(lines: list[str]) -> tuple[FrontMatter, int]:
    """The fields, and the number of lines that they take. A block that is never closed is ordinary text."""
    opening = lines[0].rstrip() if lines else ""
    closing = _CLOSING.get(opening)
    if closing is None:
        return FrontMatter(), 0
    end = next((number for number, line in enumerate(lines[1:_LONGEST], 1) if line.rstrip() in closing), None)
    if end is None:
        return FrontMatter(), 0
    pairs = tuple(_pairs("\n".join(lines[1:end]), toml=opening == "+++"))
    fields = plan(tuple(name for name, _ in pairs))
    named = {
        field: value
        for field, (_, value) in zip(fields, pairs, strict=True)
        if field in ("title", "source_type", "date", "version", "scope")
    }
    return FrontMatter(metadata=pairs, **named), end + 1


def _pairs(block: str, *, toml: bool) -> Iterator[tuple[str, str]]:
    """Names and values as written: 2.10 stays "2.10", a date stays as it is."""
    import yaml

    try:
        data = tomllib.loads(block) if toml else yaml.load(block, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, tomllib.TOMLDecodeError, RecursionError, ValueError):
        data = None
    found = _flat(data, "", 0) if isinstance(data, dict) else _simple(block)
    for number, (name, value) in enumerate(found):
        if number >= _MOST_PAIRS:
            return
        if name and value.strip():
            yield name, value.strip()


def _simple(block: str) -> Iterator[tuple[str, str]]:
    """`name: value` lines of a block that is no YAML."""
    for line in block.split("\n"):
        name, colon, value = line.partition(":")
        if colon:
            yield name.strip(), value.strip()


def _flat(data: object, prefix: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(data, dict) and depth < _DEEPEST:
        for name, value in data.items():
            yield from _flat(value, f"{prefix}.{name}" if prefix else str(name), depth + 1)
    elif isinstance(data, list):
        yield prefix, ", ".join(str(item) for item in data if isinstance(item, (str, int, float)))
    elif not isinstance(data, dict):
        yield prefix, "" if data is None else str(data)
