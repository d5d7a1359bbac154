"""A text as verification looks at it: sentences, clauses, their stems, and where the values stand in them.

A view is built once a text and kept, so that re-checking an edited answer looks at the answer alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Cue, CueKind, TextFacts, Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.normalize import unaccented
from guard_desk.text.support.language import phrase_set
from guard_desk.text.words import Word, fold_word, stem_word, words

# A clause ends at these marks, but not inside a number ("1,500", "21:10").
_CLAUSE_MARK = re.compile(r"[,;:](?!\d)|(?<!\d)[,;:]|[，；：、—|\n]|\s[-\u2013]\s|[()（）]")
_KEPT_VIEWS = 4096
_DOTTED = re.compile(r"(?<![\w.])(?:[^\W\d_]\.){1,7}[^\W\d_](?!\w)")
_CONDITIONS = frozenset({"if", "only_if", "unless", "even_if"})
_FORBIDDING = frozenset({"cannot", "need_not", "should_not"})


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A piece of a sentence between marks, with its content stems."""

    span: Span
    stems: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One sentence (or the title) of a text. Compared by identity, as are views.

    :param stems: content stems, those of its values included.
    :param bare: content stems outside of its numbers, dates and the like.
    :param order: content stems in the order of the text, with the place of each.
    :param values: positions in `View.values`.
    :param negations: spans of words that deny, those inside values left out.
    :param conditions: words like "if" and "unless".
    :param modal: stems of words like "may" and "allowed", which say how and not what.
    :param comparison: +1 when it says "more than", -1 for "less than", 0 for neither or both.
    """

    span: Span
    stems: frozenset[str]
    bare: frozenset[str]
    order: tuple[tuple[str, int], ...]
    clauses: tuple[Clause, ...]
    values: tuple[int, ...]
    negations: tuple[Span, ...]
    conditions: tuple[Span, ...]
    modal: frozenset[str]
    comparison: int

    def clause_of(self, span: Span) -> Clause:
        """The clause that a span of this sentence begins in."""
        position = bisect_right(self.clauses, span.start, key=_clause_start)
        return self.clauses[max(0, position - 1)]


def _clause_start(clause: Clause) -> int:
    return clause.span.start


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One text, ready to be compared.

    :param starts: where each word begins.
    :param tokens: every word folded and without accents, for names; aligned with `words`; "" inside "U.S.".
    """

    text: str
    language: str
    facts: TextFacts
    words: tuple[Word, ...]
    starts: tuple[int, ...]
    tokens: tuple[str, ...]
    values: tuple[Value, ...]
    units: tuple[Unit, ...]
    stems: frozenset[str]

    def unit_at(self, span: Span) -> int:
        """Position of the sentence that a span begins in; the nearest one before it otherwise; -1 without sentences."""
        position = bisect_right(self.units, span.start, key=_unit_start)
        return max(0, position - 1) if self.units else -1

    def words_in(self, start: int, end: int) -> tuple[Word, ...]:
        """The words that begin in a range."""
        return self.words[bisect_left(self.starts, start) : bisect_left(self.starts, end)]


@lru_cache(maxsize=64)
def stems_of(phrases: frozenset[str], language: str) -> frozenset[str]:
    """Stems of single words of the language data."""
    return frozenset(stem_word(fold_word(phrase), language) for phrase in phrases)


def _unit_start(unit: Unit) -> int:
    return unit.span.start


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
    return _Builder(text, facts).view()


class _Builder:
    """Makes the view of one text; every look-up by place is a bisection."""

    def __init__(self, text: str, facts: TextFacts) -> None:
        self._text = text
        self._facts = facts
        self._language = facts.languages[0] if facts.languages else "en"
        self._words = words(text, self._language)
        self._starts = tuple(word.span.start for word in self._words)
        self._light = phrase_set("verify.light", (self._language,))
        self._value_starts = [value.span.start for value in facts.values]
        amounts = [value.span for value in facts.values if value.kind is not ValueKind.ENTITY]
        self._amount_starts, self._amount_ends = [span.start for span in amounts], [span.end for span in amounts]
        self._dotted = [Span(*match.span()) for match in _DOTTED.finditer(text)] if "." in text else []
        self._cue_starts = [cue.span.start for cue in facts.cues]

    def view(self) -> View:
        """The view."""
        units = tuple(self._unit(sentence) for sentence in self._facts.sentences or (Span(0, len(self._text)),))
        return View(
            text=self._text,
            language=self._language,
            facts=self._facts,
            words=self._words,
            starts=self._starts,
            tokens=self._tokens(),
            values=self._facts.values,
            units=units,
            stems=frozenset(stem for unit in units for stem in unit.stems),
        )

    def _tokens(self) -> tuple[str, ...]:
        """The words for names. Letters with stops ("U.S.") are one word: the first has all letters, the others are empty."""
        tokens = [unaccented(word.folded) for word in self._words]
        if "." not in self._text:
            return tuple(tokens)
        for match in _DOTTED.finditer(self._text):
            first, last = bisect_left(self._starts, match.start()), bisect_left(self._starts, match.end())
            if last > first:
                tokens[first:last] = ["".join(tokens[first:last]), *[""] * (last - first - 1)]
        return tuple(tokens)

    def _unit(self, sentence: Span) -> Unit:
        inside = self._words[bisect_left(self._starts, sentence.start) : bisect_left(self._starts, sentence.end)]
        order = tuple(_stems_in_order([word for word in inside if self._is_content(word, sentence)]))
        positions = range(bisect_left(self._value_starts, sentence.start), bisect_left(self._value_starts, sentence.end))
        cues = self._facts.cues[bisect_left(self._cue_starts, sentence.start) : bisect_left(self._cue_starts, sentence.end)]
        return Unit(
            span=sentence,
            stems=frozenset(stem for stem, _ in order),
            bare=frozenset(stem for stem, place in order if not self._in_amount(place)),
            order=order,
            clauses=self._clauses(sentence, order),
            values=tuple(positions),
            negations=_negations(cues, [self._facts.values[position].span for position in positions], self._denies),
            conditions=tuple(cue.span for cue in cues if cue.kind is CueKind.CONDITION and cue.meaning in _CONDITIONS),
            modal=frozenset(stem for stem, place in order if _is_modal(place, cues)),
            comparison=_comparison(cues),
        )

    def _denies(self, cue: Cue) -> bool:
        if cue.kind is CueKind.MODALITY:
            return cue.meaning in _FORBIDDING
        if cue.kind is CueKind.CONDITION:
            return cue.span.of(self._text).casefold() in phrase_set("verify.denying_conditions", (self._language,))
        return cue.kind is CueKind.NEGATION

    def _is_content(self, word: Word, sentence: Span) -> bool:
        """Whether a word says something: a capital alone inside a sentence is a name ("Hall A"), no article; letters of "U.S." are none."""
        if any(dotted.start <= word.span.start < dotted.end for dotted in self._dotted):
            return False
        if len(word.text) == 1 and word.text.isupper() and word.text.isalpha() and word.span.start > sentence.start:
            return True
        return word.content and word.folded not in self._light

    def _in_amount(self, place: int) -> bool:
        """Whether a place lies in a number, date or the like: those are compared as values, not as words."""
        index = bisect_right(self._amount_starts, place) - 1
        return index >= 0 and place < self._amount_ends[index]

    def _clauses(self, sentence: Span, order: Sequence[tuple[str, int]]) -> tuple[Clause, ...]:
        borders = [sentence.start]
        marks = _CLAUSE_MARK.finditer(self._text, sentence.start, sentence.end)
        borders.extend(match.end() for match in marks if not self._in_amount(match.start()))
        borders.append(sentence.end)
        places = [place for _, place in order]
        made = []
        for start, end in pairwise(borders):
            inside = order[bisect_left(places, start) : bisect_left(places, end)]
            if start < end:
                made.append(Clause(Span(start, end), frozenset(stem for stem, place in inside if not self._in_amount(place))))
        return tuple(made) or (Clause(sentence, frozenset()),)


def _negations(cues: Sequence[Cue], values: Sequence[Span], denies: Callable[[Cue], bool]) -> tuple[Span, ...]:
    """Words that deny or forbid, each place once. Those inside a value limit it ("no more than 4") and deny nothing."""
    found: list[Span] = []
    for cue in cues:
        if not denies(cue):
            continue
        if not any(cue.span.overlaps(other) for other in (*found, *values)):
            found.append(cue.span)
    return tuple(found)


def _is_modal(place: int, cues: Sequence[Cue]) -> bool:
    return any(cue.kind is CueKind.MODALITY and cue.span.start <= place < cue.span.end for cue in cues)


def _comparison(cues: Sequence[Cue]) -> int:
    meanings = {cue.meaning for cue in cues if cue.kind is CueKind.COMPARISON}
    return ("more" in meanings) - ("less" in meanings)


def _stems_in_order(content: Sequence[Word]) -> Iterator[tuple[str, int]]:
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
