"""Phrases that point at something which nothing in the passages resolves ("according to a recent report")."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from guard_desk.records.corpus import Span
from guard_desk.text.support.language import patterns, phrase_set, plain

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")


def find_vague(answer: str, languages: Sequence[str], resolved: Callable[[str], bool]) -> tuple[Span, ...]:
    """Vague phrases of an answer, sorted, without overlaps.

    :param resolved: whether passages or question have what a noun phrase points at.
    """
    prepared = plain(answer)
    found: list[Span] = []
    for code in languages:
        for pattern in patterns("verify.vague", code):
            for match in pattern.finditer(prepared):
                reference = match.groupdict().get("ref") or ""
                if not (reference and (_is_fine(reference, code) or resolved(reference))):
                    found.append(_clipped(prepared, match))
    return _apart(found)


def _clipped(text: str, match: re.Match[str]) -> Span:
    start, end = match.span()
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return Span(start, end)


def _is_fine(reference: str, code: str) -> bool:
    """Whether the phrase points at the passages themselves, which the reader has."""
    fine = phrase_set("verify.vague_fine", (code,))
    words = _WORD.findall(reference.casefold())
    return any(word in fine for word in words) or any(word in reference for word in fine if _HAN_RUN.match(word))


def _apart(spans: Sequence[Span]) -> tuple[Span, ...]:
    kept: list[Span] = []
    for span in sorted(set(spans), key=lambda item: (item.start - item.end, item.start)):
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
    return tuple(sorted(kept, key=lambda item: item.start))
