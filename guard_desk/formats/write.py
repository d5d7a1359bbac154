"""Back from records to files: evidence JSONL, case files, and cells that no spreadsheet takes for a formula."""

from __future__ import annotations

import json
import os
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from guard_desk.errors import InputError
from guard_desk.records.corpus import Labels, LoadedQuery, Passage, RecordedAnswers

# Half characters cannot be written as UTF-8; the others are line ends to careless readers of JSON Lines.
_ESCAPED = re.compile("[\u0085\u2028\u2029\ud800-\udfff]")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(text: str) -> str:
    """A text for a CSV cell: one that a spreadsheet would run as a formula gets an apostrophe in front.

    Half characters (lone surrogates), which no file can hold, are shown as U+FFFD.
    """
    whole = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return f"'{whole}" if whole.startswith(_FORMULA_STARTS) else whole


def json_text(value: object, *, indent: int | None = None) -> str:
    """JSON that any reader can split at line feeds; readable, half characters escaped."""
    written = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def passage_record(passage: Passage) -> dict[str, object]:
    """A passage as a JSON object; fields that are None are left out."""
    record: dict[str, object] = {
        item.name: getattr(passage, item.name)
        for item in fields(passage)
        if item.name != "metadata" and getattr(passage, item.name) is not None
    }
    if passage.metadata:
        names = [name for name, _ in passage.metadata]
        record["metadata"] = dict(passage.metadata) if len(set(names)) == len(names) else [list(pair) for pair in passage.metadata]
    return record


def save_passages(path: Path | str, passages: Iterable[Passage]) -> None:
    """Write evidence JSONL; packed when the name ends with `.gz`.

    :raises InputError: when the file cannot be written; an older file of that name is then untouched.
    """
    write_whole(path, _packed(Path(path), (json_text(passage_record(passage)) + "\n" for passage in passages)))


def save_case(
    path: Path | str, passages: Iterable[Passage], queries: Sequence[LoadedQuery], *, name: str = "", description: str = ""
) -> None:
    """Write a case file; packed when the name ends with `.gz`.

    :raises InputError: when the file cannot be written; an older file of that name is then untouched.
    """
    case: dict[str, object] = {key: value for key, value in (("name", name), ("description", description)) if value}
    if len(queries) == 1:
        case.update(_query_record(queries[0]))
    elif queries:
        case["questions"] = [_query_record(query) for query in queries]
    case["passages"] = [passage_record(passage) for passage in passages]
    write_whole(path, _packed(Path(path), [json_text(case, indent=1) + "\n"]))


def _query_record(loaded: LoadedQuery) -> dict[str, object]:
    record = {
        "id": loaded.id,
        "question": loaded.query.text,
        "version": loaded.query.version,
        "scope": loaded.query.scope,
        "answer": loaded.answer,
        "references": list(loaded.references) or None,
        "labels": [_label_record(label) for label in loaded.labels] or None,
        "judgements": [_answers_record(answers) for answers in loaded.recorded] or None,
    }
    return {key: value for key, value in record.items() if value is not None}


def _label_record(label: Labels) -> dict[str, object]:
    record = {item.name: getattr(label, item.name) for item in fields(label)}
    return {"id": record.pop("passage_id"), **{key: value for key, value in record.items() if value is not None}}


def _answers_record(answers: RecordedAnswers) -> dict[str, object]:
    record = {item.name: getattr(answers, item.name) for item in fields(answers)}
    return {"id": record.pop("passage_id"), **record}


def write_whole(path: Path | str, parts: Iterable[bytes]) -> None:
    """Write a file beside the target, then move it there: a full disk or a cancel leaves no half file.

    :raises InputError: when it cannot be written; an older file of that name is then untouched.
    """
    target = Path(path).expanduser()
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
    except (OSError, ValueError) as error:
        raise _unwritable(target, error) from error
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(parts)
        draft.chmod(0o666 & ~_umask())  # mkstemp makes private files
        draft.replace(target)
    except OSError as error:
        raise _unwritable(target, error) from error
    finally:
        draft.unlink(missing_ok=True)


def _packed(path: Path, parts: Iterable[str]) -> Iterator[bytes]:
    """The text as UTF-8, in gzip when the file is called so."""
    if not path.name.casefold().endswith(".gz"):
        yield from (part.encode("utf-8") for part in parts)
        return
    packer = zlib.compressobj(wbits=31)
    yield from (packer.compress(part.encode("utf-8")) for part in parts)
    yield packer.flush()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _unwritable(path: Path, error: OSError | ValueError) -> InputError:
    cause = getattr(error, "strerror", None) or error
    return InputError(f"cannot be written: {cause}.", path=path, remedy="Choose another folder or name, or free some space.")
