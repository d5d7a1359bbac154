"""One file as text: its encoding found and told, in pieces or in numbered lines, with bounded memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

from guard_desk.errors import CorpusError
from guard_desk.formats.byte_source import ByteSource
from guard_desk.formats.encodings import Scan, find_encoding, scan

_STRAY = re.compile("[\udc80-\udcff]+")
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


class TextFile:
    """An opened text file. Use it as a context manager.

    :ivar path: where it lies.
    :ivar name: how passages name it: the file name, or the relative path inside a folder.
    :ivar encoding: name of the encoding that was found or forced.
    :ivar cut_line: number of the last line when it is incomplete because the file is damaged there; else None.
    :raises CorpusError: when it cannot be opened or is empty.
    """

    def __init__(self, path: Path, *, name: str, encoding: str | None, on_bytes: Callable[[int], None]) -> None:
        self.path = path
        self.name = name
        self.cut_line: int | None = None
        self._bytes = ByteSource(path, on_bytes)
        try:
            self.scan: Scan = scan(self._bytes.chunks(counted=False))
            self.encoding = _named(find_encoding, self.scan, encoding, path)
        except BaseException:
            self._bytes.__exit__(None, None, None)
            raise

    def __enter__(self) -> TextFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bytes.__exit__(kind, error, trace)

    @property
    def damage(self) -> str:
        """Why the end of the file is missing; "" when all of it was read."""
        return self._bytes.damage

    @property
    def head(self) -> str:
        """The beginning as text, up to 256 KiB of bytes."""
        decoder = codecs.getincrementaldecoder(self.encoding)(errors=self._errors)
        return decoder.decode(self.scan.head).removeprefix("\ufeff")

    @property
    def newline(self) -> str:
        """Line feed; carriage return for files that have no line feed at all."""
        return "\r" if self.scan.has_carriage_return and not self.scan.has_line_feed else "\n"

    @property
    def _errors(self) -> str:
        return "surrogatepass" if self.encoding in _WIDE else "surrogateescape"

    def pieces(self) -> Iterator[str]:
        """The text in pieces. Bytes that do not fit the encoding become marks that `stray_bytes` finds."""
        decoder = codecs.getincrementaldecoder(self.encoding)(errors=self._errors)
        first = True
        for chunk in self._bytes.chunks(counted=True):
            piece = self._decoded(decoder, chunk)
            if first and piece:
                piece, first = piece.removeprefix("\ufeff"), False
            if piece:
                yield piece
        tail = self._decoded(decoder, b"", final=True)
        if tail:
            yield tail

    def _decoded(self, decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> str:
        try:
            return decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            if not self._bytes.damage:
                self._bytes.damage = f"the {self.encoding} text is damaged ({error.reason})"
            return ""

    def lines(self) -> Iterator[tuple[int, str]]:
        """Every line with its 1-based number, without its line end. U+2028 and the like are no line ends."""
        number = 0
        rest: list[str] = []
        for piece in self.pieces():
            parts = piece.split(self.newline)
            rest.append(parts[0])
            if len(parts) == 1:
                continue
            parts[0] = "".join(rest)
            rest = [parts.pop()]
            for line in parts:
                number += 1
                yield number, line.rstrip("\r")
        last = "".join(rest)
        if last:
            self.cut_line = number + 1 if self.damage else None
            yield number + 1, last.rstrip("\r")

    def stray_bytes(self, text: str) -> str | None:
        """What is wrong with a text that holds bytes which do not fit the encoding; None when nothing is."""
        if self.encoding in _WIDE or (self.scan.utf8 and self.encoding.startswith("utf-8")):
            return None
        found = _STRAY.search(text)
        if found is None:
            return None
        shown = " ".join(f"0x{ord(ch) - 0xDC00:02x}" for ch in found.group()[:4])
        return f"it has bytes that are no {self.encoding} text ({shown} at character {found.start() + 1}); choose another encoding"


def _named(finder: Callable[[Scan, str | None], str], found: Scan, encoding: str | None, path: Path) -> str:
    try:
        return finder(found, encoding)
    except CorpusError as error:
        raise CorpusError(error.cause, path=path, remedy=error.remedy) from error
