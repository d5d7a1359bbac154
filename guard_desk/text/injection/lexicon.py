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

    :param cues: class -> language -> one compiled pattern.
    :param reduce: how much quoting, describing and the like lower a score.
    :param common: very common words, to tell text from scrambled letters.
    :param confusables: look-alike letter -> Latin letter.
    """

    cues: Mapping[str, Mapping[str, re.Pattern[str]]]
    rules: tuple[RulePattern, ...]
    reduce: Mapping[str, float]
    common: frozenset[str]
    confusables: Mapping[str, str]


@cache
def lexicon() -> Lexicon:
    """The compiled data."""
    with resources.path("injection.toml").open("rb") as stream:
        data = tomllib.load(stream)
    pieces = data["pieces"]
    return Lexicon(
        cues={name: {language: _compiled(patterns, pieces) for language, patterns in table.items()} for name, table in data["cue"].items()},
        rules=tuple(_rule(entry, frozenset(data["cue"])) for entry in data["rule"]),
        reduce=data["reduce"],
        common=frozenset(data["words"]["common"]),
        confusables=data["confusables"],
    )


@cache
def digest() -> str:
    """sha256 of the data: part of the revision of every judge that scans with it."""
    return hashlib.sha256(resources.path("injection.toml").read_bytes()).hexdigest()


def _compiled(patterns: list[str], pieces: Mapping[str, str]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    for name, piece in pieces.items():
        joined = joined.replace(name, piece)
    return re.compile(re.sub(r"(?<!\\) (?!\?)", r"\\s+", joined))


def _rule(entry: Mapping[str, Any], classes: frozenset[str]) -> RulePattern:
    needs = tuple(frozenset(part.split("|")) for part in entry["needs"])
    unknown = frozenset().union(*needs) - classes - MARKERS
    if unknown:
        raise ValueError(f"injection.toml: rule {entry['name']!r} needs unknown classes {sorted(unknown)}")
    return RulePattern(name=entry["name"], needs=needs, score=entry["score"], joint=entry.get("joint", False))
