"""Tokens as text while they come, without halves of characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# What a tokenizer writes for bytes that are no whole character yet.
_HALF = "\ufffd"


class TextPieces:
    """Turns tokens into pieces of text that together are the text of all tokens.

    Tokens are decoded behind those of the piece before: some tokenizers write a word's space only behind another word.

    :param decode: the text of some tokens.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]) -> None:
        self._decode = decode
        self._tokens: list[int] = []
        self._from = 0
        self._written = 0

    def add(self, token: int) -> str:
        """What can be written with one more token; "" while a character is not whole."""
        self._tokens.append(token)
        piece = self._waiting()
        return "" if piece.endswith(_HALF) else self._write(piece)

    def end(self) -> str:
        """What is left, whole or not."""
        return self._write(self._waiting())

    def _waiting(self) -> str:
        before = self._decode(self._tokens[self._from : self._written])
        return self._decode(self._tokens[self._from :])[len(before) :]

    def _write(self, piece: str) -> str:
        if piece:
            self._from, self._written = self._written, len(self._tokens)
        return piece
