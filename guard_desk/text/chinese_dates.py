"""Chinese dates: 2027年1月5日, 二〇二七年, 第三季度, 上半年, 周五, 20日, 元旦."""

from __future__ import annotations

import re

from guard_desk.text.chinese import chinese
from guard_desk.text.date_values import date_value, day_name, named_day, year_value
from guard_desk.text.found import Found
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary

_CN = "[0-9〇零一二两三四五六七八九十]"
_CHINESE = re.compile(
    rf"(?:(?P<year>[12]\d{{3}}|[一二][〇零一二三四五六七八九]{{3}}) ?年度? ?)?"
    rf"(?P<month>{_CN}{{1,3}}) ?月(?:份)?(?: ?(?P<day>{_CN}{{1,3}}) ?[日号])?"
)
_CHINESE_YEAR = re.compile(r"([12]\d{3}|[一二][〇零一二三四五六七八九]{3}) ?年(?! ?(?:前|内|后|间|以))")
_CHINESE_DAY = re.compile(rf"({_CN}{{1,3}}) ?日(?![内后元圆]|之[内后]|以[内上]|元|无)")
_CHINESE_QUARTER = re.compile(r"(?:([12]\d{3}) ?年 ?(?:的)?)?第? ?([1-4一二三四]) ?季度")
_CHINESE_HALF = re.compile(r"([12]\d{3}) ?年 ?(上|下)半年")


def _chinese_number(text: str, words: Vocabulary) -> int:
    return int(text) if text.isdecimal() else chinese(text, words) or 0


def _chinese_digits(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    return chinese_date(scan, at, words)


def from_cjk(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """The date that starts at a CJK character: a named day, a weekday, or numerals."""
    named = named_day(scan, at, words)
    if named:
        return named
    weekday = _chinese_weekday(scan, at)
    if weekday:
        return weekday
    token = scan.word(at)
    if token in words.cjk_digits or token == "十" or token == "第":
        return chinese_date(scan, at, words)
    return None


_WEEKDAY = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])(?![年月天])")


def _chinese_weekday(scan: Scan, at: int) -> list[Found] | None:
    match = _WEEKDAY.match(scan.text, scan.starts[at])
    if match is None or scan.kind(at - 1) == "number":
        return None
    return [date_value(match.start(), match.end(), f"-W-{min('一二三四五六日天'.index(match[1]) + 1, 7)}")]


def chinese_date(scan: Scan, at: int, words: Vocabulary) -> list[Found] | None:
    """The Chinese date that starts at a token with a number."""
    text, start = scan.text, scan.starts[at]
    quarter = _CHINESE_QUARTER.match(text, start)
    if quarter:
        return [date_value(start, quarter.end(), f"{quarter[1] or '-'}-Q{_chinese_number(quarter[2], words)}")]
    half = _CHINESE_HALF.match(text, start)
    if half:
        return [date_value(start, half.end(), f"{half[1]}-H{1 if half[2] == '上' else 2}")]
    match = _CHINESE.match(text, start)
    if match:
        year = _chinese_number(match["year"], words) if match["year"] else None
        day = _chinese_number(match["day"], words) if match["day"] else None
        canonical = day_name(year, _chinese_number(match["month"], words), day)
        if canonical:
            return [date_value(start, match.end(), canonical)]
    found = _CHINESE_YEAR.match(text, start)
    if found:
        return [year_value(start, found.end(), _chinese_number(found[1], words))]
    alone = _CHINESE_DAY.match(text, start)
    if alone and 1 <= _chinese_number(alone[1], words) <= 31:
        return [date_value(start, alone.end(), f"---{_chinese_number(alone[1], words):02d}")]
    return None
