"""Tokens of a text for the finders of values: numbers, words, single CJK characters and signs, with offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from guard_desk.text.normalize import fold_text

CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Shapes of a number, most specific first; what "1.500" means is decided by the language (see `numbers.literal`).
_SHAPES = (
    r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?",
    r"\d{1,3}(?:'\d{3})+(?:[.,]\d+)?",
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?",
    r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?",
    r"\d{1,3}(?:\.\d{3})+(?:,\d+)?",
    r"\d+[.,]\d+",
)
# Plain ASCII words come first: the word of the fourth line, read more quickly.
_TOKEN = re.compile(
    r"(?P<plain>[A-Za-z]++(?![^\W\d_]|[\u0300-\u036f\u0900-\u0dff']))"
    rf"|(?P<number>(?:(?<!\d[.,])(?:{'|'.join(_SHAPES)})(?![.,']?\d)(?! \d{{3}}(?!\d))|\d+|(?<![\w.)\]])\.\d+(?!\.\d))"
    r"(?:[eE][+-]?\d{1,3}(?!\w))?)"
    rf"|(?P<cjk>[{CJK}])"
    rf"|(?P<word>(?:[^\W\d_{CJK}]|[\u0300-\u036f\u0900-\u0dff])+(?:'(?:[^\W\d_{CJK}]|[\u0300-\u036f])+)*)"
    r"|(?P<sign>\S)"
)


@dataclass(slots=True)
class Scan:
    """The tokens of one plain text as parallel lists.

    :param kinds: "number", "cjk", "word" or "sign" of each token.
    :param words: the tokens as they stand; `folded`: with case folded.
    """

    text: str
    kinds: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    folded: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    # The text with line breaks as spaces; and the folded tokens with their spaces, with offsets of their own, so that
    # a phrase is one slice.
    _flat: str = ""
    _low: str = ""
    _low_starts: list[int] = field(default_factory=list)
    _low_ends: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def glued(self, index: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return 0 < index < len(self.words) and self.starts[index] == self.ends[index - 1]

    def word(self, index: int) -> str:
        """The folded token, "" outside the text."""
        return self.folded[index] if 0 <= index < len(self.folded) else ""

    def kind(self, index: int) -> str:
        """The kind of a token, "" outside the text."""
        return self.kinds[index] if 0 <= index < len(self.kinds) else ""

    def phrase(self, begin: int, end: int, *, fold: bool = True) -> str:
        """Tokens begin..end (at least one) as they stand, a line break as a space."""
        if fold:
            return self._low[self._low_starts[begin] : self._low_ends[end - 1]]
        return self._flat[self.starts[begin] : self.ends[end - 1]]

    def breaks(self, index: int) -> bool:
        """Whether a line break stands before a token."""
        return 0 < index < len(self.words) and self.starts[index] > self.ends[index - 1] and self.text[self.ends[index - 1]] == "\n"

    def finish(self) -> None:
        """Prepare the slices that `phrase` takes."""
        self._flat = self.text.replace("\n", " ")
        parts: list[str] = []
        position = reached = 0
        for token, start, end in zip(self.folded, self.starts, self.ends, strict=True):
            if start > reached:
                parts.append(" ")
                position += 1
            parts.append(token)
            self._low_starts.append(position)
            position += len(token)
            self._low_ends.append(position)
            reached = end
        self._low = "".join(parts)


def scan(text: str) -> Scan:
    """Split a plain text (see `normalize.plain`) into tokens."""
    result = Scan(text)
    kinds, words, folded, starts, ends = result.kinds, result.words, result.folded, result.starts, result.ends
    for match in _TOKEN.finditer(text):
        token, kind = match.group(), match.lastgroup or "sign"
        if kind == "plain":
            kind = "word"
        kinds.append(kind)
        words.append(token)
        folded.append(token.casefold() if kind == "word" and token.isascii() else fold_text(token) if kind == "word" else token)
        start, end = match.span()
        starts.append(start)
        ends.append(end)
    result.finish()
    return result
