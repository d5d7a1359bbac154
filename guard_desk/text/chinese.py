"""Chinese numerals: 三十二, 一千五百, 百分之九, 三分之二, 半."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from guard_desk.text.amounts import HALF, Amount, literal, mixed
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary, vocabulary


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


@cache
def _units(languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(vocabulary(languages).unit_cjk)


def is_inside_word(scan: Scan, at: int, words: Vocabulary) -> bool:
    """Whether a numeral character is part of a word that is no number ("一般", "十分")."""
    position = scan.starts[at]
    for trap, offset in _traps(words.languages).get(scan.words[at], ()):
        start = position - offset
        if start < 0 or not scan.text.startswith(trap, start):
            continue
        if start and is_numeral(scan.text[start - 1], words):
            continue  # the 十分 of "三十分钟"
        if any(scan.text.startswith(unit, position + 1) and len(unit) > len(trap) - offset - 1 for unit in _units(words.languages)):
            continue  # "十分钟"
        return True
    return False


def is_numeral(character: str, words: Vocabulary) -> bool:
    """Whether a character is a Chinese numeral."""
    return character in words.cjk_digits or character in words.cjk_places or character in words.cjk_myriads


def read_chinese(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """The Chinese number that starts at a token; None inside words that are no numbers."""
    if scan.word(begin) == "半":
        return Amount(begin, begin + 1, HALF, "half")
    if not is_numeral(scan.word(begin), words) or is_inside_word(scan, begin, words):
        return None
    end = begin
    while end < len(scan) and scan.kind(end) == "cjk" and is_numeral(scan.word(end), words) and end - begin < 20:
        if end > begin and (not scan.glued(end) or is_inside_word(scan, end, words)):
            break
        end += 1
    fraction = _read_parts(scan, begin, end, words)
    if fraction is not None:
        return fraction
    value = chinese(scan.phrase(begin, end), words)
    if value is None:
        return None
    more, stop = mixed(scan, end, Fraction(value), words)
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
        while stop < len(scan) and is_numeral(scan.word(stop), words) and stop - end < 14:
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
            scale = words.cjk_myriads.get(character, 0)
            if not scale:
                return None  # "八2": no numeral of one script
            if scale > 10000 and total:
                total = (total + section + digit) * scale
            else:
                total += (section + digit or 1) * scale
            section = digit = 0
    return total + section + digit
