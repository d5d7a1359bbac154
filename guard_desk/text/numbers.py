"""Numbers as people write them: digits in the formats of each language, number words, Chinese numerals, fractions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary, vocabulary

_MAX_DIGITS = 30
_MAX_EXPONENT = 40
_LONGEST_WORD = 60
_HALF = Fraction(1, 2)


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
    if len(body) > _MAX_DIGITS or (exponent and abs(int(exponent)) > _MAX_EXPONENT):
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


def read_amount(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """The number that starts at a token, with its multipliers; None when there is none."""
    kind = scan.kind(begin)
    if kind == "number":
        return _read_digits(scan, begin, words)
    if kind == "word":
        return _read_words(scan, begin, words)
    if kind == "cjk":
        return _read_cjk(scan, begin, words)
    return None


def _read_digits(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    value = literal(scan.words[begin], words.decimal)
    if value is None:
        return None
    end = begin + 1
    if scan.glued(end) and words.has("numbers.suffixes.ordinal", scan.word(end)) and value.denominator == 1 and not scan.glued(end + 1):
        return Amount(begin, end + 1, value, "ordinal")
    slash = _read_slash(scan, begin, value)
    if slash is not None:
        return slash
    powered = _read_power(scan, begin, value)
    if powered is not None:
        value, end = powered
    value, stop = _multiply(scan, end, value, words)
    value, stop = _mixed(scan, stop, value, words)
    fraction = _read_fraction(scan, stop, value, words) if stop == end else None
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
    if not exponent.isdecimal() or len(exponent) > 2 or int(exponent) > _MAX_EXPONENT:
        return None
    power = -int(exponent) if sign == "-" else int(exponent)
    return factor * Fraction(10) ** power, digits + 1


def _multiply(scan: Scan, at: int, value: Fraction, words: Vocabulary) -> tuple[Fraction, int]:
    """Apply "million", "Mrd.", "k", "万" behind a number."""
    token = scan.words[at] if at < len(scan) else ""
    if scan.glued(at) and token in words.magnitudes and not (scan.glued(at + 1) and scan.kind(at + 1) in ("word", "number")) and scan.word(at + 1) != "/":
        return value * words.magnitudes[token], at + 1
    for _ in range(3):
        token = scan.word(at)
        if scan.kind(at) == "cjk" and (token in words.cjk_myriads or token in words.cjk_places) and not _is_inside_word(scan, at, words):
            value *= words.cjk_myriads.get(token) or words.cjk_places[token]
            at += 1
        elif token in words.multipliers and not (scan.breaks(at) and len(token) < 4):
            value *= words.multipliers[token]
            at += 1
            if scan.word(at) == "." and scan.glued(at) and token in ("mio", "mrd", "tsd", "md", "mds") and scan.kind(at + 1) in ("word", "sign"):
                at += 1
        else:
            break
    return value, at


def _mixed(scan: Scan, at: int, value: Fraction, words: Vocabulary) -> tuple[Fraction, int]:
    """Apply "and a half" behind a number."""
    for length in (3, 2, 1):
        if at + length > len(scan) or (scan.kind(at) == "cjk" and length == 1):
            continue
        if scan.phrase(at, at + length) in words.group("numbers.and_half"):
            return value + _HALF, at + length
    return value, at


def _read_fraction(scan: Scan, at: int, value: Fraction, words: Vocabulary) -> tuple[Fraction, int] | None:
    """ "two thirds", "3 quarters of": (value, end) when a fraction word follows a small number."""
    hyphen = scan.word(at) == "-" and scan.glued(at) and scan.glued(at + 1)
    place = at + 1 if hyphen else at
    part = words.fractions.get(scan.word(place))
    if part is None or value.denominator != 1 or not 0 < value < part or part == 2 and value != 1:
        return None
    named_unit = scan.word(place) in words.unit_words and not hyphen and scan.word(place + 1) not in ("of", "de", "des", "der", "del")
    return None if named_unit else (value / part, place + 1)


# --- words -------------------------------------------------------------------------------------------------------------


def starts_number(word: str, words: Vocabulary) -> bool:
    """Whether a folded word can begin a number."""
    return word in words.small or word in words.ordinals or word in words.times_words or _compound(word, words) is not None


def _compound(word: str, words: Vocabulary) -> int | None:
    """A German number written as one word; None for other words and languages."""
    if not words.compound or not 7 <= len(word) <= _LONGEST_WORD:
        return None
    return _german(word)


@lru_cache(maxsize=32768)
def _german(word: str) -> int | None:
    """The value of "einundzwanzig", "zweihundertfünfzig", "dreitausend"; None for any other word."""
    small = vocabulary(("de",)).small
    if word in small:
        return small[word]
    for name, factor in (("tausend", 1000), ("hundert", 100)):
        left, found, right = word.partition(name)
        if found:
            upper = _german(left) if left else 1
            right = right.removeprefix("und")
            lower = _german(right) if right else 0
            return None if upper is None or lower is None or lower >= factor else upper * factor + lower
    left, found, right = word.partition("und")
    units, tens = small.get(left), small.get(right)
    if found and units is not None and tens is not None and 0 < units < 10 <= tens and tens % 10 == 0 and tens >= 20:
        return units + tens
    return None


def _read_share(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """ "half of the members", "a quarter of", "die Hälfte der": a fraction of something that is named next."""
    at = begin
    if words.has("numbers.articles", scan.word(at)) or words.small.get(scan.word(at)) == 1:
        at += 1
    part = words.fractions.get(scan.word(at))
    if part is None or (at == begin and part != 2) or not words.has("numbers.share_of", scan.word(at + 1)):
        return None
    if scan.word(begin - 1) in words.ordinals or scan.kind(at + 2) == "number":
        return None
    return Amount(begin, at + 1, Fraction(1, part), "fraction")


def _german_half(word: str, words: Vocabulary) -> Fraction | None:
    """ "anderthalb", "zweieinhalb"."""
    if not words.compound:
        return None
    if word in ("anderthalb", "eineinhalb"):
        return Fraction(3, 2)
    whole = _german(word.removesuffix("einhalb"))
    return None if whole is None else whole + _HALF


def _read_words(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    special = _read_share(scan, begin, words) or _read_half(scan, begin, words)
    if special is not None:
        return special
    first = scan.word(begin)
    if first.endswith("einhalb") or first == "anderthalb":
        halved = _german_half(first, words)
        if halved is not None:
            return Amount(begin, begin + 1, halved, "words")
    if first in words.times_words:
        return Amount(begin, begin + 1, Fraction(words.times_words[first]), "times")
    if first in words.ordinals and first not in words.small:
        return _ordinal_or_fraction(scan, begin, words)
    summed = _Sum(words)
    article = words.has("numbers.articles", first) and scan.word(begin + 1) in words.multipliers
    at = summed.read(scan, begin + 1, implied=1) if article else summed.read(scan, begin)
    if at == begin:
        is_article = words.has("numbers.articles", first)
        return Amount(begin, begin + 1, Fraction(1), "article") if is_article else None
    if summed.ordinal:
        return Amount(begin, at, Fraction(summed.total()), "ordinal")
    value, at = _mixed(scan, at, Fraction(summed.total()), words)
    fraction = _read_fraction(scan, at, value, words)
    if fraction is not None:
        return Amount(begin, fraction[1], fraction[0], "fraction")
    value, at = _multiply(scan, at, value, words)
    shape = "article" if at == begin + 1 and value == 1 else ("year" if summed.year else "words")
    return Amount(begin, at, value, shape, str(value) if summed.year else "")


def _ordinal_or_fraction(scan: Scan, begin: int, words: Vocabulary) -> Amount:
    return Amount(begin, begin + 1, Fraction(words.ordinals[scan.word(begin)]), "ordinal")


def _read_half(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """ "half an", "eine halbe", "une demi", "media"; the caller looks for what it halves."""
    for length in (2, 1):
        if begin + length <= len(scan) and scan.phrase(begin, begin + length) in words.group("numbers.half"):
            value, end = _multiply(scan, begin + length, _HALF, words)
            return Amount(begin, end, value, "half" if end == begin + length else "words")
    return None


class _Sum:
    """Adds up number words: "two hundred and five", "quatre-vingt-dix", "treinta y dos", "nineteen ninety-seven"."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._done = 0
        self._current = 0
        self._last = ""
        self.ordinal = False
        self.year = False

    def total(self) -> int:
        return self._done + self._current

    def read(self, scan: Scan, begin: int, *, implied: int = 0) -> int:
        """Take as many words as belong to one number; the token after them. `implied`: the "a" of "a dozen"."""
        at = begin
        if implied:
            self._current, self._last = implied, "small"
        between = self._words.has("numbers.ranges.between", scan.word(begin - 1))
        while at < len(scan) and at - begin < 14 and not self.ordinal and self._last != "pair":
            if scan.breaks(at) and at > begin and scan.kind(at) != "word":
                break
            if self._take(scan.word(at), scan, at):
                at += 1
                continue
            step = 0 if at == begin else self._joined(scan, at, between)
            if not step:
                break
            at += step
        return at

    def _joined(self, scan: Scan, at: int, between: bool) -> int:
        """Tokens taken by a hyphen or a joining word and the number word behind it; 0 when they do not join."""
        hyphen = scan.word(at) == "-" and scan.glued(at) and scan.glued(at + 1)
        joiner = self._words.has("numbers.joiners", scan.word(at)) and not between
        if hyphen and self._last in ("small", "multiplier"):
            steps = 2
            if self._words.has("numbers.joiners", scan.word(at + 1)) and scan.word(at + 2) == "-":  # "vingt-et-un"
                steps = 4
            return steps if self._take(scan.word(at + steps - 1), scan, at + steps - 1) else 0
        if joiner and self._may_join(scan.word(at + 1)):
            return 2 if self._take(scan.word(at + 1), scan, at + 1) else 0
        return 0

    def _may_join(self, following: str) -> bool:
        if self._last == "multiplier":
            return following in self._words.small
        other = self._words.languages[0] != "en" and 20 <= self._current % 100 <= 90 and self._current % 10 == 0
        return other and self._words.small.get(following, 99) <= 11

    def _take(self, word: str, scan: Scan, at: int) -> bool:
        small = self._words.small.get(word)
        if small is None:
            small = _compound(word, self._words)
        if small is not None:
            return self._add(small)
        multiplier = self._words.multipliers.get(word)
        if multiplier is not None and (self._last or (multiplier in (100, 1000) and self._words.languages[0] != "en")):
            return self._times(multiplier)
        ordinal = self._words.ordinals.get(word)
        if ordinal is not None and self._last == "small" and self._current % 10 == 0 and ordinal < 10 and self._current >= 20:
            self._current += ordinal
            self.ordinal = True
            return True
        return False

    def _add(self, small: int) -> bool:
        low = self._current % 100
        if not self._last:
            self._current = small
        elif self._last == "multiplier":
            if self._current and small >= 100:
                return False
            self._current += small
        elif small < 10 and low >= 20 and low % 10 == 0 and small:
            self._current += small
        elif self._current >= 100 and low == 0 and small < 100:
            self._current += small
        elif self._current == 4 and small == 20:
            self._current = 80
        elif low in (60, 80) and 10 <= small < 20:
            self._current += small
        elif self._current in (18, 19, 20) and small >= 10 and self._words.languages[0] == "en" and self._done == 0 and not self.year:
            self._current = self._current * 100 + small
            self.year = True
        else:
            return False
        self._last = "small"
        return True

    def _times(self, multiplier: int) -> bool:
        if self.year:
            return False
        if multiplier < 1000:
            if self._current >= 100:
                return False
            self._current = max(self._current, 1) * multiplier
        else:
            base = self._current if self._current else (1 if not self._done else 0)
            if not base:
                self._done *= multiplier
            else:
                self._done += base * multiplier
            self._current = 0
        self._last = "multiplier"
        return True


# --- Chinese -----------------------------------------------------------------------------------------------------------


@cache
def _traps(languages: tuple[str, ...]) -> dict[str, tuple[tuple[str, int], ...]]:
    """For each numeral character, the words that hold it without being numbers, and where in them it stands."""
    words = vocabulary(languages)
    numerals = {*words.cjk_digits, *words.cjk_places, *words.cjk_myriads}
    table: dict[str, list[tuple[str, int]]] = {}
    for trap in words.group("numbers.not_numbers"):
        for offset, character in enumerate(trap):
            if character in numerals:
                table.setdefault(character, []).append((trap, offset))
    return {character: tuple(places) for character, places in table.items()}


def _is_inside_word(scan: Scan, at: int, words: Vocabulary) -> bool:
    """Whether a numeral character is part of a word that is no number ("一般", "十分")."""
    position = scan.starts[at]
    for trap, offset in _traps(words.languages).get(scan.words[at], ()):
        if position >= offset and scan.text.startswith(trap, position - offset):
            return True
    return False


def _is_numeral(character: str, words: Vocabulary) -> bool:
    return character in words.cjk_digits or character in words.cjk_places or character in words.cjk_myriads


def _read_cjk(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    if scan.word(begin) == "半":
        return Amount(begin, begin + 1, _HALF, "half")
    if not _is_numeral(scan.word(begin), words) or _is_inside_word(scan, begin, words):
        return None
    end = begin
    while end < len(scan) and scan.kind(end) == "cjk" and _is_numeral(scan.word(end), words) and end - begin < 20:
        if end > begin and (not scan.glued(end) or _is_inside_word(scan, end, words)):
            break
        end += 1
    fraction = _read_parts(scan, begin, end, words)
    if fraction is not None:
        return fraction
    value = chinese(scan.phrase(begin, end), words)
    if value is None:
        return None
    more, stop = _mixed(scan, end, Fraction(value), words)
    return Amount(begin, stop, more, "cjk")


def _read_parts(scan: Scan, begin: int, end: int, words: Vocabulary) -> Amount | None:
    """ "三分之二": the part after, the whole before."""
    if end + 2 > len(scan) or scan.phrase(end, end + 2) != "分之":
        return None
    whole = chinese(scan.phrase(begin, end), words)
    if not whole:
        return None
    if scan.kind(end + 2) == "number":
        part = literal(scan.words[end + 2], words.decimal)
        stop = end + 3
    else:
        stop = end + 2
        while stop < len(scan) and _is_numeral(scan.word(stop), words) and stop - end < 14:
            stop += 1
        read = chinese(scan.phrase(end + 2, stop), words) if stop > end + 2 else None
        part = None if read is None else Fraction(read)
        if part is not None and scan.word(stop) == "点":
            part, stop = _decimals(scan, stop, part, words)
    return None if part is None else Amount(begin, stop, part / whole, "per" if whole in (100, 1000) else "fraction", str(whole))


def _decimals(scan: Scan, point: int, value: Fraction, words: Vocabulary) -> tuple[Fraction, int]:
    """ "三点五": the digits behind 点."""
    at = point + 1
    scale = Fraction(1, 10)
    while at < len(scan) and scan.word(at) in words.cjk_digits and at - point < 12:
        value += words.cjk_digits[scan.word(at)] * scale
        scale /= 10
        at += 1
    return (value, at) if at > point + 1 else (value, point)


def chinese(text: str, words: Vocabulary) -> int | None:
    """The value of Chinese numerals: "三十二", "一千五百", "二〇二七"; None where they make no number."""
    if len(text) > 1 and all(character in words.cjk_digits for character in text):
        return int("".join(str(words.cjk_digits[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in words.cjk_digits:
            digit = words.cjk_digits[character]
        elif character in words.cjk_places:
            section += (digit or 1) * words.cjk_places[character]
            digit = 0
        else:
            scale = words.cjk_myriads[character]
            if scale > 10000 and total:
                total = (total + section + digit) * scale
            else:
                total += (section + digit or 1) * scale
            section = digit = 0
    return total + section + digit


_YEAR = re.compile(r"[12]\d{3}")


def is_year_shape(written: str) -> bool:
    """Whether digits look like a year of 1000 to 2199."""
    return _YEAR.fullmatch(written) is not None and int(written) < 2200
