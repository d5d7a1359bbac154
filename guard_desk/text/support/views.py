"""A text as verification looks at it: sentences, clauses, their stems, and where the values stand in them.

A view is built once a text and kept, so that re-checking an edited answer looks at the answer alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import CueKind, TextFacts, Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.normalize import unaccented
from guard_desk.text.support.language import phrase_set
from guard_desk.text.words import Word, words

# A clause ends at these marks, but not inside a number ("1,500", "21:10").
_CLAUSE_MARK = re.compile(r"[,;:](?!\d)|(?<!\d)[,;:]|[，；：、—|\n]|\s[-\u2013]\s|[()（）]")
_KEPT_VIEWS = 4096


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a sentence between marks, with its content stems."""

    span: Span
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence (or the title) of a text.

    :param stems: content stems, those of its values included.
    :param bare: content stems outside of its numbers, dates and the like.
    :param order: content stems in the order of the text, with the place of each.
    :param values: positions in `View.values`.
    :param negations: spans of words that deny.
    """

    span: Span
    stems: frozenset[str]
    bare: frozenset[str]
    order: tuple[tuple[str, int], ...]
    clauses: tuple[Clause, ...]
    values: tuple[int, ...]
    negations: tuple[Span, ...]

    def clause_of(self, span: Span) -> Clause:
        """The clause that a span of this sentence begins in."""
        for clause in self.clauses:
            if clause.span.start <= span.start < clause.span.end:
                return clause
        return self.clauses[-1]


@dataclass(frozen=True, slots=True)
class View:
    """One text, ready to be compared.

    :param tokens: every word folded and without accents, for names; aligned with `words`.
    """

    text: str
    language: str
    facts: TextFacts
    words: tuple[Word, ...]
    tokens: tuple[str, ...]
    values: tuple[Value, ...]
    units: tuple[Unit, ...]
    stems: frozenset[str]

    def unit_at(self, span: Span) -> int:
        """Position of the sentence that a span begins in; the nearest one before it otherwise; -1 without sentences."""
        starts = [unit.span.start for unit in self.units]
        return max(0, bisect_right(starts, span.start) - 1) if starts else -1


_kept: OrderedDict[tuple[int, str], tuple[TextFacts, View]] = OrderedDict()


def view(text: str, facts: TextFacts) -> View:
    """The view of a text; kept for as long as its facts are among the last few thousand that were looked at."""
    key = (id(facts), text)
    found = _kept.get(key)
    if found is not None and found[0] is facts:
        return found[1]
    made = build_view(text, facts)
    _kept[key] = (facts, made)
    while len(_kept) > _KEPT_VIEWS:
        try:
            _kept.popitem(last=False)
        except KeyError:  # another thread was faster
            break
    return made


def build_view(text: str, facts: TextFacts) -> View:
    """The view of a text, made anew."""
    language = facts.languages[0] if facts.languages else "en"
    found = words(text, language)
    starts = [word.span.start for word in found]
    light = phrase_set("verify.light", (language,))
    masks = _value_masks(facts.values)
    units = tuple(_unit(text, sentence, found, starts, facts, light, masks) for sentence in facts.sentences or (Span(0, len(text)),))
    return View(
        text=text,
        language=language,
        facts=facts,
        words=found,
        tokens=tuple(unaccented(word.folded) for word in found),
        values=facts.values,
        units=units,
        stems=frozenset(stem for unit in units for stem in unit.stems),
    )


def _value_masks(values: Sequence[Value]) -> tuple[list[int], list[int]]:
    """Starts and ends of the values that are no names: their words are compared as values."""
    spans = [value.span for value in values if value.kind is not ValueKind.ENTITY]
    return [span.start for span in spans], [span.end for span in spans]


def _unit(
    text: str,
    sentence: Span,
    found: Sequence[Word],
    starts: Sequence[int],
    facts: TextFacts,
    light: frozenset[str],
    masks: tuple[list[int], list[int]],
) -> Unit:
    inside = found[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
    content = [word for word in inside if word.content and word.folded not in light]
    order = tuple(_stems_in_order(content))
    bare = frozenset(stem for stem, place in order if not _masked(place, masks))
    return Unit(
        span=sentence,
        stems=frozenset(stem for stem, _ in order),
        bare=bare,
        order=order,
        clauses=_clauses(text, sentence, order, masks),
        values=tuple(_values_in(sentence, facts.values)),
        negations=_negations(sentence, facts),
    )


_FORBIDDING = frozenset({"cannot", "need_not", "should_not"})


def _negations(sentence: Span, facts: TextFacts) -> tuple[Span, ...]:
    """Words that deny or forbid, each place once."""
    found: list[Span] = []
    for cue in facts.cues:
        denies = cue.kind is CueKind.NEGATION or (cue.kind is CueKind.MODALITY and cue.meaning in _FORBIDDING)
        if denies and sentence.start <= cue.span.start < sentence.end and not any(cue.span.overlaps(other) for other in found):
            found.append(cue.span)
    return tuple(found)


def _masked(place: int, masks: tuple[list[int], list[int]]) -> bool:
    index = bisect_right(masks[0], place) - 1
    return index >= 0 and place < masks[1][index]


def _values_in(sentence: Span, values: Sequence[Value]) -> Iterable[int]:
    return (index for index, value in enumerate(values) if sentence.start <= value.span.start < sentence.end)


def _stems_in_order(content: Sequence[Word]) -> Iterable[tuple[str, int]]:
    """(stem, place) of content words; neighbouring Han characters give bigrams, one alone gives itself."""
    for position, word in enumerate(content):
        if not _is_character(word):
            yield word.stem, word.span.start
            continue
        follows = position + 1 < len(content) and _is_character(content[position + 1]) and content[position + 1].span.start == word.span.end
        follows_on = position > 0 and _is_character(content[position - 1]) and content[position - 1].span.end == word.span.start
        if follows:
            yield word.folded + content[position + 1].folded, word.span.start
        elif not follows_on:
            yield word.folded, word.span.start


def _is_character(word: Word) -> bool:
    return len(word.text) == 1 and is_cjk(word.text)


def _clauses(text: str, sentence: Span, order: Sequence[tuple[str, int]], masks: tuple[list[int], list[int]]) -> tuple[Clause, ...]:
    borders = [sentence.start]
    for match in _CLAUSE_MARK.finditer(text, sentence.start, sentence.end):
        if not _masked(match.start(), masks):
            borders.append(match.end())
    borders.append(sentence.end)
    pieces = [Span(start, end) for start, end in zip(borders, borders[1:], strict=False) if start < end]
    made = []
    for piece in pieces or [sentence]:
        stems = frozenset(stem for stem, place in order if piece.start <= place < piece.end and not _masked(place, masks))
        made.append(Clause(piece, stems))
    return tuple(made)
