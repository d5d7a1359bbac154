"""A text as a row of comparable units: words, values, operators and what grammar hangs on them.

Articles, copulas and the like are left out; adpositions, coordinators and auxiliaries are kept as marks of the unit that
follows, because they say which part it plays. Synonyms and formats are folded into equal keys.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, lru_cache

from guard_desk.records.corpus import Span
from guard_desk.records.decision import Guard
from guard_desk.records.evidence import Bound, TextFacts, Value, ValueKind
from guard_desk.text.guards.forms import auxiliaries, form_of
from guard_desk.text.guards.lexicon import Entry, Lexicon, Part, lexicon, longest_bound
from guard_desk.text.guards.tokens import SENTENCE_END, runs_of, tokens_of
from guard_desk.text.words import Word, fold_word

_COMMA = frozenset(",，、()（）")
_AND = frozenset("、&")
_LIST_MARKER = re.compile(r"(?m)^[ \t]*(?:[-*+•]|\d{1,2}[.)]|[a-z][.)])[ \t]+")
_BOUND_KEY = "quantifier:bound_"
_DENIED = {"more": "most", "less": "least"}
# Most units between a limit and its value ("at least in part 20").
_REACH = 3
_BOUND_NAMES = {Bound.MOST: "most", Bound.LEAST: "least", Bound.MORE_THAN: "more", Bound.LESS_THAN: "less", Bound.ABOUT: "about"}


class Kind(Enum):
    """What a unit is."""

    WORD = "word"
    VALUE = "value"
    OPERATOR = "operator"
    OPENING = "opening"
    FREE = "free"
    PRONOUN = "pronoun"


@dataclass(frozen=True, slots=True)
class Unit:
    """One comparable piece of a text.

    :param key: equal keys mean the same.
    :param others: further names under which it may equal another (synonym classes).
    :param marks: what stands before it: "link:to", "open:before", "and", ",", "be", "past", "then", ...
    :param value: without its bound, which stands in `bound`.
    :param clause: running number of its clause; `sentence` of its sentence.
    """

    kind: Kind
    key: str
    span: Span
    text: str
    folded: str
    sentence: int
    clause: int
    marks: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    guard: Guard | None = None
    value: Value | None = None
    bound: str = ""
    floats: bool = False


@dataclass(frozen=True)
class Text:
    """A text ready to be compared.

    :param persons: words for the reader or an open agent ("you").
    """

    text: str
    language: str
    units: tuple[Unit, ...]
    persons: tuple[Unit, ...]
    pronouns: tuple[int, ...]

    @cached_property
    def keys(self) -> Counter[str]:
        """How often each key stands among the units, pronouns left out."""
        return Counter(unit.key for unit in self.units if unit.kind is not Kind.PRONOUN)

    @cached_property
    def by_key(self) -> dict[str, Unit]:
        """A unit of each key."""
        return {unit.key: unit for unit in self.units if unit.kind is not Kind.PRONOUN}


def prepare(text: str, facts: TextFacts) -> Text:
    """The units of a text.

    :param facts: of `analyze_text` or of an analyzer; its values carry the numbers, dates and identifiers.
    """
    return _prepare(_Source(text, facts))


class _Source:
    """A text with its facts as a cheap cache key: hashed by the text alone."""

    __slots__ = ("facts", "text")

    def __init__(self, text: str, facts: TextFacts) -> None:
        self.text = text
        self.facts = facts

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source) and self.text == other.text and (self.facts is other.facts or self.facts == other.facts)


@lru_cache(maxsize=4096)
def _prepare(source: _Source) -> Text:
    text, facts = source.text, source.facts
    values = tuple(value for value in facts.values if value.kind is not ValueKind.ENTITY)
    language = facts.languages[0] if facts.languages else "en"
    lex = lexicon(language)
    builder = _Builder(text, lex)
    tokens = tokens_of(text, lex)
    skipped = [Span(*match.span()) for match in _LIST_MARKER.finditer(text)] if "\n" in text or text[:2] in ("- ", "* ", "• ") else []
    values = _outside_phrases(text, tokens, values, lex)
    kept = [value for value in values if not any(mark.start <= value.span.start and value.span.end <= mark.end for mark in skipped)]
    tokens = [token for token in tokens if not any(token.span.overlaps(mark) for mark in skipped)]
    for run, value in runs_of(tokens, kept):
        builder.add(run, value)
    return builder.finish()


def _outside_phrases(text: str, tokens: Sequence[Word], values: Sequence[Value], lex: Lexicon) -> tuple[Value, ...]:
    """Without values in words that are part of a longer fixed expression: the "once" of "once a month"."""
    if all(any(ch.isdigit() for ch in value.text) for value in values):
        return tuple(values)
    fixed = [match.span for match in lex.phrases.find(text, tokens) if len(match.used) > 1 and match.meanings[0][0].part is Part.FREE]
    return tuple(value for value in values if not any(span.start <= value.span.start and value.span.end < span.end for span in fixed))


@dataclass
class _Builder:
    """Turns words and values into units, left to right."""

    text: str
    lex: Lexicon
    units: list[Unit] = field(default_factory=list)
    persons: list[Unit] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    sentence: int = 0
    clause: int = 0
    end: int = 0
    opened: int = 0
    link: Span | None = None

    def add(self, run: list[Word], value: Value | None) -> None:
        """Take in the words before a value and the value."""
        if self.units and self.units[-1].value is not None:
            size, name = longest_bound(self.lex.bounds_after, run, at_end=False)
            if size and self._adjoins(self.end, run[0].span.start):
                self._bind(len(self.units) - 1, name)
                self._pass(run[size - 1].span.end, run[0].span.start)
                run = run[size:]
        bound = ""
        if value is not None:
            size, bound = longest_bound(self.lex.bounds_before, run, at_end=True)
            if size and self._adjoins(run[-1].span.end, value.span.start):
                run = run[:-size]
            else:
                bound = ""
        self._words(run)
        if value is not None:
            self._value(value, bound)

    def finish(self) -> Text:
        """The text as units; limits that stand apart from their value are bound to it."""
        for position, unit in enumerate(self.units):
            if unit.key.startswith(_BOUND_KEY):
                value = self._limited(position)
                if value is not None:
                    self._bind(value, unit.key.removeprefix(_BOUND_KEY))
                    self.units[position] = replace(unit, kind=Kind.PRONOUN, key="bound")
        self._deny_limits()
        self.units = [unit for unit in self.units if unit.key != "bound"]
        self._particle()
        pronouns = tuple(position for position, unit in enumerate(self.units) if unit.kind is Kind.PRONOUN)
        return Text(self.text, self.lex.language, tuple(self.units), tuple(self.persons), pronouns)

    def _deny_limits(self) -> None:
        """ "not above 40" is at most 40."""
        for position, unit in enumerate(self.units[1:], 1):
            before = self.units[position - 1]
            if unit.bound in _DENIED and before.key == "negation:not" and before.clause == unit.clause:
                self._bind(position, _DENIED[unit.bound])
                self.units[position - 1] = replace(before, kind=Kind.PRONOUN, key="bound")

    def _limited(self, position: int) -> int | None:
        """The value that a limit before it in the clause is about."""
        for place in range(position + 1, min(position + 1 + _REACH, len(self.units))):
            unit = self.units[place]
            if unit.clause != self.units[position].clause or unit.kind is Kind.OPENING:
                return None
            if unit.value is not None:
                return place if not unit.bound else None
        return None

    def _adjoins(self, left: int, right: int) -> bool:
        return not any(ch in SENTENCE_END or ch in _COMMA for ch in self.text[left:right])

    def _pass(self, end: int, start: int) -> None:
        """Note the punctuation between the last word and one that begins at `start`."""
        between = self.text[self.end : start] if start > self.end else ""
        if between in ("", " "):
            self.end = max(end, self.end)
            return
        if any(ch in SENTENCE_END or ch in _COMMA for ch in between):
            self._particle()
        if any(ch in SENTENCE_END for ch in between):
            self.sentence += 1
            self._open()
            self.marks = {"."}
        elif any(ch in _COMMA for ch in between):
            self.marks.add(",")
            self._open()
        if any(ch in _AND for ch in between):
            self.marks.add("and")
        self.end = max(end, self.end)

    def _particle(self) -> None:
        """An adposition that ends its clause is a word of its own: "switch it off", "wait outside"."""
        if self.link is not None and any(mark.startswith("link:") for mark in self.marks):
            folded = self.link.of(self.text).casefold()
            self._append(Unit(Kind.WORD, f"particle:{folded}", self.link, self.link.of(self.text), folded, self.sentence, self.clause))
        self.link = None

    def _open(self) -> None:
        self.clause += 1
        self.opened = len(self.units)

    def _words(self, run: list[Word]) -> None:
        matches = {match.used[0]: match for match in self.lex.phrases.find(self.text, run)}
        used = {place for match in matches.values() for place in match.used}
        for place, word in enumerate(run):
            if place in matches:
                match = matches[place]
                readings = sorted(match.meanings, key=lambda entries: entries[0].part)
                end = run[match.used[-1]].span.end
                self._phrase(readings, [run[used_place] for used_place in match.used], Span(word.span.start, end))
            elif place not in used:
                self._pass(word.span.end, word.span.start)
                self._word(word, frozenset())

    def _phrase(self, readings: list[tuple[Entry, ...]], taken: list[Word], span: Span) -> None:
        self._pass(span.end, span.start)
        first = readings[0]
        for word in taken:
            self._auxiliary(word.folded)
        if first[0].part is Part.CONCEPT:
            names = frozenset(entry.key for reading in readings for entry in reading if entry.part is Part.CONCEPT)
            self._concept(taken, names, span)
            return
        if first[0].part is Part.OPERATOR and len(taken) > 1:
            self.marks.discard("be")  # "is not possible to undo" is no passive of "undo"
        for entry in first:
            self._entry(entry, taken, span)

    def _auxiliary(self, folded: str) -> None:
        """Marks that a function word leaves on the next unit."""
        self.marks |= auxiliaries(self.lex.language, folded)

    def _entry(self, entry: Entry, taken: list[Word], span: Span) -> None:
        text = span.of(self.text)
        folded = taken[0].folded
        if entry.part in (Part.OPERATOR, Part.FREE):
            kind = Kind.FREE if entry.part is Part.FREE else Kind.OPERATOR
            self._append(
                Unit(kind, entry.key, span, text, folded, self.sentence, self.clause, guard=entry.guard, floats=entry.floats),
                keep_marks=entry.floats or entry.part is Part.FREE,
            )
        elif entry.part is Part.OPENING:
            self._opening(entry, span, text, folded)
        elif entry.part is Part.PRONOUN:
            self._append(Unit(Kind.PRONOUN, "pronoun", span, text, folded, self.sentence, self.clause), keep_marks=True)
        elif entry.part is Part.PERSON:
            self.persons.append(Unit(Kind.WORD, entry.key, span, text, folded, self.sentence, self.clause))
            self.marks.add("person")
        elif entry.part is Part.COORDINATOR:
            self.marks.add("and")
            self.clause += 1
            self.opened = len(self.units)
        elif entry.part is Part.SEQUENCE:
            self.marks.add("then")
        elif entry.part is Part.LINK:
            self.marks.add(f"link:{entry.key}")
            self.link = span

    def _opening(self, entry: Entry, span: Span, text: str, folded: str) -> None:
        """An operator that opens a phrase; in languages that put it behind, it marks the beginning of the clause."""
        unit = Unit(Kind.OPENING, entry.key, span, text, folded, self.sentence, self.clause, guard=entry.guard)
        mark = f"open:{entry.key}"
        behind = "".join(folded) in self.lex.sets["postposed"] or text in self.lex.sets["postposed"]
        if behind and self.opened < len(self.units):
            first = self.units[self.opened]
            self.units[self.opened] = replace(first, marks=first.marks | {mark})
            self.units.append(unit)
            return
        self.units.append(unit)
        self.marks.add(mark)
        self.clause += 1
        if entry.key.endswith(":or"):
            self.marks.add("and")

    def _concept(self, taken: list[Word], names: frozenset[str], span: Span) -> None:
        if len(taken) == 1:
            self._word(taken[0], names)
            return
        key = " ".join(self._key(word) for word in taken)
        folded = " ".join(word.folded for word in taken)
        self._append(Unit(Kind.WORD, key, span, span.of(self.text), folded, self.sentence, self.clause, others=names))

    def _word(self, word: Word, names: frozenset[str]) -> None:
        form = form_of(self.lex.language, word.folded, word.stem)
        self._append(
            Unit(
                Kind.FREE if form.free else Kind.WORD,
                form.key,
                word.span,
                word.text,
                word.folded,
                self.sentence,
                self.clause,
                frozenset(self.marks),
                names,
            ),
            keep_marks=form.free,
        )
        if form.owned:
            self.marks.add("owned")

    def _key(self, word: Word) -> str:
        return form_of(self.lex.language, word.folded, word.stem).key

    def _value(self, value: Value, bound: str) -> None:
        self._pass(value.span.end, value.span.start)
        dated = value.kind in (ValueKind.DATE, ValueKind.TIME)
        if dated and any(self.lex.has("date_limits", mark.removeprefix("link:")) for mark in self.marks):
            bound = bound or "most"
        bound = bound or _BOUND_NAMES.get(value.bound, "")
        folded = fold_word(value.text)
        value = value if value.bound is Bound.EXACT else replace(value, bound=Bound.EXACT)
        self._append(Unit(Kind.VALUE, "", value.span, value.text, folded, self.sentence, self.clause, value=value))
        self._bind(len(self.units) - 1, bound)

    def _bind(self, position: int, bound: str) -> None:
        """Set the bound of a value unit, and with it its key."""
        unit = self.units[position]
        assert unit.value is not None  # only values are bound
        bound = bound or unit.bound
        self.units[position] = replace(unit, bound=bound, key=f"{unit.value.kind}:{unit.value.canonical}:{unit.value.high}:{bound}")

    def _append(self, unit: Unit, *, keep_marks: bool = False) -> None:
        if unit.marks or self.marks or unit.clause != self.clause:
            unit = replace(unit, marks=frozenset(self.marks), clause=self.clause) if unit.marks != self.marks else unit
        self.units.append(unit)
        if not keep_marks:
            self.marks = set()
        elif unit.floats and unit.guard is Guard.NEGATION:
            self.marks.add("not")
