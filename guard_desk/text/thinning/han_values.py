"""What answers in a Chinese sentence: typed values, quoted phrases, and names, which are what is left of a line.

Without spaces and capitals a name is a run of characters that neither the question nor grammar explains. Its borders come from what
stands beside it: "由X设计", "X担任", "船长X", and the noun that the question asks with ("哪家*事务所*").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.thinning.causes import han_causes
from guard_desk.text.thinning.coverage import Coverage, SentenceView
from guard_desk.text.thinning.frame import Frame, Shape
from guard_desk.text.thinning.han import occurrences
from guard_desk.text.thinning.language import listed
from guard_desk.text.thinning.slots import Option, typed_options

_LANGUAGE = "zh"
_SHORTEST_NAME = 2
_LONGEST_NAME = 20
_MARKED, _FOLLOWED, _PLAIN = -3.0, -2.0, 2.0
_QUOTED = re.compile(r"[《「『“\"]([^》」』”\"\n]{1,60})[》」』”\"]")
_NEVER_JOINED = frozenset("的是了从由被自于在将已")
_ASKED = 3
# A verb has two characters in nearly all cases where it stands behind the one who does it ("由韩素*改编*").
_VERB = 2
_GIVEN_NAME = 2
_TITLE = 2
_BEHIND_VERB = frozenset("的了")
_TRAILING = frozenset("的了吧啊呢呀嘛哦啦")
_OPENING, _CLOSING = ' “"「《', ' ”"」》'


def han_options(frame: Frame, sentence: SentenceView, coverage: Coverage, values: Sequence[Value]) -> tuple[Option, ...]:
    """The spans of the asked kind in a Chinese sentence, in order."""
    values = [v for v in values if not _of_question(frame, sentence, v)]
    if frame.shape not in (Shape.NAME, Shape.OPEN):
        return typed_options(frame, sentence, values)
    if frame.cause:
        return tuple(Option(span) for span in han_causes(sentence))
    offset = sentence.span.start
    person = any(word in frame.text for word in listed(_LANGUAGE, "asks_person"))
    quoted = [match for match in _QUOTED.finditer(sentence.own) if match[1] not in frame.text and not (person and match[0][0] == "《")]
    if quoted:
        return tuple(Option(Span(match.start(1) + offset, match.end(1) + offset), cost=_MARKED) for match in quoted)
    masked = _mask(sentence, coverage, values)
    found = [_refined(frame, sentence.own, masked, span) for span in _residues(frame, sentence.own, masked)]
    if person:
        found = [option for option in found if _may_be_person(sentence.own, masked, option.span)]
    found = [option for option in found if option.span.end - option.span.start <= _LONGEST_NAME]
    if coverage.missing:
        found = [option for option in found if option.cost < 0]
    return tuple(Option(Span(o.span.start + offset, o.span.end + offset), cost=o.cost) for o in found)


def _of_question(frame: Frame, sentence: SentenceView, value: Value) -> bool:
    """ "四" of "四号线", "一" of "一张会员卡": a number with the character behind it as the question has them."""
    return value.kind is ValueKind.NUMBER and sentence.text[value.span.start : value.span.end + 1] in frame.text


def _mask(sentence: SentenceView, coverage: Coverage, values: Sequence[Value]) -> list[int]:
    """For each character: 0 free, 1 a single particle (may stand inside a name), 2 never part of a name, 3 a word of the question."""
    own, offset = sentence.own, sentence.span.start
    masked = [0 if ch.isalnum() or ch in "·・&" else 2 for ch in own]
    for i in coverage.matched:
        span = sentence.local[i].span
        masked[span.start : span.end] = [_ASKED] * (span.end - span.start)
    for value in values:
        if value.kind is not ValueKind.ENTITY and value.span.start >= offset and value.span.end <= sentence.span.end:
            masked[value.span.start - offset : value.span.end - offset] = [2] * (value.span.end - value.span.start)
    for name in (
        "particles",
        "fillers",
        "before_value",
        "after_value",
        "deny",
        "contrast",
        "deny_not",
        "generic",
        "former",
        "roles",
        "weak",
    ):
        for word in listed(_LANGUAGE, name):
            for place in occurrences(word, own):
                level = 2 if len(word) > 1 or word in _NEVER_JOINED else 1
                masked[place : place + len(word)] = [max(level, m) for m in masked[place : place + len(word)]]
    return masked


def _may_be_person(own: str, masked: Sequence[int], span: Span) -> bool:
    """Right behind the asked role only a surname begins a name: "导演许观澜", but "导演太会拍雨了"."""
    beside = span.start > 0 and masked[span.start - 1] == _ASKED and is_cjk(own[span.start])
    return not beside or own.startswith(_surnames(), _name_start(own, span.start, span.end))


def _name_start(own: str, start: int, end: int) -> int:
    """Where the name begins behind a title of two characters ("诗人*林若川*"); where the run begins when it has none."""
    titled = start + _TITLE
    named = not own.startswith(_surnames(), start) and end - titled in (_GIVEN_NAME, _GIVEN_NAME + 1)
    return titled if named and own.startswith(_surnames(), titled) else start


@cache
def _surnames() -> tuple[str, ...]:
    names = (*lang.entry(_LANGUAGE, "names.surnames"), *listed(_LANGUAGE, "surnames"))
    return tuple(sorted(names, key=len, reverse=True))


def _residues(frame: Frame, own: str, masked: Sequence[int]) -> Iterator[Span]:
    """Runs of free characters; one alone only before the asked noun ("*陶*老师")."""
    start = 0
    while start < len(own):
        if masked[start]:
            start += 1
            continue
        end = start
        while end < len(own) and (
            not masked[end] or (masked[end] == 1 and end - start == 1 and end + 1 < len(own) and not masked[end + 1])
        ):
            end += 1
        if end - start >= _SHORTEST_NAME or _noun_at(frame, own, end):
            yield Span(start, end)
        start = end


def _noun_at(frame: Frame, own: str, place: int) -> str:
    """The asked noun, where it stands at a place: it belongs to the name before it."""
    return next((noun for noun in frame.head if noun and own.startswith(noun, place)), "")


def _refined(frame: Frame, own: str, masked: Sequence[int], span: Span) -> Option:
    """A run with what belongs to it: the asked noun behind it, the rest of a phrase behind a copula; without the verb of "由X改编"."""
    start, end = span.start, span.end
    cost = _place_cost(own, masked, start, end)
    noun = _noun_at(frame, own, end)
    if noun:
        return Option(Span(start, end + len(noun)), cost=cost)
    if frame.shape is Shape.OPEN and _follows(own, start, "copula"):
        end = max(end, _phrase_end(own, masked, start))
    closing = _closing(own, masked, end)
    if closing > end:
        return Option(Span(start, closing), cost=cost)
    if frame.shape is Shape.OPEN and _follows(own, start, "copula"):
        return Option(Span(start, end), cost=cost)
    if _done_by(own, masked, start) and end - start > _VERB + 1 and _closes(own, end):
        return Option(Span(start, end - _VERB), cost=cost)
    if any(word in frame.text for word in listed(_LANGUAGE, "asks_person")):
        start = _name_start(own, start, end)
        surname = next((name for name in _surnames() if own.startswith(name, start)), "")
        end = min(end, start + len(surname) + _GIVEN_NAME) if surname else end
        return Option(Span(start, end), cost=cost)
    kind = frame.head[0] if frame.head else ""
    return Option(span, cost=cost - bool(kind and own[end - 1] in (kind[0], kind[-1])))


def _follows(own: str, place: int, name: str) -> bool:
    before = own[:place].rstrip(_OPENING)
    return any(before.endswith(word) for word in listed(_LANGUAGE, name))


def _closing(own: str, masked: Sequence[int], place: int) -> int:
    """Where a name ends that words of the question close: "示范*奖*" for "哪个奖项", "宏远*物业*" where "物业" stands before it as well."""
    end = place
    while end < len(own) and masked[end] == _ASKED:
        end += 1
    run = own[place:end]
    again = len(run) == 1 or run in own[:place]
    return end if run and again and _closes(own, end) and run not in listed(_LANGUAGE, "after_value") else place


def _done_by(own: str, masked: Sequence[int], place: int) -> bool:
    """Behind "由", also behind "由" and the asked noun ("由*船长*X指挥")."""
    while place and masked[place - 1] == _ASKED:
        place -= 1
    return _follows(own, place, "agents")


def _closes(own: str, place: int) -> bool:
    """Whether a clause ends here, or its verb does ("改编*的*")."""
    return place == len(own) or not own[place].isalnum() or own[place] in _BEHIND_VERB


def _phrase_end(own: str, masked: Sequence[int], start: int) -> int:
    """Where the phrase that starts here ends: at a mark, or at a word of the question."""
    end = start
    while end < len(own) and (own[end].isalnum() or own[end] in "·・&") and masked[end] != _ASKED:
        end += 1
    while end > start and own[end - 1] in _TRAILING:
        end -= 1
    return end


def _place_cost(own: str, masked: Sequence[int], start: int, end: int) -> float:
    if _follows(own, start, "before_value"):
        return _MARKED
    after = own[end:].lstrip(_CLOSING)
    named = start > 0 and masked[start - 1] == _ASKED  # "作词人*郭小满*"
    return _FOLLOWED if named or any(after.startswith(word) for word in listed(_LANGUAGE, "after_value")) else _PLAIN
