"""Finds the unit or currency beside a number, and converts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from guard_desk.text.amounts import show
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Currency, Unit, Vocabulary

_LONGEST_PHRASE = 4
_LONGEST_CJK = 6
# Dimensions that a spelled rate is read for ("12 litres per minute"); hours a week and euros a month are no rates here.
_RATED = frozenset({"volume", "mass", "length", "data", "energy", "amount", "pressure", "area"})


_NAMED_RATES = {"data/time": "data_rate", "length/time": "speed"}


@dataclass(frozen=True, slots=True)
class Measure:
    """What stands beside a number.

    :param end: the token after the words of the unit.
    :param name: the unit as written, in its table name ("ft", "L/min", "EUR").
    :param unit: canonical unit; `dimension`: what it measures, "money" and "percent" included.
    """

    end: int
    name: str
    unit: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)

    def convert(self, value: Fraction) -> Fraction:
        """A number in the canonical unit."""
        return value * self.factor + self.offset


def _simple(unit: Unit, end: int) -> Measure:
    return Measure(end, unit.name, unit.base, unit.dimension, unit.factor, unit.offset)


def match_unit(scan: Scan, at: int, words: Vocabulary) -> Measure | None:
    """The unit whose name starts at a token, with "/..." and "per ..." behind it."""
    found = _match_name(scan, at, words)
    if found is None:
        return None
    unit, end = found
    return _with_rate(scan, unit, end, words)


def _match_name(scan: Scan, at: int, words: Vocabulary) -> tuple[Unit, int] | None:
    kind = scan.kind(at)
    if kind == "cjk":
        return _match_cjk(scan, at, words)
    if kind not in ("word", "sign"):
        return None
    if kind == "sign" and scan.words[at] not in "°%‰º":
        return None
    if scan.glued(at) and scan.words[at] in words.glued and _ends_symbol(scan, at + 1):
        return words.glued[scan.words[at]], at + 1
    for length in range(min(_LONGEST_PHRASE, len(scan) - at), 0, -1):
        if length > 1 and kind == "sign" and not scan.glued(at + 1) and scan.words[at] != "°":
            continue
        raw = scan.phrase(at, at + length, fold=False)
        end = at + length
        if (
            length == 1
            and len(raw) == 1
            and raw.isupper()
            and not scan.glued(at)
            and scan.words[end : end + 1]
            and scan.words[end][:1].isupper()
        ):
            continue  # "38 W Victoria St"
        if raw in words.symbols and _ends_symbol(scan, end) and (length == 1 or " " not in raw or kind == "sign"):
            return words.symbols[raw], end
        if scan.kind(end - 1) == "sign" and length > 1:
            continue
        folded = scan.phrase(at, end)
        if folded in words.unit_words and not _continues(scan, end):
            return words.unit_words[folded], end
    token = scan.word(at)
    if token.endswith("'s") and token[:-2] in words.unit_words:
        return words.unit_words[token[:-2]], at + 1  # "a year's notice"
    if kind == "word" and token in words.loose and _ends_symbol(scan, at + 1):
        return words.loose[token], at + 1
    return None


def _ends_symbol(scan: Scan, end: int) -> bool:
    """A symbol ends where no letter or digit follows it directly."""
    return not (scan.glued(end) and scan.kind(end) in ("word", "number"))


def _continues(scan: Scan, end: int) -> bool:
    """Whether letters go on directly: "Metern" is a word of its own, "5 m2" a symbol."""
    return scan.glued(end) and scan.kind(end) in ("word", "number")


def _match_cjk(scan: Scan, at: int, words: Vocabulary) -> tuple[Unit, int] | None:
    for length in range(min(_LONGEST_CJK, len(scan) - at), 0, -1):
        phrase = scan.text[scan.starts[at] : scan.starts[at] + length]
        for unit in words.unit_cjk.get(phrase, ()):
            end = at + length
            if end > len(scan) or scan.ends[end - 1] != scan.starts[at] + length:
                continue
            refused = bool(unit.not_followed_by) and scan.text.startswith(unit.not_followed_by, scan.ends[end - 1])
            if not refused and (not unit.followed_by or scan.text.startswith(unit.followed_by, scan.ends[end - 1])):
                return unit, end
    return None


def _with_rate(scan: Scan, unit: Unit, end: int, words: Vocabulary) -> Measure:
    """A unit with what it is divided by: "mg/kg" is part of the words, "per minute" only of the meaning."""
    slash = scan.word(end) == "/" and scan.glued(end) and scan.glued(end + 1)
    spelled = not slash and unit.dimension in _RATED and words.has("numbers.per", scan.word(end))
    if not slash and not spelled:
        return _simple(unit, end)
    below = _match_name(scan, end + 1, words)
    if below is None or below[0].offset:
        return _simple(unit, end)
    per, stop = below
    return _divided(unit, per, stop if slash else end)


def _divided(unit: Unit, per: Unit, end: int) -> Measure:
    """A unit per another one; speeds and data rates are the dimension that they have names for."""
    dimension = f"{unit.dimension}/{per.dimension}"
    named = _NAMED_RATES.get(dimension, dimension)
    return Measure(end, f"{unit.name}/{per.name}", f"{unit.base}/{per.base}", named, unit.factor / per.factor)


def with_rate_before(scan: Scan, begin: int, measure: Measure, words: Vocabulary) -> Measure:
    """Read "每秒 100 兆比特": Chinese puts the time first."""
    if measure.dimension not in _RATED or scan.kind(begin - 1) != "cjk":
        return measure
    for length in (2, 3, 4):
        if begin < length or not words.has("numbers.per", scan.word(begin - length)):
            continue
        found = _match_cjk(scan, begin - length + 1, words)
        if found is not None and found[1] == begin and found[0].dimension == "time":
            unit = Unit(name=measure.name, base=measure.unit, dimension=measure.dimension, factor=measure.factor)
            return _divided(unit, found[0], measure.end)
    return measure


def match_currency_before(scan: Scan, at: int, words: Vocabulary) -> tuple[int, Currency] | None:
    """A currency sign or code that starts at a token with a number behind it: (token of the number, currency)."""
    token = scan.words[at]
    if scan.kind(at) == "word" and token in words.currency_codes:
        end = at + 2 if scan.word(at + 1) in words.currency_symbols and scan.kind(at + 1) == "sign" else at + 1
        return (end, words.currency_codes[token]) if scan.kind(end) == "number" else None
    for length in (3, 2, 1):
        if at + length >= len(scan) or scan.kind(at + length) != "number":
            continue
        phrase = scan.phrase(at, at + length, fold=False)
        if phrase in words.currency_symbols and not (length == 1 and scan.glued(at) and scan.kind(at - 1) == "number"):
            return at + length, words.currency_symbols[phrase]
    return None


def match_currency_after(scan: Scan, at: int, words: Vocabulary) -> tuple[int, Currency] | None:
    """A currency behind a number: (token after it, currency)."""
    if at >= len(scan):
        return None
    if words.has("money.of", scan.word(at)) or scan.word(at).startswith("d'"):
        found = _elided(scan, at, words)
        if found is not None:
            return found
        at += 1
    if at >= len(scan):
        return None
    if scan.kind(at) == "cjk":
        return _currency_cjk(scan, at, words)
    for length in range(min(3, len(scan) - at), 0, -1):
        raw = scan.phrase(at, at + length, fold=False)
        if raw in words.currency_symbols and (scan.kind(at) != "word" or _ends_symbol(scan, at + length)):
            if scan.kind(at + length) == "number" and scan.glued(at + length):
                continue  # "5 $3": the sign belongs to what follows
            return at + length, words.currency_symbols[raw]
        folded = scan.phrase(at, at + length)
        if folded in words.currency_names:
            return at + length, words.currency_names[folded]
        if length == 1 and raw in words.currency_codes and _ends_symbol(scan, at + 1):
            return at + 1, words.currency_codes[raw]
    return None


def _elided(scan: Scan, at: int, words: Vocabulary) -> tuple[int, Currency] | None:
    """ "d'euros": the French article is part of the token."""
    token = scan.word(at)
    name = token[2:] if token.startswith("d'") else ""
    return (at + 1, words.currency_names[name]) if name in words.currency_names else None


def _currency_cjk(scan: Scan, at: int, words: Vocabulary) -> tuple[int, Currency] | None:
    for length in range(min(5, len(scan) - at), 0, -1):
        phrase = scan.text[scan.starts[at] : scan.starts[at] + length]
        currency = words.currency_names.get(phrase)
        if currency is not None and scan.ends[at + length - 1] == scan.starts[at] + length:
            return at + length, currency
    return None


def money(currency: Currency, end: int) -> Measure:
    """A currency as a measure."""
    return Measure(end, currency.code, currency.code, "money", currency.factor)


def spell(value: Fraction, unit: str) -> str:
    """Canonical spelling: number, space, canonical unit."""
    return f"{show(value)} {unit}" if unit else show(value)
