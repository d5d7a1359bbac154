"""Numbers as people write them: digits in the formats of each language, number words, Chinese numerals, fractions."""

from __future__ import annotations

from fractions import Fraction

from guard_desk.text.amounts import MAX_EXPONENT, Amount, literal, mixed
from guard_desk.text.chinese import read_chinese
from guard_desk.text.multiples import multiply, read_fraction
from guard_desk.text.number_words import read_words
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary


def read_amount(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """The number that starts at a token, with its multipliers; None when there is none."""
    kind = scan.kind(begin)
    if kind == "number":
        return _read_digits(scan, begin, words)
    if kind == "word":
        return read_words(scan, begin, words)
    if kind == "cjk":
        return read_chinese(scan, begin, words)
    return None


def _read_digits(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    value = literal(scan.words[begin], words.decimal)
    if value is None:
        return None
    end = begin + 1
    if scan.glued(end) and words.has("numbers.suffixes.ordinal", scan.word(end)) and value.denominator == 1 and not scan.glued(end + 1):
        return Amount(begin, end + 1, value, "ordinal")
    dotted = scan.word(end) == "." and scan.glued(end) and not scan.glued(end + 1) and scan.kind(end + 1) == "word"
    if dotted and words.has("numbers.ordinal_after", scan.word(begin - 1)) and value.denominator == 1 and value < 100:
        return Amount(begin, end + 1, value, "ordinal")
    slash = _read_slash(scan, begin, value)
    if slash is not None:
        return slash
    powered = _read_power(scan, begin, value)
    if powered is not None:
        value, end = powered
    value, stop = multiply(scan, end, value, words)
    value, stop = mixed(scan, stop, value, words)
    fraction = read_fraction(scan, stop, value, words) if stop == end else None
    if fraction is not None:
        return Amount(begin, fraction[1], fraction[0], "fraction")
    plain = scan.words[begin] if stop == begin + 1 else ""
    return Amount(begin, stop, value, "digits", plain)


def _read_slash(scan: Scan, begin: int, value: Fraction) -> Amount | None:
    """ "3/4", and "1 3/4" (which is also how "1¾" reads)."""
    if scan.word(begin + 1) == "/" and scan.kind(begin + 2) == "number" and scan.glued(begin + 1) and scan.glued(begin + 2):
        ratio = _ratio(scan.words[begin], scan.words[begin + 2])
        nothing_follows = not (scan.word(begin + 3) == "/" and scan.glued(begin + 3))
        return Amount(begin, begin + 3, ratio, "fraction") if ratio is not None and nothing_follows else None
    if scan.kind(begin + 1) == "number" and scan.word(begin + 2) == "/" and scan.kind(begin + 3) == "number" and not scan.breaks(begin + 1):
        ratio = _ratio(scan.words[begin + 1], scan.words[begin + 3])
        if ratio is not None and value.denominator == 1:
            return Amount(begin, begin + 4, value + ratio, "digits")
    return None


def _ratio(upper: str, lower: str) -> Fraction | None:
    """A proper fraction that people write with a slash; "24/7" and "16/9" are none."""
    if not (upper.isdecimal() and lower.isdecimal() and len(upper) <= 2 and len(lower) <= 3):
        return None
    over, under = int(upper), int(lower)
    usual = under in (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 64, 100)
    return Fraction(over, under) if usual and 0 < over < under else None


def _read_power(scan: Scan, begin: int, value: Fraction) -> tuple[Fraction, int] | None:
    """ "3 × 10^8" and "10^8"; (value, end token)."""
    at = begin + 1
    factor = value
    if scan.word(at) in ("×", "x", "*", "·", "⋅") and scan.word(at + 1) == "10" and scan.word(at + 2) == "^":
        at += 2
    elif scan.word(begin) == "10" and scan.word(at) == "^":
        factor = Fraction(1)
    else:
        return None
    sign = scan.word(at + 1)
    digits = at + 2 if sign in ("-", "+") else at + 1
    exponent = scan.word(digits)
    if not exponent.isdecimal() or len(exponent) > 2 or int(exponent) > MAX_EXPONENT:
        return None
    power = -int(exponent) if sign == "-" else int(exponent)
    return factor * Fraction(10) ** power, digits + 1
