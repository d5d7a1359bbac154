"""The language data and the unit table, made ready for looking up. Built once for each set of languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from guard_desk import lang, resources
from guard_desk.records.evidence import Bound
from guard_desk.text.normalize import fold_text, plain

_BOUNDS = {"most": Bound.MOST, "least": Bound.LEAST, "more_than": Bound.MORE_THAN, "less_than": Bound.LESS_THAN, "about": Bound.ABOUT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit of measure: one is `factor` base units (plus `offset` for temperatures)."""

    name: str
    base: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)
    followed_by: tuple[str, ...] = ()
    not_followed_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Currency:
    """A currency: its ISO code, and how much of it one named piece is (1/100 for cents)."""

    code: str
    factor: Fraction = Fraction(1)


@dataclass(slots=True)
class Vocabulary:
    """Everything the finders look up, for one set of languages. Keys are folded unless said otherwise.

    :param starters: folded words that a value can begin with; other words are passed over quickly.
    :param first: for lists of phrases, the words (CJK: characters) that they begin with.
    :param compound: whether numbers are written as one word, so that any long word may be one.
    :param symbols: case-sensitive unit symbols; `loose`: the same folded, where only one unit fits.
    :param bounds: phrases before a number; `bounds_after`: behind it.
    """

    languages: tuple[str, ...]
    decimal: str = "."
    order: str = "dmy"
    small: dict[str, int] = field(default_factory=dict)
    multipliers: dict[str, int] = field(default_factory=dict)
    ordinals: dict[str, int] = field(default_factory=dict)
    fractions: dict[str, int] = field(default_factory=dict)
    times_words: dict[str, int] = field(default_factory=dict)
    symbols: dict[str, Unit] = field(default_factory=dict)
    loose: dict[str, Unit] = field(default_factory=dict)
    glued: dict[str, Unit] = field(default_factory=dict)
    compound_symbols: dict[str, Unit] = field(default_factory=dict)
    unit_words: dict[str, Unit] = field(default_factory=dict)
    unit_cjk: dict[str, tuple[Unit, ...]] = field(default_factory=dict)
    currency_symbols: dict[str, Currency] = field(default_factory=dict)
    currency_codes: dict[str, Currency] = field(default_factory=dict)
    currency_names: dict[str, Currency] = field(default_factory=dict)
    bounds: dict[str, Bound] = field(default_factory=dict)
    bounds_after: dict[str, Bound] = field(default_factory=dict)
    magnitudes: dict[str, Fraction] = field(default_factory=dict)
    money_magnitudes: dict[str, Fraction] = field(default_factory=dict)
    months: dict[str, int] = field(default_factory=dict)
    weekdays: dict[str, int] = field(default_factory=dict)
    named_days: dict[str, str] = field(default_factory=dict)
    seasons: dict[str, int] = field(default_factory=dict)
    zones: dict[str, int] = field(default_factory=dict)
    cjk_digits: dict[str, int] = field(default_factory=dict)
    cjk_places: dict[str, int] = field(default_factory=dict)
    cjk_myriads: dict[str, int] = field(default_factory=dict)
    sets: dict[str, frozenset[str]] = field(default_factory=dict)
    starters: frozenset[str] = frozenset()
    first: dict[str, frozenset[str]] = field(default_factory=dict)
    compound: bool = False

    def has(self, group: str, word: str) -> bool:
        """Whether a folded word belongs to a list of the language data, e.g. `has("numbers.label_nouns", "port")`."""
        return word in self.sets.get(group, ())

    def group(self, name: str) -> frozenset[str]:
        """A whole list of the language data."""
        return self.sets.get(name, frozenset())


@cache
def _unit_table() -> Mapping[str, Any]:
    with resources.path("units.toml").open("rb") as stream:
        return tomllib.load(stream)


def _unit_entries() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(dimension, base unit, entry) of the unit table."""
    for dimension, content in _unit_table().items():
        if "units" in content:
            for entry in content["units"]:
                yield dimension, entry.get("base", content["base"]), entry


def _spellings(entry: Mapping[str, Any]) -> Iterator[tuple[str, Fraction, list[str], list[str]]]:
    """(name, factor, symbols, words) of an entry, alone and with each of its prefixes."""
    factor = Fraction(entry["factor"])
    yield entry["id"], factor, entry.get("symbols", []), [*entry.get("words", [])]
    for prefix in entry.get("prefixes", ()):
        data = _unit_table()["prefixes"][prefix]
        symbols = [prefix + symbol for symbol in entry.get("symbols", [])]
        words = [data["word"] + word for word in entry.get("words", []) if word.isalpha() or "-" in word or " " in word]
        yield prefix + entry["id"], factor * Fraction(data["factor"]), symbols, words


def _add_units(vocabulary: Vocabulary) -> None:
    loose: dict[str, list[Unit]] = {}
    cjk: dict[str, list[Unit]] = {}
    for dimension, base, entry in _unit_entries():
        if "only" in entry and not set(entry["only"]) & set(vocabulary.languages):
            continue
        for name, factor, symbols, words in _spellings(entry):
            unit = Unit(name=name, base=base, dimension=dimension, factor=factor, offset=Fraction(entry.get("offset", "0")))
            for symbol in symbols:
                vocabulary.symbols.setdefault(plain(symbol).text, unit)
                loose.setdefault(fold_text(symbol), []).append(unit)
            for symbol in entry.get("glued", ()) if name == entry["id"] else ():
                vocabulary.glued[symbol] = unit
            for symbol in entry.get("compound", ()) if name == entry["id"] else ():
                vocabulary.compound_symbols[symbol] = unit
            for word in words:
                vocabulary.unit_words.setdefault(fold_text(word), unit)
        follow = tuple(entry.get("followed_by", ()))
        unit = Unit(
            name=entry["id"],
            base=base,
            dimension=dimension,
            factor=Fraction(entry["factor"]),
            offset=Fraction(entry.get("offset", "0")),
            followed_by=follow,
            not_followed_by=tuple(entry.get("not_followed_by", ())),
        )
        for word in entry.get("cjk", ()):
            cjk.setdefault(plain(word).text, []).append(unit)
    vocabulary.unit_cjk = {word: tuple(units) for word, units in cjk.items()}
    vocabulary.loose = {key: units[0] for key, units in loose.items() if len(key) > 1 and len({(u.base, u.factor) for u in units}) == 1}


def _add_currencies(vocabulary: Vocabulary) -> None:
    chinese = vocabulary.languages[0] == "zh"
    for code, entry in _unit_table()["currencies"].items():
        currency = Currency(code=code)
        vocabulary.currency_codes[code] = currency
        for symbol in entry.get("symbols", ()):
            vocabulary.currency_symbols[symbol] = Currency(code="CNY") if symbol == "¥" and chinese else currency
    for code in vocabulary.languages:
        for currency_code, names in dict(lang.entry(code, "money.names")).items():
            for name in names:
                vocabulary.currency_names.setdefault(fold_text(name), Currency(code=currency_code))
        for name, currency_code in dict(lang.entry(code, "money.minor")).items():
            vocabulary.currency_names.setdefault(fold_text(name), Currency(code=currency_code, factor=Fraction(1, 100)))


def _merge(into: dict[str, Any], languages: Iterable[str], path: str) -> None:
    """Merge a table of the languages; the first language wins."""
    for code in languages:
        for word, value in dict(lang.entry(code, path)).items():
            into.setdefault(fold_text(word), value)


def _lists(table: Mapping[str, Any], path: str) -> Iterator[tuple[str, list[str]]]:
    """All lists of words of a table of the language data, with their dotted paths."""
    for name, content in table.items():
        if isinstance(content, Mapping):
            yield from _lists(content, f"{path}.{name}")
        elif isinstance(content, list):
            yield f"{path}.{name}", content


def _add_groups(vocabulary: Vocabulary) -> None:
    gathered: dict[str, set[str]] = {}
    for code in vocabulary.languages:
        for section in ("numbers", "dates", "money"):
            for path, found in _lists(dict(lang.entry(code, section)), section):
                gathered.setdefault(path, set()).update(fold_text(word) for word in found)
    vocabulary.sets.update({path: frozenset(found) for path, found in gathered.items()})
    stops = "".join(str(lang.entry(code, "numbers.noun_stops", "")) for code in vocabulary.languages)
    vocabulary.sets["numbers.noun_stops"] = frozenset(stops)
    titled = {code for code in vocabulary.languages if lang.entry(code, "dates.titled", False)}
    vocabulary.sets["dates.titled"] = frozenset(titled)
    compound = {code for code in vocabulary.languages if lang.entry(code, "numbers.compound", False)}
    vocabulary.sets["numbers.compound"] = frozenset(compound)


def _add_bounds(vocabulary: Vocabulary) -> None:
    for name, bound in _BOUNDS.items():
        for code in vocabulary.languages:
            for phrase in lang.entry(code, f"numbers.bounds.{name}", ()):
                vocabulary.bounds.setdefault(fold_text(phrase), bound)
            for phrase in lang.entry(code, f"numbers.bounds_after.{name}", ()):
                vocabulary.bounds_after.setdefault(fold_text(phrase), bound)


def _with_company(languages: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that have data; English joins scripts whose texts often hold English words."""
    known = tuple(dict.fromkeys(code for code in languages if code in lang.codes())) or ("en",)
    return known if set(known) - {"zh", "ta"} else (*known, "en")


_STARTING_GROUPS = (
    "numbers.articles",
    "numbers.half",
    "dates.fiscal",
    "dates.quarter_letters",
    "dates.half_letters",
    "dates.weekday_prefix",
    "dates.times.noon",
    "dates.times.midnight",
    "dates.times.half_past",
    "dates.times.half_to",
    "dates.times.quarter_past",
    "dates.times.quarter_to",
    "dates.times.morning_before",
    "dates.times.noon_before",
    "dates.times.afternoon_before",
    "dates.times.night_before",
)


def _starters(vocabulary: Vocabulary) -> frozenset[str]:
    """First words of everything that a value can begin with, folded."""
    words = set(vocabulary.small) | set(vocabulary.ordinals) | set(vocabulary.times_words) | set(vocabulary.months)
    words |= set(vocabulary.weekdays) | set(vocabulary.seasons) | set(vocabulary.named_days) | {"minus"}
    words |= {word for word, part in vocabulary.fractions.items() if part == 2}
    words |= {fold_text(name) for name in (*vocabulary.currency_symbols, *vocabulary.currency_codes)}
    words |= {symbol.rstrip("$¥.").casefold() for symbol in vocabulary.currency_symbols}
    for group in _STARTING_GROUPS:
        words |= vocabulary.group(group)
    if vocabulary.languages[0] != "en":
        words |= set(vocabulary.multipliers)
    words |= set(vocabulary.cjk_digits) | set(vocabulary.cjk_places) | {"半", "第"}
    return _first(words)


def _first(phrases: Iterable[str]) -> frozenset[str]:
    """First tokens of phrases: the first character of CJK ones, the first word of others."""
    return frozenset(phrase[0] if phrase[0] >= "\u3005" else re.split(r"[ \d]", phrase)[0] for phrase in phrases if phrase.strip())


@cache
def vocabulary(languages: tuple[str, ...]) -> Vocabulary:
    """The vocabulary of these languages, the main one first; languages without data are left out."""
    chosen = _with_company(languages)
    result = Vocabulary(
        chosen, decimal=str(lang.entry(chosen[0], "numbers.decimal", ".")), order=str(lang.entry(chosen[0], "dates.order", "dmy"))
    )
    for into, path in (
        (result.small, "numbers.small"),
        (result.multipliers, "numbers.multipliers"),
        (result.ordinals, "numbers.ordinals"),
        (result.fractions, "numbers.fractions"),
        (result.times_words, "numbers.times"),
        (result.months, "dates.months"),
        (result.weekdays, "dates.weekdays"),
        (result.named_days, "dates.named"),
        (result.seasons, "dates.seasons"),
        (result.zones, "dates.times.zones"),
    ):
        _merge(into, chosen, path)
    numerals = chosen if "zh" in chosen or "zh" not in lang.codes() else (*chosen, "zh")
    _merge(result.cjk_digits, numerals, "numbers.digits")
    _merge(result.cjk_places, numerals, "numbers.places")
    _merge(result.cjk_myriads, numerals, "numbers.myriads")
    _add_groups(result)
    _add_bounds(result)
    _add_units(result)
    _add_currencies(result)
    result.starters = _starters(result)
    result.first = {name: _first(phrases) for name, phrases in result.sets.items()} | {"dates.named": _first(result.named_days)}
    result.compound = bool(result.sets["numbers.compound"])
    magnitudes = _unit_table()["magnitudes"]
    result.magnitudes = {word: Fraction(value) for word, value in magnitudes["any"].items()}
    result.money_magnitudes = {word: Fraction(value) for word, value in magnitudes["money"].items()}
    return result
