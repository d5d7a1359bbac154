"""Values from running text: which words of a passage answer, and how sure that is.

The strict reader (`reading`) wants every term of the question in one sentence. Prose does not repeat them: the subject
stands in the title or some sentences before, a pronoun carries it on. Here every passage offers *options*: typed values
of the asked kind, names, words in quotes, values that grammar ties to the subject (`Relation`), and the spans of a model
that reads question and passage (`AnswerSpan`). Each option is described by a few numbers, and a fitted sum of them gives its
probability (weights in `resources/thinning/`, made by `packaging/thinning/fit_prose.py`). The best option of a
passage is what it states, if it is probable enough; a passage without one states nothing.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Passage, Span
from guard_desk.records.evidence import AnswerSpan, Relation, RelationKind, TextFacts, Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.questions import Ask
from guard_desk.text.questions import asked as asked_kind
from guard_desk.text.thinning.frame import Frame, Shape
from guard_desk.text.thinning.mentions import Mention
from guard_desk.text.thinning.passages import Asked, Nearness, closeness
from guard_desk.text.thinning.properties import spans_of_others
from guard_desk.text.thinning.slots import fits_shape

FEATURES = (
    "strict",
    "own",
    "window",
    "whole",
    "names",
    "close",
    "attribute",
    "asked_kind",
    "other_kind",
    "entity",
    "quoted",
    "noun",
    "relation",
    "relation_value",
    "copula",
    "first",
    "long",
    "best_own",
    "found",
    "found_rank",
    "found_here",
    "known",
    "repeats",
)
"""Names of the numbers that describe an option, in the order of the weights."""

_TYPED = (Shape.QUANTITY, Shape.COUNT, Shape.NUMBER, Shape.DATE)
_PEOPLE = frozenset({"PERSON", "PER", "NAME"})
_PLACES = frozenset({"GPE", "LOC", "FAC", "NAME"})
_NOT_NAMES = frozenset({"CARDINAL", "ORDINAL", "DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"})
_QUOTED = re.compile(r"[\"“«「『《]([^\"”»」』》\n]{2,80})[\"”»」』》]")
_LEADING = re.compile(r"^(?:the|a|an|der|die|das|le|la|les|el|los|las)\s+|^l['’]", re.IGNORECASE)
_EDGE = " \t\n\"'“”‘’«»「」『』《》,;:，；：、"
_LONGEST = 12
_LONGEST_HAN = 24
_LOGIT_LIMIT = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Words of a passage that may answer.

    :param value: the typed value that the words are, None for names and phrases.
    :param related: whether and how grammar ties it to words of the question: the relation's kind and the weight of the
        question's keys in its subject and predicate.
    :param found: the model's probability; None when it did not mark these words.
    :param strict: whether the strict reader takes these words for the answer.
    """

    span: Span
    value: Value | None = None
    fits: bool = False
    entity: bool = False
    quoted: bool = False
    related: tuple[RelationKind, float] | None = None
    found: float | None = None
    strict: bool = False


def options(
    question: Asked,
    passage: Passage,
    facts: TextFacts,
    near: Nearness,
    relations: Sequence[Relation],
    answers: Sequence[AnswerSpan],
    strict: Sequence[Mention] = (),
) -> tuple[Option, ...]:
    """The options of a passage, each span once, in order.

    :param strict: what the strict reader finds in it.
    """
    frame = question.frame
    typed = tuple(value for value in facts.values if frame.shape is Shape.QUANTITY and fits_shape(frame, value))
    others = spans_of_others(frame, passage.text, facts.sentences, typed)
    merged: dict[tuple[int, int], Option] = {}
    for option in (
        *_values(frame, facts),
        *_quoted(frame, passage.text),
        *_related(question, passage.text, near, relations, facts),
        *_found(frame, passage.text, answers, facts),
        *(Option(span=m.span, value=m.value, strict=True) for m in strict if m.span is not None),
    ):
        if option.span not in others and _allowed(question, passage.text, near, option.span):
            key = (option.span.start, option.span.end)
            merged[key] = _joined(merged[key], option) if key in merged else option
    return tuple(merged[key] for key in sorted(merged))


def _joined(a: Option, b: Option) -> Option:
    strongest = max((r for r in (a.related, b.related) if r is not None), key=lambda r: r[1], default=None)
    return Option(
        span=a.span,
        value=a.value or b.value,
        fits=a.fits or b.fits,
        entity=a.entity or b.entity,
        quoted=a.quoted or b.quoted,
        related=strongest,
        found=a.found if b.found is None else b.found if a.found is None else max(a.found, b.found),
        strict=a.strict or b.strict,
    )


def _values(frame: Frame, facts: TextFacts) -> Iterator[Option]:
    """Typed values of the asked kind; names where a name or a thing is asked for."""
    typed = frame.shape in _TYPED
    for value in facts.values:
        if value.kind is ValueKind.ENTITY:
            if not typed and value.label not in _NOT_NAMES:
                yield Option(span=value.span, fits=_label_fits(frame, value.label), entity=True)
        elif typed and fits_shape(frame, value):
            yield Option(span=value.span, value=value, fits=True)
        elif frame.shape in (Shape.OPEN, Shape.NONE):
            yield Option(span=value.span, value=value)


def _label_fits(frame: Frame, label: str) -> bool:
    kind = asked_kind(frame.text, frame.language).ask
    if kind is Ask.PERSON:
        return label in _PEOPLE
    return label in _PLACES if kind is Ask.PLACE or frame.place else frame.shape is Shape.NAME


def _quoted(frame: Frame, text: str) -> Iterator[Option]:
    if frame.shape in (Shape.NAME, Shape.OPEN, Shape.NONE):
        for match in _QUOTED.finditer(text):
            yield Option(span=Span(match.start(1), match.end(1)), quoted=True)


def _related(question: Asked, text: str, near: Nearness, relations: Sequence[Relation], facts: TextFacts) -> Iterator[Option]:
    """The value of each relation whose subject or predicate has words of the question; the typed value in it where one is asked for."""
    typed = question.frame.shape in _TYPED
    # Long texts have thousands of relations, values and words: each relation looks at those within it only.
    values = sorted(facts.values, key=lambda value: value.span.start)
    value_starts = [value.span.start for value in values]
    word_starts = [near.read.tokens[place].span.start for place, _ in near.places]
    for relation in relations:
        weight = _relation_weight(question, near, word_starts, relation)
        if not weight:
            continue
        tie = (relation.kind, weight)
        span = relation.value if typed else _without_article(text, relation.value)
        if not typed:
            yield Option(span=span, related=tie)
        for value in values[bisect_left(value_starts, span.start) : bisect_left(value_starts, span.end)]:
            if value.span.end > span.end:
                continue
            if typed and fits_shape(question.frame, value):
                yield Option(span=value.span, value=value, fits=True, related=tie)
            elif not typed and value.kind is ValueKind.ENTITY:
                yield Option(span=value.span, entity=True, fits=_label_fits(question.frame, value.label), related=tie)


def _relation_weight(question: Asked, near: Nearness, word_starts: Sequence[int], relation: Relation) -> float:
    first, last = bisect_left(word_starts, relation.subject.start), bisect_left(word_starts, relation.subject.end)
    keys = {key for place, key in near.places[first:last] if _inside(near, place, relation.subject)}
    predicate = question.meaning.get(relation.predicate[:_LONGEST]) if relation.predicate else None
    if predicate is not None:
        keys.add(predicate)
    return sum(question.weights[key] for key in keys)


def _inside(near: Nearness, place: int, span: Span) -> bool:
    word = near.read.tokens[place].span
    return span.start <= word.start and word.end <= span.end


def _without_article(text: str, span: Span) -> Span:
    match = _LEADING.match(span.of(text))
    return span if match is None or match.end() >= span.end - span.start else Span(span.start + match.end(), span.end)


def _found(frame: Frame, text: str, answers: Sequence[AnswerSpan], facts: TextFacts) -> Iterator[Option]:
    """The model's spans, without quotes and articles at their ends; where a typed value is asked for, the one that a span holds."""
    for answer in answers:
        span = _without_article(text, _trimmed(text, answer.span))
        inside = [v for v in facts.values if v.kind is not ValueKind.ENTITY and span.start <= v.span.start and v.span.end <= span.end]
        fitting = [v for v in inside if frame.shape in _TYPED and fits_shape(frame, v)]
        if len(fitting) == 1:
            yield Option(span=fitting[0].span, value=fitting[0], fits=True, found=answer.score)
        else:
            yield Option(span=span, value=next((v for v in inside if v.span == span), None), found=answer.score)


def _trimmed(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    return Span(start, end)


def _allowed(question: Asked, text: str, near: Nearness, span: Span) -> bool:
    """Not empty, not too long for a value, and not made of words of the question alone."""
    words = span.of(text)
    limit = _LONGEST_HAN if words and is_cjk(words[0]) else None
    if not words.strip() or (len(words) > limit if limit else len(words.split()) > _LONGEST):
        return False
    keys = [near.read.keys[i] for i in near.read.positions(span)]
    content = [key for key in keys if key]
    return not content or any(key not in question.meaning for key in content)


def describe(question: Asked, near: Nearness, option: Option, found: Sequence[Option], best_own: float) -> tuple[float, ...]:
    """The numbers of an option, in the order of `FEATURES`.

    :param found: the options of the passage that the model marked.
    :param best_own: the highest `own` of any sentence of the pool.
    """
    sentence = near.sentence_of(option.span)
    positions = near.read.positions(option.span)
    own = near.own[sentence] if near.own else 0.0
    repeats = [near.read.keys[i] in question.meaning for i in positions if near.read.keys[i]]
    return (
        1.0 if option.strict else 0.0,
        own,
        near.window[sentence] if near.window else 0.0,
        near.whole,
        near.names,
        *closeness(question, near, positions),
        *_kind_numbers(question.frame, option),
        *_tie_numbers(option),
        1.0 if sentence == 0 else 0.0,
        min(1.0, len(positions) / _LONGEST),
        own / best_own if best_own else 0.0,
        *_mark_numbers(option, found),
        sum(repeats) / len(repeats) if repeats else 0.0,
    )


def _kind_numbers(frame: Frame, option: Option) -> tuple[float, ...]:
    counted = option.value is not None and option.value.noun and _head_noun(frame, option.value)
    other = frame.shape in _TYPED and not option.fits
    return tuple(1.0 if holds else 0.0 for holds in (option.fits, other, option.entity, option.quoted, counted))


def _tie_numbers(option: Option) -> tuple[float, float, float]:
    if option.related is None:
        return 0.0, 0.0, 0.0
    kind, weight = option.related
    return 1.0, weight, 1.0 if kind in (RelationKind.COPULA, RelationKind.APPOSITION) else 0.0


def _mark_numbers(option: Option, found: Sequence[Option]) -> tuple[float, float, float, float]:
    """What the model says of these words, whether it is its best, and how sure it is of that one; zeros where it marked nothing."""
    best = max((other.found for other in found if other.found is not None), default=None)
    if best is None:
        return 0.0, 0.0, 0.0, 0.0
    mine = _overlapping(option, found)
    return _logit(mine), 1.0 if mine is not None and mine >= best else 0.0, _logit(best), 1.0


def _head_noun(frame: Frame, value: Value) -> bool:
    return any(word.startswith(stem) for stem in frame.head for word in value.noun.split())


def _overlapping(option: Option, found: Sequence[Option]) -> float | None:
    """The model's probability of the option itself, or of the span of its that overlaps it, by the share that both have in common."""
    if option.found is not None:
        return option.found
    best = None
    for other in found:
        shared = min(option.span.end, other.span.end) - max(option.span.start, other.span.start)
        if shared > 0 and other.found is not None:
            union = max(option.span.end, other.span.end) - min(option.span.start, other.span.start)
            best = max(best or 0.0, other.found * shared / union)
    return best


def _logit(probability: float | None) -> float:
    if probability is None:
        return -_LOGIT_LIMIT
    clipped = min(max(probability, 1e-6), 1 - 1e-6)
    return max(-_LOGIT_LIMIT, min(_LOGIT_LIMIT, math.log(clipped / (1 - clipped))))
