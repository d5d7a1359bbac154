"""Traces as JSON: the one thing that is saved, exported, compared and shown.

Numpy columns are stored as base64 of little-endian bytes, so that every number comes back bit for bit. The file is
pure ASCII: text with half an emoji (a lone surrogate) survives, which UTF-8 could not carry.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cattrs
import numpy as np

from guard_desk.errors import InputError, TraceError
from guard_desk.formats.write import write_whole
from guard_desk.records.trace import Trace

SCHEMA = 1
MARK = "guard_desk_trace"


def dump_trace(trace: Trace) -> str:
    """The trace as a JSON text."""
    return json.dumps({MARK: SCHEMA, "version": trace.version, "trace": _converter().unstructure(trace)}, indent=1)


def save_trace(trace: Trace, path: Path | str) -> None:
    """Write a trace; an older file of that name is replaced only when the new one is whole.

    :raises TraceError: when the file cannot be written.
    """
    try:
        write_whole(path, [dump_trace(trace).encode("ascii")])
    except InputError as exc:
        raise TraceError(f"the trace {exc.cause}", path=path, remedy=exc.remedy) from exc


def load_trace(path: Path | str) -> Trace:
    """Read a trace.

    :raises TraceError: naming the file and what to do, for a file that is missing, broken, newer, or no trace.
    """
    try:
        return parse_trace(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as exc:
        raise TraceError(f"the trace cannot be read: {exc.strerror}.", path=path) from exc
    except (TraceError, UnicodeDecodeError) as exc:
        cause, remedy = (exc.cause, exc.remedy) if isinstance(exc, TraceError) else ("this is no text file.", "Give a trace.")
        raise TraceError(cause, path=path, remedy=remedy) from exc


def parse_trace(text: str) -> Trace:
    """A trace from its JSON text.

    :raises TraceError: for text that is broken, newer, or no trace.
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as exc:
        raise TraceError(f"this is no valid JSON ({exc}).", remedy="Give a file that guard-desk run --json wrote.") from exc
    schema = data.get(MARK) if isinstance(data, dict) else None
    if schema is None:
        raise TraceError("this is no Guard Desk trace.", remedy="Give a file that guard-desk run --json wrote.")
    if not isinstance(schema, int) or schema > SCHEMA:
        raise TraceError(f"this trace is of a newer Guard Desk ({data.get('version')}).", remedy="Update Guard Desk to open it.")
    try:
        trace = _converter().structure(data["trace"], Trace)
    except Exception as exc:
        raise TraceError(f"this trace is damaged ({_first_line(exc)}).", remedy="Run the question again.") from exc
    misfit = _misfit(trace)
    if misfit:
        raise TraceError(f"this trace is damaged ({misfit} does not fit the pool).", remedy="Run the question again.")
    return trace


def _misfit(trace: Trace) -> str:
    """The first part that does not speak of the pool's passages in their order; "" when all do."""
    pool = [hit.passage_id for hit in trace.retrieved.hits]
    parts = {
        "retrieved.passages": [passage.id for passage in trace.retrieved.passages],
        "judged.judgements": [judgement.passage_id for judgement in trace.judged.judgements],
        "routed.passage_ids": list(trace.routed.passage_ids),
        "prompt.places": [place.passage_id for place in trace.prompt.places],
    }
    counts = {
        "retrieved.pair_similarity": trace.retrieved.pair_similarity.shape == (len(pool), len(pool)),
        "extracted.texts": len(trace.extracted.texts) == len(pool),
        "extracted.titles": len(trace.extracted.titles) == len(pool),
        "routed.routes": len(trace.routed.routes) == len(trace.routed.rules) == len(pool),
    }
    return next((name for name, ids in parts.items() if ids != pool), next((name for name, fits in counts.items() if not fits), ""))


def _first_line(exc: Exception) -> str:
    lines = cattrs.transform_error(exc)
    return lines[0] if lines else type(exc).__name__


@cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=False)
    converter.register_structure_hook(str, _only(str))
    converter.register_structure_hook(bool, _only(bool))
    converter.register_unstructure_hook_func(lambda kind: _is_array(kind), _array_out)
    converter.register_structure_hook_func(lambda kind: _is_array(kind), lambda value, _: _array_in(value))
    return converter


def _only(kind: type) -> Callable[[Any, Any], Any]:
    """Takes values of one type as they are (str() would make "None" of a null), and makes the enums over it."""

    def structure(value: Any, wanted: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError(f"{value!r} is no {kind.__name__}")
        return value if wanted is kind else wanted(value)

    return structure


def _is_array(kind: Any) -> bool:
    return getattr(kind, "__origin__", kind) is np.ndarray


def _array_out(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    data = base64.b64encode(np.ascontiguousarray(little).tobytes()).decode("ascii")
    return {"dtype": array.dtype.newbyteorder("=").name, "shape": list(array.shape), "base64": data}


def _array_in(value: Any) -> np.ndarray[Any, Any]:
    kind = np.dtype(value["dtype"])
    if kind.kind not in "fi":
        raise ValueError(f"a column of {kind} is not allowed")
    raw = np.frombuffer(base64.b64decode(value["base64"], validate=True), dtype=kind.newbyteorder("<"))
    array = raw.astype(kind).reshape(value["shape"])
    array.setflags(write=False)
    return array
