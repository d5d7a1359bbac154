"""The one list of formats that are read, and how a file is recognised. Nothing registers itself.

To add a format: write its module, add its name to `records.corpus.Format` and a line to `READERS`, and teach
`recognise` (or `recognise_json`) to tell it. A format of another tool leaves `foreign` when it gets a reader here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from guard_desk.errors import CorpusError
from guard_desk.formats import foreign
from guard_desk.formats.case import read_case
from guard_desk.formats.collect import Collector
from guard_desk.formats.fields import plan
from guard_desk.formats.folder import MARKDOWN_ENDINGS, plain_suffix
from guard_desk.formats.json_records import read_json, read_jsonl
from guard_desk.formats.markdown import read_markdown
from guard_desk.formats.paragraphs import looks_tagged, read_plain_text, read_tagged_lines
from guard_desk.formats.tables import find_delimiter, header_names, read_table
from guard_desk.formats.text_file import TextFile
from guard_desk.records.corpus import Format

READERS: Mapping[Format, Callable[[TextFile, Collector], None]] = MappingProxyType(
    {
        Format.JSONL_PASSAGES: read_jsonl,
        Format.JSON_PASSAGES: read_json,
        Format.CSV_PASSAGES: read_table,
        Format.TSV_PASSAGES: read_table,
        Format.MARKDOWN: read_markdown,
        Format.PLAIN_TEXT: read_plain_text,
        Format.TAGGED_LINES: read_tagged_lines,
        Format.CASE: read_case,
    }
)
FOLDER_FORMATS = (Format.MARKDOWN_FOLDER, Format.BEIR)

_JSON_LINES_ENDINGS = (".jsonl", ".ndjson", ".jsonlines")
_TABLE_ENDINGS = (".csv", ".tsv", ".tab", ".psv")
_CASE_ENDING = ".guarddesk.json"
_TRACE_KEY = "guard_desk_trace"


def named_format(name: Format | str) -> Format:
    """The format of a name that the user gave.

    :raises CorpusError: for an unknown name, or one of another tool's format.
    """
    wanted = str(name).strip().casefold()
    if wanted in foreign.FOREIGN_NAMES:
        raise foreign.not_yet(foreign.FOREIGN_NAMES[wanted], None)
    try:
        return Format(wanted)
    except ValueError as error:
        known = ", ".join(str(item) for item in (*READERS, *FOLDER_FORMATS))
        raise CorpusError(f"there is no format {str(name)!r}.", remedy=f"Known: {known}.") from error


def recognise(text: TextFile) -> Format:
    """The format of a file by its content, helped by its ending.

    :raises CorpusError: for the format of another tool, by name.
    """
    head = text.head
    suffix = plain_suffix(text.name)
    if text.name.casefold().removesuffix(".gz").endswith(_CASE_ENDING):
        return Format.CASE
    if suffix in _JSON_LINES_ENDINGS or suffix == ".json" or (suffix not in MARKDOWN_ENDINGS and _starts_like_json(head)):
        return recognise_json(head, text.path, lines=suffix in _JSON_LINES_ENDINGS)
    if suffix in _TABLE_ENDINGS:
        return _table(head, text)
    if suffix in MARKDOWN_ENDINGS:
        return Format.MARKDOWN
    if looks_tagged(head):
        return Format.TAGGED_LINES
    names = header_names(head, text.name)
    if len(names) > 1 and {"id", "text"} <= set(plan(tuple(names))):
        return _table(head, text)
    return Format.PLAIN_TEXT


def _starts_like_json(head: str) -> bool:
    start = "".join(head.lstrip()[:200].split())
    return start.startswith(('{"', '[{"', '[["', "[[{", "[]", "{}"))


def recognise_json(head: str, path: Path, *, lines: bool) -> Format:
    """Which JSON it is.

    :param lines: the file's ending says JSON Lines.
    :raises CorpusError: for the format of another tool, by name, and for a saved trace.
    """
    objects = list(foreign.peek_objects(head))
    if objects and _TRACE_KEY in objects[0].own:
        raise CorpusError(
            "this is a saved trace, not a corpus.", path=path, remedy="Open it as a trace: guard-desk route TRACE, or load_trace in Python."
        )
    tool = foreign.tool_of(objects)
    if tool is not None:
        raise foreign.not_yet(tool, path)
    if objects and "passages" in objects[0].own and "text" not in objects[0].own and not head.lstrip().startswith("["):
        return Format.CASE
    return Format.JSONL_PASSAGES if _in_lines(head, told=lines) else Format.JSON_PASSAGES


def _in_lines(head: str, *, told: bool) -> bool:
    """Whether each line is a JSON text of its own."""
    filled = [line for line in head.split("\n")[:50] if line.strip()]
    start = filled[0].strip() if filled else ""
    if start.startswith("["):
        return told and len(filled) > 1 and _complete(start)
    if told:
        return start != "{"
    return len(filled) > 1 and start.startswith("{") and _complete(start)


def _complete(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _table(head: str, text: TextFile) -> Format:
    names = header_names(head, text.name)
    tool = None if "text" in names else foreign.tool_of([foreign.Keys(own=frozenset(names))])
    if tool is not None:
        raise foreign.not_yet(tool, text.path)
    return Format.TSV_PASSAGES if find_delimiter(head, text.name) == "\t" else Format.CSV_PASSAGES
