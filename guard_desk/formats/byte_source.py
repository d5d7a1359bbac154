"""One file as bytes: plain or gzip, in chunks, with progress, cancel, and a note of what is damaged.

gzip is recognised by its first bytes, whatever the file is called. What can be decompressed before a damaged place is
given; `ByteSource.damage` then says in plain words why the rest is missing.
"""

from __future__ import annotations

import errno
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from guard_desk.errors import CorpusError

CHUNK_BYTES = 1 << 20
_GZIP_BLOCK_BYTES = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_CAUSES = {
    errno.ENOENT: ("not found.", "Check the path."),
    errno.ENOTDIR: ("not found.", "Check the path."),
    errno.EACCES: ("permission denied; the file cannot be read.", "Allow reading it, or copy it to a folder of yours."),
    errno.EPERM: ("permission denied; the file cannot be read.", "Allow reading it, or copy it to a folder of yours."),
    errno.ELOOP: ("the link points to itself in a loop and cannot be followed.", "Open the file itself."),
}


def unreadable(path: Path, error: OSError | ValueError) -> CorpusError:
    """The error for a path that the system will not open."""
    number = error.errno if isinstance(error, OSError) else None
    cause, remedy = _CAUSES.get(number or 0, (f"cannot be read: {getattr(error, 'strerror', None) or error}.", "Check the path."))
    return CorpusError(cause, path=path, remedy=remedy)


class ByteSource:
    """An opened file. Use it as a context manager.

    :param path: the file.
    :param on_bytes: told how many bytes were read from disk, after each chunk of a counted pass.
    :raises CorpusError: when the file cannot be opened.
    """

    def __init__(self, path: Path, on_bytes: Callable[[int], None]) -> None:
        self.path = path
        self.damage = ""
        self._on_bytes = on_bytes
        self._stream = _opened(path)
        self.compressed = self._stream.read(2) == _GZIP_MAGIC

    def __enter__(self) -> ByteSource:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stream.close()

    def chunks(self, *, counted: bool) -> Iterator[bytes]:
        """The content from the start, decompressed, in chunks of about a megabyte.

        :param counted: whether this pass is the one that progress counts; other passes report 0 bytes, so that a
            cancel is noticed.
        """
        self.damage = ""
        self._stream.seek(0)
        blocks = self._blocks(counted=counted)
        yield from self._inflated(blocks) if self.compressed else blocks

    def _blocks(self, *, counted: bool) -> Iterator[bytes]:
        size = _GZIP_BLOCK_BYTES if self.compressed else CHUNK_BYTES
        while True:
            try:
                block = self._stream.read(size)
            except OSError as error:
                self.damage = f"reading stopped: {error.strerror or error}"
                return
            if not block:
                return
            self._on_bytes(len(block) if counted else 0)
            yield block

    def _inflated(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        inflater = zlib.decompressobj(wbits=31)
        inside = False
        for block in blocks:
            while block:
                if not inside and not block.startswith(_GZIP_MAGIC[: len(block)]):
                    self.damage = "" if not block.strip(b"\0") else "there are bytes after the end of the gzip data"
                    return
                inside = True
                before = inflater.copy()
                try:
                    data = inflater.decompress(block, CHUNK_BYTES)
                except zlib.error as error:
                    yield from _before_damage(before, block)
                    self.damage = f"the gzip data is damaged ({error})"
                    return
                if data:
                    yield data
                block = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
                if inflater.eof:
                    inflater, inside = zlib.decompressobj(wbits=31), False
        if inside:
            yield inflater.flush()
            self.damage = self.damage or "the gzip data ends too early (truncated)"


def _before_damage(inflater: zlib._Decompress, block: bytes) -> Iterator[bytes]:
    """What a damaged block still gives, read in small steps."""
    for start in range(0, len(block), 64):
        try:
            yield inflater.decompress(block[start : start + 64])
        except zlib.error:
            return


def _opened(path: Path) -> BinaryIO:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise CorpusError("not a regular file.", path=path, remedy="Save the data to a file first.")
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def size_of(path: Path) -> int:
    """Bytes on disk; 0 when it cannot be told."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 - a path with odd characters stays as it is
    except (OSError, ValueError):
        return 0
