"""Where sentences begin and end.

A stop ends a sentence unless it belongs to a number, an initial, an abbreviation or a name with a dot inside. Blank
lines, list items, table rows, headings and code fences end one without a stop. Spans are trimmed, in order, and never overlap;
every character that is not white space lies in one, except bare marks of lists and rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from guard_desk import lang
from guard_desk.records.corpus import Span

_CLOSERS = "\"'”’»›)\\]）】」』》*_`"
_WIDE_CLOSERS = "”’）】」』》»"
_STOP = re.compile(
    rf"(?P<wide>[。！？｡]+[{_CLOSERS}]*|……+[{_WIDE_CLOSERS}]*)"
    rf"|(?P<danda>[।॥][{_CLOSERS}]*)"
    rf"|(?P<stop>[.!?…؟۔‽]+[{_CLOSERS}]*)(?=\s|$|[\u3400-\u9fff\u0b80-\u0bff])"
)
_FENCE = re.compile(r"^[ \t]*(```|~~~)")
# A line that stands for itself: list item, heading, quote, table row.
_ITEM = re.compile(
    r"^[ \t]*(?:[-*+•◦▪‣·–—](?=[ \t])|\(?\d{1,3}[.)](?=[ \t])|\(?[a-zA-Z][)](?=[ \t])"
    r"|[（(]?[一二三四五六七八九十]{1,3}[、）)]|#{1,6}(?=[ \t])|>|\|)[ \t]*"
)
_RULE = re.compile(r"^[\s|:=*_~+-]*$")
_LAST_WORD = re.compile(r"(?:^|[\s(\[\"'“‘„«/-])((?:[^\W\d_]\.)*[^\W_]+)$")
_INITIALS = re.compile(r"^(?:[^\W\d_]\.)*[^\W\d_]$")
_LONGEST_ABBREVIATION = 4
_NEXT = re.compile(r"[\s\"'“‘„«(\[*_]*(\S)")
_NEXT_WORD = re.compile(r"\W*(\w+)")


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text: trimmed, in order, never overlapping."""
    spans = []
    for start, end in _blocks(text):
        position = start
        for stop in _stops(text, start, end):
            spans.append(_trimmed(text, position, stop))
            position = stop
        spans.append(_trimmed(text, position, end))
    return tuple(span for span in spans if span.start < span.end and not _RULE.match(span.of(text)))


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and _blank(text[start]):
        start += 1
    while end > start and _blank(text[end - 1]):
        end -= 1
    return Span(start, end)


def _blank(ch: str) -> bool:
    return ch.isspace() or ch in "\u200b\ufeff\u2060"


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Pieces that no sentence crosses: paragraphs, list items, rows, fenced code."""
    start, position, fenced = 0, 0, False
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        mark = _FENCE.match(line)
        if mark and not fenced:
            yield start, position
            start, fenced = position, True
        elif fenced:
            if mark:
                yield start, end
                start, fenced = end, False
        elif not line.strip() or _RULE.match(line):
            yield start, position
            start = end
        else:
            item = _ITEM.match(line)
            if item:
                yield start, position
                start = position if item[0].strip() in "|>" else position + item.end()
                if item[0].strip().startswith(("#", "|")):
                    yield start, end
                    start = end
        position = end
    yield start, len(text)


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    """Ends of sentences inside one block (offsets behind the stop and its closing quotes)."""
    if _FENCE.match(text[start:end]):
        return
    for match in _STOP.finditer(text, start, end):
        if match.lastgroup != "stop" or _ends(text, start, end, match):
            yield match.end()


def _ends(text: str, start: int, end: int, match: re.Match[str]) -> bool:
    """Whether a stop ends its sentence."""
    mark = match[0]
    following = _NEXT.match(text, match.end(), end)
    if following is None:
        return True
    ch = following[1]
    if mark[0] in "…" or mark.startswith(".."):
        return not ch.islower()
    if mark[0] != ".":
        # "Yahoo! is" and a question inside a sentence go on in small letters.
        return not ch.islower()
    return not _is_abbreviation(text, start, match.start(), ch)


def _is_abbreviation(text: str, start: int, stop: int, following: str) -> bool:
    before = _LAST_WORD.search(text, max(start, stop - 24), stop)
    if before is None:
        return following.islower()
    word = before[1]
    folded = word.casefold()
    if folded in _never_final():
        return True
    if word.isdigit():
        # German dates and ordinals: "am 4. März", "der 3. Platz"; a number before the stop of a list is handled by its line.
        return len(word) <= 2 and (following.islower() or _month_follows(text, stop + 1))
    if folded in _maybe_final() or _INITIALS.match(word):
        return not (following.isupper() and _starts_a_sentence(text, stop + 1))
    # An unknown abbreviation is short; a longer word before a small letter ends a carelessly written sentence.
    return following.islower() and len(word) <= _LONGEST_ABBREVIATION


def _starts_a_sentence(text: str, position: int) -> bool:
    """Whether the next word is one that often begins a sentence (an article, a pronoun, ...)."""
    match = _NEXT_WORD.match(text, position)
    return match is not None and match[1].casefold() in _openers()


def _month_follows(text: str, position: int) -> bool:
    match = _NEXT_WORD.match(text, position)
    return match is not None and match[1].casefold() in _months()


@cache
def _data(path: str) -> frozenset[str]:
    return frozenset(word.casefold().rstrip(".") for code in lang.codes() for word in lang.entry(code, path))


def _never_final() -> frozenset[str]:
    """Abbreviations that always have something after them (Dr., No., z. B.)."""
    return _data("sentences.never_final")


def _maybe_final() -> frozenset[str]:
    """Abbreviations that may also end a sentence (etc., Inc., a.m.)."""
    return _data("sentences.maybe_final")


def _openers() -> frozenset[str]:
    return _data("stopwords.words")


def _months() -> frozenset[str]:
    return _data("sentences.after_ordinal")
