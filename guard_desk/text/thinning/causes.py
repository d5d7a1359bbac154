"""What answers "why": the words behind "because of" and its like, and the subject of "caused" and its like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from guard_desk.records.corpus import Span
from guard_desk.text.thinning.coverage import SentenceView
from guard_desk.text.thinning.language import list_hits, listed
from guard_desk.text.words import fold_word

_BORDER = re.compile(r"[,;:.!?()]|\s-\s|[\u2013\u2014]")
_LONGEST = 8


def causes(sentence: SentenceView, language: str) -> Iterator[Span]:
    """The causes that a sentence names, in a language with spaces."""
    text, tokens = sentence.own, sentence.local
    before = list_hits(language, "cause_before", text, tokens)
    taken = {place for hit in before for place in hit.words}
    for hit in before:
        yield from _span(sentence, _until_border(sentence, hit.last + 1, language))
    for hit in list_hits(language, "cause_after", text, tokens):
        if taken & set(hit.words):
            continue  # "caused by"
        start = hit.first
        while start and not _border(sentence, start - 1):
            start -= 1
        yield from _span(sentence, range(start, hit.first))


def _border(sentence: SentenceView, left: int) -> bool:
    gap = sentence.text[sentence.tokens[left].span.end : sentence.tokens[left + 1].span.start]
    return bool(_BORDER.search(gap))


def _until_border(sentence: SentenceView, start: int, language: str) -> range:
    """Up to a mark or a circumstance: "flooding *on the lower levels*"; a clause with a verb of its own stays whole."""
    ends = {fold_word(word) for word in listed(language, "cause_ends")}
    end = start
    while end < len(sentence.tokens) and (end == start or not _border(sentence, end - 1)):
        if end > start and sentence.tokens[end].folded in ends:
            break
        end += 1
    return range(start, end)


def _span(sentence: SentenceView, places: Sequence[int]) -> Iterator[Span]:
    words = [sentence.tokens[place] for place in places]
    while words and not words[0].content:
        words = words[1:]
    while words and not words[-1].content:
        words = words[:-1]
    if words and len(words) <= _LONGEST:
        yield Span(words[0].span.start, words[-1].span.end)


def han_causes(sentence: SentenceView) -> Iterator[Span]:
    """The causes that a Chinese sentence names: 因…停运, 由于…，…导致."""
    for match in _han_pattern().finditer(sentence.own):
        start, end = match.span("cause" if match["cause"] else "subject")
        yield Span(sentence.span.start + start, sentence.span.start + end)


@cache
def _han_pattern() -> re.Pattern[str]:
    before, ends, after = (_choice(name) for name in ("cause_before", "cause_ends", "cause_after"))
    mark = "，,。；;！!？?"
    behind = rf"(?:{before})(?P<cause>[^{mark}]{{2,20}}?)(?=[{mark}]|$|{ends})"
    return re.compile(rf"{behind}|(?:^|(?<=[{mark}]))(?P<subject>[^{mark}]{{2,12}}?)(?={after})")


def _choice(name: str) -> str:
    return "|".join(map(re.escape, sorted(listed("zh", name), key=len, reverse=True)))
