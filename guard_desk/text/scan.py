"""Tokens of a text for the finders of values: numbers, words, single CJK characters and signs, with offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from guard_desk.text import normalize

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
_TOKEN = re.compile(
    rf"(?P<number>(?:(?<!\d[.,])(?:{'|'.join(_SHAPES)})(?![.,']?\d)(?! \d{{3}}(?!\d))|\d+|(?<![\w.)\]])\.\d+(?!\.\d))(?:[eE][+-]?\d{{1,3}}(?!\w))?)"
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
        """Tokens begin..end joined as they stand, white space as one space."""
        words = self.folded if fold else self.words
        if begin + 1 == end:
            return words[begin]
        parts = [words[begin]]
        for index in range(begin + 1, end):
            if self.starts[index] != self.ends[index - 1]:
                parts.append(" ")
            parts.append(words[index])
        return "".join(parts)

    def breaks(self, index: int) -> bool:
        """Whether a line break stands before a token."""
        return 0 < index < len(self.words) and self.text[self.ends[index - 1]] == "\n" and self.starts[index] > self.ends[index - 1]


def scan(text: str) -> Scan:
    """Split a plain text (see `normalize.plain`) into tokens."""
    result = Scan(text)
    for match in _TOKEN.finditer(text):
        token = match.group()
        result.kinds.append(match.lastgroup or "sign")
        result.words.append(token)
        result.folded.append(token.casefold() if token.isascii() else normalize.fold_text(token))
        result.starts.append(match.start())
        result.ends.append(match.end())
    return result
