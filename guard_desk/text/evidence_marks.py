"""Whether a passage states what a question asks for: a value of the asked kind, a reason, a way, a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.names import find_names
from guard_desk.text.passage_reading import PassageReading, SentenceReading
from guard_desk.text.question_reading import QuestionReading, key_of, premise_data, premise_phrases
from guard_desk.text.words import fold_word, stem_word

_DIMENSIONS = {"duration": "time"} | {name: name for name in ("length", "mass", "temperature", "speed", "data", "area", "volume")}
_NAMED = frozenset({"person", "place", "entity"})
_TYPED = frozenset({"date", "time", "number", "percent", "money", "identifier", *_DIMENSIONS, *_NAMED})


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceMark:
    """What the best sentence offers.

    :param cover: share of the question's words in it (those of title and sentence before count half), 0..1.
    :param found: 1 when it states something of the asked kind, .5 when another sentence of the passage does, else 0.
    :param group: how surely the kind can be told: "amount" (dates, numbers, identifiers), "name", "way" (reasons, instructions),
        "verdict" (yes/no), "" for things of any kind.
    :param novelty: share of its words that the question lacks, 0..1.
    :param spans: what answers, where it is known; else the sentence.
    """

    cover: float
    found: float
    group: str
    novelty: float
    spans: tuple[Span, ...]


def mark_evidence(reading: QuestionReading, passage: PassageReading) -> EvidenceMark:
    """The sentence that is closest to the question and states what is asked, or the closest one."""
    best = EvidenceMark(cover=0.0, found=0.0, group=_group(reading), novelty=0.0, spans=())
    best_cover = 0.0
    anywhere = False
    for sentence in passage.sentences:
        cover = _cover(reading, sentence)
        spans = _answers(reading, sentence, passage)
        anywhere = anywhere or bool(spans)
        best_cover = max(best_cover, cover)
        if (bool(spans), cover) > (best.found > 0, best.cover) and (not spans or cover > 0):
            novelty = 1 - len(sentence.keys & reading.keys) / len(sentence.keys) if sentence.keys else 0.0
            best = EvidenceMark(
                cover=cover, found=1.0 if spans else 0.0, group=best.group, novelty=novelty, spans=spans or (sentence.span,)
            )
    if best.found == 0.0 and anywhere:
        return EvidenceMark(cover=best_cover, found=0.5, group=best.group, novelty=best.novelty, spans=best.spans)
    return best


def _group(reading: QuestionReading) -> str:
    if reading.form == "boolean":
        return "verdict"
    if reading.form == "reason" or (reading.form == "manner" and not reading.asked & _TYPED):
        return "way"
    if reading.asked & (_TYPED - _NAMED):
        return "amount"
    return "name" if reading.asked & _NAMED else ""


def _cover(reading: QuestionReading, sentence: SentenceReading) -> float:
    if not reading.keys:
        return 0.0
    own = len(reading.keys & sentence.keys)
    around = len(reading.keys & (sentence.context - sentence.keys))
    return (own + 0.5 * around) / len(reading.keys)


def _answers(reading: QuestionReading, sentence: SentenceReading, passage: PassageReading) -> tuple[Span, ...]:
    """Spans of a sentence that are of the asked kind and not words of the question."""
    if reading.form == "reason":
        return _phrase_spans("reason", sentence, passage.language)
    if reading.form == "manner" and not reading.asked & _TYPED:
        return _ways(sentence, passage.language)
    if reading.form == "boolean":
        return (sentence.span,) if _cover(reading, sentence) >= 0.5 else ()
    known = {fold_word(value.text) for value in reading.facts.values}
    values = [value for value in sentence.values if fold_word(value.text) not in known and _fits(value, reading.asked)]
    spans = [value.span for value in values]
    if reading.asked & _NAMED:
        spans += _new_names(reading, sentence, passage.language)
    if "place" in reading.asked and not spans:
        spans += _phrase_spans("place", sentence, passage.language)
    if reading.asked & {"person", "entity"} and not spans:
        spans += _roles(reading, sentence, passage.language)
    return tuple(spans)


def _roles(reading: QuestionReading, sentence: SentenceReading, language: str) -> tuple[Span, ...]:
    """People and bodies called by their role ("the mayor's daughter", "two directors")."""
    roles = _role_keys(language) - reading.keys
    return tuple(place for key, place in sentence.order if key in roles)


@cache
def _role_keys(language: str) -> frozenset[str]:
    listed = (*lang.entry(language, "thinning.nouns.name"), *premise_data(language).get("people", ()))
    return frozenset(key_of(stem_word(fold_word(word.removeprefix("~")), language)) for word in listed)


def _fits(value: Value, asked: frozenset[str]) -> bool:
    """Whether a value is of an asked kind."""
    if value.kind in (ValueKind.DATE, ValueKind.TIME):
        return bool(asked & {"date", "time"})
    if value.kind is ValueKind.MONEY:
        return bool(asked & {"money", "number"})
    if value.kind is ValueKind.PERCENT:
        return bool(asked & {"percent", "number", "money"})
    if value.kind is ValueKind.NUMBER:
        wanted = {_DIMENSIONS[kind] for kind in asked if kind in _DIMENSIONS}
        return value.dimension in wanted if wanted else bool(asked & {"number", "identifier"})
    if value.kind is ValueKind.IDENTIFIER:
        return "identifier" in asked
    return bool(asked & _NAMED)


def _new_names(reading: QuestionReading, sentence: SentenceReading, language: str) -> list[Span]:
    spans = [span for span, _ in find_names(sentence.text, language)]
    new = [span for span in spans if not {fold_word(word) for word in span.of(sentence.text).split()} <= reading.names]
    return [Span(span.start + sentence.span.start, span.end + sentence.span.start) for span in new]


def _phrase_spans(name: str, sentence: SentenceReading, language: str) -> tuple[Span, ...]:
    found = premise_phrases(language, name).find(sentence.text)
    return tuple(Span(match.span.start + sentence.span.start, match.span.end + sentence.span.start) for match in found)


def _ways(sentence: SentenceReading, language: str) -> tuple[Span, ...]:
    """Instructions ("Press Renew") and statements of how, where or by whom."""
    steps: Sequence[Span] = [
        span for span in _phrase_spans("step", sentence, language) if span.start - sentence.span.start <= 2 or language == "zh"
    ]
    return tuple(steps) or _phrase_spans("ways", sentence, language)
