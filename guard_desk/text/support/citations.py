"""Citations in an answer: which marks there are, which passages they name, which name none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.text.support.language import phrases
from guard_desk.text.support.regions import touches

_SQUARE = re.compile(r"\[(?P<inner>[^\[\]\n]{1,160})\](?!\()|【(?P<wide>[^【】\n]{1,160})】")
_ROUND = re.compile(r"[(（](?P<inner>[^()（）\n]{1,160})[)）]")
_PART = re.compile(r"[^,;，；、&]+")
_NUMBER = re.compile(r"\^?\d{1,3}")
_RANGE = re.compile(r"(\d{1,3})\s*[-\u2013]\s*(\d{1,3})")
_SHAPED = re.compile(r"(?=.*[A-Za-z])(?=.*\d)[\w.:/#-]{2,60}")
_STEM = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A citation mark with its brackets.

    :param passages: positions of the passages that it names, in order, without repeats.
    :param unknown: the parts that name no passage, each with its place in the answer.
    """

    span: Span
    passages: tuple[int, ...]
    unknown: tuple[tuple[Span, str], ...] = ()


class PassageNames:
    """Finds a passage by what a citation calls it: its id, or its number in the list.

    :param ids: ids of the passages, in the order in which numbers count them (from 1).
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self._count = len(ids)
        self._by_id: Mapping[str, int] = {_key(name): position for position, name in reversed(list(enumerate(ids)))}
        self._numeric = any(name.strip().isdigit() for name in ids)
        self._stems = frozenset(match[0].casefold() for name in ids if (match := _STEM.match(name.strip())))

    def positions(self, part: str) -> tuple[int, ...] | None:
        """Positions that one part of a mark names; empty for a part shaped like an id that names none; None for other words."""
        bare = _without_prefix(part)
        for name in (part.strip(), bare):
            if _key(name) in self._by_id:
                return (self._by_id[_key(name)],)
        if (match := _RANGE.fullmatch(bare)) and not self._numeric:
            numbers = range(int(match[1]), int(match[2]) + 1)
            return tuple(number - 1 for number in numbers if 1 <= number <= self._count) if 0 < len(numbers) < 50 else ()
        if _NUMBER.fullmatch(bare):
            number = int(bare.lstrip("^"))
            return (number - 1,) if not self._numeric and 1 <= number <= self._count else ()
        return () if self._looks_like_id(bare) or (bare != part.strip() and _SHAPED.fullmatch(bare)) else None

    def _looks_like_id(self, part: str) -> bool:
        if any(ch.isspace() for ch in part):
            return False
        stem = _STEM.match(part)
        return bool(_SHAPED.fullmatch(part)) or (stem is not None and stem[0].casefold() in self._stems and stem[0] != part)

    def known(self, part: str) -> bool:
        """Whether a text is the id of a passage."""
        return _key(part) in self._by_id

    def resembles(self, part: str) -> bool:
        """Whether a text begins like the ids of these passages and goes on with a number or a mark ("sup-9" beside "sup-12")."""
        stem = _STEM.match(part.strip())
        return (
            stem is not None
            and stem[0].casefold() in self._stems
            and stem[0] != part.strip()
            and not any(ch.isspace() for ch in part.strip())
        )


def _key(name: str) -> str:
    return name.strip().casefold()


def _without_prefix(part: str) -> str:
    """The part without words like "source:" or "see" before the id."""
    stripped = part.strip()
    folded = stripped.casefold()
    for prefix in phrases("verify.citation_prefixes"):
        follows = stripped[len(prefix) : len(prefix) + 1]
        if folded.startswith(prefix) and follows and (follows in " :：#\u00a0" or not prefix[-1].isascii() or prefix[-1] in ".:"):
            rest = stripped[len(prefix) :].lstrip(" :：.#\u00a0")
            if rest:
                return rest
    return stripped


def find_marks(answer: str, names: PassageNames, code: Sequence[Span] = ()) -> tuple[Mark, ...]:
    """Every citation mark of an answer, in order.

    :param code: regions where brackets mean something else.
    """
    found = [mark for match in _SQUARE.finditer(answer) if (mark := _square(match, names)) is not None]
    found += [mark for match in _ROUND.finditer(answer) if (mark := _round(match, names)) is not None]
    return tuple(sorted((mark for mark in found if not touches(mark.span, code)), key=lambda mark: mark.span.start))


def _square(match: re.Match[str], names: PassageNames) -> Mark | None:
    group = "inner" if match["inner"] is not None else "wide"
    whole = names.positions(match[group])
    if whole:
        return Mark(span=Span(match.start(), match.end()), passages=whole)
    return _mark(match, group, names)


def _mark(match: re.Match[str], group: str, names: PassageNames) -> Mark | None:
    passages: dict[int, None] = {}
    unknown: list[tuple[Span, str]] = []
    for part in _PART.finditer(match[group]):
        text = part[0].strip()
        if not text:
            continue
        positions = names.positions(text)
        if positions is None:
            return None
        passages.update(dict.fromkeys(positions))
        if not positions:
            start = match.start(group) + part.start() + part[0].index(text)
            unknown.append((Span(start, start + len(text)), text))
    if not passages and not unknown:
        return None
    return Mark(span=Span(match.start(), match.end()), passages=tuple(passages), unknown=tuple(unknown))


def _round(match: re.Match[str], names: PassageNames) -> Mark | None:
    """Round brackets cite only by ids: a number in them is no citation."""
    parts = [part[0].strip() for part in _PART.finditer(match["inner"]) if part[0].strip()]
    if not parts or not all(names.known(bare := _without_prefix(part)) or names.resembles(bare) for part in parts):
        return None
    if any(_NUMBER.fullmatch(part) for part in parts):
        return None
    return _mark(match, "inner", names)
