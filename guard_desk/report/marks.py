"""Text cut into pieces that a page can show: marked spans, and characters that no one would see."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from guard_desk.records.answer import Finding, Severity

_JOINERS = "\u200c\u200d"  # they shape Indic letters and emoji; everything else that is invisible is shown
_WEIGHT = {Severity.HIGH: 3, Severity.MEDIUM: 2, Severity.LOW: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Neighbouring characters that are shown alike.

    :param hidden: the name of an invisible character ("U+202E"); then `text` is that one character.
    :param finding: the finding that is shown here, the most severe one where several lie over each other.
    :param numbers: 1-based numbers of the findings that end here.
    """

    text: str
    hidden: str = ""
    finding: Finding | None = None
    numbers: tuple[int, ...] = ()


def pieces(text: str, findings: Sequence[Finding] = ()) -> tuple[Piece, ...]:
    """The whole text in order; joined, the pieces' texts are the text.

    :param findings: spans in code points; those outside the text are left out.
    """
    marked = [(number, span) for number, span in enumerate(findings, 1) if 0 <= span.start < span.end <= len(text)]
    borders = sorted({0, len(text), *(edge for _, span in marked for edge in (span.start, span.end))})
    return tuple(piece for start, end in pairwise(borders) for piece in _between(text, start, end, marked))


def _between(text: str, start: int, end: int, marked: Sequence[tuple[int, Finding]]) -> Iterator[Piece]:
    covering = [span for _, span in marked if span.start <= start and end <= span.end]
    finding = max(covering, key=lambda span: _WEIGHT[span.severity], default=None)
    ending = tuple(number for number, span in marked if span.end == end)
    parts = list(_visible(text[start:end]))
    for position, (words, hidden) in enumerate(parts, 1):
        yield Piece(text=words, hidden=hidden, finding=finding, numbers=ending if position == len(parts) else ())


def _visible(text: str) -> Iterator[tuple[str, str]]:
    """Runs of ordinary characters with "", each invisible character alone with its name."""
    start = 0
    for position, character in enumerate(text):
        if is_hidden(character):
            if start < position:
                yield text[start:position], ""
            yield character, f"U+{ord(character):04X}"
            start = position + 1
    if start < len(text):
        yield text[start:], ""


def is_hidden(character: str) -> bool:
    """Whether a character is invisible, steers the direction of others, or is half a character."""
    if character in "\t\n" or character in _JOINERS:
        return False
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
