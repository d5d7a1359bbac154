"""Tidies a model's entities: borders, labels of other label schemes, and finds that are no names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.text.languages import script_of
from guard_desk.text.names import Entity
from guard_desk.text.sentences import sentences
from guard_desk.text.words import fold_word, stop_words


class Found(NamedTuple):
    """An entity as a model gave it."""

    span: Span
    label: str


# Label schemes differ between pipelines; these are their common names.
_LABELS = {"PER": "PERSON", "LOC": "LOC", "MISC": "MISC", "ORGANIZATION": "ORG", "PRS": "PERSON", "PS": "PERSON"}
# Values are found by rule, better than by a model.
_VALUES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "NUM"})
# A lone word that opens a sentence is a name for a model more often than it is one.
_SHAKY = frozenset({"ORG", "PRODUCT", "WORK_OF_ART", "LAW", "EVENT", "MISC", "PERSON", "FAC", "NORP"})
_LEADING = re.compile(r"^(?:[^\w&]+|_+|(?:the|a|an|der|die|das|le|la|les|l['’]|el|los|las)\s+)+", re.IGNORECASE)
_TRAILING = re.compile(r"(?:['’]s|[\s\"'“”‘’)\]*_`|,;:\u200b-\u200d\ufeff]+)+$")
_CODE = re.compile(r"[_/\\@{}<>=]|--|\.\w+\.|^\d+$")


def clean_entities(text: str, found: Sequence[Found]) -> tuple[Entity, ...]:
    """The entities that are names, as (span, label), trimmed, in order."""
    starts = {span.start for span in sentences(text)}
    kept = []
    for entity in found:
        if entity.label in _VALUES:
            continue
        span = _trimmed(text, entity.span)
        if span.start < span.end and _is_name(text, span, entity.label, starts):
            kept.append((span, _LABELS.get(entity.label, entity.label)))
    return tuple(kept)


def _trimmed(text: str, span: Span) -> Span:
    words = span.of(text)
    line = words.find("\n\n")
    if line >= 0:
        words = words[:line]
    leading = _LEADING.match(words)
    start = leading.end() if leading else 0
    trailing = _TRAILING.search(words, start)
    end = trailing.start() if trailing else len(words)
    return Span(span.start + start, span.start + max(start, end))


def _is_name(text: str, span: Span, label: str, starts: set[int]) -> bool:
    words = span.of(text)
    if _CODE.search(words) or not any(ch.isalpha() for ch in words) or fold_word(words) in stop_words("en"):
        return False
    if words in lang.entry("en", "names.not_names") or (script_of(words[0]) == "Latin" and not any(ch.isupper() for ch in words)):
        return False
    opens = span.start in starts or any(ch in '*_`#"“' for ch in text[max(0, span.start - 1) : span.start])
    lone = not re.search(r"[\s-]", words) and not words.isupper()
    return not (opens and lone and label in _SHAKY and text.count(words) < 2)
