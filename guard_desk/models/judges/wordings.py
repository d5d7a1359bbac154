"""The wordings of the four questions: the shipped ones, and files of the same form."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from guard_desk import resources
from guard_desk.errors import InputError
from guard_desk.records.evidence import Question
from guard_desk.records.judging import Wording, Wordings

_OTHER = ("version", "order")
_TEXTS, _LISTS, _HYPOTHESIS = ("text", "instruction"), ("yes", "no"), "hypothesis"
_KNOWN = (*_TEXTS, *_LISTS, _HYPOTHESIS)
_IGNORED = ("field",)


@cache
def shipped_wordings() -> Wordings:
    """Those of `resources/questions.toml`."""
    with resources.path("questions.toml").open("rb") as stream:
        table = tomllib.load(stream)
    return Wordings(**{question: _wording(table[question], None, question) for question in Question})


def load_wordings(path: Path | str) -> Wordings:
    """Wordings from a file in the form of `resources/questions.toml`; what it leaves out is as shipped.

    :raises InputError: naming the file, the question and the field.
    """
    try:
        return parse_wordings(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as exc:
        raise InputError(f"the wordings cannot be read: {exc}.", path=path, remedy="Give a TOML file.") from exc
    except InputError as exc:
        raise InputError(exc.cause, path=path, remedy=exc.remedy) from exc


def parse_wordings(text: str) -> Wordings:
    """Wordings from TOML; see `load_wordings`.

    :raises InputError: naming the question and the field.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise InputError(f"the wordings are no TOML ({exc}).", remedy="Take resources/questions.toml as an example.") from exc
    unknown = next((name for name in table if name not in (*Question, *_OTHER)), None)
    if unknown is not None:
        raise InputError(f"there is no question {unknown!r}.", remedy=f"One of: {', '.join(Question)}.")
    shipped = shipped_wordings()
    return Wordings(
        **{
            question: _wording(table[question], getattr(shipped, question), question) if question in table else getattr(shipped, question)
            for question in Question
        }
    )


def wordings_toml(wordings: Wordings) -> str:
    """Wordings as TOML."""
    blocks = []
    for question in Question:
        wording: Wording = getattr(wordings, question)
        lines = [f"[{question}]", f"text = {_toml(wording.text)}", f"instruction = {_toml(wording.instruction)}"]
        lines += [f"{name} = [{''.join(f'{chr(10)}    {_toml(case)},' for case in getattr(wording, name))}\n]" for name in _LISTS]
        lines += [f"{_HYPOTHESIS} = {_toml(wording.hypothesis)}"] if wording.hypothesis else []
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _toml(text: str) -> str:
    # A JSON string is a TOML string but for DEL, which JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _wording(entry: Any, shipped: Wording | None, question: str) -> Wording:
    """:raises InputError: for a field that is not known, missing or of another type."""
    if not isinstance(entry, Mapping):
        raise InputError(f"{question} is no table.", remedy=f"Write [{question}] and its fields below.")
    unknown = next((name for name in entry if name not in (*_KNOWN, *_IGNORED)), None)
    if unknown is not None:
        raise InputError(f"{question} has no field {unknown!r}.", remedy=f"Known: {', '.join(_KNOWN)}.")
    values: dict[str, Any] = {}
    for name in _TEXTS:
        values[name] = entry.get(name, getattr(shipped, name, None))
        if not isinstance(values[name], str) or not values[name].strip():
            raise InputError(f"{question}.{name} must be text and not empty.", remedy="Write the question in one sentence.")
    for name in _LISTS:
        cases = entry.get(name, getattr(shipped, name, ()))
        if not isinstance(cases, list | tuple) or not all(isinstance(case, str) and case.strip() for case in cases):
            raise InputError(f"{question}.{name} must be a list of texts.", remedy=f'Write {name} = ["...", "..."].')
        values[name] = tuple(cases)
    return Wording(**values, hypothesis=_hypothesis(entry, shipped, question))


def _hypothesis(entry: Mapping[str, Any], shipped: Wording | None, question: str) -> str | None:
    """:raises InputError: for one that is no text, or that nothing would read."""
    if _HYPOTHESIS not in entry:
        return None if shipped is None else shipped.hypothesis
    if question == Question.CONTRADICTS:
        remedy = "Leave it out: what the query takes for granted is held against the passage."
        raise InputError(f"{question} has no {_HYPOTHESIS}.", remedy=remedy)
    found = entry[_HYPOTHESIS]
    if not isinstance(found, str) or not found.strip():
        raise InputError(
            f"{question}.{_HYPOTHESIS} must be text and not empty.", remedy="Write one sentence; {query} stands for the query."
        )
    return found
