"""Folding of text with an exact way back to the original code points.

`plain` removes what the eye does not see (compatibility forms, curly quotes, kinds of dashes and spaces, zero-width
characters, soft hyphens) and keeps case and line breaks; `fold` also folds case and collapses all white space. Both
keep, for every character, the range of the original that it stands for.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span

_QUOTES = dict.fromkeys("‘’‚‛′ʼ´＇", "'") | dict.fromkeys("“”„‟″«»＂", '"')
_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-")
_SINGLE = _QUOTES | _DASHES | {"⁄": "/", "∕": "/", "µ": "μ", "₤": "£", "﹪": "%", "٪": "%", "∼": "~", "～": "~"}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
# Characters without a shape of their own: removed, so that a word cut by one is whole again.
_INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff\ufe0e\ufe0f"
)
_RUN = re.compile(r"[\x20-\x7e]+|[^\x20-\x7e]")
_SPACES = re.compile(r"\s+")
# What `plain` changes in an ASCII text: white space other than single spaces and line feeds. Other control characters stay.
_CHANGES = re.compile(r"[\t\r\x0b\x0c\x1c-\x1f]|[ \n][ \n]")
_BREAK = re.compile(r"[\n\r\u2028\u2029\x0b\x0c]")


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text and where each of its characters comes from.

    :param starts: for each character, the first original code point it stands for.
    :param ends: for each character, the code point after the last one.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    length: int

    def span(self, start: int, end: int) -> Span:
        """The original range behind `text[start:end]`; an empty range stays empty."""
        if start >= end:
            place = self.starts[start] if 0 <= start < len(self.starts) else self.length
            return Span(place, place)
        return Span(self.starts[start], max(self.ends[end - 1], self.starts[start]))


def _joins(character: str) -> bool:
    """Whether a character can merge with the one before it: a mark, or a conjoining Hangul vowel or final."""
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


@lru_cache(maxsize=65536)
def _plain_cluster(cluster: str) -> str:
    """Plain form of one character with its marks."""
    visible = "".join(ch for ch in cluster if ch not in _INVISIBLE)
    if not visible:
        return ""
    if visible in _SINGLE:
        return _SINGLE[visible]
    if visible in _SUPERSCRIPTS:
        return "^" + _SUPERSCRIPTS[visible]
    folded = unicodedata.normalize("NFKC", visible)
    if len(folded) == 3 and folded[1] == "\u2044":  # a vulgar fraction: kept apart from a digit before it
        folded = " " + folded[0] + "/" + folded[2]
    return "".join(_SINGLE.get(ch, ch) for ch in folded)


def _clusters(text: str) -> list[tuple[int, int, str]]:
    """(start, end, plain form) of the pieces of a text: ASCII runs whole, other characters with their marks."""
    pieces: list[tuple[int, int, str]] = []
    position, length = 0, len(text)
    while position < length:
        match = _RUN.match(text, position)
        assert match is not None  # every character is one or the other
        end = match.end()
        marked = end
        while marked < length and text[marked] > "\u02ff" and _joins(text[marked]):
            marked += 1
        if end - position > 1:
            stop = end - 1 if marked > end else end
            pieces.append((position, stop, text[position:stop]))
            if stop < end:
                pieces.append((stop, marked, _plain_cluster(text[stop:marked])))
        else:
            pieces.append((position, marked, _plain_cluster(text[position:marked])))
        position = marked
    return pieces


@lru_cache(maxsize=512)
def plain(text: str) -> Folded:
    """The text as the eye reads it: one form of each character; case and line breaks kept, other space is " "."""
    if text.isascii() and not _CHANGES.search(text):
        return Folded(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)), len(text))
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    power = False
    for start, end, piece in _clusters(text):
        if end - start == len(piece) and len(piece) > 1 and piece.isascii():
            out.append(piece)
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
            power = False
            continue
        raised = text[start] in _SUPERSCRIPTS
        shown = piece[1:] if raised and power else piece  # "10⁻⁸" is 10^-8: one caret for a run of superscripts
        power = raised or (power and not piece)
        for character in shown:
            blank = character.isspace()
            out.append(("\n" if _BREAK.match(character) else " ") if blank else character)
            starts.append(start)
            ends.append(end)
    return _collapse("".join(out), starts, ends, len(text))


def _collapse(text: str, starts: list[int], ends: list[int], length: int) -> Folded:
    """Make each run of white space one character: a line break if it holds one, else a space."""
    out: list[str] = []
    first: list[int] = []
    last: list[int] = []
    position = 0
    for match in _SPACES.finditer(text):
        begin, end = match.span()
        out.append(text[position:begin])
        first.extend(starts[position:begin])
        last.extend(ends[position:begin])
        out.append("\n" if "\n" in match.group() else " ")
        first.append(starts[begin])
        last.append(ends[end - 1])
        position = end
    out.append(text[position:])
    first.extend(starts[position:])
    last.extend(ends[position:])
    return Folded("".join(out), tuple(first), tuple(last), length)


@lru_cache(maxsize=512)
def fold(text: str) -> Folded:
    """`plain`, with case folded, all white space one space, and none at the ends."""
    base = plain(text)
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for character, start, end in zip(base.text, base.starts, base.ends, strict=True):
        folded = " " if character == "\n" else character.casefold()
        out.append(folded)
        for _ in folded:
            starts.append(start)
            ends.append(end)
    joined = "".join(out)
    left = len(joined) - len(joined.lstrip(" "))
    right = len(joined.rstrip(" "))
    right = max(left, right)
    return Folded(joined[left:right], tuple(starts[left:right]), tuple(ends[left:right]), base.length)


@lru_cache(maxsize=8192)
def fold_text(text: str) -> str:
    """The folded text alone."""
    if text.isascii():
        return " ".join(text.casefold().split())
    return fold(text).text


@lru_cache(maxsize=65536)
def unaccented(text: str) -> str:
    """The text without accents, for names and words that are often written without them; other scripts untouched."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(ch for ch in parts if not "\u0300" <= ch <= "\u036f"))


def speakable(text: str) -> str:
    """Lone surrogates, which no tokenizer takes, become "?"; offsets stay."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
