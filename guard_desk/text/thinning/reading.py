"""Reads one passage for one question: every value that its sentences state or deny as the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import TextFacts, Value
from guard_desk.text.thinning import han, han_values, slots, stance
from guard_desk.text.thinning.coverage import Coverage, SentenceView, cover, view
from guard_desk.text.thinning.frame import Frame, Shape, has_han
from guard_desk.text.thinning.language import hits, listed, phrase_groups
from guard_desk.text.thinning.mentions import Mention, limits, text_key
from guard_desk.text.thinning.voices import Wording, wording
from guard_desk.text.thinning.yes_no import opposite_of, yes_no
from guard_desk.text.values import find_values
from guard_desk.text.words import words

_KEY_PARTS = re.compile(r"[^\W_]+")
_OPENING, _CLOSING = frozenset('"“„«‘「《'), frozenset('"”“»’」》')
_CLAIM_SHARE = 0.5
# Synonym groups of words that only say that something is somewhere.
_LOCATING = frozenset({"host", "locate"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A mention with what decides whether it counts.

    :param missing: terms of the question that neither the sentence nor the passage around it has.
    :param replaced: another word stands in a term's place.
    :param lacking: how many terms are absent, needed or not.
    """

    mention: Mention
    wording: Wording
    missing: frozenset[str]
    replaced: bool
    lacking: int = 0


def read_passage(frame: Frame, passage: Passage, facts: TextFacts) -> tuple[Found, ...]:
    """Everything that a passage states or denies as an answer; metadata claims first."""
    if frame.shape is Shape.NONE or (frame.is_han != has_han(passage.text) and frame.is_han):
        return ()
    found: list[Found] = []
    context: set[str] = {word.stem for word in words(passage.title, frame.language)} if passage.title else set()
    before = passage.title or ""
    for span in facts.sentences:
        sentence = view(passage.text, span, frame.language)
        coverage = han.cover_han(frame, sentence, before) if frame.is_han else cover(frame, sentence, frozenset(context))
        found += _read_sentence(frame, sentence, coverage, facts)
        context.update(word.stem for word in sentence.tokens if word.content)
        before += sentence.own
    claim = _claim(frame, passage, facts)
    return tuple(found if claim is None else [claim, *(item for item in found if item.mention.stance is Stance.NEGATES)])


def _read_sentence(frame: Frame, sentence: SentenceView, coverage: Coverage, facts: TextFacts) -> Iterator[Found]:
    if frame.shape is Shape.YES_NO and opposite_of(frame, sentence):  # it stands for a term, whatever stands beside it
        coverage = replace(coverage, replaced=False)
    if coverage.replaced or not coverage.share or len(coverage.missing) > 1:
        return
    if frame.shape is Shape.YES_NO:
        mention = yes_no(frame, sentence, coverage, facts)
        if mention is not None:  # the opposite ("banned") stands for the term that is missing
            yield _found(frame, sentence, replace(coverage, missing=frozenset()), mention, range(len(sentence.tokens)))
        return
    options = (
        han_values.han_options(frame, sentence, coverage, facts.values)
        if frame.is_han
        else slots.options(frame, sentence, coverage, facts.values)
    )
    if not options:
        return
    reading, taken = _stances(frame, sentence, coverage, options)
    if not frame.is_han and not reading.whole and all(kind is Stance.NEGATES for kind in taken):
        options = slots.with_phrases(frame, sentence, coverage, facts.values, options)
        reading, taken = _stances(frame, sentence, coverage, options)
    if frame.negated:  # "Which browser is not supported?": what a line denies is the answer
        taken = tuple(Stance.STATES if kind is Stance.NEGATES else Stance.NEGATES for kind in taken)
    for index in _answers(frame, reading, coverage, options, taken):
        if _located(frame, sentence, options[index].span, coverage) or _numbered_head(frame, sentence, options[index].span, coverage):
            coverage = replace(coverage, missing=frozenset())
        elif any(term.attribute and not term.light and term.stem in coverage.missing for term in frame.terms):
            continue
        mention = _mention(frame, sentence, options[index], taken[index], facts)
        core = _core(reading, coverage, options[index].span)
        yield _found(frame, sentence, coverage, mention, core)


def _stances(
    frame: Frame, sentence: SentenceView, coverage: Coverage, options: Sequence[slots.Option]
) -> tuple[stance.Reading, tuple[Stance, ...]]:
    """What a sentence does to each option; a limit ("not more than 6") is stated."""
    spans = [option.span for option in options]
    reading = stance.read(sentence, spans, frame.language, coverage.matched)
    taken = tuple(
        Stance.STATES if option.value is not None and limits(option.value) and not reading.whole else kind
        for option, kind in zip(options, stance.stances(reading, spans, frame.language), strict=True)
    )
    return reading, taken


def _answers(
    frame: Frame, reading: stance.Reading, coverage: Coverage, options: Sequence[slots.Option], taken: Sequence[Stance]
) -> list[int]:
    """Positions of the options that count: every denied one, and the stated one that stands in the right place."""
    denied = [i for i, kind in enumerate(taken) if kind is Stance.NEGATES]
    stated = [i for i, kind in enumerate(taken) if kind is Stance.STATES]
    if stated and _anchored_in_denied_clause(reading, coverage):
        stated = []
    chosen = slots.choose(frame, reading, coverage, [options[i] for i in stated])
    return denied + [stated[i] for i in chosen]


def _anchored_in_denied_clause(reading: stance.Reading, coverage: Coverage) -> bool:
    """Whether the asked property is only spoken of in a denied relative clause ("Farrell follows Sand, who no longer chairs it")."""
    return bool(coverage.anchors) and all(reading.segment[position] in reading.relative for position in coverage.anchors)


def _located(frame: Frame, sentence: SentenceView, span: Span, coverage: Coverage) -> bool:
    """ "See you in Zaragoza for the congress" says where, without a word for hosting: the preposition does."""
    if not frame.place or not coverage.missing:
        return False
    locating = {term.stem for term in frame.terms if term.groups & _LOCATING}
    before = [word for word in sentence.tokens if word.span.end <= span.start]
    return coverage.missing <= locating and bool(before) and before[-1].folded in listed(frame.language, "place_prepositions")


def _numbered_head(frame: Frame, sentence: SentenceView, span: Span, coverage: Coverage) -> bool:
    """ "Night train to Varn: *platform 11*" answers from which platform it leaves, without a word for leaving."""
    if not frame.head or coverage.lacking > 1 or any(term.key and term.stem in coverage.missing for term in frame.terms):
        return False
    near = [word for word in sentence.tokens if word.span.overlaps(span)]
    near += [word for word in sentence.tokens if word.span.end <= span.start][-1:]
    return any(map(str.isdigit, span.of(sentence.text))) and any(word.stem in frame.head for word in near)


def _core(reading: stance.Reading, coverage: Coverage, span: Span) -> range | list[int]:
    tokens = reading.sentence.tokens
    kept = {reading.segment[i] for i in coverage.matched} | {
        reading.segment[i] for i, word in enumerate(tokens) if word.span.overlaps(span)
    }
    return [i for i in range(len(tokens)) if reading.segment[i] in kept]


def _found(frame: Frame, sentence: SentenceView, coverage: Coverage, mention: Mention, core: range | list[int]) -> Found:
    return Found(
        mention=mention,
        wording=wording(sentence, frozenset(core), mention.span, frame),
        missing=coverage.missing,
        replaced=coverage.replaced,
        lacking=coverage.lacking,
    )


def _mention(frame: Frame, sentence: SentenceView, option: slots.Option, kind: Stance, facts: TextFacts) -> Mention:
    text = option.span.of(sentence.text)
    return Mention(
        span=option.span,
        text=text,
        stance=kind,
        sentence=sentence.span,
        value=option.value,
        key=text_key(text),
        quoted=frame.shape is Shape.OPEN and _is_quoted(sentence.text, option.span),
        bare=frame.shape in (Shape.COUNT, Shape.NUMBER),
        hedged=stance.is_hedged(sentence, facts),
    )


def _is_quoted(text: str, span: Span) -> bool:
    return text[max(span.start - 1, 0) : span.start] in _OPENING and text[span.end : span.end + 1] in _CLOSING


def _claim(frame: Frame, passage: Passage, facts: TextFacts) -> Found | None:
    """The value that the passage's metadata claims, when its key speaks of what is asked."""
    if passage.claim_value is None or not _key_fits(frame, passage):
        return None
    value = _claimed_value(frame, passage.claim_value)
    start = passage.text.find(passage.claim_value)
    span = Span(start, start + len(passage.claim_value)) if start >= 0 else None
    text = passage.claim_value if value is None else value.text
    mention = Mention(
        span=span,
        text=text,
        stance=Stance.STATES,
        sentence=facts.sentences[0] if facts.sentences else Span(0, len(passage.text)),
        value=value,
        key=text_key(text),
        bare=frame.shape in (Shape.COUNT, Shape.NUMBER),
    )
    whole = view(passage.text, Span(0, len(passage.text)), frame.language)
    return Found(
        mention=mention,
        wording=wording(whole, frozenset(range(len(whole.tokens))), span, frame),
        missing=frozenset(),
        replaced=False,
    )


def _claimed_value(frame: Frame, text: str) -> Value | None:
    values = find_values(text, (frame.language,))
    if frame.shape in (Shape.NAME, Shape.OPEN, Shape.LISTED, Shape.YES_NO) and not (len(values) == 1 and values[0].text == text.strip()):
        return None
    return values[0] if values else None


def _key_fits(frame: Frame, passage: Passage) -> bool:
    """Whether at least half of the key's words are words of the question, or mean the same."""
    key = " ".join(_KEY_PARTS.findall(passage.claim_key or ""))
    if not key:
        return False
    if frame.is_han and has_han(key):
        return any(chunk in key or key in chunk for chunk in frame.chunks)
    tokens = words(key, frame.language)
    groups = {group for term in frame.terms for group in term.groups}
    meant = {i for hit in hits(phrase_groups(frame.language, "synonyms"), key, tokens) if groups & set(hit.meanings) for i in hit.words}
    fitting = [i for i, word in enumerate(tokens) if word.stem in frame.stems or i in meant]
    return bool(tokens) and len(fitting) / len(tokens) >= _CLAIM_SHARE
