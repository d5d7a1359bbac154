"""Dates in all usual forms and orders, quarters, years, months, weekdays; canonical as ISO 8601 / EDTF.

Canonical forms: "2027-03-04", "2027-03", "2027", "--03-04" (no year), "--03" (a month), "2027-Q3", "--Q3", "2027-H1",
"FY2027", "199X" (decade), "18XX" (19th century), "2027-21" (spring), "2026/2027", "-W-5" (Friday), "---20" (the 20th), "-0044" (BC).
A numeric date whose day and month could change places carries the label "ambiguous".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from guard_desk.records.evidence import Bound, ValueKind
from guard_desk.text import context
from guard_desk.text.found import Found
from guard_desk.text.numbers import chinese, is_year_shape
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary, vocabulary

_ISO = re.compile(r"([12]\d{3})([-/.])(\d{1,2})\2(\d{1,2})(?![\d])")
_ISO_MONTH = re.compile(r"([12]\d{3})-(0[1-9]|1[0-2])(?![\d-])")
_NUMERIC = re.compile(r"(\d{1,2})(?:([./-])(\d{1,2})\2|\. (\d{1,2})\. ?)([12]\d{3}|\d{2})(?![\d])")
_SHORT = re.compile(r"(\d{1,2})\.(\d{1,2})\.(?!\d)")
_SPAN_YEARS = re.compile(r"([12]\d{3})(?:/(\d{2}|[12]\d{3})|-(\d{2}))(?![\d/-])")
_DECADE = re.compile(r"([12]\d{2})0'?s\b|([12]\d{2})0er\b|'(\d)0s\b")
_CN = "[0-9〇零一二两三四五六七八九十]"
_CHINESE = re.compile(
    rf"(?:(?P<year>[12]\d{{3}}|[一二][〇零一二三四五六七八九]{{3}}) ?年度? ?)?(?P<month>{_CN}{{1,3}}) ?月(?:份)?(?: ?(?P<day>{_CN}{{1,3}}) ?[日号])?"
)
_CHINESE_YEAR = re.compile(r"([12]\d{3}|[一二][〇零一二三四五六七八九]{3}) ?年(?! ?(?:前|内|后|间|以))")
_CHINESE_DAY = re.compile(rf"({_CN}{{1,3}}) ?日(?![内后元圆]|之[内后]|以[内上]|元|无)")
_CHINESE_QUARTER = re.compile(r"(?:([12]\d{3}) ?年 ?(?:的)?)?第? ?([1-4一二三四]) ?季度")
_CHINESE_HALF = re.compile(r"([12]\d{3}) ?年 ?(上|下)半年")
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
        month_first=re.compile(rf"{month}\.? {day}(?![\d:]|[.,]\d)(?:(?P<dash> ?- ?| (?:to|and) )(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))?{year}", flags),
        month_year=re.compile(rf"{month}\.?,?{joined}{_YEAR_TAIL}", flags),
        quarter=re.compile(rf"(?P<letter>{_alternatives(letters | half_letters)})(?P<number>[1-4])(?!\w)(?:(?:[ /-]|,? (?:of |de |des ))?'?(?P<year>[12]\d{{3}}|(?<=')\d{{2}})(?!\d))?", flags),
        year_quarter=re.compile(rf"(?P<year>[12]\d{{3}})[ -]?(?P<letter>{_alternatives(letters | half_letters)})(?P<number>[1-4])(?!\w)", flags),
        quarter_words=re.compile(
            rf"{named} (?P<kind>{_alternatives(quarters)}|half|halbjahr|semestre)(?!\w)(?: (?:of|de|del|des)(?: the)?(?: year| jahres)?| fiscal)?(?: {_YEAR_TAIL})?", flags
        )
        if quarters
        else None,
        century=re.compile(rf"(?:(?P<named>{_alternatives(ordinals)}|\d{{1,2}}(?:st|nd|rd|th|\.|e|ème)?)[ -](?:{_alternatives(centuries)})(?!\w))", flags) if centuries else None,
        fiscal=re.compile(rf"(?:{_alternatives(fiscal)}) ?(?P<year>[12]\d{{3}}|\d{{2}}(?!\d))(?:/(?P<to>\d{{2}}))?(?!\w)", flags) if fiscal else None,
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
        found = _from_cjk(scan, at, words)
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


def _date(start: int, end: int, canonical: str, *, label: str = "", number: Fraction | None = None) -> Found:
    return Found(kind=ValueKind.DATE, start=start, end=end, canonical=canonical, label=label, number=number)


def _year(start: int, end: int, year: int) -> Found:
    return _date(start, end, str(year), number=Fraction(year))


def _day(year: int | None, month: int, day: int | None) -> str | None:
    """Canonical date; None when there is no such day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= monthrange(year if year else 2024, month)[1]):
        return None
    head = "-" if year is None else f"{year:04d}"
    return f"{head}-{month:02d}" + ("" if day is None else f"-{day:02d}")


# --- digits first ------------------------------------------------------------------------------------------------------


def _from_digits(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    text, start = scan.text, scan.starts[at]
    if start and (text[start - 1].isdigit() or (text[start - 1] in "_#$€£" and scan.glued(at))):
        return None
    iso = _ISO.match(text, start)
    if iso:
        canonical = _day(int(iso[1]), int(iso[3]), int(iso[4]))
        return [_date(start, iso.end(), canonical)] if canonical else None
    for finder in (_numeric, _digits_quarter, _digits_worded, _span_years, _chinese_digits, _plain_year):
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
    if len(year) == 2 and (sign == "-" or "de" not in words.languages and sign == "." or len(first) + len(second or spaced) < 4):
        return None
    number = int(year) + (2000 if len(year) == 2 and int(year) < 70 else 1900 if len(year) == 2 else 0)
    one, two = int(first), int(second or spaced)
    month_first = sign == "/" and words.order == "mdy"
    day, month = (two, one) if month_first else (one, two)
    canonical, other = _day(number, month, day), _day(number, day, month)
    if canonical is None:
        return [_date(start, match.end(), other)] if other else None
    unclear = other is not None and canonical != other and sign in "/-"
    return [_date(start, match.end(), canonical, label="ambiguous" if unclear else "")]


def _short(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    match = _SHORT.match(scan.text, scan.starts[at])
    if match is None or "de" not in words.languages or scan.word(at - 1) not in ("am", "vom", "zum", "bis", "ab", "seit", "der", "den", "dem"):
        return None
    canonical = _day(None, int(match[2]), int(match[1]))
    return [_date(match.start(), match.end(), canonical)] if canonical else None


def _digits_worded(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """ "4 March 2027", "le 4 mars 2027", "4 de marzo de 2027", "3-5 March"."""
    match = _of(words).day_first.match(scan.text, scan.starts[at])
    if match is None:
        return _digits_century(scan, at, words)
    return _days(match, words)


def _days(match: re.Match[str], words: Vocabulary) -> list[Found] | None:
    """The date of a match with day, month and maybe year, or both ends of a range of days."""
    month = words.months[match["month"].casefold()] if match["month"].casefold() in words.months else 0
    year = int(match["year"]) if match["year"] else None
    first = _day(year, month, int(match["day"]))
    if first is None:
        return None
    if match["day2"] is None:
        return [_date(match.start(), _trim(match), first)]
    last = _day(year, month, int(match["day2"]))
    if last is None:
        return None
    if match.re.pattern.startswith("(?P<day>"):
        return [_date(match.start(), match.end("day"), first), _date(match.start("day2"), _trim(match), last)]
    return [_date(match.start(), match.end("day"), first), _date(match.start("day2"), _trim(match), last)]


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
        return [_date(match.start(), match.end(), f"{number - 1:02d}XX")] if 1 <= number <= 30 else None
    half = match["kind"].casefold() in ("half", "halbjahr", "semestre")
    if not 1 <= number <= (2 if half else 4) or (half and not match["year"]):
        return None
    end = match.end("year") if match["year"] else match.end("kind")
    return [_date(match.start(), end, f"{match['year'] or '-'}-{'H' if half else 'Q'}{number}")]


def _digits_quarter(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    text, start = scan.text, scan.starts[at]
    match = _of(words).year_quarter.match(text, start)
    if match:
        return [_date(start, match.end(), _quarter_name(match, words))]
    decade = _DECADE.match(text, start)
    if decade:
        return [_date(start, decade.end(), f"{decade[1] or decade[2] or '19' + (decade[3] or '')}X")]
    return None


def _quarter_name(match: re.Match[str], words: Vocabulary) -> str:
    letter = match["letter"].casefold()
    kind = "Q" if words.has("dates.quarter_letters", letter) else "H"
    year = match["year"] or "-"
    return f"{'20' + year if len(year) == 2 else year}-{kind}{match['number']}"


def _span_years(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """ "2026/27" is one season; "2026-09" a month; "1990-1995" is left to the two years."""
    text, start = scan.text, scan.starts[at]
    month = _ISO_MONTH.match(text, start)
    if month:
        return [_date(start, month.end(), f"{month[1]}-{month[2]}")]
    match = _SPAN_YEARS.match(text, start)
    if match is None:
        return None
    year = int(match[1])
    tail = match[2] or match[3]
    to = int(tail) if len(tail) == 4 else year // 100 * 100 + int(tail)
    if to != year + 1:
        return None
    return [_date(start, match.end(), f"{year}/{to}")]


# --- years -------------------------------------------------------------------------------------------------------------


def _plain_year(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """Four digits are a year when the words around them say so."""
    written = scan.words[at]
    if not is_year_shape(written) or scan.glued(at + 1) and scan.word(at + 1) in ("/", "%", "°", "@", "_"):
        return None
    if scan.glued(at + 1) and scan.kind(at + 1) in ("word", "cjk"):
        return None
    if not _reads_as_year(scan, at, words):
        return None
    year = int(written)
    following = scan.phrase(at + 1, min(len(scan), at + 2)) if at + 1 < len(scan) else ""
    if following in words.group("dates.bc"):
        return [_date(scan.starts[at], scan.ends[at + 1], f"-{year:04d}")]
    return [_year(scan.starts[at], scan.ends[at], year)]


def _reads_as_year(scan: Scan, at: int, words: Vocabulary) -> bool:
    year, before = int(scan.words[at]), scan.word(at - 1)
    if before == "the" or scan.word(at - 2) in ("in", "of", "im") and before in ("jahr", "jahre", "year"):
        return 1900 <= year <= 2099 and not _looks_plural(scan, at + 1, words)
    if words.has("dates.year_not_before", before) or before in ("=", "$", "€", "£", "#", "x", "×", "+", "<", ">"):
        return False
    counted = _looks_plural(scan, at + 1, words)
    if words.has("dates.year_before", before) or before in words.months or before in words.seasons:
        recent = 1900 <= year <= 2099
        return not counted and (recent or before in ("in", "since", "year", "dated", "en", "depuis", "desde", "año", "seit", "jahr", "circa"))
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
    return folded.endswith("s") and not folded.endswith(("ss", "us")) or folded in ("people", "personen", "leute", "staff", "men", "women", "children", "mitarbeiter")


# --- words first -------------------------------------------------------------------------------------------------------


def _from_word(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    token = scan.word(at)
    if token in words.months:
        return _from_month(scan, at, words)
    if token in words.weekdays:
        return _weekday(scan, at, words)
    text, start = scan.text, scan.starts[at]
    patterns = _of(words)
    if len(token) == 1 and (words.has("dates.quarter_letters", token) or words.has("dates.half_letters", token)) and scan.words[at].isupper():
        match = patterns.quarter.match(text, start)
        if match and (match["year"] or words.has("dates.quarter_letters", token)):
            return [_date(start, match.end(), _quarter_name(match, words))]
    if token in words.ordinals:
        for pattern in (patterns.quarter_words, patterns.century):
            match = pattern.match(text, start) if pattern else None
            if match:
                return _quarter_or_century(match, words, century=pattern is patterns.century)
    if token in words.seasons:
        return _season(scan, at, words)
    return _named_day(scan, at, words) or _fiscal(scan, at, words)


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
        return [_date(start, match.end(), f"{int(match['year']):04d}-{words.months[scan.word(at)]:02d}")]
    return _month_alone(scan, at, words)


def _month_alone(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """A month without day and year; in languages that write months with a capital only with one."""
    token, written = scan.word(at), scan.words[at]
    titled = bool(words.group("dates.titled")) and not ({"fr", "es"} & set(words.languages[:1]))
    before = words.has("dates.month_before", scan.word(at - 1))
    if titled and not written[:1].isupper() or (len(token) < 4 and token not in ("may", "mai", "juni", "juli", "mayo", "juin", "மே")):
        return None
    if not before and (not titled or words.has("dates.month_words_ambiguous", token)):
        return None
    return [_date(scan.starts[at], scan.ends[at], f"--{words.months[token]:02d}")]


def _weekday(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    titled = bool(words.group("dates.titled")) and not ({"fr", "es"} & set(words.languages[:1]))
    if titled and not scan.words[at][:1].isupper() and not scan.word(at).endswith("s"):
        return None
    return [_date(scan.starts[at], scan.ends[at], f"-W-{words.weekdays[scan.word(at)]}")]


def _season(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    end = at + 1
    if scan.word(end) in ("of", "de", "del"):
        end += 1
    if scan.kind(end) != "number" or not is_year_shape(scan.words[end]):
        return None
    return [_date(scan.starts[at], scan.ends[end], f"{scan.words[end]}-{words.seasons[scan.word(at)]}")]


def _named_day(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    if scan.word(at) not in words.first["dates.named"]:
        return None
    for length in (4, 3, 2, 1):
        if at + length <= len(scan):
            canonical = words.named_days.get(scan.phrase(at, at + length))
            if canonical:
                return [_date(scan.starts[at], scan.ends[at + length - 1], canonical)]
    return None


def _fiscal(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    if scan.word(at) not in words.first["dates.fiscal"]:
        return None
    pattern = _of(words).fiscal
    match = pattern.match(scan.text, scan.starts[at]) if pattern else None
    if match is None:
        return None
    year = match["year"] if len(match["year"]) == 4 else "20" + match["year"]
    return [_date(match.start(), match.end(), f"FY{year}" + (f"/{match['to']}" if match["to"] else ""))]


# --- Chinese -----------------------------------------------------------------------------------------------------------


def _chinese_number(text: str, words: Vocabulary) -> int:
    return int(text) if text.isdecimal() else chinese(text, words) or 0


def _chinese_digits(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    return _chinese_at(scan, at, words)


def _from_cjk(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    named = _named_day(scan, at, words)
    if named:
        return named
    weekday = _chinese_weekday(scan, at)
    if weekday:
        return weekday
    token = scan.word(at)
    if token in words.cjk_digits or token == "十" or token == "第":
        return _chinese_at(scan, at, words)
    return None


_WEEKDAY = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])(?![年月天])")


def _chinese_weekday(scan: Scan, at: int) -> list[Found] | None:
    match = _WEEKDAY.match(scan.text, scan.starts[at])
    if match is None or scan.kind(at - 1) == "number":
        return None
    return [_date(match.start(), match.end(), f"-W-{min('一二三四五六日天'.index(match[1]) + 1, 7)}")]


def _chinese_at(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    text, start = scan.text, scan.starts[at]
    quarter = _CHINESE_QUARTER.match(text, start)
    if quarter:
        return [_date(start, quarter.end(), f"{quarter[1] or '-'}-Q{_chinese_number(quarter[2], words)}")]
    half = _CHINESE_HALF.match(text, start)
    if half:
        return [_date(start, half.end(), f"{half[1]}-H{1 if half[2] == '上' else 2}")]
    match = _CHINESE.match(text, start)
    if match and (match["year"] or match["day"] or (match["month"].isdecimal() and len(match["month"]) <= 2) or match["month"] not in ("零",)):
        year = _chinese_number(match["year"], words) if match["year"] else None
        day = _chinese_number(match["day"], words) if match["day"] else None
        canonical = _day(year, _chinese_number(match["month"], words), day)
        if canonical:
            return [_date(start, match.end(), canonical)]
    found = _CHINESE_YEAR.match(text, start)
    if found:
        return [_year(start, found.end(), _chinese_number(found[1], words))]
    day = _CHINESE_DAY.match(text, start)
    if day and 1 <= _chinese_number(day[1], words) <= 31:
        return [_date(start, day.end(), f"---{_chinese_number(day[1], words):02d}")]
    return None
