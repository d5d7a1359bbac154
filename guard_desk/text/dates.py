"""Dates in all usual forms and orders, quarters, years, months, weekdays; canonical as ISO 8601 / EDTF.

Canonical forms: "2027-03-04", "2027-03", "2027", "--03-04" (no year), "--03" (a month), "2027-Q3", "--Q3", "2027-H1",
"FY2027", "199X" (decade), "18XX" (19th century), "2027-21" (spring), "2026/2027", "-W-5" (Friday), "---20" (the 20th), "-0044" (BC).
A numeric date whose day and month could change places carries the label "ambiguous".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache

from guard_desk.records.evidence import Bound
from guard_desk.text import context
from guard_desk.text.amounts import is_year_shape
from guard_desk.text.chinese_dates import chinese_date, from_cjk
from guard_desk.text.date_values import date_value, day_name, named_day
from guard_desk.text.found import Found
from guard_desk.text.normalize import fold_text
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary, vocabulary
from guard_desk.text.years import plain_year

_ISO = re.compile(r"([12]\d{3})([-/.])(\d{1,2})\2(\d{1,2})(?![\d])")
_ISO_MONTH = re.compile(r"([12]\d{3})-(0[1-9]|1[0-2])(?![\d-])")
_NUMERIC = re.compile(r"(\d{1,2})(?:([./-])(\d{1,2})\2|\. (\d{1,2})\. ?)([12]\d{3}|\d{2})(?![\d])")
_SHORT = re.compile(r"(\d{1,2})\.(\d{1,2})\.(?!\d)")
_SPAN_YEARS = re.compile(r"([12]\d{3})(?:/(\d{2}|[12]\d{3})|-(\d{2}))(?![\d/-])")
_DECADE = re.compile(r"([12]\d{2})0'?s\b|([12]\d{2})0er\b|'(\d)0s\b")
_YEAR_TAIL = r"(?P<year>[12]\d{3})(?![\d.,/]?\d)(?! ?%)"


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Regular expressions of one set of languages, matched at a token only."""

    day_first: re.Pattern[str]
    month_first: re.Pattern[str]
    month_year: re.Pattern[str]
    quarter: re.Pattern[str]
    year_quarter: re.Pattern[str]
    quarter_words: re.Pattern[str] | None
    century: re.Pattern[str] | None
    fiscal: re.Pattern[str] | None


def _alternatives(words: frozenset[str] | set[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))) or r"(?!)"


@cache
def _patterns(languages: tuple[str, ...]) -> _Patterns:
    words = vocabulary(languages)
    ordinals = frozenset(words.ordinals)
    of, quarters, letters, half_letters, centuries, fiscal = (words.group(name) for name in _GROUPS)
    month = rf"(?P<month>{_alternatives(frozenset(words.months))})(?!\w)"
    joined = rf"(?: (?:{_alternatives(of)}|de|del) ?| |d')"
    suffix = r"(?:st|nd|rd|th|er|ère|\.|º|ª|°)?"
    day = rf"(?P<day>\d{{1,2}}){suffix}"
    year = rf"(?:,? ?(?:(?:{_alternatives(of)}) )?{_YEAR_TAIL})?"
    second = rf"(?:(?P<dash> ?- ?| (?:to|and|bis|und|au|et|al|y|à|a) (?:the |zum |el )?)(?P<day2>\d{{1,2}}){suffix})?"
    named = rf"(?P<named>{_alternatives(ordinals)}|[1-4](?:st|nd|rd|th|\.|er|e|ème|º)?)"
    flags = re.IGNORECASE
    return _Patterns(
        day_first=re.compile(rf"{day}{second}{joined}{month}\.?{year}", flags),
        month_first=re.compile(
            rf"{month}\.? {day}(?![\d:]|[.,]\d)(?:(?P<dash> ?- ?| (?:to|and) )(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))?{year}", flags
        ),
        month_year=re.compile(rf"{month}\.?,?{joined}{_YEAR_TAIL}", flags),
        quarter=re.compile(
            rf"(?P<letter>{_alternatives(letters | half_letters)})(?P<number>[1-4])(?!\w)"
            r"(?:(?:[ /-]|,? (?:of |de |des ))?'?(?P<year>[12]\d{3}|(?<=')\d{2})(?!\d))?",
            flags,
        ),
        year_quarter=re.compile(
            rf"(?P<year>[12]\d{{3}})[ -]?(?P<letter>{_alternatives(letters | half_letters)})(?P<number>[1-4])(?!\w)", flags
        ),
        quarter_words=re.compile(
            rf"{named} (?P<kind>{_alternatives(quarters)}|half|halbjahr|semestre)(?!\w)"
            rf"(?: (?:of|de|del|des)(?: the)?(?: year| jahres)?| fiscal)?(?: {_YEAR_TAIL})?",
            flags,
        )
        if quarters
        else None,
        century=re.compile(
            rf"(?:(?P<named>{_alternatives(ordinals)}|\d{{1,2}}(?:st|nd|rd|th|\.|e|ème)?)[ -](?:{_alternatives(centuries)})(?!\w))", flags
        )
        if centuries
        else None,
        fiscal=re.compile(rf"(?:{_alternatives(fiscal)}) ?(?P<year>[12]\d{{3}}|\d{{2}}(?!\d))(?:/(?P<to>\d{{2}}))?(?!\w)", flags)
        if fiscal
        else None,
    )


_GROUPS = ("dates.of", "dates.quarter_words", "dates.quarter_letters", "dates.half_letters", "dates.century", "dates.fiscal")


def _of(words: Vocabulary) -> _Patterns:
    return _patterns(words.languages)


def find_date(scan: Scan, at: int, words: Vocabulary) -> tuple[list[Found], int] | None:
    """The date, or the two ends of a range of days, that starts at a token; and the token after it."""
    kind = scan.kind(at)
    if kind == "number":
        found = _from_digits(scan, at, words)
    elif kind == "word":
        found = _from_word(scan, at, words)
    elif kind == "cjk":
        found = from_cjk(scan, at, words)
    else:
        found = None
    if not found:
        return None
    end = bisect_left(scan.starts, found[-1].end)
    bound = context.bound_before(scan, at, words, date=True)
    after, _ = context.bound_after(scan, end, words, date=True)
    chosen = after if bound is Bound.EXACT else bound
    return [_bounded(value, chosen) for value in found], end


def _bounded(value: Found, bound: Bound) -> Found:
    return value if bound is Bound.EXACT else replace(value, bound=bound)


# --- digits first ------------------------------------------------------------------------------------------------------


def _from_digits(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    text, start = scan.text, scan.starts[at]
    if start and (text[start - 1].isdigit() or (text[start - 1] in "_#$€£" and scan.glued(at))):
        return None
    iso = _ISO.match(text, start)
    if iso:
        canonical = day_name(int(iso[1]), int(iso[3]), int(iso[4]))
        return [date_value(start, iso.end(), canonical)] if canonical else None
    for finder in (_numeric, _digits_quarter, _digits_worded, _span_years, chinese_date, plain_year):
        found = finder(scan, at, words)
        if found is not None:
            return found
    return None


def _numeric(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """ "04.03.2027", "04/03/2027", "4. 3. 2027", and "15.05." in German."""
    text, start = scan.text, scan.starts[at]
    match = _NUMERIC.match(text, start)
    if match is None:
        return _short(scan, at, words)
    first, sign, second, spaced, year = match.groups()
    sign = sign or "."
    if len(year) == 2 and (sign == "-" or ("de" not in words.languages and sign == ".") or len(first) + len(second or spaced) < 4):
        return None
    number = int(year) + (2000 if len(year) == 2 and int(year) < 70 else 1900 if len(year) == 2 else 0)
    one, two = int(first), int(second or spaced)
    month_first = sign == "/" and words.order == "mdy"
    day, month = (two, one) if month_first else (one, two)
    canonical, other = day_name(number, month, day), day_name(number, day, month)
    if canonical is None:
        return [date_value(start, match.end(), other)] if other else None
    unclear = other is not None and canonical != other and sign in "/-"
    return [date_value(start, match.end(), canonical, label="ambiguous" if unclear else "")]


def _short(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    match = _SHORT.match(scan.text, scan.starts[at])
    if (
        match is None
        or "de" not in words.languages
        or scan.word(at - 1) not in ("am", "vom", "zum", "bis", "ab", "seit", "der", "den", "dem")
    ):
        return None
    canonical = day_name(None, int(match[2]), int(match[1]))
    return [date_value(match.start(), match.end(), canonical)] if canonical else None


def _digits_worded(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """ "4 March 2027", "le 4 mars 2027", "4 de marzo de 2027", "3-5 March"."""
    if is_year_shape(scan.words[at]) and scan.word(at + 1) in words.months and scan.word(at + 2).isdecimal() and len(scan.word(at + 2)) < 3:
        canonical = day_name(int(scan.words[at]), words.months[scan.word(at + 1)], int(scan.word(at + 2)))
        return [date_value(scan.starts[at], scan.ends[at + 2], canonical)] if canonical else None
    match = _of(words).day_first.match(scan.text, scan.starts[at])
    if match is None:
        return _digits_century(scan, at, words)
    return _days(match, words)


def _days(match: re.Match[str], words: Vocabulary) -> list[Found] | None:
    """The date of a match with day, month and maybe year, or both ends of a range of days."""
    month = words.months.get(fold_text(match["month"]), 0)
    year = int(match["year"]) if match["year"] else None
    first = day_name(year, month, int(match["day"]))
    if first is None:
        return None
    if match["day2"] is None:
        return [date_value(match.start(), _trim(match), first)]
    last = day_name(year, month, int(match["day2"]))
    if last is None:
        return None
    return [date_value(match.start(), match.end("day"), first), date_value(match.start("day2"), _trim(match), last)]


def _trim(match: re.Match[str]) -> int:
    """End of a match without a trailing full stop of the sentence."""
    return match.end() if match["year"] or not match.group().endswith(".") or len(match["month"]) <= 4 else match.end() - 1


def _digits_century(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    text, start = scan.text, scan.starts[at]
    patterns = _of(words)
    for pattern in (patterns.century, patterns.quarter_words):
        match = pattern.match(text, start) if pattern else None
        if match:
            return _quarter_or_century(match, words, century=pattern is patterns.century)
    return None


def _quarter_or_century(match: re.Match[str], words: Vocabulary, *, century: bool) -> list[Found] | None:
    name = match["named"].casefold()
    digits = re.match(r"\d+", name)
    number = int(digits[0]) if digits else words.ordinals.get(name, 0)
    if century:
        return [date_value(match.start(), match.end(), f"{number - 1:02d}XX")] if 1 <= number <= 30 else None
    half = match["kind"].casefold() in ("half", "halbjahr", "semestre")
    if not 1 <= number <= (2 if half else 4) or (half and not match["year"]):
        return None
    end = match.end("year") if match["year"] else match.end("kind")
    return [date_value(match.start(), end, f"{match['year'] or '-'}-{'H' if half else 'Q'}{number}")]


def _digits_quarter(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    text, start = scan.text, scan.starts[at]
    match = _of(words).year_quarter.match(text, start)
    if match:
        return [date_value(start, match.end(), _quarter_name(match, words))]
    decade = _DECADE.match(text, start)
    if decade:
        return [date_value(start, decade.end(), f"{decade[1] or decade[2] or '19' + (decade[3] or '')}X")]
    return None


def _quarter_name(match: re.Match[str], words: Vocabulary) -> str:
    letter = match["letter"].casefold()
    kind = "Q" if words.has("dates.quarter_letters", letter) else "H"
    year = match["year"] or "-"
    return f"{'20' + year if len(year) == 2 else year}-{kind}{match['number']}"


def _span_years(scan: Scan, at: int, _words: Vocabulary) -> list[Found] | None:
    """ "2026/27" is one season; "2026-09" a month; "1990-1995" is left to the two years."""
    text, start = scan.text, scan.starts[at]
    month = _ISO_MONTH.match(text, start)
    if month:
        return [date_value(start, month.end(), f"{month[1]}-{month[2]}")]
    match = _SPAN_YEARS.match(text, start)
    if match is None:
        return None
    year = int(match[1])
    tail = match[2] or match[3]
    to = int(tail) if len(tail) == 4 else year // 100 * 100 + int(tail)
    if to != year + 1:
        return None
    return [date_value(start, match.end(), f"{year}/{to}")]


# --- words first -------------------------------------------------------------------------------------------------------


def _from_word(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    token = scan.word(at)
    if token in words.months:
        return _from_month(scan, at, words)
    if token in words.weekdays:
        return _weekday(scan, at, words)
    text, start = scan.text, scan.starts[at]
    patterns = _of(words)
    if (
        len(token) == 1
        and (words.has("dates.quarter_letters", token) or words.has("dates.half_letters", token))
        and scan.words[at].isupper()
    ):
        match = patterns.quarter.match(text, start)
        if match and (match["year"] or words.has("dates.quarter_letters", token)):
            return [date_value(start, match.end(), _quarter_name(match, words))]
    if token in words.ordinals:
        spelled = _spelled_day(scan, at, words)
        if spelled:
            return spelled
        for pattern in (patterns.quarter_words, patterns.century):
            match = pattern.match(text, start) if pattern else None
            if match:
                return _quarter_or_century(match, words, century=pattern is patterns.century)
    if token in words.seasons:
        return _season(scan, at, words)
    return named_day(scan, at, words) or _fiscal(scan, at, words)


def _spelled_day(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """ "the fourth of July", "le premier mars 2027"."""
    month = at + 2 if scan.word(at + 1) in ("of", "de") else at + 1
    if scan.word(month) not in words.months:
        return None
    end = month + 2 if scan.word(month + 1) in ("de", ",", "del") else month + 1
    year = int(scan.words[end]) if scan.kind(end) == "number" and is_year_shape(scan.words[end]) else None
    canonical = day_name(year, words.months[scan.word(month)], words.ordinals[scan.word(at)])
    return [date_value(scan.starts[at], scan.ends[end if year else month], canonical)] if canonical else None


def _from_month(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    text, start = scan.text, scan.starts[at]
    patterns = _of(words)
    match = patterns.month_first.match(text, start)
    if match:
        found = _days(match, words)
        if found:
            return found
    match = patterns.month_year.match(text, start)
    if match:
        return [date_value(start, match.end(), f"{int(match['year']):04d}-{words.months[scan.word(at)]:02d}")]
    return _month_alone(scan, at, words)


def _month_alone(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """A month without day and year; in languages that write months with a capital only with one."""
    token, written = scan.word(at), scan.words[at]
    titled = bool(words.group("dates.titled")) and not ({"fr", "es"} & set(words.languages[:1]))
    before = words.has("dates.month_before", scan.word(at - 1))
    if (titled and not written[:1].isupper()) or (len(token) < 4 and token not in ("may", "mai", "juni", "juli", "mayo", "juin", "மே")):
        return None
    if not before and (not titled or words.has("dates.month_words_ambiguous", token)):
        return None
    return [date_value(scan.starts[at], scan.ends[at], f"--{words.months[token]:02d}")]


def _weekday(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    titled = bool(words.group("dates.titled")) and not ({"fr", "es"} & set(words.languages[:1]))
    if titled and not scan.words[at][:1].isupper() and not scan.word(at).endswith("s"):
        return None
    return [date_value(scan.starts[at], scan.ends[at], f"-W-{words.weekdays[scan.word(at)]}")]


def _season(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    end = at + 1
    if scan.word(end) in ("of", "de", "del"):
        end += 1
    if scan.kind(end) != "number" or not is_year_shape(scan.words[end]):
        return None
    return [date_value(scan.starts[at], scan.ends[end], f"{scan.words[end]}-{words.seasons[scan.word(at)]}")]


def _fiscal(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    if scan.word(at) not in words.first.get("dates.fiscal", ()):
        return None
    pattern = _of(words).fiscal
    match = pattern.match(scan.text, scan.starts[at]) if pattern else None
    if match is None:
        return None
    year = match["year"] if len(match["year"]) == 4 else "20" + match["year"]
    return [date_value(match.start(), match.end(), f"FY{year}" + (f"/{match['to']}" if match["to"] else ""))]
