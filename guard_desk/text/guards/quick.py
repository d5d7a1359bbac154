"""Verdicts that need no reading of facts: a word, a number or a "not" that only one of two texts has; words that differ in case alone.

Each is a proof that the guards would say the same, never a guess; what is not proven is left to them. Most near pairs of a large corpus
differ in a plain word, and looking at words costs a fiftieth of reading values and units.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from guard_desk import lang, resources
from guard_desk.text.vocabulary import vocabulary

# A plain word between spaces: no code, nothing that a value could hold unless the data know it. A Chinese character is a word.
_PLAIN = re.compile(r"(?<!\S)[A-Za-z][a-z]{4,}(?=[,.;:!?]?(?:\s|$))|[\u4e00-\u9fff]")
_ANY = re.compile(r"\w+")
_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+|[^\w\s]")
_NUMBER = re.compile(r"(?:(?<=[^\W\d_] )|(?<=[^\W\d_.] \()|(?<=[\u4e00-\u9fff]))[1-9]\d{0,5}(?=\)?[.,;]?(?:\s|$)|[\u4e00-\u9fff])")
_LINE_WORD = re.compile(r"(?<!\S)[A-Za-z]{4,}(?!\S)")
_NOT = ("not", "不")
# Lists of phrases that are dropped, or stand for something else.
_PHRASES = ("harmless", "persons", "pronouns", "links", "coordinators", "sequence", "rewrites", "bounds", "free", "free_dates")
# Lists of words that may leave nothing behind when texts are compared.
_DROPPED = ("harmless", "persons", "pronouns", "links", "coordinators", "sequence", "rewrites", "bounds", "operators")
# Letters whose case is all that folding changes.
_LATIN_WORD = re.compile("[a-z\u00e0-\u00f6\u00f8-\u00fe]{2,}")
_SECTIONS = ("dedup", "synonyms", "numbers", "dates", "money")
# Stemmers that read "ae" as "ä" change more than the end of a word.
_RESPELLED = ("ae", "oe", "ue")
# What may stand around a word, and how many words away a number may have to do with it.
_AROUND = ",.;:!?()\"'"
_REACH = 4
_STEM = 3
_ROOT = 4


class Signature:
    """What is looked at of one text.

    :param plain: its plain words that no rule knows.
    :param folded: the text without case and accents.
    :param stems: the first letters of all its words; `short`: words shorter than that.
    """

    __slots__ = ("folded", "plain", "short", "stems", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = _folded(text)
        self.plain = frozenset(word.lower() for word in _PLAIN.findall(text) if not _is_known(word.lower()))
        words = set(_ANY.findall(self.folded))
        self.stems = frozenset(word[:_STEM] for word in words)
        self.short = tuple(word for word in words if len(word) < _STEM)


def refuses(a: Signature, b: Signature) -> bool:
    """Whether two texts surely differ; False says nothing."""
    return _lacks(a, b) or _lacks(b, a) or _adds_line(a.text, b.text) or _adds_line(b.text, a.text) or _differs_in_place(a.text, b.text)


def agrees(a: Signature, b: Signature) -> bool:
    """Whether two texts surely say the same: equal but for the case of plain words that no value can hold; False says nothing."""
    left, right = a.text.split(), b.text.split()
    if len(a.text) != len(b.text) or a.folded != b.folded or len(left) != len(right):
        return False
    if a.text.isupper() is not b.text.isupper():
        return False  # a text all in capitals has no single letters as names
    return all(x == y or _is_case_alone(x, y, left, place) for place, (x, y) in enumerate(zip(left, right, strict=True)))


def _is_case_alone(chunk: str, other: str, chunks: Sequence[str], place: int) -> bool:
    """Whether two words differ in case and it says nothing: no unit, month, zone or currency, and no number stands near."""
    word = chunk.strip(_AROUND).lower()
    if chunk.lower() != other.lower() or not _LATIN_WORD.fullmatch(word) or word in _measures():
        return False
    return not any(ch.isdigit() for near in chunks[max(0, place - _REACH) : place + _REACH + 1] for ch in near)


@cache
def _measures() -> frozenset[str]:
    """Words whose case may matter: all that begins a value, units, currencies and time zones."""
    found: set[str] = set()
    for words in map(vocabulary, ((code,) for code in lang.codes())):
        tables = words.symbols, words.loose, words.glued, words.compound_symbols, words.unit_words, words.currency_codes, words.zones
        found.update(words.starters, *tables, words.currency_names, words.months, words.weekdays, words.named_days, words.seasons)
    return frozenset(piece.lower() for text in found for piece in text.split())


def _lacks(a: Signature, b: Signature) -> bool:
    """Whether a has a word of which b has no form, no part and no compound."""
    return any(word[:_STEM] not in b.stems and word not in b.folded and not word.startswith(b.short) for word in a.plain - b.plain)


def _adds_line(longer: str, shorter: str) -> bool:
    """Whether one text is the other and a line that holds a word of its own before it or behind it."""
    if longer.startswith(shorter + "\n"):
        line = longer[len(shorter) :]
    elif longer.endswith("\n" + shorter):
        line = longer[: -len(shorter)]
    else:
        return False
    return any(word.lower() not in _dropped() for word in _LINE_WORD.findall(line))


@cache
def _dropped() -> frozenset[str]:
    lists = [lang.table(code).get("dedup", {}).get(name, ()) for code in lang.codes() for name in _DROPPED]
    return frozenset(word for text in _strings(lists) for word in _ANY.findall(_folded(text)))


def _differs_in_place(a: str, b: str) -> bool:
    """Whether all that differs is one number, or one "not" that only one text has."""
    left, right = _TOKEN.findall(a), _TOKEN.findall(b)
    if abs(len(left) - len(right)) > 1:
        return False
    at = next((place for place, (x, y) in enumerate(zip(left, right, strict=False)) if x != y), min(len(left), len(right)))
    if len(left) == len(right):
        return at < len(left) and left[at + 1 :] == right[at + 1 :] and _is_other_number(left, right, at, a, b)
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    if longer[at] not in _NOT or longer[at + 1 :] != shorter[at:]:
        return False
    around = "".join(longer[max(0, at - _REACH) : at + _REACH + 1])
    return longer[at] == "not" or not any(phrase in around for phrase in _harmless_not())


@cache
def _harmless_not() -> tuple[str, ...]:
    """Chinese phrases with a "not" in them that is not one, or that stand for something else."""
    data = lang.table("zh")
    lists = [data["dedup"].get(name, ()) for name in _PHRASES] + [data.get(name, ()) for name in _SECTIONS if name != "dedup"]
    return tuple(text for text in _strings(lists) if "不" in text and len(text) > 1)


def _is_other_number(left: Sequence[str], right: Sequence[str], at: int, a: str, b: str) -> bool:
    """Two plain numbers in the same place that no format makes equal: all other values are the same in both texts."""
    x, y = left[at], right[at]
    if not (x.isascii() and x.isdigit() and y.isascii() and y.isdigit()):
        return False
    if not (_NUMBER.match(a, _start_of(a, at)) and _NUMBER.match(b, _start_of(b, at))):
        return False
    # "at 1 pm" is "at 13 pm" to a lenient reader, and 98 may be 1998.
    return (int(x) - int(y)) % 12 != 0 and (int(x) - int(y)) % 100 != 0


def _start_of(text: str, at: int) -> int:
    """Where the token with that number begins."""
    return next(match.start() for place, match in enumerate(_TOKEN.finditer(text)) if place == at)


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(ch for ch in decomposed if unicodedata.category(ch) not in ("Mn", "Cf"))


@lru_cache(maxsize=65536)
def _is_known(word: str) -> bool:
    """Whether the language data may say something of a word, or a stemmer more than cut its end."""
    roots = _roots()
    if word[:_ROOT] in roots or word[:_STEM] in roots or word.endswith("ying"):
        return True
    return any(pair in word[: _ROOT + 1] for pair in _RESPELLED)


@cache
def _roots() -> frozenset[str]:
    """The first four letters of every word in the data that comparison reads, whole shorter words, and every Chinese character."""
    strings = [text for code in lang.codes() for section in _SECTIONS for text in _strings(lang.table(code).get(section, {}))]
    words = [word for text in (*strings, *_strings(_units())) for word in _ANY.findall(_folded(text))]
    return frozenset(word[:_ROOT] for word in words) | {ch for word in words for ch in word if ch >= "\u4e00"}


def _units() -> Mapping[str, Any]:
    with resources.path("units.toml").open("rb") as stream:
        return tomllib.load(stream)


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield key
            yield from _strings(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _strings(value)
