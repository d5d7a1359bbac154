"""What a question asks for: the kind of value that would answer it, and about what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import ValueKind
from guard_desk.text.phrases import Match, PhraseTable
from guard_desk.text.words import Word, content_sequence, words


class Ask(StrEnum):
    """What is asked; the names are the entries of `[question_words]`."""

    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    NUMBER = "number"
    LENGTH = "length"
    MASS = "mass"
    TEMPERATURE = "temperature"
    SPEED = "speed"
    DATA = "data"
    AREA = "area"
    VOLUME = "volume"
    PERCENT = "percent"
    MONEY = "money"
    PERSON = "person"
    PLACE = "place"
    ENTITY = "entity"
    IDENTIFIER = "identifier"
    BOOLEAN = "boolean"
    REASON = "reason"
    MANNER = "manner"
    THING = "thing"


# The kinds of value that can answer, best first; those that no value answers have none.
_KINDS: dict[Ask, tuple[ValueKind, ...]] = {
    Ask.DATE: (ValueKind.DATE, ValueKind.TIME),
    Ask.TIME: (ValueKind.TIME, ValueKind.DATE),
    Ask.NUMBER: (ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.MONEY),
    Ask.PERCENT: (ValueKind.PERCENT, ValueKind.NUMBER),
    Ask.MONEY: (ValueKind.MONEY, ValueKind.NUMBER),
    Ask.PERSON: (ValueKind.ENTITY,),
    Ask.PLACE: (ValueKind.ENTITY,),
    Ask.ENTITY: (ValueKind.ENTITY,),
    Ask.IDENTIFIER: (ValueKind.IDENTIFIER, ValueKind.NUMBER, ValueKind.ENTITY),
}
_DIMENSIONS: dict[Ask, str] = {
    Ask.DURATION: "time",
    Ask.LENGTH: "length",
    Ask.MASS: "mass",
    Ask.TEMPERATURE: "temperature",
    Ask.SPEED: "speed",
    Ask.DATA: "data",
    Ask.AREA: "area",
    Ask.VOLUME: "volume",
    Ask.PERCENT: "percent",
    Ask.MONEY: "money",
}
# A question word that says little gives way to one that says more ("what ... price" asks for money).
_WEAK = frozenset({Ask.THING, Ask.MANNER, Ask.NUMBER, Ask.IDENTIFIER})
_WEAKEST = frozenset({Ask.THING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question asks for.

    :param ask: the category; None when no question word is found.
    :param kinds: kinds of value that answer it, best first; empty for "why", "how", yes/no and unknown questions.
    :param dimension: what a measure must measure ("time" for a duration); "" for any.
    :param span: the question words in the question; None without any.
    :param focus: stems of the content words the question is about, question words left out, in order.
    """

    ask: Ask | None
    kinds: tuple[ValueKind, ...]
    dimension: str
    span: Span | None
    focus: tuple[str, ...]

    @property
    def yes_no(self) -> bool:
        """Whether the question takes nothing for granted and asks for yes or no."""
        return self.ask is Ask.BOOLEAN


@lru_cache(maxsize=2048)
def asked(question: str, language: str = "en") -> Asked:
    """What a question asks for.

    :param language: the question's main language; one without data gives an `Asked` without kinds.
    """
    tokens = words(question, language)
    matches = list(_table(language).find(question, tokens))
    best = _best(matches)
    ask = best.meanings[0] if best else None
    asking = [match for match in matches if match.meanings[0] in (ask, Ask.THING) and _hides(match, language, tokens)]
    hidden = {place for match in asking for place in match.used}
    focus = content_sequence([word for position, word in enumerate(tokens) if position not in hidden])
    kinds = () if ask is None else (ValueKind.NUMBER,) if ask in _DIMENSIONS and ask not in _KINDS else _KINDS.get(ask, ())
    return Asked(ask=ask, kinds=kinds, dimension=_DIMENSIONS.get(ask, "") if ask else "", span=best.span if best else None, focus=focus)


# Where the question word is also the subject ("melting point", "annual fee"), it stays in the focus.
_SUBJECTS = frozenset({Ask.TEMPERATURE, Ask.MONEY, Ask.LENGTH, Ask.MASS, Ask.DURATION, Ask.PLACE, Ask.PERCENT, Ask.SPEED, Ask.DATA})


def _hides(match: Match[Ask], language: str, tokens: Sequence[Word]) -> bool:
    """Whether the words of a match only ask ("how long") and are not what is asked about ("melting point")."""
    return match.meanings[0] not in _SUBJECTS or (len(match.used) <= 2 and not tokens[match.used[0]].content and language != "zh")


def _best(matches: list[Match[Ask]]) -> Match[Ask] | None:
    """A yes/no opening wins, unless a real question word follows; then the first strong word, then the first weak one."""
    if matches and matches[0].meanings[0] is Ask.BOOLEAN:
        return matches[0]
    for left_out in (_WEAK | {Ask.BOOLEAN}, _WEAKEST | {Ask.BOOLEAN}, frozenset[Ask]()):
        for match in matches:
            if match.meanings[0] not in left_out:
                return match
    return None


@cache
def _table(language: str) -> PhraseTable[Ask]:
    return PhraseTable(_phrases(language), language)


def _phrases(language: str) -> Iterator[tuple[str, Ask]]:
    for ask in Ask:
        for phrase in lang.entry(language, f"question_words.{ask.value}"):
            yield phrase, ask
