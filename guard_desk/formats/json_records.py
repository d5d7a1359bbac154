"""Evidence as JSON: JSON Lines (one object a line, split at line feeds only) and JSON arrays of passages."""

from __future__ import annotations

import json
from collections.abc import Mapping

from guard_desk.formats.collect import BadRecord, Collector
from guard_desk.formats.fields import kind_of, passage_of
from guard_desk.formats.json_stream import json_values
from guard_desk.formats.text_file import TextFile


def read_jsonl(text: TextFile, into: Collector) -> None:
    """Read JSON Lines. Blank lines are ignored; a bad line is listed."""
    for number, line in text.lines():
        if not line or line.isspace():
            continue
        try:
            into.add(passage_of(json_object(text, line), f"line-{number}"), path=text.path, line=number)
        except BadRecord as bad:
            if number != text.cut_line:
                into.skip(text.path, number, str(bad))


def read_json(text: TextFile, into: Collector) -> None:
    """Read a JSON array of passages, one passage object, or several in a row."""
    for item in json_values(text.pieces()):
        if item.number is None and text.damage:
            continue  # the damage of the file is told once, by the loader
        if item.problem:
            into.skip(text.path, item.number, item.problem)
            continue
        try:
            _reject_stray(text, item.raw)
            into.add(passage_of(as_object(item.value), f"record-{item.number}"), path=text.path, line=item.number)
        except BadRecord as bad:
            into.skip(text.path, item.number, str(bad))


def json_object(text: TextFile, line: str) -> Mapping[str, object]:
    """The object on one line.

    :raises BadRecord: when it is none.
    """
    _reject_stray(text, line)
    try:
        value = json.loads(line.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        raise BadRecord(f"not valid JSON: {error.msg.removesuffix(' at')}, at column {error.colno}") from error
    except RecursionError as error:
        raise BadRecord("not readable as JSON: nested too deeply") from error
    except ValueError as error:
        raise BadRecord(f"not valid JSON: {error}") from error
    return as_object(value)


def as_object(value: object) -> Mapping[str, object]:
    """The value as an object. :raises BadRecord: when it is none."""
    if not isinstance(value, dict):
        raise BadRecord(f"it is {kind_of(value)}; a JSON object with a text is needed")
    return value


def _reject_stray(text: TextFile, raw: str) -> None:
    stray = text.stray_bytes(raw)
    if stray:
        raise BadRecord(stray)
