"""What stands behind a number and changes it: "million", "Mrd.", "k", "万", "thirds"."""

from __future__ import annotations

from fractions import Fraction

from guard_desk.text.chinese import is_inside_word
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary


def multiply(scan: Scan, at: int, value: Fraction, words: Vocabulary) -> tuple[Fraction, int]:
    """Apply "million", "Mrd.", "k", "万" behind a number."""
    token = scan.words[at] if at < len(scan) else ""
    if (
        scan.glued(at)
        and token in words.magnitudes
        and not (scan.glued(at + 1) and scan.kind(at + 1) in ("word", "number"))
        and scan.word(at + 1) != "/"
    ):
        return value * words.magnitudes[token], at + 1
    for _ in range(3):
        token = scan.word(at)
        if scan.kind(at) == "cjk" and (token in words.cjk_myriads or token in words.cjk_places) and not is_inside_word(scan, at, words):
            value *= words.cjk_myriads.get(token) or words.cjk_places[token]
            at += 1
        elif token in words.multipliers and not (scan.breaks(at) and len(token) < 4):
            value *= words.multipliers[token]
            at += 1
            if (
                scan.word(at) == "."
                and scan.glued(at)
                and token in ("mio", "mrd", "tsd", "md", "mds")
                and scan.kind(at + 1) in ("word", "sign")
            ):
                at += 1
        else:
            break
    return value, at


def read_fraction(scan: Scan, at: int, value: Fraction, words: Vocabulary) -> tuple[Fraction, int] | None:
    """ "two thirds", "3 quarters of": (value, end) when a fraction word follows a small number."""
    hyphen = scan.word(at) == "-" and scan.glued(at) and scan.glued(at + 1)
    place = at + 1 if hyphen else at
    part = words.fractions.get(scan.word(place))
    if part is None or value.denominator != 1 or not 0 < value < part or (part == 2 and value != 1):
        return None
    named_unit = scan.word(place) in words.unit_words and not hyphen and scan.word(place + 1) not in ("of", "de", "des", "der", "del")
    return None if named_unit else (value / part, place + 1)
