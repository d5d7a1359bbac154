"""Which text encoding a file has: byte order mark, UTF-8, UTF-16 without a mark, then a guess among the common code pages.

The whole file is looked at once in chunks, because a file may be plain ASCII for megabytes before its first umlaut.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from guard_desk.errors import CorpusError

HEAD_BYTES = 1 << 18
_SAMPLE_BYTES = 1 << 17
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HALF_CHARACTER = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")  # a lone surrogate, as careless writers of UTF-8 leave it
_CANDIDATES = [
    "gb18030",
    "big5",
    "shift_jis",
    "euc_kr",
    "euc_jp",
    "cp1250",
    "cp1251",
    "cp1252",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
]
# Letters and marks that are usual in texts of the four Latin code pages; the same bytes read as another page give rare ones.
_LATIN_USUAL = {
    "cp1252": "äöüßÄÖÜéèêëàâçîïôûùœæøåÉÀÇñóíáúÑÓÍÁÚ¿¡ãõºª€–—“”‘’„…«»°§·•£©®™",
    "cp1250": "ąćęłńóśźżĄĆĘŁŚŹŻčďěňřšťůýžČŘŠŽáéíúőűŐŰăâîșțşţđ–—“”„…",
    "cp1254": "çğıöşüÇĞİÖŞÜ–—“”‘’…",
    "cp1257": "ąčęėįšųūžĄČĘĖĮŠŲŪŽāēģīķļņšõäöü–—“”„…",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What one look through the bytes of a file gave.

    :param head: the first 256 KiB.
    :param size: bytes in all, decompressed.
    :param utf8: whether all of it is valid UTF-8.
    :param sample: lines that hold bytes outside ASCII.
    """

    head: bytes
    size: int
    utf8: bool
    sample: bytes
    has_line_feed: bool
    has_carriage_return: bool


def scan(chunks: Iterable[bytes]) -> Scan:
    """Look through a file once; keeps the head and a sample only."""
    head, sample = bytearray(), bytearray()
    size, utf8, line_feed, carriage_return = 0, True, False, False
    decoder = codecs.getincrementaldecoder("utf-8")()
    for chunk in chunks:
        size += len(chunk)
        head += chunk[: max(0, HEAD_BYTES - len(head))]
        line_feed = line_feed or b"\n" in chunk
        carriage_return = carriage_return or b"\r" in chunk
        if not chunk.isascii() and len(sample) < _SAMPLE_BYTES:
            sample += _odd_lines(chunk, _SAMPLE_BYTES - len(sample))
        if utf8:
            utf8 = _still_valid(decoder, chunk)
    utf8 = utf8 and _still_valid(decoder, b"", final=True)
    return Scan(head=bytes(head), size=size, utf8=utf8, sample=bytes(sample), has_line_feed=line_feed, has_carriage_return=carriage_return)


def _odd_lines(chunk: bytes, limit: int) -> bytes:
    found = bytearray()
    for line in chunk.split(b"\n"):
        if not line.isascii():
            found += line + b"\n"
            if len(found) >= limit:
                break
    return bytes(found[:limit])


def _still_valid(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def find_encoding(found: Scan, forced: str | None = None) -> str:
    """Name of the encoding, as Python knows it.

    :param forced: what the user chose; wins over everything.
    :raises CorpusError: for a forced name that is no text encoding.
    """
    mark = next((name for start, name in _MARKS if found.head.startswith(start)), None)
    if forced is not None:
        return _forced(forced, mark)
    if mark is not None:
        return mark
    wide = _wide(found.head)
    if wide is not None:
        return wide
    if found.utf8 or _mostly_utf8(found.sample):
        return "utf-8"
    return guess(found.sample)


def _forced(name: str, mark: str | None) -> str:
    try:
        known = codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError, TypeError) as error:
        raise CorpusError(
            f"the encoding {name!r} is not known.", remedy="Known: utf-8, utf-16, gb18030, cp1252, cp1250, cp1251 and others of Python."
        ) from error
    if known.name in ("utf-16", "utf-32"):
        return mark if mark and mark.startswith(known.name) else f"{known.name}-le"
    return "utf-8-sig" if known.name == "utf-8" and mark == "utf-8-sig" else known.name


def _wide(head: bytes) -> str | None:
    """UTF-16 without a byte order mark: zero bytes at every second place only, and a text that makes sense."""
    head = head[: len(head) // 2 * 2][:8192]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if even + odd < max(2, len(head) // 200) or min(even, odd) * 20 > max(even, odd):
        return None
    name = "utf-16-le" if odd > even else "utf-16-be"
    try:
        text = head.decode(name, "surrogatepass")
    except UnicodeDecodeError:
        return None
    odd_characters = sum(1 for ch in text if unicodedata.category(ch) in ("Cc", "Cn", "Co") and ch not in "\t\r\n\f")
    return name if odd_characters * 50 <= len(text) else None


def _mostly_utf8(sample: bytes) -> bool:
    """Whether well-formed characters outnumber stray bytes: then it is UTF-8 with some bad lines."""
    whole, halves = _HALF_CHARACTER.subn(b"", sample)
    text = whole.decode("utf-8", "surrogateescape")
    stray = sum(1 for ch in text if "\udc80" <= ch <= "\udcff")
    good = sum(1 for ch in text if ch > "\x7f") - stray + halves
    return good > stray


def guess(sample: bytes) -> str:
    """The likeliest of the common older encodings; cp1252 when nothing speaks for another."""
    import charset_normalizer

    matches = [match.encoding for match in charset_normalizer.from_bytes(sample, cp_isolation=_CANDIDATES)]
    if not matches:
        return "cp1252"
    if matches[0] not in _LATIN_USUAL:
        return matches[0]
    return max(_LATIN_USUAL, key=lambda name: _usual_letters(sample, name))


def _usual_letters(sample: bytes, name: str) -> float:
    """Share of the characters outside ASCII that are usual for this code page; cp1252 wins ties by being first."""
    usual = _LATIN_USUAL[name]
    odd = [ch for ch in sample.decode(name, "replace") if ch > "\x7f"]
    return sum(ch in usual for ch in odd) / max(1, len(odd))
