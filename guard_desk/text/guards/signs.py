"""Signs that are no punctuation: they make another name or another formula of the same words ("A+", "C++", "the + key")."""

from __future__ import annotations

import re

from guard_desk.text.normalize import plain

_SIGNS = re.compile(
    r"(?<=[A-Za-z])[+#]+(?!\w)"  # C++, C#, A+
    r"|(?<=\b[A-Z])[-\u2212](?![\w\s-])|(?<=\b[A-Z])[-\u2212](?=\s*$)"  # A-
    r"|(?<=\s)(?:[+=<>\u2212]|//|#)(?=\s)"  # a + b, the + key
)


def signs(text: str) -> tuple[str, ...]:
    """The signs of a text that carry meaning, sorted; a mark of a list or heading at the head of a line is none."""
    if text.isalnum():
        return ()
    return tuple(sorted(match[0] for match in _SIGNS.finditer(plain(text).text)))
