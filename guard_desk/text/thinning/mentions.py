"""A value in a line, and when two of them are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import Bound, Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.normalize import fold_text
from guard_desk.text.scan import CJK
from guard_desk.text.thinning.codes import code_key
from guard_desk.text.values import Relation, compare
from guard_desk.text.words import words

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
    :param quoted: stands whole in quotation marks, so that a shorter quotation is another value.
    :param loose: read from running text, where the borders of a value are less sure: "USSR", "the USSR's invasion".
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
    loose: bool = False
    quoted: bool = False


def text_key(text: str) -> str:
    """The form by which untyped values are compared."""
    folded = fold_text(text).strip(_EDGE)
    code = code_key(folded)
    if code is not None:
        return code
    return _ARTICLE.sub("", folded).strip(_EDGE)


def same(a: Mention, b: Mention) -> bool:
    """Whether two mentions are the same value, whatever their format."""
    if a.value is not None and b.value is not None:
        return _same_value(a.value, b.value, bare=a.bare and b.bare)
    if a.value is None and b.value is None:
        return a.key == b.key or _same_words(a.key, b.key) or _same_noun(a.text, b.text)
    return a.key == b.key


def compatible(a: Mention, b: Mention) -> bool:
    """Whether both can be right although one says less: "June 2001" and "2001", "Voss" and "Linus Voss"."""
    if (a.loose or b.loose) and (_holds(a, b) or _holds(b, a)):
        return True
    if a.value is not None and b.value is not None:
        return compare(a.value, b.value) is Relation.PARTIAL
    if a.quoted and b.quoted:
        return False
    return a.value is None and b.value is None and (_short_form(a.key, b.key) or _placed(a, b) or _placed(b, a))


def _holds(short: Mention, long: Mention) -> bool:
    """Whether the words of one value stand whole inside of the other's; numbers are compared as values."""
    if (short.value is not None and long.value is not None) or not short.key or long.value is not None:
        return False
    return bool(re.search(rf"(?<![^\W{CJK}]){re.escape(short.key)}(?![^\W{CJK}])", long.key))


def _placed(short: Mention, long: Mention) -> bool:
    """ "Harwick" and "Harwick, Osmark"."""
    rest = long.text[len(short.text) :]
    return long.text.startswith(short.text) and bool(re.match(r",\s[A-Z]", rest))


def _same_value(a: Value, b: Value, *, bare: bool) -> bool:
    if compare(a, b) in (Relation.EQUAL, Relation.BOUND):
        return True
    plain = bare and a.number is not None and b.number is not None and a.high is None and b.high is None
    return plain and a.number == b.number and (not a.unit or not b.unit)


def _same_words(a: str, b: str) -> bool:
    """Equal but for titles, initials and joining words ("Dr Ines Tarr", "Ines K. Tarr"; "Fenwick & Sorrel"), or two names of one thing."""
    left, right = _name_words(a), _name_words(b)
    return (bool(left) and left == right) or (_alias(a) is not None and _alias(a) == _alias(b))


def _same_noun(a: str, b: str) -> bool:
    """Forms of one noun: "a helmet" and "helmets"; names keep their s."""
    plain = a.islower() and b.islower() and a.isascii() and b.isascii()
    return plain and _stems(a) == _stems(b) != ()


@lru_cache(maxsize=4096)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(word.stem for word in words(text_key(text)))


@lru_cache(maxsize=4096)
def _name_words(key: str) -> tuple[str, ...]:
    parts = [word.strip(".,") for word in re.split(r"[\s\-]+", key)]
    full = [word for word in parts if word and word not in _noise()]
    named = [word for word in full if len(word) > 1 or not word.isalpha() or is_cjk(word)] if len(full) > _LONGEST_PERSON - 1 else full
    return tuple(named or full or parts)


@cache
def _noise() -> frozenset[str]:
    """Words that do not tell one name from another: titles, "and", legal forms."""
    return frozenset(fold_text(word) for code in lang.codes() for word in lang.entry(code, "verify.name_noise"))


@cache
def _aliases() -> dict[str, int]:
    """A number for each name that has another one; languages that share a name share the number."""
    numbers: dict[str, int] = {}
    for number, names in enumerate(group for code in lang.codes() for group in lang.entry(code, "verify.aliases")):
        folded = [fold_text(name) for name in names]
        known = next((numbers[name] for name in folded if name in numbers), number)
        numbers.update(dict.fromkeys(folded, known))
    return numbers


def _alias(key: str) -> int | None:
    return _aliases().get(key)


def _short_form(a: str, b: str) -> bool:
    """Whether one key is a shorter form of the other.

    One word of a short name, its last ("Voss") or its first ("Northwind"); several words that a longer name begins or ends with; the
    initials of a name of three words or more.
    """
    shorter, longer = sorted((a, b), key=len)
    short, long = _name_words(shorter), _name_words(longer)
    if len(short) == 1 and 1 < len(long) <= _LONGEST_PERSON and short[0] in (long[0], long[-1]):
        return True
    if len(short) == len(long) > 1 and short[1:] == long[1:] and 1 in (len(short[0]), len(long[0])) and short[0][0] == long[0][0]:
        return True  # "J. Voss" and "Jola Voss"
    if len(short) > 1 and " and " not in longer and (longer.startswith(f"{shorter} ") or longer.endswith(f" {shorter}")):
        return True
    initials = "".join(word[0] for word in longer.replace("-", " ").split() if word not in ("of", "the", "and", "for"))
    return len(initials) > _LONGEST_PERSON - 1 and shorter.replace(".", "") == initials


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
