"""Chinese questions and lines: terms are the pieces between particles, names are what is left of a line.

Chinese is written without spaces and capitals, so a line is compared by character runs. A piece of the question is met when
most of its characters stand in the line in runs of two or more ("采购申请"), or by a synonym ("批准" for "审批"), and
no other characters stand in the place of the missing ones ("灰雁网盘" for "白鹭网盘").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.thinning.causes import han_causes
from guard_desk.text.thinning.coverage import Coverage, SentenceView
from guard_desk.text.thinning.frame import QUANTITIES, Frame, Shape
from guard_desk.text.thinning.language import Hit, hits, listed, phrase_groups
from guard_desk.text.thinning.slots import Option, typed_options
from guard_desk.text.words import Word

_LANGUAGE = "zh"
_MET = 0.6
_SHORTEST_RUN = 2
_LONGEST_NAME = 20
_GIVEN_NAME = 2
_MARKED, _FOLLOWED, _PLAIN = -3.0, -2.0, 2.0
_QUOTED = re.compile(r"[《「『“\"]([^》」』”\"\n]{1,60})[》」』”\"]")
# "X是多少" asks for a value of any kind, "多少X" for a count.
_ASKS_SIZE = re.compile(r"[是为达]多少[？?。\s]*$")
_NUMBERED = re.compile(r"(?P<number>[一二三四五六七八九十百零两\d]+)(?P<kind>号|届|期|版|型|级|路|代|楼|层|栋|章|集|季|区|院|厂|中|小)")
_JOINING = frozenset("与和及")
_MEASURES = ("全长", "全高", "总长", "总面积", "水深", "全称", "院长", "校长", "馆长", "经理")
_DEGREES = frozenset("最很更较")
_NEVER_JOINED = frozenset("的是了")


def han_frame(question: str, tokens: tuple[Word, ...]) -> Frame:
    """Read a Chinese question."""
    ask = next(iter(hits(phrase_groups(_LANGUAGE, "ask"), question, tokens)), None)
    which = _first_of(question, listed(_LANGUAGE, "which"))
    named = frozenset(meaning for hit in hits(phrase_groups(_LANGUAGE, "nouns"), question, tokens) for meaning in hit.meanings)
    shape, dimensions = _shape(question, ask, which, named)
    cut = [Span(tokens[ask.first].span.start, tokens[ask.last].span.end)] if ask else []
    measure = question[cut[0].end : cut[0].end + 1] if cut and shape is Shape.COUNT else ""
    if measure in listed(_LANGUAGE, "measures"):
        cut = [Span(cut[0].start, cut[0].end + 1)]
    head, cut = _head(question, which, cut, shape)
    chunks = tuple(_chunks(question, cut, shape))
    return Frame(
        text=question,
        language=_LANGUAGE,
        shape=shape if chunks or shape is Shape.NONE else Shape.NONE,
        dimensions=dimensions,
        head=head,
        cause=ask is not None and "cause" in ask.meanings,
        plural="哪些" in question or "有哪" in question,
        stems=frozenset(word.stem for word in tokens),
        list_name="colour" if shape is Shape.LISTED else "",
        chunks=chunks,
    )


def _shape(question: str, ask: Hit | None, which: Span | None, named: frozenset[str]) -> tuple[Shape, frozenset[str]]:
    asked = frozenset(ask.meanings[0].split()) if ask else frozenset()
    for name, shape in (("name", Shape.NAME), ("date", Shape.DATE), ("cause", Shape.OPEN)):
        if name in asked:
            return shape, frozenset()
    if "count" in asked:
        units = named & QUANTITIES - {"time"} or (QUANTITIES if _ASKS_SIZE.search(question) else frozenset())
        return (Shape.QUANTITY, units | {"number"}) if units else (Shape.COUNT, frozenset())
    if asked:
        return Shape.QUANTITY, (asked & named or asked)
    if which is not None:
        for name, shape in (("colour", Shape.LISTED), ("number", Shape.NUMBER), ("date", Shape.DATE), ("name", Shape.NAME)):
            if name in named:
                return shape, frozenset()
        units = named - {"number", "name", "date", "colour"}
        return (Shape.QUANTITY, units) if units else (Shape.OPEN, frozenset())
    if any(mark in question for mark in listed(_LANGUAGE, "yes_no")):
        return Shape.YES_NO, frozenset()
    return Shape.NONE, frozenset()


def _first_of(text: str, words: Sequence[str]) -> Span | None:
    found = [(text.find(word), -len(word)) for word in words if word in text]
    return Span(min(found)[0], min(found)[0] - min(found)[1]) if found else None


def _head(question: str, which: Span | None, cut: list[Span], shape: Shape) -> tuple[tuple[str, ...], list[Span]]:
    """ "端口" of "哪个端口": cut out of the terms, as the line may word it otherwise."""
    if which is None or cut:
        return (), cut
    following = re.match(r"[\u4e00-\u9fff]{2,4}$", re.sub(r"[？?。\s]", "", question[which.end :]))
    noun = following[0] if following and shape in (Shape.NUMBER, Shape.NAME, Shape.LISTED, Shape.OPEN) else ""
    return ((noun,) if noun else ()), [Span(which.start, which.end + len(noun))]


def _chunks(question: str, cut: list[Span], shape: Shape) -> Iterator[str]:
    text = "".join(" " if any(span.start <= i < span.end for span in cut) else ch for i, ch in enumerate(question))
    yes_no = listed(_LANGUAGE, "yes_no") if shape is Shape.YES_NO else ()
    for word in sorted((*listed(_LANGUAGE, "weak"), *listed(_LANGUAGE, "generic"), *yes_no), key=len, reverse=True):
        text = text.replace(word, " ")
    splitting = sorted(listed(_LANGUAGE, "particles"), key=len, reverse=True)
    text = re.sub("|".join(map(re.escape, splitting)), " ", text)
    for chunk in re.findall(r"[^\s\W]+", text):
        if len(chunk) > 1 or not is_cjk(chunk):
            yield from _parts(chunk)


def _parts(chunk: str) -> Iterator[str]:
    """ "云岭隧道全长" as the thing and what is asked of it."""
    noun = next((word for word in _properties() if chunk.endswith(word) and len(chunk) - len(word) >= _SHORTEST_RUN), "")
    yield from (chunk.removesuffix(noun), noun) if noun else (chunk,)


@cache
def _properties() -> tuple[str, ...]:
    """Words for what a thing has, longest first."""
    nouns = (word for words in dict(lang.entry(_LANGUAGE, "thinning.nouns")).values() for word in words)
    return tuple(sorted({word for word in (*nouns, *_MEASURES) if len(word) > 1}, key=len, reverse=True))


def cover_han(frame: Frame, sentence: SentenceView, context: str) -> Coverage:
    """How a Chinese sentence meets the pieces of the question.

    :param context: the title and earlier sentences of the passage.
    """
    own = sentence.own
    places: set[int] = set()
    missing: set[str] = set()
    replaced = False
    for chunk in frame.chunks:
        covered, found = _meet(chunk, own)
        if covered and _is_replaced(chunk, covered, own):
            replaced = True
            missing.add(chunk)
        elif len(covered) / len(chunk) < _MET and chunk not in context:
            missing.add(chunk)
        places |= found
    matched = frozenset(i for i, word in enumerate(sentence.local) if word.span.start in places)
    heads = frozenset(
        i
        for i, word in enumerate(sentence.local)
        for noun in frame.head
        if any(s <= word.span.start < s + len(noun) for s in _occurrences(noun, own))
    )
    met = len(frame.chunks) - len(missing)
    return Coverage(
        matched=matched | heads,
        anchors=heads or matched,
        missing=frozenset(missing),
        lacking=len(missing),
        replaced=replaced or _other_number(frame.text, own) or any(_other_role(chunk, own) for chunk in frame.chunks),
        share=met / len(frame.chunks) if frame.chunks else 0.0,
    )


def _occurrences(piece: str, text: str) -> Iterator[int]:
    start = text.find(piece)
    while start >= 0:
        yield start
        start = text.find(piece, start + 1)


def _meet(chunk: str, text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Positions of the chunk that are met, and positions in the text that meet them."""
    covered: set[int] = set()
    places: set[int] = set()
    start = 0
    while start < len(chunk):
        size = _longest(chunk, start, text)
        if size >= _SHORTEST_RUN or size == len(chunk) or (size and not is_cjk(chunk[start])):
            covered.update(range(start, start + size))
            for place in _occurrences(chunk[start : start + size], text):
                places.update(range(place, place + size))
        start += max(size, 1)
    for group in _groups():
        for word in group:
            at = chunk.find(word)
            if at >= 0:
                for other in group:
                    for place in _occurrences(other, text):
                        covered.update(range(at, at + len(word)))
                        places.update(range(place, place + len(other)))
    return frozenset(covered), frozenset(places)


def _longest(chunk: str, start: int, text: str) -> int:
    size = 0
    while start + size < len(chunk) and chunk[start : start + size + 1] in text:
        size += 1
    return size


@cache
def _groups() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group) for group in dict(lang.entry(_LANGUAGE, "thinning.synonyms")).values())


def _is_replaced(chunk: str, covered: frozenset[int], text: str) -> bool:
    """Other characters before the met end of a piece: "灰雁网盘" for "白鹭网盘"."""
    first = min(covered)
    if first == 0 or chunk[first] in _DEGREES:
        return False
    end = first
    while end in covered:
        end += 1
    return all(
        place > 0 and is_cjk(text[place - 1]) and not _ends_with_particle(text[:place]) for place in _occurrences(chunk[first:end], text)
    )


def _other_role(chunk: str, own: str) -> bool:
    """ "副院长" where the question asks for the 院长."""
    places = list(_occurrences(chunk, own)) if chunk in listed(_LANGUAGE, "roles") else []
    return bool(places) and all(own[:place].endswith(listed(_LANGUAGE, "role_modifiers")) for place in places)


def _other_number(question: str, own: str) -> bool:
    """ "四号线" where the question has "三号线"."""
    for match in _NUMBERED.finditer(question):
        others = [other for other in _NUMBERED.finditer(own) if other["kind"] == match["kind"]]
        if others and all(other["number"] != match["number"] for other in others):
            return True
    return False


def _ends_with_particle(text: str) -> bool:
    return any(
        text.endswith(word) for word in (*listed(_LANGUAGE, "particles"), *listed(_LANGUAGE, "before_value"), *listed(_LANGUAGE, "fillers"))
    )


def han_options(frame: Frame, sentence: SentenceView, coverage: Coverage, values: Sequence[Value]) -> tuple[Option, ...]:
    """The spans of the asked kind in a Chinese sentence, in order."""
    if frame.shape not in (Shape.NAME, Shape.OPEN):
        return typed_options(frame, sentence, values)
    if frame.cause:
        return tuple(Option(span) for span in han_causes(sentence))
    offset = sentence.span.start
    quoted = [Span(m.start(1), m.end(1)) for m in _QUOTED.finditer(sentence.own) if m[1] not in frame.text]
    if quoted:
        return tuple(Option(Span(span.start + offset, span.end + offset), cost=_MARKED) for span in quoted)
    masked = _mask(sentence, coverage, values)
    person = frame.shape is Shape.NAME and "谁" in frame.text
    residues = _residues(sentence.own, masked, joined=not person and not frame.plural)
    matched = frozenset(place for i in coverage.matched for place in range(sentence.local[i].span.start, sentence.local[i].span.end))
    short = (option for option in residues if option.span.end - option.span.start <= _LONGEST_NAME)
    found = [_shaped(frame, sentence.own, option, matched, person=person) for option in short]
    if coverage.missing:
        found = [option for option in found if option.cost < 0]
    return tuple(Option(Span(o.span.start + offset, o.span.end + offset), cost=o.cost) for o in found)


def _mask(sentence: SentenceView, coverage: Coverage, values: Sequence[Value]) -> list[int]:
    """For each character: 0 free, 1 a single particle (may stand inside a name), 2 never part of a name."""
    own, offset = sentence.own, sentence.span.start
    masked = [0 if ch.isalnum() or ch in "·・&" else 2 for ch in own]
    for i in coverage.matched:
        span = sentence.local[i].span
        masked[span.start : span.end] = [2] * (span.end - span.start)
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
            for place in _occurrences(word, own):
                level = 2 if len(word) > 1 or word in _NEVER_JOINED else 1
                masked[place : place + len(word)] = [max(level, m) for m in masked[place : place + len(word)]]
    return masked


def _shaped(frame: Frame, own: str, option: Option, matched: frozenset[int], *, person: bool) -> Option:
    """A residue cut down to the person's name that it begins with, or with the asked noun that follows it ("哪家*事务所*")."""
    start, end = option.span.start, option.span.end
    if person:
        surname = next((name for name in _surnames() if own.startswith(name, start)), "")
        longest = len(surname) + _GIVEN_NAME
        return replace(option, span=Span(start, start + longest)) if surname and end - start > longest else option
    which = _first_of(frame.text, listed(_LANGUAGE, "which"))
    rest = frame.text[which.end :] if which else ""
    size = 0
    while size < len(rest) and own.startswith(rest[: size + 1], end) and not _acts(rest[size:]):
        size += 1
    if not size:
        size = _closing_noun(frame, own, end, matched)
    return replace(option, span=Span(start, end + size))


def _closing_noun(frame: Frame, own: str, end: int, matched: frozenset[int]) -> int:
    """Length of a word of the question that closes a name: "示范*奖*。"."""
    size = 0
    while end + size in matched:
        size += 1
    closed = end + size == len(own) or not own[end + size].isalnum()
    verbs = (*listed(_LANGUAGE, "after_value"), *listed(_LANGUAGE, "particles"))
    asks_what = frame.text.rstrip("？?。 ").endswith(("什么", "哪", "哪个", "哪里"))  # elsewhere what follows is the verb: "在哪里*举行*"
    return size if size and closed and asks_what and not own.startswith(verbs, end) else 0


def _acts(text: str) -> bool:
    """Whether a text begins with a word that stands behind a value ("设计") or a particle."""
    verbs = (word for group in _groups() for word in group)
    return text.startswith((*listed(_LANGUAGE, "after_value"), *listed(_LANGUAGE, "particles"), *verbs))


@cache
def _surnames() -> tuple[str, ...]:
    names = (*lang.entry(_LANGUAGE, "names.surnames"), *listed(_LANGUAGE, "surnames"))
    return tuple(sorted(names, key=len, reverse=True))


def _residues(own: str, masked: Sequence[int], *, joined: bool) -> Iterator[Option]:
    """What is left of a sentence, as options.

    :param joined: whether "X与Y" may be one name.
    """
    start = 0
    while start < len(own):
        if masked[start]:
            start += 1
            continue
        end = start
        while end < len(own) and (
            not masked[end]
            or (masked[end] == 1 and end + 1 < len(own) and not masked[end + 1] and (end - start == 1 or (joined and own[end] in _JOINING)))
        ):
            end += 1
        if end - start >= _SHORTEST_RUN:
            yield Option(Span(start, end), cost=_place_cost(own, start, end))
        start = end


def _place_cost(own: str, start: int, end: int) -> float:
    before = own[:start].rstrip(' “"「《')
    if any(before.endswith(word) for word in listed(_LANGUAGE, "before_value")):
        return _MARKED
    after = own[end:].lstrip(' ”"」》')
    return _FOLLOWED if any(after.startswith(word) for word in listed(_LANGUAGE, "after_value")) else _PLAIN
