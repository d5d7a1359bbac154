"""Times of day: "21:10", "9:10 pm", "14 Uhr", "14h30", "half past nine", "下午三点半", noon and midnight.

Canonical is "HH:MM" (or "HH:MM:SS") of the 24-hour clock. `label` holds the zone ("+01:00"), or "12h" when nothing says
whether the hour is before or after noon.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from functools import cache

from guard_desk.records.evidence import Bound, ValueKind
from guard_desk.text import context
from guard_desk.text.chinese import chinese
from guard_desk.text.found import Found
from guard_desk.text.numbers import read_amount
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary, vocabulary

_CLOCK = re.compile(r"(\d{1,2})[:](\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?![\d:])")
# "15:0-20:0" as machines write opening hours; "2:0" alone is a score.
_BARE = re.compile(r"(\d{1,2}):(0)(?=-\d{1,2}:\d)|(?<=:\d-)(\d{1,2}):(0)(?!\d)|(?<=:\d\d-)(\d{1,2}):(0)(?!\d)")
_FRENCH = re.compile(r"(\d{1,2}) ?h ?([0-5]\d)(?!\w)|(\d{1,2})h(?!\w)")
_ISO_TIME = re.compile(r"[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?(?![\d:])")
_DOTTED = re.compile(r"(\d{1,2})\.([0-5]\d) ?(?=uhr|Uhr|am\b|pm\b|a\.m|p\.m)")
_ZONE = re.compile(r"(?: ?(?:-|to|until|bis|and|à) ?\d{1,2}:\d{2})? ?([A-Za-z]{1,4})(?!\w)")
_HOURS = re.compile(r" ?(?:h|heures?)(?!\w)")
_SECOND_HOUR = re.compile(r" ?(?:-|to|bis|à|and|und) ?(\d{1,2})(:\d{2})?(?!\d)")
_CN = "[0-9零一二两三四五六七八九十]"
_CHINESE = re.compile(rf"({_CN}{{1,3}}) ?(?:点钟?|时(?![间候段常代长机]))(?:整| ?(半|[一三]刻|{_CN}{{1,3}}) ?(?:分(?!钟|之))?)?")


@cache
def _tail(languages: tuple[str, ...]) -> re.Pattern[str]:
    """What may follow the digits of a clock: o'clock, part of the day."""
    words = vocabulary(languages)
    phrases = {
        "am": words.group("dates.times.am") | words.group("dates.times.morning"),
        "pm": words.group("dates.times.pm") | words.group("dates.times.afternoon") | words.group("dates.times.night"),
        "oclock": words.group("dates.times.oclock"),
    }
    groups = []
    for name, choices in phrases.items():
        pattern = "|".join(re.escape(phrase) for phrase in sorted(choices, key=len, reverse=True)) or "(?!)"
        groups.append(rf"(?P<{name}>(?:{pattern})(?!\w))")
    return re.compile(rf" ?(?:{'|'.join(groups)})", re.IGNORECASE)


def _tails(words: Vocabulary) -> re.Pattern[str]:
    return _tail(words.languages)


def find_time(scan: Scan, at: int, words: Vocabulary) -> tuple[Found, int] | None:
    """The time of day that starts at a token, and the token after it."""
    found = _find(scan, at, words)
    if found is None:
        return None
    found = _with_zone(scan, found, words)
    end = bisect_left(scan.starts, found.end)
    bound = context.bound_before(scan, at, words, date=True)
    after, _ = context.bound_after(scan, end, words, date=True)
    return replace(found, bound=after if bound is Bound.EXACT else bound), end


def _find(scan: Scan, at: int, words: Vocabulary) -> Found | None:
    kind = scan.kind(at)
    if kind == "number":
        return _from_digits(scan, at, words)
    if kind == "word":
        return _from_word(scan, at, words)
    if kind == "cjk":
        return _from_cjk(scan, at, words)
    return None


def _time(start: int, end: int, hour: int, minute: int, second: int | None = None, *, label: str = "") -> Found | None:
    if hour == 24 and minute == 0:
        hour = 0
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= (second or 0) < 60):
        return None
    canonical = f"{hour:02d}:{minute:02d}" + (f":{second:02d}" if second else "")
    return Found(kind=ValueKind.TIME, start=start, end=end, canonical=canonical, label=label)


def _from_digits(scan: Scan, at: int, words: Vocabulary) -> Found | None:
    text, start = scan.text, scan.starts[at]
    if start and (text[start - 1].isdigit() or (text[start - 1] in ":_$€£" and scan.glued(at))):
        return None
    chinese_time = _from_cjk(scan, at, words)
    if chinese_time:
        return chinese_time
    match = _CLOCK.match(text, start)
    if match:
        return _clock(scan, match, words)
    match = _BARE.match(text, start)
    if match:
        return _time(start, match.end(), int(match[1] or match[3] or match[5]), 0)
    match = _DOTTED.match(text, start)
    if match:
        return _with_part(text, match.start(), match.end(2), int(match[1]), int(match[2]), None, words, sure=True)
    match = _FRENCH.match(text, start)
    if match and "fr" in words.languages and (match[2] or words.has("dates.times.clock_before", scan.word(at - 1))):
        return _time(start, match.end(), int(match[1] or match[3]), int(match[2] or 0))
    if scan.words[at].isdecimal() and len(scan.words[at]) <= 2:
        return _hour_alone(scan, at, scan.ends[at], int(scan.words[at]), words)
    return None


def _clock(scan: Scan, match: re.Match[str], words: Vocabulary) -> Found | None:
    hour, minute = int(match[1]), int(match[2])
    second = int(match[3]) if match[3] else None
    return _with_part(scan.text, match.start(), match.end(), hour, minute, second, words, sure=True)


def _with_part(
    text: str, start: int, end: int, hour: int, minute: int, second: int | None, words: Vocabulary, *, sure: bool
) -> Found | None:
    """Add what follows the digits: "pm", "Uhr", "de la mañana"."""
    tail = _tails(words).match(text, end)
    if tail is None:
        return _time(start, end, hour, minute, second) if sure else None
    more = _tails(words).match(text, tail.end()) if tail["oclock"] else None
    part = more or tail
    if part["am"] or part["pm"]:
        if hour > 12:
            return _time(start, part.end(), hour, minute, second)
        hour = hour % 12 + (12 if part["pm"] else 0)
        return _time(start, part.end(), hour, minute, second)
    unclear = "en" in words.languages[:1] and hour <= 12
    return _time(start, tail.end(), hour, minute, second, label="12h" if unclear else "")


def _hour_alone(scan: Scan, at: int, end: int, hour: int, words: Vocabulary) -> Found | None:
    """ "9 pm", "14 Uhr (30)", "18 h" behind "à"; "10" of "10-11 pm" and "10 to 11 pm"."""
    text, start = scan.text, scan.starts[at]
    found = _with_part(text, start, end, hour, 0, None, words, sure=False)
    before = scan.word(at - 1)
    two_before = f"{scan.word(at - 2)} {before}"
    placed = words.has("dates.times.clock_before", before) or words.has("dates.times.clock_before", two_before)
    if found is not None:
        return _checked_hours(scan, at, found, placed=placed)
    hours = _HOURS.match(text, end) if placed and "fr" in words.languages else None
    if hours:
        return _time(start, hours.end(), hour, 0)
    if placed and "es" in words.languages and two_before in ("a las", "desde las", "hasta las") and not scan.text.startswith(":", end):
        return _time(start, end, hour, 0, label="12h")
    return _first_of_range(scan, at, end, hour, words)


def _checked_hours(scan: Scan, at: int, found: Found, *, placed: bool) -> Found | None:
    """ "18 heures" is a length of time unless a word like "à" stands before; "14 Uhr 30" has minutes."""
    word = scan.word(at + 1)
    if word in ("heures", "heure", "horas") and not placed:
        return None
    if (
        word == "uhr"
        and scan.kind(at + 2) == "number"
        and scan.words[at + 2].isdecimal()
        and len(scan.words[at + 2]) == 2
        and scan.word(at + 3) != "uhr"
    ):
        return _time(found.start, scan.ends[at + 2], int(found.canonical[:2]), int(scan.words[at + 2]))
    return found


def _first_of_range(scan: Scan, at: int, end: int, hour: int, words: Vocabulary) -> Found | None:
    """The 9 of "9-11 am", "9 bis 17 Uhr": takes its part of the day from the second hour."""
    link = _SECOND_HOUR.match(scan.text, end)
    if link is None or not 0 <= hour <= 24:
        return None
    tail = _tails(words).match(scan.text, link.end())
    if tail is None:
        return None
    if tail["oclock"] and not tail["am"] and not tail["pm"]:
        return _time(scan.starts[at], end, hour, 0) if scan.word(bisect_left(scan.starts, link.end())) == "uhr" else None
    later = tail["pm"] is not None
    same = hour < int(link[1]) or int(link[1]) == 12
    shifted = hour % 12 + (12 if later and same else 0)
    return _time(scan.starts[at], end, shifted, 0)


def _from_word(scan: Scan, at: int, words: Vocabulary) -> Found | None:
    token, start = scan.word(at), scan.starts[at]
    if words.has("dates.times.noon", token):
        return _time(start, scan.ends[at], 12, 0)
    if words.has("dates.times.midnight", token):
        return _time(start, scan.ends[at], 0, 0)
    day_part = _part_before(scan, at, words)
    if day_part is not None:
        return day_part
    for name, shift in (("half_past", 30), ("quarter_past", 15), ("quarter_to", -15), ("half_to", -30)):
        if token not in words.first.get(f"dates.times.{name}", ()):
            continue
        found = _relative(scan, at, words.group(f"dates.times.{name}"), shift, words)
        if found is not None:
            return found
    return _worded_hour(scan, at, words)


def _relative(scan: Scan, at: int, phrases: frozenset[str], shift: int, words: Vocabulary) -> Found | None:
    """ "half past nine", "quarter to ten", "halb drei"."""
    for length in (3, 2, 1):
        if at + length >= len(scan) or scan.phrase(at, at + length) not in phrases:
            continue
        amount = read_amount(scan, at + length, words)
        if amount is None or amount.value.denominator != 1 or not 1 <= amount.value <= 24:
            return None
        minutes = (int(amount.value) * 60 + shift) % (24 * 60)
        found = _with_part(scan.text, scan.starts[at], scan.ends[amount.end - 1], minutes // 60, minutes % 60, None, words, sure=False)
        if found is not None:
            return found
        return _time(scan.starts[at], scan.ends[amount.end - 1], minutes // 60, minutes % 60, label="12h")
    return None


def _worded_hour(scan: Scan, at: int, words: Vocabulary) -> Found | None:
    """ "nine o'clock", "neun Uhr", "las nueve de la mañana"."""
    if scan.word(at) not in words.small or not 0 < words.small[scan.word(at)] <= 24:
        return None
    found = _with_part(scan.text, scan.starts[at], scan.ends[at], words.small[scan.word(at)], 0, None, words, sure=False)
    if found is None:
        return None
    before = f"{scan.word(at - 2)} {scan.word(at - 1)}"
    placed = words.has("dates.times.clock_before", scan.word(at - 1)) or words.has("dates.times.clock_before", before)
    return None if scan.word(at + 1) in ("heures", "heure", "horas", "early", "früh") and not placed else found


def _part_before(scan: Scan, at: int, words: Vocabulary) -> Found | None:
    """Tamil: the part of the day, the hour, then "மணி"."""
    token = scan.word(at)
    morning = words.has("dates.times.morning_before", token)
    later = words.has("dates.times.afternoon_before", token) or words.has("dates.times.night_before", token)
    if not (morning or later):
        return None
    amount = read_amount(scan, at + 1, words)
    if amount is None or amount.value.denominator != 1 or not 1 <= amount.value <= 12:
        return None
    if not scan.word(amount.end).startswith(tuple(words.group("dates.times.oclock")) or ("\0",)):
        return None
    hour = int(amount.value) % 12 + (12 if later else 0)
    return _time(scan.starts[at], scan.ends[amount.end], hour, 0)


def _with_zone(scan: Scan, found: Found, words: Vocabulary) -> Found:
    """Read the zone behind a time, or behind the second time of a range."""
    match = _ZONE.match(scan.text, found.end)
    if match and match[1].casefold() in words.zones and match[1].isupper():
        return replace(found, label=_offset(words.zones[match[1].casefold()]))
    return found


def _offset(minutes: int) -> str:
    """A zone as its distance from UTC, "+01:00"."""
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _from_cjk(scan: Scan, at: int, words: Vocabulary) -> Found | None:
    text, start = scan.text, scan.starts[at]
    part = ""
    position = start
    for name in () if scan.kind(at) == "number" else ("morning_before", "afternoon_before", "night_before", "noon_before"):
        for phrase in words.group(f"dates.times.{name}"):
            if phrase and text.startswith(phrase, start) and len(phrase) > position - start:
                part, position = name, start + len(phrase)
    while position < len(text) and text[position] == " " and part:
        position += 1
    match = _CHINESE.match(text, position)
    if match is None:
        return _chinese_named(scan, at, words, part, position)
    hour = _number(match[1], words)
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(match[2] or "")
    if minute is None:
        minute = _number(match[2], words) if match[2] else 0
    if not part and scan.kind(at) == "cjk" and scan.word(at) not in words.cjk_digits and scan.word(at) != "十":
        return None
    end = match.end() if match[2] is None or not text[match.end() - 1].isspace() else match.end(2)
    shifted, label = _shift(hour, part)
    return _time(start, end, shifted, minute, label=label)


def _shift(hour: int, part: str) -> tuple[int, str]:
    """The hour of the 24-hour clock, and "12h" when nothing tells the half of the day."""
    if part in ("afternoon_before", "noon_before") and 1 <= hour < 12 and not (part == "noon_before" and hour >= 10):
        return hour + 12, ""
    if part == "night_before" and 6 <= hour < 12:
        return hour + 12, ""
    if part in ("night_before", "afternoon_before") and hour == 12 and part == "night_before":
        return 0, ""
    return hour, "12h" if not part and 0 < hour <= 12 else ""


def _chinese_named(scan: Scan, at: int, words: Vocabulary, part: str, position: int) -> Found | None:
    """Noon and midnight by name, and a clock behind a part of the day ("下午 3:30")."""
    text, start = scan.text, scan.starts[at]
    clock = _CLOCK.match(text, position) if part else None
    if clock:
        hour, _ = _shift(int(clock[1]), part)
        return _time(start, clock.end(), hour, int(clock[2]))
    for name, hour in (("noon", 12), ("midnight", 0)):
        for phrase in words.group(f"dates.times.{name}"):
            if text.startswith(phrase, start) and ord(phrase[0]) > 0x2E7F:
                return _time(start, start + len(phrase), hour, 0)
    return None


def _number(text: str, words: Vocabulary) -> int:
    return int(text) if text.isdecimal() else chinese(text, words) or 0


def iso_time(text: str, position: int) -> tuple[Found, int] | None:
    """The time part of "2027-03-04T14:30:00Z", directly behind the date."""
    match = _ISO_TIME.match(text, position)
    if match is None:
        return None
    zone = match[4] or ""
    label = "+00:00" if zone == "Z" else zone if ":" in zone or not zone else f"{zone[:3]}:{zone[3:]}"
    found = _time(match.start() + 1, match.end(), int(match[1]), int(match[2]), int(match[3]) if match[3] else None, label=label)
    return None if found is None else (found, match.end())
