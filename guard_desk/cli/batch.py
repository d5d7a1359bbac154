"""judge, verify, thin, dedup: one JSON line out for each line in, in order.

A bad line gives {"error": ...} in its place, and exit status 1 at the end; the others are done all the same. A pair that could not be
judged has its error beside the empty answers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from guard_desk import api
from guard_desk.cli import judging
from guard_desk.cli import options as opt
from guard_desk.cli.terminal import out_json, say
from guard_desk.errors import InputError, MissingModelError
from guard_desk.formats.plain import to_fields
from guard_desk.records.corpus import Passage
from guard_desk.records.judging import Spent
from guard_desk.report.judges import spent_words, total

Row = Mapping[str, Any]


def judge(options: argparse.Namespace) -> int:
    """The four answers for each (query, passage) pair."""
    models = judging.models(options)
    judge_model = judging.judge_of(models)
    taken: list[Spent] = []

    def answer(row: Row) -> Row:
        (judgement,) = api.judge(_text(row, "query"), [_passage(row)], models=models)
        taken.extend(spent for spent in [getattr(judge_model, "spent", None)] if spent is not None)
        return {**to_fields(judgement), "decision": to_fields(api.route(judgement, judge_model.thresholds))}

    status = _each_line(options.file, answer)
    if taken:
        say(f"{judge_model.info.name}: {spent_words(total(taken))}")
    return status


def verify(options: argparse.Namespace) -> int:
    """Findings for each (query, passages, answer)."""
    models = judging.models(options)
    taken: list[Spent] = []

    def answer(row: Row) -> Row:
        passages = [_as_passage(item, f"p{index}") for index, item in enumerate(_list(row, "passages"), 1)]
        found = api.verify(row.get("query") or "", passages, _text(row, "answer"), lang=row.get("lang") or "en", models=models)
        taken.extend(spent for spent in [found.spent] if spent is not None)
        return to_fields(found)

    status = _each_line(options.file, answer)
    if taken:
        say(f"reading the answers: {spent_words(total(taken))}")
    return status


def thin(options: argparse.Namespace) -> int:
    """Candidates for each (question, lines)."""
    policy = opt.policy(options).thin

    def answer(row: Row) -> Row:
        lines = [item if isinstance(item, str) else _as_passage(item, f"L{index}") for index, item in enumerate(_list(row, "lines"))]
        return to_fields(api.thin(_text(row, "question"), lines, policy=policy))

    return _each_line(options.file, answer)


def dedup(options: argparse.Namespace) -> int:
    """The merge verdict for each pair."""

    def answer(row: Row) -> Row:
        left, right = (Passage(id=side, text=_text(row, side), **_known(row.get(f"meta_{side}") or {})) for side in ("a", "b"))
        return to_fields(api.merge_verdict(left, right))

    return _each_line(options.file, answer)


def _each_line(file: str, answer: Callable[[Row], Row]) -> int:
    failed = False
    for number, line in enumerate(_lines(file), 1):
        if not line.strip():
            continue
        identity: Row = {}
        try:
            row = _row(line)
            identity = {"id": row["id"]} if "id" in row else {}
            found = answer(row)
            failed |= bool(found.get("error"))
            out_json({**identity, **found})
        except MissingModelError:
            raise
        except Exception as exc:  # noqa: BLE001 - whatever one line does, the others are still done
            failed = True
            out_json({**identity, "error": str(exc) or type(exc).__name__, "line": number})
        sys.stdout.flush()
    return 1 if failed else 0


def _lines(file: str) -> Iterator[bytes]:
    if file == "-":
        yield from sys.stdin.buffer
        return
    try:
        with Path(file).open("rb") as stream:
            yield from stream
    except OSError as exc:
        raise InputError(f"cannot be read: {exc.strerror}.", path=file, remedy="Give a JSON Lines file, or - for stdin.") from exc


def _row(line: bytes) -> Row:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as exc:
        raise InputError(f"this line is no JSON ({exc}).") from exc
    if not isinstance(row, dict):
        raise InputError("this line is no JSON object.")
    return row


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"the field {name!r} must be text and not empty.")
    return value


def _list(row: Row, name: str) -> list[Any]:
    value = row.get(name)
    if not isinstance(value, list):
        raise InputError(f"the field {name!r} must be a list.")
    return value


def _passage(row: Row) -> Passage:
    return _as_passage(row["passage"] if "passage" in row else {"text": _text(row, "text")}, str(row.get("id", "p1")))


def _as_passage(item: Any, default_id: str) -> Passage:
    if isinstance(item, str):
        return Passage(id=default_id, text=item)
    if not isinstance(item, dict):
        raise InputError("a passage must be text or an object with the field 'text'.")
    return Passage(id=str(item.get("id") or default_id), text=_text(item, "text"), **_known(item))


def _known(item: object) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise InputError(f"the fields of a passage must be an object, not {item!r}.")
    names = ("title", "source", "source_type", "date", "version", "scope", "claim_key", "claim_value")
    return {name: str(item[name]) for name in names if item.get(name) not in (None, "")}
