"""The same passage as a second crawl finds it, and the same passage with one fact changed: by rule, so that the answer is known.

There is no public labelled set of pages that were fetched twice; these stand in for one, and every figure on them says so. A rewrite
that finds nothing to change gives None.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

Rewrite = Callable[[str, int], str | None]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|(?<=[。！？])(?=.)")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d.,])")
_PLAIN_THOUSANDS = re.compile(r"(?<![\d.,/-])[1-9]\d{4,6}(?![\d.,/-])")
_PERCENT = re.compile(r"(\d) ?%")
_SMALL = re.compile(r"(?<![\d.,:/$€£+-])\b([2-9]|1[0-2])\b(?= [a-z]{4,})")
_NUMBER = re.compile(r"(?<![\d.,:/\w-])[1-9]\d{0,3}(?![\d.,:/\w-])")
_VERB = re.compile(r"\b(is|are|was|were|can|should|must|will) (?!not\b)(?=[a-z])")
_CHINESE_VERB = re.compile(r"(?<![不没未可应])(可以|应该|需要|会|是)(?![不否])")
_SMALL_WORDS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
# Lines that sites put around every page.
_HEADERS = ("Skip to main content", "Home > Articles > Reference", "Menu\nSearch\nLog in")
_FOOTERS = (
    "Share this page: Facebook | Twitter | LinkedIn",
    "We use cookies to improve your experience on this site. By continuing to browse, you agree to our use of cookies.",
    "All rights reserved. Terms of use | Privacy policy | Contact us",
)
_CHINESE_HEADERS = ("首页 > 新闻 > 正文", "登录 | 注册", "跳到主要内容")
_CHINESE_FOOTERS = ("分享到：微信 | 微博 | QQ", "版权所有，未经许可不得转载", "关于我们 | 联系我们 | 隐私政策")


def spaces(text: str, seed: int) -> str | None:
    """Lines broken at other places, double spaces."""
    pieces = text.split(" ")
    if len(pieces) < 4:
        return None
    return "".join(
        piece + ("\n" if (place + seed) % 9 == 8 else "  " if (place + seed) % 7 == 6 else " ") for place, piece in enumerate(pieces)
    ).strip()


def case(text: str, seed: int) -> str | None:
    """The first words in capitals, as style sheets set them."""
    pieces = text.split(" ")
    count = min(len(pieces), 2 + seed % 3)
    changed = " ".join([piece.upper() if piece.isalpha() else piece for piece in pieces[:count]] + pieces[count:])
    return None if changed == text else changed


def signs(text: str, seed: int) -> str | None:
    """Typographic quotes, apostrophes and dashes; the last full stop lost."""
    changed = text.replace("'", "’").replace(" - ", " – ").replace("...", "…")
    changed = re.sub(r'"([^"]*)"', "“\\1”", changed)
    if seed % 2 and changed[-1:] in ".。":
        changed = changed[:-1]
    return None if changed == text else changed


def list_marks(text: str, seed: int) -> str | None:
    """Sentences as items of a list."""
    parts = [part for part in _SENTENCE_END.split(text) if part]
    if len(parts) < 2:
        return None
    mark = ("- ", "* ", "• ")[seed % 3]
    return "\n".join(mark + part for part in parts)


def number_format(text: str, seed: int) -> str | None:
    """The same numbers, written otherwise."""
    changed = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    if changed == text:
        changed = _PLAIN_THOUSANDS.sub(lambda match: f"{int(match[0]):,}", text)
    changed = _PERCENT.sub(r"\1 percent" if seed % 2 and text.isascii() else r"\1 %", changed)
    changed = _SMALL.sub(lambda match: _SMALL_WORDS[int(match[1])], changed)
    return None if changed == text else changed


def header(text: str, seed: int) -> str | None:
    """A line of the site before the passage."""
    return _one_of(_CHINESE_HEADERS if _is_chinese(text) else _HEADERS, seed) + "\n" + text


def footer(text: str, seed: int) -> str | None:
    """A line of the site behind the passage."""
    return text + "\n" + _one_of(_CHINESE_FOOTERS if _is_chinese(text) else _FOOTERS, seed)


def cut_footer(text: str, seed: int) -> str | None:
    """The line behind the passage, cut in its middle."""
    line = _one_of(_CHINESE_FOOTERS if _is_chinese(text) else _FOOTERS, seed)
    return text + "\n" + line[: len(line) // 2].rstrip() + "…"


def other_number(text: str, seed: int) -> str | None:
    """One number changed: another fact."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    match = found[seed % len(found)]
    return text[: match.start()] + str(int(match[0]) + 1 + seed % 7) + text[match.end() :]


def denied(text: str, seed: int) -> str | None:
    """One statement denied: another fact."""
    found = list((_CHINESE_VERB if _is_chinese(text) else _VERB).finditer(text))
    if not found:
        return None
    match = found[seed % len(found)]
    if _is_chinese(text):
        return text[: match.start()] + "不" + text[match.start() :]
    return text[: match.end()] + "not " + text[match.end() :]


# What leaves every fact as it is. The last three add words of the site, not of the passage.
KEEPING: Mapping[str, Rewrite] = MappingProxyType(
    {
        "spaces": spaces,
        "case": case,
        "signs": signs,
        "list_marks": list_marks,
        "number_format": number_format,
        "header": header,
        "footer": footer,
        "cut_footer": cut_footer,
    }
)
CHANGING: Mapping[str, Rewrite] = MappingProxyType({"other_number": other_number, "denied": denied})


def seed_of(*parts: str) -> int:
    """A number that depends on the words alone, the same on every machine."""
    return int.from_bytes(hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()[:6], "big")


def _one_of(lines: tuple[str, ...], seed: int) -> str:
    return lines[seed % len(lines)]


def _is_chinese(text: str) -> bool:
    return any("\u4e00" <= ch <= "\u9fff" for ch in text)
