"""When four digits are a year: the words around them decide."""

from __future__ import annotations

from guard_desk.text import context
from guard_desk.text.amounts import is_year_shape
from guard_desk.text.date_values import date_value, year_value
from guard_desk.text.found import Found
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary


def plain_year(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """Four digits are a year when the words around them say so."""
    written = scan.words[at]
    if not is_year_shape(written) or (scan.glued(at + 1) and scan.word(at + 1) in ("/", "%", "°", "@", "_")):
        return None
    if scan.glued(at + 1) and scan.kind(at + 1) in ("word", "cjk"):
        return None
    if not _reads_as_year(scan, at, words):
        return None
    year = int(written)
    following = scan.phrase(at + 1, min(len(scan), at + 2)) if at + 1 < len(scan) else ""
    if following in words.group("dates.bc"):
        return [date_value(scan.starts[at], scan.ends[at + 1], f"-{year:04d}")]
    return [year_value(scan.starts[at], scan.ends[at], year)]


def _reads_as_year(scan: Scan, at: int, words: Vocabulary) -> bool:
    year, before = int(scan.words[at]), scan.word(at - 1)
    if before == "the" or (scan.word(at - 2) in ("in", "of", "im") and before in ("jahr", "jahre", "year")):
        return 1900 <= year <= 2099 and not _looks_plural(scan, at + 1, words)
    if words.has("dates.year_not_before", before) or before in ("=", "$", "€", "£", "#", "x", "×", "+", "<", ">"):
        return False
    counted = _looks_plural(scan, at + 1, words)
    if words.has("dates.year_before", before) or before in words.months or before in words.seasons:
        recent = 1900 <= year <= 2099
        return not counted and (
            recent or before in ("in", "since", "year", "dated", "en", "depuis", "desde", "año", "seit", "jahr", "circa")
        )
    if not 1900 <= year <= 2099 or counted:
        return False
    if before == "-" and scan.kind(at - 2) == "number" and is_year_shape(scan.words[at - 2]):
        return True
    if scan.word(at + 1) == "-" and scan.kind(at + 2) == "number" and is_year_shape(scan.words[at + 2]):
        return True
    if before in ("(", "[", ",") or scan.word(at + 1) in (")", "]"):
        return True
    named = scan.kind(at - 1) == "word" and scan.words[at - 1][:1].isupper() and not words.has("numbers.label_nouns", before)
    return named and not context.noun_after(scan, at + 1, words) and "titled" not in before


def _looks_plural(scan: Scan, at: int, words: Vocabulary) -> bool:
    """Whether a lower-case plural or a unit follows: "2000 people" counts, "2024 revenue" does not."""
    token = scan.words[at] if at < len(scan) else ""
    if scan.kind(at) == "cjk":
        return True
    if scan.kind(at) != "word" or token[:1].isupper():
        return token in ("%", "€", "$", "£", "°")
    folded = scan.word(at)
    if folded in words.unit_words or token in words.symbols or folded in words.currency_names or folded in words.multipliers:
        return True
    if words.has("numbers.not_nouns", folded) or len(folded) < 4:
        return False
    return (folded.endswith("s") and not folded.endswith(("ss", "us"))) or folded in (
        "people",
        "personen",
        "leute",
        "staff",
        "men",
        "women",
        "children",
        "mitarbeiter",
    )
