"""Parts of an answer that are form and not statement: code, numbers of lists, rules of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span

_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*\n?", re.MULTILINE)
_INLINE_CODE = re.compile(r"(?<!`)`(?!`)[^`\n]+`(?!`)")
_LIST_NUMBER = re.compile(
    r"^[ \t>*_]*(?:\d{1,3}|[a-zA-Z])[.)、．](?=\s|\*|$)|^[ \t>*_]*[（(]\d{1,3}[)）]|^[ \t>]*#{1,6}[ \t]*(?:\d+(?:\.\d+)*[.)]?[ \t])?",
    re.MULTILINE,
)
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
# The head of a table names its columns and claims nothing.
_TABLE_HEAD = re.compile(
    r"^[ \t]*\|?[^\n|]+\|[^\n]*(?=\n[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$)", re.MULTILINE
)
_URL = re.compile(r"(?<=\])\([^()\s]{1,400}\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Regions:
    """Where the form of an answer stands.

    :param code: fenced blocks and inline code.
    :param fenced: fenced blocks alone, fences included.
    :param form: numbers of lists, heads and rules of tables, targets of links: never a claim.
    """

    code: tuple[Span, ...] = ()
    fenced: tuple[Span, ...] = ()
    form: tuple[Span, ...] = ()


def find_regions(text: str) -> Regions:
    """The regions of an answer in Markdown or plain text."""
    fenced = _fenced(text) if "```" in text or "~~~" in text else ()
    inline = tuple(Span(m.start(), m.end()) for m in _INLINE_CODE.finditer(text)) if "`" in text else ()
    form = [
        Span(m.start(), m.end())
        for pattern in (_LIST_NUMBER, _TABLE_RULE, _TABLE_HEAD, _URL)
        for m in pattern.finditer(text)
        if m.end() > m.start()
    ]
    return Regions(
        code=tuple(sorted((*fenced, *inline), key=lambda span: span.start)),
        fenced=fenced,
        form=tuple(sorted(form, key=lambda span: (span.start, span.end))),
    )


def _fenced(text: str) -> tuple[Span, ...]:
    found: list[Span] = []
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opening is None:
            opening = match
        elif match["mark"].startswith(opening["mark"]):
            found.append(Span(opening.start(), match.end()))
            opening = None
    if opening is not None:
        found.append(Span(opening.start(), len(text)))
    return tuple(found)


def blanked(text: str, spans: Sequence[Span]) -> str:
    """The text with spaces in place of some spans: every offset keeps its meaning."""
    pieces: list[str] = []
    position = 0
    for span in sorted(spans, key=lambda item: item.start):
        start = max(position, span.start)
        pieces += [text[position:start], " " * max(0, span.end - start)]
        position = max(position, span.end)
    return "".join((*pieces, text[position:]))


def inside(span: Span, regions: Sequence[Span]) -> bool:
    """Whether a span lies wholly inside one of the regions."""
    return any(region.start <= span.start and span.end <= region.end for region in regions)


def touches(span: Span, regions: Sequence[Span]) -> bool:
    """Whether a span shares a code point with one of the regions."""
    return any(region.start < span.end and span.start < region.end for region in regions)


def trimmed(text: str, span: Span, extra: str = "") -> Span:
    """The span without white space, marks of lists and closing stops at its ends.

    :param extra: further characters to strip from both ends.
    """
    start, end = span.start, span.end
    leading = " \t\r\n\u00a0\u200b\ufeff*_#>-•·|" + extra
    trailing = " \t\r\n\u00a0\u200b\ufeff.。！!;；,，:：*_|" + extra
    while start < end and text[start] in leading:
        start += 1
    while end > start and text[end - 1] in trailing:
        end -= 1
    return Span(start, end)
