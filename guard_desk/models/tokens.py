"""Counts tokens offline with tiktoken and the ranks in `resources/tokenizer`."""

from __future__ import annotations

import base64
import hashlib
import lzma
import threading
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from guard_desk import resources
from guard_desk.errors import ModelError, ModelHashError

DEFAULT_ENCODING = "o200k_base"

_LOCK = threading.Lock()


class TiktokenCounter:
    """Counts tokens of an encoding. Special tokens in a text count as the plain text they are.

    :param encoding: a name of `encoding_names()`.
    :raises ModelError: for an unknown encoding.
    """

    def __init__(self, encoding: str = DEFAULT_ENCODING) -> None:
        if encoding not in encoding_names():
            raise ModelError(f"There is no token encoding {encoding!r}; there is {', '.join(encoding_names())}.")
        self._encoding = encoding
        self._count = lru_cache(maxsize=1 << 14)(self._measure)

    @property
    def encoding(self) -> str:
        """Name of the encoding."""
        return self._encoding

    def count(self, text: str) -> int:
        """Number of tokens of a text; remembered by text."""
        return self._count(text)

    def _measure(self, text: str) -> int:
        # A lone surrogate cannot be encoded; it counts like the replacement character.
        clean = text.encode("utf-8", "replace").decode("utf-8")
        return len(_encoder(self._encoding).encode_ordinary(clean))


def encoding_names() -> tuple[str, ...]:
    """The encodings whose ranks are shipped."""
    return tuple(_encodings())


@cache
def _encodings() -> Mapping[str, Mapping[str, Any]]:
    with resources.path("tokenizer", "encodings.toml").open("rb") as stream:
        return tomllib.load(stream)


def _encoder(name: str) -> Any:
    with _LOCK:
        return _load(name)


@cache
def _load(name: str) -> Any:
    import tiktoken

    entry = _encodings()[name]
    return tiktoken.Encoding(name=name, pat_str="|".join(entry["pattern"]), mergeable_ranks=_ranks(entry), special_tokens={})


def _ranks(entry: Mapping[str, Any]) -> dict[bytes, int]:
    file = resources.path("tokenizer", entry["file"])
    try:
        data = lzma.decompress(file.read_bytes())
    except (OSError, lzma.LZMAError) as exc:
        raise ModelError(f"The token ranks {file} cannot be read: {exc}. Install Guard Desk again.") from exc
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise ModelHashError(f"{file} does not hold the ranks we know. Install Guard Desk again.")
    lines = (line.split(b" ") for line in data.split(b"\n") if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}
