"""A passage as the judge's rules see it: sentences with keys, values, cues and names, and what stands around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Cue, CueKind, TextFacts, Value
from guard_desk.text.analyze import analyze_text
from guard_desk.text.languages import is_cjk
from guard_desk.text.question_reading import names_of, placed_keys, premise_phrases

REACH = 4
_MODAL = "会能可以得要需须应该"
_COMMA = re.compile("[，；]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceReading:
    """One sentence; spans point into the passage.

    :param order: keys of its content words with their places.
    :param keys: the same as a set; `context`: keys of the title and of the sentence before.
    :param values, cues: what lies in it.
    :param denied: place of each negation, keys that it reaches behind it, and before it.
    """

    span: Span
    text: str
    order: tuple[tuple[str, Span], ...]
    keys: frozenset[str]
    context: frozenset[str]
    values: tuple[Value, ...]
    cues: tuple[Cue, ...]
    denied: tuple[tuple[Span, tuple[str, ...], frozenset[str]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageReading:
    """A passage.

    :param keys: keys of text and title; `title_keys`: of the title alone.
    :param names: folded names, identifiers and years of text and title.
    """

    language: str
    facts: TextFacts
    sentences: tuple[SentenceReading, ...]
    keys: frozenset[str]
    title_keys: frozenset[str]
    order: tuple[tuple[str, ...], ...]
    names: frozenset[str]


@lru_cache(maxsize=1024)
def read_passage(text: str, title: str | None, language: str) -> PassageReading:
    """Read a passage with the stems of the question's language, so that words meet.

    :param language: of the question.
    """
    facts = analyze_text(text)
    title_order = tuple(key for key, _ in placed_keys(title, language)) if title else ()
    title_keys = frozenset(title_order)
    sentences: list[SentenceReading] = []
    previous: frozenset[str] = frozenset()
    for span in (clause for sentence in facts.sentences for clause in _clauses(text, sentence, language)):
        sentence = _sentence(text, span, facts, language, title_keys | previous)
        sentences.append(sentence)
        previous = sentence.keys
    names = names_of(text, facts) | (names_of(title, analyze_text(title)) if title else frozenset())
    return PassageReading(
        language=language,
        facts=facts,
        sentences=tuple(sentences),
        keys=frozenset(key for sentence in sentences for key in sentence.keys) | title_keys,
        title_keys=title_keys,
        order=(title_order, *(tuple(key for key, _ in sentence.order) for sentence in sentences)),
        names=names,
    )


def _clauses(text: str, span: Span, language: str) -> tuple[Span, ...]:
    """The sentence itself; in Chinese, where commas part what would be sentences elsewhere, its clauses."""
    if language != "zh":
        return (span,)
    starts = [span.start, *(match.end() for match in _COMMA.finditer(text, span.start, span.end))]
    return tuple(Span(start, end) for start, end in zip(starts, [*starts[1:], span.end], strict=True) if end > start)


def _sentence(text: str, span: Span, facts: TextFacts, language: str, context: frozenset[str]) -> SentenceReading:
    own = span.of(text)
    order = tuple((key, Span(place.start + span.start, place.end + span.start)) for key, place in placed_keys(own, language))
    cues = tuple(cue for cue in facts.cues if cue.span.overlaps(span))
    return SentenceReading(
        span=span,
        text=own,
        order=order,
        keys=frozenset(key for key, _ in order),
        context=context,
        values=tuple(value for value in facts.values if value.span.overlaps(span)),
        cues=cues,
        denied=tuple(
            (cue.span, *_reach(_beside_reasons(order, cue.span, own, span.start, language), cue.span, text))
            for cue in cues
            if cue.kind is CueKind.NEGATION
        ),
    )


def _beside_reasons(
    order: tuple[tuple[str, Span], ...], negation: Span, own: str, start: int, language: str
) -> tuple[tuple[str, Span], ...]:
    """The keys on the negation's side of each "because": "shut, because mail is *not* sorted" denies nothing of the shop."""
    joints = [match.span.start + start for match in premise_phrases(language, "joint").find(own)]
    left = max((joint for joint in joints if joint <= negation.start), default=start)
    right = min((joint for joint in joints if joint > negation.start), default=start + len(own))
    return tuple((key, place) for key, place in order if left <= place.start < right)


def _reach(order: tuple[tuple[str, Span], ...], negation: Span, text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """A few keys behind a negation, in order, and a few before it. A word that denies itself ("inactive") is reached first."""
    han = is_cjk(negation.of(text)[:1])  # pairs of characters that straddle the negation are no words
    own = [] if han or " " in negation.of(text).strip() else [key for key, place in order if place.overlaps(negation)]
    end = negation.end + (len(text[negation.end :]) - len(text[negation.end :].lstrip(_MODAL)) if han else 0)
    after = [key for key, place in order if place.start >= end][:REACH]
    before = [key for key, place in order if place.end <= negation.start][-REACH:]
    return tuple(own + after), frozenset(before)
