"""Words in quotation marks, which claim to be somebody's own words."""

from __future__ import annotations

import re

from guard_desk.records.corpus import Span

_PAIRS = re.compile(
    r"\"(?P<straight>[^\"\n]{1,600})\""
    r"|[“„](?P<curly>[^“”„\n]{1,600})[”“]"
    r"|[«»]\s?(?P<guillemet>[^«»\n]{1,600}?)\s?[»«]"
    r"|「(?P<corner>[^「」\n]{1,600})」|『(?P<double>[^『』\n]{1,600})』"
)
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_FEWEST_WORDS = 4
_FEWEST_HAN = 7


def find_quotes(answer: str) -> tuple[Span, ...]:
    """Quoted passages of some length, with their marks. Single words and short names in quotes quote nobody."""
    found = []
    for match in _PAIRS.finditer(answer):
        inner = next(group for group in match.groups() if group is not None)
        if len(_WORD.findall(inner)) >= _FEWEST_WORDS or len(_HAN.findall(inner)) >= _FEWEST_HAN:
            found.append(Span(match.start(), match.end()))
    return tuple(found)


def quoted_words(text: str) -> str:
    """The words of a text alone, folded: punctuation, case and white space do not matter in a quotation."""
    return " ".join(_WORD.findall(text.casefold()))
