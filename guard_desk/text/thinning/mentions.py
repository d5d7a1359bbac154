"""A value in a line, and when two of them are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import Bound, Value, ValueKind
from guard_desk.text.normalize import fold_text
from guard_desk.text.values import Relation, compare

_ARTICLE = re.compile(r"^(?:the|a|an|der|die|das|le|la|les|el|los|las)\s+|^l'", re.IGNORECASE)
_EDGE = " \t\"'.,;:!?()[]“”‘’«»。，、！？"
_LONGEST_PERSON = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One value in one sentence.

    :param span: in the passage text; None when the value comes from metadata.
    :param text: the value as written.
    :param value: the typed value, None for names and phrases.
    :param key: folded text by which untyped values are compared; "yes" / "no" for a yes/no question.
    :param bare: compare by the number alone, because the question says what is counted.
    :param sentence: the sentence it stands in (for near wording); the value's span in metadata.
    """

    span: Span | None
    text: str
    stance: Stance
    sentence: Span
    value: Value | None = None
    key: str = ""
    bare: bool = False
    hedged: bool = False


def text_key(text: str) -> str:
    """The form by which untyped values are compared."""
    folded = fold_text(text).strip(_EDGE)
    return _ARTICLE.sub("", folded).strip(_EDGE)


def same(a: Mention, b: Mention) -> bool:
    """Whether two mentions are the same value, whatever their format."""
    if a.value is not None and b.value is not None:
        return _same_value(a.value, b.value, bare=a.bare and b.bare)
    if a.value is None and b.value is None:
        return a.key == b.key or _same_words(a.key, b.key)
    return a.key == b.key


def compatible(a: Mention, b: Mention) -> bool:
    """Whether both can be right although one says less: "June 2001" and "2001", "Voss" and "Linus Voss"."""
    if a.value is not None and b.value is not None:
        return compare(a.value, b.value) is Relation.PARTIAL
    return a.value is None and b.value is None and _short_form(a.key, b.key)


def _same_value(a: Value, b: Value, *, bare: bool) -> bool:
    if compare(a, b) in (Relation.EQUAL, Relation.BOUND):
        return True
    plain = bare and a.number is not None and b.number is not None and a.high is None and b.high is None
    return plain and a.number == b.number and (not a.unit or not b.unit)


def _same_words(a: str, b: str) -> bool:
    """Equal but for the joining of words ("Fenwick and Sorrel", "Fenwick & Sorrel")."""
    return bool(a) and [w for w in re.split(r"[\s\-]+", a) if w not in ("&", "and")] == [
        w for w in re.split(r"[\s\-]+", b) if w not in ("&", "and")
    ]


def _short_form(a: str, b: str) -> bool:
    """One word of a short name: its last ("Voss"), or its first ("Northwind")."""
    shorter, longer = sorted((a.split(), b.split()), key=len)
    return len(shorter) == 1 and 1 < len(longer) <= _LONGEST_PERSON and shorter[0] in (longer[0], longer[-1])


def canonical(mention: Mention) -> str:
    """Equal for equal values."""
    if mention.value is None:
        return mention.key
    if mention.bare and not mention.value.unit and mention.value.number is not None:
        return f"{mention.value.number:g}"
    return mention.value.canonical


def group(mentions: Sequence[Mention]) -> tuple[tuple[int, ...], ...]:
    """Positions of mentions of one value, together. A mention that says less joins the one value it fits.

    Independent of order: values are joined by equality first; a short form that fits two values stays alone.
    """
    parent = list(range(len(mentions)))
    for i, left in enumerate(mentions):
        for j in range(i):
            if same(left, mentions[j]):
                parent[_root(parent, i)] = _root(parent, j)
    groups = _collect(parent)
    links = {index: _fitting(mentions, groups, index) for index in range(len(groups))}
    for index, fits in links.items():
        if len(fits) == 1 and not _says_more(mentions, groups[index], groups[fits[0]]):
            parent[_root(parent, groups[index][0])] = _root(parent, groups[fits[0]][0])
    return _collect(parent)


def _root(parent: list[int], index: int) -> int:
    while parent[index] != index:
        index = parent[index]
    return index


def _collect(parent: list[int]) -> tuple[tuple[int, ...], ...]:
    groups: dict[int, list[int]] = {}
    for index in range(len(parent)):
        groups.setdefault(_root(parent, index), []).append(index)
    return tuple(tuple(members) for members in groups.values())


def _fitting(mentions: Sequence[Mention], groups: Sequence[tuple[int, ...]], index: int) -> list[int]:
    return [
        other
        for other in range(len(groups))
        if other != index and any(compatible(mentions[i], mentions[j]) for i in groups[index] for j in groups[other])
    ]


def _says_more(mentions: Sequence[Mention], left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether the left group holds the fuller form: it waits for the shorter one to join it."""
    return max(len(canonical(mentions[i])) for i in left) > max(len(canonical(mentions[i])) for i in right)


def is_quantity(value: Value) -> bool:
    """A number with a unit, money or percent."""
    return value.kind in (ValueKind.NUMBER, ValueKind.MONEY, ValueKind.PERCENT) and bool(value.unit)


def limits(value: Value) -> bool:
    """Whether the value is given as a limit ("not more than 6")."""
    return value.bound not in (Bound.EXACT, Bound.ABOUT)
