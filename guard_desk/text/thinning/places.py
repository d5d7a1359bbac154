"""Where a plain phrase stands that answers a question without a kind of value; each function gives positions of words."""

from __future__ import annotations

import re
from itertools import pairwise

from guard_desk.text.thinning.coverage import Coverage, SentenceView, positions_of
from guard_desk.text.thinning.frame import Frame, Shape
from guard_desk.text.thinning.language import list_hits, listed
from guard_desk.text.words import fold_word

_PASSIVE = 2
_BORDER = re.compile(r"[,;:()]|\s\[|\s-\s|—")


def modifiers(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "epoxy resin" for "which resin"."""
    for index, word in enumerate(sentence.tokens):
        if word.stem not in frame.head:
            continue
        start = index
        while start and _plain(frame, sentence, start - 1, coverage) and _adjacent(sentence, start - 1):
            start -= 1
        if start < index:
            return list(range(start, index + 1))
    return []


def _plain(frame: Frame, sentence: SentenceView, position: int, coverage: Coverage) -> bool:
    word = sentence.tokens[position]
    return word.content and word.stem not in frame.stems and position not in coverage.matched


def _adjacent(sentence: SentenceView, position: int) -> bool:
    left, right = sentence.tokens[position], sentence.tokens[position + 1]
    return not sentence.text[left.span.end : right.span.start].strip(" -")


def _copulas(frame: Frame, sentence: SentenceView) -> list[tuple[int, int]]:
    """(last word before, first word behind) of each copula or colon."""
    places = sorted(sentence.positions(frame.language, "copula"))
    found = [(place - 1, place + 1) for place in places]
    gaps = (sentence.text[left.span.end : right.span.start].strip() for left, right in pairwise(sentence.tokens))
    return found + [(index, index + 1) for index, gap in enumerate(gaps) if gap in (":", "：", "=", "|")]


def _segment_end(sentence: SentenceView, start: int) -> int:
    end = start
    while end + 1 < len(sentence.tokens) and not _BORDER.search(
        sentence.text[sentence.tokens[end].span.end : sentence.tokens[end + 1].span.start]
    ):
        end += 1
    return end


def after_copula(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "The motto of Brask is *patience*", "Motto: *patience*", "is cast from *steel*"."""
    for before, behind in _copulas(frame, sentence):
        if behind < len(sentence.tokens) and any(position <= before for position in coverage.matched):
            if _has_own_subject(frame, sentence, coverage, before):
                continue  # "the crown is no longer accepted": another subject
            words = list(range(behind, _segment_end(sentence, behind) + 1))
            if all(word in coverage.matched for word in words if sentence.tokens[word].content):
                return []  # "the sella *is legal tender*": the value stands before
            if not coverage.matched & set(words) or (
                frame.shape is Shape.OPEN and not set(words) <= coverage.matched and min(coverage.matched & set(words)) > behind + 1
            ):
                kept = [w for w in words if w < min(coverage.matched & set(words), default=len(sentence.tokens))]
                return kept[2:] if _is_passive(frame, sentence, kept) else kept
    return []


def _is_passive(frame: Frame, sentence: SentenceView, words: list[int]) -> bool:
    """ "is cast from steel": the value stands behind the participle and its preposition."""
    if len(words) <= _PASSIVE:
        return False
    first, second = sentence.tokens[words[0]], sentence.tokens[words[1]]
    endings = listed(frame.language, "participle_endings")
    participle = first.folded.endswith(endings) or first.folded in listed(frame.language, "participles")
    return participle and second.folded in listed(frame.language, "agent")


def apposition(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "quoted in its currency, *the tallin mark*": what an article opens right behind the asked property and a comma."""
    for index in sorted(coverage.anchors):
        behind = index + 1
        if sentence.tokens[index].stem not in frame.attribute or behind >= len(sentence.tokens):
            continue
        gap = sentence.text[sentence.tokens[index].span.end : sentence.tokens[behind].span.start].strip()
        if gap == "," and sentence.tokens[behind].folded in listed(frame.language, "articles"):
            return list(range(behind, _segment_end(sentence, behind) + 1))
    return []


def in_place_of(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "they go for *bamboo* instead of plastic": what stands in the place of a thing that the question names."""
    for hit in list_hits(frame.language, "in_place_of", sentence.own, sentence.local):
        start = hit.first
        if hit.last + 1 not in coverage.matched:
            continue
        while start and _plain(frame, sentence, start - 1, coverage) and _adjacent(sentence, start - 1):
            start -= 1
        return list(range(start, hit.first))
    return []


def _has_own_subject(frame: Frame, sentence: SentenceView, coverage: Coverage, before: int) -> bool:
    """Whether the word before a copula is a noun of its own, an article before it, that the question does not have."""
    plain = before > 0 and _plain(frame, sentence, before, coverage)
    return plain and sentence.tokens[before - 1].folded in listed(frame.language, "articles")


def before_copula(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "*Patience* is the motto of Brask"."""
    for before, behind in _copulas(frame, sentence):
        if before >= 0 and any(position >= behind for position in coverage.anchors):
            if not any(position <= before for position in coverage.matched):
                return list(range(_segment_start(sentence, before), before + 1))
            if _has_own_subject(frame, sentence, coverage, before):  # "On Fenna *the crown* is legal tender"
                return [before]
    return []


def subject_of_verb(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "some forty pairs of *swifts* nest under the roof", "*a water wheel* drives the clock": what stands before the question's verb."""
    first = min(frame.terms, key=lambda term: term.position, default=None)
    if frame.shape is not Shape.OPEN or first is None or not first.verb_of_subject:
        return []
    verb = min(positions_of(first, sentence, frame.language), default=0)
    if not verb or any(position < verb for position in coverage.matched) or not sentence.tokens[verb - 1].content:
        return []
    start = verb
    while start > _segment_start(sentence, verb) and _plain(frame, sentence, start - 1, coverage):
        start -= 1
    return list(range(start, verb))


def object_of_asked_verb(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "she played *the viola* in the quartet" for "Which instrument did she play?"."""
    for verb in sorted(coverage.anchors):
        first = verb + 1
        if frame.shape is not Shape.OPEN or first + 1 >= len(sentence.tokens) or not frame.does:
            continue
        if sentence.tokens[first].folded in listed(frame.language, "articles"):
            end = first + 1
            while end < len(sentence.tokens) and _plain(frame, sentence, end, coverage) and _adjacent(sentence, end - 1):
                end += 1
            return list(range(first, end))
    return []


def _segment_start(sentence: SentenceView, position: int) -> int:
    while position and not _BORDER.search(sentence.text[sentence.tokens[position - 1].span.end : sentence.tokens[position].span.start]):
        position -= 1
    return position


def object_of_verb(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "shows a heron", "uses the pell": what a verb of the line, or the question's own, has behind an article."""
    last = max(coverage.matched, default=-1)
    if last + 1 >= len(sentence.tokens) or _segment_end(sentence, last) == last:
        return []
    own_verb = frame.shape is Shape.OPEN and sentence.tokens[last].stem in frame.attribute
    if own_verb and (sentence.tokens[last + 1].content or sentence.tokens[last + 1].folded in listed(frame.language, "articles")):
        return list(range(last + 1, _segment_end(sentence, last + 1) + 1))
    verb = last + 1
    if not sentence.tokens[verb].content or verb + 1 > _segment_end(sentence, verb):
        return []
    article = sentence.tokens[verb + 1].folded in listed(frame.language, "articles")
    return list(range(verb + 1, _segment_end(sentence, verb) + 1)) if article or sentence.tokens[verb].stem in frame.stems else []


def after_agent(frame: Frame, sentence: SentenceView, coverage: Coverage) -> list[int]:
    """ "approved by the *finance team*", "kept in the *basement*"."""
    agents = {fold_word(word) for word in listed(frame.language, "agent")}
    last = max(coverage.matched, default=-1)
    for index in range(max(last, 0), len(sentence.tokens)):
        if sentence.tokens[index].folded in agents and index + 1 < len(sentence.tokens):
            return list(range(index + 1, _segment_end(sentence, index + 1) + 1))
    return []


ALL = (
    modifiers,
    in_place_of,
    after_copula,
    apposition,
    before_copula,
    subject_of_verb,
    object_of_asked_verb,
    object_of_verb,
    after_agent,
)
"""In the order in which they are tried."""
