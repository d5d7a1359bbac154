"""The patterns and rules of `resources/injection.toml`, compiled."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from guard_desk import resources

MARKERS = frozenset({"concealed", "aside"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePattern:
    """What one sentence (or, `joint`, two or three) must hold.

    :param needs: each part is a set of classes of which one is enough.
    :param score: 0..1 when it holds.
    """

    name: str
    needs: tuple[frozenset[str], ...]
    score: float
    joint: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """All that the scanner knows.

    :param cues: class -> language -> one pattern, compiled when a text of that language comes (see `cue_patterns`).
    :param reduce: how much quoting, describing and the like lower a score.
    :param common: very common words, to tell text from scrambled letters.
    :param confusables: look-alike letter -> Latin letter.
    :param gates: language -> words, and beginnings of words, of which a sentence must hold one to be looked at in that language.
    """

    cues: Mapping[str, Mapping[str, str]]
    rules: tuple[RulePattern, ...]
    reduce: Mapping[str, float]
    common: frozenset[str]
    confusables: Mapping[str, str]
    gates: Mapping[str, tuple[frozenset[str], tuple[str, ...]]]


@cache
def lexicon() -> Lexicon:
    """The compiled data."""
    with resources.path("injection.toml").open("rb") as stream:
        data = tomllib.load(stream)
    pieces = data["pieces"]
    return Lexicon(
        cues={name: {language: _joined(patterns, pieces) for language, patterns in table.items()} for name, table in data["cue"].items()},
        rules=tuple(_rule(entry, frozenset(data["cue"])) for entry in data["rule"]),
        reduce=data["reduce"],
        common=frozenset(data["words"]["common"]),
        confusables=data["confusables"],
        gates={code: (frozenset(words), tuple(data["gate"]["stems"][code])) for code, words in data["gate"]["words"].items()},
    )


@cache
def digest() -> str:
    """sha256 of the data: part of the revision of every judge that scans with it."""
    return hashlib.sha256(resources.path("injection.toml").read_bytes()).hexdigest()


@cache
def cue_patterns(languages: tuple[str, ...]) -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    """For each class the patterns of these languages, in their order."""
    cues = lexicon().cues
    return tuple((name, tuple(_compiled(table[language]) for language in languages if language in table)) for name, table in cues.items())


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _joined(patterns: list[str], pieces: Mapping[str, str]) -> str:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    for name, piece in pieces.items():
        joined = joined.replace(name, piece)
    return re.sub(r"(?<!\\) (?!\?)", r"\\s+", joined)


def _rule(entry: Mapping[str, Any], classes: frozenset[str]) -> RulePattern:
    needs = tuple(frozenset(part.split("|")) for part in entry["needs"])
    unknown = frozenset().union(*needs) - classes - MARKERS
    if unknown:
        raise ValueError(f"injection.toml: rule {entry['name']!r} needs unknown classes {sorted(unknown)}")
    return RulePattern(name=entry["name"], needs=needs, score=entry["score"], joint=entry.get("joint", False))
