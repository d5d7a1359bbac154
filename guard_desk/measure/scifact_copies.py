"""Copies of a passage for the suite `scifact`: light ones that say the same, and hostile ones that differ in one number or one negation.

By rule, and the same on every run. What may be replaced is data in `resources/bench/scifact_copies.toml`.
"""

from __future__ import annotations

import re
import tomllib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from guard_desk import resources
from guard_desk.records.corpus import Passage
from guard_desk.text.sentences import sentences

# A number that stands for itself: not part of a name (IL-2, p53), of a range or of a longer number.
_NUMBER = re.compile(r"(?<![\w.,:/±+-])\d+(?:\.\d+)?(?![\w:/±-])(?![.,]\d)")
_PARTICIPLE = r"(?= [a-z]+(?:ed|wn|en|ound)\b)"
_COPIES = 3
MARK = "~"
"""Between the id of a passage and the number of its copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    headers: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    words: dict[str, str]
    pattern: re.Pattern[str]
    remove: re.Pattern[str]
    add: re.Pattern[str]


@cache
def _rules() -> _Rules:
    data = tomllib.loads(resources.path("bench", "scifact_copies.toml").read_text(encoding="utf-8"))
    words = dict(data["wording"]["replace"])
    return _Rules(
        headers=tuple(data["layout"]["headers"]),
        before=tuple(data["lead_in"]["before"]),
        after=tuple(data["lead_in"]["after"]),
        words=words,
        pattern=re.compile(rf"\b(?:{_either(words)})\b", re.IGNORECASE),
        remove=re.compile(rf"\b(?:{_either(data['negation']['remove'])})\b"),
        add=re.compile(rf"\b(?:{_either(data['negation']['add'])}){_PARTICIPLE}"),
    )


def _either(phrases: Sequence[str] | dict[str, str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


def exact_copies(passage: Passage) -> tuple[Passage, ...]:
    """Three passages with the same text."""
    return tuple(_copy(passage, number, passage.text) for number in range(1, _COPIES + 1))


def near_copies(passage: Passage) -> tuple[Passage, ...]:
    """Three passages that say the same: a header line and other line breaks; other words for the same; a sentence that leads in."""
    rules, turn = _rules(), zlib.crc32(passage.text.encode("utf-8", "surrogatepass"))
    lines = _sentences(passage.text)
    lead = (f"{rules.before[turn % len(rules.before)]} ", "") if turn % 2 else ("", f" {rules.after[turn % len(rules.after)]}")
    texts = (
        f"{rules.headers[turn % len(rules.headers)]}\n\n" + "\n".join(lines),
        _reworded("  ".join(lines)),
        f"{lead[0]}{passage.text}{lead[1]}",
    )
    return tuple(_copy(passage, number, text) for number, text in enumerate(texts, start=1))


def hostile_copies(passage: Passage) -> tuple[Passage, ...]:
    """At most three passages with one number or one negation changed: the first number, a negation, the last number.

    Where numbers are missing another negation is changed; a text that offers neither gives fewer copies.
    """
    text = passage.text
    numbers, negations = _numbers_changed(text), _negations_changed(text)
    wanted = [*numbers[:1], *negations[:1], *numbers[-1:], *negations[-1:], *numbers[1:2], *negations[1:2]]
    texts = list(dict.fromkeys(wanted))[:_COPIES]
    return tuple(_copy(passage, number, changed) for number, changed in enumerate(texts, start=1))


def _copy(passage: Passage, number: int, text: str) -> Passage:
    return replace(passage, id=f"{passage.id}{MARK}{number}", text=text)


def _sentences(text: str) -> list[str]:
    return [span.of(text).strip() for span in sentences(text)]


def _reworded(text: str) -> str:
    rules = _rules()

    def other(found: re.Match[str]) -> str:
        word = rules.words[found.group().lower()]
        return word.capitalize() if found.group()[0].isupper() else word

    return rules.pattern.sub(other, text)


def _numbers_changed(text: str) -> list[str]:
    """The text with one number changed, for each number in order."""
    return [f"{text[: found.start()]}{_other_number(found.group())}{text[found.end() :]}" for found in _NUMBER.finditer(text)]


def _other_number(digits: str) -> str:
    """A near number in the same form: the last decimal, the next year but one, a quarter more."""
    if "." in digits:
        last = (int(digits[-1]) + 3) % 10
        return digits[:-1] + str(last)
    value = int(digits)
    if 1900 <= value <= 2099:
        return str(value + 2)
    return str(value + max(1, value // 4)).zfill(len(digits))


def _negations_changed(text: str) -> list[str]:
    """The text with one negation taken out, for each in order, then with one put in."""
    rules = _rules()
    removed = [f"{text[: found.start()]}{found.group()[: -len(' not')]}{text[found.end() :]}" for found in rules.remove.finditer(text)]
    added = [f"{text[: found.start()]}{_denied(found.group())}{text[found.end() :]}" for found in rules.add.finditer(text)]
    return removed + added


def _denied(verb: str) -> str:
    first, space, rest = verb.partition(" ")
    return f"{first} not{space}{rest}"
