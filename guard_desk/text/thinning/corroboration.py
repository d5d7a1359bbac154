"""Lines that bear out a value in words of their own.

A line that lacks too many words of the question is no statement by itself: it may speak of something else. One that names what the question
is about and holds a value that another line states in full most likely says the same ("firm enough to walk on after one and a half
days"). It counts for that value, with less certainty, and never against any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import TextFacts, Value
from guard_desk.text.thinning import stance
from guard_desk.text.thinning.coverage import Coverage, SentenceView, cover, view
from guard_desk.text.thinning.frame import Frame, Shape
from guard_desk.text.thinning.han import cover_han
from guard_desk.text.thinning.mentions import Mention, same, text_key
from guard_desk.text.thinning.reading import Found
from guard_desk.text.thinning.voices import wording

CERTAINTY = 0.6
"""How sure such a line is, beside 1 of a line that says all."""

_SHARE = 0.5
_SHORTEST_NAME = 3


def corroborating(frame: Frame, passage: Passage, facts: TextFacts, known: Sequence[Mention]) -> Found | None:
    """What a line bears out; None when it does not.

    :param known: values that other lines state.
    """
    if frame.shape in (Shape.YES_NO, Shape.NONE) or frame.cause:
        return None
    for span in facts.sentences:
        sentence = view(passage.text, span, frame.language)
        coverage = cover_han(frame, sentence, passage.title or "") if frame.is_han else cover(frame, sentence, frozenset())
        if coverage.replaced or coverage.share < _SHARE or not _names_subject(frame, coverage):
            continue
        held = sorted(_held(frame, sentence, facts, known), key=lambda item: item[0].start)
        told = stance.read(sentence, [item[0] for item in held], frame.language, coverage.matched)
        kinds = stance.stances(told, [item[0] for item in held], frame.language)
        stated = [item for item, kind in zip(held, kinds, strict=True) if kind is Stance.STATES]
        if stated:
            return _found(frame, sentence, facts, *stated[0])
    return None


def _names_subject(frame: Frame, coverage: Coverage) -> bool:
    if frame.is_han:
        return all(f"《{term}》" not in frame.text for term in coverage.missing)
    keys = {term.stem for term in frame.terms if term.key}
    return bool(keys) and not keys & coverage.missing


def _held(frame: Frame, sentence: SentenceView, facts: TextFacts, known: Sequence[Mention]) -> Iterator[tuple[Span, Value | None]]:
    """Where a sentence holds one of the values."""
    inside = [value for value in facts.values if sentence.span.start <= value.span.start and value.span.end <= sentence.span.end]
    for mention in known:
        if mention.value is not None:
            yield from ((value.span, value) for value in inside if same(mention, _mention(frame, sentence, value.span, value, facts)))
        elif len(mention.text) >= _SHORTEST_NAME or frame.is_han:
            edge = "" if frame.is_han else r"\b"
            found = re.compile(edge + re.escape(mention.text) + edge).finditer(sentence.text, sentence.span.start, sentence.span.end)
            yield from ((Span(*match.span()), None) for match in found)


def _mention(frame: Frame, sentence: SentenceView, span: Span, value: Value | None, facts: TextFacts) -> Mention:
    text = span.of(sentence.text)
    return Mention(
        span=span,
        text=text,
        stance=Stance.STATES,
        sentence=sentence.span,
        value=value,
        key=text_key(text),
        bare=frame.shape in (Shape.COUNT, Shape.NUMBER),
        hedged=stance.is_hedged(sentence, facts),
    )


def _found(frame: Frame, sentence: SentenceView, facts: TextFacts, span: Span, value: Value | None) -> Found:
    words = wording(sentence, frozenset(range(len(sentence.tokens))), span, frame)
    return Found(mention=_mention(frame, sentence, span, value, facts), wording=words, missing=frozenset(), replaced=False)
