"""Reads a question: its form, the kinds of value that it asks for, and its words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from guard_desk import lang, resources
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import TextFacts, ValueKind
from guard_desk.text.analyze import analyze_text
from guard_desk.text.languages import is_cjk
from guard_desk.text.names import find_names
from guard_desk.text.phrases import PhraseTable
from guard_desk.text.thinning.frame import Shape, frame_of
from guard_desk.text.words import Word, fold_word, words

FORMS = ("boolean", "reason", "manner")
SHORTEST_CLAIM = 5
KEY_LENGTH = 6
_SOFT_E = ("se", "ue", "ie")

_VAGUE = frozenset({"thing", "number"})
_CLAUSE = re.compile(r"[;；]|\s[–—]\s|[.!?。！？](?=\s|$|[^\d\s])|(?<=[\u3400-\u9fff])，")
_ZH_ASKING = frozenset("什么哪几多何谁怎吗否为")
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReading:
    """A question, read.

    :param form: "boolean", "reason", "manner", "open" (asks for a value or thing), "claim" (no question at all).
    :param asked: kinds of `[question_words]` that fit the asking words: "date", "money", "person", "thing", ...
    :param main: the asking clause; :param stated: the clauses beside it, which state something.
    :param asking: the asking words that carry no subject ("how many", "why").
    :param keys: content words that a passage on the same subject shares (see `keys_of`), without values and asking words.
    :param pairs: keys of neighbouring content words ("notice period").
    :param names: folded names, identifiers and years.
    """

    text: str
    language: str
    facts: TextFacts
    form: str
    asked: frozenset[str]
    main: Span
    stated: tuple[Span, ...]
    asking: tuple[Span, ...]
    keys: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    names: frozenset[str]


@cache
def premise_data(language: str) -> Mapping[str, Any]:
    """The language's part of `resources/premises.toml`; empty lists where it has none."""
    with resources.path("premises.toml").open("rb") as stream:
        return dict(tomllib.load(stream).get(language, {}))


@cache
def premise_phrases(language: str, name: str) -> PhraseTable[str]:
    """One list of the premise data as a phrase table."""
    return PhraseTable(((phrase, name) for phrase in premise_data(language).get(name, ())), language)


@lru_cache(maxsize=512)
def read_question(text: str) -> QuestionReading:
    """Read a question of any of the languages with data."""
    facts = analyze_text(text)
    language = facts.languages[0]
    found = tuple(_asking(text, language))
    main, stated = _clauses(text, language, [span for span, _ in found])
    inside = [(span, kinds) for span, kinds in found if main.start <= span.start < main.end]
    asked = _asked_kinds(text, language, inside)
    asking = tuple(span for span, _ in inside)
    hidden = (
        *_grammar_of(text, language, asking),
        *(value.span for value in facts.values if value.kind is not ValueKind.ENTITY and value.kind is not ValueKind.IDENTIFIER),
    )
    form = _form(text, inside, language)
    # "How do I extend my share?" asks for a way, not for a percentage, whatever its nouns measure.
    measures = asked <= _VAGUE and form in ("open", "claim")
    return QuestionReading(
        text=text,
        language=language,
        facts=facts,
        form=form,
        asked=asked | _measured(text) if measures else asked,
        main=main,
        stated=stated,
        asking=tuple(_grammar_of(text, language, asking)),
        keys=keys_of(text, language, hidden),
        pairs=pairs_of(text, language, hidden),
        names=names_of(text, facts),
    )


def _asked_kinds(text: str, language: str, asking: list[tuple[Span, tuple[str, ...]]]) -> frozenset[str]:
    """Kinds of the first asking word, and of asked nouns behind it ("melting point"); a later "when" or "where" only joins clauses."""
    kinds: set[str] = set()
    for number, (span, found) in enumerate(sorted(asking, key=lambda item: item[0].start)):
        first = next((word for word in words(text, language) if word.span.overlaps(span)), None)
        if number == 0 or language == "zh" or (first is not None and first.content) or kinds <= {"boolean"}:
            kinds.update(found)
    return frozenset(kinds - set(FORMS))


def _measured(text: str) -> frozenset[str]:
    """Kinds that the asked noun adds: "what is the penalty" asks for money, "how often" for a time."""
    frame = frame_of(text)
    if frame.shape is Shape.QUANTITY and len(frame.dimensions) <= 2:
        return frozenset("duration" if dimension == "time" else dimension for dimension in frame.dimensions)
    return frozenset({"number"}) if frame.shape in (Shape.COUNT, Shape.NUMBER) else frozenset()


@cache
def _asking_table(language: str) -> PhraseTable[str]:
    entries: Mapping[str, Iterable[str]] = dict(lang.entry(language, "question_words"))
    return PhraseTable(((phrase, kind) for kind, phrases in entries.items() for phrase in phrases), language)


def _asking(text: str, language: str) -> Iterable[tuple[Span, tuple[str, ...]]]:
    """Asking phrases and their kinds, in order."""
    for match in _asking_table(language).find(text):
        yield match.span, match.meanings


def _grammar_of(text: str, language: str, asking: Iterable[Span]) -> Iterable[Span]:
    """The parts of asking phrases that only ask: all of "how often", "which" of "which port", nothing of "boiling point"."""
    keeps_noun = {fold_word(phrase) for phrase in lang.entry(language, "question_words.thing")}
    for span in asking:
        inside = [word for word in words(text, language) if word.span.overlaps(span)]
        if language == "zh":
            if any(sign in _ZH_ASKING for sign in span.of(text)):
                yield span
        elif inside and not inside[0].content:
            yield inside[0].span if inside[0].folded in keeps_noun else span


def _clauses(text: str, language: str, asking: list[Span]) -> tuple[Span, tuple[Span, ...]]:
    """The asking clause, and those that state something: beside a mark, behind "since" or before ", when"."""
    parts = _parts(text)
    main = next(
        (part for part in reversed(parts) if "?" in text[part.start : part.end + 1] or "？" in text[part.start : part.end + 1]), parts[-1]
    )
    stated = [part for part in parts if part != main and part.end - part.start > 2]
    split = _leading(text, main, language) or _trailing(text, main, language)
    if split is not None:
        main, clause = split
        stated.append(clause)
    if len(parts) > 1 and not any(main.start <= span.start < main.end for span in asking):
        holder = next((part for part in stated if any(part.start <= span.start < part.end for span in asking)), None)
        if holder is not None:
            stated = [part for part in stated if part != holder] + [main]
            main = holder
    return main, tuple(stated)


def _parts(text: str) -> list[Span]:
    parts: list[Span] = []
    start = 0
    for match in _CLAUSE.finditer(text):
        parts.append(Span(start, match.start()))
        start = match.end()
    parts.append(Span(start, len(text)))
    trimmed = [_trimmed(text, part) for part in parts]
    return [part for part in trimmed if part.end > part.start] or [Span(0, len(text))]


def _trimmed(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def _leading(text: str, main: Span, language: str) -> tuple[Span, Span] | None:
    """ "Since X, how ...": the rest and X."""
    own = main.of(text)
    match = next(iter(premise_phrases(language, "lead").find(own)), None)
    comma = max(own.find(", "), own.find("，"))
    if match is None or match.span.start > 0 or comma < 0:
        return None
    return _trimmed(text, Span(main.start + comma + 1, main.end)), _trimmed(text, Span(main.start + match.span.end, main.start + comma))


def _trailing(text: str, main: Span, language: str) -> tuple[Span, Span] | None:
    """ "How ..., when X": the rest and X. Without a comma only words of two and more count ("now that")."""
    own = main.of(text)
    for match in premise_phrases(language, "trail").find(own):
        before = own[: match.span.start].rstrip()
        if match.span.start > 0 and (before.endswith((",", "，")) or " " in match.span.of(own)):
            return _trimmed(text, Span(main.start, main.start + len(before))), _trimmed(text, Span(main.start + match.span.end, main.end))
    return None


def _form(text: str, asking: list[tuple[Span, tuple[str, ...]]], language: str) -> str:
    """The form of the asking clause; the first asking phrase decides, in Chinese any."""
    if not asking:
        return "open" if "?" in text or "？" in text or len(text.split()) < SHORTEST_CLAIM else "claim"
    first = min(asking, key=lambda item: item[0].start)[1]
    kinds = {kind for _, kinds in asking for kind in kinds} if language in ("zh", "ta") else set(first)
    if "boolean" in kinds and not kinds & {"reason", "manner"} and (language != "ta" or kinds == {"boolean"}):
        return "boolean"
    return next((form for form in ("reason", "manner") if form in kinds), "open")


def key_of(stem: str) -> str:
    """A word's key: its stem, long ones cut, so that derived forms meet ("cancellation", "cancel"; "buses", "bus")."""
    if stem.endswith(_SOFT_E) and stem.isascii():
        stem = stem[:-1]
    return stem[:KEY_LENGTH] if len(stem) > KEY_LENGTH and stem.isalpha() and not is_cjk(stem[0]) else stem


def keys_of(text: str, language: str, hidden: Iterable[Span] = ()) -> frozenset[str]:
    """Keys of the content words; pairs of neighbouring characters for Chinese. Words that touch a `hidden` span are left out."""
    return frozenset(key for key, _ in placed_keys(text, language, tuple(hidden)))


@lru_cache(maxsize=4096)
def placed_keys(text: str, language: str, hidden: tuple[Span, ...] = ()) -> tuple[tuple[str, Span], ...]:
    """The keys of a text in order, with their places."""
    kept = [word for word in words(text, language) if word.content and not any(word.span.overlaps(span) for span in hidden)]
    placed: list[tuple[str, Span]] = []
    for position, word in enumerate(kept):
        if not _is_han(word):
            placed.append((key_of(word.stem), word.span))
            continue
        following = kept[position + 1] if position + 1 < len(kept) else None
        if following is not None and _is_han(following) and following.span.start == word.span.end:
            placed.append((word.folded + following.folded, Span(word.span.start, following.span.end)))
        elif position == 0 or not (_is_han(kept[position - 1]) and kept[position - 1].span.end == word.span.start):
            placed.append((word.folded, word.span))
    return tuple(placed)


def _is_han(word: Word) -> bool:
    return len(word.text) == 1 and is_cjk(word.text)


def pairs_of(text: str, language: str, hidden: Iterable[Span] = ()) -> frozenset[tuple[str, str]]:
    """Keys of content words that stand next to each other."""
    placed = placed_keys(text, language, tuple(hidden))
    neighbours = pairwise(placed)
    return frozenset(
        (left, right)
        for (left, first), (right, second) in neighbours
        if text[first.end : second.start].strip(" -") == "" and second.start > first.end
    )


@lru_cache(maxsize=4096)
def _name_spans(text: str, language: str) -> tuple[Span, ...]:
    return tuple(span for span, _ in find_names(text, language))


def names_of(text: str, facts: TextFacts) -> frozenset[str]:
    """Folded names, identifiers and years of a text; a name counts by each of its capitalised words."""
    names = {fold_word(word) for span in _name_spans(text, facts.languages[0]) for word in span.of(text).split()}
    names |= {fold_word(value.text) for value in facts.values if value.kind in (ValueKind.IDENTIFIER, ValueKind.ENTITY)}
    names |= set(_YEAR.findall(text))
    return frozenset(name.removesuffix("'s") for name in names if name)
