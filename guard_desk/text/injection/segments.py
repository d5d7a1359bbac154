"""Cuts a view into the sentences that the rules look at, and knows what is quoted, commented or hidden in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from guard_desk.text.injection.views import View

LONGEST = 600
LEAST_MASKED = 3

_SENTENCE_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s)|[。！？]+[”』」]?|\n+|\s\|\s|(?<=\|)\s*\n|।")
_ABBREVIATIONS = ("e.g.", "i.e.", "z.b.", "etc.", "no.", "vs.", "mr.", "mrs.", "dr.", "a.i.")
_ASIDES = (
    ("comment", re.compile(r"<!--(.*?)(?:-->|$)", re.DOTALL)),
    ("comment", re.compile(r"^\[//\]:\s*#\s*[(\"'](.*?)[)\"']\s*$", re.MULTILINE)),
    ("picture text", re.compile(r"!\[([^\]]{4,400})\]\(")),
    ("picture text", re.compile(r"\balt\s*=\s*\"([^\"]{4,400})\"")),
)
_HIDDEN_STYLE = (
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em|rem|%)?\s*[;\"']|opacity\s*:\s*0(?:\.0\d*)?\s*[;\"']"
    r"|color\s*:\s*(?:#fff(?:fff)?|white|transparent)\b|(?:left|top|text-indent)\s*:\s*-\d{3,}|\shidden(?=[\s>])|class\s*=\s*\"[^\"]*\b(?:sr-only|visually-hidden|hidden)\b"
)
_HIDDEN_ELEMENT = re.compile(rf"<([a-z][a-z0-9]*)\b[^>]*?(?:{_HIDDEN_STYLE})[^>]*>(.*?)(?:</\1\s*>|$)", re.DOTALL)
_QUOTES = re.compile(
    r"“[^“”\n]{2,300}”|„[^„“”\n]{2,300}[“”]|«[^«»\n]{2,300}»|「[^「」\n]{2,300}」|『[^『』\n]{2,300}』|‘[^‘’\n]{2,300}’"
    r"|(?<![\w\"])(?<!\": )(?<!\":)\"[^\"\n]{2,300}\"(?!\w)|(?<![\w'])'[^'\n]{2,300}'(?!\w)|(?<!`)`[^`\n]{2,300}`(?!`)"
)
# "placed the comment <!-- ... --> in an invoice": spoken of, like a quotation.
_MENTIONED = re.compile(
    r"\b(?:comments?|lines?|strings?|tags?|markup|snippets?|payloads?|contain(?:s|ed|ing)?|such as|like)\s+"
    r"(<!--[^\n]{2,300}?-->)(?=\s+[a-z]|[,;])"
)
_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence, line or comment of a view.

    :param form: as in `View`, or "comment", "picture text", "hidden element".
    :param markers: "concealed" or "aside" when it is written so that people do not see it.
    :param masked: positions in the view of characters that were masked one by one.
    """

    start: int
    end: int
    text: str
    form: str
    markers: frozenset[str]
    masked: tuple[int, ...] = ()


def segments(view: View) -> tuple[Segment, ...]:
    """The sentences of a view in order; comments and hidden elements are segments of their own."""
    regions = tuple(_regions(view.text))
    cut: list[Segment] = []
    position = 0
    for start, end, inner_start, inner_end, form in regions:
        if form == "picture text":  # looked at in its sentence, too: with the picture's address it may carry something away
            cut.extend(_sentences(view, inner_start, inner_end, form, frozenset({"aside"})))
            continue
        if start < position:
            continue
        cut.extend(_sentences(view, position, start, view.form, frozenset()))
        marker = "concealed" if form == "hidden element" else "aside"
        cut.extend(_sentences(view, inner_start, inner_end, form, frozenset({marker})))
        position = end
    cut.extend(_sentences(view, position, len(view.text), view.form, frozenset()))
    return tuple(cut)


def quotations(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges in quotation marks or inline code marks, marks included, and comments that a sentence speaks of."""
    mentioned = [match.span(1) for match in _MENTIONED.finditer(text)] if "<!--" in text else []
    return tuple(sorted([*(match.span() for match in _QUOTES.finditer(text)), *mentioned]))


def fences(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges of fenced code."""
    marks = [match.start() for match in _FENCE.finditer(text)]
    return tuple(zip(marks[::2], marks[1::2] or [len(text)], strict=False))


def _regions(text: str) -> Iterator[tuple[int, int, int, int, str]]:
    """Outer and inner range of each comment, picture text and hidden element, by position."""
    found = (
        [(*match.span(), *match.span(1), form) for form, pattern in _ASIDES for match in pattern.finditer(text)] if _may_hide(text) else []
    )
    if "<" in text:
        found += [(*match.span(), *match.span(2), "hidden element") for match in _HIDDEN_ELEMENT.finditer(text)]
    quotes = quotations(text) if found else ()
    yield from sorted(entry for entry in found if not any(left <= entry[0] and entry[1] <= right for left, right in quotes))


def _may_hide(text: str) -> bool:
    return "<!--" in text or "![" in text or "[//]" in text or "alt" in text


def _sentences(view: View, start: int, end: int, form: str, markers: frozenset[str]) -> Iterator[Segment]:
    position = start
    for match in _SENTENCE_END.finditer(view.text, start, end):
        if view.text[max(start, match.end() - 5) : match.end()].endswith(_ABBREVIATIONS):
            continue
        yield from _segment(view, position, match.end(), form, markers)
        position = match.end()
    yield from _segment(view, position, end, form, markers)


def _segment(view: View, start: int, end: int, form: str, markers: frozenset[str]) -> Iterator[Segment]:
    """The stretch without surrounding blanks, in overlapping pieces when it is very long."""
    while start < end and view.text[start].isspace():
        start += 1
    while end > start and view.text[end - 1].isspace():
        end -= 1
    if end - start < 3:
        return
    for piece in range(start, end, LONGEST - 100):
        stop = min(end, piece + LONGEST)
        masked = tuple(position for position in view.marked if piece <= position < stop)
        hidden = len(masked) >= LEAST_MASKED or view.concealed
        shown_form = form if markers or hidden else "plain"
        yield Segment(piece, stop, view.text[piece:stop], shown_form, markers | {"concealed"} if hidden else markers, masked)
        if stop == end:
            return
