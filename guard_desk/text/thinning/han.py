"""Chinese questions and lines: terms are the pieces between particles (what answers is found in `han_values`).

Chinese is written without spaces and capitals, so a line is compared by character runs. A piece of the question is met when
most of its characters stand in the line in runs of two or more ("采购申请"), or by a synonym ("批准" for "审批"), and
no other characters stand in the place of the missing ones ("灰雁网盘" for "白鹭网盘").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk
from guard_desk.text.thinning.coverage import Coverage, SentenceView
from guard_desk.text.thinning.frame import QUANTITIES, Frame, Shape
from guard_desk.text.thinning.language import Hit, hits, listed, phrase_groups
from guard_desk.text.words import Word

_LANGUAGE = "zh"
_MET = 0.6
_REST = 0.7
_SHORTEST_RUN = 2
_LONGEST_NOUN, _USUAL_NOUN = 4, 2
# "X是多少" asks for a value of any kind, "多少X" for a count.
_ASKS_SIZE = re.compile(r"[是为达]多少[？?。\s]*$")
_NAMED = (("colour", Shape.LISTED), ("number", Shape.NUMBER), ("code", Shape.NUMBER), ("date", Shape.DATE), ("name", Shape.NAME))
_NUMBERED = re.compile(r"(?P<number>[一二三四五六七八九十百零两\d]+)(?P<kind>号|届|期|版|型|级|路|代|楼|层|栋|章|集|季|区|院|厂|中|小)")
_MEASURES = ("全长", "全高", "总长", "总面积", "水深", "全称", "院长", "校长", "馆长", "经理")
_DEGREES = frozenset("最很更较")
_NUMERALS = frozenset("〇零一二三四五六七八九十百")


def han_frame(question: str, tokens: tuple[Word, ...]) -> Frame:
    """Read a Chinese question."""
    ask = next(iter(hits(phrase_groups(_LANGUAGE, "ask"), question, tokens)), None)
    which = _first_of(question, listed(_LANGUAGE, "which"))
    named = frozenset(meaning for hit in hits(phrase_groups(_LANGUAGE, "nouns"), question, tokens) for meaning in hit.meanings)
    shape, dimensions = _shape(question, ask, which, named)
    cut = [Span(tokens[ask.first].span.start, tokens[ask.last].span.end)] if ask else []
    if cut and shape is Shape.COUNT and _has_measure(question, cut[0]):
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


def _has_measure(question: str, ask: Span) -> bool:
    """Whether a measure word follows: "座" of "几*座*古墓", but not of "多少个座位" and "多少座位"."""
    measures = listed(_LANGUAGE, "measures")
    noun = re.match(r"[\u4e00-\u9fff]*", question[ask.end + 1 :])
    alone = noun is None or len(noun[0]) != 1
    return question[ask.end : ask.end + 1] in measures and question[ask.end - 1] not in measures and alone


def _shape(question: str, ask: Hit | None, which: Span | None, named: frozenset[str]) -> tuple[Shape, frozenset[str]]:
    asked = frozenset(ask.meanings[0].split()) if ask else frozenset()
    for name, shape in (("name", Shape.NAME), ("date", Shape.DATE), ("cause", Shape.OPEN)):
        if name in asked:
            return shape, asked & {"clock"}
    if "count" in asked:
        units = named & QUANTITIES - {"time"} or (QUANTITIES if _ASKS_SIZE.search(question) else frozenset())
        if "code" in named:
            return Shape.NUMBER, frozenset()
        return (Shape.QUANTITY, units | {"number"}) if units else (Shape.COUNT, frozenset())
    if asked:
        return Shape.QUANTITY, (asked & named or asked)
    if which is not None:
        for name, shape in (
            ("colour", Shape.LISTED),
            ("number", Shape.NUMBER),
            ("code", Shape.NUMBER),
            ("date", Shape.DATE),
            ("name", Shape.NAME),
        ):
            if name in named:
                return shape, frozenset()
        units = named - {"number", "code", "name", "date", "colour"}
        return (Shape.QUANTITY, units) if units else (Shape.OPEN, frozenset())
    if any(mark in question for mark in listed(_LANGUAGE, "yes_no")):
        return Shape.YES_NO, frozenset()
    return Shape.NONE, frozenset()


def _first_of(text: str, words: Sequence[str]) -> Span | None:
    found = [(text.find(word), -len(word)) for word in words if word in text]
    return Span(min(found)[0], min(found)[0] - min(found)[1]) if found else None


def _head(question: str, which: Span | None, cut: list[Span], shape: Shape) -> tuple[tuple[str, ...], list[Span]]:
    """ "端口" of "哪个端口", "事务所" of "哪家事务所设计的": cut out of the terms, as the line may word it otherwise."""
    if which is None or shape not in (Shape.NUMBER, Shape.NAME, Shape.LISTED, Shape.OPEN):
        return (), cut or ([which] if which else [])
    noun = _noun(question[cut[0].end if cut else which.end :])
    if cut:  # "哪位*老师*教历史"; "哪座城市" has its noun already
        return ((noun,), [cut[0], Span(cut[0].end, cut[0].end + len(noun))]) if noun and which in cut else ((), cut)
    return ((noun,) if noun else ()), [Span(which.start, which.end + len(noun))]


def _noun(text: str) -> str:
    """The asked noun that a text begins with: up to a word that is known to be none; else by its ending, else of the usual length."""
    run = re.match(r"[\u4e00-\u9fff]*", text)
    plain = run[0] if run else ""
    ends = [place for word in _no_nouns() for place in occurrences(word, plain)]
    noun = plain[: min(ends, default=len(plain))]
    if len(noun) <= _USUAL_NOUN or (len(noun) <= _LONGEST_NOUN and len(noun) < len(plain)):
        return noun
    ending = min(
        (noun.find(word) + len(word) for word in lang.entry(_LANGUAGE, "names.endings") if word in noun[:_LONGEST_NOUN]), default=0
    )
    return noun[: ending or _USUAL_NOUN]


@cache
def _no_nouns() -> tuple[str, ...]:
    """Verbs and small words: what comes behind the asked noun."""
    around = (word for name in ("before_value", "after_value", "weak") for word in listed(_LANGUAGE, name))
    return (*listed(_LANGUAGE, "particles"), *(word for word in around if len(word) > 1))


def _chunks(question: str, cut: list[Span], shape: Shape) -> Iterator[str]:
    text = "".join(" " if any(span.start <= i < span.end for span in cut) else ch for i, ch in enumerate(question))
    yes_no = listed(_LANGUAGE, "yes_no") if shape is Shape.YES_NO else ()
    for word in sorted((*listed(_LANGUAGE, "weak"), *listed(_LANGUAGE, "generic"), *yes_no), key=len, reverse=True):
        text = text.replace(word, " ")
    splitting = sorted(listed(_LANGUAGE, "particles"), key=len, reverse=True)
    text = re.sub("|".join(map(re.escape, splitting)), " ", text)
    found = re.findall(r"[^\s\W]+", text)
    longer = [chunk for chunk in found if len(chunk) > 1 or not is_cjk(chunk)]
    for chunk in longer or (found[:1] if shape is Shape.QUANTITY else ()):  # "塔有多高": a subject of one character
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
            replaced = replaced or _other_title(frame, chunk, own)
        places |= found
    missing = {chunk for chunk in missing if not _is_forgiven(frame, chunk, missing, places)}
    matched = frozenset(i for i, word in enumerate(sentence.local) if word.span.start in places)
    heads = frozenset(
        i
        for i, word in enumerate(sentence.local)
        for noun in frame.head
        if any(s <= word.span.start < s + len(noun) for s in occurrences(noun, own))
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


def _other_title(frame: Frame, chunk: str, text: str) -> bool:
    """Whether the line has another title where the question has 《this》."""
    return f"《{chunk}》" in frame.text and "《" in text


def _is_forgiven(frame: Frame, chunk: str, missing: set[str], places: set[int]) -> bool:
    """Whether a line may leave out a piece: the kind of thing beside a title, or one of several when the rest is met.

    What stands beside the asking word is the asked property. The first piece is the subject; it may be left out by a line that begins with
    another piece, so that no other subject takes its place.
    """
    if re.search(rf"{re.escape(chunk)}《|》{re.escape(chunk)}", frame.text):
        return True
    met = sum(len(other) for other in frame.chunks if other not in missing)
    if len(missing) > 1 or met < _REST * sum(map(len, frame.chunks)) or is_asked(frame.text, chunk):
        return False
    return chunk != frame.chunks[0] or 0 in places


def is_asked(question: str, chunk: str) -> bool:
    """Whether a piece is the asked property: right beside the asking word, or what "谁是" asks for ("谁是望山小学的*校长*")."""
    before, _, behind = question.partition(chunk)
    before = before.removesuffix(next((word for word in listed(_LANGUAGE, "measures") if before.endswith(word)), ""))
    asking = _asking()
    leads = before.startswith(tuple(f"{word}是" for word in asking)) and not re.search(r"\w", behind)
    return leads or before.endswith(asking) or re.sub(r"^(?:了|的)?(?:是|为|在|叫|由|达|有|位于)?", "", behind).startswith(asking)


@cache
def _asking() -> tuple[str, ...]:
    phrases = dict(lang.entry(_LANGUAGE, "thinning.ask")).values()
    return (*listed(_LANGUAGE, "which"), *(word for group in phrases for word in group))


def occurrences(piece: str, text: str) -> Iterator[int]:
    """Where a piece stands in a text, also where it overlaps itself."""
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
            for place in occurrences(chunk[start : start + size], text):
                places.update(range(place, place + size))
        start += max(size, 1)
    if not covered and _SHORTEST_RUN < len(chunk) <= _LONGEST_NOUN:
        for place in _turned(chunk, text):
            covered.update(i for i, ch in enumerate(chunk) if ch in text[place : place + len(chunk)])
            places.update(range(place, place + len(chunk)))
    for group in _groups():
        for word in group:
            at = chunk.find(word)
            if at >= 0:
                for other in group:
                    for place in occurrences(other, text):
                        covered.update(range(at, at + len(word)))
                        places.update(range(place, place + len(other)))
    return frozenset(covered), frozenset(places)


def _turned(chunk: str, text: str) -> Iterator[int]:
    """Where a word of nearly the same characters stands: "词作者" for "作词人"."""
    for place in range(len(text) - len(chunk) + 1):
        window = text[place : place + len(chunk)]
        if window.isalnum() and len(set(window) & set(chunk)) > len(chunk) / 2:
            yield place


def _longest(chunk: str, start: int, text: str) -> int:
    size = 0
    while start + size < len(chunk) and chunk[start : start + size + 1] in text:
        size += 1
    return size


@cache
def _groups() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group) for group in dict(lang.entry(_LANGUAGE, "thinning.synonyms")).values())


def _is_replaced(chunk: str, covered: frozenset[int], text: str) -> bool:
    """Whether other characters stand in the place of some of a piece: "灰雁网盘" for "白鹭网盘", "四号线" for "三号线"."""
    for start, end in _gaps(chunk, covered):
        following = end
        while following in covered:
            following += 1
        numeral = _is_numeral(chunk[start:end])
        if following == end or chunk[end] in _DEGREES or (chunk[start:end] in text and not numeral):
            continue
        before = start
        while before - 1 in covered:
            before -= 1
        if before < start and end - start < _SHORTEST_RUN and not numeral:  # "渡口到灯塔", "渡口去灯塔"
            continue
        if _stands_otherwise(chunk[before:start], chunk[start:end], chunk[end:following], text):
            return True
    return False


def _gaps(chunk: str, covered: frozenset[int]) -> Iterator[tuple[int, int]]:
    """The runs of a piece that are not met."""
    start = 0
    while start < len(chunk):
        end = start
        while end < len(chunk) and end not in covered:
            end += 1
        if end > start:
            yield start, end
        start = max(end, start + 1)


def _stands_otherwise(before: str, gap: str, behind: str, text: str) -> bool:
    """Whether wherever what follows the gap stands, something else stands before it: behind `before`, where the piece has that."""
    places = list(occurrences(behind, text))
    if not before:
        return all(_is_foreign(text[:place], gap) for place in places)
    other = re.compile(rf"{re.escape(before)}[^\W_]{{1,{len(gap) + 1}}}$")
    found = [match[0][len(before) :] for place in places if (match := other.search(text[:place]))]
    return bool(found) and before + gap + behind not in text and not any(map(_ends_with_particle, found))


def _is_foreign(before: str, gap: str) -> bool:
    return bool(before) and (is_cjk(before[-1]) or (_is_numeral(gap) and before[-1].isdigit())) and not _ends_with_particle(before)


def _other_role(chunk: str, own: str) -> bool:
    """ "副院长" where the question asks for the 院长."""
    places = list(occurrences(chunk, own)) if chunk in listed(_LANGUAGE, "roles") else []
    return bool(places) and all(own[:place].endswith(listed(_LANGUAGE, "role_modifiers")) for place in places)


def _other_number(question: str, own: str) -> bool:
    """ "四号线" where the question has "三号线"."""
    for match in _NUMBERED.finditer(question):
        others = [other for other in _NUMBERED.finditer(own) if other["kind"] == match["kind"]]
        if others and all(other["number"] != match["number"] for other in others):
            return True
    return False


def _is_numeral(text: str) -> bool:
    return all((ch.isalnum() and ch.isascii()) or ch in _NUMERALS for ch in text)


def _ends_with_particle(text: str) -> bool:
    return any(
        text.endswith(word) for word in (*listed(_LANGUAGE, "particles"), *listed(_LANGUAGE, "before_value"), *listed(_LANGUAGE, "fillers"))
    )
