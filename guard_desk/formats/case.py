"""Case files (`*.guarddesk.json`): one demo or one bug in a file that people write by hand.

    {"question": "...", "answer": "...", "passages": [{"id": "a", "text": "..."}, "or just a text"],
     "labels": {"a": {"relevant": true, "evidence": false}}, "judgements": [{"id": "a", "relevant": 0.9, ...}]}

Several questions stand under "questions", each with its own answer, labels and judgements. Comments (`//`, `/* */`),
a comma after the last entry and line breaks inside texts are let through.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping

from guard_desk.errors import CorpusError
from guard_desk.formats.collect import BadRecord, Collector, clean_id
from guard_desk.formats.fields import kind_of, passage_of, scalar
from guard_desk.formats.json_records import as_object
from guard_desk.formats.text_file import TextFile
from guard_desk.records.corpus import Labels, LoadedQuery, Query, RecordedAnswers

_STRING_OR_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
QUESTIONS = {
    "relevant": ("relevant", "is_relevant"),
    "evidence": ("evidence", "contains_answer_evidence"),
    "contradicts": ("contradicts", "contradicts_query_premise"),
    "injection": ("injection", "contains_prompt_injection"),
}
_SHAPE = 'Write {"question": "...", "passages": [{"id": "a", "text": "..."}]}.'
_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_UNKNOWN = ("", "unknown", "null", "none", "?")


def read_case(text: TextFile, into: Collector) -> None:
    """Read a case file.

    :raises CorpusError: when it is no JSON object with passages, naming line and column.
    """
    written = "".join(text.pieces())
    if stray := text.stray_bytes(written):
        raise CorpusError(f"{stray}.", path=text.path, remedy="Or save the file as UTF-8.")
    data = _parsed(written, text)
    passages = data.get("passages")
    if not isinstance(passages, list):
        raise CorpusError("the case file has no list of passages.", path=text.path, remedy=_SHAPE)
    for number, entry in enumerate(passages, 1):
        _add_passage(entry, number, text, into)
    for number, entry in enumerate(_questions(data), 1):
        try:
            into.queries.append(_loaded_query(entry, number, text, into))
        except BadRecord as bad:
            into.skip(text.path, number, f"question {number}: {bad}")


def _parsed(written: str, text: TextFile) -> Mapping[str, object]:
    try:
        value = _decoded(written)
    except RecursionError as error:
        raise CorpusError("the JSON is nested too deeply.", path=text.path, remedy=_SHAPE) from error
    except json.JSONDecodeError as error:
        told = text.damage or f"not valid JSON: {error.msg.removesuffix(' at')}, at column {error.colno}"
        raise CorpusError(
            f"{told}.", path=text.path, line=error.lineno, remedy="Look for a missing quote, comma or bracket there or just before."
        ) from error
    except ValueError as error:
        raise CorpusError(f"not valid JSON: {error}.", path=text.path, remedy=_SHAPE) from error
    if not isinstance(value, dict):
        raise CorpusError(f"a case file is a JSON object, this is {kind_of(value)}.", path=text.path, remedy=_SHAPE)
    return value


def _decoded(written: str) -> object:
    try:
        return json.loads(written, strict=False)
    except json.JSONDecodeError:
        return json.loads(_without_extras(written), strict=False)


def _without_extras(written: str) -> str:
    """The same text with comments and trailing commas blanked, so that places in error messages stay true."""
    plain = _STRING_OR_COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), written)
    return _STRING_OR_COMMA.sub(lambda found: found[1] or " ", plain)


def _add_passage(entry: object, number: int, text: TextFile, into: Collector) -> None:
    record = {"text": entry} if isinstance(entry, str) else entry
    try:
        into.add(passage_of(as_object(record), f"p{number}"), path=text.path, line=number)
    except BadRecord as bad:
        into.skip(text.path, number, f"passage {number}: {bad}")


def _questions(data: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Every question with what belongs to it; what stands at the top belongs to the single question."""
    several = data.get("questions")
    top = {name: value for name, value in data.items() if name not in ("passages", "questions", "name", "description")}
    if data.get("question") is not None or data.get("query") is not None:
        yield top
    if isinstance(several, list):
        shared: dict[str, object] = {
            name: top[name] for name in ("version", "scope", "labels", "judgements") if name in top and len(several) == 1
        }
        for entry in several:
            yield {**shared, **(entry if isinstance(entry, dict) else {"question": entry})}


def _loaded_query(entry: Mapping[str, object], number: int, text: TextFile, into: Collector) -> LoadedQuery:
    asked = next((entry[name] for name in ("question", "query", "text") if entry.get(name) is not None), None)
    if isinstance(asked, dict):
        entry = {**asked, **{name: value for name, value in entry.items() if name not in ("question", "query", "text")}}
        asked = next((entry[name] for name in ("text", "question", "query") if entry.get(name) is not None), None)
    if not isinstance(asked, str) or not asked.strip():
        raise BadRecord("it has no text")
    return LoadedQuery(
        query=Query(text=asked.strip(), version=_short(entry.get("version")), scope=_short(entry.get("scope"))),
        id=_short(entry.get("id")),
        answer=_answer(entry.get("answer")),
        references=_references(entry),
        labels=tuple(_labels(entry.get("labels"), number, text, into)),
        recorded=tuple(_recorded(entry.get("judgements"), number, text, into)),
    )


def _short(value: object) -> str | None:
    return (scalar(value) or "").strip() or None


def _answer(value: object) -> str | None:
    """The answer as written; an empty one is an answer too."""
    if value is not None and not isinstance(value, str):
        raise BadRecord(f"its answer is {kind_of(value)}, not a text")
    return value


def _references(entry: Mapping[str, object]) -> tuple[str, ...]:
    value = entry.get("references", entry.get("reference"))
    items = value if isinstance(value, list) else [value]
    return tuple(item for item in items if isinstance(item, str) and item.strip())


def _entries(value: object, what: str) -> Iterator[tuple[object, object]]:
    """(passage id, content) of a list of objects with "id", or of an object by passage id."""
    if value is None:
        return
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        for item in value:
            record = item if isinstance(item, dict) else {}
            yield next((record[name] for name in ("id", "passage_id", "passage") if name in record), None), item
    else:
        raise BadRecord(f"its {what} are {kind_of(value)}; a list or an object by passage id is needed")


def _labels(value: object, number: int, text: TextFile, into: Collector) -> Iterator[Labels]:
    for passage_id, content in _entries(value, "labels"):
        try:
            known = _known_id(passage_id, into)
            record = content if isinstance(content, dict) else {"relevant": content}
            answers = {name: _yes_no(_found(record, names)) for name, names in QUESTIONS.items()}
            grade = record.get("grade")
            yield Labels(passage_id=known, grade=_number(grade) if grade is not None else None, **answers)
        except BadRecord as bad:
            into.skip(text.path, None, f"question {number}, a label is left out: {bad}")


def _recorded(value: object, number: int, text: TextFile, into: Collector) -> Iterator[RecordedAnswers]:
    judge = "recorded"
    if isinstance(value, dict) and isinstance(value.get("answers"), (list, dict)):
        judge, value = _short(value.get("judge")) or judge, value["answers"]
    for passage_id, content in _entries(value, "judgements"):
        try:
            record = as_object(content)
            inner = record.get("answers", record)
            answers = {name: _probability(name, _found(as_object(inner), names)) for name, names in QUESTIONS.items()}
            yield RecordedAnswers(passage_id=_known_id(passage_id, into), judge=_short(record.get("judge")) or judge, **answers)
        except BadRecord as bad:
            into.skip(text.path, None, f"question {number}, a judgement is left out: {bad}")


def _known_id(value: object, into: Collector) -> str:
    written = scalar(value)
    if written is None:
        raise BadRecord("it names no passage")
    if not into.has(clean_id(written)):
        raise BadRecord(f"it names an unknown passage {written!r}")
    return clean_id(written)


def _found(record: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((record[name] for name in names if name in record), None)


def _yes_no(value: object) -> bool | None:
    words = (scalar(value) or "").strip().casefold()
    if words in _UNKNOWN:
        return None
    if words not in _YES:
        raise BadRecord(f"{value!r} is not yes, no or unknown")
    return _YES[words]


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BadRecord(f"{value!r} is no number")
    return float(value)


def _probability(name: str, value: object) -> float:
    if value is None:
        raise BadRecord(f"it has no answer for {name!r}")
    number = float(value) if isinstance(value, bool) else _number(value)
    if not 0 <= number <= 1:
        raise BadRecord(f"{name} = {value!r} is not between 0 and 1")
    return number
