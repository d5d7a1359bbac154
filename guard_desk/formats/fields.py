"""From the names and values of a record (a JSON object, a table row) to a passage.

Fields go by their own name or a synonym of `resources/columns.toml`; everything else becomes metadata, so nothing is lost.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache

from guard_desk import resources
from guard_desk.formats.collect import BadRecord
from guard_desk.records.corpus import Passage

_SHORT_FIELDS = ("title", "source", "source_type", "date", "version", "scope", "claim_key", "claim_value")
_REPEATING = ("source_type", "date", "version", "scope", "claim_key")
_KIND_WORDS = {dict: "an object", list: "a list", str: "a text", bool: "a yes/no", int: "a number", float: "a number", type(None): "null"}


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Names that are read as each field, the preferred one first."""
    data = tomllib.loads(resources.path("columns.toml").read_text(encoding="utf-8"))
    return {field: tuple(names) for field, names in data.items()}


def folded(name: str) -> str:
    """A column name as `synonyms` writes it."""
    return name.strip().strip("\ufeff").casefold().replace(" ", "_").replace("-", "_")


@lru_cache(maxsize=1024)
def plan(names: tuple[str, ...]) -> tuple[str, ...]:
    """For each name the field that it fills; "" where it is metadata."""
    simple = [folded(name) for name in names]
    fields = [""] * len(names)
    for field, known in synonyms().items():
        for candidate in known:
            if candidate in simple:
                fields[simple.index(candidate)] = fields[simple.index(candidate)] or field
                break
    return tuple(fields)


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    return _KIND_WORDS.get(type(value), "something else")


def scalar(value: object) -> str | None:
    """A single value as text; None for null, NaN, infinities, and whatever is no single value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else None
    return str(value) if isinstance(value, int) else None


def passage_of(record: Mapping[str, object], made_up_id: str) -> Passage:
    """A passage from named values.

    :param made_up_id: the id of a record that has none.
    :raises BadRecord: when there is no text.
    """
    values: dict[str, object] = {}
    rest: list[tuple[str, object]] = []
    for (name, value), field in zip(record.items(), plan(tuple(record)), strict=True):
        if field:
            values[field] = value
        else:
            rest.append((name, value))
    text = _text(record, values)
    short = {field: _short(field, values, rest) for field in _SHORT_FIELDS if field in values}
    pairs = [*metadata_pairs(values.get("metadata")), *(pair for name, value in rest for pair in _named_pair(name, value))]
    return Passage(id=_id(values, made_up_id), text=text, metadata=tuple(pairs), **short)


def _text(record: Mapping[str, object], values: Mapping[str, object]) -> str:
    if "text" not in values:
        raise BadRecord(f"it has no text; it has {_listed(record)}")
    text = values["text"]
    if not isinstance(text, str):
        raise BadRecord(f"its text is {kind_of(text)}, not a text")
    if not text or text.isspace():
        raise BadRecord("its text is empty")
    return text


def _listed(record: Mapping[str, object]) -> str:
    names = [repr(name) for name in list(record)[:8]]
    return ", ".join(names) + (", ..." if len(record) > 8 else "") if names else "no keys at all"


def _id(values: Mapping[str, object], made_up_id: str) -> str:
    found = scalar(values.get("id"))
    return found if found and not found.isspace() else made_up_id


def _short(field: str, values: Mapping[str, object], rest: list[tuple[str, object]]) -> str | None:
    """A short field, stripped, None when blank. What is no single value goes to the metadata; a list of sources is joined."""
    value = values[field]
    if isinstance(value, list) and field == "source" and value and all(isinstance(item, str) for item in value):
        value = ", ".join(value)
    if isinstance(value, (list, dict)):
        rest.append((field, value))
        return None
    text = (scalar(value) or "").strip() or None
    return sys.intern(text) if text and field in _REPEATING else text


def metadata_pairs(value: object) -> list[tuple[str, str]]:
    """Pairs from a metadata object, or from a list of [name, value] pairs."""
    if isinstance(value, Mapping):
        return [pair for name, item in value.items() for pair in _named_pair(str(name), item)]
    if isinstance(value, list) and value and all(isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) for item in value):
        return [pair for name, item in value for pair in _named_pair(name, item)]
    return _named_pair("metadata", value)


def _named_pair(name: str, value: object) -> list[tuple[str, str]]:
    try:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, (list, Mapping)) else scalar(value)
    except (RecursionError, ValueError) as error:
        raise BadRecord(f"its {name!r} is nested too deeply") from error
    return [(sys.intern(name), text)] if text and not text.isspace() else []
