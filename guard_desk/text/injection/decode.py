"""Undoes the ways in which text is hidden: encodings, tag characters, reversed or spelled-out writing.

Nothing is run or fetched: bytes become text, and only what reads as text is handed on.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from guard_desk.records.corpus import Span
from guard_desk.text.injection.lexicon import lexicon

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}={0,2}(?![A-Za-z0-9+/=_-])")
_BASE32 = re.compile(r"(?<![A-Z2-7=])[A-Z2-7]{24,}={0,6}(?![A-Z2-7=])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s,:;]{0,2}){10,}(?![0-9A-Za-z])")
_BINARY = re.compile(r"(?<![01])(?:[01]{8}\s?){6,}(?![01])")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}|[A-Za-z0-9_.~+-]){12,}")
_ESCAPES = re.compile(r"(?:\\u\{?[0-9A-Fa-f]{4,6}\}?|\\x[0-9A-Fa-f]{2}){6,}")
_ENTITIES = re.compile(r"(?:&#x?[0-9A-Fa-f]{2,6};\s?){6,}")
_OVERRIDE = re.compile("[\u202e\u202d\u2067]([^\u202c\u2069\n]{6,})")
_SPELLED = re.compile(r"(?<!\w)(?:\w[ .\-_*|]{1,3}){7,}\w(?!\w)")
# A digit before a letter inside a word ("1gn0re"), but not a number with its unit ("24km") nor a name with a number ("llama2").
_MIXED_WORD = re.compile(r"(?<![\w$@])(?![0-9]+[a-z]{1,3}(?!\w))(?=[a-z0-9$@!|]{4,}(?!\w))[a-z0-9$@|]*[013457@$!|][a-z][a-z0-9$@!|]*")
_SENTENCE = re.compile(r"[^.!?\n]{20,}")
LEAST_MIXED_WORDS = 2
_LEET = str.maketrans("013457@$!|", "oieastasii")


def tags(run: str) -> str:
    """Text written in Unicode tag characters (ASCII moved to U+E0000)."""
    return "".join(chr(ord(char) - 0xE0000) for char in run if 0xE0020 <= ord(char) < 0xE007F)


def selectors(run: str) -> str:
    """Bytes written as variation selectors 17 to 256."""
    return (
        _readable(bytes(min(255, ord(char) - 0xE0100 + 16) for char in run)) or _readable(bytes(ord(char) - 0xE0100 for char in run)) or ""
    )


def overrides(text: str) -> Iterator[tuple[int, int, str]]:
    """Stretches that a right-to-left override shows the other way round."""
    for match in _OVERRIDE.finditer(text):
        yield match.start(), match.end(), match[1][::-1]


def encoded(text: str) -> Iterator[tuple[str, Span, str]]:
    """Stretches in base64, base32, hexadecimal, binary, percent or character escapes that decode to readable text."""
    for form, pattern, decoder in _DECODERS:
        for match in pattern.finditer(text):
            content = decoder(match[0])
            if content:
                yield form, Span(*match.span()), content
                yield from _nested(content, Span(*match.span()))


def _nested(content: str, span: Span) -> Iterator[tuple[str, Span, str]]:
    """One more layer of base64."""
    for match in _BASE64.finditer(content):
        inner = _base64(match[0])
        if inner:
            yield "base64", span, inner


def disguised(folded: str) -> Iterator[tuple[str, int, int, str]]:
    """Spelled-out, digit-for-letter, rotated and reversed writing in folded text."""
    for match in _SPELLED.finditer(folded):
        yield "spelled out", match.start(), match.end(), _joined(match[0])
    for match in _SENTENCE.finditer(folded):
        sentence = match[0]
        for form, other in (("rot13", codecs.encode(sentence, "rot13")), ("reversed", sentence[::-1])):
            if _reads_better(other, sentence):
                yield form, match.start(), match.end(), other


def with_letters(folded: str) -> tuple[str, tuple[int, ...]]:
    """The text with digits and signs in the middle of words read as letters ("1gn0re"), and the positions that changed."""
    letters = list(folded)
    changed: list[int] = []
    words = 0
    for match in _MIXED_WORD.finditer(folded):
        words += 1
        for position in range(*match.span()):
            plain = folded[position].translate(_LEET)
            if plain != folded[position]:
                letters[position] = plain
                changed.append(position)
    return "".join(letters), tuple(changed) if words >= LEAST_MIXED_WORDS else ()


def _joined(spelled: str) -> str:
    """The words of "i g n o r e   a l l": wider gaps part words; without any the letters run together."""
    words = re.split(r"\s{2,}|[|]", spelled) if re.search(r"\s{2,}", spelled) else [spelled]
    return " ".join(re.sub(r"[ .\-_*]", "", word) for word in words)


def _reads_better(other: str, text: str) -> bool:
    """Whether one word in five of `other` is among the commonest, and hardly any of `text`."""
    return text.isascii() and _common_share(other) >= 0.2 and _common_share(text) <= 0.05


def _common_share(text: str) -> float:
    words = re.findall(r"[^\W\d_]+", text)
    return sum(word in lexicon().common for word in words) / len(words) if len(words) >= 4 else 0.0


def _readable(data: bytes) -> str:
    """The bytes as text when they are UTF-8 and nearly all printable, else ""."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    printable = sum(char.isprintable() or char in "\n\t\r" for char in text)
    letters = sum(char.isalpha() for char in text)
    return text if text and printable == len(text) and letters * 2 > len(text) else ""


def _base64(run: str) -> str:
    stripped = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(stripped) % 4 == 1:
        return ""
    try:
        return _readable(base64.b64decode(stripped + "=" * (-len(stripped) % 4), validate=True))
    except (binascii.Error, ValueError):
        return ""


def _base32(run: str) -> str:
    stripped = run.rstrip("=")
    try:
        return _readable(base64.b32decode(stripped + "=" * (-len(stripped) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _hexadecimal(run: str) -> str:
    digits = re.sub(r"0x|\\x|[^0-9A-Fa-f]", "", run)
    return _readable(bytes.fromhex(digits)) if len(digits) % 2 == 0 else ""


def _binary(run: str) -> str:
    return _readable(bytes(int(octet, 2) for octet in re.findall(r"[01]{8}", run)))


def _percent(run: str) -> str:
    return unquote(run.replace("+", " ")) if run.count("%") >= 3 else ""


def _escapes(run: str) -> str:
    codes = re.findall(r"\\u\{?([0-9A-Fa-f]{4,6})\}?|\\x([0-9A-Fa-f]{2})", run)
    points = [int(wide or narrow, 16) for wide, narrow in codes]
    return "".join(chr(point) for point in points if point < 0x110000 and not 0xD800 <= point < 0xE000)


_DECODERS = (
    ("base64", _BASE64, _base64),
    ("base32", _BASE32, _base32),
    ("hexadecimal", _HEX, _hexadecimal),
    ("binary", _BINARY, _binary),
    ("percent encoding", _PERCENT, _percent),
    ("character escapes", _ESCAPES, _escapes),
    ("character entities", _ENTITIES, html.unescape),
)
