"""Where two texts differ, word by word, with the exact places in both; for people who compare two near passages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from guard_desk.records.corpus import Span
from guard_desk.text.words import words

_SIGN = re.compile(r"[!-/:-@\[-`{-~]|[^\s!-/:-@\[-`{-~]+")
_LONG = 2000
"""From so many tokens on, frequent ones are not looked up one by one: the time grows with the square otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of both texts; one side may be empty, then its span says where the other's words are missing.

    :param same: whether both sides hold the same words (layout may differ).
    """

    same: bool
    left: Span
    right: Span


def word_diff(left: str, right: str) -> tuple[Piece, ...]:
    """The two texts cut into equal and different stretches, in order.

    A token is a word, a Han or kana character, or a sign; white space is no token, so layout alone makes no difference.

    :returns: pieces that hold every token of both texts exactly once; spans in code points.
    """
    ours, theirs = tuple(_tokens(left)), tuple(_tokens(right))
    matcher = SequenceMatcher(
        None, [span.of(left) for span in ours], [span.of(right) for span in theirs], autojunk=max(len(ours), len(theirs)) > _LONG
    )
    return tuple(
        Piece(same=kind == "equal", left=_joined(ours, i, j, len(left)), right=_joined(theirs, k, m, len(right)))
        for kind, i, j, k, m in matcher.get_opcodes()
    )


def differences(left: str, right: str) -> tuple[Piece, ...]:
    """Only the pieces that differ."""
    return tuple(piece for piece in word_diff(left, right) if not piece.same)


def _tokens(text: str) -> Iterator[Span]:
    position = 0
    for word in words(text):
        yield from _signs(text, position, word.span.start)
        yield word.span
        position = word.span.end
    yield from _signs(text, position, len(text))


def _signs(text: str, start: int, end: int) -> Iterator[Span]:
    return (Span(*match.span()) for match in _SIGN.finditer(text, start, end))


def _joined(tokens: tuple[Span, ...], first: int, end: int, length: int) -> Span:
    """From the first to the last of some tokens; an empty span before the following one when there are none."""
    if first < end:
        return Span(tokens[first].start, tokens[end - 1].end)
    place = tokens[first].start if first < len(tokens) else length
    return Span(place, place)
