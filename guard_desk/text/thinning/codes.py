"""Codes that answer as a whole: part numbers, versions, telephone numbers, map references, addresses, results of matches."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.thinning.coverage import SentenceView

# Numbers and letters joined by points or hyphens, as versions, postal codes and part numbers are.
_CODE = re.compile(r"(?<![\w.-])(?:v?\d+(?:\.\d+){2,}(?:[-+]\w+)*|[A-Z]{1,4}-?\d[\dA-Z]*(?:-[\dA-Z]+)*)(?!\w)")
# The same with a space ("ZT 2980"), where the question speaks of a code; elsewhere capitals before a number are another word ("TCP 9301").
_SPACED_CODE = re.compile(r"(?<![\w.-])[A-Z]{1,4} \d+(?!\w)")
# Three groups of digits or more, or two behind a 0 or a plus ("0451 2219"): a telephone number, no range and no sum.
_TELEPHONE = re.compile(r"(?<![\w.,-])(?:(?:\+\d{1,3}|0\d{1,5})(?:[ /-]\d{2,8}){1,5}|\d{2,5}(?:[ /-]\d{2,5}){2,5})(?![\w,]|\.\d)")
# "NK 4471 2093": a square of a map with two numbers.
_MAP_REFERENCE = re.compile(r"(?<![\w.-])[A-Z]{1,3}(?: \d{2,}){2,}(?!\w)")
# "EL4 7QR": groups of capitals and digits, each with a digit, where a code or a number is asked for.
_GROUPED_CODE = re.compile(r"(?<![\w.-])(?=[\dA-Z ]*[A-Z])[A-Z]*\d[\dA-Z]*(?: [A-Z]*\d[\dA-Z]*)+(?![\w-])")
_RESULT = re.compile(r"(?<![\w.:-])\d{1,3} ?[-\u2013:] ?\d{1,3}(?![\w:-])")
_ADDRESSES = frozenset({"email", "url"})
_CODES = frozenset({"code", "number", "registr", "plate", "refer", "sign", "postcod"})
RESULTS = frozenset({"score", "result", "ratio", "scale", "odd"})
"""Stems of words by which a question asks for the result of a match."""


def whole_code(sentence: SentenceView, value: Value, asked: frozenset[str]) -> Span:
    """The code that a bare number is a part of ("9" of "9.3.10", "990" of "0140 990 17"), else the number itself.

    :param asked: stems of the words that name what is asked.
    """
    if value.unit or value.kind not in (ValueKind.NUMBER, ValueKind.IDENTIFIER):
        return value.span
    spaced = (_GROUPED_CODE, _SPACED_CODE) if asked & _CODES else ()
    result = (_RESULT,) if asked & RESULTS else ()
    for pattern in (_MAP_REFERENCE, _TELEPHONE, _CODE, *spaced, *result):
        for match in pattern.finditer(sentence.text, sentence.span.start, sentence.span.end):
            if match.start() <= value.span.start and value.span.end <= match.end():
                return Span(*match.span())
    return value.span


def codes_of(sentence: SentenceView) -> list[Span]:
    """Telephone numbers and map references of a sentence."""
    found = (pattern.finditer(sentence.text, sentence.span.start, sentence.span.end) for pattern in (_MAP_REFERENCE, _TELEPHONE))
    return [Span(*match.span()) for matches in found for match in matches]


def addresses(values: Sequence[Value]) -> list[Value]:
    """Addresses of mail and web among values."""
    return [value for value in values if value.kind is ValueKind.IDENTIFIER and value.label in _ADDRESSES]


def code_key(text: str) -> str | None:
    """A telephone number or map reference without its spaces and marks, by which it is compared; None for other words."""
    whole = _TELEPHONE.fullmatch(text) or _MAP_REFERENCE.fullmatch(text.upper())
    return re.sub(r"[ /-]", "", text) if whole else None
