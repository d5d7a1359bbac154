"""Readings of a text: as a model would read it, and what is hidden or encoded in it.

Each view is folded text (lower case, look-alike letters replaced, invisible characters gone) with a map back to the original, so that
whatever is found in it can be shown where it stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.text.injection import decode
from guard_desk.text.injection.lexicon import lexicon

MIN_HIDDEN_LETTERS = 3
SHORTEST_ENCODED = 6

# Zero-width space, non-joiner, joiner, word joiner and kin, soft hyphen, byte order mark, combining grapheme joiner,
# Mongolian vowel separator, bidirectional marks, embeddings, overrides and isolates.
INVISIBLE = frozenset(
    [0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10)]
)
_APOSTROPHES = "’ʼ"
TAGS = range(0xE0000, 0xE0080)
SELECTORS = range(0xE0100, 0xE01F0)
# Scripts in which joiners between letters are part of the spelling.
_JOINING = (
    "ARABIC",
    "DEVANAGARI",
    "BENGALI",
    "TAMIL",
    "TELUGU",
    "KANNADA",
    "MALAYALAM",
    "SINHALA",
    "GUJARATI",
    "GURMUKHI",
    "ORIYA",
    "KHMER",
    "MYANMAR",
)


@dataclass(frozen=True, slots=True)
class View:
    """One reading of a text.

    :param form: how it was written: "plain", "hidden characters", "look-alike letters", "base64", "comment", ...
    :param concealed: whether that way of writing hides it from people or filters.
    :param spans: original span of each character of `text`.
    :param marked: positions in `text` that were written in a concealed way inside an open text.
    """

    text: str
    form: str
    concealed: bool
    spans: Sequence[Span]
    marked: tuple[int, ...] = ()

    def origin(self, start: int, end: int) -> Span:
        """Where `text[start:end]` stands in the original."""
        if start >= end or not self.spans:
            return Span(0, 0)
        return Span(self.spans[start].start, self.spans[min(end, len(self.spans)) - 1].end)


@lru_cache(maxsize=256)
def views(text: str) -> tuple[View, ...]:
    """The open reading first, then everything hidden or encoded that reads as text."""
    base = open_view(text)
    return (base, *_invisible_views(text), *_encoded_views(text, base))


def open_view(text: str) -> View:
    """The text without invisible characters, compatibility forms and look-alike letters, in lower case."""
    if text.isascii():
        return View(text.lower(), "plain", False, _Identity(len(text)))
    letters, spans, marked, form = _unmasked(text)
    return View("".join(letters), form, False, spans, tuple(marked))


class _Identity(Sequence[Span]):
    """Spans of a text that was not changed, without making them all."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int | slice) -> Span:  # type: ignore[override]
        if isinstance(index, slice):
            raise TypeError("one position at a time")
        return Span(index, index + 1)


def _unmasked(text: str) -> tuple[list[str], list[Span], list[int], str]:
    """Folded characters, their spans, positions that were masked, and the form of masking."""
    look_alikes = _look_alike_positions(text)
    letters: list[str] = []
    spans: list[Span] = []
    marked: list[int] = []
    hidden = 0
    for position, char in enumerate(text):
        code = ord(char)
        if code in INVISIBLE or code in TAGS or code in SELECTORS:
            if _splits_word(text, position):
                hidden += 1
                marked.append(len(letters))
            continue
        plain = look_alikes.get(position) or ("'" if char in _APOSTROPHES else unicodedata.normalize("NFKC", char))
        if char in _APOSTROPHES and not _inside_word(text, position):
            plain = char
        if position in look_alikes or (plain != char and char.isalpha() and plain.isascii()):
            marked.append(len(letters))
        for folded in plain.lower():
            letters.append(folded)
            spans.append(Span(position, position + 1))
    form = "hidden characters" if hidden >= MIN_HIDDEN_LETTERS else "look-alike letters" if len(marked) >= MIN_HIDDEN_LETTERS else "plain"
    return letters, spans, marked if form != "plain" else [], form


def _inside_word(text: str, position: int) -> bool:
    return 0 < position < len(text) - 1 and text[position - 1].isalpha() and text[position + 1].isalpha()


def _splits_word(text: str, position: int) -> bool:
    """Whether an invisible character stands between two characters of a script that has no use for it."""
    if ord(text[position]) in range(0xFE00, 0xFE10):
        return False
    before = text[position - 1] if position else " "
    after = text[position + 1] if position + 1 < len(text) else " "
    if not ((before.isalnum() and (after.isalnum() or after.isspace())) or (before.isspace() and after.isalnum())):
        return False
    return not any(unicodedata.name(char, "").startswith(_JOINING) for char in (before, after))


def _look_alike_positions(text: str) -> dict[int, str]:
    """Letters of another script that stand for Latin ones, in words that hold Latin letters too (or in a mostly Latin text)."""
    table = lexicon().confusables
    latin = sum(char.isascii() and char.isalpha() for char in text)
    foreign = sum(char in table for char in text)
    if not foreign:
        return {}
    mostly_latin = latin > 3 * foreign
    found: dict[int, str] = {}
    for start, end in _word_ranges(text):
        word = text[start:end]
        strange = [index for index, char in enumerate(word) if char in table]
        mixed = any(char.isascii() and char.isalpha() for char in word)
        whole = len(strange) == sum(char.isalpha() for char in word)
        if strange and (
            mixed
            or (whole and mostly_latin and len(strange) > 1)
            or (whole and mostly_latin and "CYRILLIC" in unicodedata.name(word[0], ""))
        ):
            found.update({start + index: table[word[index]] for index in strange})
    return found


def _word_ranges(text: str) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for position, char in enumerate(text):
        inside = char.isalnum() or ord(char) in INVISIBLE
        if inside and start is None:
            start = position
        elif not inside and start is not None:
            yield start, position
            start = None
    if start is not None:
        yield start, len(text)


def _invisible_views(text: str) -> Iterator[View]:
    """Text written in tag characters, in variation selectors, or turned round by an override."""
    if text.isascii():
        return
    for block, form, decoder in ((TAGS, "tag characters", decode.tags), (SELECTORS, "variation selectors", decode.selectors)):
        for start, end in _runs(text, block):
            yield from _decoded_view(decoder(text[start:end]), form, Span(start, end))
    for start, end, content in decode.overrides(text):
        yield from _decoded_view(content, "reversed by a direction mark", Span(start, end))


def _runs(text: str, block: range) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for position, char in enumerate(text + " "):
        inside = ord(char) in block
        if inside and start is None:
            start = position
        elif not inside and start is not None:
            yield start, position
            start = None


def _encoded_views(text: str, base: View) -> Iterator[View]:
    for form, span, content in decode.encoded(text):
        yield from _decoded_view(content, form, span)
    for form, start, end, content in decode.disguised(base.text):
        yield from _decoded_view(content, form, base.origin(start, end))
    lettered, changed = decode.with_letters(base.text)
    if changed:
        yield View(lettered, "digits for letters", False, base.spans, changed)


def _decoded_view(content: str, form: str, span: Span) -> Iterator[View]:
    inner = open_view(content)
    if sum(char.isalpha() for char in inner.text) >= SHORTEST_ENCODED:
        yield View(inner.text, form, True, (span,) * len(inner.text))
