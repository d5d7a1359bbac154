"""An amount, its decimal spelling, and what digits with separators mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary

_MAX_DIGITS = 30
MAX_EXPONENT = 40
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number read from tokens `begin` to `end`.

    :param shape: "digits", "words", "cjk", "fraction", "ordinal", "article" or "half".
    :param written: the digits as they stand, for telling years from counts; "" when not plain digits.
    """

    begin: int
    end: int
    value: Fraction
    shape: str
    written: str = ""


def show(value: Fraction) -> str:
    """A stable decimal spelling; "2/3" where there is none of at most 30 places."""
    if value.denominator == 1:
        return str(value.numerator)
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > _MAX_DIGITS:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"


@lru_cache(maxsize=16384)
def literal(text: str, decimal: str) -> Fraction | None:
    """The value of digits with separators; `decimal` says which sign is the decimal one where the shape leaves it open.

    "1.500" is 1500 where "," is the decimal sign and 1.5 where "." is. None for a number too long to mean anything.
    """
    body, _, exponent = text.lower().partition("e")
    body = body.replace(" ", "").replace("'", "")
    if len(body) > _MAX_DIGITS or (exponent and abs(int(exponent)) > MAX_EXPONENT):
        return None
    commas, points = body.count(","), body.count(".")
    if commas and points:
        sign = "," if body.rfind(",") > body.rfind(".") else "."
    elif commas + points == 1:
        sign = _single_separator("," if commas else ".", body, decimal)
    else:
        sign = ""
    whole = "".join(ch for ch in body if ch.isdigit() or ch == sign).replace(sign or ",", ".")
    value = Fraction(whole if not whole.startswith(".") else "0" + whole)
    return value * Fraction(10) ** int(exponent) if exponent else value


def _single_separator(sign: str, body: str, decimal: str) -> str:
    """The decimal sign of a number with one separator, "" when that one groups thousands."""
    before, _, after = body.partition(sign)
    grouped = len(after) == 3 and 1 <= len(before) <= 3 and not before.startswith("0")
    if not grouped:
        return sign
    if sign == decimal:
        # "1,500" with three zeros or "00" at its end is hardly ever a decimal fraction, whatever the language.
        return "" if sign == "," and after.endswith("00") else sign
    return ""


_YEAR = re.compile(r"[12]\d{3}")


def is_year_shape(written: str) -> bool:
    """Whether digits look like a year of 1000 to 2199."""
    return _YEAR.fullmatch(written) is not None and int(written) < 2200


def mixed(scan: Scan, at: int, value: Fraction, words: Vocabulary) -> tuple[Fraction, int]:
    """Apply "and a half" behind a number."""
    for length in (3, 2, 1):
        if at + length > len(scan) or (scan.kind(at) == "cjk" and length == 1):
            continue
        if scan.phrase(at, at + length) in words.group("numbers.and_half"):
            return value + HALF, at + length
    return value, at
