"""Which words of a sentence answer: the spans of the asked kind, and the one that stands in the right place.

Typed values and names are found first; among several, the one nearest to the asked property wins, with a bonus for
the place after a copula, a colon or "by". For questions without a kind ("what is the motto ...") the phrase in that place is the
value. No rule knows the texts it will meet: words come from the language data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.thinning import places
from guard_desk.text.thinning.asked_amounts import as_asked, coins
from guard_desk.text.thinning.causes import causes
from guard_desk.text.thinning.codes import addresses, codes_of, whole_code
from guard_desk.text.thinning.coverage import Coverage, SentenceView, asides
from guard_desk.text.thinning.frame import Frame, Shape
from guard_desk.text.thinning.language import listed, phrase_groups
from guard_desk.text.thinning.mentions import is_quantity
from guard_desk.text.thinning.name_forms import whole_name
from guard_desk.text.thinning.names import names_in
from guard_desk.text.thinning.properties import asks_no_measure, is_measure, is_only_measure, without_others
from guard_desk.text.thinning.rhythm import ASKED, rhythms
from guard_desk.text.thinning.stance import Reading
from guard_desk.text.words import Word, fold_word

_YEAR = re.compile(r"(?:1[0-9]|20|21)\d\d")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_BORDER_COST = 6.0
_SLOT_BONUS = 3.0
_INITIAL_COST = 4.0
_OTHER_NOUN_COST = 5.0
_LONGEST_PHRASE = 8
_LIST_REACH = 4.0
_DATES = frozenset({ValueKind.DATE, ValueKind.TIME})
_NOT_NAMES = frozenset({"CARDINAL", "ORDINAL", "DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"})


@dataclass(frozen=True, slots=True)
class Option:
    """A span that may answer.

    :param cost: added to its distance: less certain spans cost more.
    """

    span: Span
    value: Value | None = None
    cost: float = 0.0


def options(frame: Frame, sentence: SentenceView, coverage: Coverage, values: Sequence[Value]) -> tuple[Option, ...]:
    """The spans of the asked kind in a sentence, in order, without those that only repeat the question."""
    if frame.open_end:
        found = tuple(_phrases(frame, sentence, coverage, _foreign_values(frame, sentence, values)))
        if found:
            return found
    if frame.cause:
        return tuple(Option(span) for span in causes(sentence, frame.language))
    if frame.shape in (Shape.NAME, Shape.OPEN):
        found = (
            *_codes(frame, sentence, values),
            *_names(frame, sentence, coverage, _inside(sentence, values)),
            *_numbered(frame, sentence, _foreign_values(frame, sentence, values)),
        )
    else:
        found = typed_options(frame, sentence, values)
    found = tuple(option for option in found if not any(option.span.overlaps(aside) for aside in asides(sentence)))
    if not found and _may_be_phrase(frame, sentence):
        found = tuple(_phrases(frame, sentence, coverage, _foreign_values(frame, sentence, values)))
    return tuple(sorted(found, key=lambda option: option.span.start))


def with_phrases(
    frame: Frame, sentence: SentenceView, coverage: Coverage, values: Sequence[Value], denied: Sequence[Option]
) -> tuple[Option, ...]:
    """Denied options with the phrase beside them that answers: "made of *recycled nylon*, never of PVC"."""
    if frame.shape is not Shape.OPEN:
        return tuple(denied)
    found = _phrases(frame, sentence, coverage, _foreign_values(frame, sentence, values))
    beside = [option for option in found if not any(option.span.overlaps(other.span) for other in denied)]
    return tuple(sorted((*denied, *beside), key=lambda option: option.span.start))


def _may_be_phrase(frame: Frame, sentence: SentenceView) -> bool:
    """Whether a plain phrase can answer; for a number only where its noun stands ("the default *port* is unset")."""
    if frame.shape is Shape.NUMBER:
        asked = set(frame.head) | frame.attribute
        return any(word.stem in asked for word in sentence.tokens)
    return frame.shape in (Shape.NAME, Shape.OPEN, Shape.LISTED)


def typed_options(frame: Frame, sentence: SentenceView, values: Sequence[Value]) -> tuple[Option, ...]:
    """The typed values or listed words of the asked kind."""
    if frame.shape is Shape.LISTED:
        return tuple(_listed(frame, sentence))
    foreign = [as_asked(frame, v) for v in _foreign_values(frame, sentence, values)]
    foreign = [v for v in foreign if v.kind is not ValueKind.DATE or not _repeats(frame, sentence, v.span)]
    often = tuple(rhythms(sentence, foreign, frame.language)) if ASKED in frame.dimensions else ()
    if often:
        return tuple(Option(value.span, value) for value in often)
    foreign = without_others(frame, sentence, foreign)
    fitting = [v for v in foreign if fits_shape(frame, v) and not _is_part(frame, sentence, v)] or list(coins(frame, sentence, foreign))
    if frame.shape is not Shape.NUMBER and "number" not in frame.dimensions:
        return tuple(Option(v.span, v, _value_cost(frame, v)) for v in fitting)
    asked = frozenset((*frame.head, *frame.attribute))
    codes = [span for span in codes_of(sentence) if not _repeats(frame, sentence, span)]
    if codes and (frame.shape is Shape.NUMBER or len(frame.dimensions) > 1):
        return tuple(Option(span, None) for span in codes)
    whole = {whole_code(sentence, v, asked): v for v in reversed(fitting)}
    return tuple(Option(span, v if span == v.span else None, _value_cost(frame, v)) for span, v in whole.items())


def _is_part(frame: Frame, sentence: SentenceView, value: Value) -> bool:
    """ "*Some 30 guests* of the hotel complained" counts a part: the subject has a verb of its own, which the question does not have."""
    if frame.shape is not Shape.COUNT or frame.is_han or value.noun == "":
        return False
    at = [i for i, word in enumerate(sentence.tokens) if word.span.overlaps(value.span)]
    behind = at[-1] + 2 if at else 0
    if not at or at[0] > 1 or behind >= len(sentence.tokens) or sentence.tokens[behind].folded not in listed(frame.language, "of_or_in"):
        return False
    return any(word.content and word.stem not in frame.stems for word in sentence.tokens[behind + 1 :])


def _inside(sentence: SentenceView, values: Sequence[Value]) -> list[Value]:
    return [v for v in values if sentence.span.start <= v.span.start and v.span.end <= sentence.span.end]


def _foreign_values(frame: Frame, sentence: SentenceView, values: Sequence[Value]) -> list[Value]:
    """The values that the question does not name itself."""
    own = _own_spans(frame, sentence)
    return [v for v in _inside(sentence, values) if not any(v.span.overlaps(span) for span in own)]


def _own_spans(frame: Frame, sentence: SentenceView) -> list[Span]:
    """Numbers and identifiers that the question itself names ("Orbis 300", "in 2027", "*one* loaf")."""
    keys = {term.stem for term in frame.terms if any(ch.isdigit() for ch in term.text)} | frame.numbers
    return [word.span for word in sentence.tokens if word.stem in keys]


def fits_shape(frame: Frame, value: Value) -> bool:
    """Whether a typed value is of the kind that the question asks for."""
    if frame.shape is Shape.QUANTITY:
        # The capacity of an arena is a number of seats.
        bare = not frame.dimensions.isdisjoint({"number", "volume"}) and value.kind is ValueKind.NUMBER and not value.unit
        # The length of a password is a number of characters.
        signs = "length" in frame.dimensions and not value.unit and value.noun in listed(frame.language, "length_nouns")
        # "working_time" is a kind of time.
        dimension = value.dimension.rsplit("_", 1)[-1]
        # An age is a time or a bare number, never "120 cm".
        of_kind = str(value.kind) in frame.dimensions and not (value.unit and "time" in frame.dimensions)
        money = "money" in frame.dimensions and not value.unit and value.noun in listed(frame.language, "money_nouns")
        percent = bool({"money", "percents"} <= frame.dimensions) and value.kind is ValueKind.PERCENT
        return bare or signs or money or percent or dimension in frame.dimensions or of_kind
    if frame.shape is Shape.COUNT:
        return value.kind is ValueKind.NUMBER and value.dimension in ("", "count")
    if frame.shape is Shape.DATE:
        kinds = {ValueKind.TIME} if "clock" in frame.dimensions else {ValueKind.DATE} if "day" in frame.dimensions else _DATES
        return value.kind in kinds or (bool(_YEAR.fullmatch(value.text)) and "clock" not in frame.dimensions)
    if frame.shape is Shape.NUMBER:
        return value.kind in (ValueKind.NUMBER, ValueKind.MONEY, ValueKind.PERCENT) or (
            value.kind is ValueKind.IDENTIFIER and any(map(str.isdigit, value.text))
        )
    return False


def _value_cost(frame: Frame, value: Value) -> float:
    if frame.shape is Shape.COUNT and value.noun:
        return -2 * _OTHER_NOUN_COST if any(_head_of(value.noun, stem) for stem in frame.head) else _OTHER_NOUN_COST
    if frame.shape is Shape.QUANTITY and "volume" in frame.dimensions and not value.unit:
        return _OTHER_NOUN_COST
    if value.kind is ValueKind.PERCENT and "percents" in frame.dimensions:
        return _OTHER_NOUN_COST
    return 1.0 if frame.shape is Shape.NUMBER and is_quantity(value) else 0.0


def _head_of(noun: str, stem: str) -> bool:
    return any(word.startswith(stem) for word in noun.split())


def _names(frame: Frame, sentence: SentenceView, coverage: Coverage, values: Sequence[Value]) -> Iterator[Option]:
    blocked = [v.span for v in addresses(values)] + codes_of(sentence)
    blocked += [v.span for v in values if v.kind in (ValueKind.DATE, ValueKind.TIME, ValueKind.MONEY, ValueKind.PERCENT)]
    numbers = [v.span for v in values if v.kind is ValueKind.NUMBER]
    seen: list[Span] = []
    for name in names_in(sentence.text, sentence.span.start, sentence.span.end, frame.language):
        special = name.quoted or name.code
        is_number = any(span.start <= name.span.start and name.span.end <= span.end for span in numbers)
        inside = any(name.span.overlaps(span) for span in blocked)
        if (is_number or inside) and (not special or any(name.span.overlaps(v.span) for v in addresses(values))):
            continue
        seen.append(name.span)
        span = whole_name(frame, sentence, name.span, values)
        if _repeats(frame, sentence, span) or (name.initial and not _opens_clause(frame, sentence, coverage, span)):
            continue
        yield Option(span, None, _INITIAL_COST if name.initial else -_SLOT_BONUS if special and frame.shape is Shape.OPEN else 0.0)
    for value in values:
        entity = value.kind is ValueKind.ENTITY and value.label not in _NOT_NAMES and not _is_label(sentence, value.span)
        if entity and not any(value.span.overlaps(span) for span in seen) and not _repeats(frame, sentence, value.span):
            yield Option(value.span)


def _is_label(sentence: SentenceView, span: Span) -> bool:
    """ "*Curiosities*: ...": one word and a colon before a whole sentence."""
    first = span.start == sentence.span.start + len(sentence.own) - len(sentence.own.lstrip("¡¿ ")) and not span.of(sentence.text).count(
        " "
    )
    return first and sentence.text[span.end : span.end + 1] in (":", "：")


def _codes(frame: Frame, sentence: SentenceView, values: Sequence[Value]) -> Iterator[Option]:
    """Addresses of mail and web, telephone numbers and map references, where no person and no place is asked for."""
    if frame.shape is Shape.OPEN:
        spans = [value.span for value in addresses(_inside(sentence, values))] + codes_of(sentence)
        yield from (Option(span, None, -2 * _SLOT_BONUS) for span in spans if not _repeats(frame, sentence, span))


def _numbered(frame: Frame, sentence: SentenceView, values: Sequence[Value]) -> Iterator[Option]:
    """ "bus line *14*" for "which bus line": a number right behind the asked noun, or behind a word that follows it in the question."""
    for left, right in pairwise(sentence.tokens):
        if left.stem in frame.head and not right.text.isdigit() and any(map(str.isdigit, right.text)) and right.stem not in frame.stems:
            yield Option(right.span, None, -_SLOT_BONUS)
    for value in values:
        before = next((word for word in reversed(sentence.tokens) if word.span.end <= value.span.start), None)
        asked = before is not None and (
            before.stem in frame.head or any(term.before in frame.head for term in frame.terms if term.stem == before.stem)
        )
        if frame.head and asked and value.kind is ValueKind.NUMBER and not value.unit:
            yield Option(value.span, value)


def _repeats(frame: Frame, sentence: SentenceView, span: Span) -> bool:
    """Whether a name is only made of words of the question."""
    return all(word.stem in frame.stems or not word.content for word in sentence.tokens if word.span.overlaps(span))


def _opens_clause(frame: Frame, sentence: SentenceView, coverage: Coverage, span: Span) -> bool:
    """A capital at the start of a sentence is a name when a verb form or a comma follows: "Torvik is", "Voss, architect of"."""
    place = next((i for i, word in enumerate(sentence.tokens) if word.span.start >= span.end), None)
    if place is None:
        return True
    following = sentence.tokens[place]
    comma = "," in sentence.text[span.end : following.span.start]
    verb = following.folded in listed(frame.language, "auxiliary") and following.folded not in ("will", "can", "may", "must", "are", "were")
    asked = frame.attribute | {term.stem for term in frame.terms[:1] if not term.key}  # "Which country *borders* Vellania to the east?"
    same = any(place in positions for group, positions in sentence.groups.items() if group in frame.groups)
    met = (
        same or place in coverage.anchors or (bool(frame.first) and following.stem == frame.first)
    )  # "Turmeric *gives* mustard its colour"
    return comma or verb or met or following.stem in asked


def _listed(frame: Frame, sentence: SentenceView) -> Iterator[Option]:
    for match in phrase_groups(frame.language, "lists").find(sentence.own, sentence.local):
        span = Span(match.span.start + sentence.span.start, match.span.end + sentence.span.start)
        if frame.list_name in match.meanings and not _repeats(frame, sentence, span):
            yield Option(span)


def _phrases(frame: Frame, sentence: SentenceView, coverage: Coverage, typed: Sequence[Value]) -> Iterator[Option]:
    """The phrase that answers where no kind tells: before the asked noun, after a copula, a colon or an agent word."""
    simple = frame.shape in (Shape.LISTED, Shape.NUMBER)
    chosen = (places.after_copula,) if simple else places.ALL
    for place in chosen:
        words = place(frame, sentence, coverage)
        if words and _is_unnamed(frame, sentence.tokens[words[0]]):
            continue
        words = _trimmed(frame, sentence, words)
        if words:
            span = Span(sentence.tokens[words[0]].span.start, sentence.tokens[words[-1]].span.end)
            within = [v for v in typed if span.start <= v.span.start and v.span.end <= span.end and v.kind is not ValueKind.ENTITY]
            if within and within[0].kind in (ValueKind.DATE, ValueKind.TIME):
                words = _trimmed(frame, sentence, [w for w in words if sentence.tokens[w].span.end <= within[0].span.start])
                if words and _follows_agent(frame, sentence, words[0]):  # "destroyed by a *storm* in 1953"
                    yield Option(Span(sentence.tokens[words[0]].span.start, sentence.tokens[words[-1]].span.end))
                    return
                continue
            if len(within) == 1 and frame.head and frame.shape is Shape.OPEN and within[0].span == span and not within[0].unit:
                continue  # no airline is "five"
            if len(within) == 1 and is_measure(within[0]) and asks_no_measure(frame):
                if is_only_measure(frame, sentence, span, within[0]):
                    continue
                yield Option(span)
                return
            yield Option(within[0].span, within[0]) if len(within) == 1 else Option(span)
            return


def _follows_agent(frame: Frame, sentence: SentenceView, position: int) -> bool:
    before = [
        word.folded for word in sentence.tokens[max(0, position - 2) : position] if word.folded not in listed(frame.language, "articles")
    ]
    return bool(before) and before[-1] in listed(frame.language, "agent")


def _is_unnamed(frame: Frame, first: Word) -> bool:
    """ "a loan" names no bank."""
    return frame.shape is Shape.NAME and bool(frame.head) and first.folded in listed(frame.language, "indefinite")


def _trimmed(frame: Frame, sentence: SentenceView, words: list[int]) -> list[int]:
    """Without stop words and fillers at both ends; empty when too long to be a value."""
    fillers = sentence.positions(frame.language, "fillers")
    while words and (not sentence.tokens[words[0]].content or words[0] in fillers):
        words = words[1:]
    while words and (not sentence.tokens[words[-1]].content or words[-1] in fillers):
        words = words[:-1]
    words = _without_company(frame, sentence, words)
    if len(words) > _LONGEST_PHRASE or all(sentence.tokens[w].stem in frame.stems for w in words):
        return []
    return words


def _without_company(frame: Frame, sentence: SentenceView, words: list[int]) -> list[int]:
    """ "a heron" of "a heron *with its wings* spread": what comes with the thing is no part of it."""
    with_, articles = listed(frame.language, "with"), listed(frame.language, "articles")
    cut = (
        i for i, (a, b) in enumerate(pairwise(words)) if i and sentence.tokens[a].folded in with_ and sentence.tokens[b].folded in articles
    )
    return words[: next(cut, len(words))]


def choose(frame: Frame, reading: Reading, coverage: Coverage, found: Sequence[Option]) -> tuple[int, ...]:
    """Positions of the options that answer: the one nearest to the asked property, several when the question asks for several."""
    if not found:
        return ()
    costs = [_distance(frame, reading, coverage, option) + option.cost for option in found]
    best = min(costs)
    if frame.plural:
        return tuple(index for index, cost in enumerate(costs) if cost <= best + _LIST_REACH)
    return (costs.index(best),)


def _distance(frame: Frame, reading: Reading, coverage: Coverage, option: Option) -> float:
    """Words between the span and the nearest anchor; a border between them costs, the place after a copula or "by" pays."""
    tokens = reading.sentence.tokens
    inside = [i for i, word in enumerate(tokens) if word.span.overlaps(option.span)]
    if not inside:
        return float(len(tokens))
    first, last = inside[0], inside[-1]
    anchors = [a for a in coverage.anchors if a not in inside] or [first]
    cost = min((first - a if a < first else a - last) + _BORDER_COST * (reading.segment[a] != reading.segment[first]) for a in anchors)
    return cost - (_SLOT_BONUS if _in_slot(frame, reading, first) else 0.0)


def _in_slot(frame: Frame, reading: Reading, first: int) -> bool:
    tokens = reading.sentence.tokens
    step = first - 1
    while step >= 0 and not tokens[step].content and tokens[step].folded not in _slot_words(frame):
        step -= 1
    if step < 0:
        return False
    gap = reading.sentence.text[tokens[first - 1].span.end : tokens[first].span.start]
    return ":" in gap or (tokens[step].folded in _slot_words(frame) and first - step <= 3)


def _slot_words(frame: Frame) -> frozenset[str]:
    words = frozenset(fold_word(word) for word in listed(frame.language, "copula"))
    return words | {"by", "von", "par", "por"} if frame.shape is Shape.NAME else words
