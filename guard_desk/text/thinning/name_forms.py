"""What belongs to a name in a line beside its capitals: the number behind it, the house before a street, the noun of a family."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.thinning.coverage import SentenceView
from guard_desk.text.thinning.frame import Frame, Shape
from guard_desk.text.thinning.language import listed

_YEAR = re.compile(r"(?:1[0-9]|20|21)\d\d")
# So many words of the question in a row are a name of its own, which another name does not hold.
_WHOLE_NAME = 2


def whole_name(frame: Frame, sentence: SentenceView, span: Span, values: Sequence[Value]) -> Span:
    """A name without those of the question that it runs into, with what belongs to it."""
    plain = _with_number(frame, sentence, _without_question(frame, sentence, span), values)
    return _with_house(frame, sentence, _with_group(frame, sentence, plain))


def _with_group(frame: Frame, sentence: SentenceView, span: Span) -> Span:
    """ "the Aldous *family*"; where a thing is asked for, any noun that closes the phrase: "the Marren *tower* is"."""
    places = [i for i, word in enumerate(sentence.tokens) if word.span.overlaps(span)]
    if not places or not places[0] or places[-1] + 1 >= len(sentence.tokens):
        return span
    noun, last = sentence.tokens[places[-1] + 1], places[-1] + 1
    article = sentence.tokens[places[0] - 1].folded in listed(frame.language, "articles")
    glued = not sentence.text[span.end : noun.span.start].strip()
    if not article or not glued or not noun.text.islower() or not noun.content or noun.stem in frame.stems:
        return span
    following = sentence.tokens[last + 1] if last + 1 < len(sentence.tokens) else None
    closes = following is not None and following.folded in listed(frame.language, "copula") and frame.shape is Shape.OPEN
    return Span(span.start, noun.span.end) if closes or noun.folded in listed(frame.language, "group_nouns") else span


def _with_house(frame: Frame, sentence: SentenceView, span: Span) -> Span:
    """The number before a street, where an address is asked for."""
    before = next((word for word in reversed(sentence.tokens) if word.span.end < span.start), None)
    asked = "address" in (*frame.head, *frame.attribute)
    return Span(before.span.start, span.end) if asked and before is not None and before.text[0].isdigit() else span


def _with_number(frame: Frame, sentence: SentenceView, span: Span, values: Sequence[Value]) -> Span:
    """A name with the number behind it, "Apache *2.0*", "ISO *46*", where a thing is asked for; a year and a measure are no part of it."""
    following = next((v for v in values if v.span.start == span.end + 1 and sentence.text[span.end] == " "), None)
    if frame.shape is not Shape.OPEN or following is None or following.kind is not ValueKind.NUMBER:
        return span
    if "address" in (*frame.head, *frame.attribute):
        return span
    plain = not following.unit and following.text[0].isdigit() and not _YEAR.fullmatch(following.text)
    return Span(span.start, following.span.end) if plain else span


def _without_question(frame: Frame, sentence: SentenceView, span: Span) -> Span:
    """A name that runs into one of the question ("In Lindholm Mira Osei was born"), without that one."""
    keys = {term.stem for term in frame.terms if term.key}
    inside = [word for word in sentence.tokens if word.span.overlaps(span)]
    own = [word.stem in keys for word in inside]
    leading = next((i for i, is_own in enumerate(own) if not is_own), len(own))
    trailing = next((i for i, is_own in enumerate(reversed(own)) if not is_own), len(own))
    if leading >= _WHOLE_NAME and leading < len(own):
        return Span(inside[leading].span.start, span.end)
    if trailing >= _WHOLE_NAME and trailing < len(own):
        return Span(span.start, inside[-trailing - 1].span.end)
    role = next((i for i, word in enumerate(inside) if word.stem not in frame.attribute), len(inside))
    if 0 < role < len(inside):  # "Mayor Voss" for "Who is mayor ...?"
        return Span(inside[role].span.start, span.end)
    return span
